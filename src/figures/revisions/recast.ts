/**
 * Finds a year with another basis than its months: its report recasts the year before, as for a business held for
 * sale, but the months have not been recast yet. Later filings restate the months; until then this is the only sign.
 */
import { absolute, multiply, subtract } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import { findStandingValue, type ReportedValue, type StandingValue } from './revision-chain.ts';

/** The values reported for the same months a year earlier; empty if there are none. */
export type PriorYearValues = (reportedValue: ReportedValue) => readonly ReportedValue[];

/** A recast changes at least one part in this number; a smaller change usually only corrects the year before. */
const CHANGE_PARTS: Decimal = '100';

/**
 * Whether the first report of a value recasts the year before, while the last report of one of its parts, which is
 * older, repeats its own comparative unchanged.
 */
export function isRecastSince(
  wholeValue: StandingValue,
  part: StandingValue,
  priorYearValues: PriorYearValues,
): boolean {
  const firstValue = wholeValue.chain[0];
  const lastValue = part.chain.at(-1);
  if (firstValue === undefined || lastValue === undefined || lastValue.filed >= firstValue.filed) return false;
  return isRecast(firstValue, priorYearValues) && isRepeated(lastValue, priorYearValues);
}

function isRecast(reportedValue: ReportedValue, priorYearValues: PriorYearValues): boolean {
  const chain = priorYearValues(reportedValue);
  const index = indexOfFiling(chain, reportedValue);
  const recastValue = chain[index];
  const previousValue = findStandingValue(chain.slice(0, Math.max(index, 0)));
  if (recastValue?.kind !== 'revised' || recastValue.concept !== previousValue?.concept) return false;
  const change = absolute(subtract(recastValue.value, previousValue.value));
  return compareDecimals(multiply(change, CHANGE_PARTS), absolute(previousValue.value)) >= 0;
}

/** Whether the comparative in the value's own filing is unchanged; if it was recast there, it has the year's basis. */
function isRepeated(reportedValue: ReportedValue, priorYearValues: PriorYearValues): boolean {
  const chain = priorYearValues(reportedValue);
  return chain[indexOfFiling(chain, reportedValue)]?.kind === 'same';
}

function indexOfFiling(chain: readonly ReportedValue[], { accession }: ReportedValue): number {
  return chain.findIndex((value) => value.accession === accession);
}
