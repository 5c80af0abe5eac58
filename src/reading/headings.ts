/** Reads headings of items: `Item`, a number and a statutory title, whatever the spacing. */
import { computeEditDistance } from '../contract/nearest.ts';
import type { Block } from './block.ts';
import { type FormItem, squeeze } from './item-names.ts';

export interface Heading {
  /** Index of the first block. */
  readonly block: number;
  /** Index of the block after the heading. */
  readonly end: number;
  /** Offset in the source. */
  readonly offset: number;
  /** The printed page; null if unknown. */
  readonly page: string | null;
  /** The items; several for "Items 1 and 2". */
  readonly items: readonly FormItem[];
  readonly text: string;
  /** The text after the title, such as the page in a table of contents. */
  readonly rest: string;
  readonly hasNumber: boolean;
  readonly hasTitle: boolean;
  /** Whether no prose follows in the block. */
  readonly isAlone: boolean;
  /** Whether its letters are bold, underlined or capital. */
  readonly hasStyle: boolean;
}

/** The items that the beginning of a text names. */
interface Reading {
  readonly items: readonly FormItem[];
  /** Number of letters that name the items. */
  readonly used: number;
  readonly hasTitle: boolean;
}

const MAX_HEADING_LENGTH = 400;
const MAX_PART_LENGTH = 120;
/** Number of letters of a title that must agree; filers shorten and extend the rest of a title. */
const TITLE_LETTERS = 16;
const MIN_FUZZY_LETTERS = 10;
const MAX_TYPING_ERRORS = 2;
/** Numbers of letters to skip in the text and in the title after a typing error. */
const SKIPS = [
  [1, 0],
  [0, 1],
  [1, 1],
] as const;
/** Number of letters that must agree after a typing error. */
const MIN_AGREEING = 6;
/** Maximum number of letters after the title of a heading without style. */
const MAX_EXTRA = 45;
/** Maximum number of letters after the title of a heading with style. */
const MAX_STYLED_EXTRA = 100;
const MAX_NUMBERS = 8;
/** Minimum fraction of a block's letters that belong to its title, if the title has no number. */
const MIN_BARE_FRACTION = 0.4;
const MIN_BARE_LETTERS = 14;
/** Minimum number of letters of a company's name before a title. */
const MIN_SKIPPED = 3;
/** Maximum number of letters of a company's name before a title. */
const MAX_SKIPPED = 30;

/** The beginning of a heading, which has no quotation mark. */
const BEGINNING = /^[^a-z0-9"\u201c'\u2018]*[a-z0-9]/i;
/** The beginning of a heading with a number. Long blocks begin with such a heading only. */
const NUMBERED = /^[^a-z0-9"\u201c'\u2018]*(?:p\s*a\s*r\s*t|i\s*t\s*e\s*m|\d)/i;
/** A word after which a title continues in the next block. */
const TITLE_BREAK =
  /(?:,|\b(?:accountants|accounting|and|certain|equity|financial|for|in|market|of|on|related|the|to|with))$/i;

/** Returns the part (`II`) whose heading is at the beginning of a short block; null without such a heading. */
export function readPart({ text }: Block): string | null {
  const match = /^\W*part\s+(i{1,3}|iv)\b/i.exec(text.length > MAX_PART_LENGTH ? '' : text);
  return match?.[1]?.toUpperCase() ?? null;
}

const mayBegin = ({ text }: Block): boolean => (text.length > MAX_HEADING_LENGTH ? NUMBERED : BEGINNING).test(text);

/**
 * Returns the heading that begins at a block, or null. `part` is the nearest part above, by which items of 10-Qs
 * differ.
 */
export function readHeading(
  blocks: readonly Block[],
  index: number,
  items: readonly FormItem[],
  part: string | null,
): Heading | null {
  const block = blocks[index];
  if (block === undefined || !mayBegin(block)) return null;
  const text = block.text.slice(0, MAX_HEADING_LENGTH);
  const letters = squeeze(text);
  const prefix = /^(?:part(?:iv|iii|ii|i))?items?/.exec(letters)?.[0] ?? '';
  const reading =
    prefix === ''
      ? readBareTitle(text, letters, items)
      : (readNumbers(letters, prefix.length, items, []) ?? readUntitled(text, letters, items));
  if (reading === null) return null;
  const next = blocks[index + 1];
  const ending = reading.hasTitle || reading.used < letters.length ? null : findTitle(next, reading.items);
  const title = ending?.block ?? block;
  const second = ending !== null || (reading.hasTitle && continuesTitle(text, next)) ? next : undefined;
  const cut = findOffsetAfter(title.text, ending?.used ?? reading.used);
  const extra = squeeze(title.text.slice(cut)).length;
  const hasStyle = title.strong >= cut - 2 || isCapital(title.text.slice(0, cut));
  return {
    block: index,
    end: index + (second === undefined ? 1 : 2),
    offset: block.start,
    page: block.page,
    items: choosePart(reading.items, part),
    text: second === undefined ? block.text : `${block.text} ${second.text}`,
    rest: title.text.slice(cut),
    hasNumber: prefix !== '' || /^\d/.test(letters),
    hasTitle: ending !== null || reading.hasTitle,
    isAlone:
      title.strong >= title.text.length ||
      (extra <= (hasStyle ? MAX_STYLED_EXTRA : MAX_EXTRA) &&
        (hasStyle || extra === 0 || !/^[\u201d"\u2019']?,? (?:[a-z]|Form|Part|Item)/.test(title.text.slice(cut)))),
    hasStyle,
  };
}

const isCapital = (text: string): boolean => text === text.toUpperCase() && /[A-Z]/.test(text);

/** Returns the offset in the text after the first `count` letters and digits. */
function findOffsetAfter(text: string, count: number): number {
  let remainder = count;
  for (let at = 0; at < text.length; at++) {
    if (remainder === 0) return at;
    if (/[a-z0-9]/i.test(text.charAt(at))) remainder--;
  }
  return text.length;
}

/** Reads one or several numbers from an offset in the letters (`1and2`, `10through14`), and the title after them. */
function readNumbers(
  letters: string,
  at: number,
  items: readonly FormItem[],
  before: readonly FormItem[],
): Reading | null {
  if (before.length === MAX_NUMBERS) return null;
  const last = before.at(-1);
  const lastIndex = last === undefined ? -1 : items.indexOf(last);
  // Only a running header names items of two parts.
  const readings = items
    .slice(lastIndex + 1)
    .filter(({ item, part }) => item[0] === letters[at] && (last === undefined || part === last.part))
    .flatMap((name) => listNumbers(name.item).map((number) => ({ name, number })))
    .filter(({ number }) => letters.startsWith(number, at))
    .flatMap(({ name, number }) => {
      const end = at + number.length;
      const rest = letters.slice(end);
      const named = [...before, name];
      const used = matchTitle(rest, named);
      if (used > 0 || rest === '')
        return [{ items: resolveParts(items, named, rest), used: end + used, hasTitle: used > 0 }];
      const next = /^(?:and|through|thru|to)?(?:items?)?(?=\d)/.exec(rest)?.[0];
      const reading = next === undefined ? null : readNumbers(letters, end + next.length, items, named);
      return reading === null ? [] : [reading];
    });
  return readings.toSorted((a, b) => b.used - a.used || a.items.length - b.items.length)[0] ?? null;
}

/** Returns an item's number with the suffixes that filers write: `9A(T)`, and paragraphs of 8-K items (`5.02(e)`). */
const listNumbers = (item: string): string[] => {
  const suffixes = /^[89]A$/.test(item) ? ['t'] : item.includes('.') ? ['a', 'b', 'c', 'd', 'e'] : [];
  return ['', ...suffixes].map((suffix) => squeeze(item) + suffix);
};

/** Returns the items found. If both parts of a 10-Q have the number, the title decides; without a title, both. */
function resolveParts(items: readonly FormItem[], named: readonly FormItem[], title: string): FormItem[] {
  const [only] = named;
  if (named.length > 1 || only === undefined) return [...named];
  const same = items.filter(({ item }) => item === only.item);
  const titled = same.filter((name) => matchTitle(title, [name]) > 0);
  return titled.length > 0 ? titled : same;
}

/** Returns the number of letters that agree with a title of the items, typing errors included; 0 if no title agrees. */
function matchTitle(letters: string, items: readonly FormItem[]): number {
  const titles = items.flatMap(({ titles }) => titles).filter((title) => beginsWithTitle(letters, title));
  return Math.max(0, ...titles.map((title) => countEqual(letters, title)));
}

function beginsWithTitle(letters: string, title: string): boolean {
  if (letters[0] !== title[0]) return false;
  const key = title.slice(0, TITLE_LETTERS);
  if (letters.startsWith(key)) return true;
  const text = letters.slice(0, key.length);
  return key.length >= MIN_FUZZY_LETTERS && computeEditDistance(text, key, MAX_TYPING_ERRORS) <= MAX_TYPING_ERRORS;
}

/**
 * Returns the number of letters of the text that agree with the title. The first letters were compared before, with
 * tolerance. A letter more or less is a typing error.
 */
function countEqual(text: string, title: string): number {
  let at = Math.min(TITLE_LETTERS, text.length, title.length);
  let titleAt = at;
  for (let errors = 0; at < text.length && titleAt < title.length; ) {
    if (text[at] === title[titleAt]) {
      at++;
      titleAt++;
      continue;
    }
    const agrees = (skipText: number, skipTitle: number): boolean =>
      title.startsWith(text.slice(at + skipText, at + skipText + MIN_AGREEING), titleAt + skipTitle) &&
      at + skipText + MIN_AGREEING <= text.length;
    const skip =
      ++errors > MAX_TYPING_ERRORS ? undefined : SKIPS.find(([skipText, skipTitle]) => agrees(skipText, skipTitle));
    if (skip === undefined) break;
    at += skip[0];
    titleAt += skip[1];
  }
  return at;
}

/** Reads a number before a title that no form has ("Item 6. Not used"), or that begins with the company's name. */
function readUntitled(text: string, letters: string, items: readonly FormItem[]): Reading | null {
  const [prefix, number] =
    /^\W*(?:part \w{1,3}\W{1,3})?items?\W{0,3}(\d{1,2}[a-k]?(?:\.\d\d)?)\b(?! ?\()/i.exec(text) ?? [];
  const same = items.filter(({ item }) => item === number?.toUpperCase());
  if (prefix === undefined || same.length === 0) return null;
  const used = squeeze(prefix).length;
  for (let skipped = MIN_SKIPPED; skipped <= MAX_SKIPPED; skipped++) {
    const length = matchTitle(letters.slice(used + skipped), same);
    if (length >= TITLE_LETTERS) return { items: same, used: used + skipped + length, hasTitle: true };
  }
  return { items: same, used, hasTitle: false };
}

/**
 * Reads a title without "Item": after a bare number (`1A. Risk Factors`), or a statutory title that is most of the
 * block.
 */
function readBareTitle(text: string, letters: string, items: readonly FormItem[]): Reading | null {
  if (/^\d/.test(letters)) {
    const reading = readNumbers(letters, 0, items, []);
    return reading?.hasTitle === true && /^\W*\d{1,2}[a-k]?[.:\s)]/i.test(text) ? reading : null;
  }
  const titled = items.filter(
    ({ titles: [title = ''] }) =>
      title === letters ||
      (title.length >= MIN_BARE_LETTERS &&
        letters.startsWith(title) &&
        title.length >= letters.length * MIN_BARE_FRACTION),
  );
  return titled.length === 0 ? null : { items: titled, used: matchTitle(letters, titled), hasTitle: true };
}

/** Returns the block with the title after a block that has only an item's number; `used` letters of it agree. */
function findTitle(block: Block | undefined, items: readonly FormItem[]): { block: Block; used: number } | null {
  const used = block === undefined ? 0 : matchTitle(squeeze(block.text.slice(0, MAX_HEADING_LENGTH)), items);
  return block === undefined || used === 0 ? null : { block, used };
}

/** Whether the next line completes a title ("… FINANCIAL CONDITION AND", "RESULTS"). */
const continuesTitle = (text: string, next: Block | undefined): boolean =>
  next !== undefined &&
  next.text.length < MAX_EXTRA * 2 &&
  (TITLE_BREAK.test(text) || /^(?:and|of|on|or) /i.test(next.text)) &&
  !/[.:]$|^\W*(?:items?|part) /i.test(next.text);

/** Returns the items of the part if the items are of several parts. */
function choosePart(items: readonly FormItem[], part: string | null): readonly FormItem[] {
  const isTwice = new Set(items.map(({ item }) => item)).size < items.length;
  const inPart = items.filter((name) => name.part === part);
  return isTwice && inPart.length > 0 ? inPart : items;
}
