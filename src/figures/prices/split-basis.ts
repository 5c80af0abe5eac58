/** Prices and share counts put on one share basis. */

import { divide, multiply } from '../../contract/decimal.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import { daysBetween } from '../../platform/dates.ts';
import { present } from '../present.ts';
import type { ReportedValue } from '../revisions/revision-chain.ts';
import type { TapeSplit } from './tape-splits.ts';

/** A share count older than this does not apply to a day. */
const OLDEST_COUNT_DAYS = 400;

export interface ShareCount {
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
