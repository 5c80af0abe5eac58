/** Checks of each figure against what it was computed from: its inputs, its formula, and the days of its inputs. */

import { add, subtract, sum, takeAbsoluteValue } from '../../contract/decimal.ts';
import { type Decimal, isEqual } from '../../contract/decimal-text.ts';
import { INTERNAL_FIGURE_DEFINITIONS, METRICS } from '../../contract/figures.ts';
import type { SumFormula } from '../../contract/statements/formula.ts';
import { getOrInsert } from '../../platform/collections.ts';
import { countDaysBetween } from '../../platform/dates.ts';
import { type Figure, sumTerms } from '../derived/figure.ts';
import { PeriodMap } from '../periods/period-map.ts';
import { computeRelativeDifference } from '../relations/relations.ts';
import type { ReportedValue } from '../revisions/revision-chain.ts';
import { type CheckRecorder, describeFigure } from './case.ts';

/**
 * Compares every sum with the sum of its inputs, and every reported figure with the one value that it is read from:
 * both must be of one metric and period.
 */
export function checkInputs(figures: readonly Figure[], record: CheckRecorder): void {
  for (const figure of figures) {
    const { derived, terms, denominator, value } = figure;
    if (denominator.length > 0) continue;
    const source = terms[0]?.source.reported;
    if (!derived && (terms.length !== 1 || source === undefined || !isOfFigure(source, figure))) {
      record('1', () => describeFigure(figure));
      continue;
    }
    const total = derived || source === undefined ? sumTerms(terms) : source.value;
    const difference = total === value ? '0' : takeAbsoluteValue(subtract(value, total));
    record(computeRelativeDifference(difference, value), () => describeFigure(figure));
  }
}

const isOfFigure = (value: ReportedValue, { metricKey, unit, start, end }: Figure): boolean =>
  value.metricKey === metricKey && value.unit === unit && value.start === start && value.end === end;

const FORMULA_BY_METRIC: ReadonlyMap<string, SumFormula> = new Map(
  [...METRICS, ...INTERNAL_FIGURE_DEFINITIONS].flatMap(({ key, formula, whenNotReported }) => {
    const defined = formula ?? whenNotReported;
    return defined === undefined ? [] : [[key, defined] as const];
  }),
);
const OPERAND_KEYS: ReadonlySet<string> = new Set(
  [...FORMULA_BY_METRIC.values()].flatMap(({ plus, plusIfReported = [], minus = [], minusIfReported = [] }) =>
    [...plus, ...plusIfReported, ...minus, ...minusIfReported].flat(),
  ),
);

/** Compares every metric that is derived from others with its formula, computed again from the shown figures. */
export function checkFormulas(figures: readonly Figure[], record: CheckRecorder): void {
  const derived = figures.filter((figure) => FORMULA_BY_METRIC.has(figure.metricKey) && isDerivedFromMetrics(figure));
  if (derived.length === 0) return;
  const byUnit = new Map<string, PeriodMap<Map<string, Decimal>>>();
  const findAmounts = (figure: Figure) => {
    const byPeriod = getOrInsert(byUnit, figure.unit, () => new PeriodMap<Map<string, Decimal>>());
    return byPeriod.getOrInsert(figure, () => new Map());
  };
  for (const figure of figures)
    if (OPERAND_KEYS.has(figure.metricKey)) findAmounts(figure).set(figure.metricKey, figure.value);
  for (const figure of derived) {
    const formula = FORMULA_BY_METRIC.get(figure.metricKey) as SumFormula;
    const isResult = listResults(formula, findAmounts(figure)).some((result) => isEqual(result, figure.value));
    record(isResult ? '0' : '1', () => describeFigure(figure));
  }
}

/** Whether the figure is computed from other metrics, and not, like a derived quarter, from longer periods of its own. */
const isDerivedFromMetrics = ({ derived, terms, metricKey }: Figure): boolean =>
  derived && terms.some(({ source }) => source.reported.metricKey !== metricKey);

/** Returns the results of a sum: an optional operand may have been derived only after the sum, so both results count. */
function listResults(
  { plus, plusIfReported = [], minus = [], minusIfReported = [] }: SumFormula,
  amounts: ReadonlyMap<string, Decimal>,
): Decimal[] {
  const findFirst = (operand: string | readonly string[]) =>
    [operand]
      .flat()
      .map((key) => amounts.get(key))
      .find((amount) => amount !== undefined);
  const added = plus.map(findFirst);
  const subtracted = minus.map(findFirst);
  if ([...added, ...subtracted].includes(undefined)) return [];
  const isPresent = (amount: Decimal | undefined): amount is Decimal => amount !== undefined;
  const required = subtract(sum(added.filter(isPresent)), sum(subtracted.filter(isPresent)));
  const optional = [
    ...plusIfReported.map((key) => amounts.get(key)),
    ...minusIfReported.map((key) => {
      const amount = amounts.get(key);
      return amount === undefined ? undefined : subtract('0', amount);
    }),
  ].filter(isPresent);
  let results: Decimal[] = [required];
  for (const amount of optional) results = results.flatMap((result) => [result, add(result, amount)]);
  return results;
}

/** Tolerated difference in days: dates of one period differ by up to nine days between filings. */
const MAX_DAYS_OFF = 40;

/** Compares the days of every derived quarter with those of its inputs, such as 365 days less 273. */
export function checkQuarterDays(figures: readonly Figure[], record: CheckRecorder): void {
  for (const figure of figures) {
    const { derived, periodKind, metricKey, terms, start, end } = figure;
    if (!derived || periodKind !== 'quarter' || start === null || isDerivedFromMetrics(figure)) continue;
    const days = terms.reduce((total, { source: { reported }, negative }) => {
      const length = reported.start === null ? 0 : countDaysBetween(reported.start, reported.end) + 1;
      return negative ? total - length : total + length;
    }, 0);
    const [whole] = terms.filter(({ negative }) => !negative);
    const isAligned =
      Math.abs(days - countDaysBetween(start, end) - 1) <= MAX_DAYS_OFF &&
      whole !== undefined &&
      whole.source.reported.end === end &&
      terms.every(({ source }) => source.reported.metricKey === metricKey);
    record(isAligned ? '0' : '1', () => describeFigure(figure));
  }
}
