/** Encoded rows of a table, from a worker or an earlier build, which the main thread appends to the table's file. */
import { assertDefined } from '../platform/collections.ts';
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

/** Encodes rows of a table, key by key, and passes on a row group as soon as the rows fill it. */
export class PartSink<Row> {
  /** For each column, one array of cells per call of `add`. */
  #columns: (readonly Cell[])[][];
  #keys: number[] = [];
  /** Number of rows that are not yet in a row group. */
  #waitingRows = 0;
  readonly #groups: EncodedRowGroup[] = [];
  #firstKey: number | null = null;
  lastKey = -1;
  /** Number of all rows. */
  rows = 0;

  /** @param onGroup takes each row group; by default, the result of `finish` has all row groups */
  constructor(
    private readonly table: Table<Row>,
    private readonly onGroup: (group: EncodedRowGroup) => void = (group) => this.#groups.push(group),
  ) {
    this.#columns = table.columns.map(() => []);
  }

  get #rowsPerGroup(): number {
    return this.table.groupRows ?? DEFAULT_GROUP_ROWS;
  }

  /** Adds all rows of one key, in the table's order; a key `cik` need not be in the rows. Keys must be ascending. */
  add(key: number, rows: readonly Omit<Row, 'cik'>[]): void {
    if (rows.length === 0) return;
    const cik = this.table.key === CIK_COLUMN.field ? key : undefined;
    this.#addColumns([key], toColumns(this.table, rows as readonly Row[], cik));
  }

  /**
   * Adds all rows of several keys, in the table's order. Has the same result as `add` for each key, but is several
   * times faster if keys have few rows.
   */
  addSorted(rows: readonly Row[]): void {
    const keys = rows.map((row) => requireKey(this.table, row));
    for (let startRow = 0; startRow < rows.length; ) {
      let endRow = Math.min(startRow + this.#rowsPerGroup - this.#waitingRows, rows.length);
      while (endRow < rows.length && keys[endRow] === keys[endRow - 1]) endRow += 1;
      const distinct = keys.slice(startRow, endRow).filter((key, index, rangeKeys) => key !== rangeKeys[index - 1]);
      this.#addColumns(distinct, toColumns(this.table, rows.slice(startRow, endRow)));
      startRow = endRow;
    }
  }

  /** Appends an encoded part, whose keys must come after all previous keys. */
  append({ firstKey, lastKey, rows, groups, remainingRows: { keys, columns } }: TablePart): void {
    if (groups.length > 0) this.endGroup();
    for (const group of groups) this.onGroup(group);
    this.#firstKey ??= firstKey;
    this.rows += rows - (columns[0]?.length ?? 0);
    if (keys.length > 0) this.#addColumns(keys, columns);
    this.lastKey = lastKey;
  }

  /** Ends the row group. Later rows are in another row group, even rows with the same key. */
  endGroup(): void {
    if (this.#waitingRows === 0) return;
    const { columns, keys } = this.#takeRows();
    this.onGroup(encodeRowGroup(this.table, columns, this.table.key === null ? [] : keys));
  }

  /**
   * Returns the encoded part.
   * @param minRows the last rows become a row group if there are at least this number, by default half of a row group
   */
  finish(minRows: number = this.#rowsPerGroup / 2): TablePart {
    if (this.#waitingRows >= minRows) this.endGroup();
    return {
      table: this.table.name,
      rows: this.rows,
      firstKey: this.#firstKey ?? this.lastKey,
      lastKey: this.lastKey,
      groups: this.#groups,
      remainingRows: this.#takeRows(),
    };
  }

  #addColumns(keys: readonly number[], columns: readonly (readonly Cell[])[]): void {
    for (const key of keys) {
      if (key < this.lastKey || (key === this.lastKey && this.#waitingRows > 0))
        throw new RangeError(`${this.table.name}: the rows of key ${key} came after those of key ${this.lastKey}`);
      this.#firstKey ??= key;
      this.lastKey = key;
      this.#keys.push(key);
    }
    for (const [index, cells] of columns.entries()) this.#columns[index]?.push(cells);
    const count = columns[0]?.length ?? 0;
    this.rows += count;
    this.#waitingRows += count;
    if (this.#waitingRows >= this.#rowsPerGroup) this.endGroup();
  }

  /** Returns the rows that are not yet in a row group, and forgets them. */
  #takeRows(): TablePart['remainingRows'] {
    // Array.prototype.flat would copy cell by cell, which takes twenty times as long.
    const cells: Cell[] = [];
    const columns = this.#columns.map((lists) =>
      lists.length === 1 ? assertDefined(lists[0]) : cells.concat(...lists),
    );
    const rows = { columns, keys: this.#keys };
    this.#columns = this.table.columns.map(() => []);
    this.#keys = [];
    this.#waitingRows = 0;
    return rows;
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
  return { table: table as Table, part: sink.finish(0) };
}
