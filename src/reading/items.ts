/** The items of a filing's document. The bounds of each are proven by evidence, or the item is refused. */
import type { Block } from './block.ts';
import { type ContentsRow, findContents, isMarked, type PageRange } from './contents.ts';
import type { ReadingDocument } from './document.ts';
import { type Evidence, type Mentions, proveStarts, type Reason, type Start } from './evidence.ts';
import { type Heading, readHeading, readPart } from './headings.ts';
import { type FormItem, type ItemName, itemNames, squeeze } from './item-names.ts';
import { readPointer } from './pointers.ts';
import { dropRepetitions } from './repetitions.ts';

export type { PageRange } from './contents.ts';
export type { Evidence, Reason } from './evidence.ts';

export interface Item extends ItemName {
  /**
   * `proven`: both bounds have evidence. `by_reference`: so have they, but the section only names another place (`pointer`).
   * `page_ranges`: a cross-reference index names pages (`pages`). `refused`: not proven (`reason`).
   */
  readonly status: 'proven' | 'by_reference' | 'page_ranges' | 'refused';
  /** Why the item is refused; null for other states. */
  readonly reason: Reason | null;
  /** Bounds of the section: the heading's start, and the next heading's start. Null if unknown. */
  readonly start: Place | null;
  readonly end: Place | null;
  readonly startEvidence: readonly Evidence[];
  readonly endEvidence: readonly Evidence[];
  /** The heading as filed. */
  readonly heading: string | null;
  /** Other items under the same heading: `2` for "Items 1 and 2. Business and Properties". */
  readonly sharedWith: readonly string[];
  /** The text that names the other place. */
  readonly pointer: string | null;
  /** Ranges of printed pages. */
  readonly pages: readonly PageRange[];
}

export interface Place {
  /** Offset in the source. */
  readonly offset: number;
  /** Index of the block; for an end, of the first block after the section. */
  readonly block: number;
}

/** Share of listed items that must have a heading; with fewer, the list is a cross-reference index. */
const MIN_HEADINGS_SHARE = 0.34;

/**
 * Returns the items that a document lists in its contents or has headings of, in the form's order. `day` (YYYY-MM-DD) is
 * the period's end or the day of filing. Empty if the form has no items or the document names none.
 */
export function findItems(document: ReadingDocument, form: string, day: string): Item[] {
  const { blocks } = document;
  const names = itemNames(form, day);
  const headings = readHeadings(blocks, names);
  const contents = findContents(blocks, headings, names);
  const body = dropRepetitions(
    blocks,
    headings.filter((heading) => isPlausible(heading) && !contents.some((rows) => isWithin(rows, heading.block))),
  );
  const items = names
    .map(
      (name): Mentions => ({
        name,
        rows: contents.flat().filter((row) => row.heading.names.includes(name)),
        headings: body.filter((heading) => heading.names.includes(name)),
      }),
    )
    .filter(({ rows, headings }) => rows.some(isMarked) || headings.some(({ hasNumber }) => hasNumber));
  const listed = items.filter(({ rows }) => rows.length > 0);
  const found = listed.filter(({ headings }) => headings.some(({ hasNumber }) => hasNumber));
  if (listed.length > 0 && found.length < listed.length * MIN_HEADINGS_SHARE)
    return listed.map(({ name, rows }) => makeIndexItem(name, rows));
  const starts = proveStarts(blocks, items);
  const expected = form.endsWith('/A')
    ? []
    : contents.length === 0
      ? names.filter(({ isOptional }) => !isOptional)
      : listed.map(({ name }) => name);
  const filing = { document, names, starts, body, expected };
  return starts.map((start) => makeItem(filing, start));
}

function readHeadings(blocks: readonly Block[], names: readonly FormItem[]): Heading[] {
  const headings: Heading[] = [];
  let part: string | null = null;
  let end = 0;
  for (const [index, block] of blocks.entries()) {
    part = readPart(block) ?? part;
    const heading = index < end ? null : readHeading(blocks, index, names, part);
    if (heading === null) continue;
    headings.push(heading);
    end = heading.end;
  }
  return headings;
}

const isWithin = (rows: readonly ContentsRow[], block: number): boolean =>
  block >= (rows[0]?.heading.block ?? 0) && block <= (rows.at(-1)?.heading.block ?? 0);

const isPlausible = ({ isAlone, hasTitle, hasNumber, hasStyle }: Heading): boolean =>
  isAlone && (hasTitle ? hasNumber || hasStyle : hasStyle);

const makeIndexItem = (name: ItemName, rows: readonly ContentsRow[]): Item => {
  const row = rows.at(-1);
  const text = row?.heading.text ?? null;
  return { ...makeUnproven(name), status: 'page_ranges', heading: text, pointer: text, pages: row?.pages ?? [] };
};

/** An item without bounds, evidence or text. */
const makeUnproven = ({ part, item, title }: ItemName): Item => ({
  ...{ part, item, title, status: 'refused', reason: null, start: null, end: null },
  ...{ startEvidence: [], endEvidence: [], heading: null, sharedWith: [], pointer: null, pages: [] },
});

/** Facts by which the ends of all items are proven. */
interface Filing {
  readonly document: ReadingDocument;
  readonly names: readonly FormItem[];
  readonly starts: readonly Start[];
  readonly body: readonly Heading[];
  /** The items that the contents list; without contents, those that the form requires; none of an amendment. */
  readonly expected: readonly FormItem[];
}

/** Returns blocks without headers and footers of pages. */
const contentOf = ({ blocks, furniture }: ReadingDocument, from: number, until: number): Block[] =>
  blocks.slice(from, until).filter((_, index) => !furniture.has(from + index));

function makeItem(filing: Filing, start: Start): Item {
  const { name, heading, evidence } = start;
  const end = start.reason === null && heading !== null ? findEnd(filing, name, heading) : null;
  const reason = start.reason ?? end?.reason ?? null;
  const isProven = reason === null && heading !== null && end !== null;
  const pointer = isProven ? readPointer(contentOf(filing.document, heading.end, end.place.block)) : null;
  return {
    ...makeUnproven(name),
    status: reason !== null ? 'refused' : pointer === null ? 'proven' : 'by_reference',
    reason,
    start: isProven ? { offset: heading.offset, block: heading.block } : null,
    end: isProven ? end.place : null,
    startEvidence: evidence,
    endEvidence: end?.evidence ?? [],
    heading: heading?.text ?? null,
    sharedWith: (heading?.names ?? []).filter((other) => other !== name).map((other) => other.item),
    pointer,
  };
}

interface End {
  readonly place: Place;
  readonly evidence: readonly Evidence[];
  readonly reason: Reason | null;
}

/** Returns where a section ends: at the next heading, the signatures, or the end of the document. */
function findEnd(filing: Filing, name: FormItem, heading: Heading): End {
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

/** Returns the block with the signatures after a block; the end of the document without one. */
function findSignatures(blocks: readonly Block[], after: number): number {
  const found = blocks.findIndex(
    ({ text }, index) => index > after && /^signatures?$/.test(squeeze(text.slice(0, 40))),
  );
  return found === -1 ? blocks.length : found;
}

/** The next heading must be proven, no expected item may be missing before it, and no other item's heading inside. */
function findEndReason(
  { document, names, starts, body, expected }: Filing,
  name: FormItem,
  heading: Heading,
  next: Start | null,
): Reason | null {
  if (next !== null && next.reason !== null) return { code: 'end_unproven', next: next.name.item };
  const has = (other: FormItem): boolean => starts.some((start) => start.name === other && start.heading !== null);
  const between = names.slice(names.indexOf(name) + 1, next === null ? names.length : names.indexOf(next.name));
  const end = next?.heading?.block ?? document.blocks.length;
  const isMissing = (other: FormItem): boolean => between.includes(other) && expected.includes(other) && !has(other);
  const leadsInside = ({ heading: own, rows }: Start): boolean =>
    own === null && rows.some(({ target }) => target !== null && target > heading.block && target < end);
  const missing = names.find(isMissing) ?? starts.find(leadsInside)?.name;
  if (missing !== undefined) return { code: 'end_unproven', next: missing.item };
  const inside = body.find(
    ({ block, hasNumber, names }) => block > heading.block && block < end && hasNumber && !names.includes(name),
  );
  if (inside === undefined) return null;
  return { code: 'heading_inside', item: inside.names[0]?.item ?? '', offset: inside.offset };
}
