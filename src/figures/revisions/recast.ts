/**
 * Finds a year whose basis differs from the basis of its months. The annual report recasts the year before, for example
 * for a business held for sale, but no filing has recast the months yet. Until later filings restate the months, only
 * the recast of the year before shows the difference.
 */
import { absolute, multiply, subtract } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import { findCurrentValue, type ReportedValue, type StandingValue } from './revision-chain.ts';

/** Returns the values reported for the same months a year earlier; empty if no such values were reported. */
export type PriorYearValues = (reportedValue: ReportedValue) => readonly ReportedValue[];

/** A recast changes the year before by at least 1 / `MIN_RECAST_DIVISOR`; a smaller change is usually a correction. */
const MIN_RECAST_DIVISOR: Decimal = '100';

/**
 * Whether the first report of the longer period's value recasts the year before, but the last report of a part, which
 * is older, repeats the part's comparative unchanged.
 */
export function isRecastSince(
  longerValue: StandingValue,
  part: StandingValue,
  priorYearValues: PriorYearValues,
): boolean {
  const firstValue = longerValue.chain[0];
  const lastValue = part.chain.at(-1);
  if (firstValue === undefined || lastValue === undefined || lastValue.filed >= firstValue.filed) return false;
  return isRecast(firstValue, priorYearValues) && isRepeated(lastValue, priorYearValues);
}

function isRecast(reportedValue: ReportedValue, priorYearValues: PriorYearValues): boolean {
  const chain = priorYearValues(reportedValue);
  const index = indexOfFiling(chain, reportedValue);
  const recastValue = chain[index];
  const previousValue = findCurrentValue(chain.slice(0, Math.max(index, 0)));
  if (recastValue?.kind !== 'revised' || recastValue.concept !== previousValue?.concept) return false;
  const change = absolute(subtract(recastValue.value, previousValue.value));
  return compareDecimals(multiply(change, MIN_RECAST_DIVISOR), absolute(previousValue.value)) >= 0;
}

/**
 * Whether the filing of a value repeats the value's comparative unchanged. If the filing recasts the comparative, the
 * value has the basis of the year.
 */
function isRepeated(reportedValue: ReportedValue, priorYearValues: PriorYearValues): boolean {
  const chain = priorYearValues(reportedValue);
  return chain[indexOfFiling(chain, reportedValue)]?.kind === 'same';
}

function indexOfFiling(chain: readonly ReportedValue[], { accession }: ReportedValue): number {
  return chain.findIndex((value) => value.accession === accession);
}
