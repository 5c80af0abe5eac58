/** Table of the names of segments and products in companies' reports, by word, to find companies by their brands. */
import { CIK_COLUMN, defineTable, integer, text, textOrNull } from './table.ts';

export interface BrandRow {
  /** The key of `word`, as returned by `makePrefixKey`. */
  readonly prefix: number;
  /**
   * If `brand` is set: a word of the brand that few companies use, or the brand's first two words joined. If `brand` is
   * null: a common word that is the beginning of other words in the table.
   */
  readonly word: string;
  /** Name of the segment or product; null if `word` is a common word. */
  readonly brand: string | null;
  /** 0 if `brand` is null. */
  readonly cik: number;
}

/** Minimum length of a stored word. A search for one or two letters would find too many words. */
export const MIN_BRAND_LENGTH = 3;

/** Number of rows in a row group. Small, because a search needs only the words with one prefix. */
const GROUP_ROWS = 1024;

/** Sorted by the word's prefix key, then CIK; the brands of a company are in the order of its segments. */
export const BRANDS = defineTable<BrandRow>()({
  name: 'brands',
  key: 'prefix',
  groupRows: GROUP_ROWS,
  columns: [integer('prefix'), text('word'), textOrNull('brand'), CIK_COLUMN],
});
