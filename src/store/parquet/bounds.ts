/**
 * Bounds of what a row group may declare. They grow with its stored bytes, so that a few forged bytes cannot fill the
 * memory; the largest row groups of full releases need a fifth of them.
 */

/** A row group as its index describes it. */
export interface RowGroupSize {
  readonly rows: number;
  /** Stored bytes of all its column chunks. */
  readonly bytes: number;
}

const MAX_ROW_GROUP_ROWS = 2 ** 20;
/** Maximum number of rows of a row group: a constant for any size, plus a number per stored byte. */
const ALWAYS_ALLOWED_ROWS = 65_536;
const MAX_ROWS_PER_BYTE = 4;

const MAX_CONTENT_BYTES = 128 * 1024 * 1024;
/**
 * Maximum number of unpacked bytes of the pages of a row group: a constant for any size, plus a number per stored
 * byte.
 */
const ALWAYS_ALLOWED_CONTENT_BYTES = 64 * 1024;
const MAX_CONTENT_BYTES_PER_BYTE = 64;

/** Returns the maximum number of unpacked bytes of a row group's pages. */
export const maxContentBytes = ({ bytes }: Pick<RowGroupSize, 'bytes'>): number =>
  Math.min(MAX_CONTENT_BYTES, ALWAYS_ALLOWED_CONTENT_BYTES + MAX_CONTENT_BYTES_PER_BYTE * bytes);

/** Returns the reason why a row group is invalid, as a sentence; null if it is valid. */
export function rowGroupFault({ rows, bytes }: RowGroupSize): string | null {
  if (rows === 0) return 'a row group has no rows';
  if (rows <= Math.min(MAX_ROW_GROUP_ROWS, ALWAYS_ALLOWED_ROWS + MAX_ROWS_PER_BYTE * bytes)) return null;
  return `a row group has ${rows} rows in ${bytes} bytes`;
}

/**
 * Maximum number of rows of a table that is read whole, and of cells of its columns: ten times those of all companies
 * that file with the SEC.
 */
const MAX_WHOLE_TABLE_ROWS = 2 ** 20;
const MAX_WHOLE_TABLE_CELLS = 2 ** 23;

/**
 * Returns the reason why a table cannot be read whole, as a sentence; null if it can.
 * @param columns number of columns that are read
 */
export function wholeTableFault(rows: number, columns: number): string | null {
  if (rows <= MAX_WHOLE_TABLE_ROWS && rows * columns <= MAX_WHOLE_TABLE_CELLS) return null;
  return `its ${rows} rows of ${columns} columns are too large to read`;
}
