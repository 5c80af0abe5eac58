/** The latest price and market capitalization of a company, for price ratios. */
import { multiply } from '../../contract/decimal.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import { MAX_PRICE_AGE_DAYS } from '../../contract/max-ages.ts';
import { convertToNewShares, convertToPerNewShare } from '../../contract/split-ratio.ts';
import { addDays, countDaysBetween } from '../../platform/dates.ts';
import { deriveFigures } from '../derived/derive-figures.ts';
import type { Figure } from '../derived/figure.ts';
import { findSplitAdjustmentDay, selectCredibleCounts } from '../derived/share-counts.ts';
import type { ReportedValue } from '../revisions/revision-chain.ts';
import { combineSplits, type Split, type SplitRatioFinder } from '../shares/splits.ts';
import type { DatedSplit, Quote, SplitBounds } from './price-observations.ts';
import { createRatioFinderByDays, dateSplits, findUnprovenChanges } from './price-observations.ts';

/** A price on one day, in dollars. */
export interface MarketPrice {
  readonly day: string;
  readonly price: Decimal;
  /**
   * Price times shares outstanding; null if no share count is usable or the company's share classes trade separately.
   */
  readonly marketCap: Decimal | null;
}

/** The prices of a company's primary security. */
export interface Quotes {
  /** One price per day, earliest first, of at least the last 400 days. */
  readonly daily: readonly Quote[];
  /**
   * Whether the company's share count applies to this security. False for depositary receipts, and if the company's
   * share classes trade separately.
   */
  readonly shareCountApplies: boolean;
  /** Changes of the security's CUSIP. */
  readonly cusipChanges?: readonly SplitBounds[];
}

/** The latest price of a company's primary security, and the splits that prices show. */
export interface MarketData {
  /** Null if no price is from the last 180 days before the release. */
  readonly price: MarketPrice | null;
  /** Split ratios between days. Splits have the dates that prices show; splits that prices contradict are omitted. */
  readonly ratioBetween: SplitRatioFinder;
}

/** @param reported all share counts that the company reported, chain by chain */
export function deriveMarketData(
  { daily, shareCountApplies, cusipChanges = [] }: Quotes,
  reported: readonly ReportedValue[],
  splits: readonly Split[],
  releaseDate: string,
): MarketData {
  const dated = dateSplits(splits, daily);
  const firstDay = addDays(releaseDate, -MAX_COUNT_AGE_DAYS);
  const recentChanges = cusipChanges.filter(({ until }) => until >= firstDay);
  const changes = findUnprovenChanges(recentChanges, dated, daily);
  const ratioBetween = createRatioFinderByDays(dated, changes);
  const last = daily.findLast(({ day }) => day <= releaseDate);
  if (last === undefined || countDaysBetween(last.day, releaseDate) > MAX_PRICE_AGE_DAYS)
    return { price: null, ratioBetween };
  const findCount = shareCountApplies ? createShareCountFinder(reported, splits, dated, changes) : findNoShareCount;
  const marketCap = computeMarketCap(last, findCount);
  return { price: { day: last.day, price: last.price, marketCap }, ratioBetween };
}

/** Returns the day's price times its share count; null if the day has no share count. */
export function computeMarketCap({ day, price }: Pick<Quote, 'day' | 'price'>, find: ShareCountFinder): Decimal | null {
  const count = find(day);
  return count === null ? null : multiply(price, count.shares);
}

/** Maximum age of a share count, in days. */
const MAX_COUNT_AGE_DAYS = 400;

interface ShareCount {
  readonly shares: Decimal;
  /** The date of the count, as stated by the company. */
  readonly asOf: string;
}

/** Returns a day's share count, adjusted for splits up to that day, to compute the market capitalization. */
export type ShareCountFinder = (day: string) => ShareCount | null;

export const findNoShareCount: ShareCountFinder = () => null;

/**
 * Returns a function that finds the latest plausible count dated and filed by a day; null if that count is more than
 * 400 days old, or if a split may lie between the count and the day.
 * @param reportedCounts all share counts that the company reported, chain by chain
 * @param splits splits proven by filings
 * @param datedSplits the same splits, with the dates that prices show
 * @param unprovenChanges changes of the security after which older counts cannot be used, earliest first
 */
export function createShareCountFinder(
  reportedCounts: readonly ReportedValue[],
  splits: readonly Split[],
  datedSplits: readonly DatedSplit[],
  unprovenChanges: readonly SplitBounds[] = [],
): ShareCountFinder {
  const counts = reportedCounts.filter(({ unit }) => unit === 'shares');
  const days = [...new Set(counts.map(({ filed }) => filed))].sort();
  const ratioBetween = createRatioFinderByDays(datedSplits, unprovenChanges);
  const byDay = new Map<string, readonly Figure[]>();
  return (day) => {
    const filingDay = days.findLast((other) => other <= day);
    if (filingDay === undefined) return null;
    // Counts before an unproven change are of other shares, so they say nothing about counts after it.
    const start = unprovenChanges.findLast(({ until }) => until <= day)?.until ?? '';
    const key = `${filingDay} ${start}`;
    const credibleCounts =
      byDay.get(key) ?? selectCredibleCounts(selectCountsSince(start, deriveFigures(counts, filingDay)), splits);
    byDay.set(key, credibleCounts);
    const count = credibleCounts.findLast(({ end }) => end <= day);
    if (count === undefined || countDaysBetween(count.end, day) > MAX_COUNT_AGE_DAYS) return null;
    const ratio = ratioBetween(findSplitAdjustmentDay(count), day);
    return ratio === null ? null : { shares: convertToNewShares(count.value, ratio), asOf: count.end };
  };
}

const selectCountsSince = (day: string, figures: readonly Figure[]): readonly Figure[] =>
  day === '' ? figures : figures.filter((figure) => findSplitAdjustmentDay(figure) >= day);

/**
 * Returns the price in today's shares: divided by the ratio of every split since the day. Returns the price unchanged
 * if the day lies within the range of a split whose date is unknown.
 */
export function adjustPrice(price: Decimal, day: string, splits: readonly DatedSplit[]): Decimal {
  if (splits.some((split) => isWithinSplitDateRange(day, split))) return price;
  return convertToPerNewShare(price, combineSplits(splits.filter(({ until }) => until > day)));
}

/** Whether the split's date is unknown and may be before or after the day. */
const isWithinSplitDateRange = (day: string, { after, until, provenBy }: DatedSplit): boolean =>
  provenBy === null && after < day && day < until;
