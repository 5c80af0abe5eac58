/** The latest price and market capitalization of a company, for the ratios that need them. */
import { multiply } from '../../contract/decimal.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import { combinedRatio, exactRatio, inNewShares, NO_SPLIT, perNewShare } from '../../contract/split-ratio.ts';
import { daysBetween } from '../../platform/dates.ts';
import { figuresOf } from '../figure-values.ts';
import type { Figure } from '../metrics/figure.ts';
import type { ReportedValue } from '../revisions/revision-chain.ts';
import { basisDay, credibleCounts } from '../shares/share-counts.ts';
import type { RatioBetween, Split } from '../shares/splits.ts';
import { ratioByTape, type SourcedPrice, type TapeSplit, tapeSplits } from './tape.ts';

/** A price on one day, in dollars. */
export interface MarketPrice {
  readonly day: string;
  readonly price: Decimal;
  /** Null when no share count qualifies or the company's classes trade apart. */
  readonly marketCap: Decimal | null;
}

/** An older price makes no ratio of today. */
export const MAX_PRICE_AGE_DAYS = 180;

/** The prices of a company's primary security. */
export interface Quotes {
  /** One price a day, earliest first; at least those of the last 400 days. */
  readonly tape: readonly SourcedPrice[];
  /** Whether the company's share count is of this security: not where classes trade apart, nor for receipts. */
  readonly countApplies: boolean;
}

export interface Market {
  /** Null where the last price is more than 180 days older than the release. */
  readonly price: MarketPrice | null;
  /** The splits as the tape dates them, without those it contradicts. */
  readonly ratioBetween: RatioBetween;
}

/** @param counts every reported share count, chain by chain */
export function marketOf(
  { tape, countApplies }: Quotes,
  counts: readonly ReportedValue[],
  splits: readonly Split[],
  releaseDate: string,
): Market {
  const onTape = tapeSplits(splits, tape);
  const ratioBetween = ratioByTape(onTape);
  const last = tape.findLast(({ day }) => day <= releaseDate);
  if (last === undefined || daysBetween(last.day, releaseDate) > MAX_PRICE_AGE_DAYS)
    return { price: null, ratioBetween };
  const countOn = countApplies ? shareCounts(counts, splits, onTape) : noCount;
  return { price: { day: last.day, price: last.price, marketCap: marketCapOn(last, countOn) }, ratioBetween };
}

/** Price times the share count of its day; null where there is none. */
export function marketCapOn({ day, price }: Pick<SourcedPrice, 'day' | 'price'>, countOn: CountOn): Decimal | null {
  const count = countOn(day);
  return count === null ? null : multiply(price, count.shares);
}

/** A share count older than this does not apply to a day. */
const MAX_COUNT_AGE_DAYS = 400;

interface ShareCount {
  readonly shares: Decimal;
  /** The day the company states it for. */
  readonly asOf: string;
}

/** The share count that a day's market capitalization goes by, in the day's shares. */
export type CountOn = (day: string) => ShareCount | null;

export const noCount: CountOn = () => null;

/**
 * Of each day the latest credible count for it or before that was filed by then. Null where it is more than 400 days
 * old, or where it is not known whether a split came between.
 * @param values every reported share count, chain by chain
 * @param splits as filings prove them
 */
export function shareCounts(
  values: readonly ReportedValue[],
  splits: readonly Split[],
  onTape: readonly TapeSplit[],
): CountOn {
  const inShares = values.filter(({ unit }) => unit === 'shares');
  const filedDays = [...new Set(inShares.map(({ filed }) => filed))].sort();
  const ratioBetween = ratioByTape(onTape);
  const known = new Map<string, readonly Figure[]>();
  return (day) => {
    const filed = filedDays.findLast((one) => one <= day);
    if (filed === undefined) return null;
    const counts = known.get(filed) ?? credibleCounts(figuresOf(inShares, filed), splits);
    known.set(filed, counts);
    const count = counts.findLast(({ end }) => end <= day);
    if (count === undefined || daysBetween(count.end, day) > MAX_COUNT_AGE_DAYS) return null;
    const ratio = ratioBetween(basisDay(count), day);
    return ratio === null ? null : { shares: inNewShares(count.value, ratio), asOf: count.end };
  };
}

/**
 * The price in today's shares: put through every split since the day. As traded on a day between the two of a split whose
 * day is not known.
 */
export function adjustedPrice(price: Decimal, day: string, splits: readonly TapeSplit[]): Decimal {
  if (splits.some((split) => isWithinSplit(day, split))) return price;
  const ratio = splits
    .filter(({ until }) => until > day)
    .map((split) => exactRatio(split.ratio))
    .reduce(combinedRatio, NO_SPLIT);
  return perNewShare(price, ratio);
}

/** Whether the day may be on either side of the split. */
function isWithinSplit(day: string, { after, until, provenBy }: TapeSplit): boolean {
  return provenBy === null && after < day && day < until;
}
