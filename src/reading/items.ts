/**
 * Finds the items of a filing's document. An item is `proven` if there is evidence for both bounds of its section (see
 * evidence.ts), and refused otherwise.
 */
import type { Block } from './block.ts';
import { type ContentsRow, findContents, isMarked, isWithin, type PageRange, readPages } from './contents.ts';
import type { ReadingDocument } from './document.ts';
import { type Evidence, type Mentions, proveStarts, type Reason, type Start } from './evidence.ts';
import { type Heading, readHeading, readPart } from './headings.ts';
import { EXECUTIVE_OFFICERS, type FormItem, type ItemName, itemNames, squeeze } from './item-names.ts';
import { dropRepetitions } from './repetitions.ts';

export type { PageRange } from './contents.ts';
export type { Evidence, Reason } from './evidence.ts';

export interface Item extends ItemName {
  /**
   * `proven`: both bounds have evidence. `by_reference`: both bounds have evidence, but the section only names another
   * place (`pointer`). `page_ranges`: a cross-reference index names pages (`pages`). `refused`: not proven (`reason`).
   */
  readonly status: 'proven' | 'by_reference' | 'page_ranges' | 'refused';
  /** Why the item is refused; null for other states. */
  readonly reason: Reason | null;
  /** Start of the section's heading; null if unknown. */
  readonly start: Place | null;
  /** Start of the next heading; null if unknown. */
  readonly end: Place | null;
  readonly startEvidence: readonly Evidence[];
  readonly endEvidence: readonly Evidence[];
  /** The heading as filed. */
  readonly heading: string | null;
  /** Other items under the same heading: `2` for "Items 1 and 2. Business and Properties". */
  readonly sharedWith: readonly string[];
  /** The text that names another place; null if there is none. */
  readonly pointer: string | null;
  /** The pages that a cross-reference index names for the item; empty for other states. */
  readonly pages: readonly PageRange[];
}

export interface Place {
  /** Offset in the source. */
  readonly offset: number;
  /** Index of the block; for an end, of the first block after the section. */
  readonly block: number;
}

/** Minimum fraction of listed items with a heading. Lists below it are cross-reference indexes. */
const MIN_HEADINGS_FRACTION = 0.34;
/** Maximum number of lines below a row of an index that belong to its item. */
const MAX_LINES_BELOW = 8;
/** Maximum number of blocks between an index and its footnotes. */
const MAX_BLOCKS_AFTER = 20;
/** Maximum number of letters of a footnote. */
const MAX_FOOTNOTE_LENGTH = 500;
/** A block that is only the heading of a part. */
const PART_HEADING = /^\W*part\s+(?:i{1,3}|iv)\W*(?:(?:financial|other) information\W*)?$/i;
/** Minimum number of letters after the heading of Part II at which the part counts as having text. */
const MIN_PART_TEXT = 60;
/**
 * The heading of the unnumbered part that follows the last item of Part I (Instruction to Item 401 of Regulation S-K).
 */
const OFFICERS_HEADING =
  /^\W*(?:item x\W+)?(?:information (?:about|regarding) )?(?:our |the )?executive officers(?: of (?:the|our) (?:registrant|company))?\W*$/i;

/**
 * Returns the items that are in the document's contents or headings, in the form's order. `day` (YYYY-MM-DD) is the
 * period's end or the day of filing. Empty if the form has no items or the document names none.
 */
export function findItems(document: ReadingDocument, form: string, day: string): Item[] {
  const { blocks } = document;
  const formItems = itemNames(form, day);
  const headings = readHeadings(blocks, formItems);
  const contentsTables = findContents(blocks, headings, formItems);
  const bodyHeadings = headings.filter((heading) => !contentsTables.some((rows) => isWithin(rows, heading.block)));
  const body = dropRepetitions(blocks, bodyHeadings.filter(isPlausible));
  const items = formItems.flatMap((name): Mentions[] => {
    const rows = contentsTables.flat().filter((row) => row.heading.items.includes(name));
    const headings = body.filter((heading) => heading.items.includes(name));
    return rows.some(isMarked) || headings.some(({ hasNumber }) => hasNumber) ? [{ name, rows, headings }] : [];
  });
  const listed = items.filter(({ rows }) => rows.length > 0);
  const withHeading = listed.filter(({ headings }) => headings.some(({ hasNumber }) => hasNumber));
  if (listed.length > 0 && withHeading.length < listed.length * MIN_HEADINGS_FRACTION)
    return formItems.flatMap((name) => {
      const table = contentsTables.findLast((rows) => rows.some(({ heading }) => heading.items.includes(name)));
      return table === undefined ? [] : [makeIndexItem(blocks, name, table, headings)];
    });
  const starts = proveStarts(blocks, items);
  const required = formItems.filter(({ isOptional }) => !isOptional);
  const inForm = contentsTables.length === 0 ? required : listed.map(({ name }) => name);
  const expected = form.endsWith('/A') ? [] : inForm;
  const filing = { document, formItems, starts, headings: bodyHeadings, body, expected };
  const all = starts.map((start) => makeItem(filing, start));
  const last = all.findLast(({ part }) => part === 'I');
  const officers = last === undefined || last.item !== '4' ? null : findOfficers(document, last);
  return officers === null ? all : all.toSpliced(all.indexOf(last as Item) + 1, 0, officers);
}

/** Returns the unnumbered part about executive officers at the end of the last item of Part I, which includes it. */
function findOfficers({ blocks }: ReadingDocument, item: Item): Item | null {
  if (item.start === null || item.end === null) return null;
  const section = blocks.slice(item.start.block + 1, item.end.block);
  const [heading, second] = section.filter(({ text }) => OFFICERS_HEADING.test(text));
  if (heading === undefined || second !== undefined) return null;
  const { start: offset, text } = heading;
  return {
    ...makeUnproven(EXECUTIVE_OFFICERS),
    status: 'proven',
    start: { offset, block: blocks.indexOf(heading) },
    end: item.end,
    heading: text,
    startEvidence: [
      { kind: 'heading', offset, value: text },
      { kind: 'order', offset: item.start.offset, value: item.item },
    ],
    endEvidence: item.endEvidence,
  };
}

function readHeadings(blocks: readonly Block[], formItems: readonly FormItem[]): Heading[] {
  const headings: Heading[] = [];
  let part: string | null = null;
  let end = 0;
  for (const [index, block] of blocks.entries()) {
    part = readPart(block) ?? part;
    const heading = index < end ? null : readHeading(blocks, index, formItems, part);
    if (heading === null) continue;
    headings.push(heading);
    end = heading.end;
  }
  return headings;
}

const isPlausible = ({ isAlone, hasTitle, hasNumber, hasStyle }: Heading): boolean =>
  isAlone && (hasTitle ? hasNumber || hasStyle : hasStyle);

/**
 * Returns an item of a cross-reference index: its pages, from the row or the lines below, and the text of its footnote.
 */
function makeIndexItem(
  blocks: readonly Block[],
  name: FormItem,
  table: readonly ContentsRow[],
  headings: readonly Heading[],
): Item {
  const row = table.findLast(({ heading }) => heading.items.includes(name)) as ContentsRow;
  const { end, text, rest } = row.heading;
  const tableEnd = table.at(-1)?.heading.end ?? end;
  const next = headings.find(({ block }) => block >= end)?.block ?? end;
  const below = blocks.slice(end, Math.min(next, end + MAX_LINES_BELOW));
  const last = below.findIndex((block) => readPart(block) !== null || /^signatures?\b/i.test(block.text));
  const lines = last === -1 ? below : below.slice(0, last);
  const pages = row.pages.length > 0 ? row.pages : lines.flatMap((line) => readPages(line.text));
  const [mark] = /\([a-z]\)\W*$/.exec(rest) ?? [];
  const footnote = blocks
    .slice(tableEnd, tableEnd + MAX_BLOCKS_AFTER)
    .find(({ text }) => mark !== undefined && text.length <= MAX_FOOTNOTE_LENGTH && text.startsWith(mark.trim()));
  const pointer = footnote === undefined ? text : `${text}: ${footnote.text}`;
  return { ...makeUnproven(name), status: 'page_ranges', heading: text, pointer, pages };
}

/** Returns an item without bounds, evidence or text. */
const makeUnproven = ({ part, item, title }: ItemName): Item => ({
  ...{ part, item, title, status: 'refused', reason: null, start: null, end: null },
  ...{ startEvidence: [], endEvidence: [], heading: null, sharedWith: [], pointer: null, pages: [] },
});

/** The facts of a document with which ends of items are proven. */
interface Filing {
  readonly document: ReadingDocument;
  readonly formItems: readonly FormItem[];
  readonly starts: readonly Start[];
  /** All headings outside of contents. */
  readonly headings: readonly Heading[];
  /** The headings that may begin an item. */
  readonly body: readonly Heading[];
  /** The items in the contents; without contents, the items that the form requires. Empty for amendments. */
  readonly expected: readonly FormItem[];
}

/** Returns the blocks without headers and footers of pages, and without headings of parts. */
const listContent = ({ blocks, headersAndFooters }: ReadingDocument, from: number, until: number): Block[] =>
  blocks.slice(from, until).filter((block, at) => !headersAndFooters.has(from + at) && !PART_HEADING.test(block.text));

function makeItem(filing: Filing, start: Start): Item {
  const { name, heading, evidence } = start;
  const end = start.reason === null && heading !== null ? findEnd(filing, name, heading) : null;
  const reason = start.reason ?? end?.reason ?? null;
  const isProven = reason === null && heading !== null && end !== null;
  const sentences = isProven ? readPointer(listContent(filing.document, heading.end, end.place.block)) : null;
  // A list of exhibits is the text of its item, even if it says where each exhibit was filed.
  const pointer = /exhibits/i.test(name.title) && !/\bindex\b/i.test(sentences ?? '') ? null : sentences;
  return {
    ...makeUnproven(name),
    status: reason !== null ? 'refused' : pointer === null ? 'proven' : 'by_reference',
    reason,
    start: isProven ? { offset: heading.offset, block: heading.block } : null,
    end: isProven ? end.place : null,
    startEvidence: evidence,
    endEvidence: end?.evidence ?? [],
    heading: heading?.text ?? null,
    sharedWith: (heading?.items ?? []).filter((other) => other !== name).map((other) => other.item),
    pointer,
  };
}

/** Whether text follows the heading of Part II inside a section of Part I; null without such a heading. */
function hasPartTwo({ document }: Filing, { part }: FormItem, from: number, end: number): boolean | null {
  const isPartTwo = (block: Block): boolean => PART_HEADING.test(block.text) && readPart(block) === 'II';
  const at = document.blocks.findIndex((block, index) => index >= from && index < end && isPartTwo(block));
  if (part !== 'I' || at === -1) return null;
  return listContent(document, at, end).reduce((sum, { text }) => sum + text.length, 0) >= MIN_PART_TEXT;
}

/** Returns where a section ends: at the next heading, the signatures, or the end of the document. */
function findEnd(filing: Filing, name: FormItem, heading: Heading) {
  const { blocks, length } = filing.document;
  const [next] = filing.starts
    .filter((start) => start.heading !== null && start.heading.block > heading.block)
    .toSorted((a, b) => (a.heading?.block ?? 0) - (b.heading?.block ?? 0));
  const block = next?.heading?.block ?? findSignatures(blocks, heading.block);
  const offset = blocks[block]?.start ?? length;
  return {
    place: { offset, block },
    evidence: next?.evidence ?? [{ kind: 'end', offset, value: blocks[block]?.text ?? '' }],
    reason: findEndReason(filing, name, heading, next ?? null),
  };
}

/** Returns the index of the block with the signatures after a block; of the document's end if it has no signatures. */
function findSignatures(blocks: readonly Block[], block: number): number {
  const signatures = blocks.findIndex(
    ({ text }, index) => index > block && /^signatures?(?:pursuantto|$)/.test(squeeze(text.slice(0, 40))),
  );
  return signatures === -1 ? blocks.length : signatures;
}

/**
 * Returns the reason why the end of a section is not proven, or null. The next heading must have evidence, no expected
 * item may be missing before it, and no heading of another item may be inside the section.
 */
function findEndReason(filing: Filing, name: FormItem, heading: Heading, next: Start | null): Reason | null {
  const { document, formItems, starts, headings, body, expected } = filing;
  if (next !== null && next.reason !== null) return { code: 'end_unproven', next: next.name.item };
  const has = (other: FormItem): boolean =>
    starts.some((start) => start.name === other && start.heading !== null && start.reason === null);
  const nextIndex = next === null ? formItems.length : formItems.indexOf(next.name);
  const between = formItems.slice(formItems.indexOf(name) + 1, nextIndex);
  const end = next?.heading?.block ?? document.blocks.length;
  // Filers leave out items of Part II that do not apply: such items are not in the contents either.
  const partTwo = hasPartTwo(filing, name, heading.end, end);
  const isLeftOut = (other: FormItem): boolean =>
    other.part === 'II' && partTwo === false && starts.every((start) => start.name !== other);
  const isMissing = (other: FormItem): boolean =>
    between.includes(other) && !has(other) && (partTwo === true || (expected.includes(other) && !isLeftOut(other)));
  const leadsInside = (start: Start): boolean =>
    start.heading === null &&
    start.rows.some(({ target }) => target !== null && target > heading.block && target < end);
  const missing = formItems.find(isMissing) ?? starts.find(leadsInside)?.name;
  if (missing !== undefined) return { code: 'end_unproven', next: missing.item };
  // A title without a number or style counts only if its item has no other heading.
  const beginsOtherItem = (later: Heading): boolean =>
    later.hasNumber && body.includes(later)
      ? !later.items.includes(name)
      : later.hasTitle && later.items.some((item) => between.includes(item) && !has(item));
  const inside = headings.find((later) => later.block > heading.block && later.block < end && beginsOtherItem(later));
  if (inside === undefined) return null;
  return { code: 'heading_inside', item: inside.items[0]?.item ?? '', offset: inside.offset };
}

const MAX_POINTER_SECTION = 2_000;
const MAX_POINTER_LENGTH = 500;
/** Minimum fraction of a section's letters that are in sentences that name another place. */
const MIN_POINTER_FRACTION = 0.5;
/** A place with its number or name: "this report" alone names no place. */
const PLACE = [
  String.raw`\b(?:pages? [a-z]{0,2}-?\d|items? \d{1,2}[a-z.]?\b|items? \d\.\d\d|notes? (?:\d|[a-z]\b)|exhibits? (?:\d|to)|part i{1,3}v?\b`,
  'captions?|headings?|headed|titled|entitled|captioned|proxy statement|annual report to|news release|press release|index',
  String.raw`(?:our|the|its|\S{1,40}['\u2019]s?) (?:\d{4} |annual |quarterly ){0,3}(?:annual report|report on form|form 10-k)`,
  String.raw`statement schedules?|(?:financial|consolidated) statements)|\b(?:in|under|see|to) [\u201c"]`,
].join('|');
/** Phrases that name another place: "See …", "refer to …", "is set forth in …", "appearing on …". */
const POINTING = new RegExp(
  String.raw`(?:\b(?:see|refers?|reference is (?:hereby )?made|appears?|appearing|contains)|` +
    String.raw`(?:\b(?:is|are|was|were|be|been|being|factors|risks|those|information|disclosures?|discussion|matters|data|statements)(?: [\w,]+){0,2} |^)` +
    '(?:reported|set forth|included|contained|presented|found|discussed|described|provided|given|submitted|listed|located|disclosed|' +
    String.raw`furnished|attached|filed)(?: [\w(),]+){0,2}? (?:in|under|on|at|as|with|to|elsewhere|beginning|from))\b.{0,150}?(?:${PLACE})`,
  'i',
);
const INCORPORATED = new RegExp(String.raw`(?:${PLACE}).*\bincorporate|\bincorporate.*(?:${PLACE})`, 'i');
/** Sentences that only deny liability. They are ignored. */
const DISCLAIMER = /\bdeemed (?:to be )?(?:["\u201c]?filed|incorporated by reference in(?:to)? any)/i;
/** The end of a sentence. Initials and abbreviations do not end sentences, and "Inc." only before the listed words. */
const SENTENCE_END =
  /(?<=[.:;])(?<!(?:^|[^\w-])(?:[A-Z]|Nos?|Mrs?|Ms|Dr|St|(?:Item|Note) \w{1,3}|(?:Inc|Co|Corp|Ltd)(?!\. (?:An?|The|This|In|On|For|See|Our|We) ))\.) (?=[A-Z\u201c"(])/;

/**
 * Returns the sentences that name another place if they are at least half of a section (without its heading); else
 * null.
 */
export function readPointer(blocks: readonly Block[]): string | null {
  const text = blocks.map((block) => block.text).join(' ');
  const isTable = ({ kind, text }: Block): boolean => kind !== 'text' && /\w/.test(text.replaceAll('_', ''));
  if (text.length > MAX_POINTER_SECTION || blocks.some(isTable)) return null;
  const sentences = text.split(SENTENCE_END).filter((sentence) => !DISCLAIMER.test(sentence));
  const pointing = sentences.filter((sentence) => POINTING.test(sentence) || INCORPORATED.test(sentence));
  const pointer = pointing.join(' ');
  if (pointer === '' || pointer.length < sentences.join(' ').length * MIN_POINTER_FRACTION) return null;
  return pointer.length > MAX_POINTER_LENGTH ? `${pointer.slice(0, MAX_POINTER_LENGTH)}\u2026` : pointer;
}
