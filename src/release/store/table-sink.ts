/**
 * Writes one table company by company, in order of cik, as its rows are made: so that a family of any size
 * is written in the memory of one row group.
 */

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
  #ciks: number[] = [];
  #last = -1;
  #rows = 0;

  constructor(directory: string, table: Table<Row>) {
    this.#table = table;
    this.#writer = new TableWriter(directory, table as Table);
    this.#columns = table.columns.map(() => []);
  }

  /**
   * All rows of one company, in the table's order; companies come in order of cik. Of a table that is not by company, any
   * part of its rows under a number that only grows.
   */
  add(cik: number, rows: readonly Row[]): void {
    if (cik <= this.#last) throw new RangeError(`${this.#table.name}: ${cik} came after ${this.#last}`);
    if (rows.length === 0) return;
    this.#last = cik;
    this.#rows += rows.length;
    const columns = toColumns(this.#table, rows);
    this.#hash.add(cik, hashColumns(columns));
    for (const [index, cells] of columns.entries()) {
      const column = this.#columns[index];
      for (const cell of cells) column?.push(cell);
    }
    this.#ciks.push(cik);
    if ((this.#columns[0]?.length ?? 0) >= ROW_GROUP_ROWS) this.#close();
  }

  finish(): FinishedTable {
    if (this.#ciks.length > 0) this.#close();
    return { table: this.#table as Table, file: this.#writer.finish(), hash: this.#hash.digest(), rows: this.#rows };
  }

  /** Closes the file as it is; for a build that has failed. */
  abandon(): void {
    this.#writer.abandon();
  }

  /** Leaves no file behind: the release does not carry the table. Only of a table without rows. */
  omit(): void {
    if (this.#rows > 0) throw new RangeError(`${this.#table.name} has rows and cannot be left out`);
    this.#writer.remove();
  }

  #close(): void {
    this.#writer.append(
      encodeRowGroup(this.#table as Table, this.#columns, this.#table.key !== null ? this.#ciks : []),
    );
    this.#columns = this.#table.columns.map(() => []);
    this.#ciks = [];
  }
}
