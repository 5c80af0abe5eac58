/** Writes one table key by key as its rows are made, so that one of any size is written in the memory of one row group. */
import type { Cell, Table } from '../schema/table.ts';
import { toColumns } from '../schema/table.ts';
import { hashColumns, TableHash } from './content-hash.ts';
import type { TableFile } from './manifest.ts';
import { encodeRowGroup, ROW_GROUP_ROWS } from './row-group.ts';
import { TableWriter } from './table-writer.ts';

export interface FinishedTable {
  readonly table: Table;
  readonly file: TableFile;
  readonly hash: string;
  readonly rows: number;
}

export class TableSink<Row> {
  readonly #table: Table<Row>;
  readonly #writer: TableWriter;
  readonly #hash = new TableHash();
  #columns: Cell[][];
  #keys: number[] = [];
  #buffered = 0;
  #last = -1;
  #rows = 0;

  constructor(directory: string, table: Table<Row>) {
    this.#table = table;
    this.#writer = new TableWriter(directory, table);
    this.#columns = table.columns.map(() => []);
  }

  /** All rows of one key, in the table's order; keys come in order. Of a table without a key, any part under a growing number. */
  add(key: number, rows: readonly Row[]): void {
    if (key <= this.#last) throw new RangeError(`${this.#table.name}: ${key} came after ${this.#last}`);
    if (rows.length === 0) return;
    this.#last = key;
    this.#rows += rows.length;
    const columns = toColumns(this.#table, rows);
    this.#hash.add(key, hashColumns(columns));
    for (const [index, column] of this.#columns.entries()) for (const cell of columns[index] ?? []) column.push(cell);
    this.#keys.push(key);
    this.#buffered += rows.length;
    if (this.#buffered >= ROW_GROUP_ROWS) this.#close();
  }

  finish(): FinishedTable {
    if (this.#buffered > 0) this.#close();
    return { table: this.#table, file: this.#writer.finish(), hash: this.#hash.digest(), rows: this.#rows };
  }

  /** Closes the file as it is; for a build that has failed. */
  abandon(): void {
    this.#writer.abandon();
  }

  /** Leaves no file behind: the release does not include the table. Only of a table without rows. */
  omit(): void {
    if (this.#rows > 0) throw new RangeError(`${this.#table.name} has rows and cannot be left out`);
    this.#writer.remove();
  }

  #close(): void {
    this.#writer.append(encodeRowGroup(this.#table, this.#columns, this.#table.key === null ? [] : this.#keys));
    this.#columns = this.#table.columns.map(() => []);
    this.#keys = [];
    this.#buffered = 0;
  }
}
