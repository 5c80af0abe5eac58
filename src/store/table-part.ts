/** Encoded rows of a table, made in another thread or by an earlier build, to be added to its file later. */
import { assertDefined } from '../platform/assert-defined.ts';
import { type EncodedRowGroup, encodeRowGroup, ROW_GROUP_ROWS } from './parquet/write/row-group.ts';
import { type Cell, CIK, keyOf, type Table, toColumns } from './schema/table.ts';

export interface TablePart {
  readonly table: string;
  readonly rows: number;
  readonly firstKey: number;
  readonly lastKey: number;
  readonly groups: readonly EncodedRowGroup[];
  /** Rows after those of `groups`, too few for a row group of their own: cells by column, and their keys. */
  readonly rest: { readonly columns: readonly (readonly Cell[])[]; readonly keys: readonly number[] };
}

/** Collects the rows of whole keys for a row group. */
export class RowGroupBuffer {
  readonly #table: Table;
  /** By column: the cells of each collected key. */
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

  /** Returns the collected rows and clears them. */
  take(): TablePart['rest'] {
    // Not `flat`, which copies cell by cell and takes twenty times as long.
    const none: Cell[] = [];
    const columns = this.#columns.map((parts) =>
      parts.length === 1 ? assertDefined(parts[0]) : none.concat(...parts),
    );
    const rest = { columns, keys: this.#keys };
    this.#columns = this.#table.columns.map(() => []);
    this.#keys = [];
    this.rows = 0;
    return rest;
  }

  encode(): EncodedRowGroup {
    const { columns, keys } = this.take();
    return encodeRowGroup(this.#table, columns, this.#table.key === null ? [] : keys);
  }
}

/** Makes a part of a table, key by key. */
export class PartSink<Row> {
  readonly #table: Table<Row>;
  readonly #buffer: RowGroupBuffer;
  readonly #groups: EncodedRowGroup[] = [];
  readonly #size: number;
  #first: number | null = null;
  #last = -1;
  #rows = 0;

  constructor(table: Table<Row>) {
    this.#table = table;
    this.#buffer = new RowGroupBuffer(table);
    this.#size = table.groupRows ?? ROW_GROUP_ROWS;
  }

  /** Adds all rows of one key, in the table's order; keys must be added in order. */
  add(key: number, rows: readonly Row[]): void {
    if (rows.length > 0)
      this.#put([key], toColumns(this.#table, rows, this.#table.key === CIK.field ? key : undefined));
  }

  /**
   * Adds all rows of many keys, in order. The same as `add` for each key, but several times faster if each has few
   * rows.
   */
  addSorted(rows: readonly Row[]): void {
    const keys = rows.map((row) => keyOf(this.#table, row));
    for (let from = 0; from < rows.length; ) {
      let to = Math.min(from + this.#size - this.#buffer.rows, rows.length);
      while (to < rows.length && keys[to] === keys[to - 1]) to += 1;
      const own = keys.slice(from, to).filter((key, index, all) => key !== all[index - 1]);
      this.#put(own, toColumns(this.#table, rows.slice(from, to)));
      from = to;
    }
  }

  /** @param complete whether the last rows make a row group, however few they are */
  done({ complete }: { readonly complete: boolean } = { complete: false }): TablePart {
    if (this.#buffer.rows > 0 && (complete || this.#buffer.rows * 2 >= this.#size)) this.#close();
    return {
      table: this.#table.name,
      rows: this.#rows,
      firstKey: this.#first ?? this.#last,
      lastKey: this.#last,
      groups: this.#groups,
      rest: this.#buffer.take(),
    };
  }

  #put(keys: readonly number[], columns: readonly (readonly Cell[])[]): void {
    for (const key of keys) {
      if (key <= this.#last) throw new RangeError(`${this.#table.name}: ${key} came after ${this.#last}`);
      this.#first ??= key;
      this.#last = key;
    }
    this.#rows += columns[0]?.length ?? 0;
    this.#buffer.add(keys, columns);
    if (this.#buffer.rows >= this.#size) this.#close();
  }

  #close(): void {
    this.#groups.push(this.#buffer.encode());
  }
}
