/** Encoded rows of a table, from a worker or an earlier build, which the main thread appends to the table's file. */
import { assertDefined } from '../platform/assert-defined.ts';
import { DEFAULT_GROUP_ROWS, type EncodedRowGroup, encodeRowGroup } from './parquet/write/row-group.ts';
import type { Cell } from './schema/columns.ts';
import { CIK_COLUMN, requireKey, type Table, toColumns } from './schema/declare-table.ts';

export interface TablePart {
  readonly table: string;
  readonly rows: number;
  readonly firstKey: number;
  readonly lastKey: number;
  readonly groups: readonly EncodedRowGroup[];
  /**
   * The rows after `groups`, which are too few for a row group and thus not encoded. `columns` has their cells, `keys`
   * their keys.
   */
  readonly remainingRows: { readonly columns: readonly (readonly Cell[])[]; readonly keys: readonly number[] };
}

/** Collects the rows of complete keys until they fill a row group. */
export class RowGroupBuffer {
  readonly #table: Table;
  /** For each column, one array of cells per call of `add`. */
  #columns: (readonly Cell[])[][];
  #keys: number[] = [];
  rows = 0;

  constructor(table: Table) {
    this.#table = table;
    this.#columns = table.columns.map(() => []);
  }

  add(keys: readonly number[], columns: readonly (readonly Cell[])[]): void {
    for (const [index, cells] of columns.entries()) this.#columns[index]?.push(cells);
    for (const key of keys) this.#keys.push(key);
    this.rows += columns[0]?.length ?? 0;
  }

  /** Returns the collected rows and empties the buffer. */
  takeRows(): TablePart['remainingRows'] {
    // Array.prototype.flat would copy cell by cell, which takes twenty times as long.
    const empty: Cell[] = [];
    const joined = this.#columns.map((arrays) =>
      arrays.length === 1 ? assertDefined(arrays[0]) : empty.concat(...arrays),
    );
    const takenRows = { columns: joined, keys: this.#keys };
    this.#columns = this.#table.columns.map(() => []);
    this.#keys = [];
    this.rows = 0;
    return takenRows;
  }

  encode(): EncodedRowGroup {
    const { columns, keys } = this.takeRows();
    return encodeRowGroup(this.#table, columns, this.#table.key === null ? [] : keys);
  }
}

/** Encodes a part of a table, key by key. */
export class PartSink<Row> {
  readonly #table: Table<Row>;
  readonly #buffer: RowGroupBuffer;
  readonly #groups: EncodedRowGroup[] = [];
  readonly #rowsPerGroup: number;
  #firstKey: number | null = null;
  #lastKey = -1;
  #rowCount = 0;

  constructor(table: Table<Row>) {
    this.#table = table;
    this.#buffer = new RowGroupBuffer(table);
    this.#rowsPerGroup = table.groupRows ?? DEFAULT_GROUP_ROWS;
  }

  /** Adds all rows of one key, in the table's order; a key `cik` need not be in the rows. Keys must be ascending. */
  add(key: number, rows: readonly Omit<Row, 'cik'>[]): void {
    if (rows.length === 0) return;
    const cik = this.#table.key === CIK_COLUMN.field ? key : undefined;
    this.#addToBuffer([key], toColumns(this.#table, rows as readonly Row[], cik));
  }

  /**
   * Adds all rows of several keys, in the table's order. Equal to `add` for each key, but several times faster if keys
   * have few rows.
   */
  addSorted(rows: readonly Row[]): void {
    const keys = rows.map((row) => requireKey(this.#table, row));
    for (let startRow = 0; startRow < rows.length; ) {
      let endRow = Math.min(startRow + this.#rowsPerGroup - this.#buffer.rows, rows.length);
      while (endRow < rows.length && keys[endRow] === keys[endRow - 1]) endRow += 1;
      const distinct = keys.slice(startRow, endRow).filter((key, index, rangeKeys) => key !== rangeKeys[index - 1]);
      this.#addToBuffer(distinct, toColumns(this.#table, rows.slice(startRow, endRow)));
      startRow = endRow;
    }
  }

  /** Ends the row group. Later rows are in another row group, even rows with the same key. */
  endGroup(): void {
    if (this.#buffer.rows > 0) this.#finishGroup();
  }

  /**
   * Returns the encoded part.
   * @param options.encodesAllRows whether to encode the last rows as a row group even if they are few
   */
  finish({ encodesAllRows }: { readonly encodesAllRows: boolean } = { encodesAllRows: false }): TablePart {
    if (this.#buffer.rows > 0 && (encodesAllRows || this.#buffer.rows * 2 >= this.#rowsPerGroup)) this.#finishGroup();
    return {
      table: this.#table.name,
      rows: this.#rowCount,
      firstKey: this.#firstKey ?? this.#lastKey,
      lastKey: this.#lastKey,
      groups: this.#groups,
      remainingRows: this.#buffer.takeRows(),
    };
  }

  #addToBuffer(keys: readonly number[], columns: readonly (readonly Cell[])[]): void {
    for (const key of keys) {
      if (key < this.#lastKey || (key === this.#lastKey && this.#buffer.rows > 0))
        throw new RangeError(`${this.#table.name}: the rows of key ${key} came after those of key ${this.#lastKey}`);
      this.#firstKey ??= key;
      this.#lastKey = key;
    }
    this.#rowCount += columns[0]?.length ?? 0;
    this.#buffer.add(keys, columns);
    if (this.#buffer.rows >= this.#rowsPerGroup) this.#finishGroup();
  }

  #finishGroup(): void {
    this.#groups.push(this.#buffer.encode());
  }
}

export function encodePart<Row>(table: Table<Row>, key: number, rows: readonly Omit<Row, 'cik'>[]): TablePart {
  const sink = new PartSink(table);
  sink.add(key, rows);
  return sink.finish();
}

/** All rows of a table, encoded as row groups. */
export interface WholeTable {
  readonly table: Table;
  readonly groups: readonly EncodedRowGroup[];
  readonly rowCount: number;
}

/**
 * Encodes a complete table. A table with a key has small row groups, so that the rows of a key are read fast; other
 * tables have one row group, because they are read completely.
 */
export function encodeWholeTable<Row>(table: Table<Row>, rows: readonly Row[]): WholeTable {
  const keys = table.key === null ? null : rows.map((row) => requireKey(table, row));
  const size = keys === null ? Math.max(rows.length, 1) : (table.groupRows ?? DEFAULT_GROUP_ROWS);
  const groups: EncodedRowGroup[] = [];
  for (let startRow = 0; startRow < rows.length; ) {
    let endRow = Math.min(startRow + size, rows.length);
    while (keys !== null && endRow < rows.length && keys[endRow] === keys[endRow - 1]) endRow += 1;
    const columns = toColumns(table, rows.slice(startRow, endRow));
    groups.push(encodeRowGroup(table, columns, keys === null ? [] : keys.slice(startRow, endRow)));
    startRow = endRow;
  }
  return { table: table as Table, groups, rowCount: rows.length };
}
