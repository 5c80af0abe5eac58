import { isNearlyEqual } from '../../contract/decimal.ts';
import { formatCount } from '../../contract/text/format-counts.ts';
import { selectDailyPrices } from '../../figures/prices/price-observations.ts';
import { groupBy } from '../../platform/collections.ts';
import type { Check } from '../../store/releases/manifest.ts';
import type { PriceRow } from '../../store/schema/prices.ts';

/**
 * Minimum share of compared prices that must agree. Sources agree on most days, because funds and managers value
 * holdings at closing prices.
 */
const MIN_AGREEING_FRACTION = 0.95;
const AGREEMENT_TOLERANCE = '0.02';

export const NO_PRICE_COUNTS = {
  rowCount: 0,
  dayCount: 0,
  /** Number of prices that were compared with the price from the best source of the same day. */
  comparedPrices: 0,
  differentPrices: 0,
  /** Two different prices of one day, as an example; empty if all prices agree. */
  example: '',
  conflictCount: 0,
  /** The first conflict between prices of one source, as text; empty if no prices conflict. */
  conflictExample: '',
  /** Number of prices in the files for days after the release's date, which are not in the release. */
  laterPriceCount: 0,
};

export type PriceCounts = Readonly<typeof NO_PRICE_COUNTS>;

/** Counts a company's prices, and those that differ between the sources of one day. */
export function countPrices(rows: readonly PriceRow[]): PriceCounts {
  const counts = { ...NO_PRICE_COUNTS, rowCount: rows.length };
  for (const [ticker, ownRows] of groupBy(rows, ({ tickerNormalized }) => tickerNormalized)) {
    const prices = new Map(selectDailyPrices(ownRows).map((price) => [price.day, price]));
    counts.dayCount += prices.size;
    for (const row of ownRows) {
      const price = prices.get(row.day);
      if (price === undefined || price.source === row.source) continue;
      counts.comparedPrices += 1;
      if (isNearlyEqual(row.price, price.price, AGREEMENT_TOLERANCE)) continue;
      counts.differentPrices += 1;
      counts.example ||= `, such as ${ticker} on ${row.day}: ${row.price} and ${price.price}`;
    }
  }
  return counts;
}

export const checkPrices = (counts: PriceCounts): Check => ({
  name: 'prices',
  passed: counts.differentPrices <= counts.comparedPrices * (1 - MIN_AGREEING_FRACTION),
  detail: `${formatCount(counts.rowCount, 'price')} on ${formatCount(counts.dayCount, 'day')}; ${counts.differentPrices} of ${counts.comparedPrices} prices differ by more than two percent from another source${counts.example}${formatConflicts(counts)}`,
});

function formatConflicts({ conflictCount, conflictExample }: PriceCounts): string {
  if (conflictCount === 0) return '';
  return `; ${formatCount(conflictCount, 'price has', 'prices have')} two different values in one source, such as ${conflictExample} (for exchanges, the first value is used; for lists of fails, neither value)`;
}
