/**
 * The screener's table as of the end of a day: every company whose last fiscal year ended within 18 months before the
 * day and was reported by then, even if the company no longer reports.
 */
import { multiply } from '../../../contract/decimal.ts';
import { INDUSTRY_COLUMNS, PRICED_COLUMNS, UNCONFIRMED } from '../../../contract/screen-columns.ts';
import { convertToPerNewShare } from '../../../contract/split-ratio.ts';
import { areTwelveMonthsRecent } from '../../../figures/screen/derive-screen-row.ts';
import type { FiledOperands, PriceFigure } from '../../../figures/screen/price-figures.ts';
import { computePriceFigure, PRICE_FIGURES, SHARE_PRICE_FIGURES } from '../../../figures/screen/price-figures.ts';
import { MAX_FISCAL_YEAR_AGE_MONTHS } from '../../../figures/screen/screen-states.ts';
import { addMonths } from '../../../platform/dates.ts';
import type { ReleaseReader, ScreenTable } from '../../../store/reader.ts';
import type { Cell } from '../../../store/schema/columns.ts';
import {
  HISTORY_COLUMNS,
  HISTORY_COMPANIES,
  PRICED_OPERANDS,
  REPEAT_MONTHS,
  TWELVE_MONTHS_COLUMNS,
} from '../../../store/schema/screen.ts';
import { PastCells } from './past-cells.ts';
import { type PastQuote, type QuoteFinder, readPastQuoteFinder } from './past-quotes.ts';

/** Columns that do not change from day to day. */
const COMPANY_COLUMNS = ['cik', 'ticker', 'exchange', 'entity_name', 'last_report', 'gone', ...INDUSTRY_COLUMNS];

/** Data of a day that the pages of a screen share, so that the data is read once. */
interface PastDay {
  readonly day: string;
  readonly cells: CellReader;
  readonly companies: readonly PastCompany[];
  /** Opened once, because filters, sorting and pages use the same prices. */
  quoteFinder: Promise<QuoteFinder> | null;
  /** Columns already read for all companies. */
  readonly columns: Map<string, readonly Cell[]>;
}

/** Reads the cells of columns on a day for companies. */
type CellReader = ReturnType<typeof createCellReader>;

/** For each release, the last requested day, and the cells kept for that day. */
const lastDays = new WeakMap<object, { readonly past: PastDay; readonly history: PastCells }>();

/** Opens the screener's table as of a day; rows are sorted by ticker. */
export async function openPastScreen(release: ReleaseReader, day: string): Promise<Pick<ReleaseReader, 'screen'>> {
  const past = await findOrReadDay(release, day);
  const { companies: all, columns: shared } = past;

  async function screen(columns: readonly string[], rows?: readonly number[]): Promise<ScreenTable> {
    const companies = rows === undefined ? all : rows.map((row) => all[row] as PastCompany);
    const columnsToRead = columns.filter((name) => !shared.has(name));
    const columnsByName = new Map([
      ...(await readCompanyColumns(columnsToRead, companies)),
      ...(await readHistoryColumns(columnsToRead, companies)),
      ...(await readPriceColumns(columnsToRead, companies)),
    ]);
    if (rows === undefined) for (const [name, cells] of columnsByName) shared.set(name, cells);
    const cellsOf = (column: string): readonly Cell[] => {
      const cells = shared.get(column);
      if (cells !== undefined) return rows === undefined ? cells : rows.map((row) => cells[row] ?? null);
      return columnsByName.get(column) ?? makeConstantColumn(column, companies.length);
    };
    const entries = columns.map((name) => [name, cellsOf(name)] as const);
    return { length: companies.length, columns: Object.fromEntries(entries) as ScreenTable['columns'] };
  }

  async function readCompanyColumns(columns: readonly string[], companies: readonly PastCompany[]) {
    const names = columns.filter((name) => COMPANY_COLUMNS.includes(name));
    const positions = companies.map(({ position }) => position);
    const cells = names.length === 0 ? [] : await release.columnsOf(HISTORY_COMPANIES, names, positions);
    return names.map((name, index) => [name, cells[index] as readonly Cell[]] as const);
  }

  async function readPriceColumns(columns: readonly string[], companies: readonly PastCompany[]) {
    const names = columns.filter((name) => PRICED_COLUMNS.has(name));
    if (names.length === 0 || companies.length === 0) return names.map((name) => [name, []] as const);
    past.quoteFinder ??= readPastQuoteFinder(release, day).catch((error) => {
      past.quoteFinder = null;
      throw error;
    });
    const quotesOf = await past.quoteFinder;
    const quotes = quotesOf(companies.map(({ cik }) => cik));
    const figures = PRICE_FIGURES.filter(({ key }) => names.includes(key));
    const operands = [...new Set(figures.flatMap(({ operand }) => operand ?? []))];
    // `ttm_end_date` changes with every quarterly report, so many row groups must be read for it.
    const needsEnds = operands.some((name) => TWELVE_MONTHS_COLUMNS.includes(name));
    const neededColumns = [...operands, PRICED_OPERANDS, ...(needsEnds ? ['ttm_end_date'] : [])];
    const byOperand = new Map(figures.length === 0 ? [] : await readHistoryColumns(neededColumns, companies));
    return names.map((name): [string, readonly Cell[]] => {
      if (name === 'price_day') return [name, quotes.map((quote) => quote?.priceDay ?? null)];
      const figure = figures.find(({ key }) => key === name);
      const cells =
        figure === undefined
          ? quotes.map((quote) => quote && computePriceOrMarketCap(quote, name))
          : computePriceFigureCells(figure, quotes, byOperand);
      return [name, cells];
    });
  }

  async function readHistoryColumns(columns: readonly string[], companies: readonly PastCompany[]) {
    const keys = columns.filter((name) => COLUMN_NAMES.has(name));
    if (companies.length === 0) return keys.map((name) => [name, [] as readonly Cell[]] as const);
    const hasTwelveMonths = keys.some((key) => TWELVE_MONTHS_COLUMNS.includes(key));
    const neededColumns = hasTwelveMonths ? [...new Set([...keys, 'ttm_end_date'])] : keys;
    const columnsOfCompanies = await past.cells(release, neededColumns, companies);
    const ends = columnsOfCompanies[neededColumns.indexOf('ttm_end_date')] ?? [];
    const isCurrent = (end: Cell) => end !== null && areTwelveMonthsRecent(String(end), day);
    const current = new Set([...new Set(ends)].filter(isCurrent));
    return keys.map((name, index) => {
      const cells = columnsOfCompanies[index] as readonly Cell[];
      if (name === 'fiscal_year') return [name, cells.map((cell) => (cell === null ? null : Number(cell)))] as const;
      if (!TWELVE_MONTHS_COLUMNS.includes(name)) return [name, cells] as const;
      return [name, cells.map((cell, company) => (current.has(ends[company] ?? null) ? cell : null))] as const;
    });
  }

  return { screen };
}

async function findOrReadDay(release: ReleaseReader, day: string): Promise<PastDay> {
  const last = lastDays.get(release.manifest);
  if (last?.past.day === day) return last.past;
  const [ciks = []] = await release.columnsOf(HISTORY_COMPANIES, ['cik']);
  const next = last !== undefined && isNextDay(last.past.day, day) ? last : null;
  const history = next?.history ?? new PastCells(ciks);
  const cells = createCellReader(history, ciks, day, next !== null);
  const all = ciks.map((cik, position) => ({ cik, position }));
  const [yearEnds = []] = await cells(release, ['annual_end_date'], all);
  const earliest = addMonths(day, -MAX_FISCAL_YEAR_AGE_MONTHS);
  const companies = all.filter(({ position }) => {
    const yearEnd = yearEnds[position] ?? null;
    return yearEnd !== null && String(yearEnd) >= earliest;
  });
  const past: PastDay = { day, cells, companies, quoteFinder: null, columns: new Map() };
  lastDays.set(release.manifest, { past, history });
  return past;
}

/** Whether to continue from the cells of the last day. After more months, a new start reads fewer rows. */
const isNextDay = (last: string, day: string): boolean => last < day && day <= addMonths(last, REPEAT_MONTHS);

/**
 * Reads the cells of a day from the kept cells; from new cells if another request has moved the kept ones to a later
 * day.
 */
function createCellReader(history: PastCells, ciks: readonly Cell[], day: string, isSequence: boolean) {
  let newCells: PastCells | null = null;
  return async (release: ReleaseReader, names: readonly string[], companies: readonly PastCompany[]) => {
    const request = { day, names, companies: companies.map(({ position }) => position), isSequence };
    const cells = await history.read(release, request);
    if (cells !== null) return cells;
    newCells ??= new PastCells(ciks);
    return (await newCells.read(release, request)) ?? [];
  };
}

const toTextOrNull = (cell: Cell | undefined): string | null => (cell == null ? null : String(cell));

/** Columns of the price tables: the split ratio of each figure in `SHARE_PRICE_FIGURES`, in the same order. */
const SPLIT_RATIO_COLUMNS = ['earnings_ratio', 'dividends_ratio'];

/** Returns the price for the column `price`, and the market capitalization for any other column. */
function computePriceOrMarketCap({ price, read }: PastQuote, column: string): string | null {
  if (column === 'price') return price;
  const shares = read('shares');
  return shares === null ? null : multiply(price, shares);
}

/**
 * Returns the cells of a price figure, one per company.
 * @param quotes the price of each company; null if the company has no price
 * @param cells the columns with operands, and the end of trailing twelve months
 */
function computePriceFigureCells(
  figure: PriceFigure,
  quotes: readonly (PastQuote | null)[],
  cells: ReadonlyMap<string, readonly Cell[]>,
): (string | null)[] {
  const operands = cells.get(figure.operand ?? '');
  const ends = TWELVE_MONTHS_COLUMNS.includes(figure.operand ?? '') ? cells.get('ttm_end_date') : undefined;
  const pricedOperands = cells.get(PRICED_OPERANDS);
  const readOperands = createOperandReader(figure);
  const ratioColumn = SPLIT_RATIO_COLUMNS[SHARE_PRICE_FIGURES.indexOf(figure)];
  return quotes.map((quote, index) => {
    if (quote === null || ends?.[index] === null) return null;
    const { added, operand } = readOperands(toTextOrNull(operands?.[index]), toTextOrNull(pricedOperands?.[index]));
    const adjusted = ratioColumn === undefined ? operand : convertAmountPerShare(operand, quote.read(ratioColumn));
    return computePriceFigure(figure, computePriceOrMarketCap(quote, figure.market), { added, operand: adjusted });
  });
}

/**
 * Returns a function that returns the filed amounts of a figure for one row. The cell of `PRICED_OPERANDS` has the
 * amount that the figure adds, and may have an operand that replaces the operand of the row.
 */
function createOperandReader({ key, sum }: PriceFigure) {
  const [operandStart, addedStart, sumStart] = [`${key}=`, `${key}+`, `${sum}+`];
  return (shown: string | null, filed: string | null): FiledOperands => {
    const findTextAfter = (start: string): string | undefined =>
      // Most cells contain only operands of other figures, so the cell is rarely split into entries.
      filed?.includes(start)
        ? filed
            .split(' ')
            .find((text) => text.startsWith(start))
            ?.slice(start.length)
        : undefined;
    const amount = sum === null ? '0' : (findTextAfter(addedStart) ?? findTextAfter(sumStart) ?? '');
    return { added: amount || null, operand: (findTextAfter(operandStart) ?? shown) || null };
  };
}

/**
 * Converts an amount per old share to an amount per new share, by a split ratio such as `4:1`; null if the amount or
 * the ratio is unknown.
 */
function convertAmountPerShare(amount: string | null, ratio: string | null): string | null {
  if (amount === null || ratio === null) return null;
  const separator = ratio.indexOf(':');
  return convertToPerNewShare(amount, { newShares: ratio.slice(0, separator), oldShares: ratio.slice(separator + 1) });
}

/** A company with a valid row on the screened day. */
interface PastCompany {
  readonly cik: Cell;
  /** Row number in the table of companies. */
  readonly position: number;
}

/** Columns of figures; excludes columns that identify a row. */
const COLUMN_NAMES: ReadonlySet<string> = new Set([...HISTORY_COLUMNS, PRICED_OPERANDS, UNCONFIRMED]);

/**
 * Returns the column `coverage_state`, which is `covered` in all rows, because a company without core metrics has no
 * row. Throws for any other column.
 */
function makeConstantColumn(column: string, length: number): readonly Cell[] {
  if (column === 'coverage_state') return Array<Cell>(length).fill('covered');
  throw new Error(`the screen of a past day has no column ${column}`);
}
