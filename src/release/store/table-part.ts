/** Rows of a table made apart from its file, in another thread or by an earlier build: encoded, and put in later. */
import { type Cell, CIK, type Table, toColumns } from '../schema/table.ts';
import { type EncodedRowGroup, encodeRowGroup, ROW_GROUP_ROWS } from './row-group.ts';

export interface TablePart {
  readonly table: string;
  readonly rows: number;
  readonly firstKey: number;
  readonly lastKey: number;
  readonly groups: readonly EncodedRowGroup[];
  /** Rows after those of `groups`, too few for a row group of their own: columns of cells, and their keys. */
  readonly rest: { readonly columns: readonly (readonly Cell[])[]; readonly keys: readonly number[] };
}

/** Gathers whole keys for a row group. */
export class RowGroupBuffer {
  readonly #table: Table;
  /** Of each column, the cells of each key gathered. */
  #columns: (readonly Cell[])[][];
  #keys: number[] = [];
  rows = 0;

  constructor(table: Table) {
    this.#table = table;
    this.#columns = table.columns.map(() => []);
  }

  add(keys: readonly number[], columns: readonly (readonly Cell[])[]): void {
    for (const [index, cells] of columns.entries()) this.#columns[index]?.push(cells);
    this.#keys.push(...keys);
    this.rows += columns[0]?.length ?? 0;
  }

  /** The rows gathered, which are then gone. */
  take(): TablePart['rest'] {
    // Not flat, which goes cell by cell and takes twenty times as long.
    const none: Cell[] = [];
    const rest = { columns: this.#columns.map((parts) => none.concat(...parts)), keys: this.#keys };
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

interface PartOptions {
  /** A key that would overfill a row group begins its own, and the last rows make a group however few. */
  readonly complete: boolean;
}

/** Makes a part of a table, key by key. */
export class PartSink<Row> {
  readonly #table: Table<Row>;
  readonly #complete: boolean;
  readonly #buffer: RowGroupBuffer;
  readonly #groups: EncodedRowGroup[] = [];
  readonly #size: number;
  #first: number | null = null;
  #last = -1;
  #rows = 0;

  constructor(table: Table<Row>, { complete }: PartOptions = { complete: false }) {
    this.#table = table;
    this.#complete = complete;
    this.#buffer = new RowGroupBuffer(table);
    this.#size = table.groupRows ?? ROW_GROUP_ROWS;
  }

  /** All rows of one key, in the table's order; keys come in order. */
  add(key: number, rows: readonly Row[]): void {
    if (key <= this.#last) throw new RangeError(`${this.#table.name}: ${key} came after ${this.#last}`);
    if (rows.length === 0) return;
    const columns = toColumns(this.#table, rows, this.#table.key === CIK.field ? key : undefined);
    this.#first ??= key;
    this.#last = key;
    this.#rows += rows.length;
    if (this.#complete && this.#buffer.rows > 0 && this.#buffer.rows + rows.length > this.#size) this.#close();
    this.#buffer.add([key], columns);
    if (!this.#complete && this.#buffer.rows >= this.#size) this.#close();
  }

  done(): TablePart {
    if (this.#buffer.rows > 0 && (this.#complete || this.#buffer.rows * 2 >= this.#size)) this.#close();
    return {
      table: this.#table.name,
      rows: this.#rows,
      firstKey: this.#first ?? this.#last,
      lastKey: this.#last,
      groups: this.#groups,
      rest: this.#buffer.take(),
    };
  }

  #close(): void {
    this.#groups.push(this.#buffer.encode());
  }
}
