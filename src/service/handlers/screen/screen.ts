/** `/v1/screen`: covered companies, filtered and sorted by their figures, current or as of a day. */
import { compareText } from '../../../contract/compare-text.ts';
import { compareDecimals } from '../../../contract/decimal-text.ts';
import type { Clause, Operator } from '../../../contract/question/where-clause.ts';
import type { ScreenRow } from '../../../contract/resources/screen.ts';
import { ADDED_COLUMNS, INDUSTRY_COLUMNS, PLAIN_COLUMNS, PRICED_COLUMNS } from '../../../contract/screen-columns.ts';
import type { ReleaseReader, ScreenTable } from '../../../store/reader.ts';
import { PRICES } from '../../../store/schema/prices.ts';
import { SCREEN } from '../../../store/schema/screen.ts';
import {
  SCREEN_HISTORY,
  SCREEN_HISTORY_COMPANIES,
  SCREEN_HISTORY_PRICES,
} from '../../../store/schema/screen-history.ts';
import type { Handler } from '../../handler.ts';
import { requireColumn, requireTable } from '../included-tables.ts';
import { attributionMeta } from '../prices/attribution.ts';
import { rowsOfIndustry } from './industry.ts';
import { PastScreen } from './past-screen.ts';

const IDENTITY = ['cik', 'ticker', 'exchange', 'entity_name'];
/** Price figures of a past day are included only when named: they need another table. */
const UNPRICED = PLAIN_COLUMNS.filter((name) => !PRICED_COLUMNS.has(name));
/** Columns that tell whether a company of a past day still reports. */
const STATUS = ['last_report', 'gone'];

type Cell = string | number | boolean | null;

export const screen: Handler<'screen'> = async ({ release, parameters }) => {
  const { where = [], sort, dir, limit, offset, as_of: asOf } = parameters;
  const { columns: chosen = asOf === undefined ? PLAIN_COLUMNS : UNPRICED } = parameters;
  const source = asOf === undefined ? release : await pastScreen(release, asOf);
  const filtered = new Set(where.map(({ column }) => column));
  for (const column of [...filtered, sort, ...chosen]) requireColumnOf(release, column, asOf !== undefined);
  const table = await source.screen([...filtered]);

  const ofIndustry = await rowsOfIndustry(release, source, parameters);
  const rows = ofIndustry?.rows ?? Array.from({ length: table.length }, (_, row) => row);
  const { matched, setAside } = filter(table, rows, where);
  // Reads the sort column only for these rows, which are the only ones compared.
  const sortedTable = await source.screen([sort], matched.length < table.length ? matched : undefined);
  const order = ordering(
    columnOf(sortedTable, sort),
    sort === 'ticker' ? compareText : compareDecimals,
    dir === 'desc',
  );
  const first = firstOf(
    matched.map((_, place) => place),
    offset + limit,
    order,
  ).map((place) => matched[place] as number);
  const shown = new Set([...IDENTITY, ...chosen, ...(asOf === undefined ? [] : STATUS)]);
  // Columns that are only shown are read for the page's rows alone.
  const page = await source.screen([...shown], first.slice(offset));
  // Filtering or sorting by a price reveals it, even if no column shows it.
  const priced = [sort, ...filtered, ...shown].some((column) => PRICED_COLUMNS.has(column));
  const attribution = priced ? await attributionMeta(release) : {};
  return {
    data: rowsOf(page, [...shown]),
    meta: {
      ...{ set_aside: setAside, total: matched.length, universe: rows.length },
      ...(ofIndustry === null ? {} : { left_out: ofIndustry.leftOut }),
      ...(ofIndustry?.ticker == null ? {} : { ticker: ofIndustry.ticker }),
      ...(asOf === undefined ? {} : { no_longer_reporting: await countGone(source, rows) }),
      ...attribution,
    },
  };
};

/** Throws a problem for a column that the release was built without. */
function requireColumnOf(release: ReleaseReader, column: string, isPast: boolean): void {
  if (isPast && PRICED_COLUMNS.has(column)) {
    // Without any prices these figures are empty, as in the current screen.
    if (release.includes(PRICES)) requireTable(release, SCREEN_HISTORY_PRICES, 'Price figures of past days');
  } else if (ADDED_COLUMNS.has(column)) {
    const ofPast = INDUSTRY_COLUMNS.includes(column) ? SCREEN_HISTORY_COMPANIES : SCREEN_HISTORY;
    requireColumn(release, isPast ? ofPast : SCREEN, column);
  }
}

function pastScreen(release: ReleaseReader, day: string): Promise<PastScreen> {
  requireTable(release, SCREEN_HISTORY, 'Screens of past days');
  return PastScreen.open(release, day);
}

/** Returns the number of companies of the day that are known to report no longer. */
async function countGone(source: Pick<ReleaseReader, 'screen'>, rows: readonly number[]): Promise<number> {
  const { columns } = await source.screen(['gone']);
  return rows.filter((row) => columns.gone?.[row] === true).length;
}

const PASSES: Readonly<Record<Operator, (order: number) => boolean>> = {
  gte: (order) => order >= 0,
  lte: (order) => order <= 0,
  gt: (order) => order > 0,
  lt: (order) => order < 0,
};

/**
 * Returns rows that pass every clause, and the number of rows that lack a filtered figure (`set_aside`), even if they
 * fail other clauses.
 */
function filter(
  table: ScreenTable,
  rows: readonly number[],
  clauses: readonly Clause[],
): { matched: readonly number[]; setAside: number } {
  const tests = clauses.map(({ column, op, value }) => ({ cells: columnOf(table, column), passes: PASSES[op], value }));
  const missing = new Uint8Array(table.length);
  // Uses a native search, because most rows have the figure.
  for (const { cells } of tests)
    for (let index = cells.indexOf(null); index >= 0; index = cells.indexOf(null, index + 1)) missing[index] = 1;
  const complete = clauses.length === 0 ? rows : rows.filter((row) => missing[row] === 0);
  let matched = complete;
  for (const { cells, passes, value } of tests) {
    matched = matched.filter((row) => passes(compareDecimals(String(cellOf(cells, row)), value)));
  }
  return { matched, setAside: rows.length - complete.length };
}

/** Missing figures come last in both directions; equal ones keep the order of the table, by ticker. */
function ordering(
  cells: readonly Cell[],
  compare: (one: string, other: string) => number,
  descending: boolean,
): (a: number, b: number) => number {
  const sign = descending ? -1 : 1;
  return (a, b) => {
    const one = cellOf(cells, a);
    const other = cellOf(cells, b);
    if (one === null || other === null) return one === other ? a - b : one === null ? 1 : -1;
    return sign * compare(String(one), String(other)) || a - b;
  };
}

/**
 * Returns the first `count` rows in an order. If `count` is small, most rows are only compared with the last of
 * these.
 */
function firstOf(rows: readonly number[], count: number, order: (a: number, b: number) => number): number[] {
  if (count * 8 > rows.length) return rows.toSorted(order).slice(0, count);
  const firstRows = rows.slice(0, count).sort(order);
  for (const row of rows.slice(count)) {
    if (order(row, firstRows.at(-1) as number) > 0) continue;
    let [low, high] = [0, count - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (order(row, firstRows[middle] as number) < 0) high = middle;
      else low = middle + 1;
    }
    firstRows.splice(low, 0, row);
    firstRows.pop();
  }
  return firstRows;
}

function rowsOf(page: ScreenTable, names: readonly string[]): ScreenRow[] {
  const columns = names.map((name) => columnOf(page, name));
  // Copies of one object share its hidden class, which V8 would create anew for each row built field by field.
  const blank: Record<string, Cell> = Object.fromEntries(names.map((name) => [name, null]));
  return Array.from({ length: page.length }, (_, row) => {
    const filled = { ...blank };
    for (const [index, cells] of columns.entries()) filled[names[index] as string] = cellOf(cells, row);
    // Safe: the identity columns are always included.
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
