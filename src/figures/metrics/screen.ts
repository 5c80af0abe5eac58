/** The screener's row of one company: its latest fiscal year, the year before, its latest twelve months, its price. */
import type { Decimal } from '../../contract/decimal-text.ts';
import type { Measure } from '../../contract/figures/formula.ts';
import { FIGURES } from '../../contract/figures.ts';
import { SCREEN_DATES, SCREEN_FIGURES } from '../../contract/screen-columns.ts';
import { groupBy } from '../../platform/collections.ts';
import { addDays, daysBetween } from '../../platform/dates.ts';
import { currencyOf, type FiscalYear, latestEnd, type PeriodsOfKind, periodsOf } from '../periods/fiscal-years.ts';
import { latestTwelveMonths } from '../periods/twelve-months.ts';
import { MAX_PRICE_AGE_DAYS, type Market, type MarketPrice } from '../prices/market-price.ts';
import { withCredibleCounts } from '../shares/share-counts.ts';
import type { Split } from '../shares/splits.ts';
import { type Figure, marketFigure } from './figure.ts';
import { coverMetricOf, type FormulaScope, figureIn, scopeOfCover, scopeOfYear } from './formulas.ts';

/** The row's figures and dates by column; a missing one is null. */
export interface ScreenFigures {
  readonly fiscalYear: number | null;
  readonly dates: Readonly<Record<string, string | null>>;
  readonly figures: Readonly<Record<string, Decimal | null>>;
}

export interface ScreenContext {
  /** As filings prove them. */
  readonly splits: readonly Split[];
  /** The day by which twelve months are recent or not. */
  readonly releaseDate: string;
  /** Null for a company whose prices are not known. */
  readonly market?: Market | null;
}

/** The one currency in which amounts of companies are compared. */
const DOLLARS = 'USD';

const CORE_KEYS = ['revenue', 'net_income', 'assets'];
/** After this a quarterly filer would have reported again, so its twelve months are no longer its latest. */
const STALE_DAYS = 185;

/** The figures that a company can be measured by, and its periods with them. */
export interface Measurable {
  readonly credible: readonly Figure[];
  readonly periods: PeriodsOfKind;
}

export function measurable(figures: readonly Figure[], splits: readonly Split[]): Measurable {
  const credible = withCredibleCounts(figures, splits);
  return { credible, periods: periodsOf(credible) };
}

/** Null when no annual revenue, net income or total of assets was reported. */
export function screenFigures(
  all: readonly Figure[],
  context: ScreenContext,
  { credible, periods } = measurable(all, context.splits),
): ScreenFigures | null {
  const { splits, releaseDate, market = null } = context;
  const year = periods('annual').find((one) => CORE_KEYS.some((key) => one.at(key) !== null));
  if (year === undefined) return null;
  const twelveMonths = twelveMonthsByKey(all, year.currency, releaseDate);
  const prices =
    market === null ? {} : { market: { figures: marketFigures(market.price), ratioBetween: market.ratioBetween } };
  const scope: FormulaScope = { ...scopeOfYear(year, splits), twelveMonths, ...prices };
  const figureAt = (key: string) =>
    coverMetricOf(key) === null ? figureIn(scope, key) : latestOfCovers(key, credible, splits, year.end);
  const dollars = year.currency === DOLLARS ? scope : scopeInDollars(year, all, context, scope);
  const comparable = (key: string, measure: Measure): Figure | null => {
    const figure = figureAt(key);
    const isKnown = figure === null ? coverMetricOf(key) !== null : currencyOf(figure.unit) === DOLLARS;
    if (!AMOUNTS.has(measure) || isKnown) return figure;
    return dollars === null ? null : figureIn(dollars, key);
  };
  return {
    fiscalYear: year.fiscalYear,
    figures: Object.fromEntries(
      SCREEN_FIGURES.map(({ key, measure }) => [key, comparable(key, measure)?.value ?? null]),
    ),
    dates: datesOf({
      ...yearDates(year),
      public_float_end_date: figureAt('public_float')?.end ?? null,
      shares_outstanding_end_date: figureAt('common_shares_outstanding')?.end ?? null,
      price_day: market?.price?.day ?? null,
      ttm_end_date: [...twelveMonths.values()][0]?.end ?? null,
    }),
  };
}

/** The last day on which a release of the same facts and prices has the same row; null where that does not end. */
export function lastDayOf({ dates }: ScreenFigures): string | null {
  const { price_day: price, ttm_end_date: twelveMonths } = dates;
  const ends = [
    ...(price == null ? [] : [addDays(price, MAX_PRICE_AGE_DAYS)]),
    ...(twelveMonths == null ? [] : [addDays(twelveMonths, STALE_DAYS)]),
  ];
  return ends.sort()[0] ?? null;
}

const AMOUNTS: ReadonlySet<Measure> = new Set(['money', 'per_share']);

/** What a company that reports in another currency states in dollars of the same year; null where nothing. */
function scopeInDollars(
  year: FiscalYear,
  all: readonly Figure[],
  { splits, releaseDate }: ScreenContext,
  { twelveMonths = new Map() }: FormulaScope,
): FormulaScope | null {
  const same = periodsOf(all, DOLLARS)('annual').find(({ start, end }) => start === year.start && end === year.end);
  if (same === undefined) return null;
  const windows = twelveMonthsByKey(all, DOLLARS, releaseDate);
  const ofSameDays = [...windows].filter(([key, { end }]) => twelveMonths.get(key)?.end === end);
  return { ...scopeOfYear(same, splits), twelveMonths: new Map(ofSameDays) };
}

/** Fifteen months: what no report has stated for longer does not stand beside figures of the year. */
const MAX_COVER_AGE_DAYS = 457;

/** The figure of the newest cover of any report, which may be later than the fiscal year; null of one long before its end. */
function latestOfCovers(
  key: string,
  figures: readonly Figure[],
  splits: readonly Split[],
  yearEnd: string,
): Figure | null {
  const cover = coverMetricOf(key);
  const covers = figures.filter((figure) => figure.metricKey === cover);
  const latest = latestEnd(covers);
  return latest === null || daysBetween(latest.end, yearEnd) > MAX_COVER_AGE_DAYS
    ? null
    : figureIn(scopeOfCover(latest, covers, splits), key);
}

function yearDates(year: FiscalYear): Record<string, string | null> {
  const balance = year.at('assets') ?? year.at('stockholders_equity') ?? year.at('cash_and_equivalents');
  return {
    annual_end_date: year.end,
    prior_annual_end_date: year.prior?.end ?? null,
    instant_end_date: balance?.end ?? null,
  };
}

/** In the order of the columns. */
function datesOf(dates: Readonly<Record<string, string | null>>): Record<string, string | null> {
  return Object.fromEntries(
    SCREEN_DATES.map((name) => {
      const date = dates[name];
      if (date === undefined) throw new RangeError(`no date ${name}`);
      return [name, date];
    }),
  );
}

/** The figures of twelve months, all over one window: the one that ends last, if it is recent. */
function twelveMonthsByKey(all: readonly Figure[], currency: string, releaseDate: string): Map<string, Figure> {
  const windows = new Map<string, Figure>();
  const byMetric = groupBy(
    all.filter(({ unit }) => unit === currency),
    ({ metricKey }) => metricKey,
  );
  for (const { key, formula } of FIGURES) {
    if (formula?.kind !== 'twelve_months') continue;
    const window = latestTwelveMonths(byMetric.get(formula.of) ?? []);
    if (window !== null) windows.set(key, window);
  }
  const end = latestEnd([...windows.values()])?.end;
  if (end === undefined || !areTwelveMonthsRecent(end, releaseDate)) return new Map();
  return new Map([...windows].filter(([, window]) => window.end === end));
}

/** Whether twelve months that end on one day are a company's latest on another. */
export function areTwelveMonthsRecent(end: string, day: string): boolean {
  return daysBetween(end, day) <= STALE_DAYS;
}

/** Prices are in dollars. */
function marketFigures(latest: MarketPrice | null): Map<string, Figure> {
  const figures = new Map<string, Figure>();
  if (latest === null) return figures;
  const { day, price, marketCap } = latest;
  figures.set('price', marketFigure('price', 'USD/shares', day, price));
  if (marketCap !== null) figures.set('market_cap', marketFigure('market_cap', 'USD', day, marketCap));
  return figures;
}
