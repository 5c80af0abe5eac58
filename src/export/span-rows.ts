/** The rows of a span (consecutive row groups, see typed-span.ts) of a typed table, in the order of its source. */
import { compareText } from '../contract/compare-text.ts';
import { getOrInsert, sumNumbers } from '../platform/collections.ts';
import type { Cell } from '../store/schema/columns.ts';
import type { GroupRange, TableReader } from '../store/table-reader.ts';
import type { IndexedCells } from './typed-chunk.ts';
import type { ChangeColumns, ReadOtherTable, TypedTable } from './typed-tables.ts';

export class SpanRows {
  /**
   * If the table has `changes`: for each row, the previous row with the same key, from which its unchanged cells are
   * taken. NO_ROW if the row is complete or the first of its key.
   */
  #previousRows: Int32Array = new Int32Array();

  private constructor(
    private readonly reader: TableReader<unknown>,
    private readonly table: TypedTable,
    private readonly groupRange: GroupRange,

    /**
     * For each row group of the source: the source row number of each typed row. Null if the typed rows are exactly the
     * source rows.
     */
    private readonly sourceRowsByGroup: readonly Uint32Array[] | null,
    private readonly computedColumns: Map<string, IndexedCells>,
    readonly count: number,
  ) {}

  /** Throws a data Failure if the release's table is damaged. */
  static async read(reader: TableReader<unknown>, table: TypedTable, groups: GroupRange, readOther: ReadOtherTable) {
    if (table.expand === undefined) {
      const original = table.changes === undefined ? null : await findOriginalRows(reader, groups, table.changes);
      const sizes = original?.map((rows) => rows.length) ?? (await reader.groupSizes()).slice(groups.first, groups.end);
      const span = new SpanRows(reader, table, groups, original, new Map(), sumNumbers(sizes));
      if (table.changes !== undefined) await span.#linkRows(table.changes);
      return span;
    }
    const sourceRows: Uint32Array[] = [];
    const gatherers = new Map<string, ColumnGatherer>();
    for await (const group of reader.scan(groups)) {
      const expanded = await table.expand(group, readOther);
      sourceRows.push(Uint32Array.from(expanded.rows));
      for (const [name, cells] of Object.entries(expanded.computed))
        getOrInsert(gatherers, name, () => new ColumnGatherer()).add(cells, null);
    }
    const computed = new Map([...gatherers].map(([name, gatherer]) => [name, gatherer.finish()]));
    return new SpanRows(reader, table, groups, sourceRows, computed, sumNumbers(sourceRows.map((rows) => rows.length)));
  }

  /** Returns one column of all rows. Throws a data Failure if the release's table is damaged. */
  async readColumn(name: string): Promise<IndexedCells> {
    const computed = this.computedColumns.get(name);
    if (computed !== undefined) return computed;
    const source = this.table.columns.find((column) => column.name === name)?.sourceColumn ?? null;
    if (source === null) {
      // An empty span has no computed columns.
      if (this.count === 0) return new ColumnGatherer().finish();
      throw new Error(`the table ${this.table.name} has no source for the column ${name}`);
    }
    const column = await this.#readStored(source);
    const { changes } = this.table;
    return changes?.columns.has(source) === true ? this.#completeRows(column, changes) : column;
  }

  async #readStored(name: string): Promise<IndexedCells> {
    const gatherer = new ColumnGatherer();
    let group = 0;
    for await (const { dictionary, indices } of this.reader.scanColumn(name, this.groupRange)) {
      const rows = this.sourceRowsByGroup?.[group++];
      gatherer.add(dictionary, rows === undefined ? indices : pickAt(indices, rows));
    }
    return gatherer.finish();
  }

  /**
   * Links the rows of each key: records each row's previous row, and fills `untilColumn` with the first day of its next
   * row.
   */
  async #linkRows({ keyColumn, wholeColumn, fromColumn, untilColumn }: ChangeColumns): Promise<void> {
    const keys = await this.#readStored(keyColumn);
    const flags = await this.#readStored(wholeColumn);
    const days = await this.#readStored(fromColumn);
    const lastByKey = new Map<Cell, number>();
    const nullDay = days.cells.length;
    const nextDays = new Uint32Array(this.count).fill(nullDay);
    const previousRows = new Int32Array(this.count).fill(NO_ROW);
    for (let row = 0; row < this.count; row += 1) {
      const key = keys.cells[numberAt(keys.indices, row)] as Cell;
      const previous = lastByKey.get(key);
      if (previous !== undefined) {
        nextDays[previous] = numberAt(days.indices, row);
        if (flags.cells[numberAt(flags.indices, row)] !== true) previousRows[row] = previous;
      }
      lastByKey.set(key, row);
    }
    this.#previousRows = previousRows;
    this.computedColumns.set(untilColumn, { cells: [...days.cells, null], indices: nextDays });
  }

  /** Returns the column with each unchanged cell filled from the previous row with the same key. */
  #completeRows({ cells, indices }: IndexedCells, { emptyMark }: ChangeColumns): IndexedCells {
    const nullIndex = cells.length;
    const filled = new Uint32Array(indices.length);
    for (let row = 0; row < indices.length; row += 1) {
      const index = numberAt(indices, row);
      const cell = cells[index];
      const previous = numberAt(this.#previousRows, row);
      if (cell === emptyMark) filled[row] = nullIndex;
      else if (cell === null) filled[row] = previous === NO_ROW ? nullIndex : numberAt(filled, previous);
      else filled[row] = index;
    }
    return { cells: [...cells.map((cell) => (cell === emptyMark ? null : cell)), null], indices: filled };
  }
}

/** Marks a row that is complete or the first of its key, so that no previous row completes it. */
const NO_ROW = -1;

/** Number of cells after which {@link ColumnGatherer} decides whether cells recur. */
const TRIAL_CELL_COUNT = 1 << 15;

/**
 * Joins the parts of a column, one from each row group, and stores equal cells once. If cells hardly recur, as with
 * accession numbers, the gatherer stops searching for equal cells.
 */
class ColumnGatherer {
  readonly #cells: Cell[] = [];
  #indexByCell: Map<Cell, number> | null = new Map();
  readonly #indexParts: Uint32Array[] = [];
  #addedCells = 0;

  /** @param order for each row, the index of its cell; null if row n has cell n */
  add(cells: readonly Cell[], order: Uint32Array | null): void {
    const indices = new Uint32Array(cells.length);
    for (let cellIndex = 0; cellIndex < cells.length; cellIndex += 1) {
      const cell = cells[cellIndex] as Cell;
      let index = this.#indexByCell?.get(cell);
      if (index === undefined) {
        index = this.#cells.push(cell) - 1;
        this.#indexByCell?.set(cell, index);
      }
      indices[cellIndex] = index;
    }
    this.#indexParts.push(order === null ? indices : pickAt(indices, order));
    this.#addedCells += cells.length;
    if (this.#addedCells > TRIAL_CELL_COUNT && 8 * this.#cells.length > 7 * this.#addedCells) this.#indexByCell = null;
  }

  finish(): IndexedCells {
    const indices = new Uint32Array(sumNumbers(this.#indexParts.map(({ length }) => length)));
    let position = 0;
    for (const indexPart of this.#indexParts) {
      indices.set(indexPart, position);
      position += indexPart.length;
    }
    return { cells: this.#cells, indices };
  }
}

/** Returns row numbers in the order of their cells; rows with equal cells stay in source order. */
export function sortRowNumbers({ cells, indices }: IndexedCells): Uint32Array {
  const sorted = [...cells.keys()].sort((a, b) => compareText(String(cells[a]), String(cells[b])));
  const ranks = new Uint32Array(cells.length);
  for (const [rank, index] of sorted.entries()) ranks[index] = rank;
  const counts = new Uint32Array(cells.length);
  for (const index of indices) {
    const rank = numberAt(ranks, index);
    counts[rank] = numberAt(counts, rank) + 1;
  }
  let next = 0;
  const positions = counts.map((count) => {
    next += count;
    return next - count;
  });
  const rows = new Uint32Array(indices.length);
  for (let row = 0; row < indices.length; row += 1) {
    const rank = numberAt(ranks, numberAt(indices, row));
    const position = numberAt(positions, rank);
    rows[position] = row;
    positions[rank] = position + 1;
  }
  return rows;
}

function pickAt(numbers: Uint32Array, positions: Uint32Array): Uint32Array {
  const picked = new Uint32Array(positions.length);
  for (let index = 0; index < positions.length; index += 1)
    picked[index] = numberAt(numbers, positions[index] as number);
  return picked;
}

function numberAt(numbers: ArrayLike<number>, position: number): number {
  const number = numbers[position];
  if (number === undefined) throw new RangeError(`the number at position ${position} of ${numbers.length} is missing`);
  return number;
}

/** Returns the row numbers of each row group, without rows that only repeat an earlier row. */
async function findOriginalRows(reader: TableReader<unknown>, groups: GroupRange, { repeatedColumn }: ChangeColumns) {
  const rowsByGroup: Uint32Array[] = [];
  for await (const cells of reader.scanColumn(repeatedColumn, groups))
    rowsByGroup.push(cells.indices.map((_, row) => row).filter((row) => cells.cellAt(row) !== true));
  return rowsByGroup;
}
