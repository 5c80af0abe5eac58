/**
 * Decides whether an amount of depreciation and amortization is the total. With the same concepts, some filers tag the
 * remainder after a separate amortization line, or only the part that is not in the cost of revenue.
 */
import { compareText } from '../../contract/compare-text.ts';
import { add, isNearlyEqual, multiply } from '../../contract/decimal.ts';
import { type Decimal, isEqual, isZero } from '../../contract/decimal-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { groupBy } from '../../platform/collections.ts';
import { pickLaterDay } from '../../platform/dates.ts';
import { type FactSeries, MAX_FACTS_OF_PERIOD } from '../facts/fact-series.ts';
import {
  AMORTIZATION_LINE,
  AMORTIZATION_NOTE,
  OTHER_DEPRECIATION,
  TOTAL_DEPRECIATION,
} from '../metrics/concepts/cash-flow-statement.ts';
import { type HabitFinder, isKnownBy, MIN_TOTAL_RATIO, type RejectionRule } from './conditions.ts';
import { type FilingAmounts, ROUNDING_TOLERANCE } from './filing-amounts.ts';
import { isBelow } from './filing-candidates.ts';

const DEPRECIATION_CONCEPT = 'Depreciation';
const AMORTIZATION_CONCEPTS: readonly string[] = [AMORTIZATION_LINE, AMORTIZATION_NOTE];

/** Minimum ratio of amortization to the remainder: adding less amortization changes too little to show the meaning. */
const MIN_AMORTIZATION_RATIO: Decimal = '0.01';

/** Returns the rules for metrics of depreciation and amortization, by metric. */
export function createDepreciationRules(
  series: readonly FactSeries[],
  findHabit: HabitFinder,
): ReadonlyMap<string, RejectionRule> {
  const totals = selectTotalSeries(series);
  const isRemainder = ({ concept, accession }: Fact) =>
    findHabit(concept, 'remainder', (...test) => isLessAmortization(totals, ...test)).accessions.has(accession);
  const isTotal = (fact: Fact, amounts: FilingAmounts) =>
    fact.concept === OTHER_DEPRECIATION
      ? findMeaning(fact, amounts, findHabit) === 'total'
      : !isRemainder(fact) && !isBelow(fact.value, multiply(findAmortization(amounts) ?? '0', MIN_TOTAL_RATIO));
  const isAboveDepreciation = ({ value }: Fact, amounts: FilingAmounts) =>
    !isBelow(value, amounts.get(DEPRECIATION_CONCEPT) ?? '0');
  const tests: Readonly<Record<string, FactPredicate>> = {
    depreciation_and_amortization: (fact, amounts) => isTotal(fact, amounts) && isAboveDepreciation(fact, amounts),
    depreciation_and_other_amortization: (fact, amounts) => findAmortization(amounts) !== null && isRemainder(fact),
    other_depreciation_and_amortization: (fact, amounts) => findMeaning(fact, amounts, findHabit) === 'remainder',
  };
  const toRule =
    (isMetric: FactPredicate): RejectionRule =>
    (fact, amounts) =>
      isMetric(fact, amounts) ? null : 'an amount that is only a part of depreciation and amortization';
  return new Map(Object.entries(tests).map(([metricKey, isMetric]) => [metricKey, toRule(isMetric)]));
}

type FactPredicate = (fact: Fact, amounts: FilingAmounts) => boolean;

/** Whether an earlier filing states the amount and its amortization as the total. */
function isLessAmortization(
  totals: readonly FactSeries[],
  fact: Fact,
  amounts: FilingAmounts,
  earlierRemainders: ReadonlySet<string>,
): boolean {
  const amortization = findAmortization(amounts);
  if (amortization === null || isZero(fact.value)) return false;
  if (isBelow(amortization, multiply(fact.value, MIN_AMORTIZATION_RATIO))) return false;
  const sum = add(fact.value, amortization);
  const periods = totals.flatMap((total) => (total.unit === fact.unit ? (total.getPeriod(fact) ?? []) : []));
  const facts = periods.flatMap((period) => (period.facts.length > MAX_FACTS_OF_PERIOD ? [] : period.facts));
  return facts.some(
    ({ filed, value, concept, accession }) =>
      filed < fact.filed &&
      (concept === fact.concept && earlierRemainders.has(accession)
        ? isEqual(value, fact.value)
        : isNearlyEqual(sum, value, ROUNDING_TOLERANCE)),
  );
}

/**
 * Returns the meaning of a filing's other depreciation and amortization: the total, or the remainder after
 * amortization. If its amounts do not show the meaning, the filer's earlier filings decide; null if they do not.
 */
function findMeaning(fact: Fact, amounts: FilingAmounts, findHabit: HabitFinder): 'total' | 'remainder' | null {
  const hasAmortization = findAmortization(amounts) !== null;
  const meaning = detectMeaning(amounts);
  const isKnown = (candidate: 'total' | 'remainder') =>
    isKnownBy(
      findHabit(fact.concept, candidate, (_, otherAmounts) => detectMeaning(otherAmounts) === candidate),
      fact.filed,
    );
  if (meaning === 'remainder' || (meaning === 'total' && hasAmortization)) return meaning;
  if (isKnown('remainder')) return hasAmortization && meaning === null && !isKnown('total') ? 'remainder' : null;
  return isKnown('total') ? 'total' : null;
}

/** Maximum factor by which amortization exceeds a wrong total; a larger one shows that its own scale is wrong. */
const MAX_AMORTIZATION_FACTOR: Decimal = '10';

/**
 * Yields totals below the amortization that filings state, each with the first day by which all amounts of amortization
 * show it. Amortization that only earlier filings state proves nothing, because it may include discontinued operations.
 */
export function* findFactsBelowAmortization(series: readonly FactSeries[]): Generator<[Fact, string]> {
  const amortization = series.filter(({ concept }) => AMORTIZATION_CONCEPTS.includes(concept));
  for (const { unit, periods } of amortization.length > 0 ? selectTotalSeries(series) : []) {
    for (const period of periods) {
      const parts = amortization
        .flatMap((own) => (own.unit === unit ? (own.getPeriod(period)?.facts ?? []) : []))
        .filter((part) => !isZero(part.value))
        .sort((a, b) => compareText(a.filed, b.filed));
      for (const [value, facts] of parts.length > 0 ? groupBy(period.facts, (fact) => fact.value) : []) {
        const limit = multiply(value, MAX_AMORTIZATION_FACTOR);
        const isAbove = (part: Fact) =>
          isBelow(value, multiply(part.value, MIN_TOTAL_RATIO)) && !isBelow(limit, part.value);
        const isProof = ({ filed: day }: Fact) =>
          facts.some(({ filed }) => filed <= day) && parts.every((part) => part.filed > day || isAbove(part));
        const proof = parts.find(isProof);
        if (proof === undefined) continue;
        for (const fact of facts) yield [fact, pickLaterDay(fact.filed, proof.filed)];
      }
    }
  }
}

const findAmortization = (amounts: FilingAmounts): Decimal | null =>
  amounts.listNonzero(AMORTIZATION_CONCEPTS)[0] ?? null;

const selectTotalSeries = (series: readonly FactSeries[]): FactSeries[] =>
  series.filter(({ concept }) => TOTAL_DEPRECIATION.some((total) => total === concept));

/**
 * Returns `total` if other depreciation and amortization is at least depreciation plus amortization; `remainder` if it
 * is less. If amortization is missing, any amount from depreciation up is a `total`. If depreciation is missing, an
 * amount below amortization is a `remainder`. Otherwise null; also null below depreciation.
 */
function detectMeaning(amounts: FilingAmounts): 'total' | 'remainder' | null {
  const [otherAmount, depreciation] = [amounts.get(OTHER_DEPRECIATION), amounts.get(DEPRECIATION_CONCEPT)];
  const amortization = findAmortization(amounts);
  if (otherAmount === undefined || (depreciation !== undefined && isBelow(otherAmount, depreciation))) return null;
  if (amortization === null) return depreciation === undefined ? null : 'total';
  if (depreciation === undefined) return isBelow(otherAmount, amortization) ? 'remainder' : null;
  return isBelow(otherAmount, multiply(add(depreciation, amortization), MIN_TOTAL_RATIO)) ? 'remainder' : 'total';
}
