/** The rows of a span (consecutive row groups, see typed-span.ts) of a typed table, in the order of its source. */
import { compareText } from '../contract/compare-text.ts';
import { sumNumbers } from '../platform/collections.ts';
import type { Cell } from '../store/schema/table.ts';
import type { GroupRange, TableReader } from '../store/table-reader.ts';
import type { ChangeColumns, ReadOtherTable } from './computed-columns.ts';
import type { IndexedCells } from './typed-chunk.ts';
import type { TypedTable } from './typed-tables.ts';

export class SpanRows {
  readonly #reader: TableReader<unknown>;
  readonly #table: TypedTable;
  readonly #groupRange: GroupRange;
  /**
   * For each row group of the source: the source row number of each typed row. Null if the typed rows are exactly the
   * source rows.
   */
  readonly #sourceRowsByGroup: readonly Uint32Array[] | null;
  readonly #computedColumns: Map<string, IndexedCells>;
  /**
   * If the table has `changes`: for each row, the previous row with the same key, from which its unchanged cells are
   * taken. NO_ROW if the row is complete or the first of its key.
   */
  #previousRows: Int32Array = new Int32Array();
  readonly count: number;

  private constructor(
    reader: TableReader<unknown>,
    table: TypedTable,
    groups: GroupRange,
    sourceRowsByGroup: readonly Uint32Array[] | null,
    computedColumns: Map<string, IndexedCells>,
    rowCount: number,
  ) {
    this.#reader = reader;
    this.#table = table;
    this.#groupRange = groups;
    this.#sourceRowsByGroup = sourceRowsByGroup;
    this.#computedColumns = computedColumns;
    this.count = rowCount;
  }

  /** Throws a data Failure if the release's table is damaged. */
  static async read(
    reader: TableReader<unknown>,
    table: TypedTable,
    groups: GroupRange,
    readOtherTable: ReadOtherTable,
  ): Promise<SpanRows> {
    if (table.expand === undefined) {
      const originalRowsByGroup =
        table.changes === undefined ? null : await findOriginalRows(reader, groups, table.changes);
      const groupRowCounts =
        originalRowsByGroup?.map(({ length }) => length) ?? (await reader.groupSizes()).slice(groups.first, groups.end);
      const spanRows = new SpanRows(reader, table, groups, originalRowsByGroup, new Map(), sumNumbers(groupRowCounts));
      if (table.changes !== undefined) await spanRows.#linkRows(table.changes);
      return spanRows;
    }
    const sourceRowsByGroup: Uint32Array[] = [];
    const gathererByName = new Map<string, ColumnGatherer>();
    for await (const group of reader.scan(groups)) {
      const expandedGroup = await table.expand(group, readOtherTable);
      sourceRowsByGroup.push(Uint32Array.from(expandedGroup.rows));
      for (const [name, cells] of Object.entries(expandedGroup.computed)) {
        const gatherer = gathererByName.get(name) ?? new ColumnGatherer();
        gathererByName.set(name, gatherer);
        gatherer.add(cells, null);
      }
    }
    const rowCount = sumNumbers(sourceRowsByGroup.map(({ length }) => length));
    return new SpanRows(
      reader,
      table,
      groups,
      sourceRowsByGroup,
      new Map([...gathererByName].map(([name, gatherer]) => [name, gatherer.finish()])),
      rowCount,
    );
  }

  /** Returns one column of all rows. Throws a data Failure if the release's table is damaged. */
  async column(name: string): Promise<IndexedCells> {
    const computedColumn = this.#computedColumns.get(name);
    if (computedColumn !== undefined) return computedColumn;
    const sourceName = this.#table.columns.find((column) => column.name === name)?.sourceColumn ?? null;
    if (sourceName === null) {
      // An empty span has no computed columns.
      if (this.count === 0) return new ColumnGatherer().finish();
      throw new Error(`the table ${this.#table.name} has no source for the column ${name}`);
    }
    const column = await this.#readStored(sourceName);
    const { changes } = this.#table;
    return changes?.columns.has(sourceName) === true ? this.#completeRows(column, changes) : column;
  }

  async #readStored(name: string): Promise<IndexedCells> {
    const gatherer = new ColumnGatherer();
    let groupIndex = 0;
    for await (const { dictionary, indices } of this.#reader.scanColumn(name, this.#groupRange)) {
      const sourceRows = this.#sourceRowsByGroup?.[groupIndex++];
      gatherer.add(dictionary, sourceRows === undefined ? indices : pickAt(indices, sourceRows));
    }
    return gatherer.finish();
  }

  /**
   * Links the rows of each key: records each row's previous row, and fills `untilColumn` with the first day of its next
   * row.
   */
  async #linkRows({ keyColumn, wholeColumn, fromColumn, untilColumn }: ChangeColumns): Promise<void> {
    const [keys, completeFlags, days] = [
      await this.#readStored(keyColumn),
      await this.#readStored(wholeColumn),
      await this.#readStored(fromColumn),
    ];
    const lastRowByKey = new Map<Cell, number>();
    const nullDayIndex = days.cells.length;
    const nextDayIndexByRow = new Uint32Array(this.count).fill(nullDayIndex);
    const previousRowByRow = new Int32Array(this.count).fill(NO_ROW);
    for (let row = 0; row < this.count; row += 1) {
      const rowKey = keys.cells[numberAt(keys.indices, row)] as Cell;
      const previousRow = lastRowByKey.get(rowKey);
      if (previousRow !== undefined) {
        nextDayIndexByRow[previousRow] = numberAt(days.indices, row);
        if (completeFlags.cells[numberAt(completeFlags.indices, row)] !== true) previousRowByRow[row] = previousRow;
      }
      lastRowByKey.set(rowKey, row);
    }
    this.#previousRows = previousRowByRow;
    this.#computedColumns.set(untilColumn, { cells: [...days.cells, null], indices: nextDayIndexByRow });
  }

  /** Returns the column with each unchanged cell filled from the previous row with the same key. */
  #completeRows({ cells, indices }: IndexedCells, { emptyMark }: ChangeColumns): IndexedCells {
    const nullIndex = cells.length;
    const filledIndices = new Uint32Array(indices.length);
    for (let row = 0; row < indices.length; row += 1) {
      const index = numberAt(indices, row);
      const cell = cells[index];
      const previousRow = numberAt(this.#previousRows, row);
      if (cell === emptyMark) filledIndices[row] = nullIndex;
      else if (cell === null)
        filledIndices[row] = previousRow === NO_ROW ? nullIndex : numberAt(filledIndices, previousRow);
      else filledIndices[row] = index;
    }
    return { cells: [...cells.map((cell) => (cell === emptyMark ? null : cell)), null], indices: filledIndices };
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

  /** @param cellIndexes for each row, the index of its cell; null if row n has cell n */
  add(cells: readonly Cell[], cellIndexes: Uint32Array | null): void {
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
    this.#indexParts.push(cellIndexes === null ? indices : pickAt(indices, cellIndexes));
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
  const sortedIndexes = [...cells.keys()].sort((a, b) => compareText(String(cells[a]), String(cells[b])));
  const rankByCellIndex = new Uint32Array(cells.length);
  for (const [rank, index] of sortedIndexes.entries()) rankByCellIndex[index] = rank;
  const rowCountByRank = new Uint32Array(cells.length);
  for (const index of indices) {
    const rank = numberAt(rankByCellIndex, index);
    rowCountByRank[rank] = numberAt(rowCountByRank, rank) + 1;
  }
  let nextPosition = 0;
  const nextPositionByRank = rowCountByRank.map((rowsOfRank) => {
    nextPosition += rowsOfRank;
    return nextPosition - rowsOfRank;
  });
  const sortedRows = new Uint32Array(indices.length);
  for (let row = 0; row < indices.length; row += 1) {
    const rank = numberAt(rankByCellIndex, numberAt(indices, row));
    const position = numberAt(nextPositionByRank, rank);
    sortedRows[position] = row;
    nextPositionByRank[rank] = position + 1;
  }
  return sortedRows;
}

function pickAt(numbers: Uint32Array, positions: Uint32Array): Uint32Array {
  const pickedNumbers = new Uint32Array(positions.length);
  for (let index = 0; index < positions.length; index += 1)
    pickedNumbers[index] = numberAt(numbers, positions[index] as number);
  return pickedNumbers;
}

function numberAt(numbers: ArrayLike<number>, position: number): number {
  const number = numbers[position];
  if (number === undefined) throw new RangeError(`the number at position ${position} of ${numbers.length} is missing`);
  return number;
}

/** Returns the row numbers of each row group, without rows that only repeat an earlier row. */
async function findOriginalRows(
  reader: TableReader<unknown>,
  groups: GroupRange,
  { repeatedColumn }: ChangeColumns,
): Promise<Uint32Array[]> {
  const unrepeatedRowsByGroup: Uint32Array[] = [];
  for await (const cells of reader.scanColumn(repeatedColumn, groups))
    unrepeatedRowsByGroup.push(cells.indices.map((_, row) => row).filter((row) => cells.cellAt(row) !== true));
  return unrepeatedRowsByGroup;
}
