/**
 * The screener's table as of the end of a day: every company whose last fiscal year ended within 18 months before the
 * day and was reported by then, even if the company no longer reports.
 */
import { multiply } from '../../../contract/decimal.ts';
import { findDefinition } from '../../../contract/figures.ts';
import { INDUSTRY_COLUMNS, PRICE_DEPENDENT_COLUMNS, UNCONFIRMED_COLUMN } from '../../../contract/screen-columns.ts';
import { convertToPerNewShare } from '../../../contract/split-ratio.ts';
import {
  computePriceFigure,
  type FiledOperands,
  PRICE_FIGURES,
  type PriceFigure,
  SHARE_PRICE_FIGURES,
} from '../../../figures/screen/price-figures.ts';
import { areTwelveMonthsRecent } from '../../../figures/screen/screen.ts';
import { MAX_FISCAL_YEAR_AGE_MONTHS } from '../../../figures/screen/screen-states.ts';
import { addMonths } from '../../../platform/dates.ts';
import type { ReleaseReader, ScreenTable } from '../../../store/reader.ts';
import {
  HISTORY_COLUMNS,
  PRICED_OPERANDS_COLUMN_NAME,
  SCREEN_HISTORY_COMPANIES,
} from '../../../store/schema/screen-history.ts';
import type { Cell } from '../../../store/schema/table.ts';
import { HistoryRows } from './history-rows.ts';
import { type PastQuote, type QuoteFinder, readPastQuoteFinder } from './past-quotes.ts';

/** Columns that do not change from day to day. */
const COMPANY_COLUMNS = ['cik', 'ticker', 'exchange', 'entity_name', 'last_report', 'gone', ...INDUSTRY_COLUMNS];

export class PastScreen {
  readonly #release: ReleaseReader;
  readonly #day: string;
  readonly #history: HistoryRows;
  readonly #companies: readonly PastCompany[];
  /** Opened once, because filters, sorting and the page use the same prices. */
  #quoteFinder: Promise<QuoteFinder> | null = null;
  /** Columns already read for all companies. Reused, because a page often shows columns that a filter has read. */
  readonly #columnsOfAllCompanies = new Map<string, readonly Cell[]>();

  private constructor(release: ReleaseReader, day: string, history: HistoryRows, companies: readonly PastCompany[]) {
    this.#release = release;
    this.#day = day;
    this.#history = history;
    this.#companies = companies;
  }

  static async open(release: ReleaseReader, day: string): Promise<PastScreen> {
    const [history, [companyCiks = []]] = await Promise.all([
      HistoryRows.open(release, day),
      release.columnsOf(SCREEN_HISTORY_COMPANIES, ['cik']),
    ]);
    const [yearEnds = []] = await history.readCellsOfCompanies(['annual_end_date']);
    const earliestFiscalYearEnd = addMonths(day, -MAX_FISCAL_YEAR_AGE_MONTHS);
    const companies: PastCompany[] = [];
    for (let position = 0; position < companyCiks.length; position += 1) {
      const cik = companyCiks[position] as Cell;
      const companyNumber = history.findCompanyNumber(cik);
      const fiscalYearEnd = companyNumber === undefined ? null : (yearEnds[companyNumber] ?? null);
      if (companyNumber !== undefined && fiscalYearEnd !== null && String(fiscalYearEnd) >= earliestFiscalYearEnd)
        companies.push({ cik, position, number: companyNumber });
    }
    return new PastScreen(release, day, history, companies);
  }

  /** Returns columns of all rows or of selected rows; rows are sorted by ticker. */
  async screen(columns: readonly string[], rows?: readonly number[]): Promise<ScreenTable> {
    const companies = rows === undefined ? this.#companies : rows.map((row) => this.#companies[row] as PastCompany);
    const columnsToRead = columns.filter((name) => !this.#columnsOfAllCompanies.has(name));
    const columnsByName = new Map([
      ...(await this.#readCompanyColumns(columnsToRead, companies)),
      ...(await this.#readHistoryColumns(columnsToRead, companies)),
      ...(await this.#readPriceColumns(columnsToRead, companies)),
    ]);
    if (rows === undefined) for (const [name, cells] of columnsByName) this.#columnsOfAllCompanies.set(name, cells);
    const getCells = (columnName: string): readonly Cell[] => {
      const allCells = this.#columnsOfAllCompanies.get(columnName);
      if (allCells !== undefined) return rows === undefined ? allCells : rows.map((row) => allCells[row] ?? null);
      return columnsByName.get(columnName) ?? makeConstantColumn(columnName, companies.length);
    };
    const columnEntries = columns.map((name) => [name, getCells(name)] as const);
    return { length: companies.length, columns: Object.fromEntries(columnEntries) as ScreenTable['columns'] };
  }

  async #readCompanyColumns(columns: readonly string[], companies: readonly PastCompany[]) {
    const columnNames = columns.filter((name) => COMPANY_COLUMNS.includes(name));
    const positions = companies.map(({ position }) => position);
    const cells =
      columnNames.length === 0 ? [] : await this.#release.columnsOf(SCREEN_HISTORY_COMPANIES, columnNames, positions);
    return columnNames.map((name, index) => [name, cells[index] as readonly Cell[]] as const);
  }

  async #readPriceColumns(columns: readonly string[], companies: readonly PastCompany[]) {
    const columnNames = columns.filter((name) => PRICE_DEPENDENT_COLUMNS.has(name));
    if (columnNames.length === 0 || companies.length === 0) return columnNames.map((name) => [name, []] as const);
    const findQuotes = await this.#openQuoteFinder();
    const quotes = findQuotes(companies.map(({ cik }) => cik));
    const priceFigures = PRICE_FIGURES.filter(({ key }) => columnNames.includes(key));
    const operandColumnNames = [...new Set(priceFigures.flatMap(({ operand }) => operand ?? []))];
    const neededColumnNames = [
      ...[...operandColumnNames, PRICED_OPERANDS_COLUMN_NAME],
      // Included only if needed: the column changes with every quarterly report, so many row groups must be read for
      // it.
      ...(operandColumnNames.some((name) => TWELVE_MONTHS_COLUMN_NAMES.has(name)) ? ['ttm_end_date'] : []),
    ];
    const cellsByOperandColumn = new Map(
      priceFigures.length === 0 ? [] : await this.#readHistoryColumns(neededColumnNames, companies),
    );
    return columnNames.map((name): [string, readonly Cell[]] => {
      if (name === 'price_day') return [name, quotes.map((quote) => quote?.priceDay ?? null)];
      const figure = priceFigures.find(({ key }) => key === name);
      const cells =
        figure === undefined
          ? quotes.map((quote) => quote && computePriceOrMarketCap(quote, name))
          : computePriceFigureCells(figure, quotes, cellsByOperandColumn);
      return [name, cells];
    });
  }

  /** Returns the finder of prices, which omits prices that are too old on the day. */
  #openQuoteFinder(): Promise<QuoteFinder> {
    this.#quoteFinder ??= readPastQuoteFinder(this.#release, this.#day);
    return this.#quoteFinder;
  }

  async #readHistoryColumns(columns: readonly string[], companies: readonly PastCompany[]) {
    const columnNames = columns.filter((name) => HISTORY_COLUMN_NAMES.has(name));
    if (companies.length === 0) return columnNames.map((name) => [name, [] as readonly Cell[]] as const);
    const neededNames = columnNames.some((name) => TWELVE_MONTHS_COLUMN_NAMES.has(name))
      ? [...new Set([...columnNames, 'ttm_end_date'])]
      : columnNames;
    const columnsOfCompanies = await this.#readCells(neededNames, companies);
    const twelveMonthsEnds = columnsOfCompanies[neededNames.indexOf('ttm_end_date')] ?? [];
    const recentTwelveMonthsEnds = new Set(
      [...new Set(twelveMonthsEnds)].filter((end) => end !== null && areTwelveMonthsRecent(String(end), this.#day)),
    );
    return columnNames.map((name, index) => {
      const cells = columnsOfCompanies[index] as readonly Cell[];
      if (name === 'fiscal_year') return [name, cells.map((cell) => (cell === null ? null : Number(cell)))] as const;
      if (!TWELVE_MONTHS_COLUMN_NAMES.has(name)) return [name, cells] as const;
      return [
        name,
        cells.map((cell, company) => (recentTwelveMonthsEnds.has(twelveMonthsEnds[company] ?? null) ? cell : null)),
      ] as const;
    });
  }

  async #readCells(columnNames: readonly string[], companies: readonly PastCompany[]): Promise<(readonly Cell[])[]> {
    const companyNumbers = companies.map(({ number }) => number);
    if (companies.length < this.#companies.length)
      return this.#history.readCellsOfCompanies(columnNames, companyNumbers);
    const columns = await this.#history.readCellsOfCompanies(columnNames);
    return columns.map((cells) => companyNumbers.map((number) => cells[number] ?? null));
  }
}

const toTextOrNull = (cell: Cell | undefined): string | null => (cell == null ? null : String(cell));

/** Returns the price for the column `price`, and the market capitalization for any other column. */
function computePriceOrMarketCap({ price, shares }: PastQuote, columnName: string): string | null {
  if (columnName === 'price') return price;
  return shares === null ? null : multiply(price, shares);
}

/**
 * Returns the cells of a price figure, one per company.
 * @param quotes the price of each company; null if the company has no price
 * @param cellsByColumnName the columns with operands, and the end of trailing twelve months
 */
function computePriceFigureCells(
  figure: PriceFigure,
  quotes: readonly (PastQuote | null)[],
  cellsByColumnName: ReadonlyMap<string, readonly Cell[]>,
): (string | null)[] {
  const operandCells = cellsByColumnName.get(figure.operand ?? '');
  const twelveMonthsEnds = TWELVE_MONTHS_COLUMN_NAMES.has(figure.operand ?? '')
    ? cellsByColumnName.get('ttm_end_date')
    : undefined;
  const filedOperandCells = cellsByColumnName.get(PRICED_OPERANDS_COLUMN_NAME);
  const readOperands = createOperandReader(figure);
  const perShareIndex = SHARE_PRICE_FIGURES.indexOf(figure);
  return quotes.map((quote, index) => {
    if (quote === null || twelveMonthsEnds?.[index] === null) return null;
    const { added, operand } = readOperands(
      toTextOrNull(operandCells?.[index]),
      toTextOrNull(filedOperandCells?.[index]),
    );
    const adjustedOperand = perShareIndex < 0 ? operand : convertAmountPerShare(operand, quote.getRatio(perShareIndex));
    return computePriceFigure(figure, computePriceOrMarketCap(quote, figure.market), {
      added,
      operand: adjustedOperand,
    });
  });
}

/**
 * Returns a function that returns the filed amounts of a figure for one row. The cell of `PRICED_OPERANDS_COLUMN_NAME`
 * has the added amount. It may also have an operand, which then replaces the row's shown operand.
 */
function createOperandReader({ key, sum }: PriceFigure) {
  const [operandStart, addedStart, sumStart] = [`${key}=`, `${key}+`, `${sum}+`];
  return (shownOperand: string | null, filedOperandText: string | null): FiledOperands => {
    const findTextAfter = (start: string): string | undefined =>
      // Most cells contain only operands of other figures, so the cell is rarely split into entries.
      filedOperandText?.includes(start)
        ? filedOperandText
            .split(' ')
            .find((text) => text.startsWith(start))
            ?.slice(start.length)
        : undefined;
    const addedAmount = sum === null ? '0' : (findTextAfter(addedStart) ?? findTextAfter(sumStart) ?? '');
    return { added: addedAmount || null, operand: (findTextAfter(operandStart) ?? shownOperand) || null };
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
  /** Number of the company in `HistoryRows`. */
  readonly number: number;
}

/** Columns of figures; excludes columns that identify a row. */
const HISTORY_COLUMN_NAMES: ReadonlySet<string> = new Set([
  ...HISTORY_COLUMNS,
  PRICED_OPERANDS_COLUMN_NAME,
  UNCONFIRMED_COLUMN,
]);

/** Columns of trailing twelve months, which are valid for a limited time. */
const TWELVE_MONTHS_COLUMN_NAMES: ReadonlySet<string> = new Set(
  [...HISTORY_COLUMN_NAMES].filter(
    (name) => name === 'ttm_end_date' || findDefinition(name)?.formula?.kind === 'twelve_months',
  ),
);

/**
 * Returns the column `coverage_state`, which is `covered` in all rows, because a company without core metrics has no
 * row. Throws for any other column.
 */
function makeConstantColumn(columnName: string, length: number): readonly Cell[] {
  if (columnName === 'coverage_state') return Array<Cell>(length).fill('covered');
  throw new Error(`the screen of a past day has no column ${columnName}`);
}
