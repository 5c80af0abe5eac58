/**
 * The user's own formulas as rows of metrics, one for each period: flows of the period, balances of its last day, all
 * in the reporting currency.
 */
import { compareText } from '../../contract/compare-text.ts';
import { compareDecimals } from '../../contract/decimal-text.ts';
import { parseCurrency } from '../../contract/identifiers.ts';
import type { MetricValue } from '../../contract/resources/metrics.ts';
import type { Measure } from '../../contract/statements/formula.ts';
import { MISSING_TEXT_PLACEHOLDER } from '../../contract/text/missing-text.ts';
import { getOrInsert, pushTo } from '../../platform/collections.ts';
import { findColumnLabel, findMeasure } from '../../result/labels.ts';
import { evaluateFormulas, findFormulaMeasure, listMissingFormulaValues } from '../formulas/evaluate.ts';
import type { Formulas } from '../formulas/formulas.ts';
import { createYearBeforeFinder } from './changes.ts';
import { findPresplit, findReportCurrency } from './kinds-of-rows.ts';
import { findShownValue } from './statement-blocks.ts';

type Row = MetricValue;

/** The formulas of one company. */
export type ComputedFormulas = ReturnType<typeof computeFormulas>;

export function computeFormulas(rows: readonly Row[], formulas: Formulas) {
  const periods = listPeriods(rows);
  const { evaluation, listOperands, currency } = evaluatePeriods(rows, periods, formulas);
  const computed = formulas.names.flatMap((name) => {
    const measure = findFormulaMeasure(formulas, name, (key) => findMeasure(key, findUnit(rows, key)));
    return periods.flatMap((period, index): Row[] => {
      const value = evaluation.columns.get(name)?.[index] ?? null;
      const operands = formulas.listFigures(name).flatMap((figure) => listOperands(figure, index));
      return value === null ? [] : [makeRow(name, value, makeUnit(measure, currency), period, operands)];
    });
  });
  return {
    /** One row for each formula and period in which the formula has a value, newest first. */
    rows: computed,
    /** Counts the shown periods without a value; `isShown` gets one of the flows of a period. */
    listMissing: (isShown: (period: Row, index: number) => boolean) => {
      const shown = periods.flatMap((period, index) => (isShown(period, index) ? [index] : []));
      return listMissingFormulaValues(formulas, evaluation, 'period', shown);
    },
  };
}

const findUnit = (rows: readonly Row[], key: string): string =>
  rows.find(({ metric_key: metricKey }) => metricKey === key)?.unit ?? 'pure';

function makeUnit(measure: Measure, currency: string | null): string {
  const money = currency ?? 'USD';
  if (measure === 'per_share') return `${money}/shares`;
  return { money, shares: 'shares', count: 'count', fraction: 'pure', multiple: 'pure' }[measure];
}

/** Returns a flow of each period, newest first. */
function listPeriods(rows: readonly Row[]): readonly Row[] {
  const byPeriod = new Map<string, Row>();
  for (const row of rows) if (row.start_date != null) getOrInsert(byPeriod, makePeriodKey(row), () => row);
  return [...byPeriod.values()].sort((a, b) => compareText(b.end_date, a.end_date));
}

const makePeriodKey = ({ period_kind: kind, end_date: end }: Row): string => `${kind} ${end}`;

function evaluatePeriods(rows: readonly Row[], periods: readonly Row[], formulas: Formulas) {
  const currency = findReportCurrency(rows);
  const ofCurrency = rows.filter(({ unit }) => [null, currency].includes(parseCurrency(unit)));
  const find = createOperandFinder(ofCurrency);
  const findYearBefore = createYearBeforeFinder(ofCurrency, findPresplit(rows));
  const operands = new Map<string, Row[]>();
  const column = (figure: string, yearsBack: number) =>
    periods.map((period, index) => {
      let row = find(figure, period);
      for (let year = 0; year < yearsBack && row !== null; year += 1) {
        const before = findYearBefore(row);
        row = before?.isComparable === true ? before.baseRow : null;
      }
      if (row !== null) pushTo(operands, `${figure} ${index}`, row);
      return row && findShownValue(row);
    });
  return {
    evaluation: evaluateFormulas(formulas, { size: periods.length, column }),
    /** Returns the rows of a figure from which the formulas of a period are computed. */
    listOperands: (figure: string, period: number): readonly Row[] => operands.get(`${figure} ${period}`) ?? [],
    currency,
  };
}

/**
 * Returns a function that finds a figure in a period: the flow of the period, or else the balance of its last day, or
 * else the balance or cover figure of the fiscal period. The fourth quarter has the year's balances and cover figures.
 */
function createOperandFinder(rows: readonly Row[]): (figure: string, period: Row) => Row | null {
  const byKey = new Map<string, Row>();
  for (const row of rows) {
    const { metric_key: key, start_date: start, end_date: end, fiscal_year: year, fiscal_period: part } = row;
    const places = start != null ? [makePeriodKey(row)] : [end, `${part} ${year}`];
    for (const place of places) getOrInsert(byKey, `${key} ${place}`, () => row);
  }
  return (figure, period) => {
    const { end_date: end, fiscal_year: year, fiscal_period: part } = period;
    const places = [makePeriodKey(period), end, `${part} ${year}`, ...(part === 'Q4' ? [`FY ${year}`] : [])];
    const [row = null] = places.flatMap((place) => byKey.get(`${figure} ${place}`) ?? []);
    return row;
  };
}

function makeRow(name: string, value: string, unit: string, period: Row, operands: readonly Row[]): Row {
  const confidences = operands.map(({ confidence }) => confidence).sort(compareDecimals);
  const unconfirmed = operands.find((row) => row.unconfirmed !== undefined)?.unconfirmed;
  const { cik, entity_name, ticker = null, exchange = null, period_kind, end_date } = period;
  const { fiscal_year = null, fiscal_period = null, start_date = null } = period;
  return {
    ...{ metric_value_id: MISSING_TEXT_PLACEHOLDER, cik, ticker, exchange, entity_name },
    ...{ metric_key: name, metric_label: findColumnLabel(name), statement: null, value, unit },
    ...{ period_kind, fiscal_year, fiscal_period, start_date, end_date },
    ...{ value_kind: 'derived' as const, confidence: confidences[0] ?? '1', read_from: null },
    ...(unconfirmed === undefined ? {} : { unconfirmed }),
  };
}
