/** The latest price and market capitalization of a company, for price ratios. */
import { multiply } from '../../contract/decimal.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import { combinedRatio, exactRatio, inNewShares, NO_SPLIT, perNewShare } from '../../contract/split-ratio.ts';
import { daysBetween } from '../../platform/dates.ts';
import type { Figure } from '../derived/figure.ts';
import { basisDay, selectCredibleCounts } from '../derived/share-counts.ts';
import { figuresOf } from '../figure-values.ts';
import type { ReportedValue } from '../revisions/revision-chain.ts';
import type { RatioBetween, Split } from '../shares/splits.ts';
import { createRatioByDays, type DatedSplit, dateSplits, type Quote } from './price-observations.ts';

/** A price on one day, in dollars. */
export interface MarketPrice {
  readonly day: string;
  readonly price: Decimal;
  /** Null if no share count is usable, or the company's classes trade separately. */
  readonly marketCap: Decimal | null;
}

/** Maximum age of a price for current ratios, in days. */
export const MAX_PRICE_AGE_DAYS = 180;

/** The prices of a company's primary security. */
export interface Quotes {
  /** One price per day, earliest first, for at least the last 400 days. */
  readonly daily: readonly Quote[];
  /** Whether the company's share count is of this security: not for receipts, and not if classes trade separately. */
  readonly countApplies: boolean;
}

export interface Market {
  /** Null if the last price is more than 180 days older than the release. */
  readonly price: MarketPrice | null;
  /** Splits on the dates that prices show, without those that prices contradict. */
  readonly ratioBetween: RatioBetween;
}

/** @param counts every reported share count, chain by chain */
export function deriveMarket(
  { daily, countApplies }: Quotes,
  counts: readonly ReportedValue[],
  splits: readonly Split[],
  releaseDate: string,
): Market {
  const datedSplits = dateSplits(splits, daily);
  const ratioBetween = createRatioByDays(datedSplits);
  const lastQuote = daily.findLast(({ day }) => day <= releaseDate);
  if (lastQuote === undefined || daysBetween(lastQuote.day, releaseDate) > MAX_PRICE_AGE_DAYS)
    return { price: null, ratioBetween };
  const shareCountOn = countApplies ? createShareCountFinder(counts, splits, datedSplits) : noCount;
  return {
    price: { day: lastQuote.day, price: lastQuote.price, marketCap: marketCapOn(lastQuote, shareCountOn) },
    ratioBetween,
  };
}

/** Price times the share count of its day; null without a share count. */
export function marketCapOn(
  { day, price }: Pick<Quote, 'day' | 'price'>,
  shareCountOn: ShareCountFinder,
): Decimal | null {
  const count = shareCountOn(day);
  return count === null ? null : multiply(price, count.shares);
}

/** Maximum age of a share count, in days. */
const MAX_COUNT_AGE_DAYS = 400;

interface ShareCount {
  readonly shares: Decimal;
  /** The date for which the company states the count. */
  readonly asOf: string;
}

/** Returns the share count for a day's market capitalization, in shares of that day. */
export type ShareCountFinder = (day: string) => ShareCount | null;

export const noCount: ShareCountFinder = () => null;

/**
 * Returns for each day the latest plausible count of that day or earlier that was filed by then. Null if it is more
 * than 400 days old, or a split may have come between.
 * @param values every reported share count, chain by chain
 * @param splits as filings prove them
 */
export function createShareCountFinder(
  values: readonly ReportedValue[],
  splits: readonly Split[],
  datedSplits: readonly DatedSplit[],
): ShareCountFinder {
  const countsInShares = values.filter(({ unit }) => unit === 'shares');
  const filedDays = [...new Set(countsInShares.map(({ filed }) => filed))].sort();
  const ratioBetween = createRatioByDays(datedSplits);
  const countsByFilingDay = new Map<string, readonly Figure[]>();
  return (day) => {
    const filingDay = filedDays.findLast((filedDay) => filedDay <= day);
    if (filingDay === undefined) return null;
    const counts =
      countsByFilingDay.get(filingDay) ?? selectCredibleCounts(figuresOf(countsInShares, filingDay), splits);
    countsByFilingDay.set(filingDay, counts);
    const count = counts.findLast(({ end }) => end <= day);
    if (count === undefined || daysBetween(count.end, day) > MAX_COUNT_AGE_DAYS) return null;
    const ratio = ratioBetween(basisDay(count), day);
    return ratio === null ? null : { shares: inNewShares(count.value, ratio), asOf: count.end };
  };
}

/**
 * The price in today's shares: divided by the ratio of every split since the day. Unchanged if the day lies between
 * the two bounds of a split with unknown date.
 */
export function adjustPrice(price: Decimal, day: string, splits: readonly DatedSplit[]): Decimal {
  if (splits.some((split) => isWithinSplit(day, split))) return price;
  const ratio = splits
    .filter(({ until }) => until > day)
    .map((split) => exactRatio(split.ratio))
    .reduce(combinedRatio, NO_SPLIT);
  return perNewShare(price, ratio);
}

/** Whether the day may be before or after the split. */
function isWithinSplit(day: string, { after, until, provenBy }: DatedSplit): boolean {
  return provenBy === null && after < day && day < until;
}
