/** Evaluates the formulas of `contract/figures.ts` for metrics, lineage, the screener, and past days. */

import { computeCompoundGrowthRate, divide, negate, subtract, sum, takeAbsoluteValue } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, isEqual } from '../../contract/decimal-text.ts';
import {
  FIGURES,
  findDefinition,
  INTERNAL_FIGURE_DEFINITIONS,
  isMetric,
  isScreenOnly,
  listOperands,
  METRICS,
} from '../../contract/figures.ts';
import { parseCurrency } from '../../contract/identifiers.ts';
import { onFirstUse } from '../../contract/on-first-use.ts';
import type { Formula, SignedLine, SumFormula } from '../../contract/statements/formula.ts';
import { assertDefined, getOrInsert, groupBy } from '../../platform/collections.ts';
import { countDaysBetween } from '../../platform/dates.ts';
import { isFlow } from '../metrics/metric-rules.ts';
import { PeriodMap } from '../periods/period-map.ts';
import { createRatioFinderByFilings, type Split, type SplitRatioFinder } from '../shares/splits.ts';
import { isBasisBreak } from './basis-breaks.ts';
import type { Figure, FigureSubject } from './figure.ts';
import { DERIVED_CONFIDENCE, pickSubject, sumFiguresOfMetrics, toComparablePair, toQuotientFigure } from './figure.ts';
import { createPeriodLookup, type FigurePeriod, findFigureWithLatestEnd, type PeriodLookup } from './fiscal-years.ts';
import { type Remainder, selectComparableRemainders } from './remainder-series.ts';
import { adjustForSplits, findSplitAdjustmentDay } from './share-counts.ts';
import { arePartsIncomplete, collectYearlyTotals, type YearlyTotals } from './yearly-totals.ts';

type FigureLookup = (key: string) => Figure | null;
/** The key of an operand, or the keys of alternatives, of which the first with a value is used. */
type Operand = string | readonly string[];

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
    findMetricBefore: (key, years) => findPeriodYearsBefore(period, years)?.getFigure(key) ?? null,
    splits,
  };
}

const findPeriodYearsBefore = (period: FigurePeriod | null, years: number): FigurePeriod | null =>
  years === 0 || period === null ? period : findPeriodYearsBefore(period.priorYear, years - 1);

/** Maximum difference in days between the time from one annual report's cover to another's and whole years. */
const MAX_COVER_SHIFT_DAYS = 90;

/**
 * Returns the scope of a figure on a report's cover.
 * @param covers the figures of the same metric on all covers
 */
export function createCoverScope(figure: Figure, covers: readonly Figure[], splits: readonly Split[]): FormulaScope {
  const annualCovers = covers.filter(isOfFiscalYear);
  const findBefore = (years: number) => {
    const measureShift = ({ end }: Figure) => Math.abs(countDaysBetween(end, figure.end) - DAYS_PER_YEAR * years);
    const nearCovers = annualCovers.filter((other) => measureShift(other) <= MAX_COVER_SHIFT_DAYS);
    return nearCovers.sort((a, b) => measureShift(a) - measureShift(b))[0] ?? null;
  };
  const { metricKey } = figure;
  return {
    period: figure,
    findMetric: (key) => (key === metricKey ? figure : null),
    findMetricBefore: (key, years) => (key === metricKey ? findBefore(years) : null),
    splits,
  };
}

const DAYS_PER_YEAR = 365.25;

const isOfFiscalYear = ({ fiscalPeriod, fiscalYear }: Figure): boolean => fiscalPeriod === 'FY' && fiscalYear !== null;

/**
 * Returns the figures on covers of annual reports, one per fiscal year: the last, if an amendment has a cover too.
 * Counts change from one annual report to another, so that the change belongs to a fiscal year.
 */
export function selectAnnualCovers(covers: readonly Figure[]): readonly Figure[] {
  const byYear = groupBy(covers.filter(isOfFiscalYear), ({ fiscalYear }) => fiscalYear);
  return [...byYear.values()].flatMap((ofYear) => findFigureWithLatestEnd(ofYear) ?? []);
}

/**
 * Returns the figure of a metric, or of a formula over metrics; null if the metric or an operand has no value. Throws
 * for an unknown key.
 */
export function evaluateFigure(scope: FormulaScope, key: string): Figure | null {
  const formula = FORMULA_BY_KEY.get(key);
  if (formula === undefined) throw new RangeError(`unknown figure ${key}`);
  return formula === null ? scope.findMetric(key) : evaluateFormula(key, formula, scope);
}

/**
 * The formula of each figure; null for all metrics, because `deriveMetrics` has already derived those with a formula.
 */
const FORMULA_BY_KEY: ReadonlyMap<string, Formula | null> = new Map(
  FIGURES.map((figure) => [figure.key, isMetric(figure) ? null : figure.formula]),
);

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
type FormulaPeriodKind = (typeof FORMULA_PERIOD_KINDS)[number];

/**
 * Derives figures that are not metrics, such as ratios, for each fiscal year, quarter, trailing twelve months or cover
 * for which all operands have values. Twelve months require flows over twelve months in `figures`.
 */
export function deriveFiguresOfFormulas(
  keys: readonly string[],
  figures: readonly Figure[],
  splits: readonly Split[],
): Figure[] {
  const findPeriods = createPeriodLookup(figures);
  return keys.flatMap((key) => [...deriveFiguresOfFormula(key, figures, findPeriods, splits)]);
}

/** Yields the figures of one key, one at a time, so that a caller can test whether any exists without deriving all. */
export function* deriveFiguresOfFormula(
  key: string,
  figures: readonly Figure[],
  findPeriods: PeriodLookup,
  splits: readonly Split[],
): Generator<Figure> {
  const formula = findDefinition(key)?.formula;
  if (formula?.kind === 'sum' && formula.lines !== undefined) {
    const shorter: Remainder[] = [];
    const years: Remainder[] = [];
    const days = new Set<string>();
    // Yields years and balances first, so that a caller that tests for any remainder derives no quarters.
    for (const remainder of deriveRemainders(key, formula.lines, createScopes(key, figures, findPeriods, splits))) {
      const { figure } = remainder;
      if (figure.periodKind === 'quarter' || figure.periodKind === 'ttm') {
        shorter.push(remainder);
        continue;
      }
      if (figure.periodKind === 'annual') years.push(remainder);
      // The balance at a year's end is also the balance of the fourth quarter, and is yielded only once.
      else if (days.has(figure.end)) continue;
      else days.add(figure.end);
      yield figure;
    }
    yield* selectComparableRemainders(years, shorter);
    return;
  }
  for (const scope of createScopes(key, figures, findPeriods, splits)) {
    const figure = evaluateFigure(scope, key);
    if (figure !== null) yield figure;
  }
}

function* deriveRemainders(key: string, lines: readonly SignedLine[], scopes: Iterable<FormulaScope>) {
  for (const scope of scopes) {
    const figure = evaluateFigure(scope, key);
    if (figure === null) continue;
    const reportedLines = findReportedLines(lines, scope.findMetric);
    yield { figure, lineKeys: reportedLines.map(({ figure: { metricKey } }) => metricKey).join(' ') };
  }
}

function* createScopes(
  key: string,
  figures: readonly Figure[],
  findPeriods: PeriodLookup,
  splits: readonly Split[],
): Generator<FormulaScope> {
  const cover = findCoverMetric(key);
  if (cover === null) {
    for (const kind of listMeaningfulPeriodKinds(key))
      for (const period of findPeriods(kind)) yield createPeriodScope(period, splits);
  } else {
    const covers = figures.filter((figure) => figure.metricKey === cover);
    for (const figure of key === cover ? covers : selectAnnualCovers(covers))
      yield createCoverScope(figure, covers, splits);
  }
}

const PERIOD_KINDS_BY_KEY = new Map<string, readonly FormulaPeriodKind[]>();

const listMeaningfulPeriodKinds = (key: string): readonly FormulaPeriodKind[] =>
  getOrInsert(PERIOD_KINDS_BY_KEY, key, () => {
    const operands = listMetricsUsedBy(key);
    return FORMULA_PERIOD_KINDS.filter((kind) => isMeaningfulForPeriodKind(operands, kind));
  });

/**
 * Whether a ratio makes sense for a kind of period. A quarter's flow over a balance is about a fourth of the annual
 * ratio, so ratios of a flow and a balance use twelve months, and ratios of two balances use quarter ends.
 */
function isMeaningfulForPeriodKind(operands: readonly string[], kind: FormulaPeriodKind): boolean {
  const flows = operands.filter(isFlow).length;
  switch (kind) {
    case 'annual':
      return true;
    case 'quarter':
      return flows === 0 || flows === operands.length;
    case 'ttm':
      return flows > 0;
  }
}

/** Returns the metrics that a figure's formula refers to, directly or not; for a metric, the metric itself. */
export function listMetricsUsedBy(key: string): string[] {
  const entry = findDefinition(key);
  return entry === null || isMetric(entry) ? [key] : listOperands(entry.formula).flatMap(listMetricsUsedBy);
}

function evaluateFormula(key: string, formula: Formula, scope: FormulaScope): Figure | null {
  const find: FigureLookup = (operand) => evaluateFigure(scope, operand);
  switch (formula.kind) {
    case 'sum':
      return evaluateSum(key, formula, find, DERIVED_CONFIDENCE.exact);
    case 'ratio':
      return evaluateRatio(key, formula, scope);
    case 'growth':
      return evaluateGrowth(key, find(formula.of), scope.findMetricBefore(formula.of, formula.years), scope);
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
function evaluateSum(key: string, formula: SumFormula, find: FigureLookup, confidence: Decimal): Figure | null {
  if (!hasRequiredFigures(formula, find)) return null;
  const plus = findFigureOfEveryOperand(formula.plus, find);
  const minus = plus === null ? null : findFigureOfEveryOperand(formula.minus ?? NO_OPERANDS, find);
  if (plus === null || minus === null) return null;
  const first = assertDefined(plus[0]);
  for (const figure of findExistingFigures(formula.plusIfReported ?? NO_OPERANDS, find))
    if (!plus.includes(figure)) plus.push(figure);
  minus.push(...findExistingFigures(formula.minusIfReported ?? NO_OPERANDS, find));
  const { lines, parts } = formula.lines === undefined ? NO_LINES : divideLines(findReportedLines(formula.lines, find));
  for (const { figure, isNegative } of lines) (isNegative ? plus : minus).push(figure);
  const operands = [...plus, ...minus];
  // Prices are in dollars, even if the company's amounts are in another currency.
  if (operands.some(({ unit }) => unit !== first.unit)) return null;
  if (formula.lines !== undefined && operands.length === 1) return null;
  // A derived quarter of the only line may lack the amount of another line, whose quarter was not derived.
  if (formula.sameFilings && formula.plusIfReported !== undefined && operands.length === 1 && first.derived)
    return null;
  if (formula.sameFilings === true && !areFromFilings(listFilingsOfValue(first), operands)) return null;
  const subject = { ...pickSubject(first), metricKey: key };
  const figure = sumFiguresOfMetrics(subject, { plus, minus, maxConfidence: confidence });
  // If all lines add up to the total, none is a part of another, and nothing remains.
  if (figure === null || (parts.length > 0 && isEqual(figure.value, sumLines(parts)))) return null;
  return isExpectedAmount(figure, formula, find) ? figure : null;
}

function hasRequiredFigures({ unless, requires }: SumFormula, find: FigureLookup): boolean {
  if (unless !== undefined && findChosen(unless, find) !== null) return false;
  return requires === undefined || find(requires) !== null;
}

/** A line with a value, with its sign in the total. */
interface ReportedLine {
  readonly figure: Figure;
  readonly isNegative: boolean;
  readonly line: SignedLine;
}

/** Returns the lines that have a value. A line without a value is replaced by the lines that it consists of. */
function findReportedLines(lines: readonly SignedLine[], find: FigureLookup, isNegative = false): ReportedLine[] {
  return lines.flatMap((line) => {
    const figure = find(line.key);
    const sign = line.isNegative !== isNegative;
    return figure === null ? findReportedLines(line.lines, find, sign) : [{ figure, isNegative: sign, line }];
  });
}

type DividedLines = Readonly<Record<'lines' | 'parts', readonly ReportedLine[]>>;

/** Divides the lines: `parts` are those that may be parts of another of the lines. */
function divideLines(lines: readonly ReportedLine[]): DividedLines {
  const keys = new Set<string | undefined>(lines.map(({ line }) => line.key));
  return {
    lines: lines.filter(({ line }) => !keys.has(line.mayBeIn)),
    parts: lines.filter(({ line }) => keys.has(line.mayBeIn)),
  };
}

const sumLines = (lines: readonly ReportedLine[]): Decimal =>
  sum(lines.map(({ figure, isNegative }) => (isNegative ? negate(figure.value) : figure.value)));

/** Whether the value meets the formula's conditions. Reads it only if there are any, because it is computed lazily. */
function isExpectedAmount(figure: Figure, { equals, lines, isAboveZero }: SumFormula, find: FigureLookup): boolean {
  if (lines !== undefined) {
    const sign = compareDecimals(figure.value, '0');
    if (sign === 0 || (isAboveZero === true && sign < 0)) return false;
  }
  if (equals === undefined) return true;
  const expected = find(equals);
  return expected !== null && isEqual(expected.value, figure.value);
}

const NO_OPERANDS: readonly string[] = [];
const NO_LINES: DividedLines = { lines: [], parts: [] };

/** Returns the figure of each operand, or of its first alternative that has one; null if an operand has none. */
function findFigureOfEveryOperand(operands: readonly Operand[], find: FigureLookup): Figure[] | null {
  const figures: Figure[] = [];
  for (const operand of operands) {
    const figure = findChosen(operand, find);
    if (figure === null) return null;
    figures.push(figure);
  }
  return figures;
}

const findExistingFigures = (operands: readonly string[], find: FigureLookup): Figure[] =>
  operands.map(find).filter((figure) => figure !== null);

/** Returns the figure of an operand, or of the first alternative that has one. */
function findChosen(operand: Operand, find: FigureLookup): Figure | null {
  if (typeof operand === 'string') return find(operand);
  for (const key of operand) {
    const figure = find(key);
    if (figure !== null) return figure;
  }
  return null;
}

/**
 * Whether each figure is reported by one of the filings. A derived quarter counts as reported by the filing that
 * reports the longer period.
 */
const areFromFilings = (filings: readonly string[], figures: readonly Figure[]): boolean =>
  figures.every((figure) => listFilingsOfValue(figure).some((accession) => filings.includes(accession)));

/** Returns the accession numbers of the filings that report the value of the first term, exactly or rounded. */
function listFilingsOfValue({ terms: [first] }: Figure): string[] {
  if (first === undefined) return [];
  const { chain, reported } = first.source;
  const lastChange = chain.findLastIndex(({ kind }) => kind !== 'same');
  return chain
    .filter(({ value }, index) => index >= lastChange || isEqual(value, reported.value))
    .map(({ accession }) => accession);
}

/**
 * Returns the ratio; null if an operand is missing, the operands are not comparable or have different currencies (a
 * price in dollars, earnings in euros), or the denominator is not above zero.
 */
function evaluateRatio(key: string, operands: Formula & { kind: 'ratio' }, scope: FormulaScope): Figure | null {
  const numerator = evaluateFigure(scope, operands.numerator);
  const denominator = numerator === null ? null : evaluateFigure(scope, operands.denominator);
  if (numerator === null || denominator === null) return null;
  const currency = parseCurrency(numerator.unit);
  const otherCurrency = parseCurrency(denominator.unit);
  if (currency !== null && otherCurrency !== null && currency !== otherCurrency) return null;
  const pair = toComparablePair(numerator, denominator);
  if (pair === null) return null;
  const [above, below] = pair;
  const dividend = adjustOperandToPriceDay(above, below, scope);
  const divisor = adjustOperandToPriceDay(below, above, scope);
  if (dividend === null || divisor === null) return null;
  return makeRatio(key, dividend, divisor, pair, scope);
}

/**
 * Returns an operand's value. If the other operand is a market price, a value per share is adjusted for splits to the
 * price's day; null if the split ratio is unknown.
 */
function adjustOperandToPriceDay(figure: Figure, other: Figure, { market }: FormulaScope): Decimal | null {
  if (market === undefined || market.figures.get(other.metricKey) !== other) return figure.value;
  return adjustForSplits(figure, other.end, market.ratioBetween);
}

function evaluateGrowth(key: string, later: Figure | null, earlier: Figure | null, scope: FormulaScope): Figure | null {
  if (later === null || earlier === null) return null;
  const pair = toComparablePair(later, earlier);
  if (pair === null) return null;
  const [last, first] = pair;
  const base = adjustForSplits(first, findSplitAdjustmentDay(last), createRatioFinderByFilings(scope.splits));
  if (base === null) return null;
  return makeRatio(key, subtract(last.value, base), takeAbsoluteValue(base), pair, scope);
}

/**
 * Returns the yearly growth rate. Null if a year has no value, if two consecutive years are not comparable, or if the
 * first or last value is not above zero.
 */
function evaluateCompoundGrowth(
  key: string,
  { of: operand, years }: Formula & { kind: 'compound_growth' },
  scope: FormulaScope,
): Figure | null {
  const last = scope.findMetric(operand);
  let first = last;
  for (let yearsAgo = 1; yearsAgo <= years && first !== null; yearsAgo += 1) {
    const earlier = scope.findMetricBefore(operand, yearsAgo);
    first = earlier === null || isBasisBreak(first, earlier) ? null : earlier;
  }
  if (last === null || first === null) return null;
  const base = adjustForSplits(first, findSplitAdjustmentDay(last), createRatioFinderByFilings(scope.splits));
  if (base === null || compareDecimals(base, '0') <= 0 || compareDecimals(last.value, '0') <= 0) return null;
  const rate = computeCompoundGrowthRate(base, last.value, years);
  return toQuotientFigure(makeRatioSubject(key, scope), rate, last, first);
}

/** Returns the quotient; null if the divisor is not above zero, because a return on negative equity is meaningless. */
function makeRatio(
  key: string,
  dividend: Decimal,
  divisor: Decimal,
  operands: readonly [Figure, Figure],
  scope: FormulaScope,
): Figure | null {
  if (compareDecimals(divisor, '0') <= 0) return null;
  const value = divide(dividend, divisor);
  return value === null ? null : toQuotientFigure(makeRatioSubject(key, scope), value, ...operands);
}

function makeRatioSubject(key: string, { period }: FormulaScope): FigureSubject {
  const { start, end, periodKind, fiscalYear, fiscalPeriod } = period;
  return { metricKey: key, unit: 'pure', start, end, periodKind, fiscalYear, fiscalPeriod };
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

const getDerivedMetricByKey = onFirstUse(
  (): ReadonlyMap<string, DerivedMetric> =>
    new Map(
      [...METRICS, ...INTERNAL_FIGURE_DEFINITIONS].flatMap(
        ({ key, formula, whenNotReported }): [string, DerivedMetric][] => {
          const sum = formula ?? whenNotReported;
          if (sum === undefined) return [];
          const confidence = formula === undefined ? DERIVED_CONFIDENCE.notReported : DERIVED_CONFIDENCE.exact;
          return [[key, { key, formula: sum, confidence, operands: listOperands(sum) }]];
        },
      ),
    ),
);

/** Returns the sum by which a metric is derived from others; null for metrics that only filings report. */
export const findSumOfMetric = (key: string): SumFormula | null => getDerivedMetricByKey().get(key)?.formula ?? null;

/** Returns the metrics that have a formula, sorted so that a metric comes after all its inputs. */
const getDerivedMetrics = onFirstUse((): readonly DerivedMetric[] =>
  [...getDerivedMetricByKey().values()].sort((a, b) => computeDepth(a.key) - computeDepth(b.key)),
);

function computeDepth(key: string): number {
  const operands = getDerivedMetricByKey().get(key)?.operands;
  return operands === undefined ? 0 : 1 + Math.max(...operands.map(computeDepth));
}

/**
 * Returns all metrics that a metric may be derived from, directly or not; empty for metrics that only filings report.
 */
export const listOperandsOfMetric = (key: string): string[] =>
  (getDerivedMetricByKey().get(key)?.operands ?? []).flatMap((name) => [name, ...listOperandsOfMetric(name)]);

/** Returns the metrics that have a formula or are operands of one; only their figures are indexed by period. */
const getDerivedAndOperandKeys = onFirstUse(
  (): ReadonlySet<string> => new Set(getDerivedMetrics().flatMap(({ key, operands }) => [key, ...operands])),
);

/**
 * Derives unreported metrics from other metrics of the same unit and dates. A reported operand that filings show to be
 * wrong is not used; a derived figure may replace it.
 * @param keys keys of the metrics to derive, which must include all derived operands; null: all
 */
export function deriveMetrics(
  figures: readonly Figure[],
  contradicted: readonly Figure[],
  keys: ReadonlySet<string> | null = null,
): Figure[] {
  const derivableMetrics = getDerivedMetrics();
  const metrics = keys === null ? derivableMetrics : derivableMetrics.filter(({ key }) => keys.has(key));
  if (metrics.length === 0) return [];
  const totals = collectYearlyTotals(figures);
  const byUnit = new Map<string, PeriodMap<PeriodFigures>>();
  const periods: PeriodFigures[] = [];
  const getPeriod = (figure: Figure): PeriodFigures => {
    const { unit, start, periodKind } = figure;
    return getOrInsert(byUnit, unit, () => new PeriodMap<PeriodFigures>()).getOrInsert(figure, () => {
      const period = { unit, start, periodKind, figureByKey: new Map(), wrongFigures: [] };
      periods.push(period);
      return period;
    });
  };
  const indexedKeys = getDerivedAndOperandKeys();
  for (const figure of figures) {
    if (indexedKeys.has(figure.metricKey)) getPeriod(figure).figureByKey.set(figure.metricKey, figure);
  }
  for (const figure of contradicted) getPeriod(figure).wrongFigures.push(figure);
  const derivedFigures: Figure[] = [];
  for (const period of periods) {
    const { figureByKey } = period;
    for (const metric of metrics) {
      // The first test is the cheapest, and most periods lack the first operand of most formulas.
      if (!hasFirstOperand(metric.formula, figureByKey) || figureByKey.has(metric.key)) continue;
      const figure = deriveMetric(metric, period, totals);
      if (figure === null) continue;
      figureByKey.set(metric.key, figure);
      derivedFigures.push(figure);
    }
  }
  return derivedFigures;
}

function deriveMetric(metric: DerivedMetric, period: PeriodFigures, totals: YearlyTotals): Figure | null {
  const { key, formula, confidence, operands } = metric;
  const { figureByKey, wrongFigures } = period;
  const isUnusable = ({ metricKey: wrong }: Figure) =>
    operands.includes(wrong) && !hasDerived(wrong, formula, figureByKey);
  if (wrongFigures.some(isUnusable)) return null;
  const figure = evaluateSum(key, formula, (operand) => figureByKey.get(operand) ?? null, confidence);
  if (figure === null || arePartsIncomplete(key, period, totals)) return null;
  // Skips a contradicted value, because the filing's other amounts may add up to the same wrong value.
  return wrongFigures.some(({ metricKey, value }) => metricKey === key && isEqual(value, figure.value)) ? null : figure;
}

const hasFirstOperand = ({ plus: [first] }: SumFormula, figureByKey: ReadonlyMap<string, Figure>): boolean =>
  typeof first === 'object' ? first.some((key) => figureByKey.has(key)) : figureByKey.has(first ?? '');

/**
 * Whether the operand or one of its alternatives has a derived figure. A reported alternative does not count, because
 * such an alternative does not replace a contradicted operand.
 */
function hasDerived(operand: string, { plus, minus = [] }: SumFormula, byKey: ReadonlyMap<string, Figure>): boolean {
  const choice = [...plus, ...minus].find((alternatives) => alternatives === operand || alternatives.includes(operand));
  return [choice ?? operand].flat().some((key) => byKey.get(key)?.derived === true);
}

/** The figures of one unit and one pair of dates. */
interface PeriodFigures extends Pick<Figure, 'unit' | 'start' | 'periodKind'> {
  readonly figureByKey: Map<string, Figure>;
  /** Figures of this unit and these dates that filings show to be wrong. */
  readonly wrongFigures: Figure[];
}
