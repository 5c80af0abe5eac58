/** Makes the table of brands: segments and products whose names have words that few companies use. */
import { compareText } from '../../contract/compare-text.ts';
import { splitNameIntoWords } from '../../contract/identifiers.ts';
import type { RawConceptSummary } from '../../edgar/facts/company-facts.ts';
import { isItemOfMember } from '../../figures/segments/axes.ts';
import { getOrInsert } from '../../platform/collections.ts';
import { type BrandRow, MIN_BRAND_LENGTH, makePrefixKey } from '../../store/schema/listings.ts';
import type { SegmentRow } from '../../store/schema/segments.ts';

/** Names of the XBRL members by which a company divides its figures: segments, products and regions. */
export interface MemberNames {
  /** Distinct labels of the company's own segments and products, in the order of its segments. */
  readonly labels: readonly string[];
  /**
   * Words that identify no brand, because they occur in names of regions, of standard members, or of standard concepts.
   */
  readonly commonWords: readonly string[];
}

export const NO_MEMBER_NAMES: MemberNames = { labels: [], commonWords: [] };

/** Taxonomies whose members and concepts are the same for all companies. */
const STANDARD_TAXONOMIES: ReadonlySet<string> = new Set([
  ...['us-gaap', 'ifrs-full', 'srt', 'dei', 'ecd', 'invest'],
  ...['country', 'currency', 'exch', 'naics', 'sic', 'stpr'],
]);

const isStandardMember = (member: string): boolean => STANDARD_TAXONOMIES.has(member.slice(0, member.indexOf(':')));

/**
 * Returns the names of a company's members.
 * @param rows segments of one company
 * @param concepts concepts that the company uses
 */
export function collectMemberNames(
  rows: readonly SegmentRow[],
  concepts: readonly Pick<RawConceptSummary, 'taxonomy' | 'concept'>[],
): MemberNames {
  const labels = new Set<string>();
  const commonWords = new Set<string>();
  for (const { axis, member, label, role } of rows) {
    if (member === null || label === null || role === 'reconciling' || isItemOfMember(member)) continue;
    if (axis !== 'geography' && !isStandardMember(member)) labels.add(label);
    else for (const word of splitNameIntoWords(label)) commonWords.add(word);
  }
  if (labels.size === 0) return { labels: [], commonWords: [...commonWords] };
  const words = new Set([...labels].flatMap((label) => splitNameIntoWords(label)));
  for (const { taxonomy, concept } of concepts) {
    if (!STANDARD_TAXONOMIES.has(taxonomy)) continue;
    for (const word of splitNameIntoWords(concept.replace(/(?<=[a-z\d])(?=[A-Z])/g, ' '))) {
      if (words.has(word)) commonWords.add(word);
    }
  }
  return { labels: [...labels], commonWords: [...commonWords] };
}

interface NamedCompany {
  readonly cik: number;
  readonly entityName: string;
  readonly memberNames: MemberNames;
}

/**
 * A word used by more companies than this, in their own names or in names of their segments and products, identifies no
 * brand.
 */
const MAX_COMPANIES_PER_WORD = 3;

/**
 * Returns a row for each distinctive word of a company's segments and products. Also returns a row without a brand for
 * each common word that is the beginning of a distinctive word.
 */
export function makeBrandRows(companies: readonly NamedCompany[]): BrandRow[] {
  const words = findCommonWords(companies);
  const rare = (word: string): boolean => word.length >= MIN_BRAND_LENGTH && /\p{L}/u.test(word) && !words.has(word);
  const rows = companies.flatMap(({ cik, memberNames }) =>
    memberNames.labels.flatMap((brand) =>
      listSearchWords(brand, rare).map((word) => ({ prefix: makePrefixKey(word), word, brand, cik })),
    ),
  );
  const prefixes = new Set(rows.flatMap(({ word }) => listPrefixes(word).filter((prefix) => words.has(prefix))));
  const commonRows = [...prefixes]
    .sort(compareText)
    .map((word) => ({ prefix: makePrefixKey(word), word, brand: null, cik: 0 }));
  return [...commonRows, ...rows].sort((a, b) => a.prefix - b.prefix || a.cik - b.cik);
}

function findCommonWords(companies: readonly NamedCompany[]): ReadonlySet<string> {
  const byWord = new Map<string, Set<number>>();
  for (const { cik, entityName, memberNames } of companies) {
    for (const word of [entityName, ...memberNames.labels].flatMap((label) => splitNameIntoWords(label)))
      getOrInsert(byWord, word, () => new Set()).add(cik);
  }
  const frequent = [...byWord].filter(([, ciks]) => ciks.size > MAX_COMPANIES_PER_WORD).map(([word]) => word);
  return new Set([...frequent, ...companies.flatMap(({ memberNames }) => memberNames.commonWords)]);
}

/** Returns the prefixes of a word that are long enough to be searched for, without the whole word. */
const listPrefixes = (word: string): string[] =>
  Array.from({ length: Math.max(0, word.length - MIN_BRAND_LENGTH) }, (_, index) =>
    word.slice(0, MIN_BRAND_LENGTH + index),
  );

/**
 * Returns the distinctive words of a name. If the first word is distinctive, also returns the first two words joined,
 * because labels made from names of members may split a brand: You Tube.
 */
function listSearchWords(brand: string, isRare: (word: string) => boolean): string[] {
  const words = splitNameIntoWords(brand);
  const [first, second] = words;
  const joined = first !== undefined && second !== undefined && isRare(first) ? [first + second] : [];
  return [...new Set([...words.filter(isRare), ...joined])];
}
