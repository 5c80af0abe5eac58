/**
 * The screener's table as of the end of a day: every company whose last fiscal year ended within 18 months before the
 * day and was reported by then, whether or not the company still reports.
 */
import { figureOf } from '../../../contract/figures.ts';
import { INDUSTRY_COLUMNS, PRICED_COLUMNS } from '../../../contract/screen-columns.ts';
import { SHARE_COUNT } from '../../../figures/derived/share-counts.ts';
import { MAX_PRICE_AGE_DAYS, type Quotes } from '../../../figures/prices/market-price.ts';
import { dailyPrices } from '../../../figures/prices/price-observations.ts';
import { chainsOf } from '../../../figures/revisions/revision-chain.ts';
import { marketOn } from '../../../figures/screen/past-market.ts';
import { areTwelveMonthsRecent } from '../../../figures/screen/screen.ts';
import { MAX_YEAR_AGE_MONTHS, pricedRow } from '../../../figures/screen/screen-states.ts';
import { groupBy } from '../../../platform/collections.ts';
import { addDays, addMonths } from '../../../platform/dates.ts';
import type { ReleaseReader, ScreenTable } from '../../../store/reader.ts';
import { PRICE_LINES, PRICES } from '../../../store/schema/prices.ts';
import { monthKey, NOW_EMPTY, SCREEN_HISTORY, SCREEN_HISTORY_COMPANIES } from '../../../store/schema/screen-history.ts';
import type { Cell } from '../../../store/schema/table.ts';
import { listingsOfCompanies } from '../listings.ts';

/** Columns that do not change from day to day. */
const OF_COMPANY = ['cik', 'ticker', 'exchange', 'entity_name', 'last_report', 'gone', ...INDUSTRY_COLUMNS];

export class PastScreen {
  readonly #release: ReleaseReader;
  readonly #day: string;
  /** Keys of the months that are read. */
  readonly #months: readonly [first: number, last: number];
  readonly #companies: readonly PastCompany[];
  /** Cells of companies that follow from the day's price, by CIK: a filter, an order and a page ask for the same ones. */
  readonly #priced = new Map<number, PricedCells>();

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
    const earliest = addMonths(day, -MAX_YEAR_AGE_MONTHS);
    const months = [monthKey(earliest), monthKey(day)] as const;
    const names = ['cik', 'day', 'whole', 'annual_end_date', 'ttm_end_date'];
    const cells = await release.columnsBetween(SCREEN_HISTORY, names, ...months);
    const [ciks = [], days = [], wholes = [], years = [], windows = []] = cells;
    const known = new Map<Cell, PastCompany>();
    for (let row = 0; row < ciks.length; row += 1) {
      if (String(days[row]) > day) continue;
      const cik = ciks[row] as Cell;
      let company = known.get(cik);
      // Changes to a row that began before the months that are read belong to a fiscal year that no longer counts.
      if (wholes[row] === true) {
        company = { place: 0, rows: [row], year: null, twelveMonths: null };
        known.set(cik, company);
      } else if (company === undefined) continue;
      else company.rows.push(row);
      company.year = changed(company.year, years[row] ?? null);
      company.twelveMonths = changed(company.twelveMonths, windows[row] ?? null);
    }
    const [all = []] = await release.columnsOf(SCREEN_HISTORY_COMPANIES, ['cik']);
    const companies: PastCompany[] = [];
    for (const [place, cik] of all.entries()) {
      const company = known.get(cik);
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
    return names.map((name, at) => [name, cells[at] as readonly Cell[]] as const);
  }

  /** Derived when they are asked for: there are too many prices to store figures for every day. */
  async #ofPrices(columns: readonly string[], companies: readonly PastCompany[]) {
    const names = columns.filter((name) => PRICED_COLUMNS.has(name));
    if (names.length === 0) return [];
    if (companies.length === 0) return names.map((name) => [name, []] as const);
    const places = companies.map(({ place }) => place);
    const [ciks = []] = await this.#release.columnsOf(SCREEN_HISTORY_COMPANIES, ['cik'], places);
    const quotes = await this.#quotesOf(ciks.map(Number));
    const rows: PricedCells[] = [];
    for (const cik of ciks.map(Number)) rows.push(await this.#pricedCells(cik, quotes.get(cik), names));
    return names.map((name) => [name, rows.map((row): Cell => row[name] ?? null)] as const);
  }

  /** The prices of companies with one that still counts on the day, read together. No other company has a figure of price. */
  async #quotesOf(ciks: readonly number[]): Promise<ReadonlyMap<number, Quotes>> {
    const release = this.#release;
    const earliest = addDays(this.#day, -MAX_PRICE_AGE_DAYS);
    const listings = await listingsOfCompanies(release, ciks);
    const isPrimary = ({ cik, tickerNormalized }: { readonly cik: number; readonly tickerNormalized: string }) =>
      listings.get(cik)?.some((one) => one.isPrimary && one.tickerNormalized === tickerNormalized) === true;
    const prices = groupBy((await release.rowsOfEach(PRICES, ciks)).filter(isPrimary), ({ cik }) => cik);
    const lines = (await release.rowsOfEach(PRICE_LINES, ciks)).filter(isPrimary);
    const counted = new Set(lines.filter(({ countApplies }) => countApplies).map(({ cik }) => cik));
    return new Map(
      [...prices]
        .filter(([, own]) => own.some(({ day }) => day >= earliest && day <= this.#day))
        .map(([cik, own]) => [cik, { daily: dailyPrices(own), countApplies: counted.has(cik) }]),
    );
  }

  async #pricedCells(cik: number, quotes: Quotes | undefined, names: readonly string[]): Promise<PricedCells> {
    if (quotes === undefined) return {};
    const known = this.#priced.get(cik);
    if (known !== undefined && names.every((name) => name in known)) return known;
    const cells = { ...known, ...(await this.#derivedCells(cik, quotes, names)) };
    this.#priced.set(cik, cells);
    return cells;
  }

  async #derivedCells(cik: number, quotes: Quotes, names: readonly string[]): Promise<PricedCells> {
    const splits = await this.#release.splits(cik);
    if (names.every((name) => OF_MARKET.has(name))) {
      const counts = names.includes('market_cap') ? await this.#release.reportedValues(cik, [SHARE_COUNT]) : [];
      const { price } = marketOn(this.#day, quotes, counts, splits);
      const marketCap = names.includes('market_cap') ? { market_cap: price?.marketCap ?? null } : {};
      return { price: price?.price ?? null, price_day: price?.day ?? null, ...marketCap };
    }
    const row = pricedRow(this.#day, chainsOf(await this.#release.reportedValues(cik)), splits, quotes);
    return { ...row?.figures, price_day: row?.dates.price_day ?? null };
  }

  async #ofHistory(columns: readonly string[], companies: readonly PastCompany[]) {
    const names = columns.filter((name) => HISTORY.has(name));
    if (companies.length === 0) return names.map((name) => [name, []] as const);
    const isAll = companies.length === this.#companies.length;
    const some = isAll ? undefined : companies.flatMap(({ rows }) => rows).sort((a, b) => a - b);
    const places = some && new Map(some.map((row, place) => [row, place]));
    const cells = await this.#release.columnsBetween(SCREEN_HISTORY, names, ...this.#months, some);
    return names.map((name, at) => {
      const column = cells[at] as readonly Cell[];
      const ofTwelveMonths = TWELVE_MONTHS.has(name);
      const own = companies.map(({ rows, twelveMonths }): Cell => {
        if (ofTwelveMonths && twelveMonths === null) return null;
        return cellOf(
          name,
          latestOf(rows, (row) => column[places?.get(row) ?? row] ?? null),
        );
      });
      return [name, own] as const;
    });
  }
}

type PricedCells = Readonly<Record<string, Cell>>;

/** Columns that follow from the price and the share count alone. */
const OF_MARKET: ReadonlySet<string> = new Set(['price', 'price_day', 'market_cap']);

/** A company with a valid row on the day. */
interface PastCompany {
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
  return cell === null ? before : cell === NOW_EMPTY ? null : String(cell);
}

/** Returns the last cell that is not null; null means unchanged. */
function latestOf(rows: readonly number[], cellAt: (row: number) => Cell): Cell {
  for (let at = rows.length - 1; at >= 0; at -= 1) {
    const cell = cellAt(rows[at] as number);
    if (cell !== null) return cell === NOW_EMPTY ? null : cell;
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
