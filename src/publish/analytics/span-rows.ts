/** The rows of a span of a typed table, in the order of its source. */
import { compareText } from '../../contract/compare-text.ts';
import { sumNumbers } from '../../platform/collections.ts';
import type { Cell } from '../../store/schema/table.ts';
import type { GroupRange, TableReader } from '../../store/table-reader.ts';
import type { ColumnSource } from './typed-chunk.ts';
import type { ChangedRows, OtherTables, TypedTable } from './typed-tables.ts';

export class SpanRows {
  readonly #reader: TableReader<unknown>;
  readonly #table: TypedTable;
  readonly #groups: GroupRange;
  /** For each row group, the source rows that are rows of the table; null if all are, once. */
  readonly #rows: readonly Uint32Array[] | null;
  readonly #computed: Map<string, ColumnSource>;
  /** For a table of changes: the previous row of each row. */
  #before: Int32Array = new Int32Array();
  readonly count: number;

  private constructor(
    reader: TableReader<unknown>,
    table: TypedTable,
    groups: GroupRange,
    rows: readonly Uint32Array[] | null,
    computed: Map<string, ColumnSource>,
    count: number,
  ) {
    this.#reader = reader;
    this.#table = table;
    this.#groups = groups;
    this.#rows = rows;
    this.#computed = computed;
    this.count = count;
  }

  /** Throws a data Failure if the release's table is damaged. */
  static async read(
    reader: TableReader<unknown>,
    table: TypedTable,
    groups: GroupRange,
    others: OtherTables,
  ): Promise<SpanRows> {
    if (table.expand === undefined) {
      const sizes = (await reader.groupSizes()).slice(groups.first, groups.end);
      const rows = new SpanRows(reader, table, groups, null, new Map(), sumNumbers(sizes));
      if (table.changes !== undefined) await rows.#follow(table.changes);
      return rows;
    }
    const rows: Uint32Array[] = [];
    const computed = new Map<string, ColumnGatherer>();
    for await (const group of reader.scan(groups)) {
      const expanded = await table.expand(group, others);
      rows.push(Uint32Array.from(expanded.rows));
      for (const [name, cells] of Object.entries(expanded.computed)) {
        const gatherer = computed.get(name) ?? new ColumnGatherer();
        computed.set(name, gatherer);
        gatherer.add(cells, null);
      }
    }
    const count = sumNumbers(rows.map(({ length }) => length));
    return new SpanRows(
      reader,
      table,
      groups,
      rows,
      new Map([...computed].map(([name, column]) => [name, column.finish()])),
      count,
    );
  }

  /** Returns one column of all rows. Throws a data Failure if the release's table is damaged. */
  async column(name: string): Promise<ColumnSource> {
    const computed = this.#computed.get(name);
    if (computed !== undefined) return computed;
    const from = this.#table.columns.find((column) => column.name === name)?.from ?? null;
    if (from === null) {
      // Without rows there are no computed columns.
      if (this.count === 0) return new ColumnGatherer().finish();
      throw new Error(`the table ${this.#table.name} has no source for the column ${name}`);
    }
    const column = await this.#stored(from);
    const { changes } = this.#table;
    return changes?.columns.has(from) === true ? this.#wholeRows(column, changes) : column;
  }

  async #stored(name: string): Promise<ColumnSource> {
    const column = new ColumnGatherer();
    let group = 0;
    for await (const { dictionary, indices } of this.#reader.scanColumn(name, this.#groups)) {
      const rows = this.#rows?.[group++];
      column.add(dictionary, rows === undefined ? indices : pick(indices, rows));
    }
    return column.finish();
  }

  /** Finds the previous row of each row with the same key, and the day of the next one. */
  async #follow({ key, whole, from, until }: ChangedRows): Promise<void> {
    const [keys, flags, days] = [await this.#stored(key), await this.#stored(whole), await this.#stored(from)];
    const last = new Map<Cell, number>();
    const followed = days.cells.length;
    const next = new Uint32Array(this.count).fill(followed);
    const before = new Int32Array(this.count).fill(NO_ROW);
    for (let row = 0; row < this.count; row += 1) {
      const own = keys.cells[numberAt(keys.indices, row)] as Cell;
      const earlier = last.get(own);
      if (earlier !== undefined) {
        next[earlier] = numberAt(days.indices, row);
        if (flags.cells[numberAt(flags.indices, row)] !== true) before[row] = earlier;
      }
      last.set(own, row);
    }
    this.#before = before;
    this.#computed.set(until, { cells: [...days.cells, null], indices: next });
  }

  /** Returns the column with the previous row's cell in each row that has none of its own. */
  #wholeRows({ cells, indices }: ColumnSource, { empty }: ChangedRows): ColumnSource {
    const missing = cells.length;
    const filled = new Uint32Array(indices.length);
    for (let row = 0; row < indices.length; row += 1) {
      const index = numberAt(indices, row);
      const cell = cells[index];
      const earlier = numberAt(this.#before, row);
      if (cell === empty) filled[row] = missing;
      else if (cell === null) filled[row] = earlier === NO_ROW ? missing : numberAt(filled, earlier);
      else filled[row] = index;
    }
    return { cells: [...cells.map((cell) => (cell === empty ? null : cell)), null], indices: filled };
  }
}

/** The previous row of a complete row. */
const NO_ROW = -1;

/** Number of cells after which it is decided whether cells recur. */
const TRIAL = 1 << 15;

/**
 * Collects a column part by part, each distinct cell once, although parts have their own dictionaries. If cells
 * hardly recur, as with accession numbers of filings, it no longer searches for equal ones.
 */
class ColumnGatherer {
  readonly #cells: Cell[] = [];
  #indexOf: Map<Cell, number> | null = new Map();
  readonly #parts: Uint32Array[] = [];
  #added = 0;

  /** @param rows the index of each row's cell; null if each cell is a row */
  add(cells: readonly Cell[], rows: Uint32Array | null): void {
    const indices = new Uint32Array(cells.length);
    for (let at = 0; at < cells.length; at += 1) {
      const cell = cells[at] as Cell;
      let index = this.#indexOf?.get(cell);
      if (index === undefined) {
        index = this.#cells.push(cell) - 1;
        this.#indexOf?.set(cell, index);
      }
      indices[at] = index;
    }
    this.#parts.push(rows === null ? indices : pick(indices, rows));
    this.#added += cells.length;
    if (this.#added > TRIAL && 8 * this.#cells.length > 7 * this.#added) this.#indexOf = null;
  }

  finish(): ColumnSource {
    const indices = new Uint32Array(sumNumbers(this.#parts.map(({ length }) => length)));
    let position = 0;
    for (const part of this.#parts) {
      indices.set(part, position);
      position += part.length;
    }
    return { cells: this.#cells, indices };
  }
}

/** Returns the rows sorted by their cells; equal cells keep their order. */
export function orderOf({ cells, indices }: ColumnSource): Uint32Array {
  const sorted = [...cells.keys()].sort((a, b) => compareText(String(cells[a]), String(cells[b])));
  const ranks = new Uint32Array(cells.length);
  for (const [rank, index] of sorted.entries()) ranks[index] = rank;
  const counts = new Uint32Array(cells.length);
  for (const index of indices) {
    const rank = numberAt(ranks, index);
    counts[rank] = numberAt(counts, rank) + 1;
  }
  let first = 0;
  const places = counts.map((count) => {
    first += count;
    return first - count;
  });
  const order = new Uint32Array(indices.length);
  for (let row = 0; row < indices.length; row += 1) {
    const rank = numberAt(ranks, numberAt(indices, row));
    const place = numberAt(places, rank);
    order[place] = row;
    places[rank] = place + 1;
  }
  return order;
}

/** Returns the numbers at these positions. */
function pick(numbers: Uint32Array, places: Uint32Array): Uint32Array {
  const picked = new Uint32Array(places.length);
  for (let index = 0; index < places.length; index += 1) picked[index] = numberAt(numbers, places[index] as number);
  return picked;
}

function numberAt(numbers: ArrayLike<number>, position: number): number {
  const number = numbers[position];
  if (number === undefined) throw new RangeError(`the number at position ${position} of ${numbers.length} is missing`);
  return number;
}
