/**
 * Limits the rows and unpacked bytes that a row group may have for its stored bytes, so that a small forged file cannot
 * fill the memory. Real row groups stay below a fifth of the limits.
 */

/** Declared size of a row group, from the table's index. */
export interface RowGroupSize {
  readonly rows: number;
  /** Stored bytes of all column chunks together. */
  readonly bytes: number;
}

const MAX_ROW_GROUP_ROWS = 2 ** 20;
/** A row group may have this number of rows, plus MAX_ROWS_PER_BYTE rows for each stored byte. */
const ALWAYS_ALLOWED_ROWS = 65_536;
const MAX_ROWS_PER_BYTE = 4;

const MAX_CONTENT_BYTES = 128 * 1024 * 1024;
/**
 * The pages of a row group may have this number of unpacked bytes, plus MAX_CONTENT_BYTES_PER_BYTE for each stored
 * byte.
 */
const ALWAYS_ALLOWED_CONTENT_BYTES = 64 * 1024;
const MAX_CONTENT_BYTES_PER_BYTE = 64;

/** Returns the maximum number of unpacked bytes of all pages of a row group. */
export const computeMaxContentBytes = ({ bytes }: Pick<RowGroupSize, 'bytes'>): number =>
  Math.min(MAX_CONTENT_BYTES, ALWAYS_ALLOWED_CONTENT_BYTES + MAX_CONTENT_BYTES_PER_BYTE * bytes);

/** Returns why a row group is invalid, as a sentence; null if valid. */
export function findRowGroupFault({ rows, bytes }: RowGroupSize): string | null {
  if (rows === 0) return 'a row group has no rows';
  if (rows <= Math.min(MAX_ROW_GROUP_ROWS, ALWAYS_ALLOWED_ROWS + MAX_ROWS_PER_BYTE * bytes)) return null;
  return `a row group states ${rows} rows in ${bytes} bytes, too many for its size`;
}

/** Limits for tables that are read completely: ten times the rows and cells that a release of all SEC filers needs. */
const MAX_WHOLE_TABLE_ROWS = 2 ** 20;
const MAX_WHOLE_TABLE_CELLS = 2 ** 23;

/**
 * Returns a sentence that explains why the table is too large to be read completely; null if the table is small enough.
 * @param columns number of columns to read
 */
export function findWholeTableFault(rowCount: number, columns: number): string | null {
  if (rowCount <= MAX_WHOLE_TABLE_ROWS && rowCount * columns <= MAX_WHOLE_TABLE_CELLS) return null;
  return `it has ${rowCount} rows of ${columns} columns, too many to read`;
}
