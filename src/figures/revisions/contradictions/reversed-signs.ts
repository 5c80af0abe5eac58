/**
 * Finds amounts whose sign is wrong: filings state the same amount of the same period with either sign, and the signs
 * of other periods do not show which sign is right.
 */
import { isNegative, isZero } from '../../../contract/decimal-text.ts';
import type { Fact } from '../../../edgar/facts/fact-row.ts';
import { groupBy } from '../../../platform/collections.ts';
import { pickLaterDay } from '../../../platform/dates.ts';
import { countFilings, type FactSeries, type PeriodFacts } from '../../facts/fact-series.ts';
import { isOneDirectional } from '../../metrics/metric-rules.ts';
import { type DatedError, normalizeAbsoluteValue } from './misscaled-facts.ts';

/**
 * Yields amounts with a wrong sign, each with the day from which filings show the error. The sign that most of the
 * filings state is right; if both signs have the same number of filings, both amounts are yielded. Costs and payments
 * are not compared, because their negative amounts are never read.
 * @param isContradicted whether another rule shows that the fact is wrong, which settles the sign of its amount
 */
export function* findReversedFacts(
  series: readonly FactSeries[],
  isContradicted: (fact: Fact) => boolean,
): Generator<DatedError> {
  for (const { mappings, periods } of series) {
    if (mappings.every(({ metricKey }) => isOneDirectional(metricKey))) continue;
    for (const period of periods) {
      if (!period.isDisputed) continue;
      for (const facts of groupOppositeFacts(period)) if (!facts.some(isContradicted)) yield* findMinoritySigns(facts);
    }
  }
}

/** Returns groups of facts with one absolute value and both signs. */
function groupOppositeFacts({ facts }: PeriodFacts): readonly (readonly Fact[])[] {
  if (!facts.some(hasNegativeValue)) return [];
  const nonzero = facts.filter(({ value }) => !isZero(value));
  const bySize = groupBy(nonzero, ({ value }) => normalizeAbsoluteValue(value));
  return [...bySize.values()].filter((group) => new Set(group.map(hasNegativeValue)).size === 2);
}

/**
 * Yields the facts with the sign that fewer filings state, or all facts in a tie. Each fact comes with the first day
 * from which on its sign has no majority.
 */
function* findMinoritySigns(facts: readonly Fact[]): Generator<DatedError> {
  const days = [...new Set(facts.map(({ filed }) => filed))].sort();
  for (const factsOfSign of [facts.filter(hasNegativeValue), facts.filter((fact) => !hasNegativeValue(fact))]) {
    const otherFacts = facts.filter((fact) => !factsOfSign.includes(fact));
    const hasMajority = (day: string) => {
      const [ownCount, otherCount] = [countFilingsBy(factsOfSign, day), countFilingsBy(otherFacts, day)];
      return ownCount === 0 || otherCount === 0 || ownCount > otherCount;
    };
    const day = days[days.findLastIndex(hasMajority) + 1];
    if (day !== undefined) for (const fact of factsOfSign) yield [fact, pickLaterDay(fact.filed, day)];
  }
}

const countFilingsBy = (facts: readonly Fact[], day: string): number =>
  countFilings(facts.filter(({ filed }) => filed <= day));

const hasNegativeValue = ({ value }: Fact): boolean => isNegative(value);
