import type { EncodedRowGroup } from '../../store/parquet/write/row-group.ts';
import { ROW_GROUP_ROWS } from '../../store/parquet/write/row-group.ts';
import type { Table } from '../../store/schema/table.ts';
import { RowGroupBuffer, type TablePart } from '../../store/table-part.ts';

/**
 * Joins consecutive parts of a table into as few parts as possible without changing row groups: the rows before a
 * part's first group boundary go with the previous part, so that the remaining groups stay byte for byte the same.
 */
export class PartJoiner {
  readonly #buffer: RowGroupBuffer;
  readonly #size: number;
  readonly #before: TablePart[] = [];
  readonly #joined: TablePart[] = [];
  readonly #groups: EncodedRowGroup[] = [];

  constructor(table: Table) {
    this.#buffer = new RowGroupBuffer(table);
    this.#size = table.groupRows ?? ROW_GROUP_ROWS;
  }

  /** Parts must be added in the order of their keys. */
  add(part: TablePart): void {
    const { rows, groups, rest } = part;
    if (rows === 0) return;
    if (groups.length === 0 && this.#joined.length === 0) {
      this.#before.push(part);
      return;
    }
    this.#joined.push(part);
    if (groups.length > 0) this.#close();
    for (const group of groups) this.#groups.push(group);
    if (rest.keys.length > 0) this.#buffer.add(rest.keys, rest.columns);
    if (this.#buffer.rows >= this.#size) this.#close();
  }

  done(): TablePart[] {
    const [first] = this.#joined;
    if (first === undefined) return this.#before;
    const joined: TablePart = {
      table: first.table,
      rows: this.#joined.reduce((sum, { rows }) => sum + rows, 0),
      firstKey: first.firstKey,
      lastKey: (this.#joined.at(-1) ?? first).lastKey,
      // Copied, because the bytes of a cached part are views of its whole file.
      groups: this.#groups.map((group) => ({ ...group, bytes: group.bytes.slice() })),
      rest: this.#buffer.take(),
    };
    return [...this.#before, joined];
  }

  #close(): void {
    if (this.#buffer.rows > 0) this.#groups.push(this.#buffer.encode());
  }
}
