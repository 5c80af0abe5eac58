/** `/v1/screen`: covered companies, filtered and sorted by their figures, current or as of a day. */

import { compareDecimals } from '../../../contract/decimal-text.ts';
import type { Meta } from '../../../contract/resources/envelope.ts';
import {
  ADDED_COLUMNS,
  DATE_COLUMNS,
  DEFAULT_COLUMNS,
  INDUSTRY_COLUMNS,
  PRICED_COLUMNS,
  SCREEN_FIGURES,
  UNCONFIRMED,
} from '../../../contract/screen-columns.ts';
import type { ScreenRow } from '../../../contract/screen-row.ts';
import { type Clause, passesClause } from '../../../contract/where-clause.ts';
import { listUnconfirmedColumns } from '../../../figures/screen/derive-screen-row.ts';
import { findFirstIndex } from '../../../platform/collections.ts';
import type { ReleaseReader, ScreenTable } from '../../../store/reader.ts';
import type { Cell } from '../../../store/schema/columns.ts';
import { PRICES } from '../../../store/schema/prices.ts';
import { HISTORY_COMPANIES, HISTORY_PRICES, SCREEN, SCREEN_HISTORY } from '../../../store/schema/screen.ts';
import type { Handler } from '../../request/handler.ts';
import { requireColumn, requireTable } from '../coverage/included-tables.ts';
import { readAttribution } from '../prices/security-prices.ts';
import { findRowsOfIndustry } from './industry.ts';
import { openPastScreen } from './past-screen.ts';
import { adjustForSplits } from './split-adjusted-screen.ts';

const IDENTITY_COLUMNS = ['cik', 'ticker', 'exchange', 'entity_name'];
/**
 * The default columns for a past day: all except price figures, which are read from another table and only if
 * requested.
 */
const DEFAULT_PAST_COLUMNS = DEFAULT_COLUMNS.filter((name) => !PRICED_COLUMNS.has(name));
/** Columns that show whether a company of a past screen still reports. */
const STATUS_COLUMNS = ['last_report', 'gone'];

const FIGURE_KEYS: ReadonlySet<string> = new Set(SCREEN_FIGURES.map(({ key }) => key));

export const handleScreen: Handler<'screen'> = async ({ release, parameters }) => {
  const { where = [], sort, dir, limit, offset, as_of: asOf, split_adjusted: adjusted } = parameters;
  const { columns: requested = asOf === undefined ? DEFAULT_COLUMNS : DEFAULT_PAST_COLUMNS } = parameters;
  if (asOf !== undefined) requireTable(release, SCREEN_HISTORY, 'Screener results for past days');
  const sourceAsFiled = asOf === undefined ? release : await openPastScreen(release, asOf);
  const source = adjusted ? adjustForSplits(release, sourceAsFiled, asOf ?? null) : sourceAsFiled;
  const filters = new Set(where.map(({ column }) => column));
  for (const column of [...filters, sort, ...requested]) requireScreenColumn(release, column, asOf !== undefined);
  const table = await source.screen([...filters]);

  const selection = await findRowsOfIndustry(release, source, parameters);
  const rows = selection?.rows ?? Array.from({ length: table.length }, (_, row) => row);
  const { matchingRows, setAside, missingCounts } = filterRows(table, rows, where);
  // The sort column is read only for matching rows. If all rows match, the whole column is read once for all pages.
  const sortedRows = matchingRows.length < table.length ? matchingRows : undefined;
  const missingBy = parameters.missing_by ? await countMissing(source, sortedRows, [sort, ...requested]) : null;
  const sign = dir === 'desc' ? -1 : 1;
  const compareRows =
    sort === 'ticker'
      ? // The table's rows are sorted by ticker.
        (a: number, b: number) => sign * (a - b)
      : createFigureComparison(getColumn(await source.screen([sort], sortedRows), sort), sign);
  const indices = matchingRows.map((_, index) => index);
  const firstIndices = takeFirst(indices, offset + limit, compareRows);
  const rowsToPageEnd = firstIndices.map((index) => matchingRows[index] as number);
  const shownColumns = new Set([...IDENTITY_COLUMNS, ...requested, ...(asOf === undefined ? [] : STATUS_COLUMNS)]);
  // Columns that neither filter nor sort are read only for the rows of the page.
  const mark = release.includes(asOf === undefined ? SCREEN : SCREEN_HISTORY, UNCONFIRMED) ? [UNCONFIRMED] : [];
  const page = await source.screen([...shownColumns, ...mark], rowsToPageEnd.slice(offset));
  // A filter or sort by price reveals prices, so prices need attribution even if no column shows them.
  const usesPrices = [sort, ...filters, ...shownColumns].some((column) => PRICED_COLUMNS.has(column));
  const credit = usesPrices ? await readAttribution(release) : {};
  return {
    data: toScreenRows(page, [...shownColumns]),
    meta: {
      set_aside: setAside,
      total: matchingRows.length,
      universe: rows.length,
      ...(parameters.set_aside_by ? { set_aside_by: missingCounts } : {}),
      ...(missingBy === null ? {} : { missing_by: missingBy }),
      ...(selection === null ? {} : { left_out: selection.leftOutCount, industry_unknown: selection.unknownCount }),
      ...(selection?.ticker == null ? {} : { ticker: selection.ticker }),
      ...(asOf === undefined ? {} : { no_longer_reporting: await countGoneCompanies(source, rows) }),
      ...credit,
    },
  };
};

/** @throws {ProblemError} 404 if the release was built without the column */
function requireScreenColumn(release: ReleaseReader, column: string, isPast: boolean): void {
  if (isPast && PRICED_COLUMNS.has(column)) {
    // If the release has no prices, price figures are empty, as in the current screen.
    if (release.includes(PRICES)) requireTable(release, HISTORY_PRICES, 'Price columns for past days');
    // A date column that an older release lacks is treated as empty, so that its figure can be shown.
  } else if (ADDED_COLUMNS.has(column) && !DATE_COLUMNS.includes(column)) {
    const table = INDUSTRY_COLUMNS.includes(column) ? HISTORY_COMPANIES : SCREEN_HISTORY;
    requireColumn(release, isPast ? table : SCREEN, column);
  }
}

/** Returns the number of companies in a past screen that are known to have stopped reporting. */
async function countGoneCompanies(source: Pick<ReleaseReader, 'screen'>, rows: readonly number[]): Promise<number> {
  const { columns } = await source.screen(['gone']);
  return rows.filter((row) => columns.gone?.[row] === true).length;
}

/**
 * Returns the rows that pass every clause. A row that lacks a figure of any clause is not returned but counted: once in
 * `setAside`, and in `missingCounts` for each figure that it lacks.
 */
function filterRows(table: ScreenTable, rows: readonly number[], clauses: readonly Clause[]) {
  const tests = clauses.map((clause) => ({ clause, cells: getColumn(table, clause.column) }));
  const lacksFigureFlags = new Uint8Array(table.length);
  // `indexOf` is fast, because most rows have the figure.
  for (const { cells } of tests)
    for (let row = cells.indexOf(null); row >= 0; row = cells.indexOf(null, row + 1)) lacksFigureFlags[row] = 1;
  const complete = clauses.length === 0 ? rows : rows.filter((row) => lacksFigureFlags[row] === 0);
  let matches = complete;
  for (const { clause, cells } of tests)
    matches = matches.filter((row) => passesClause(clause, String(getCell(cells, row))));
  const aside = rows.length - complete.length;
  const columns = aside === 0 ? [] : [...new Set(clauses.map(({ column }) => column))];
  const missingCounts = columns.map((column): MissingCount => {
    const cells = getColumn(table, column);
    return { column, companies: rows.reduce((missing, row) => missing + (getCell(cells, row) === null ? 1 : 0), 0) };
  });
  return { matchingRows: matches, setAside: aside, missingCounts };
}

/**
 * For each column that is a figure, counts the rows that lack the figure; counts all rows of the table if `rows` is
 * missing.
 */
async function countMissing(
  source: Pick<ReleaseReader, 'screen'>,
  rows: readonly number[] | undefined,
  columns: readonly string[],
): Promise<MissingCount[]> {
  const figures = [...new Set(columns)].filter((column) => FIGURE_KEYS.has(column));
  const table = await source.screen(figures, rows);
  return figures.map((column) => {
    const cells = getColumn(table, column);
    return { column, companies: cells.filter((cell) => cell === null).length };
  });
}

type MissingCount = NonNullable<Meta['missing_by']>[number];

/**
 * Returns a comparison of rows by figure. In both directions, missing figures come last, and rows with equal figures
 * stay sorted by ticker.
 */
const createFigureComparison = (cells: readonly Cell[], sign: 1 | -1) => (a: number, b: number) => {
  const cellA = getCell(cells, a);
  const cellB = getCell(cells, b);
  if (cellA === null || cellB === null) return cellA === cellB ? a - b : cellA === null ? 1 : -1;
  return sign * compareDecimals(String(cellA), String(cellB)) || a - b;
};

/** Returns the first `count` rows in sorted order. For a small `count`, does not sort all rows. */
function takeFirst(rows: readonly number[], count: number, compare: (a: number, b: number) => number): number[] {
  if (count * 8 > rows.length) return rows.toSorted(compare).slice(0, count);
  const first = rows.slice(0, count).sort(compare);
  for (const row of rows.slice(count)) {
    if (compare(row, first.at(-1) as number) > 0) continue;
    const place = findFirstIndex(0, count - 1, (index) => compare(row, first[index] as number) < 0);
    first.splice(place, 0, row);
    first.pop();
  }
  return first;
}

function toScreenRows(page: ScreenTable, names: readonly string[]): ScreenRow[] {
  const columns = names.map((name) => getColumn(page, name));
  // The column is absent in releases of earlier layouts.
  const unconfirmedCells = page.columns[UNCONFIRMED] ?? [];
  // Rows are copies of one object, so that they share its hidden class; building each row field by field would be
  // slower.
  const blank: Record<string, Cell> = Object.fromEntries(names.map((name) => [name, null]));
  return Array.from({ length: page.length }, (_, row) => {
    const screenRow = { ...blank };
    for (const [index, cells] of columns.entries()) screenRow[names[index] as string] = getCell(cells, row);
    const unconfirmed = listUnconfirmedColumns((unconfirmedCells[row] ?? null) as string | null);
    const keys = unconfirmed.filter((key) => key in screenRow);
    if (keys.length > 0) screenRow[UNCONFIRMED] = keys.join(' ');
    // The cast is safe, because the identity columns are always included.
    return screenRow as unknown as ScreenRow;
  });
}

function getColumn(table: ScreenTable, column: string): readonly Cell[] {
  const cells = table.columns[column];
  if (cells === undefined) throw new Error(`the release has no screen column ${column}`);
  return cells;
}

function getCell(cells: readonly Cell[], row: number): Cell {
  const cell = cells[row];
  if (cell === undefined) throw new Error(`a screen column has no row ${row}`);
  return cell;
}
