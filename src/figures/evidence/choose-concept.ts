/**
 * Decides which concept of a filing supplies the value of a metric for one period: the first of the metric's list that
 * meets its conditions, unless an equation confirms another one.
 */
import { add, isNearlyEqual, multiply } from '../../contract/decimal.ts';
import { type Decimal, isEqual, isZero } from '../../contract/decimal-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { getOrInsert, groupBy, pushTo } from '../../platform/collections.ts';
import { createFirstDayFinder, type FactSeries, findFirstMatchingFilingDay } from '../facts/fact-series.ts';
import { listMappingsOfMetric } from '../metrics/concepts.ts';
import { isInternal } from '../metrics/metric-rules.ts';
import type { Candidate } from './candidates.ts';
import { createDebtChoosers } from './debt.ts';
import { createDepreciationChoosers } from './depreciation.ts';
import { EQUATIONS, type Equation, type Term } from './equations.ts';
import { type AmountChooser, type AmountLookup, createAmountLookup, type FilingAmounts } from './filing-amounts.ts';
import {
  type CandidateChoice,
  type FilingCandidates,
  isBelow,
  isNonEmpty,
  preferNonZeroCandidates,
  putBestFirst,
} from './filing-candidates.ts';
import { createLessorCheck } from './lessors.ts';
import { createPretaxRegionChoosers } from './pretax-regions.ts';

export type ConceptChooser = (candidates: FilingCandidates) => CandidateChoice;

const CAPITAL_EXPENDITURES_KEY = 'capital_expenditures';
/** Maximum relative difference between a total and the sum of its rounded parts. */
const ROUNDING_TOLERANCE: Decimal = '0.01';
/** Minimum ratio of a total to one of its parts: both are rounded, so the total may be slightly smaller. */
const MIN_ROUNDED_RATIO: Decimal = '0.99';

/** Returns a chooser among the candidates of one filing, with the named rules of a few metrics. */
export function createConceptChooser(series: readonly FactSeries[]): ConceptChooser {
  const findAmounts = createAmountLookup(series);
  const checks = { isStated: createStatedCheck(series), mayFallBelow: createUsualTotalCheck(series, findAmounts) };
  const ruleByMetric = new Map<string, AmountChooser>([
    ...createDepreciationChoosers(series, findAmounts),
    ...createDebtChoosers(series, findAmounts),
    ...createPretaxRegionChoosers(series, findAmounts),
  ]);
  const isLessor = createLessorCheck(series, findAmounts);
  return (candidates) => {
    const [{ mapping, fact }] = candidates;
    if (mapping.metricKey === CAPITAL_EXPENDITURES_KEY && isLessor(fact.filed))
      return 'capital expenditures of a lessor that do not include equipment bought to rent out';
    const rule = ruleByMetric.get(mapping.metricKey);
    if (rule !== undefined) return rule(candidates, findAmounts(fact));
    return chooseByEvidence(candidates, () => findAmounts(fact), checks);
  };
}

function chooseByEvidence(
  candidates: FilingCandidates,
  findAmounts: () => FilingAmounts,
  checks: FilerChecks,
): CandidateChoice {
  const lines = LINES_BY_METRIC.get(candidates[0].mapping.metricKey) ?? NO_LINES;
  const isConditional = candidates.some(({ mapping }) => mapping.conditions !== null);
  if (lines.length === 0 && !isConditional) return putBestFirst(preferNonZeroCandidates(candidates));
  const amounts = findAmounts();
  const reasons = candidates.map((candidate) => findReasonAgainst(candidate, lines, amounts, checks));
  const possible = candidates.filter((_, index) => reasons[index] === null);
  const choice = isNonEmpty(possible) ? putBestFirst(preferNonZeroCandidates(possible)) : null;
  if (candidates.length > 1 || choice === null) {
    const confirmed = candidates.filter((candidate) => isConfirmed(candidate, lines, amounts));
    if (isNonEmpty(confirmed) && !confirmed.some((candidate) => candidate === choice?.[0]))
      return putBestFirst(confirmed);
  }
  // Amounts that only derive others are not missed if they do not apply.
  return choice ?? (isInternal(candidates[0].mapping.metricKey) ? null : (reasons[0] ?? null));
}

/** Returns the reason why a candidate is not the metric; null if it may be. */
function findReasonAgainst(
  { fact, mapping }: Candidate,
  lines: readonly LineOfEquation[],
  amounts: FilingAmounts,
  { isStated, mayFallBelow }: FilerChecks,
): string | null {
  const { without = [], with: required, parts = [], usualParts = [] } = mapping.conditions ?? {};
  if (without.some((concept) => isStated(concept, fact))) return 'an amount that includes another line';
  if (required !== undefined && !required.some((concept) => amounts.has(concept)))
    return 'an amount that has another meaning in the statements of such a company';
  const isBelowUsual = usualParts.some((concept) => isBelowPart(fact.value, amounts.get(concept)));
  if (
    parts.some((concept) => isBelowPart(fact.value, amounts.get(concept))) ||
    (isBelowUsual && !mayFallBelow(fact, usualParts, amounts))
  )
    return 'a total that is less than one of its parts';
  if (mapping.metricKey === 'operating_expenses' && includesCost(fact, amounts, isStated))
    return 'operating expenses that include the cost of revenue';
  for (const line of lines) {
    if (isTotalOfLine(fact, line, amounts)) return 'a total tagged as one of its parts';
    if (isTooSmall(fact, line, amounts)) return 'an amount that is only a part, as other amounts of the filing show';
  }
  return null;
}

function isBelowPart(value: Decimal, part: Decimal | undefined): boolean {
  return part !== undefined && isBelow(value, multiply(part, MIN_ROUNDED_RATIO));
}

/** Whether revenue less the amount is operating income, although this filing or an earlier one states a cost of revenue. */
function includesCost(fact: Fact, amounts: FilingAmounts, isStated: StatedCheck): boolean {
  const income = amounts.get('OperatingIncomeLoss');
  if (income === undefined) return false;
  const sum = add(income, fact.value);
  const hasAmount = (metricKey: string) =>
    listMappingsOfMetric(metricKey).some(({ concept }) => isEqual(amounts.get(concept) ?? '0', sum));
  return (
    !hasAmount('gross_profit') &&
    hasAmount('revenue') &&
    [...listMappingsOfMetric('cost_of_revenue'), ...listMappingsOfMetric('gross_profit')].some(({ concept }) =>
      isStated(concept, fact),
    )
  );
}

/** The line of one metric in an equation: the total, or a part with the other part and the total. */
type LineOfEquation =
  | { readonly role: 'total'; readonly own: Term; readonly parts: Equation['parts'] }
  | {
      readonly role: 'part';
      readonly own: Term;
      readonly other: Term;
      readonly total: Term;
      readonly partialKey: string | undefined;
    };

const LINES_BY_METRIC: ReadonlyMap<string, readonly LineOfEquation[]> = groupLinesByMetric();
const NO_LINES: readonly LineOfEquation[] = [];

function groupLinesByMetric(): Map<string, LineOfEquation[]> {
  const byMetric = new Map<string, LineOfEquation[]>();
  for (const { total, parts, partialKey } of EQUATIONS) {
    pushTo(byMetric, total.metricKey, { role: 'total', own: total, parts });
    const [first, second] = parts;
    pushTo(byMetric, first.metricKey, { role: 'part', own: first, other: second, total, partialKey });
    pushTo(byMetric, second.metricKey, { role: 'part', own: second, other: first, total, partialKey });
  }
  return byMetric;
}

/** Whether an equation holds exactly with the amount and other nonzero amounts of the filing. */
function isConfirmed({ fact }: Candidate, lines: readonly LineOfEquation[], amounts: FilingAmounts): boolean {
  if (isZero(fact.value)) return false;
  return lines.some((line) =>
    !line.own.concepts.includes(fact.concept)
      ? false
      : line.role === 'total'
        ? listAmounts(line.parts[0], amounts).some((one) =>
            listAmounts(line.parts[1], amounts).some((other) => isEqual(add(one, other), fact.value)),
          )
        : listAmounts(line.other, amounts).some((other) => {
            const sum = add(fact.value, other);
            return listAmounts(line.total, amounts).some((total) => isEqual(sum, total));
          }),
  );
}

/** Whether another concept states the amount as the total of which it would be a part, although the other part is not zero. */
function isTotalOfLine({ value, concept }: Fact, line: LineOfEquation, amounts: FilingAmounts): boolean {
  if (line.role === 'total') return false;
  const others = listAmounts(line.other, amounts);
  if (others.length === 0 || others.some((other) => isEqual(other, value))) return false;
  return line.total.concepts.some((total) => {
    const amount = total === concept ? undefined : amounts.get(total);
    return amount !== undefined && isEqual(amount, value);
  });
}

/** Whether the amount and the other part equal no total that the filing states, and are less than one of them. */
function isTooSmall({ value }: Fact, line: LineOfEquation, amounts: FilingAmounts): boolean {
  if (line.role === 'total' || line.own.metricKey !== line.partialKey) return false;
  const sums = listAmounts(line.other, amounts).map((other) => add(value, other));
  const totals = listAmounts(line.total, amounts);
  const isNear = (sum: Decimal) => totals.some((total) => isNearlyEqual(sum, total, ROUNDING_TOLERANCE));
  return !sums.some(isNear) && sums.some((sum) => totals.some((total) => isBelow(sum, total)));
}

/** Returns the nonzero amounts that the filing states for a line. */
function listAmounts({ concepts }: Term, amounts: FilingAmounts): Decimal[] {
  const found: Decimal[] = [];
  for (const concept of concepts) {
    const amount = amounts.get(concept);
    if (amount !== undefined && !isZero(amount)) found.push(amount);
  }
  return found;
}

/** Whether a filing up to the fact's states a nonzero amount of the concept for the fact's unit and period. */
type StatedCheck = (concept: string, fact: Fact) => boolean;

function createStatedCheck(series: readonly FactSeries[]): StatedCheck {
  const seriesByConcept = groupBy(series, ({ concept }) => concept);
  const findFirstDay = createFirstDayFinder(({ value }) => !isZero(value));
  return (concept, fact) =>
    (seriesByConcept.get(concept) ?? []).some((factSeries) => {
      if (factSeries.unit !== fact.unit) return false;
      const day = findFirstDay(factSeries.getPeriod(fact));
      return day !== null && day <= fact.filed;
    });
}

/** Questions about what other filings of the company state. */
interface FilerChecks {
  readonly isStated: StatedCheck;
  readonly mayFallBelow: UsualTotalCheck;
}

/** Whether the amount may be the total although it is less than usual parts (`ConditionalConcept.usualParts`). */
type UsualTotalCheck = (fact: Fact, usualParts: readonly string[], amounts: FilingAmounts) => boolean;

function createUsualTotalCheck(series: readonly FactSeries[], findAmounts: AmountLookup): UsualTotalCheck {
  const firstDayByConcept = new Map<string, string | null>();
  return ({ concept, filed, value }, usualParts, amounts) => {
    const isFarBelow = usualParts.some((part) => isBelow(add(value, value), amounts.get(part) ?? value));
    if (isFarBelow) return false;
    const day = getOrInsert(firstDayByConcept, concept, () =>
      findFirstMatchingFilingDay(series, concept, (fact) => {
        const stated = findAmounts(fact);
        return !usualParts.some((part) => isBelow(fact.value, stated.get(part) ?? fact.value));
      }),
    );
    return day !== null && day < filed;
  };
}

/** Returns whether an equation of its filing confirms a candidate, so that it may revise a value of a better concept. */
export function createConfirmedCheck(series: readonly FactSeries[]): (candidate: Candidate) => boolean {
  const findAmounts = createAmountLookup(series);
  return (candidate) => {
    const lines = LINES_BY_METRIC.get(candidate.mapping.metricKey);
    return lines !== undefined && isConfirmed(candidate, lines, findAmounts(candidate.fact));
  };
}
