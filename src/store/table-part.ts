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

/** Collects the rows of complete keys, and passes on a row group as soon as the rows fill it. */
export class RowGroupBuffer {
  /** For each column, one array of cells per call of `add`. */
  #columns: (readonly Cell[])[][];
  #keys: number[] = [];
  rows = 0;

  constructor(
    private readonly table: Table,
    private readonly onGroup: (group: EncodedRowGroup) => void,
  ) {
    this.#columns = table.columns.map(() => []);
  }

  get rowsPerGroup(): number {
    return this.table.groupRows ?? DEFAULT_GROUP_ROWS;
  }

  add(keys: readonly number[], columns: readonly (readonly Cell[])[]): void {
    for (const [index, cells] of columns.entries()) this.#columns[index]?.push(cells);
    for (const key of keys) this.#keys.push(key);
    this.rows += columns[0]?.length ?? 0;
    if (this.rows >= this.rowsPerGroup) this.endGroup();
  }

  append({ groups, remainingRows }: TablePart): void {
    if (groups.length > 0) this.endGroup();
    for (const group of groups) this.onGroup(group);
    if (remainingRows.keys.length > 0) this.add(remainingRows.keys, remainingRows.columns);
  }

  /** Returns the collected rows and empties the buffer. */
  takeRows(): TablePart['remainingRows'] {
    // Array.prototype.flat would copy cell by cell, which takes twenty times as long.
    const empty: Cell[] = [];
    const joined = this.#columns.map((arrays) =>
      arrays.length === 1 ? assertDefined(arrays[0]) : empty.concat(...arrays),
    );
    const rows = { columns: joined, keys: this.#keys };
    this.#columns = this.table.columns.map(() => []);
    this.#keys = [];
    this.rows = 0;
    return rows;
  }

  /** Passes on the collected rows as a row group, so that later rows are not in it. */
  endGroup(): void {
    if (this.rows === 0) return;
    const { columns, keys } = this.takeRows();
    this.onGroup(encodeRowGroup(this.table, columns, this.table.key === null ? [] : keys));
  }
}

/** Encodes a part of a table, key by key. */
export class PartSink<Row> {
  readonly #buffer: RowGroupBuffer;
  readonly #groups: EncodedRowGroup[] = [];
  #firstKey: number | null = null;
  #lastKey = -1;
  #rowCount = 0;

  constructor(private readonly table: Table<Row>) {
    this.#buffer = new RowGroupBuffer(table, (group) => this.#groups.push(group));
  }

  /** Adds all rows of one key, in the table's order; a key `cik` need not be in the rows. Keys must be ascending. */
  add(key: number, rows: readonly Omit<Row, 'cik'>[]): void {
    if (rows.length === 0) return;
    const cik = this.table.key === CIK_COLUMN.field ? key : undefined;
    this.#addToBuffer([key], toColumns(this.table, rows as readonly Row[], cik));
  }

  /**
   * Adds all rows of several keys, in the table's order. Equal to `add` for each key, but several times faster if keys
   * have few rows.
   */
  addSorted(rows: readonly Row[]): void {
    const keys = rows.map((row) => requireKey(this.table, row));
    for (let startRow = 0; startRow < rows.length; ) {
      let endRow = Math.min(startRow + this.#buffer.rowsPerGroup - this.#buffer.rows, rows.length);
      while (endRow < rows.length && keys[endRow] === keys[endRow - 1]) endRow += 1;
      const distinct = keys.slice(startRow, endRow).filter((key, index, rangeKeys) => key !== rangeKeys[index - 1]);
      this.#addToBuffer(distinct, toColumns(this.table, rows.slice(startRow, endRow)));
      startRow = endRow;
    }
  }

  /** Ends the row group. Later rows are in another row group, even rows with the same key. */
  endGroup(): void {
    this.#buffer.endGroup();
  }

  /**
   * Returns the encoded part.
   * @param options.encodesAllRows whether to encode the last rows as a row group even if they are few
   */
  finish({ encodesAllRows }: { readonly encodesAllRows: boolean } = { encodesAllRows: false }): TablePart {
    if (encodesAllRows || this.#buffer.rows * 2 >= this.#buffer.rowsPerGroup) this.#buffer.endGroup();
    return {
      table: this.table.name,
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
        throw new RangeError(`${this.table.name}: the rows of key ${key} came after those of key ${this.#lastKey}`);
      this.#firstKey ??= key;
      this.#lastKey = key;
    }
    this.#rowCount += columns[0]?.length ?? 0;
    this.#buffer.add(keys, columns);
  }
}

export function encodePart<Row>(table: Table<Row>, key: number, rows: readonly Omit<Row, 'cik'>[]): TablePart {
  const sink = new PartSink(table);
  sink.add(key, rows);
  return sink.finish();
}

/** A table, and all its rows as row groups. */
export interface WholeTable {
  readonly table: Table;
  readonly part: TablePart;
}

/**
 * Encodes a complete table. A table with a key has small row groups, so that the rows of a key are read fast; other
 * tables have one row group, because they are read completely.
 */
export function encodeWholeTable<Row>(table: Table<Row>, rows: readonly Row[]): WholeTable {
  const sink = new PartSink(table);
  if (table.key === null) sink.add(0, rows);
  else sink.addSorted(rows);
  return { table: table as Table, part: sink.finish({ encodesAllRows: true }) };
}
