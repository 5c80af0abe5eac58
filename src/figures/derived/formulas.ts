/** Evaluates the formulas of `contract/figures.ts` for metrics, lineage, the screener, and past days. */

import { parseCurrency } from '../../contract/currency.ts';
import { computeCompoundGrowthRate, divide, subtract, takeAbsoluteValue } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, isEqual } from '../../contract/decimal-text.ts';
import type { Formula, SumFormula } from '../../contract/figures/formula.ts';
import {
  findDefinition,
  INTERNAL_FIGURE_DEFINITIONS,
  isMetric,
  isScreenOnly,
  listOperands,
  METRICS,
} from '../../contract/figures.ts';
import { assertDefined } from '../../platform/assert-defined.ts';
import { getOrInsert } from '../../platform/collections.ts';
import { isFlow } from '../metrics/metric-rules.ts';
import { areYearsApart } from '../periods/period-kind.ts';
import { PeriodMap } from '../periods/period-map.ts';
import { createRatioFinderByFilings, type Split, type SplitRatioFinder } from '../shares/splits.ts';
import { isBasisBreak } from './basis-breaks.ts';
import type { Figure, FigureSubject } from './figure.ts';
import {
  DERIVED_CONFIDENCE,
  makeQuotientFigure,
  pickSubject,
  sumFiguresOfMetrics,
  toComparablePair,
} from './figure.ts';
import { createPeriodLookup, type FigurePeriod, findFigureWithLatestEnd, type PeriodLookup } from './fiscal-years.ts';
import { type Remainder, selectComparableRemainders } from './remainder-series.ts';
import { adjustForSplits, findSplitAdjustmentDay } from './share-counts.ts';
import { arePartsIncomplete, collectYearlyTotals, type YearlyTotals } from './yearly-totals.ts';

type FigureLookup = (key: string) => Figure | null;

/** Looks up the operands of a formula for one period. */
export interface FormulaScope {
  readonly period: Omit<FigureSubject, 'metricKey' | 'unit'>;
  readonly findMetric: FigureLookup;
  /** Returns the figure of a metric `yearCount` years before the period. */
  readonly findMetricBefore: (key: string, yearCount: number) => Figure | null;
  /** Splits, to compare share counts and values per share over time. */
  readonly splits: readonly Split[];
  /** Trailing twelve months by figure key. If absent, formulas of the kind `twelve_months` have no value. */
  readonly twelveMonths?: ReadonlyMap<string, Figure>;
  /**
   * Market figures by key, and a function that returns the split ratio between two days. If absent, formulas that need
   * a price have no value.
   */
  readonly market?: { readonly figures: ReadonlyMap<string, Figure>; readonly ratioBetween: SplitRatioFinder };
}

/** Returns the scope of a fiscal year, a quarter or twelve months. */
export function createPeriodScope(period: FigurePeriod, splits: readonly Split[]): FormulaScope {
  const { start, end, periodKind, fiscalYear, fiscalPeriod } = period;
  return {
    period: { start, end, periodKind, fiscalYear, fiscalPeriod },
    findMetric: (key) => period.getFigure(key),
    findMetricBefore: (key, yearCount) => findPeriodYearsBefore(period, yearCount)?.getFigure(key) ?? null,
    splits,
  };
}

function findPeriodYearsBefore(period: FigurePeriod | null, yearCount: number): FigurePeriod | null {
  return yearCount === 0 || period === null ? period : findPeriodYearsBefore(period.priorYear, yearCount - 1);
}

/**
 * Returns the scope of a figure on a report's cover.
 * @param coverFigures the figures of the same metric on all covers
 */
export function createCoverScope(
  figure: Figure,
  coverFigures: readonly Figure[],
  splits: readonly Split[],
): FormulaScope {
  const findFigureYearsBefore = (yearCount: number) =>
    findFigureWithLatestEnd(
      coverFigures.filter((otherFigure) => areYearsApart(otherFigure.end, figure.end, yearCount)),
    );
  const { metricKey } = figure;
  return {
    period: figure,
    findMetric: (key) => (key === metricKey ? figure : null),
    findMetricBefore: (key, yearCount) => (key === metricKey ? findFigureYearsBefore(yearCount) : null),
    splits,
  };
}

/**
 * Returns the figure of a metric, or of a formula over metrics; null if the metric or an operand has no value. Throws
 * for an unknown key.
 */
export function evaluateFigure(scope: FormulaScope, key: string): Figure | null {
  const definition = findDefinition(key);
  if (definition === null) throw new RangeError(`unknown figure ${key}`);
  // Metrics with a formula are already derived: `deriveMetrics` ran before.
  return isMetric(definition) ? scope.findMetric(key) : evaluateFormula(key, definition.formula, scope);
}

/**
 * Returns the key of the cover metric whose date the figure has: a share count on a cover has a later date than the
 * fiscal period. Null for figures with the dates of a fiscal period.
 */
export function findCoverMetric(key: string): string | null {
  const definition = findDefinition(key);
  if (definition === null) return null;
  if (isMetric(definition)) return definition.statement === 'cover' ? key : null;
  return definition.formula.kind === 'growth' ? findCoverMetric(definition.formula.of) : null;
}

const FORMULA_PERIOD_KINDS = ['annual', 'quarter', 'ttm'] as const;

/**
 * Derives figures that are not metrics, such as ratios, for each fiscal year, quarter, trailing twelve months or cover
 * for which all operands have values. Twelve months require flows over twelve months in `figures`.
 */
export function deriveFiguresOfFormulas(
  keys: readonly string[],
  figures: readonly Figure[],
  splits: readonly Split[],
): Figure[] {
  const lookUpPeriods = createPeriodLookup(figures);
  return keys.flatMap((key) => [...deriveFiguresOfFormula(key, figures, lookUpPeriods, splits)]);
}

/** Yields the figures of one key, one at a time, so that a caller can test whether any exists without deriving all. */
export function* deriveFiguresOfFormula(
  key: string,
  figures: readonly Figure[],
  periods: PeriodLookup,
  splits: readonly Split[],
): Generator<Figure> {
  const formula = findDefinition(key)?.formula;
  if (formula?.kind === 'sum' && formula.remainder !== undefined) {
    const quarterAndTtmRemainders: Remainder[] = [];
    const yearRemainders: Remainder[] = [];
    const yieldedBalanceDays = new Set<string>();
    // Yields years and balances first, so that a caller that tests for any remainder derives no quarters.
    for (const remainder of deriveRemainders(key, formula, createScopes(key, figures, periods, splits))) {
      const { figure } = remainder;
      if (figure.periodKind === 'quarter' || figure.periodKind === 'ttm') {
        quarterAndTtmRemainders.push(remainder);
        continue;
      }
      if (figure.periodKind === 'annual') yearRemainders.push(remainder);
      // The balance at a year's end is also the balance of the fourth quarter, and is yielded only once.
      else if (yieldedBalanceDays.has(figure.end)) continue;
      else yieldedBalanceDays.add(figure.end);
      yield figure;
    }
    yield* selectComparableRemainders(yearRemainders, quarterAndTtmRemainders);
    return;
  }
  for (const scope of createScopes(key, figures, periods, splits)) {
    const figure = evaluateFigure(scope, key);
    if (figure !== null) yield figure;
  }
}

function* deriveRemainders(key: string, formula: SumFormula, scopes: Iterable<FormulaScope>): Generator<Remainder> {
  const { plusIfReported = [], minusIfReported = [] } = formula;
  for (const scope of scopes) {
    const figure = evaluateFigure(scope, key);
    if (figure === null) continue;
    const reportedLineKeys = [...plusIfReported, ...minusIfReported].filter(
      (lineKey) => scope.findMetric(lineKey) !== null,
    );
    yield { figure, lineKeys: reportedLineKeys.join(' ') };
  }
}

function* createScopes(
  key: string,
  figures: readonly Figure[],
  periods: PeriodLookup,
  splits: readonly Split[],
): Generator<FormulaScope> {
  const coverMetric = findCoverMetric(key);
  if (coverMetric === null) {
    for (const kind of FORMULA_PERIOD_KINDS) {
      if (isMeaningfulForPeriodKind(key, kind))
        for (const period of periods(kind)) yield createPeriodScope(period, splits);
    }
  } else {
    const coverFigures = figures.filter((figure) => figure.metricKey === coverMetric);
    for (const figure of coverFigures) yield createCoverScope(figure, coverFigures, splits);
  }
}

/**
 * Whether a ratio makes sense for a kind of period. A quarter's flow over a balance is about a fourth of the annual
 * ratio, so ratios of a flow and a balance use twelve months, and ratios of two balances use quarter ends.
 */
function isMeaningfulForPeriodKind(key: string, kind: (typeof FORMULA_PERIOD_KINDS)[number]): boolean {
  const operandKeys = listMetricsUsedBy(key);
  const flowCount = operandKeys.filter(isFlow).length;
  switch (kind) {
    case 'annual':
      return true;
    case 'quarter':
      return flowCount === 0 || flowCount === operandKeys.length;
    case 'ttm':
      return flowCount > 0;
  }
}

/** Returns the metrics that a figure's formula refers to, directly or not; for a metric, the metric itself. */
export function listMetricsUsedBy(key: string): string[] {
  const definition = findDefinition(key);
  return definition === null || isMetric(definition)
    ? [key]
    : listOperands(definition.formula).flatMap(listMetricsUsedBy);
}

function evaluateFormula(key: string, formula: Formula, scope: FormulaScope): Figure | null {
  const findFigure: FigureLookup = (operand) => evaluateFigure(scope, operand);
  switch (formula.kind) {
    case 'sum':
      return evaluateSum(key, formula, findFigure, DERIVED_CONFIDENCE.exact);
    case 'ratio':
      return evaluateRatio(key, findFigure(formula.numerator), findFigure(formula.denominator), scope);
    case 'growth':
      return evaluateGrowth(key, findFigure(formula.of), scope.findMetricBefore(formula.of, formula.years), scope);
    case 'compound_growth':
      return evaluateCompoundGrowth(key, formula, scope);
    case 'year_before':
      return scope.findMetricBefore(formula.of, 1);
    case 'twelve_months':
      return scope.twelveMonths?.get(key) ?? null;
    case 'market':
      return scope.market?.figures.get(key) ?? null;
  }
}

/** Returns the sum for the period of its first operand; null if an operand is missing or a condition is not met. */
function evaluateSum(
  key: string,
  formula: SumFormula,
  findFigure: FigureLookup,
  maxConfidence: Decimal,
): Figure | null {
  if (formula.unless !== undefined && findFigure(formula.unless) !== null) return null;
  const plusFigures = findFigureOfEveryOperand(formula.plus, findFigure);
  const minusFigures = plusFigures === null ? null : findFigureOfEveryOperand(formula.minus ?? NO_OPERANDS, findFigure);
  if (plusFigures === null || minusFigures === null) return null;
  const firstFigure = assertDefined(plusFigures[0]);
  const optionalPlusFigures = findExistingFigures(formula.plusIfReported ?? NO_OPERANDS, findFigure);
  const optionalMinusFigures = findExistingFigures(formula.minusIfReported ?? NO_OPERANDS, findFigure);
  const otherFigures = [...plusFigures.slice(1), ...minusFigures, ...optionalPlusFigures, ...optionalMinusFigures];
  // Prices are in dollars, even if the company's amounts are in another currency.
  if (otherFigures.some(({ unit }) => unit !== firstFigure.unit)) return null;
  if (formula.remainder !== undefined && otherFigures.length === 0) return null;
  if (formula.sameFilings === true && !areFromFilings(listFilingsOfValue(firstFigure), otherFigures)) return null;
  const sumFigure = sumFiguresOfMetrics(
    { ...pickSubject(firstFigure), metricKey: key },
    {
      plus: [...plusFigures, ...optionalPlusFigures],
      minus: [...minusFigures, ...optionalMinusFigures],
      maxConfidence,
    },
  );
  return sumFigure !== null && isExpectedAmount(sumFigure.value, formula, findFigure) ? sumFigure : null;
}

function isExpectedAmount(value: Decimal, { equals, remainder }: SumFormula, findFigure: FigureLookup): boolean {
  const sign = compareDecimals(value, '0');
  if (remainder !== undefined && (sign === 0 || (remainder === 'above_zero' && sign < 0))) return false;
  if (equals === undefined) return true;
  const expectedFigure = findFigure(equals);
  return expectedFigure !== null && isEqual(expectedFigure.value, value);
}

const NO_OPERANDS: readonly string[] = [];

/**
 * Returns the figure of each operand; for alternatives, the first figure that exists. Null if an operand has no figure.
 */
function findFigureOfEveryOperand(
  operands: readonly (string | readonly string[])[],
  findFigure: FigureLookup,
): Figure[] | null {
  const operandFigures: Figure[] = [];
  for (const operand of operands) {
    const figure = typeof operand === 'string' ? findFigure(operand) : findFirstFigure(operand, findFigure);
    if (figure === null) return null;
    operandFigures.push(figure);
  }
  return operandFigures;
}

function findExistingFigures(operands: readonly string[], findFigure: FigureLookup): Figure[] {
  return operands.map(findFigure).filter((figure) => figure !== null);
}

function findFirstFigure(keys: readonly string[], findFigure: FigureLookup): Figure | null {
  for (const key of keys) {
    const figure = findFigure(key);
    if (figure !== null) return figure;
  }
  return null;
}

/**
 * Whether each figure is reported by one of the filings. A derived quarter counts as reported by the filing that
 * reports the longer period.
 */
function areFromFilings(filings: readonly string[], figures: readonly Figure[]): boolean {
  return figures.every((figure) => listFilingsOfValue(figure).some((accession) => filings.includes(accession)));
}

/** Returns the accession numbers of the filings that report the value of the first term, exactly or rounded. */
function listFilingsOfValue({ terms: [firstTerm] }: Figure): string[] {
  if (firstTerm === undefined) return [];
  const { chain, reported } = firstTerm.source;
  const lastChangeIndex = chain.findLastIndex(({ kind }) => kind !== 'same');
  return chain
    .filter(({ value }, index) => index >= lastChangeIndex || isEqual(value, reported.value))
    .map(({ accession }) => accession);
}

/**
 * Returns the ratio; null if an operand is missing, the operands are not comparable or have different currencies (a
 * price in dollars, earnings in euros), or the denominator is not above zero.
 */
function evaluateRatio(
  key: string,
  numerator: Figure | null,
  denominator: Figure | null,
  scope: FormulaScope,
): Figure | null {
  if (numerator === null || denominator === null) return null;
  const [numeratorCurrency, denominatorCurrency] = [parseCurrency(numerator.unit), parseCurrency(denominator.unit)];
  if (numeratorCurrency !== null && denominatorCurrency !== null && numeratorCurrency !== denominatorCurrency)
    return null;
  const comparablePair = toComparablePair(numerator, denominator);
  if (comparablePair === null) return null;
  const [comparableNumerator, comparableDenominator] = comparablePair;
  const [dividend, divisor] = [
    adjustOperandToPriceDay(comparableNumerator, comparableDenominator, scope),
    adjustOperandToPriceDay(comparableDenominator, comparableNumerator, scope),
  ];
  return dividend === null || divisor === null
    ? null
    : divideIfDivisorPositive(key, dividend, divisor, comparableNumerator, comparableDenominator, scope);
}

/**
 * Returns an operand's value. If the other operand is a market price, a value per share is adjusted for splits to the
 * price's day; null if the split ratio is unknown.
 */
function adjustOperandToPriceDay(figure: Figure, otherFigure: Figure, { market }: FormulaScope): Decimal | null {
  if (market === undefined || market.figures.get(otherFigure.metricKey) !== otherFigure) return figure.value;
  return adjustForSplits(figure, otherFigure.end, market.ratioBetween);
}

function evaluateGrowth(
  key: string,
  laterFigure: Figure | null,
  earlierFigure: Figure | null,
  scope: FormulaScope,
): Figure | null {
  if (laterFigure === null || earlierFigure === null) return null;
  const comparablePair = toComparablePair(laterFigure, earlierFigure);
  if (comparablePair === null) return null;
  const [comparableLaterFigure, comparableEarlierFigure] = comparablePair;
  const baseValue = adjustForSplits(
    comparableEarlierFigure,
    findSplitAdjustmentDay(comparableLaterFigure),
    createRatioFinderByFilings(scope.splits),
  );
  if (baseValue === null) return null;
  return divideIfDivisorPositive(
    key,
    subtract(comparableLaterFigure.value, baseValue),
    takeAbsoluteValue(baseValue),
    comparableLaterFigure,
    comparableEarlierFigure,
    scope,
  );
}

/**
 * Returns the yearly growth rate. Null if a year has no value, if two consecutive years are not comparable, or if the
 * first or last value is not above zero.
 */
function evaluateCompoundGrowth(
  key: string,
  { of: operandKey, years }: Formula & { readonly kind: 'compound_growth' },
  scope: FormulaScope,
): Figure | null {
  const lastFigure = scope.findMetric(operandKey);
  let firstFigure = lastFigure;
  for (let yearsAgo = 1; yearsAgo <= years && firstFigure !== null; yearsAgo += 1) {
    const earlierFigure = scope.findMetricBefore(operandKey, yearsAgo);
    firstFigure = earlierFigure === null || isBasisBreak(firstFigure, earlierFigure) ? null : earlierFigure;
  }
  if (lastFigure === null || firstFigure === null) return null;
  const baseValue = adjustForSplits(
    firstFigure,
    findSplitAdjustmentDay(lastFigure),
    createRatioFinderByFilings(scope.splits),
  );
  if (baseValue === null || compareDecimals(baseValue, '0') <= 0 || compareDecimals(lastFigure.value, '0') <= 0)
    return null;
  return makeQuotientFigure(
    makeRatioSubject(key, scope),
    computeCompoundGrowthRate(baseValue, lastFigure.value, years),
    lastFigure,
    firstFigure,
  );
}

/** Returns the quotient; null if the divisor is not above zero, because a return on negative equity is meaningless. */
function divideIfDivisorPositive(
  key: string,
  dividend: Decimal,
  divisor: Decimal,
  numerator: Figure,
  denominator: Figure,
  scope: FormulaScope,
): Figure | null {
  if (compareDecimals(divisor, '0') <= 0) return null;
  const value = divide(dividend, divisor);
  return value === null ? null : makeQuotientFigure(makeRatioSubject(key, scope), value, numerator, denominator);
}

function makeRatioSubject(metricKey: string, { period }: FormulaScope): FigureSubject {
  const { start, end, periodKind, fiscalYear, fiscalPeriod } = period;
  return { metricKey, unit: 'pure', start, end, periodKind, fiscalYear, fiscalPeriod };
}

/** Whether a figure is derived only if a request names its key. */
export function isDerivedOnRequest(key: string): boolean {
  const definition = findDefinition(key);
  return definition !== null && !isMetric(definition) && !isScreenOnly(key);
}

/** A metric that is derived from other metrics of the same period. */
interface DerivedMetric {
  readonly key: string;
  readonly formula: SumFormula;
  readonly confidence: Decimal;
  readonly operands: readonly string[];
}

const DERIVED_METRIC_BY_KEY: ReadonlyMap<string, DerivedMetric> = new Map(
  [...METRICS, ...INTERNAL_FIGURE_DEFINITIONS].flatMap(
    ({ key, formula, whenNotReported }): [string, DerivedMetric][] => {
      const sumFormula = formula ?? whenNotReported;
      if (sumFormula === undefined) return [];
      const confidence = formula === undefined ? DERIVED_CONFIDENCE.notReported : DERIVED_CONFIDENCE.exact;
      return [[key, { key, formula: sumFormula, confidence, operands: listOperands(sumFormula) }]];
    },
  ),
);

/** Sorted so that a metric comes after all its inputs. */
const DERIVED_METRICS: readonly DerivedMetric[] = [...DERIVED_METRIC_BY_KEY.values()].sort(
  (a, b) => computeDepth(a.key) - computeDepth(b.key),
);

function computeDepth(key: string): number {
  const operands = DERIVED_METRIC_BY_KEY.get(key)?.operands;
  return operands === undefined ? 0 : 1 + Math.max(...operands.map(computeDepth));
}

/**
 * Returns all metrics that a metric may be derived from, directly or not; empty for metrics that only filings report.
 */
export function listOperandsOfMetric(key: string): string[] {
  return (DERIVED_METRIC_BY_KEY.get(key)?.operands ?? []).flatMap((operand) => [
    operand,
    ...listOperandsOfMetric(operand),
  ]);
}

/** Metrics that have a formula or are operands of one; figures of other metrics are not indexed by period. */
const DERIVED_AND_OPERAND_KEYS: ReadonlySet<string> = new Set(
  DERIVED_METRICS.flatMap(({ key, operands }) => [key, ...operands]),
);

/**
 * Derives unreported metrics from other metrics of the same unit and dates. A reported operand that filings show to be
 * wrong is not used; a derived figure may replace it.
 * @param requestedKeys keys of the metrics to derive, which must include all derived operands; null: all
 * @param yearlyTotals totals of the company's fiscal years
 */
export function deriveMetrics(
  figures: readonly Figure[],
  contradictedFigures: readonly Figure[],
  requestedKeys: ReadonlySet<string> | null = null,
  yearlyTotals: YearlyTotals = collectYearlyTotals(figures),
): Figure[] {
  const requestedMetrics =
    requestedKeys === null ? DERIVED_METRICS : DERIVED_METRICS.filter(({ key }) => requestedKeys.has(key));
  if (requestedMetrics.length === 0) return [];
  const periodsByUnit = new Map<string, PeriodMap<PeriodFigures>>();
  const periods: PeriodFigures[] = [];
  const getOrAddPeriod = (figure: Figure): PeriodFigures => {
    const periodByDates = getOrInsert(periodsByUnit, figure.unit, () => new PeriodMap<PeriodFigures>());
    let period = periodByDates.get(figure);
    if (period === undefined) {
      const { unit, start, periodKind } = figure;
      period = { unit, start, periodKind, figureByKey: new Map(), wrongFigures: [] };
      periodByDates.set(figure, period);
      periods.push(period);
    }
    return period;
  };
  for (const figure of figures) {
    if (DERIVED_AND_OPERAND_KEYS.has(figure.metricKey))
      getOrAddPeriod(figure).figureByKey.set(figure.metricKey, figure);
  }
  for (const figure of contradictedFigures) getOrAddPeriod(figure).wrongFigures.push(figure);
  const derivedFigures: Figure[] = [];
  for (const period of periods) {
    const { figureByKey, wrongFigures } = period;
    const wrongKeys = wrongFigures.map(({ metricKey }) => metricKey);
    const findFigure: FigureLookup = (operand) => figureByKey.get(operand) ?? null;
    for (const { key, formula, confidence, operands } of requestedMetrics) {
      // The first test is the cheapest, and most periods lack the first operand of most formulas.
      if (!hasFirstOperand(formula, figureByKey) || figureByKey.has(key)) continue;
      if (wrongKeys.some((operand) => operands.includes(operand) && !hasDerivedFigure(operand, formula, figureByKey)))
        continue;
      const figure = evaluateSum(key, formula, findFigure, confidence);
      if (figure === null || arePartsIncomplete(key, period, yearlyTotals)) continue;
      // Skips a contradicted value, because the filing's other amounts may add up to the same wrong value.
      if (wrongFigures.some(({ metricKey, value }) => metricKey === key && isEqual(value, figure.value))) continue;
      figureByKey.set(key, figure);
      derivedFigures.push(figure);
    }
  }
  return derivedFigures;
}

/**
 * Whether the operand or one of its alternatives has a derived figure. A reported alternative does not count, because
 * such an alternative does not replace a contradicted operand.
 */
function hasFirstOperand({ plus: [first] }: SumFormula, figureByKey: ReadonlyMap<string, Figure>): boolean {
  return typeof first === 'object' ? first.some((key) => figureByKey.has(key)) : figureByKey.has(first ?? '');
}

function hasDerivedFigure(
  operand: string,
  { plus, minus = [] }: SumFormula,
  figureByKey: ReadonlyMap<string, Figure>,
): boolean {
  const operandChoice = [...plus, ...minus].find(
    (alternatives) => alternatives === operand || alternatives.includes(operand),
  );
  return [operandChoice ?? operand].flat().some((key) => figureByKey.get(key)?.derived === true);
}

/** The figures of one unit and one pair of dates. */
interface PeriodFigures extends Pick<Figure, 'unit' | 'start' | 'periodKind'> {
  readonly figureByKey: Map<string, Figure>;
  /** Figures of this unit and these dates that filings show to be wrong. */
  readonly wrongFigures: Figure[];
}

/** Whether formulas can derive a new metric (`isKnown` is false) from the metrics `keys` of one unit and day. */
export function canDeriveUnknownMetric(keys: Iterable<string>, isKnown: (key: string) => boolean): boolean {
  const possibleKeys = new Set(keys);
  return DERIVED_METRICS.some(({ key, formula: { plus, minus = [] } }) => {
    const isPossible = (operand: string | readonly string[]) =>
      typeof operand === 'string'
        ? possibleKeys.has(operand)
        : operand.some((alternative) => possibleKeys.has(alternative));
    if (!plus.every(isPossible) || !minus.every(isPossible)) return false;
    possibleKeys.add(key);
    return !isKnown(key);
  });
}
