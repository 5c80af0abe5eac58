/** The latest price and market capitalization of a company, for the ratios that need them. */
import { divide, multiply } from '../../contract/decimal.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import { daysBetween } from '../../platform/dates.ts';
import { present } from '../present.ts';
import type { ReportedValue } from '../revisions/revision-chain.ts';
import type { Split } from '../shares/splits.ts';
import { type SourcedPrice, type TapeSplit, tapeSplits } from './tape.ts';

/** A price on one day, in dollars. */
export interface MarketPrice {
  readonly day: string;
  readonly price: Decimal;
  /** Null when no share count qualifies or the company's classes trade apart. */
  readonly marketCap: Decimal | null;
}

/** An older price makes no ratio of today. */
const OLDEST_PRICE_DAYS = 180;

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
  /** The splits on the days on which the tape shows them, without those it contradicts. */
  readonly splits: readonly Split[];
}

export function marketOf(
  { tape, countApplies }: Quotes,
  reported: readonly ReportedValue[],
  splits: readonly Split[],
  releaseDate: string,
): Market {
  const found = tapeSplits(splits, tape);
  const dated = found.map(({ ratio, exDate, accession }) => ({ ratio, accession, effective: exDate }));
  const last = tape.findLast(({ day }) => day <= releaseDate);
  if (last === undefined || daysBetween(last.day, releaseDate) > OLDEST_PRICE_DAYS)
    return { price: null, splits: dated };
  const counts = countApplies ? countsOf(reported) : [];
  return { price: { day: last.day, price: last.price, marketCap: marketCapOn(last, counts, found) }, splits: dated };
}

/** Price times the latest share count on or before its day, in the day's shares; null where none qualifies. */
export function marketCapOn(
  { day, price }: Pick<SourcedPrice, 'day' | 'price'>,
  counts: readonly ReportedValue[],
  splits: readonly TapeSplit[],
): Decimal | null {
  const count = countOn(counts, day, splits);
  return count === null ? null : multiply(price, count.shares);
}

/** A share count older than this does not apply to a day. */
const OLDEST_COUNT_DAYS = 400;

interface ShareCount {
  readonly shares: Decimal;
  /** The day the company states it for. */
  readonly asOf: string;
}

/** The price in today's shares: divided by the ratio of every split since the day. */
export function adjustedPrice(price: Decimal, day: string, splits: readonly TapeSplit[]): Decimal {
  const ratio = ratioBetween(splits, day, null);
  return ratio === '1' ? price : present(divide(price, ratio));
}

/** The standing values of the share count, earliest day first. */
export function countsOf(values: readonly ReportedValue[]): ReportedValue[] {
  const standing = new Map<string, ReportedValue>();
  for (const value of values) {
    if (value.metricKey !== 'common_shares_outstanding' || value.unit !== 'shares') continue;
    const known = standing.get(value.end);
    if (known === undefined || known.rank < value.rank) standing.set(value.end, value);
  }
  return [...standing.values()].sort((a, b) => (a.end < b.end ? -1 : 1));
}

/** The latest count for the day or before it, in the day's shares; null where it is more than 400 days old. */
export function countOn(
  counts: readonly ReportedValue[],
  day: string,
  splits: readonly TapeSplit[],
): ShareCount | null {
  const count = counts.findLast(({ end }) => end <= day);
  if (count === undefined || daysBetween(count.end, day) > OLDEST_COUNT_DAYS) return null;
  // A cover's count is in the shares of its day; a balance sheet's is restated by its filing.
  const basis = count.taxonomy === 'dei' ? count.end : count.filed;
  const shares =
    basis <= day
      ? multiply(count.value, ratioBetween(splits, basis, day))
      : divide(count.value, ratioBetween(splits, day, basis));
  return shares === null ? null : { shares, asOf: count.end };
}

/** New shares per old by the splits after one day and up to another, or today. */
function ratioBetween(splits: readonly TapeSplit[], after: string, until: string | null): Decimal {
  return splits
    .filter(({ exDate }) => exDate > after && (until === null || exDate <= until))
    .reduce((product, { ratio }) => multiply(product, ratio), '1');
}
