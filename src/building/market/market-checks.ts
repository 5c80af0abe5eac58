/** Checks of the prices of several sources, and of 13F tables and their cover pages. */
import { isNearlyEqual, sum } from '../../contract/decimal.ts';
import { formatCount } from '../../contract/text/format-counts.ts';
import type { HoldingLine, ThirteenFReport } from '../../edgar/holdings/thirteen-f-report.ts';
import { selectDailyPrices } from '../../figures/prices/price-observations.ts';
import type { ValueUnit } from '../../ownership/holders/positions.ts';
import { groupBy } from '../../platform/collections.ts';
import type { Check } from '../../store/releases/manifest.ts';
import type { PriceRow } from '../../store/schema/prices.ts';

/**
 * Minimum fraction of compared prices that must agree. Sources agree on most days, because funds and managers value
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
  return `; ${formatCount(conflictCount, 'price has', 'prices have')} two different values in one source, such as ${conflictExample} (of exchange prices, the first is used; of prices in fails-to-deliver data, neither)`;
}

/**
 * Maximum fraction of mismatches: managers miscount, or state the total in another unit. More mismatches would indicate
 * a bug in the reader.
 */
const MAX_MISMATCH_FRACTION = 0.05;
const VALUE_TOLERANCE = '0.01';

export const NO_COVER_COMPARISONS = {
  testedReports: 0,
  entryMismatches: 0,
  valueMismatches: 0,
  reportsInThousands: 0,
  /** One mismatch as text; empty if all tables match. */
  example: '',
};

/** Number of 13F tables compared with their cover pages, and number of mismatches. */
export type CoverComparisonCounts = Readonly<typeof NO_COVER_COMPARISONS>;

/**
 * Compares a 13F table with the number of entries and the total value on its cover page.
 * @param entries number of rows, of which some may be placeholders instead of positions
 */
export function compareWithCover(
  { accession, entryTotal, valueTotal }: ThirteenFReport,
  lines: readonly HoldingLine[],
  entries: number,
  unit: ValueUnit,
): CoverComparisonCounts {
  const isCountDifferent = entryTotal !== null && entryTotal !== entries;
  const lineSum = sum(lines.map(({ value }) => value));
  const isValueDifferent = valueTotal !== null && !isNearlyEqual(lineSum, valueTotal, VALUE_TOLERANCE);
  return {
    testedReports: 1,
    entryMismatches: isCountDifferent ? 1 : 0,
    valueMismatches: isValueDifferent ? 1 : 0,
    reportsInThousands: unit === 'thousands' ? 1 : 0,
    example: isCountDifferent || isValueDifferent ? `, such as ${accession}` : '',
  };
}

export const checkCoverComparisons = (counts: CoverComparisonCounts): Check => ({
  name: 'entries',
  // Allows one mismatch even if few reports were compared.
  passed:
    Math.max(counts.entryMismatches, counts.valueMismatches) <=
    Math.max(1, counts.testedReports * MAX_MISMATCH_FRACTION),
  detail: `${counts.testedReports} 13F reports (${counts.reportsInThousands} of them in thousands of dollars) were compared with their cover pages: the number of entries differs in ${counts.entryMismatches}, the total value in ${counts.valueMismatches}${counts.example}`,
});
