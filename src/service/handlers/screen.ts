/** `/v1/screen`: every covered company, filtered and sorted by its figures. */
import { compareText } from '../../contract/compare-text.ts';
import { compareDecimals } from '../../contract/decimal-text.ts';
import type { Clause, Operator } from '../../contract/question/where-clause.ts';
import type { ScreenRow } from '../../contract/resources/screen.ts';
import { PRICED_COLUMNS, SCREEN_COLUMNS } from '../../contract/screen-columns.ts';
import type { ScreenTable } from '../../release/store/reader.ts';
import type { Handler } from '../handler.ts';
import { attributionMeta } from './prices/attribution.ts';

const IDENTITY = ['cik', 'ticker', 'exchange', 'entity_name'];

type Cell = string | number | null;

export const screen: Handler<'screen'> = async ({ release, parameters }) => {
  const { where = [], sort, dir, columns: chosen = SCREEN_COLUMNS, limit, offset } = parameters;
  const chosenBy = new Set(['ticker', 'cik', sort, ...where.map(({ column }) => column)]);
  const table = await release.screen([...chosenBy]);

  const { matched, setAside } = filter(table, where);
  matched.sort(ordering(table, sort, dir === 'desc'));
  const shown = new Set([...IDENTITY, ...chosen]);
  // Of the columns that only show something, nothing but the rows of the page is needed.
  const page = await release.screen([...shown], matched.slice(offset, offset + limit));
  // A filter or an order by a price reveals it, even when no column shows it.
  const priced = [...chosenBy, ...shown].some((column) => PRICED_COLUMNS.has(column));
  const attribution = priced ? await attributionMeta(release) : {};
  return {
    data: rowsOf(page, [...shown]),
    meta: { set_aside: setAside, total: matched.length, universe: table.length, ...attribution },
  };
};

const PASSES: Readonly<Record<Operator, (order: number) => boolean>> = {
  gte: (order) => order >= 0,
  lte: (order) => order <= 0,
  gt: (order) => order > 0,
  lt: (order) => order < 0,
};

/** Rows that pass every clause, and how many lack a filtered figure (`set_aside`). */
function filter(table: ScreenTable, clauses: readonly Clause[]): { matched: number[]; setAside: number } {
  const tests = clauses.map(({ column, op, value }) => ({ cells: columnOf(table, column), passes: PASSES[op], value }));
  const matched: number[] = [];
  let setAside = 0;
  for (let row = 0; row < table.length; row += 1) {
    if (tests.some(({ cells }) => cellOf(cells, row) === null)) setAside += 1;
    else if (tests.every(({ cells, passes, value }) => passes(compareDecimals(String(cells[row]), value)))) {
      matched.push(row);
    }
  }
  return { matched, setAside };
}

/** By the sort column, missing figures last in either direction; ties by ticker, then CIK. */
function ordering(table: ScreenTable, sort: string, descending: boolean): (a: number, b: number) => number {
  const tickers = columnOf(table, 'ticker');
  const ciks = columnOf(table, 'cik');
  const byTicker = (a: number, b: number) => compareText(String(tickers[a]), String(tickers[b]));
  const tie = (a: number, b: number) => byTicker(a, b) || Number(ciks[a]) - Number(ciks[b]);
  const sign = descending ? -1 : 1;
  if (sort === 'ticker') return (a, b) => sign * byTicker(a, b) || tie(a, b);
  const cells = columnOf(table, sort);
  return (a, b) => {
    const [one, other] = [cellOf(cells, a), cellOf(cells, b)];
    if (one === null || other === null) return one === other ? tie(a, b) : one === null ? 1 : -1;
    return sign * compareDecimals(String(one), String(other)) || tie(a, b);
  };
}

function rowsOf(page: ScreenTable, names: readonly string[]): ScreenRow[] {
  const columns = names.map((name) => columnOf(page, name));
  // Copies of one row that are filled share its layout, which is made anew for each row built field by field.
  const blank: Record<string, Cell> = Object.fromEntries(names.map((name) => [name, null]));
  return Array.from({ length: page.length }, (_, row) => {
    const filled = { ...blank };
    for (const [index, cells] of columns.entries()) filled[names[index] as string] = cellOf(cells, row);
    // The columns of the identity are always among them.
    return filled as unknown as ScreenRow;
  });
}

function columnOf(table: ScreenTable, column: string): readonly Cell[] {
  const cells = table.columns[column];
  if (cells === undefined) throw new Error(`the release has no screen column ${column}`);
  return cells;
}

function cellOf(cells: readonly Cell[], row: number): Cell {
  const cell = cells[row];
  if (cell === undefined) throw new Error(`a screen column has no row ${row}`);
  return cell;
}
