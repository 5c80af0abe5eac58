/** Evaluates the formulas of `contract/figures.ts`, for metrics, lineage, the screener, and past days. */

import { absolute, divide, subtract, yearlyRate } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, isEqual } from '../../contract/decimal-text.ts';
import type { Formula, SumFormula } from '../../contract/figures/formula.ts';
import { figureOf, INTERNALS, isMetric, isScreenOnly, METRICS, operandsOf } from '../../contract/figures.ts';
import { assertDefined } from '../../platform/assert-defined.ts';
import { getOrInsert } from '../../platform/collections.ts';
import { isFlow } from '../metrics/metric-rules.ts';
import { isYearApart } from '../periods/period-kind.ts';
import { PeriodMap } from '../periods/period-map.ts';
import { type RatioBetween, ratioByFilings, type Split } from '../shares/splits.ts';
import { isBasisBreak } from './basis-breaks.ts';
import type { Figure, FigureSubject } from './figure.ts';
import { combineMetrics, comparable, DERIVED_CONFIDENCE, quotientFigure, subjectOf } from './figure.ts';
import { currencyOf, type FiscalYear, latestEnd, type PeriodsOfKind, periodsOf } from './fiscal-years.ts';
import { comparableRemainders, type RemainderOf } from './remainder-series.ts';
import { basisDay, valueOnBasisOf } from './share-counts.ts';
import { isPartOnly, type YearlyTotals, yearlyTotals } from './yearly-totals.ts';

type FigureAt = (key: string) => Figure | null;

/** The source of a formula's operands. */
export interface FormulaScope {
  /** The period of the derived figure. */
  readonly period: Omit<FigureSubject, 'metricKey' | 'unit'>;
  readonly metric: FigureAt;
  /** Returns the metric of one or more years earlier. */
  readonly metricBefore: (key: string, years: number) => Figure | null;
  /** Used to compare share counts and values per share over time. */
  readonly splits: readonly Split[];
  /** By key. If absent, figures of twelve months have no value. */
  readonly twelveMonths?: ReadonlyMap<string, Figure>;
  /** Prices by key, and the splits that prices reflect. If absent, prices have no value. */
  readonly market?: { readonly figures: ReadonlyMap<string, Figure>; readonly ratioBetween: RatioBetween };
}

export function scopeOfYear(year: FiscalYear, splits: readonly Split[]): FormulaScope {
  const { start, end, periodKind, fiscalYear, fiscalPeriod } = year;
  return {
    period: { start, end, periodKind, fiscalYear, fiscalPeriod },
    metric: (key) => year.at(key),
    metricBefore: (key, years) => yearsBefore(year, years)?.at(key) ?? null,
    splits,
  };
}

function yearsBefore(year: FiscalYear | null, years: number): FiscalYear | null {
  return years === 0 || year === null ? year : yearsBefore(year.prior, years - 1);
}

/**
 * The scope of the figure of one cover.
 * @param all the figures of the same metric
 */
export function scopeOfCover(figure: Figure, all: readonly Figure[], splits: readonly Split[]): FormulaScope {
  const before = (years: number) => latestEnd(all.filter((other) => isYearApart(other.end, figure.end, years)));
  const { metricKey } = figure;
  return {
    period: figure,
    metric: (key) => (key === metricKey ? figure : null),
    metricBefore: (key, years) => (key === metricKey ? before(years) : null),
    splits,
  };
}

/** The figure in the scope: a metric, or a figure computed from metrics; null if an operand has no value. */
export function figureIn(scope: FormulaScope, key: string): Figure | null {
  const figure = figureOf(key);
  if (figure === null) throw new RangeError(`unknown figure ${key}`);
  // `deriveMetrics` has already derived metrics that are computed from others.
  return isMetric(figure) ? scope.metric(key) : evaluate(key, figure.formula, scope);
}

/**
 * The metric of report covers that dates a figure: covers count shares weeks after the fiscal period. Null for
 * figures of fiscal periods.
 */
export function coverMetricOf(key: string): string | null {
  const figure = figureOf(key);
  if (figure === null) return null;
  if (isMetric(figure)) return figure.statement === 'cover' ? key : null;
  return figure.formula.kind === 'growth' ? coverMetricOf(figure.formula.of) : null;
}

/** Kinds of period that figures are derived for. */
const KINDS = ['annual', 'quarter', 'ttm'] as const;

/**
 * Figures other than metrics, for every fiscal year, quarter, twelve months or cover with values of their operands.
 * Includes twelve months only if `figures` has flows over them.
 */
export function figuresOfFormulas(
  keys: readonly string[],
  figures: readonly Figure[],
  splits: readonly Split[],
): Figure[] {
  const periods = periodsOf(figures);
  return keys.flatMap((key) => [...figuresOfFormula(key, figures, periods, splits)]);
}

/** Yields figures one by one, so that testing whether there is any does not derive all. */
export function* figuresOfFormula(
  key: string,
  figures: readonly Figure[],
  periods: PeriodsOfKind,
  splits: readonly Split[],
): Generator<Figure> {
  const formula = figureOf(key)?.formula;
  if (formula?.kind === 'sum' && formula.remainder !== undefined) {
    const parts: RemainderOf[] = [];
    const years: RemainderOf[] = [];
    const days = new Set<string>();
    // Yields remainders of years and balances immediately: whether there is any is known without computing quarters.
    for (const remainder of remaindersOf(key, formula, scopesOf(key, figures, periods, splits))) {
      const { figure } = remainder;
      if (figure.periodKind === 'quarter' || figure.periodKind === 'ttm') {
        parts.push(remainder);
        continue;
      }
      if (figure.periodKind === 'annual') years.push(remainder);
      // The balance at the end of a year is also that of its fourth quarter.
      else if (days.has(figure.end)) continue;
      else days.add(figure.end);
      yield figure;
    }
    yield* comparableRemainders(years, parts);
    return;
  }
  for (const scope of scopesOf(key, figures, periods, splits)) {
    const figure = figureIn(scope, key);
    if (figure !== null) yield figure;
  }
}

function* remaindersOf(key: string, formula: SumFormula, scopes: Iterable<FormulaScope>): Generator<RemainderOf> {
  const { plusIfReported = [], minusIfReported = [] } = formula;
  for (const scope of scopes) {
    const figure = figureIn(scope, key);
    if (figure === null) continue;
    const lines = [...plusIfReported, ...minusIfReported].filter((line) => scope.metric(line) !== null);
    yield { figure, lines: lines.join(' ') };
  }
}

function* scopesOf(
  key: string,
  figures: readonly Figure[],
  periods: PeriodsOfKind,
  splits: readonly Split[],
): Generator<FormulaScope> {
  const cover = coverMetricOf(key);
  if (cover === null) {
    for (const kind of KINDS) {
      if (hasMeaning(key, kind)) for (const period of periods(kind)) yield scopeOfYear(period, splits);
    }
  } else {
    const covers = figures.filter((figure) => figure.metricKey === cover);
    for (const figure of covers) yield scopeOfCover(figure, covers, splits);
  }
}

/**
 * A quarter's flow over a balance is only a fourth of the annual ratio, so such ratios use twelve months. Ratios of
 * two balances are computed at the ends of quarters.
 */
function hasMeaning(key: string, kind: (typeof KINDS)[number]): boolean {
  const metrics = metricsBehind(key);
  const flows = metrics.filter(isFlow).length;
  switch (kind) {
    case 'annual':
      return true;
    case 'quarter':
      return flows === 0 || flows === metrics.length;
    case 'ttm':
      return flows > 0;
  }
}

function metricsBehind(key: string): string[] {
  const figure = figureOf(key);
  return figure === null || isMetric(figure) ? [key] : operandsOf(figure.formula).flatMap(metricsBehind);
}

function evaluate(key: string, formula: Formula, scope: FormulaScope): Figure | null {
  const at: FigureAt = (operand) => figureIn(scope, operand);
  switch (formula.kind) {
    case 'sum':
      return evaluateSum(key, formula, at, DERIVED_CONFIDENCE.exact);
    case 'ratio':
      return evaluateRatio(key, at(formula.numerator), at(formula.denominator), scope);
    case 'growth':
      return evaluateGrowth(key, at(formula.of), scope.metricBefore(formula.of, formula.years), scope);
    case 'compound_growth':
      return evaluateCompoundGrowth(key, formula, scope);
    case 'year_before':
      return scope.metricBefore(formula.of, 1);
    case 'twelve_months':
      return scope.twelveMonths?.get(key) ?? null;
    case 'market':
      return scope.market?.figures.get(key) ?? null;
  }
}

/** The sum as a figure of its first operand's period. */
function evaluateSum(key: string, formula: SumFormula, at: FigureAt, atMost: Decimal): Figure | null {
  if (formula.unless !== undefined && at(formula.unless) !== null) return null;
  const plus = allOf(formula.plus, at);
  const minus = plus === null ? null : allOf(formula.minus ?? NO_OPERANDS, at);
  if (plus === null || minus === null) return null;
  const first = assertDefined(plus[0]);
  const morePlus = reportedOf(formula.plusIfReported ?? NO_OPERANDS, at);
  const moreMinus = reportedOf(formula.minusIfReported ?? NO_OPERANDS, at);
  const others = [...plus.slice(1), ...minus, ...morePlus, ...moreMinus];
  // Prices are in dollars, even if the company reports in another currency.
  if (others.some(({ unit }) => unit !== first.unit)) return null;
  if (formula.remainder !== undefined && others.length === 0) return null;
  if (formula.sameFilings === true && !areOfFilings(filingsOf(first), others)) return null;
  const sum = combineMetrics(
    { ...subjectOf(first), metricKey: key },
    { plus: [...plus, ...morePlus], minus: [...minus, ...moreMinus], atMost },
  );
  return sum !== null && isAsExpected(sum.value, formula, at) ? sum : null;
}

function isAsExpected(value: Decimal, { equals, remainder }: SumFormula, at: FigureAt): boolean {
  const sign = compareDecimals(value, '0');
  if (remainder !== undefined && (sign === 0 || (remainder === 'above_zero' && sign < 0))) return false;
  if (equals === undefined) return true;
  const other = at(equals);
  return other !== null && isEqual(other.value, value);
}

const NO_OPERANDS: readonly string[] = [];

/** The figure of each operand; of alternatives, the first with a value. Null if an operand has no value. */
function allOf(operands: readonly (string | readonly string[])[], at: FigureAt): Figure[] | null {
  const values: Figure[] = [];
  for (const operand of operands) {
    const figure = typeof operand === 'string' ? at(operand) : firstOf(operand, at);
    if (figure === null) return null;
    values.push(figure);
  }
  return values;
}

function reportedOf(operands: readonly string[], at: FigureAt): Figure[] {
  return operands.map(at).filter((figure) => figure !== null);
}

function firstOf(keys: readonly string[], at: FigureAt): Figure | null {
  for (const key of keys) {
    const figure = at(key);
    if (figure !== null) return figure;
  }
  return null;
}

/** Whether one of the filings reports each value; for derived quarters, the longer periods they are derived from. */
function areOfFilings(filings: readonly string[], figures: readonly Figure[]): boolean {
  return figures.every((figure) => filingsOf(figure).some((accession) => filings.includes(accession)));
}

/** The filings that report the value of the first term, also rounded. */
function filingsOf({ terms: [whole] }: Figure): string[] {
  if (whole === undefined) return [];
  const { chain, reported } = whole.source;
  const since = chain.findLastIndex(({ kind }) => kind !== 'same');
  return chain
    .filter(({ value }, index) => index >= since || isEqual(value, reported.value))
    .map(({ accession }) => accession);
}

/** Null also for amounts in two currencies: dollar prices and earnings in another currency make no ratio. */
function evaluateRatio(key: string, above: Figure | null, below: Figure | null, scope: FormulaScope): Figure | null {
  if (above === null || below === null) return null;
  const [one, other] = [currencyOf(above.unit), currencyOf(below.unit)];
  if (one !== null && other !== null && one !== other) return null;
  const pair = comparable(above, below);
  if (pair === null) return null;
  const [top, bottom] = pair;
  const [dividend, divisor] = [valueFor(top, bottom, scope), valueFor(bottom, top, scope)];
  return dividend === null || divisor === null ? null : quotientOf(key, dividend, divisor, top, bottom, scope);
}

/**
 * The value of an operand. If the other operand is a market price, a value per share is converted to shares of that
 * day; null if that is not possible.
 */
function valueFor(figure: Figure, beside: Figure, { market }: FormulaScope): Decimal | null {
  if (market === undefined || market.figures.get(beside.metricKey) !== beside) return figure.value;
  return valueOnBasisOf(figure, beside.end, market.ratioBetween);
}

function evaluateGrowth(key: string, later: Figure | null, earlier: Figure | null, scope: FormulaScope): Figure | null {
  if (later === null || earlier === null) return null;
  const pair = comparable(later, earlier);
  if (pair === null) return null;
  const [now, before] = pair;
  const base = valueOnBasisOf(before, basisDay(now), ratioByFilings(scope.splits));
  if (base === null) return null;
  return quotientOf(key, subtract(now.value, base), absolute(base), now, before, scope);
}

/**
 * Null unless every year between the ends has a value, the basis of the values changes nowhere between them, and both
 * ends are above zero.
 */
function evaluateCompoundGrowth(
  key: string,
  { of, years }: Formula & { readonly kind: 'compound_growth' },
  scope: FormulaScope,
): Figure | null {
  const last = scope.metric(of);
  let first = last;
  for (let ago = 1; ago <= years && first !== null; ago += 1) {
    const earlier = scope.metricBefore(of, ago);
    first = earlier === null || isBasisBreak(first, earlier) ? null : earlier;
  }
  if (last === null || first === null) return null;
  const base = valueOnBasisOf(first, basisDay(last), ratioByFilings(scope.splits));
  if (base === null || compareDecimals(base, '0') <= 0 || compareDecimals(last.value, '0') <= 0) return null;
  return quotientFigure(ratioSubject(key, scope), yearlyRate(base, last.value, years), last, first);
}

/** Null if the denominator is not above zero: a return on negative equity means nothing. */
function quotientOf(
  key: string,
  dividend: Decimal,
  divisor: Decimal,
  numerator: Figure,
  denominator: Figure,
  scope: FormulaScope,
): Figure | null {
  if (compareDecimals(divisor, '0') <= 0) return null;
  const value = divide(dividend, divisor);
  return value === null ? null : quotientFigure(ratioSubject(key, scope), value, numerator, denominator);
}

function ratioSubject(metricKey: string, { period }: FormulaScope): FigureSubject {
  const { start, end, periodKind, fiscalYear, fiscalPeriod } = period;
  return { metricKey, unit: 'pure', start, end, periodKind, fiscalYear, fiscalPeriod };
}

/** Whether a figure is derived only when a request names its key. */
export function isOnRequest(key: string): boolean {
  const figure = figureOf(key);
  return figure !== null && !isMetric(figure) && !isScreenOnly(key);
}

/** An amount derived from others of the same period. */
interface DerivedMetric {
  readonly key: string;
  readonly formula: SumFormula;
  readonly confidence: Decimal;
  readonly operands: readonly string[];
}

const DERIVABLE: ReadonlyMap<string, DerivedMetric> = new Map(
  [...METRICS, ...INTERNALS].flatMap(({ key, formula, whenNotReported }): [string, DerivedMetric][] => {
    const rule = formula ?? whenNotReported;
    if (rule === undefined) return [];
    const confidence = formula === undefined ? DERIVED_CONFIDENCE.notReported : DERIVED_CONFIDENCE.exact;
    return [[key, { key, formula: rule, confidence, operands: operandsOf(rule) }]];
  }),
);

/** In an order in which inputs come before the metrics derived from them. */
const DERIVED_METRICS: readonly DerivedMetric[] = [...DERIVABLE.values()].sort(
  (a, b) => depthOf(a.key) - depthOf(b.key),
);

function depthOf(key: string): number {
  const operands = DERIVABLE.get(key)?.operands;
  return operands === undefined ? 0 : 1 + Math.max(...operands.map(depthOf));
}

/** All metrics that a metric may be derived from; empty for metrics that only filings report. */
export function operandsOfMetric(key: string): string[] {
  return (DERIVABLE.get(key)?.operands ?? []).flatMap((operand) => [operand, ...operandsOfMetric(operand)]);
}

/** The metrics that are looked up by period; others need not be indexed. */
const OPERANDS: ReadonlySet<string> = new Set(DERIVED_METRICS.flatMap(({ key, operands }) => [key, ...operands]));

/**
 * Derives metrics from others of the same unit and dates if they are not reported. Does not derive from a
 * contradicted operand, nor from a substitute for it.
 * @param wanted only these metrics, which must include their own inputs; null: all
 * @param totals of the company's fiscal years
 */
export function deriveMetrics(
  figures: readonly Figure[],
  contradicted: readonly Figure[],
  wanted: ReadonlySet<string> | null = null,
  totals: YearlyTotals = yearlyTotals(figures),
): Figure[] {
  const rules = wanted === null ? DERIVED_METRICS : DERIVED_METRICS.filter(({ key }) => wanted.has(key));
  if (rules.length === 0) return [];
  const units = new Map<string, PeriodMap<OfPeriod>>();
  const periods: OfPeriod[] = [];
  const ofPeriod = (figure: Figure): OfPeriod => {
    const byDates = getOrInsert(units, figure.unit, () => new PeriodMap<OfPeriod>());
    let period = byDates.get(figure);
    if (period === undefined) {
      const { unit, start, periodKind } = figure;
      period = { unit, start, periodKind, figures: new Map(), wrong: [] };
      byDates.set(figure, period);
      periods.push(period);
    }
    return period;
  };
  for (const figure of figures) {
    if (OPERANDS.has(figure.metricKey)) ofPeriod(figure).figures.set(figure.metricKey, figure);
  }
  for (const figure of contradicted) ofPeriod(figure).wrong.push(figure.metricKey);
  const derived: Figure[] = [];
  for (const period of periods) {
    const { figures: known, wrong } = period;
    const at: FigureAt = (operand) => known.get(operand) ?? null;
    for (const { key, formula, confidence, operands } of rules) {
      if (known.has(key) || wrong.some((operand) => operands.includes(operand) && !isReplaced(operand, formula, known)))
        continue;
      const figure = evaluateSum(key, formula, at, confidence);
      if (figure === null || isPartOnly(key, period, totals)) continue;
      known.set(key, figure);
      derived.push(figure);
    }
  }
  return derived;
}

/**
 * Whether a contradicted operand, or its alternative, can be derived from other metrics. Another reported metric is
 * not a substitute.
 */
function isReplaced(operand: string, { plus, minus = [] }: SumFormula, known: ReadonlyMap<string, Figure>): boolean {
  const operands = [...plus, ...minus].find((one) => one === operand || one.includes(operand));
  return [operands ?? operand].flat().some((key) => known.get(key)?.derived === true);
}

/** The figures of one unit with the same dates. */
interface OfPeriod extends Pick<Figure, 'unit' | 'start' | 'periodKind'> {
  readonly figures: Map<string, Figure>;
  /** The contradicted metrics. */
  readonly wrong: string[];
}

/** Whether an unknown metric may be derived from metrics of one unit that end on one day. */
export function mayDerive(keys: Iterable<string>, isKnown: (key: string) => boolean): boolean {
  const possible = new Set(keys);
  return DERIVED_METRICS.some(({ key, formula: { plus, minus = [] } }) => {
    const has = (operand: string | readonly string[]) =>
      typeof operand === 'string' ? possible.has(operand) : operand.some((one) => possible.has(one));
    if (!plus.every(has) || !minus.every(has)) return false;
    possible.add(key);
    return !isKnown(key);
  });
}
