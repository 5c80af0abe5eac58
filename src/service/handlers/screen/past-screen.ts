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
const OF_COMPANY = ['cik', 'ticker', 'exchange', 'entity_name', 'last_report', 'gone', ...INDUSTRY_COLUMNS];

export class PastScreen {
  readonly #release: ReleaseReader;
  readonly #day: string;
  /** Keys of the months that are read. */
  readonly #months: readonly [first: number, last: number];
  readonly #companies: readonly PastCompany[];
  /** The prices of the day, read once: a filter, an order and a page ask for the same ones. */
  #quotes: Promise<ReadonlyMap<Cell, QuoteOfDay>> | null = null;

  private constructor(
    release: ReleaseReader,
    day: string,
    months: readonly [number, number],
    companies: readonly PastCompany[],
  ) {
    this.#release = release;
    this.#day = day;
    this.#months = months;
    this.#companies = companies;
  }

  static async open(release: ReleaseReader, day: string): Promise<PastScreen> {
    const earliest = addMonths(day, -MAX_FISCAL_YEAR_AGE_MONTHS);
    const months = [monthKey(earliest), monthKey(day)] as const;
    const names = ['cik', 'day', 'whole', 'annual_end_date', 'ttm_end_date'];
    const cells = await release.columnsBetween(SCREEN_HISTORY, names, ...months);
    const [ciks = [], days = [], wholes = [], years = [], windows = []] = cells;
    const knownCompanies = new Map<Cell, PastCompany>();
    for (let row = 0; row < ciks.length; row += 1) {
      if (String(days[row]) > day) continue;
      const cik = ciks[row] as Cell;
      let company = knownCompanies.get(cik);
      // Changes to a row that began before the months that are read belong to a fiscal year that no longer counts.
      if (wholes[row] === true) {
        company = { cik, place: 0, rows: [row], year: null, twelveMonths: null };
        knownCompanies.set(cik, company);
      } else if (company === undefined) continue;
      else company.rows.push(row);
      company.year = changed(company.year, years[row] ?? null);
      company.twelveMonths = changed(company.twelveMonths, windows[row] ?? null);
    }
    const [allCells = []] = await release.columnsOf(SCREEN_HISTORY_COMPANIES, ['cik']);
    const companies: PastCompany[] = [];
    for (const [place, cik] of allCells.entries()) {
      const company = knownCompanies.get(cik);
      if (company === undefined || company.year === null || company.year < earliest) continue;
      company.place = place;
      if (company.twelveMonths !== null && !areTwelveMonthsRecent(company.twelveMonths, day))
        company.twelveMonths = null;
      companies.push(company);
    }
    return new PastScreen(release, day, months, companies);
  }

  /** Returns columns of all rows, or of some; sorted by ticker. */
  async screen(columns: readonly string[], rows?: readonly number[]): Promise<ScreenTable> {
    const companies = rows === undefined ? this.#companies : rows.map((row) => this.#companies[row] as PastCompany);
    const read = new Map([
      ...(await this.#ofCompanies(columns, companies)),
      ...(await this.#ofHistory(columns, companies)),
      ...(await this.#ofPrices(columns, companies)),
    ]);
    const cells = columns.map((name) => [name, read.get(name) ?? constantOf(name, companies.length)] as const);
    return { length: companies.length, columns: Object.fromEntries(cells) as ScreenTable['columns'] };
  }

  async #ofCompanies(columns: readonly string[], companies: readonly PastCompany[]) {
    const names = columns.filter((name) => OF_COMPANY.includes(name));
    const places = companies.map(({ place }) => place);
    const cells = names.length === 0 ? [] : await this.#release.columnsOf(SCREEN_HISTORY_COMPANIES, names, places);
    return names.map((name, index) => [name, cells[index] as readonly Cell[]] as const);
  }

  async #ofPrices(columns: readonly string[], companies: readonly PastCompany[]) {
    const names = columns.filter((name) => PRICED_COLUMNS.has(name));
    if (names.length === 0 || companies.length === 0) return names.map((name) => [name, []] as const);
    const quotes = await this.#quotesOfDay();
    const figures = PRICE_FIGURES.filter(({ key }) => names.includes(key));
    const needed = [...new Set(figures.flatMap(({ operand }) => operand ?? [])), PRICED_OPERANDS];
    const shown = new Map(figures.length === 0 ? [] : await this.#ofHistory(needed, companies));
    const cellOf = (name: string, { cik, twelveMonths }: PastCompany, position: number): Cell => {
      const quote = quotes.get(cik);
      if (quote === undefined) return null;
      if (name === 'price_day') return quote.priceDay;
      const figure = figures.find(({ key }) => key === name);
      if (figure === undefined) return marketOf(quote, name);
      if (twelveMonths === null && TWELVE_MONTHS.has(figure.operand ?? '')) return null;
      const others = textOf(shown.get(PRICED_OPERANDS)?.[position])?.split(' ') ?? [];
      const { added, operand } = filedFor(figure, textOf(shown.get(figure.operand ?? '')?.[position]), others);
      const perShare = PER_SHARE_FIGURES.indexOf(figure);
      const adjusted = perShare < 0 ? operand : inSharesOf(operand, quote.ratios[perShare] ?? null);
      return computePriceFigure(figure, marketOf(quote, figure.market), { added, operand: adjusted });
    };
    return names.map((name) => [name, companies.map((company, index) => cellOf(name, company, index))] as const);
  }

  /** Returns the prices of companies with one that still counts on the day, by CIK. No other company has price figures. */
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
      // The row group may begin with rows of the month before.
      if (String(days[row]) > this.#day || monthKey(String(days[row])) !== month) continue;
      const ratios = [textOf(earnings[row]), textOf(dividends[row])];
      const [priceDay, price] = [String(priceDays[row]), String(prices[row])];
      // The last row by the day is valid.
      if (priceDay < earliest) quotes.delete(cik);
      else quotes.set(cik, { priceDay, price, shares: textOf(shares[row]), ratios });
    }
    return quotes;
  }

  async #ofHistory(columns: readonly string[], companies: readonly PastCompany[]) {
    const names = columns.filter((name) => HISTORY.has(name));
    if (companies.length === 0) return names.map((name) => [name, [] as readonly Cell[]] as const);
    const isAll = companies.length === this.#companies.length;
    const some = isAll ? undefined : companies.flatMap(({ rows }) => rows).sort((a, b) => a - b);
    const places = some && new Map(some.map((row, place) => [row, place]));
    const cells = await this.#release.columnsBetween(SCREEN_HISTORY, names, ...this.#months, some);
    return names.map((name, index) => {
      const column = cells[index] as readonly Cell[];
      const ofTwelveMonths = TWELVE_MONTHS.has(name);
      const ownCells: readonly Cell[] = companies.map(({ rows, twelveMonths }): Cell => {
        if (ofTwelveMonths && twelveMonths === null) return null;
        return cellOf(
          name,
          latestOf(rows, (row) => column[places?.get(row) ?? row] ?? null),
        );
      });
      return [name, ownCells] as const;
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

/** The price, or the market capitalization. */
function marketOf({ price, shares }: QuoteOfDay, name: string): string | null {
  if (name === 'price') return price;
  return shares === null ? null : multiply(price, shares);
}

/** Returns what a figure is derived from: what the row shows, if the cell of `PRICED_OPERANDS` states nothing else. */
function filedFor({ key, sum }: PriceFigure, shown: string | null, others: readonly string[]): FiledOperands {
  const stated = (start: string) => others.find((one) => one.startsWith(start))?.slice(start.length);
  const added = sum === null ? '0' : (stated(`${key}+`) ?? stated(`${sum}+`) ?? '');
  return { added: added || null, operand: (stated(`${key}=`) ?? shown) || null };
}

/** Converts an amount per share by a ratio such as `4:1`; null if the ratio is unknown. */
function inSharesOf(amount: string | null, ratio: string | null): string | null {
  if (amount === null || ratio === null) return null;
  const [fresh = '', old = ''] = ratio.split(':');
  return perNewShare(amount, { fresh, old });
}

/** A company with a valid row on the day. */
interface PastCompany {
  readonly cik: Cell;
  /** Its position in the table of companies. */
  place: number;
  /** The history rows that its row is made from: a complete one and the changes since. */
  readonly rows: number[];
  /** The end of its fiscal year. */
  year: string | null;
  /** The end of its twelve months; null if it has none, or they are too old. */
  twelveMonths: string | null;
}

const HISTORY: ReadonlySet<string> = new Set(SCREEN_HISTORY.columns.map(({ name }) => name));

/** Columns of twelve months, which become too old after some time. */
const TWELVE_MONTHS: ReadonlySet<string> = new Set(
  [...HISTORY].filter((name) => name === 'ttm_end_date' || figureOf(name)?.formula?.kind === 'twelve_months'),
);

function changed(before: string | null, cell: Cell): string | null {
  return cell === null ? before : cell === EMPTIED_CELL ? null : String(cell);
}

/** Returns the last cell that is not null; null means unchanged. */
function latestOf(rows: readonly number[], cellAt: (row: number) => Cell): Cell {
  for (let index = rows.length - 1; index >= 0; index -= 1) {
    const cell = cellAt(rows[index] as number);
    if (cell !== null) return cell === EMPTIED_CELL ? null : cell;
  }
  return null;
}

function cellOf(name: string, cell: Cell): Cell {
  return name === 'fiscal_year' && cell !== null ? Number(cell) : cell;
}

/** Returns a column with the same value in every row: companies without core metrics have no row. */
function constantOf(name: string, length: number): readonly Cell[] {
  if (name === 'coverage_state') return Array<Cell>(length).fill('covered');
  throw new Error(`the screen of a past day has no column ${name}`);
}
