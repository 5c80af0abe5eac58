/**
 * Finds amounts whose sign is wrong: filings state the same amount of the same period with either sign, and the signs
 * of other periods do not show which sign is right.
 */
import { isNegative, isZero } from '../../../contract/decimal-text.ts';
import type { Fact } from '../../../edgar/facts/fact-row.ts';
import { groupBy } from '../../../platform/collections.ts';
import type { FactSeries, PeriodFacts } from '../../facts/fact-series.ts';
import { isOneDirectional } from '../../metrics/metric-rules.ts';
import { normalizeAbsoluteValue } from './misscaled-facts.ts';

/**
 * Yields amounts with a wrong sign, each with the day from which filings show the error. The sign that most of the
 * filings state is right; if both signs have the same number of filings, both amounts are yielded. Costs and payments
 * are not compared, because their negative amounts are never read.
 * @param isContradicted whether another rule shows that the fact is wrong, which settles the sign of its amount
 */
export function* findReversedSigns(
  series: readonly FactSeries[],
  isContradicted: (fact: Fact) => boolean,
): Generator<[Fact, string]> {
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
  if (!facts.some(({ value }) => isNegative(value))) return [];
  const bySize = groupBy(
    facts.filter(({ value }) => !isZero(value)),
    ({ value }) => normalizeAbsoluteValue(value),
  );
  return [...bySize.values()].filter((group) => new Set(group.map(getSign)).size === 2);
}

/**
 * Yields the facts with the sign that fewer filings state, or all facts in a tie. Each fact comes with the first day
 * since which its sign has no majority.
 */
function* findMinoritySigns(facts: readonly Fact[]): Generator<[Fact, string]> {
  const accessionsBySign = { positive: new Set<string>(), negative: new Set<string>() };
  const noMajorityDayBySign = { positive: '', negative: '' };
  const factsByDay = [...groupBy(facts, ({ filed }) => filed)].sort(([a], [b]) => (a < b ? -1 : 1));
  for (const [day, filedFacts] of factsByDay) {
    for (const fact of filedFacts) accessionsBySign[getSign(fact)].add(fact.accession);
    const excess = accessionsBySign.positive.size - accessionsBySign.negative.size;
    const hasBothSigns = accessionsBySign.positive.size > 0 && accessionsBySign.negative.size > 0;
    noMajorityDayBySign.positive = hasBothSigns && excess <= 0 ? noMajorityDayBySign.positive || day : '';
    noMajorityDayBySign.negative = hasBothSigns && excess >= 0 ? noMajorityDayBySign.negative || day : '';
  }
  for (const fact of facts) {
    const day = noMajorityDayBySign[getSign(fact)];
    if (day !== '') yield [fact, fact.filed > day ? fact.filed : day];
  }
}

function getSign({ value }: Fact): 'positive' | 'negative' {
  return isNegative(value) ? 'negative' : 'positive';
}
