/**
 * Derives the screener's row of one company: its latest fiscal year, the year before, the latest twelve months, and its
 * price.
 */

import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import { dependsOnPrice, FIGURES, METRICS } from '../../contract/figures.ts';
import { parseCurrency } from '../../contract/identifiers.ts';
import { MAX_DAYS_BETWEEN_ANNUAL_REPORTS, MAX_PRICE_AGE_DAYS } from '../../contract/max-ages.ts';
import { DATE_COLUMNS, SCREEN_FIGURES } from '../../contract/screen-columns.ts';
import type { Measure } from '../../contract/statements/formula.ts';
import { groupBy } from '../../platform/collections.ts';
import { addDays, countDaysBetween } from '../../platform/dates.ts';
import { type Figure, makeMarketFigure, toComparablePair } from '../derived/figure.ts';
import type { FigurePeriod, PeriodLookup } from '../derived/fiscal-years.ts';
import { createPeriodLookup, findFigureWithLatestEnd } from '../derived/fiscal-years.ts';
import {
  createCoverScope,
  createPeriodScope,
  evaluateFigure,
  type FormulaScope,
  findCoverMetric,
  selectAnnualCovers,
} from '../derived/formulas.ts';
import { removeImplausibleCounts } from '../derived/share-counts.ts';
import { findLatestTwelveMonths } from '../derived/twelve-months.ts';
import type { MarketData, MarketPrice } from '../prices/market-price.ts';
import { findBrokenRelation } from '../relations/unconfirmed.ts';
import type { Split } from '../shares/splits.ts';
import { PRICE_FIGURES, type PriceFigure } from './price-figures.ts';

/** The row's figures and dates by column; null for a missing figure or date. */
export interface ScreenFigures {
  readonly fiscalYear: number | null;
  /** Currency of the fiscal year's figures, such as `EUR`. */
  readonly currency: string;
  readonly dates: Readonly<Record<string, string | null>>;
  readonly figures: Readonly<Record<string, Decimal | null>>;
  /**
   * Columns whose figures are computed from unconfirmed amounts (`relations/unconfirmed.ts`), separated by spaces; null
   * for none. Omits figures that need a price, which `listUnconfirmedColumns` adds.
   */
  readonly unconfirmed: string | null;
}

interface ScreenContext {
  /** Splits proven by filings. */
  readonly splits: readonly Split[];
  /**
   * Date of the release, or the day of a past row. The latest twelve months are used only if they ended recently
   * before this date.
   */
  readonly releaseDate: string;
  /** Null or absent for a company without prices. */
  readonly market?: MarketData | null;
}

/** The currency in which amounts of different companies are compared. */
const DOLLAR_UNIT = 'USD';

const LATEST_YEAR_KEYS = ['revenue', 'net_income', 'assets'];
/**
 * Maximum number of days since trailing twelve months ended: after that, a quarterly filer should have reported again.
 */
const MAX_TWELVE_MONTHS_AGE_DAYS = 185;

const COVER_METRICS: ReadonlySet<string> = new Set(
  METRICS.filter(({ statement }) => statement === 'cover').map(({ key }) => key),
);

/** A company's periods and the figures that rows are derived from. */
interface ScreenInputs {
  readonly credibleFigures: readonly Figure[];
  /** The credible figures of cover pages. */
  readonly coverFigures: readonly Figure[];
  readonly findPeriods: PeriodLookup;
}

/** Returns the figures without implausible share counts, and their periods. */
export function selectScreenInputs(figures: readonly Figure[], splits: readonly Split[]): ScreenInputs {
  const credible = removeImplausibleCounts(figures, splits);
  const covers = credible.filter(({ metricKey }) => COVER_METRICS.has(metricKey));
  return { credibleFigures: credible, coverFigures: covers, findPeriods: createPeriodLookup(credible) };
}

/** Returns the row; null if no filing reports annual revenue, net income or total assets. */
export function deriveScreenFigures(
  figures: readonly Figure[],
  context: ScreenContext,
  inputs: ScreenInputs = selectScreenInputs(figures, context.splits),
): ScreenFigures | null {
  return deriveRowWithFiledFigures(figures, context, inputs)?.row ?? null;
}

/** A row, with the figures that its price figures are derived from. */
export interface RowWithFiledFigures {
  readonly row: ScreenFigures;
  findFiledFigures(figure: PriceFigure): FiledFigures;
}

/**
 * The filed inputs of a figure that needs a price, such as a price-to-earnings ratio. `added` is added to the market
 * capitalization; `operand` is the other side of the ratio. Null for a missing figure.
 */
export interface FiledFigures {
  readonly added: Figure | null;
  readonly operand: Figure | null;
}

/** Returns the row and its filed figures; null if no filing reports annual revenue, net income or total assets. */
export function deriveRowWithFiledFigures(
  figures: readonly Figure[],
  context: ScreenContext,
  { coverFigures, findPeriods }: ScreenInputs,
): RowWithFiledFigures | null {
  const { splits, releaseDate, market = null } = context;
  const year = findPeriods('annual').find(({ getFigure }) => LATEST_YEAR_KEYS.some((key) => getFigure(key) !== null));
  if (year === undefined) return null;
  const twelveMonths = indexTwelveMonths(figures, year.currency, releaseDate);
  const prices =
    market === null ? {} : { market: { figures: makeMarketFigures(market.price), ratioBetween: market.ratioBetween } };
  const scope: FormulaScope = { ...createPeriodScope(year, splits), twelveMonths, ...prices };
  const byColumn = new Map(
    FIGURE_COLUMNS.map(({ key, cover }) => [
      key,
      cover === null ? evaluateFigure(scope, key) : findCoverFigure(key, cover, coverFigures, splits, year),
    ]),
  );
  const dollarScope = year.currency === DOLLAR_UNIT ? scope : createScopeInDollars(year, figures, context, scope);
  const find = ({ key, cover, isAmount }: FigureColumn): Figure | null => {
    const figure = byColumn.get(key) ?? null;
    const isComparable = figure === null ? cover !== null : parseCurrency(figure.unit) === DOLLAR_UNIT;
    if (!isAmount || isComparable) return figure;
    return dollarScope === null ? null : evaluateFigure(dollarScope, key);
  };
  const figureByKey: Record<string, Decimal | null> = {};
  const unconfirmed: string[] = [];
  for (const column of FIGURE_COLUMNS) {
    const { key, isPriced } = column;
    const figure = find(column);
    figureByKey[key] = figure?.value ?? null;
    if (figure !== null && !isPriced && isUnconfirmed(key, figure, releaseDate)) unconfirmed.push(key);
  }
  const row: ScreenFigures = {
    fiscalYear: year.fiscalYear,
    currency: year.currency,
    figures: figureByKey,
    unconfirmed: unconfirmed.length === 0 ? null : unconfirmed.join(' '),
    dates: orderScreenDates({
      ...listYearDates(year),
      public_float_end_date: byColumn.get('public_float')?.end ?? null,
      shares_outstanding_end_date: byColumn.get('common_shares_outstanding')?.end ?? null,
      shares_change_end_date: (byColumn.get('shares_change') ?? byColumn.get('shares_change_3y'))?.end ?? null,
      price_day: market?.price?.day ?? null,
      ttm_end_date: [...twelveMonths.values()][0]?.end ?? null,
    }),
  };
  const atZero: FormulaScope = { ...scope, market: { figures: ZERO_MARKET_FIGURES, ratioBetween: () => null } };
  return { row, findFiledFigures: (figure) => selectFiledFigures(figure, atZero) };
}

const AMOUNT_MEASURES: ReadonlySet<Measure> = new Set(['money', 'per_share']);

/** Properties of each figure of a row, computed once for all rows. */
const FIGURE_COLUMNS = SCREEN_FIGURES.map(({ key, measure }) => ({
  key,
  cover: findCoverMetric(key),
  isAmount: AMOUNT_MEASURES.has(measure),
  isPriced: dependsOnPrice(key),
}));
type FigureColumn = (typeof FIGURE_COLUMNS)[number];

/** Margins that exceed 1 only after a gain or an error of the filer. */
export const MARGINS: readonly string[] = ['gross_margin', 'operating_margin'];

function isUnconfirmed(key: string, figure: Figure, day: string): boolean {
  return findBrokenRelation(figure, day) !== null || (MARGINS.includes(key) && compareDecimals(figure.value, '1') > 0);
}

/** Returns all unconfirmed columns of a row, with the figures that combine a price and an unconfirmed figure. */
export function listUnconfirmedColumns(unconfirmed: string | null): string[] {
  if (unconfirmed === null) return [];
  const keys = unconfirmed.split(' ');
  return [...keys, ...PRICE_FIGURES.flatMap(({ key, operand }) => (keys.includes(operand ?? '') ? [key] : []))];
}

/**
 * Returns the last day on which the row is valid if no facts and prices are added; null if no figure of the row
 * expires.
 */
export function findLastValidDay({ dates }: ScreenFigures): string | null {
  const { price_day: day, ttm_end_date: end } = dates;
  const lastOfPrice = day == null ? [] : [addDays(day, MAX_PRICE_AGE_DAYS)];
  const lastOfMonths = end == null ? [] : [addDays(end, MAX_TWELVE_MONTHS_AGE_DAYS)];
  return [...lastOfPrice, ...lastOfMonths].sort()[0] ?? null;
}

export const NO_FILED_FIGURES: FiledFigures = { added: null, operand: null };
/** Figures for a price of zero: a market capitalization of zero leaves the sum of filed amounts unchanged. */
const ZERO_MARKET_FIGURES = makeMarketFigures({ day: '', price: '0', marketCap: '0' });

/**
 * Returns the filed figures that a price figure uses. Selects comparable values as if the market capitalization were
 * zero.
 */
function selectFiledFigures({ market, sum, operand }: PriceFigure, atZero: FormulaScope): FiledFigures {
  const added = evaluateFigure(atZero, sum ?? market);
  const other = operand === null ? null : evaluateFigure(atZero, operand);
  if (operand === null || added === null) return { added, operand: null };
  const currency = other && parseCurrency(other.unit);
  const pair =
    other === null || (currency !== null && currency !== DOLLAR_UNIT) ? null : toComparablePair(added, other);
  return pair === null ? NO_FILED_FIGURES : { added: pair[0], operand: pair[1] };
}

/**
 * Returns a scope with the dollar amounts of the same year, if a company with another reporting currency also states
 * dollar amounts; otherwise null.
 */
function createScopeInDollars(
  year: FigurePeriod,
  figures: readonly Figure[],
  { splits, releaseDate }: ScreenContext,
  { twelveMonths = new Map() }: FormulaScope,
): FormulaScope | null {
  const years = createPeriodLookup(figures, DOLLAR_UNIT)('annual');
  const dollarYear = years.find(({ start, end }) => start === year.start && end === year.end);
  if (dollarYear === undefined) return null;
  const windows = indexTwelveMonths(figures, DOLLAR_UNIT, releaseDate);
  const sameEnd = [...windows].filter(([key, { end }]) => twelveMonths.get(key)?.end === end);
  return { ...createPeriodScope(dollarYear, splits), twelveMonths: new Map(sameEnd) };
}

/**
 * Returns the figure of the newest cover, which may be dated after the fiscal year; for a change, that of the cover of
 * the fiscal year's annual report. Null if the cover is dated more than `MAX_DAYS_BETWEEN_ANNUAL_REPORTS` days before
 * the year's end.
 */
function findCoverFigure(
  key: string,
  metric: string,
  covers: readonly Figure[],
  splits: readonly Split[],
  year: Pick<FigurePeriod, 'end' | 'fiscalYear'>,
): Figure | null {
  const ofMetric = covers.filter((figure) => figure.metricKey === metric);
  const latest =
    key === metric
      ? findFigureWithLatestEnd(ofMetric)
      : (selectAnnualCovers(ofMetric).find(({ fiscalYear }) => fiscalYear === year.fiscalYear) ?? null);
  return latest === null || countDaysBetween(latest.end, year.end) > MAX_DAYS_BETWEEN_ANNUAL_REPORTS
    ? null
    : evaluateFigure(createCoverScope(latest, ofMetric, splits), key);
}

function listYearDates(year: FigurePeriod): Record<string, string | null> {
  const balance =
    year.getFigure('assets') ?? year.getFigure('stockholders_equity') ?? year.getFigure('cash_and_equivalents');
  return {
    annual_end_date: year.end,
    prior_annual_end_date: year.priorYear?.end ?? null,
    instant_end_date: balance?.end ?? null,
  };
}

function orderScreenDates(dates: Readonly<Record<string, string | null>>): Record<string, string | null> {
  return Object.fromEntries(
    DATE_COLUMNS.map((name) => {
      const date = dates[name];
      if (date === undefined) throw new RangeError(`a screener row lacks the date ${name}`);
      return [name, date];
    }),
  );
}

/** The keys of all figures over twelve months, each with the key of the metric that is added up. */
const TWELVE_MONTH_KEY_PAIRS = FIGURES.flatMap(({ key, formula }) =>
  formula?.kind === 'twelve_months' ? [{ key, flowKey: formula.of }] : [],
);
const TWELVE_MONTH_METRICS: ReadonlySet<string> = new Set(TWELVE_MONTH_KEY_PAIRS.map(({ flowKey }) => flowKey));

/**
 * Returns the figures of the latest twelve months by key, all for the same twelve months; empty if these months ended
 * too long ago.
 */
function indexTwelveMonths(figures: readonly Figure[], currency: string, day: string): Map<string, Figure> {
  const byKey = new Map<string, Figure>();
  let since = addDays(day, -MAX_TWELVE_MONTHS_AGE_DAYS);
  const byMetric = groupBy(
    figures.filter(({ unit, metricKey }) => unit === currency && TWELVE_MONTH_METRICS.has(metricKey)),
    ({ metricKey }) => metricKey,
  );
  for (const { key, flowKey } of TWELVE_MONTH_KEY_PAIRS) {
    const figure = findLatestTwelveMonths(byMetric.get(flowKey) ?? [], since);
    if (figure === null) continue;
    if (figure.end > since) byKey.clear();
    byKey.set(key, figure);
    since = figure.end;
  }
  return byKey;
}

/** Whether a period of twelve months that ends on `end` is recent enough for a row on the day. */
export const areTwelveMonthsRecent = (end: string, day: string): boolean =>
  countDaysBetween(end, day) <= MAX_TWELVE_MONTHS_AGE_DAYS;

/** Returns figures of the price and market capitalization. All prices are in dollars. */
function makeMarketFigures(latest: MarketPrice | null): Map<string, Figure> {
  const entries = new Map<string, Figure>();
  if (latest === null) return entries;
  const { day, price, marketCap } = latest;
  entries.set('price', makeMarketFigure('price', 'USD/shares', day, price));
  if (marketCap !== null) entries.set('market_cap', makeMarketFigure('market_cap', 'USD', day, marketCap));
  return entries;
}
