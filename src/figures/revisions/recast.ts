/**
 * Detects a year that is not comparable with its months: the annual report excludes, for example, a business held for
 * sale, but no filing has restated the months yet. Only the annual report shows this: it also recasts the year before.
 */
import { multiply, subtract, takeAbsoluteValue } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import { findCurrentValue, type ReportedValue, type SelectedValue } from './revision-chain.ts';

/** Returns the values reported for the same months a year earlier; empty if no such values were reported. */
export type PriorYearLookup = (reportedValue: ReportedValue) => readonly ReportedValue[];

/** A recast changes the year before by at least 1 % (1 / 100); a smaller change is usually a correction. */
const RECAST_THRESHOLD_DIVISOR: Decimal = '100';

/**
 * Whether the year before was recast between two reports: the last report of the part repeats the year before
 * unchanged, and the first report of the longer period, filed later, recasts it.
 */
export function isRecastSince(
  longerValue: SelectedValue,
  part: SelectedValue,
  findPriorYearValues: PriorYearLookup,
): boolean {
  const first = longerValue.chain[0];
  const last = part.chain.at(-1);
  if (first === undefined || last === undefined || last.filed >= first.filed) return false;
  return isPriorYearRecast(first, findPriorYearValues) && isPriorYearUnchanged(last, findPriorYearValues);
}

function isPriorYearRecast(reportedValue: ReportedValue, findPriorYearValues: PriorYearLookup): boolean {
  const chain = findPriorYearValues(reportedValue);
  const index = findIndexOfFiling(chain, reportedValue);
  const recastValue = chain[index];
  const previousValue = findCurrentValue(chain.slice(0, Math.max(index, 0)));
  if (recastValue?.kind !== 'revised' || recastValue.concept !== previousValue?.concept) return false;
  const changeAmount = takeAbsoluteValue(subtract(recastValue.value, previousValue.value));
  return compareDecimals(multiply(changeAmount, RECAST_THRESHOLD_DIVISOR), takeAbsoluteValue(previousValue.value)) >= 0;
}

/**
 * Whether the filing of a value also reports the amount of the year before, unchanged. A filing that changes that
 * amount may have recast both years, so its value may be comparable with a recast annual report.
 */
function isPriorYearUnchanged(reportedValue: ReportedValue, findPriorYearValues: PriorYearLookup): boolean {
  const chain = findPriorYearValues(reportedValue);
  return chain[findIndexOfFiling(chain, reportedValue)]?.kind === 'same';
}

function findIndexOfFiling(chain: readonly ReportedValue[], { accession }: ReportedValue): number {
  return chain.findIndex((value) => value.accession === accession);
}
