/** Table of the names of segments and products in companies' reports, by word, to find companies by their brands. */

import { integer, text, textOrNull } from './columns.ts';
import { CIK_COLUMN, declareTable, type RowOf } from './declare-table.ts';
/** Minimum length of a stored word. A search for one or two letters would find too many words. */
export const MIN_BRAND_LENGTH = 3;

/** Number of rows in a row group. Small, because a search needs only the words with one prefix. */
const GROUP_ROWS = 1024;

/** Sorted by the word's prefix key, then CIK; the brands of a company are in the order of its segments. */
export const BRANDS = declareTable({
  name: 'brands',
  key: 'prefix',
  groupRows: GROUP_ROWS,
  columns: [integer('prefix'), text('word'), textOrNull('brand'), CIK_COLUMN],
});

export type BrandRow = RowOf<typeof BRANDS>;
