import { isNearlyEqual, sum } from '../../contract/decimal.ts';
import type { HoldingLine, ThirteenFReport } from '../../edgar/holdings/thirteen-f-report.ts';
import type { ValueUnit } from '../../ownership/holders/positions.ts';
import type { Check } from '../../store/releases/manifest.ts';

/**
 * Maximum share of mismatches: managers miscount, or state the total in another unit. More mismatches would indicate a
 * bug in the reader.
 */
const MAX_MISMATCH_FRACTION = 0.05;
const VALUE_TOLERANCE = '0.01';

/** Number of 13F tables compared with their cover pages, and number of mismatches. */
export const NO_ENTRY_TOTALS = {
  testedReports: 0,
  entryMismatches: 0,
  valueMismatches: 0,
  reportsInThousands: 0,
  /** One mismatch as text; empty if all tables match. */
  example: '',
};

export type EntryTotalCounts = Readonly<typeof NO_ENTRY_TOTALS>;

/**
 * Compares a 13F table with the number of entries and the total value on its cover page.
 * @param entries number of rows, of which some may be placeholders instead of positions
 */
export function compareWithCover(
  { accession, entryTotal, valueTotal }: ThirteenFReport,
  lines: readonly HoldingLine[],
  entries: number,
  unit: ValueUnit,
): EntryTotalCounts {
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

export const checkEntryTotals = (counts: EntryTotalCounts): Check => ({
  name: 'entries',
  // Allows one mismatch even if few reports were compared.
  passed:
    Math.max(counts.entryMismatches, counts.valueMismatches) <=
    Math.max(1, counts.testedReports * MAX_MISMATCH_FRACTION),
  detail: `${counts.testedReports} 13F reports (${counts.reportsInThousands} of them in thousands of dollars) were compared with their cover pages: the number of entries differs in ${counts.entryMismatches}, the total value in ${counts.valueMismatches}${counts.example}`,
});
