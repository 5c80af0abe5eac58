/**
 * The screener's table as of the end of a day: every company whose last fiscal year ended within 18 months before the
 * day and was reported by then, whether or not the company still reports.
 */
import { multiply } from '../../../contract/decimal.ts';
import { figureOf } from '../../../contract/figures.ts';
import { INDUSTRY_COLUMNS, PRICED_COLUMNS } from '../../../contract/screen-columns.ts';
import { perNewShare } from '../../../contract/split-ratio.ts';
import { MAX_PRICE_AGE_DAYS } from '../../../figures/prices/market-price.ts';
import {
  computePriceFigure,
  type FiledOperands,
  PER_SHARE_FIGURES,
  PRICE_FIGURES,
  type PriceFigure,
} from '../../../figures/screen/price-figures.ts';
import { areTwelveMonthsRecent } from '../../../figures/screen/screen.ts';
import { MAX_FISCAL_YEAR_AGE_MONTHS } from '../../../figures/screen/screen-states.ts';
import { addDays, addMonths } from '../../../platform/dates.ts';
import type { ReleaseReader, ScreenTable } from '../../../store/reader.ts';
import {
  EMPTIED_CELL,
  monthKey,
  PRICED_OPERANDS,
  SCREEN_HISTORY,
  SCREEN_HISTORY_COMPANIES,
  SCREEN_HISTORY_PRICES,
} from '../../../store/schema/screen-history.ts';
import type { Cell } from '../../../store/schema/table.ts';

/** Columns that do not change from day to day. */
const COMPANY_COLUMNS = ['cik', 'ticker', 'exchange', 'entity_name', 'last_report', 'gone', ...INDUSTRY_COLUMNS];

export class PastScreen {
  readonly #release: ReleaseReader;
  readonly #day: string;
  /** Keys of the first and last month read from the history. */
  readonly #monthRange: readonly [first: number, last: number];
  readonly #companies: readonly PastCompany[];
  /** The prices of the day, read once, because filters, sorting and the page use the same prices. */
  #quotes: Promise<ReadonlyMap<Cell, QuoteOfDay>> | null = null;

  private constructor(
    release: ReleaseReader,
    day: string,
    months: readonly [number, number],
    companies: readonly PastCompany[],
  ) {
    this.#release = release;
    this.#day = day;
    this.#monthRange = months;
    this.#companies = companies;
  }

  static async open(release: ReleaseReader, day: string): Promise<PastScreen> {
    const earliest = addMonths(day, -MAX_FISCAL_YEAR_AGE_MONTHS);
    const months = [monthKey(earliest), monthKey(day)] as const;
    const names = ['cik', 'day', 'whole', 'annual_end_date', 'ttm_end_date'];
    const cells = await release.columnsBetween(SCREEN_HISTORY, names, ...months);
    const [ciks = [], days = [], wholes = [], yearEnds = [], twelveMonthEnds = []] = cells;
    const companiesByCik = new Map<Cell, PastCompany>();
    for (let row = 0; row < ciks.length; row += 1) {
      if (String(days[row]) > day) continue;
      const cik = ciks[row] as Cell;
      let company = companiesByCik.get(cik);
      // Without a complete row in these months, a company's changes belong to a fiscal year that is too old.
      if (wholes[row] === true) {
        company = { cik, position: 0, rows: [row], year: null, twelveMonths: null };
        companiesByCik.set(cik, company);
      } else if (company === undefined) continue;
      else company.rows.push(row);
      company.year = applyChange(company.year, yearEnds[row] ?? null);
      company.twelveMonths = applyChange(company.twelveMonths, twelveMonthEnds[row] ?? null);
    }
    const [companyCiks = []] = await release.columnsOf(SCREEN_HISTORY_COMPANIES, ['cik']);
    const companies: PastCompany[] = [];
    for (const [position, cik] of companyCiks.entries()) {
      const company = companiesByCik.get(cik);
      if (company === undefined || company.year === null || company.year < earliest) continue;
      company.position = position;
      if (company.twelveMonths !== null && !areTwelveMonthsRecent(company.twelveMonths, day))
        company.twelveMonths = null;
      companies.push(company);
    }
    return new PastScreen(release, day, months, companies);
  }

  /** Returns columns of all rows or of selected rows; rows are sorted by ticker. */
  async screen(columns: readonly string[], rows?: readonly number[]): Promise<ScreenTable> {
    const companies = rows === undefined ? this.#companies : rows.map((row) => this.#companies[row] as PastCompany);
    const columnsByName = new Map([
      ...(await this.#readCompanyColumns(columns, companies)),
      ...(await this.#readHistoryColumns(columns, companies)),
      ...(await this.#readPriceColumns(columns, companies)),
    ]);
    const cells = columns.map(
      (name) => [name, columnsByName.get(name) ?? constantColumn(name, companies.length)] as const,
    );
    return { length: companies.length, columns: Object.fromEntries(cells) as ScreenTable['columns'] };
  }

  async #readCompanyColumns(columns: readonly string[], companies: readonly PastCompany[]) {
    const names = columns.filter((name) => COMPANY_COLUMNS.includes(name));
    const positions = companies.map(({ position }) => position);
    const cells = names.length === 0 ? [] : await this.#release.columnsOf(SCREEN_HISTORY_COMPANIES, names, positions);
    return names.map((name, index) => [name, cells[index] as readonly Cell[]] as const);
  }

  async #readPriceColumns(columns: readonly string[], companies: readonly PastCompany[]) {
    const names = columns.filter((name) => PRICED_COLUMNS.has(name));
    if (names.length === 0 || companies.length === 0) return names.map((name) => [name, []] as const);
    const quotes = await this.#quotesOfDay();
    const figures = PRICE_FIGURES.filter(({ key }) => names.includes(key));
    const neededColumns = [...new Set(figures.flatMap(({ operand }) => operand ?? [])), PRICED_OPERANDS];
    const operandColumns = new Map(
      figures.length === 0 ? [] : await this.#readHistoryColumns(neededColumns, companies),
    );
    const cellOf = (name: string, { cik, twelveMonths }: PastCompany, position: number): Cell => {
      const quote = quotes.get(cik);
      if (quote === undefined) return null;
      if (name === 'price_day') return quote.priceDay;
      const figure = figures.find(({ key }) => key === name);
      if (figure === undefined) return marketValueOf(quote, name);
      if (twelveMonths === null && TWELVE_MONTHS_COLUMNS.has(figure.operand ?? '')) return null;
      const otherOperands = textOf(operandColumns.get(PRICED_OPERANDS)?.[position])?.split(' ') ?? [];
      const { added, operand } = filedOperandsOf(
        figure,
        textOf(operandColumns.get(figure.operand ?? '')?.[position]),
        otherOperands,
      );
      const perShare = PER_SHARE_FIGURES.indexOf(figure);
      const adjustedOperand = perShare < 0 ? operand : convertShareBasis(operand, quote.ratios[perShare] ?? null);
      return computePriceFigure(figure, marketValueOf(quote, figure.market), { added, operand: adjustedOperand });
    };
    return names.map((name) => [name, companies.map((company, index) => cellOf(name, company, index))] as const);
  }

  /**
   * Returns the prices that are recent enough on the day, by CIK. A company without such a price has no price figures.
   */
  #quotesOfDay(): Promise<ReadonlyMap<Cell, QuoteOfDay>> {
    this.#quotes ??= this.#readQuotes();
    return this.#quotes;
  }

  async #readQuotes(): Promise<ReadonlyMap<Cell, QuoteOfDay>> {
    const quotes = new Map<Cell, QuoteOfDay>();
    if (!this.#release.includes(SCREEN_HISTORY_PRICES)) return quotes;
    const [month, earliest] = [monthKey(this.#day), addDays(this.#day, -MAX_PRICE_AGE_DAYS)];
    const cells = await this.#release.columnsBetween(SCREEN_HISTORY_PRICES, QUOTE_COLUMNS, month, month);
    const [ciks = [], days = [], priceDays = [], prices = [], shares = [], earnings = [], dividends = []] = cells;
    for (const [row, cik] of ciks.entries()) {
      // The row group may begin with rows of the previous month.
      if (String(days[row]) > this.#day || monthKey(String(days[row])) !== month) continue;
      const ratios = [textOf(earnings[row]), textOf(dividends[row])];
      const [priceDay, price] = [String(priceDays[row]), String(prices[row])];
      // The last row on or before the day is valid.
      if (priceDay < earliest) quotes.delete(cik);
      else quotes.set(cik, { priceDay, price, shares: textOf(shares[row]), ratios });
    }
    return quotes;
  }

  async #readHistoryColumns(columns: readonly string[], companies: readonly PastCompany[]) {
    const names = columns.filter((name) => HISTORY_COLUMN_NAMES.has(name));
    if (companies.length === 0) return names.map((name) => [name, [] as readonly Cell[]] as const);
    const isAll = companies.length === this.#companies.length;
    const selectedRows = isAll ? undefined : companies.flatMap(({ rows }) => rows).sort((a, b) => a - b);
    const rowPositions = selectedRows && new Map(selectedRows.map((row, index) => [row, index]));
    const cells = await this.#release.columnsBetween(SCREEN_HISTORY, names, ...this.#monthRange, selectedRows);
    return names.map((name, index) => {
      const column = cells[index] as readonly Cell[];
      const coversTwelveMonths = TWELVE_MONTHS_COLUMNS.has(name);
      const companyCells: readonly Cell[] = companies.map(({ rows, twelveMonths }): Cell => {
        if (coversTwelveMonths && twelveMonths === null) return null;
        return cellOf(
          name,
          latestCell(rows, (row) => column[rowPositions?.get(row) ?? row] ?? null),
        );
      });
      return [name, companyCells] as const;
    });
  }
}

const QUOTE_COLUMNS = ['cik', 'day', 'price_day', 'price', 'shares', 'earnings_ratio', 'dividends_ratio'];

/** A row of the table of past prices. */
interface QuoteOfDay {
  readonly priceDay: string;
  readonly price: string;
  readonly shares: string | null;
  /** Parallel to `PER_SHARE_FIGURES`. */
  readonly ratios: readonly (string | null)[];
}

const textOf = (cell: Cell | undefined): string | null => (cell == null ? null : String(cell));

/** Returns the price, or the market capitalization. */
function marketValueOf({ price, shares }: QuoteOfDay, name: string): string | null {
  if (name === 'price') return price;
  return shares === null ? null : multiply(price, shares);
}

/** Returns the operands of a figure: those shown in the row, unless the cell of `PRICED_OPERANDS` states others. */
function filedOperandsOf(
  { key, sum }: PriceFigure,
  shownOperand: string | null,
  otherOperands: readonly string[],
): FiledOperands {
  const findStated = (start: string) => otherOperands.find((text) => text.startsWith(start))?.slice(start.length);
  const added = sum === null ? '0' : (findStated(`${key}+`) ?? findStated(`${sum}+`) ?? '');
  return { added: added || null, operand: (findStated(`${key}=`) ?? shownOperand) || null };
}

/** Converts an amount per share by a ratio such as `4:1`; null if the ratio is unknown. */
function convertShareBasis(amount: string | null, ratio: string | null): string | null {
  if (amount === null || ratio === null) return null;
  const [fresh = '', old = ''] = ratio.split(':');
  return perNewShare(amount, { fresh, old });
}

/** A company with a valid row on the screened day. */
interface PastCompany {
  readonly cik: Cell;
  /** Row number in the table of companies. */
  position: number;
  /** Numbers of the history rows that make up the company's row: a complete row and the changes since. */
  readonly rows: number[];
  /** End of the fiscal year. */
  year: string | null;
  /** End of the trailing twelve months; null if missing or too old. */
  twelveMonths: string | null;
}

const HISTORY_COLUMN_NAMES: ReadonlySet<string> = new Set(SCREEN_HISTORY.columns.map(({ name }) => name));

/** Columns of trailing twelve months, which are valid for a limited time. */
const TWELVE_MONTHS_COLUMNS: ReadonlySet<string> = new Set(
  [...HISTORY_COLUMN_NAMES].filter(
    (name) => name === 'ttm_end_date' || figureOf(name)?.formula?.kind === 'twelve_months',
  ),
);

function applyChange(previous: string | null, cell: Cell): string | null {
  return cell === null ? previous : cell === EMPTIED_CELL ? null : String(cell);
}

/** Returns the last cell that is not null, because null means unchanged. */
function latestCell(rows: readonly number[], cellAt: (row: number) => Cell): Cell {
  for (let index = rows.length - 1; index >= 0; index -= 1) {
    const cell = cellAt(rows[index] as number);
    if (cell !== null) return cell === EMPTIED_CELL ? null : cell;
  }
  return null;
}

function cellOf(name: string, cell: Cell): Cell {
  return name === 'fiscal_year' && cell !== null ? Number(cell) : cell;
}

/** Returns a column with one value in all rows, for example of core metrics: a company without them has no row. */
function constantColumn(name: string, length: number): readonly Cell[] {
  if (name === 'coverage_state') return Array<Cell>(length).fill('covered');
  throw new Error(`the screen of a past day has no column ${name}`);
}
