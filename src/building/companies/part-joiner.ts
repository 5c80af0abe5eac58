import { DEFAULT_GROUP_ROWS, type EncodedRowGroup } from '../../store/parquet/write/row-group.ts';
import type { Table } from '../../store/schema/declare-table.ts';
import { RowGroupBuffer, type TablePart } from '../../store/table-part.ts';

/**
 * Joins consecutive parts of a table into one part without encoding their row groups again. Collects rows outside row
 * groups (`remainingRows`) in new row groups. Leaves parts before the first part with row groups unchanged.
 */
export class PartJoiner {
  readonly #buffer: RowGroupBuffer;
  readonly #rowsPerGroup: number;
  readonly #finishedParts: TablePart[] = [];
  readonly #currentParts: TablePart[] = [];
  readonly #rowGroups: EncodedRowGroup[] = [];

  constructor(table: Table) {
    this.#buffer = new RowGroupBuffer(table);
    this.#rowsPerGroup = table.groupRows ?? DEFAULT_GROUP_ROWS;
  }

  /** Adds a part. Parts must be added in order of their keys. */
  add(part: TablePart): void {
    const { rows, groups, remainingRows } = part;
    if (rows === 0) return;
    if (groups.length === 0 && this.#currentParts.length === 0) {
      this.#finishedParts.push(part);
      return;
    }
    this.#currentParts.push(part);
    if (groups.length > 0) this.#finishGroup();
    for (const group of groups) this.#rowGroups.push(group);
    if (remainingRows.keys.length > 0) this.#buffer.add(remainingRows.keys, remainingRows.columns);
    if (this.#buffer.rows >= this.#rowsPerGroup) this.#finishGroup();
  }

  finish(): TablePart[] {
    const [firstPart] = this.#currentParts;
    if (firstPart === undefined) return this.#finishedParts;
    const joined: TablePart = {
      table: firstPart.table,
      rows: this.#currentParts.reduce((sum, { rows }) => sum + rows, 0),
      firstKey: firstPart.firstKey,
      lastKey: (this.#currentParts.at(-1) ?? firstPart).lastKey,
      // Copied, because the bytes of a cached part are a view of the whole cache file.
      groups: this.#rowGroups.map((group) => ({ ...group, bytes: group.bytes.slice() })),
      remainingRows: this.#buffer.takeRows(),
    };
    return [...this.#finishedParts, joined];
  }

  #finishGroup(): void {
    if (this.#buffer.rows > 0) this.#rowGroups.push(this.#buffer.encode());
  }
}
