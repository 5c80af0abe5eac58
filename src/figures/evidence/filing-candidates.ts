/** The facts by which one filing reports one figure with several concepts, and basic choices among these facts. */
import { compareDecimals, type Decimal, isZero } from '../../contract/decimal-text.ts';
import type { Candidate } from './candidates.ts';

/** The facts of one filing for one metric, unit and period, as candidates; never empty. */
export type FilingCandidates = readonly [Candidate, ...Candidate[]];

/**
 * The candidates that can be the metric's value, best first. If there are none: the reason to skip the candidates, as
 * text; or null if they do not count as skipped, for example because another metric is read from them.
 */
export type CandidateChoice = FilingCandidates | string | null;

export function putBestFirst(candidates: FilingCandidates): FilingCandidates {
  if (candidates.length === 1) return candidates;
  const best = candidates.reduce((a, b) => (b.mapping.priority < a.mapping.priority ? b : a));
  return [best, ...candidates.filter((other) => other !== best)];
}

/** Returns the candidates with the largest amount, best concept first. */
export function selectLargest(candidates: FilingCandidates): FilingCandidates {
  const largest = candidates.filter(({ fact }) => !candidates.some((other) => isBelow(fact.value, other.fact.value)));
  return isNonEmpty(largest) ? putBestFirst(largest) : candidates;
}

/** Minimum confidence of a concept whose value replaces a zero of a better concept: a lower one means another amount. */
const MIN_CONFIDENCE_OVER_ZERO: Decimal = '0.9';

export function preferNonZeroCandidates(candidates: FilingCandidates): FilingCandidates {
  if (candidates.length === 1) return candidates;
  const nonZero = candidates.filter(
    ({ fact, mapping }) => !isZero(fact.value) && compareDecimals(mapping.confidence, MIN_CONFIDENCE_OVER_ZERO) >= 0,
  );
  return isNonEmpty(nonZero) ? nonZero : candidates;
}

export function isNonEmpty(candidates: readonly Candidate[]): candidates is FilingCandidates {
  return candidates.length > 0;
}

export const isBelow = (a: Decimal, b: Decimal): boolean => compareDecimals(a, b) < 0;
