/**
 * Makes the tables of past screens, year by year. While companies are derived, workers write the changes of each
 * company's screener row by year. Afterwards, one task per year sorts these changes by month.
 */

import { compareText } from '../../contract/compare-text.ts';
import { CURRENCY_COLUMN, UNCONFIRMED } from '../../contract/screen-columns.ts';
import type { SplitRatio } from '../../contract/split-ratio.ts';
import type { CompanyFigures } from '../../figures/company.ts';
import { findSplitAdjustmentDay, SHARE_COUNT_KEY } from '../../figures/derived/share-counts.ts';
import type { Quotes } from '../../figures/prices/market-price.ts';
import { splitIntoChains } from '../../figures/revisions/revision-chain.ts';
import type { ScreenFigures } from '../../figures/screen/derive-screen-row.ts';
import { PRICE_FIGURES, SHARE_PRICE_FIGURES } from '../../figures/screen/price-figures.ts';
import { buildQuotedStates, type RowEvent } from '../../figures/screen/quoted-states.ts';
import type { ScreenEvent } from '../../figures/screen/screen-states.ts';
import { deriveScreenEvents, MAX_FISCAL_YEAR_AGE_MONTHS } from '../../figures/screen/screen-states.ts';
import { groupBy } from '../../platform/collections.ts';
import { addMonths } from '../../platform/dates.ts';
import type { Table } from '../../store/schema/declare-table.ts';
import type { HistoryPriceRow, HistoryRow } from '../../store/schema/screen.ts';
import {
  computeMonthKey,
  EMPTIED_CELL,
  HISTORY_COLUMNS,
  HISTORY_PRICES,
  PRICED_OPERANDS,
  QUARTERLY_COLUMNS,
  REPEAT_MONTHS,
  SCREEN_HISTORY,
} from '../../store/schema/screen.ts';
import { PartSink, type TablePart } from '../../store/table-part.ts';
import { makeTextOutputs, type SharedOutput } from '../filings/filing-lists.ts';
import { readJsonLines, type Slice } from '../tasks/slices.ts';
import type { Task } from '../tasks/task.ts';

type Cells = readonly (string | null)[];

/** `changes`: only the changed cells. `whole`: all cells. `repeated`: all cells of an earlier, unchanged state. */
type RowKind = 'changes' | 'whole' | 'repeated';

/** A row of past screens as a JSON line: CIK, day, kind, and cells in the order of `STATE_COLUMNS`. */
type StateLine = readonly [cik: number, day: string, kind: RowKind, ...cells: Cells];

/** A company's screener row from a day on; `cells` is null if the company has no row from this day on. */
interface ScreenRowState {
  readonly day: string;
  readonly cells: Cells | null;
}

/** A row of past prices as a JSON line: CIK, day, and cells in the order of `QUOTE_FIELDS`. */
type QuoteLine = readonly [cik: number, day: string, ...cells: Cells];

const STATE_COLUMNS: readonly string[] = [...HISTORY_COLUMNS, PRICED_OPERANDS, UNCONFIRMED];
const QUOTE_FIELDS = ['priceDay', 'price', 'shares', 'earningsRatio', 'dividendsRatio'] as const;

/**
 * Returns a company's rows as JSON lines: one item for each table and year.
 * @param quotes all prices of the primary security; null without prices
 */
export function makeHistoryLines(
  cik: number,
  { reportedValues, splits }: Pick<CompanyFigures, 'reportedValues' | 'splits'>,
  quotes: Quotes | null,
): SharedOutput[] {
  const chains = splitIntoChains(reportedValues);
  const byYear = { states: new Map<number, string>(), quotes: new Map<number, string>() };
  const addLine = (texts: Map<number, string>, line: StateLine | QuoteLine) => {
    const year = Number(line[1].slice(0, 4));
    texts.set(year, `${texts.get(year) ?? ''}${JSON.stringify(line)}\n`);
  };
  const events: RowEvent[] = [];
  const states: ScreenRowState[] = [];
  let previousCellsText = 'null';
  for (const event of deriveScreenEvents(chains, splits)) {
    const { day, row } = event;
    if (quotes !== null) events.push({ day, hasRow: row !== null, adjustmentDays: findAdjustmentDays(event) });
    const cells: Cells | null =
      row === null ? null : [...makeCells(row), quotes === null ? null : formatOperands(event), row.unconfirmed];
    const text = JSON.stringify(cells);
    if (text === previousCellsText) continue;
    previousCellsText = text;
    states.push({ day, cells });
  }
  for (const line of makeStateLines(cik, states)) addLine(byYear.states, line);
  const values = quotes === null ? [] : chains.filter(([first]) => first?.metricKey === SHARE_COUNT_KEY).flat();
  for (const state of quotes === null ? [] : buildQuotedStates(events, quotes, values, splits)) {
    const { day, priceDay, price, shares, ratios } = state;
    addLine(byYear.quotes, [cik, day, priceDay, price, shares, ...ratios.map(formatRatio)]);
  }
  return [...makeTextOutputs('states', byYear.states), ...makeTextOutputs('quotes', byYear.quotes)];
}

const EMPTY_CELLS: Cells = STATE_COLUMNS.map(() => null);
/**
 * Index of the cell with the end of the fiscal year. If this cell changes, the company's next row has all cells, not
 * only the changed cells.
 */
const YEAR_END = STATE_COLUMNS.indexOf('annual_end_date');

/** Placeholder for a missing day, later than the day of any state. */
const NO_DAY = '9999-12-31';

/**
 * Yields a company's rows: one per state, with all cells or only the changed cells. After a row with all
 * cells and REPEAT_MONTHS months without another, repeats the state once with all cells, if its fiscal year is recent.
 * @param states earliest first; consecutive states differ
 */
function* makeStateLines(cik: number, states: readonly ScreenRowState[]): Generator<StateLine> {
  let previous: Cells | null = null;
  let repeat = NO_DAY;
  for (const [index, { day, cells }] of states.entries()) {
    const isWhole = previous === null || cells === null || previous[YEAR_END] !== cells[YEAR_END] || day === repeat;
    const row = cells === null ? EMPTY_CELLS : isWhole ? cells : blankUnchangedCells(previous ?? EMPTY_CELLS, cells);
    yield [cik, day, isWhole ? 'whole' : 'changes', ...row];
    if (isWhole) repeat = addMonths(`${day.slice(0, 7)}-01`, REPEAT_MONTHS + 1);
    previous = cells;
    const nextDay = states[index + 1]?.day ?? NO_DAY;
    if (repeat > day && repeat < nextDay && isFiscalYearRecent(repeat, cells))
      yield [cik, repeat, 'repeated', ...(cells ?? EMPTY_CELLS)];
  }
}

function isFiscalYearRecent(day: string, cells: Cells | null): boolean {
  const yearEnd = cells?.[YEAR_END] ?? null;
  return yearEnd !== null && yearEnd >= addMonths(day, -MAX_FISCAL_YEAR_AGE_MONTHS);
}

const blankUnchangedCells = (previous: Cells, cells: Cells): Cells =>
  cells.map((cell, index) => (previous[index] === cell ? null : (cell ?? EMPTIED_CELL)));

const makeCells = ({ fiscalYear, currency, figures, dates }: ScreenFigures): Cells =>
  HISTORY_COLUMNS.map((name) => {
    if (name === 'fiscal_year') return fiscalYear === null ? null : String(fiscalYear);
    if (name === CURRENCY_COLUMN) return currency;
    const cell = figures[name] === undefined ? dates[name] : figures[name];
    if (cell === undefined) throw new Error(`a past row of the screener has no ${name}`);
    return cell;
  });

/**
 * Returns the cell of the column PRICED_OPERANDS: the filed amounts that price figures use but the row does
 * not show; null if the row shows all of these amounts. `key=value`: the operand of a ratio. `key+value`: an amount
 * added to the market capitalization.
 */
function formatOperands({ row, findFiledFigures }: ScreenEvent): string | null {
  const byKey = new Map<string, string>();
  const texts = PRICE_FIGURES.flatMap((figure) => {
    const { key, sum: sumKey, operand: operandKey } = figure;
    const operands = findFiledFigures(figure);
    const addend = operands.added?.value ?? '';
    const value = operands.operand?.value ?? '';
    const operand = operandKey === null ? '' : (row?.figures[operandKey] ?? '');
    const shownAddend = sumKey === null ? addend : (byKey.get(sumKey) ?? '');
    if (operandKey === null) byKey.set(key, addend);
    return [...(value === operand ? [] : [`${key}=${value}`]), ...(addend === shownAddend ? [] : [`${key}+${addend}`])];
  });
  return texts.length === 0 ? null : texts.join(' ');
}

const findAdjustmentDays = ({ findFiledFigures }: ScreenEvent): (string | null)[] =>
  SHARE_PRICE_FIGURES.map((figure) => {
    const { operand } = findFiledFigures(figure);
    return operand === null ? null : findSplitAdjustmentDay(operand);
  });

const formatRatio = (ratio: SplitRatio | null): string | null => ratio && `${ratio.newShares}:${ratio.oldShares}`;

export interface ScreenMonthsTask extends Task<ScreenMonthsPart> {
  readonly kind: 'screen months';
  readonly tables: 'states' | 'quotes';
  /** Includes only states of screener rows that begin by this day; null includes all states of the year. */
  readonly lastStateDay: string | null;
  /** Lines of the year, by ascending CIK. */
  readonly lines: readonly Slice[];
}

interface ScreenMonthsPart {
  readonly parts: readonly TablePart[];
  /** CIKs of companies with rows, ascending. */
  readonly ciks: readonly number[];
}

export async function makeScreenMonths({ tables, lastStateDay, lines }: ScreenMonthsTask): Promise<ScreenMonthsPart> {
  if (tables === 'quotes')
    return makeMonthsPart(HISTORY_PRICES, Array.from(readJsonLines<QuoteLine>(lines), toPriceRow));
  const rows = Array.from(readJsonLines<StateLine>(lines), toStateRow);
  const included = rows.filter(({ day }) => lastStateDay === null || day <= lastStateDay);
  return makeMonthsPart(SCREEN_HISTORY, included, changesOnlyQuarterlyFigures);
}

/**
 * In a year with at least this number of rows, each month has one or two row groups of its own. In a year with fewer
 * rows, months share row groups.
 */
const MIN_ROWS_TO_SPLIT = 4000;

/**
 * Makes the part of a table with the months of one year.
 * @param isSplit whether some requests do not need the row. Companies with only such rows in a month go into a
 * second row group of the month.
 */
function makeMonthsPart<Row extends Pick<HistoryRow, 'month' | 'cik' | 'day'>>(
  table: Table<Row>,
  rows: readonly Row[],
  isSplit: (row: Row) => boolean = () => false,
): ScreenMonthsPart {
  const sink = new PartSink(table);
  const byMonth = [...groupBy(rows, ({ month }) => month)].sort(([a], [b]) => a - b);
  for (const [month, monthRows] of byMonth) {
    const sortedRows = monthRows.toSorted((a, b) => a.cik - b.cik || compareText(a.day, b.day));
    if (rows.length < MIN_ROWS_TO_SPLIT) {
      sink.add(month, sortedRows);
      continue;
    }
    const ciks = new Set(sortedRows.filter((row) => !isSplit(row)).map(({ cik }) => cik));
    for (const isFirst of [true, false]) {
      const half = sortedRows.filter(({ cik }) => ciks.has(cik) === isFirst);
      sink.add(month, half);
      sink.endGroup();
    }
  }
  const ciks = [...new Set(rows.map(({ cik }) => cik))].sort((a, b) => a - b);
  return { parts: [sink.finish(0)], ciks };
}

/** Whether the row changes only quarterly figures. Requests for other figures can skip such a row. */
const changesOnlyQuarterlyFigures = (row: HistoryRow): boolean =>
  !row.whole && STATE_COLUMNS.every((name) => row[name] === null || QUARTERLY_COLUMNS.has(name));

function toStateRow([cik, day, kind, ...cells]: StateLine): HistoryRow {
  const flags = { whole: kind !== 'changes', repeated: kind === 'repeated' };
  const row: Record<string, string | number | boolean | null> = { month: computeMonthKey(day), cik, day, ...flags };
  for (const [index, name] of STATE_COLUMNS.entries()) row[name] = cells[index] ?? null;
  return row as HistoryRow;
}

function toPriceRow([cik, day, ...cells]: QuoteLine): HistoryPriceRow {
  const fields = Object.fromEntries(QUOTE_FIELDS.map((field, index) => [field, cells[index] ?? null]));
  // The cast is safe, because `makeHistoryLines` writes the cells in the order of these fields.
  return { month: computeMonthKey(day), cik, day, ...fields } as unknown as HistoryPriceRow;
}
