/** The screener's row of one company: its latest fiscal year, the year before, its latest twelve months. */

import { divide } from '../../contract/decimal.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import { compareDecimals } from '../../contract/decimal-text.ts';
import { SCREEN_DATES, SCREEN_FIGURES } from '../../contract/screen-columns.ts';
import { daysBetween } from '../../platform/dates.ts';
import type { TwelveMonths } from '../periods/twelve-months.ts';
import { latestTwelveMonths } from '../periods/twelve-months.ts';
import type { MarketPrice } from '../prices/market-price.ts';
import { credibleCounts } from '../shares/share-counts.ts';
import type { Split } from '../shares/splits.ts';
import type { Snapshot } from './annual-snapshot.ts';
import { annualSnapshots, isYearApart, perShareOnBasisOf } from './annual-snapshot.ts';
import type { Figure } from './figure.ts';
import { metricOf } from './metric-rules.ts';
import { RATIO_KEYS, ratioOf, shareGrowth } from './ratios.ts';

/** The screener's figures of one company, by column; a missing figure is null. */
export interface ScreenFigures {
  readonly fiscalYear: number | null;
  readonly dates: Readonly<Record<string, string | null>>;
  readonly figures: Readonly<Record<string, Decimal | null>>;
}

export interface ScreenContext {
  readonly splits: readonly Split[];
  /** The day twelve months and share counts must not be too old for. */
  readonly releaseDate: string;
  readonly price?: MarketPrice | null;
}

const CORE_KEYS = ['revenue', 'net_income', 'assets'] as const;
/** After this a quarterly filer would have reported again, so its twelve months are no longer its latest. */
const STALE_DAYS = 185;
const TWELVE_MONTHS_KEYS = ['revenue', 'net_income', 'operating_cash_flow', 'free_cash_flow'] as const;

type Figures = Record<string, Decimal | null>;
type Dates = Record<string, string | null>;

/** Null when the company has no core metric (an annual revenue, net income or total of assets) on file. */
export function screenFigures(all: readonly Figure[], context: ScreenContext): ScreenFigures | null {
  const year = annualSnapshots(all).find((snapshot) => CORE_KEYS.some((key) => snapshot.at(key) !== null));
  if (year === undefined) return null;
  const figures: Figures = Object.fromEntries(SCREEN_FIGURES.map((figure) => [figure.key, null]));
  const dates: Dates = Object.fromEntries(SCREEN_DATES.map((name) => [name, null]));
  fillYear(year, context, figures, dates);
  fillCover(all, context, figures, dates);
  fillTwelveMonths(all, year.currency, context, figures, dates);
  // A price in dollars and figures in another currency make no ratio.
  if (context.price !== null && context.price !== undefined)
    fillPrice(year, context.price, context.splits, figures, dates);
  return { fiscalYear: year.fiscalYear, dates, figures };
}

function fillYear(year: Snapshot, { splits }: ScreenContext, figures: Figures, dates: Dates): void {
  for (const { key } of SCREEN_FIGURES) {
    if (RATIO_KEYS.has(key)) figures[key] = ratioOf(key, year, splits)?.value ?? null;
    else if (metricOf(key) !== null && metricOf(key)?.statement !== 'cover') figures[key] = year.at(key)?.value ?? null;
  }
  figures.revenue_prior = year.prior?.at('revenue')?.value ?? null;
  figures.net_income_prior = year.prior?.at('net_income')?.value ?? null;
  dates.annual_end_date = year.end;
  dates.prior_annual_end_date = year.prior?.end ?? null;
  dates.instant_end_date =
    (year.at('assets') ?? year.at('stockholders_equity') ?? year.at('cash_and_equivalents'))?.end ?? null;
}

/** The newest count and float of any report's cover, and the count's change over a year on one share basis. */
function fillCover(all: readonly Figure[], { splits }: ScreenContext, figures: Figures, dates: Dates): void {
  const counts = credibleCounts(all, splits);
  const count = latest(counts);
  const float = latest(all.filter((figure) => figure.metricKey === 'public_float'));
  figures.common_shares_outstanding = count?.value ?? null;
  dates.shares_outstanding_end_date = count?.end ?? null;
  figures.public_float = float?.value ?? null;
  dates.public_float_end_date = float?.end ?? null;
  const before = count === null ? null : latest(counts.filter((figure) => isYearApart(figure.end, count.end)));
  figures.shares_change =
    count === null || before === null ? null : (shareGrowth(count, before, splits)?.value ?? null);
}

function latest(figures: readonly Figure[]): Figure | null {
  let last: Figure | null = null;
  for (const figure of figures) if (last === null || figure.end > last.end) last = figure;
  return last;
}

/** All four over one and the same window: the one revenue or net income ends last in. */
function fillTwelveMonths(
  all: readonly Figure[],
  currency: string,
  { releaseDate }: ScreenContext,
  figures: Figures,
  dates: Dates,
): void {
  const windows = new Map<string, TwelveMonths>();
  for (const key of TWELVE_MONTHS_KEYS) {
    const window = latestTwelveMonths(all.filter((figure) => figure.metricKey === key && figure.unit === currency));
    if (window !== null) windows.set(key, window);
  }
  const end = [...windows.values()]
    .map((window) => window.end)
    .sort()
    .at(-1);
  if (end === undefined || daysBetween(end, releaseDate) > STALE_DAYS) return;
  dates.ttm_end_date = end;
  for (const [key, window] of windows) if (window.end === end) figures[`${key}_ttm`] = window.value;
}

function fillPrice(
  year: Snapshot,
  market: MarketPrice,
  splits: readonly Split[],
  figures: Figures,
  dates: Dates,
): void {
  figures.price = market.price;
  figures.market_cap = market.marketCap;
  dates.price_day = market.day;
  if (year.currency !== 'USD') return;
  const perShare = (key: string) => {
    const figure = year.at(key);
    return figure === null ? null : perShareOnBasisOf(figure, market.day, splits);
  };
  const { marketCap, price } = market;
  figures.pe = overPositive(price, perShare('eps_diluted'));
  figures.dividend_yield = overPositive(perShare('dividends_per_share'), price);
  figures.ps = overPositive(marketCap, figures.revenue);
  figures.pb = overPositive(marketCap, figures.stockholders_equity);
  figures.fcf_yield = overPositive(figures.free_cash_flow, marketCap);
  figures.pe_ttm = overPositive(marketCap, figures.net_income_ttm);
  figures.ps_ttm = overPositive(marketCap, figures.revenue_ttm);
  figures.fcf_yield_ttm = overPositive(figures.free_cash_flow_ttm, marketCap);
}

function overPositive(top: Decimal | null | undefined, bottom: Decimal | null | undefined): Decimal | null {
  if (top === null || top === undefined || bottom === null || bottom === undefined) return null;
  return compareDecimals(bottom, '0') > 0 ? divide(top, bottom) : null;
}
