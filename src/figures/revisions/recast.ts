/**
 * Detects a year that is not comparable with its months: the annual report excludes, for example, a business held for
 * sale, but no filing has restated the months yet. Only the comparative shows this: the annual report recasts the year
 * before.
 */
import { absolute, multiply, subtract } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import { findCurrentValue, type ReportedValue, type StandingValue } from './revision-chain.ts';

/** Returns the values reported for the same months a year earlier; empty if no such values were reported. */
export type PriorYearLookup = (reportedValue: ReportedValue) => readonly ReportedValue[];

/** A recast changes the year before by at least 1 / `MIN_RECAST_DIVISOR`; a smaller change is usually a correction. */
const MIN_RECAST_DIVISOR: Decimal = '100';

/**
 * Whether the report that introduced the longer period's value recasts the year before, although an older report, the
 * last of the part's value, repeated the year before unchanged.
 */
export function isRecastSince(
  longerValue: StandingValue,
  part: StandingValue,
  findPriorYearValues: PriorYearLookup,
): boolean {
  const firstLongerValue = longerValue.chain[0];
  const lastValue = part.chain.at(-1);
  if (firstLongerValue === undefined || lastValue === undefined || lastValue.filed >= firstLongerValue.filed)
    return false;
  return isRecast(firstLongerValue, findPriorYearValues) && isRepeated(lastValue, findPriorYearValues);
}

function isRecast(reportedValue: ReportedValue, findPriorYearValues: PriorYearLookup): boolean {
  const chain = findPriorYearValues(reportedValue);
  const index = indexOfFiling(chain, reportedValue);
  const recastValue = chain[index];
  const previousValue = findCurrentValue(chain.slice(0, Math.max(index, 0)));
  if (recastValue?.kind !== 'revised' || recastValue.concept !== previousValue?.concept) return false;
  const change = absolute(subtract(recastValue.value, previousValue.value));
  return compareDecimals(multiply(change, MIN_RECAST_DIVISOR), absolute(previousValue.value)) >= 0;
}

/**
 * Whether the filing of a value repeats the value's comparative unchanged. A filing that recasts the comparative states
 * the value as the annual report does, so the two are comparable.
 */
function isRepeated(reportedValue: ReportedValue, findPriorYearValues: PriorYearLookup): boolean {
  const chain = findPriorYearValues(reportedValue);
  return chain[indexOfFiling(chain, reportedValue)]?.kind === 'same';
}

function indexOfFiling(chain: readonly ReportedValue[], { accession }: ReportedValue): number {
  return chain.findIndex((value) => value.accession === accession);
}
