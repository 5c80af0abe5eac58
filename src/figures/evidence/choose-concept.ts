/**
 * Decides which concept of a filing supplies the value of a metric for one period: the first of the metric's list that
 * meets its conditions, unless an equation confirms another one.
 */
import { add, multiply } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, isEqual, isZero } from '../../contract/decimal-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { getOrInsert, groupBy, pushTo } from '../../platform/collections.ts';
import { createFirstDayFinder, type FactSeries, findFirstMatchingFilingDay } from '../facts/fact-series.ts';
import type { ConditionalConcept } from '../metrics/concepts/concept-lists.ts';
import { listMappingsOfMetric } from '../metrics/concepts.ts';
import { isInternal } from '../metrics/metric-rules.ts';
import type { Candidate } from './candidates.ts';
import { createDebtChoosers } from './debt.ts';
import { createDepreciationChoosers } from './depreciation.ts';
import { EQUATIONS, type Term } from './equations.ts';
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

export type ConceptChooser = (candidates: FilingCandidates) => CandidateChoice;

const CAPITAL_EXPENDITURES_KEY = 'capital_expenditures';
/** Minimum ratio of a total to one of its parts: both are rounded, so the total may be slightly smaller. */
const MIN_ROUNDED_RATIO: Decimal = '0.99';

/** Returns a chooser among the candidates of one filing, with the named rules of a few metrics. */
export function createConceptChooser(series: readonly FactSeries[]): ConceptChooser {
  const findAmounts = createAmountLookup(series);
  const checks = createFilerChecks(series, findAmounts);
  const ruleByMetric = new Map<string, AmountChooser>([
    ...createDepreciationChoosers(series, findAmounts),
    ...createDebtChoosers(series, findAmounts),
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
  checks: FilerChecks,
): string | null {
  const unmet = mapping.conditions === null ? null : findUnmetCondition(fact, mapping.conditions, amounts, checks);
  if (unmet !== null) return unmet;
  if (mapping.metricKey === 'operating_expenses' && includesCost(fact, amounts, checks.isStated))
    return 'operating expenses that include the cost of revenue';
  for (const line of lines) {
    if (isTotalOfLine(fact, line, amounts)) return 'a total tagged as one of its parts';
    if (isTooSmall(fact, line, amounts)) return 'an amount that is only a part, as other amounts of the filing show';
  }
  return null;
}

function findUnmetCondition(
  fact: Fact,
  { without = [], with: required, parts = [], usualParts = [], withoutAll }: ConditionalConcept,
  amounts: FilingAmounts,
  { isStated, findEarlierAmount, mayFallBelow }: FilerChecks,
): string | null {
  if (without.some((concept) => isStated(concept, fact))) return 'an amount that includes another line';
  if (required !== undefined && !required.some((concept) => amounts.has(concept)))
    return 'an amount that has another meaning in the statements of such a company';
  if (withoutAll?.every((line) => line.some((concept) => amounts.has(concept))))
    return 'an amount that the filing also states as several lines';
  const isBelowUsual = usualParts.some((concept) => isBelowPart(fact.value, amounts.get(concept)));
  if (
    parts.some((concept) => isBelowPart(fact.value, amounts.get(concept) ?? findEarlierAmount(concept, fact))) ||
    (isBelowUsual && !mayFallBelow(fact, usualParts, amounts))
  )
    return 'a total that is less than one of its parts';
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

/** The line of one metric in an equation: the total of `others`, or a part of the same total as `others`. */
interface LineOfEquation {
  readonly own: Term;
  readonly others: readonly Term[];
  /** Null if the line itself is the total. */
  readonly total: Term | null;
  readonly isPartial: boolean;
}

const LINES_BY_METRIC: ReadonlyMap<string, readonly LineOfEquation[]> = groupLinesByMetric();
const NO_LINES: readonly LineOfEquation[] = [];

function groupLinesByMetric(): Map<string, LineOfEquation[]> {
  const byMetric = new Map<string, LineOfEquation[]>();
  for (const { total, parts, partialKey } of EQUATIONS) {
    pushTo(byMetric, total.metricKey, { own: total, others: parts, total: null, isPartial: false });
    for (const own of parts) {
      const others = parts.filter((part) => part !== own);
      pushTo(byMetric, own.metricKey, { own, others, total, isPartial: own.metricKey === partialKey });
    }
  }
  return byMetric;
}

/** Whether an equation holds exactly with the amount and other nonzero amounts of the filing. */
function isConfirmed({ fact }: Candidate, lines: readonly LineOfEquation[], amounts: FilingAmounts): boolean {
  if (isZero(fact.value)) return false;
  return lines.some(({ own, others, total }) => {
    if (!own.concepts.includes(fact.concept)) return false;
    const sums = listSums(others, amounts);
    if (total === null) return sums.some((sum) => isEqual(sum, fact.value));
    const totals = listAmounts(total, amounts);
    return sums.some((sum) => totals.some((amount) => isEqual(add(fact.value, sum), amount)));
  });
}

/** Whether another concept states the amount as the total of which it would be a part, although the other parts are not zero. */
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
  const largest = listAmounts(total, amounts).sort(compareDecimals).at(-1);
  const sums = listSums(others, amounts).map((sum) => add(value, sum));
  return (
    largest !== undefined && sums.length > 0 && sums.every((sum) => isBelow(sum, multiply(largest, MIN_ROUNDED_RATIO)))
  );
}

/** Returns the sums of one nonzero amount of each line; empty if the filing states none for one of them. */
function listSums([first, ...rest]: readonly Term[], amounts: FilingAmounts): readonly Decimal[] {
  if (first === undefined) return ['0'];
  const own = listAmounts(first, amounts);
  const others = own.length === 0 ? [] : listSums(rest, amounts);
  return own.flatMap((amount) => others.map((other) => add(amount, other)));
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
/**
 * Returns the smallest amount that earlier filings state of the concept for the fact's unit and day; undefined for a
 * flow, because operations that were discontinued later no longer count.
 */
type EarlierAmountFinder = (concept: string, fact: Fact) => Decimal | undefined;

function createFilerChecks(series: readonly FactSeries[], findAmounts: AmountLookup): FilerChecks {
  const seriesByConcept = groupBy(series, ({ concept }) => concept);
  const findFirstDay = createFirstDayFinder(({ value }) => !isZero(value));
  const listPeriods = (concept: string, fact: Fact) =>
    (seriesByConcept.get(concept) ?? []).flatMap((own) => (own.unit === fact.unit ? (own.getPeriod(fact) ?? []) : []));
  return {
    isStated: (concept, fact) =>
      listPeriods(concept, fact).some((period) => {
        const day = findFirstDay(period);
        return day !== null && day <= fact.filed;
      }),
    findEarlierAmount: (concept, fact) =>
      (fact.start === null ? listPeriods(concept, fact) : [])
        .flatMap(({ facts }) => facts.filter(({ filed }) => filed < fact.filed).map(({ value }) => value))
        .sort(compareDecimals)[0],
    mayFallBelow: createUsualTotalCheck(series, findAmounts),
  };
}

/** Questions about what other filings of the company state. */
interface FilerChecks {
  readonly isStated: StatedCheck;
  readonly findEarlierAmount: EarlierAmountFinder;
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
