/**
 * Decides which concept of a filing supplies the value of a metric for one period: the first of the metric's list that
 * meets its conditions, unless an equation confirms another one.
 */
import { add, multiply } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, isEqual, isZero } from '../../contract/decimal-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { groupBy } from '../../platform/collections.ts';
import type { FactSeries } from '../facts/fact-series.ts';
import { listConceptsOfMetric } from '../metrics/concepts.ts';
import { isInternal } from '../metrics/metric-rules.ts';
import type { Candidate } from './candidates.ts';
import { createConditionCheck, createHabitFinder, MIN_ROUNDED_RATIO, type RejectionRule } from './conditions.ts';
import { createDepreciationRules } from './depreciation.ts';
import { createEarningsRules } from './earnings-per-share.ts';
import { EQUATIONS, type Term } from './equations.ts';
import { createAmountLookup, type FilingAmounts } from './filing-amounts.ts';
import {
  type CandidateChoice,
  type FilingCandidates,
  isBelow,
  isNonEmpty,
  preferNonZeroCandidates,
  putBestFirst,
  selectLargest,
} from './filing-candidates.ts';
import { createLessorCheck } from './lessors.ts';

export type ConceptChooser = (candidates: FilingCandidates) => CandidateChoice;

/** Returns a chooser among the candidates of one filing, with the rejection rules of a few metrics. */
export function createConceptChooser(series: readonly FactSeries[]): ConceptChooser {
  const findAmounts = createAmountLookup(series);
  const costs = [...listConceptsOfMetric('cost_of_revenue'), ...listConceptsOfMetric('gross_profit')];
  const findHabit = createHabitFinder(series, findAmounts);
  const checkConditions = createConditionCheck(series, findHabit);
  const isLessor = createLessorCheck(series, findAmounts);
  const rules = new Map<string, RejectionRule>([
    ...createDepreciationRules(series, findHabit),
    ...createEarningsRules(findAmounts),
    [
      'operating_expenses',
      (fact, amounts) =>
        isAllExpenses(fact, amounts) && checkConditions(fact, { without: costs }, amounts) !== null
          ? 'operating expenses that include the cost of revenue'
          : null,
    ],
    [
      'capital_expenditures',
      ({ filed }) =>
        isLessor(filed) ? 'capital expenditures of a lessor that do not include equipment bought to rent out' : null,
    ],
  ]);
  return (candidates) => {
    const { metricKey } = candidates[0].mapping;
    const [lines, rule] = [LINES_BY_METRIC.get(metricKey) ?? NO_LINES, rules.get(metricKey)];
    const isConditional = candidates.some(({ mapping }) => mapping.conditions !== null);
    if (lines.length === 0 && rule === undefined && !isConditional)
      return putBestFirst(preferNonZeroCandidates(candidates));
    const amounts = findAmounts(candidates[0].fact);
    const reasons = candidates.map(
      ({ fact, mapping: { conditions } }) =>
        (conditions === null ? null : checkConditions(fact, conditions, amounts)) ??
        rule?.(fact, amounts) ??
        findReasonInLines(fact, lines, amounts),
    );
    const choice = chooseBest(candidates.filter((_, index) => reasons[index] === null));
    if (candidates.length > 1 || choice === null) {
      const confirmed = candidates.filter((candidate) => isConfirmed(candidate, lines, amounts));
      if (isNonEmpty(confirmed) && !confirmed.some((candidate) => candidate === choice?.[0]))
        return putBestFirst(confirmed);
    }
    // Internal metrics only serve to derive others, so that their absence is not counted as withheld.
    return choice ?? (isInternal(metricKey) ? null : (reasons[0] ?? null));
  };
}

function chooseBest(possible: readonly Candidate[]): FilingCandidates | null {
  if (!isNonEmpty(possible)) return null;
  const totals = possible.filter(({ mapping }) => mapping.conditions?.neverBelow !== undefined);
  return isNonEmpty(totals) ? selectLargest(totals) : putBestFirst(preferNonZeroCandidates(possible));
}

function findReasonInLines(fact: Fact, lines: readonly LineOfEquation[], amounts: FilingAmounts): string | null {
  for (const line of lines) {
    if (isTotalOfLine(fact, line, amounts)) return 'a total tagged as one of its parts';
    if (isTooSmall(fact, line, amounts)) return 'an amount that is only a part, as other amounts of the filing show';
  }
  return null;
}

/** Whether revenue less the amount is operating income. */
function isAllExpenses(fact: Fact, amounts: FilingAmounts): boolean {
  const income = amounts.get('OperatingIncomeLoss');
  if (income === undefined) return false;
  const sum = add(income, fact.value);
  const hasAmount = (metricKey: string) =>
    listConceptsOfMetric(metricKey).some((concept) => isEqual(amounts.get(concept) ?? '0', sum));
  return !hasAmount('gross_profit') && hasAmount('revenue');
}

/** The line of one metric in an equation: the total of `others`, or a part of the same total as `others`. */
interface LineOfEquation {
  readonly term: Term;
  readonly others: readonly Term[];
  /** Null if the line itself is the total. */
  readonly total: Term | null;
  readonly isPartial: boolean;
}

const LINES = EQUATIONS.flatMap(({ total, parts, partialKey }): readonly LineOfEquation[] => [
  { term: total, others: parts, total: null, isPartial: false },
  ...parts.map((term) => {
    const others = parts.filter((part) => part !== term);
    return { term, others, total, isPartial: term.metricKey === partialKey };
  }),
]);
const LINES_BY_METRIC = groupBy(LINES, ({ term }) => term.metricKey);
const NO_LINES: readonly LineOfEquation[] = [];

/** Whether an equation holds exactly with the amount and other nonzero amounts of the filing. */
function isConfirmed({ fact }: Candidate, lines: readonly LineOfEquation[], amounts: FilingAmounts): boolean {
  if (isZero(fact.value)) return false;
  return lines.some(({ term, others, total }) => {
    if (!term.concepts.includes(fact.concept)) return false;
    const sums = listSums(others, amounts);
    if (total === null) return sums.some((sum) => isEqual(sum, fact.value));
    const totals = amounts.listNonzero(total.concepts);
    return sums.some((sum) => totals.some((amount) => isEqual(add(fact.value, sum), amount)));
  });
}

/**
 * Whether another concept states the amount as the total of which it would be a part, although the other parts are not
 * zero.
 */
function isTotalOfLine({ value, concept }: Fact, { others, total }: LineOfEquation, amounts: FilingAmounts): boolean {
  if (total === null || isZero(value)) return false;
  const isStatedAsTotal = total.concepts.some((other) => {
    const amount = other === concept ? undefined : amounts.get(other);
    return amount !== undefined && isEqual(amount, value);
  });
  // The sums are computed last, because few amounts are also a total.
  const sums = isStatedAsTotal ? listSums(others, amounts) : [];
  return sums.length > 0 && !sums.some((sum) => isEqual(sum, value));
}

/** Whether the amount and the other parts are less than the largest total that the filing states. */
function isTooSmall({ value }: Fact, { others, total, isPartial }: LineOfEquation, amounts: FilingAmounts): boolean {
  if (total === null || !isPartial) return false;
  const largest = amounts.listNonzero(total.concepts).sort(compareDecimals).at(-1);
  const sums = listSums(others, amounts).map((sum) => add(value, sum));
  if (largest === undefined || sums.length === 0) return false;
  return sums.every((sum) => isBelow(sum, multiply(largest, MIN_ROUNDED_RATIO)));
}

/** Returns all sums of one nonzero amount per line; empty if the filing states no such amount for one of the lines. */
function listSums([first, ...otherTerms]: readonly Term[], amounts: FilingAmounts): readonly Decimal[] {
  if (first === undefined) return ['0'];
  const firstAmounts = amounts.listNonzero(first.concepts);
  const otherSums = firstAmounts.length === 0 ? [] : listSums(otherTerms, amounts);
  return firstAmounts.flatMap((amount) => otherSums.map((other) => add(amount, other)));
}

/**
 * Returns a function that tells whether an equation confirms a candidate. A confirmed candidate may replace the value
 * of an earlier filing, even if the concept of that value matches the metric better.
 */
export function createConfirmedCheck(series: readonly FactSeries[]): (candidate: Candidate) => boolean {
  const findAmounts = createAmountLookup(series);
  return (candidate) => {
    const lines = LINES_BY_METRIC.get(candidate.mapping.metricKey);
    return lines !== undefined && isConfirmed(candidate, lines, findAmounts(candidate.fact));
  };
}
