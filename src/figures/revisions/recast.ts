/**
 * Detects a year that is not comparable with its months: the annual report excludes, for example, a business held for
 * sale, but no filing has restated the months yet. Only the annual report shows this, because it also recasts the year
 * before: it restates the year before on the new terms.
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
  // A filing that changes the year before may have recast both years, so its value may be comparable.
  const priorInLastFiling = findPriorYearValues(last).find(({ accession }) => accession === last.accession);
  return priorInLastFiling?.kind === 'same' && isRecastBy(first.accession, findPriorYearValues(first));
}

/** Whether a filing recasts a figure, by the same concept as before. */
function isRecastBy(accession: string, chain: readonly ReportedValue[]): boolean {
  const index = chain.findIndex((value) => value.accession === accession);
  const recast = chain[index];
  const previous = findCurrentValue(chain.slice(0, Math.max(index, 0)));
  if (recast?.kind !== 'revised' || recast.concept !== previous?.concept) return false;
  const change = takeAbsoluteValue(subtract(recast.value, previous.value));
  return compareDecimals(multiply(change, RECAST_THRESHOLD_DIVISOR), takeAbsoluteValue(previous.value)) >= 0;
}
