/**
 * The screener's row of one company: its latest fiscal year, the year before, the latest twelve months, and its
 * price.
 */
import type { Decimal } from '../../contract/decimal-text.ts';
import type { Measure } from '../../contract/figures/formula.ts';
import { FIGURES } from '../../contract/figures.ts';
import { SCREEN_DATES, SCREEN_FIGURES } from '../../contract/screen-columns.ts';
import { groupBy } from '../../platform/collections.ts';
import { addDays, daysBetween } from '../../platform/dates.ts';
import { type Figure, marketFigure, toComparablePair } from '../derived/figure.ts';
import {
  collectPeriods,
  currencyOf,
  type FiscalYear,
  figureWithLatestEnd,
  type PeriodsOfKind,
} from '../derived/fiscal-years.ts';
import { coverMetricOf, type FormulaScope, figureIn, scopeOfCover, scopeOfYear } from '../derived/formulas.ts';
import { withCredibleCounts } from '../derived/share-counts.ts';
import { latestTwelveMonths } from '../derived/twelve-months.ts';
import { MAX_PRICE_AGE_DAYS, type Market, type MarketPrice } from '../prices/market-price.ts';
import type { Split } from '../shares/splits.ts';
import type { PriceFigure } from './price-figures.ts';

/** The row's figures and dates by column; a missing one is null. */
export interface ScreenFigures {
  readonly fiscalYear: number | null;
  readonly dates: Readonly<Record<string, string | null>>;
  readonly figures: Readonly<Record<string, Decimal | null>>;
}

export interface ScreenContext {
  /** Splits that filings prove. */
  readonly splits: readonly Split[];
  /** The date that decides whether twelve months are recent. */
  readonly releaseDate: string;
  /** Null for a company without prices. */
  readonly market?: Market | null;
}

/** The currency in which amounts of companies are compared. */
const DOLLARS = 'USD';

const CORE_KEYS = ['revenue', 'net_income', 'assets'];
/**
 * Number of days after which a quarterly filer should have reported again: older twelve months are no longer the
 * latest.
 */
const STALE_DAYS = 185;

/** A company's periods, with the figures to screen it by. */
export interface ScreenInputs {
  readonly credibleFigures: readonly Figure[];
  readonly periods: PeriodsOfKind;
}

export function selectScreenInputs(figures: readonly Figure[], splits: readonly Split[]): ScreenInputs {
  const credibleFigures = withCredibleCounts(figures, splits);
  return { credibleFigures, periods: collectPeriods(credibleFigures) };
}

/** Null if no annual revenue, net income or total assets was reported. */
export function deriveScreenFigures(
  allFigures: readonly Figure[],
  context: ScreenContext,
  screenInputs: ScreenInputs = selectScreenInputs(allFigures, context.splits),
): ScreenFigures | null {
  return deriveScreenRow(allFigures, context, screenInputs)?.row ?? null;
}

/** A row, and the figures that price figures are derived from. */
export interface ScreenRowFigures {
  readonly row: ScreenFigures;
  filedFor(figure: PriceFigure): FiledFigures;
}

/** What a price figure adds to the market capitalization, and compares it with; null for a missing figure. */
export interface FiledFigures {
  readonly added: Figure | null;
  readonly operand: Figure | null;
}

/** Null if no annual revenue, net income or total assets was reported. */
export function deriveScreenRow(
  allFigures: readonly Figure[],
  context: ScreenContext,
  { credibleFigures, periods }: ScreenInputs,
): ScreenRowFigures | null {
  const { splits, releaseDate, market = null } = context;
  const year = periods('annual').find((fiscalYear) => CORE_KEYS.some((key) => fiscalYear.figureOf(key) !== null));
  if (year === undefined) return null;
  const twelveMonths = twelveMonthsByKey(allFigures, year.currency, releaseDate);
  const marketScope =
    market === null ? {} : { market: { figures: marketFigures(market.price), ratioBetween: market.ratioBetween } };
  const scope: FormulaScope = { ...scopeOfYear(year, splits), twelveMonths, ...marketScope };
  const figureOfKey = (key: string) =>
    coverMetricOf(key) === null ? figureIn(scope, key) : latestCoverFigure(key, credibleFigures, splits, year.end);
  const dollarScope = year.currency === DOLLARS ? scope : scopeInDollars(year, allFigures, context, scope);
  const figureInDollars = (key: string, measure: Measure): Figure | null => {
    const figure = figureOfKey(key);
    const isKnown = figure === null ? coverMetricOf(key) !== null : currencyOf(figure.unit) === DOLLARS;
    if (!AMOUNT_MEASURES.has(measure) || isKnown) return figure;
    return dollarScope === null ? null : figureIn(dollarScope, key);
  };
  const row: ScreenFigures = {
    fiscalYear: year.fiscalYear,
    figures: Object.fromEntries(
      SCREEN_FIGURES.map(({ key, measure }) => [key, figureInDollars(key, measure)?.value ?? null]),
    ),
    dates: orderScreenDates({
      ...yearDates(year),
      public_float_end_date: figureOfKey('public_float')?.end ?? null,
      shares_outstanding_end_date: figureOfKey('common_shares_outstanding')?.end ?? null,
      price_day: market?.price?.day ?? null,
      ttm_end_date: [...twelveMonths.values()][0]?.end ?? null,
    }),
  };
  return { row, filedFor: (figure) => selectFiledFigures(figure, scope) };
}

/** The last day on which a release of the same facts and prices has the same row; null if there is no such day. */
export function lastDayOf({ dates }: ScreenFigures): string | null {
  const { price_day: price, ttm_end_date: twelveMonths } = dates;
  const endDays = [
    ...(price == null ? [] : [addDays(price, MAX_PRICE_AGE_DAYS)]),
    ...(twelveMonths == null ? [] : [addDays(twelveMonths, STALE_DAYS)]),
  ];
  return endDays.sort()[0] ?? null;
}

export const NO_FIGURES: FiledFigures = { added: null, operand: null };
/** Of no value, so that a sum with it has that of its other terms. */
const ZERO_MARKET_FIGURES = marketFigures({ day: '', price: '0', marketCap: '0' });

/** Derives the figures as for a price that is compared with them. */
function selectFiledFigures({ market, sum, operand }: PriceFigure, scope: FormulaScope): FiledFigures {
  const pricedScope: FormulaScope = { ...scope, market: { figures: ZERO_MARKET_FIGURES, ratioBetween: () => null } };
  const addedFigure = figureIn(pricedScope, sum ?? market);
  const filedOperand = operand === null ? null : figureIn(pricedScope, operand);
  if (operand === null || addedFigure === null) return { added: addedFigure, operand: null };
  const currency = filedOperand && currencyOf(filedOperand.unit);
  const pair =
    filedOperand === null || (currency !== null && currency !== DOLLARS)
      ? null
      : toComparablePair(addedFigure, filedOperand);
  return pair === null ? NO_FIGURES : { added: pair[0], operand: pair[1] };
}

const AMOUNT_MEASURES: ReadonlySet<Measure> = new Set(['money', 'per_share']);

/**
 * The amounts that a company with another reporting currency states in dollars for the same year; null if it states
 * none.
 */
function scopeInDollars(
  year: FiscalYear,
  allFigures: readonly Figure[],
  { splits, releaseDate }: ScreenContext,
  { twelveMonths = new Map() }: FormulaScope,
): FormulaScope | null {
  const yearInDollars = collectPeriods(
    allFigures,
    DOLLARS,
  )('annual').find(({ start, end }) => start === year.start && end === year.end);
  if (yearInDollars === undefined) return null;
  const twelveMonthsInDollars = twelveMonthsByKey(allFigures, DOLLARS, releaseDate);
  const windowsOfSameDays = [...twelveMonthsInDollars].filter(([key, { end }]) => twelveMonths.get(key)?.end === end);
  return { ...scopeOfYear(yearInDollars, splits), twelveMonths: new Map(windowsOfSameDays) };
}

/** Fifteen months: a value that no report has stated for longer is not shown with figures of the year. */
const MAX_COVER_AGE_DAYS = 457;

/**
 * The figure of the newest cover of any report, which may be later than the fiscal year; null if it is long before
 * the year's end.
 */
function latestCoverFigure(
  key: string,
  figures: readonly Figure[],
  splits: readonly Split[],
  yearEnd: string,
): Figure | null {
  const cover = coverMetricOf(key);
  const covers = figures.filter((figure) => figure.metricKey === cover);
  const latestFigure = figureWithLatestEnd(covers);
  return latestFigure === null || daysBetween(latestFigure.end, yearEnd) > MAX_COVER_AGE_DAYS
    ? null
    : figureIn(scopeOfCover(latestFigure, covers, splits), key);
}

function yearDates(year: FiscalYear): Record<string, string | null> {
  const balanceFigure =
    year.figureOf('assets') ?? year.figureOf('stockholders_equity') ?? year.figureOf('cash_and_equivalents');
  return {
    annual_end_date: year.end,
    prior_annual_end_date: year.prior?.end ?? null,
    instant_end_date: balanceFigure?.end ?? null,
  };
}

/** In the order of the columns. */
function orderScreenDates(dates: Readonly<Record<string, string | null>>): Record<string, string | null> {
  return Object.fromEntries(
    SCREEN_DATES.map((name) => {
      const date = dates[name];
      if (date === undefined) throw new RangeError(`unknown date ${name}`);
      return [name, date];
    }),
  );
}

/** The figures of twelve months, each with its flow. */
const TWELVE_MONTH_FORMULAS = FIGURES.flatMap(({ key, formula }) =>
  formula?.kind === 'twelve_months' ? [{ key, of: formula.of }] : [],
);
const TWELVE_MONTH_METRICS: ReadonlySet<string> = new Set(TWELVE_MONTH_FORMULAS.map(({ of }) => of));

/** The figures of the latest twelve months, all of one period; empty if these are not recent. */
function twelveMonthsByKey(allFigures: readonly Figure[], currency: string, releaseDate: string): Map<string, Figure> {
  const windowByMetric = new Map<string, Figure>();
  const figuresByMetric = groupBy(
    allFigures.filter(({ unit, metricKey }) => unit === currency && TWELVE_MONTH_METRICS.has(metricKey)),
    ({ metricKey }) => metricKey,
  );
  for (const { key, of } of TWELVE_MONTH_FORMULAS) {
    const window = latestTwelveMonths(figuresByMetric.get(of) ?? []);
    if (window !== null) windowByMetric.set(key, window);
  }
  const latestWindowEnd = figureWithLatestEnd([...windowByMetric.values()])?.end;
  if (latestWindowEnd === undefined || !areTwelveMonthsRecent(latestWindowEnd, releaseDate)) return new Map();
  return new Map([...windowByMetric].filter(([, window]) => window.end === latestWindowEnd));
}

/** Whether twelve months with an end date are a company's latest on a day. */
export function areTwelveMonthsRecent(end: string, day: string): boolean {
  return daysBetween(end, day) <= STALE_DAYS;
}

/** Prices are in dollars. */
function marketFigures(latestPrice: MarketPrice | null): Map<string, Figure> {
  const figures = new Map<string, Figure>();
  if (latestPrice === null) return figures;
  const { day, price, marketCap } = latestPrice;
  figures.set('price', marketFigure('price', 'USD/shares', day, price));
  if (marketCap !== null) figures.set('market_cap', marketFigure('market_cap', 'USD', day, marketCap));
  return figures;
}
