/** `/v1/screen`: every covered company, filtered and sorted by its figures. */
import { compareDecimals } from '../../contract/decimal-text.ts';
import type { Clause, Operator } from '../../contract/question/where-clause.ts';
import type { ScreenRow } from '../../contract/resources/screen.ts';
import { PRICED_COLUMNS, SCREEN_COLUMNS } from '../../contract/screen-columns.ts';
import type { ScreenTable } from '../../release/store/reader.ts';
import type { Handler } from '../handler.ts';
import { attributionMeta } from './prices/attribution.ts';
import { sortKey } from './sort-key.ts';

const IDENTITY = ['cik', 'ticker', 'exchange', 'entity_name'];

type Cell = string | number | null;

export const screen: Handler<'screen'> = async ({ release, parameters }) => {
  const clauses = parameters.where ?? [];
  const sort = parameters.sort;
  const shown = parameters.columns ?? SCREEN_COLUMNS;
  const offset = parameters.offset;
  const needed = new Set([...IDENTITY, sort, ...clauses.map((clause) => clause.column), ...shown]);
  const table = await release.screen([...needed]);

  const { matched, setAside } = filter(table, clauses);
  matched.sort(ordering(table, sort, parameters.dir === 'desc'));
  const columns = [...new Set([...IDENTITY, ...shown])];
  // What is filtered or sorted by a price tells of it, even where no price is shown.
  const priced = [...needed].some((column) => PRICED_COLUMNS.has(column));
  const attribution = priced ? await attributionMeta(release) : {};
  return {
    data: matched.slice(offset, offset + parameters.limit).map((row) => rowOf(table, columns, row)),
    meta: { set_aside: setAside, total: matched.length, universe: table.length, ...attribution },
  };
};

const HOLDS: Readonly<Record<Operator, (order: number) => boolean>> = {
  gte: (order) => order >= 0,
  lte: (order) => order <= 0,
  gt: (order) => order > 0,
  lt: (order) => order < 0,
};

/** Rows that pass every clause, and how many were set aside for missing at least one filtered figure. */
function filter(table: ScreenTable, clauses: readonly Clause[]): { matched: number[]; setAside: number } {
  const tests = clauses.map(({ column, op, value }) => ({ cells: columnOf(table, column), holds: HOLDS[op], value }));
  const matched: number[] = [];
  let setAside = 0;
  for (let row = 0; row < table.length; row += 1) {
    if (tests.some(({ cells }) => cellOf(cells, row) === null)) setAside += 1;
    else if (tests.every(({ cells, holds, value }) => holds(compareDecimals(String(cells[row]), value)))) {
      matched.push(row);
    }
  }
  return { matched, setAside };
}

/** By the sort column, missing figures last whichever the direction; ties by ticker, then cik (choices.md). */
function ordering(table: ScreenTable, sort: string, descending: boolean): (a: number, b: number) => number {
  const tickers = columnOf(table, 'ticker');
  const ciks = columnOf(table, 'cik');
  const tie = (a: number, b: number) => byTicker(tickers, a, b) || Number(ciks[a]) - Number(ciks[b]);
  const sign = descending ? -1 : 1;
  if (sort === 'ticker') return (a, b) => sign * byTicker(tickers, a, b) || tie(a, b);
  const keys = columnOf(table, sort).map((cell) => (cell === null ? null : sortKey(String(cell))));
  return (a, b) => {
    const [one, other] = [keys[a] ?? null, keys[b] ?? null];
    if (one === other) return tie(a, b);
    if (one === null || other === null) return one === null ? 1 : -1;
    return one < other ? -sign : sign;
  };
}

function byTicker(tickers: readonly Cell[], a: number, b: number): number {
  const [one, other] = [String(tickers[a]), String(tickers[b])];
  return one < other ? -1 : one > other ? 1 : 0;
}

function rowOf(table: ScreenTable, columns: readonly string[], row: number): ScreenRow {
  return Object.fromEntries(
    columns.map((column) => [column, cellOf(columnOf(table, column), row)]),
  ) as unknown as ScreenRow;
}

function columnOf(table: ScreenTable, column: string): readonly Cell[] {
  const cells = table.columns[column];
  if (cells === undefined) throw new Error(`the release has no screen column ${column}`);
  return cells;
}

const cellOf = (cells: readonly Cell[], row: number): Cell => cells[row] ?? null;
