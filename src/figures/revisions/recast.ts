/**
 * Finds a year with another basis than its months: its report recasts the year before, as for a business held for
 * sale, but the months have not been recast yet. Later filings restate the months; until then this is the only sign.
 */
import { absolute, multiply, subtract } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import { type ReportedValue, type StandingValue, standingIn } from './revision-chain.ts';

/** The values reported for the same months a year earlier; empty if there are none. */
export type YearBefore = (reported: ReportedValue) => readonly ReportedValue[];

/** A recast changes at least one part in this number; a smaller change usually only corrects the year before. */
const PARTS: Decimal = '100';

/**
 * Whether the first report of a value recasts the year before, while the last report of one of its parts, which is
 * older, repeats its own comparative unchanged.
 */
export function isRecastSince(whole: StandingValue, part: StandingValue, yearBefore: YearBefore): boolean {
  const first = whole.chain[0];
  const last = part.chain.at(-1);
  if (first === undefined || last === undefined || last.filed >= first.filed) return false;
  return isRecast(first, yearBefore) && isRepeated(last, yearBefore);
}

function isRecast(reported: ReportedValue, yearBefore: YearBefore): boolean {
  const chain = yearBefore(reported);
  const index = indexIn(chain, reported);
  const recast = chain[index];
  const before = standingIn(chain.slice(0, Math.max(index, 0)));
  if (recast?.kind !== 'revised' || recast.concept !== before?.concept) return false;
  const change = absolute(subtract(recast.value, before.value));
  return compareDecimals(multiply(change, PARTS), absolute(before.value)) >= 0;
}

/** Whether the comparative in the value's own filing is unchanged; if it was recast there, it has the year's basis. */
function isRepeated(reported: ReportedValue, yearBefore: YearBefore): boolean {
  const chain = yearBefore(reported);
  return chain[indexIn(chain, reported)]?.kind === 'same';
}

function indexIn(chain: readonly ReportedValue[], { accession }: ReportedValue): number {
  return chain.findIndex((value) => value.accession === accession);
}
