/** Rules of metrics: the facts that a metric may be read from, and the operations that its values allow. */

import { INTERNAL_FIGURE_DEFINITIONS, listRemaindersAbove, METRICS } from '../../contract/figures.ts';
import { onFirstUse } from '../../contract/on-first-use.ts';
import type { Measure, StatementName } from '../../contract/statements/formula.ts';
import type { Metric } from '../../contract/statements/line.ts';
import type { PeriodKind } from '../periods/period-kind.ts';

const METRIC_BY_KEY: ReadonlyMap<string, Metric> = new Map(METRICS.map((metric) => [metric.key, metric]));
const getPositionByKey = onFirstUse(
  (): ReadonlyMap<string, number> =>
    new Map(
      METRICS.flatMap((metric) => [...listRemaindersAbove(metric.key), metric]).map(({ key }, index) => [key, index]),
    ),
);
const INTERNAL_KEYS: ReadonlySet<string> = new Set(INTERNAL_FIGURE_DEFINITIONS.map(({ key }) => key));
const STATEMENT_BY_KEY: ReadonlyMap<string, StatementName> = new Map(
  [...METRICS, ...INTERNAL_FIGURE_DEFINITIONS].map(({ key, statement }) => [key, statement]),
);

const UNIT_PATTERNS: Readonly<Record<Measure, RegExp>> = {
  money: /^[A-Z]{3}$/,
  // Matches only amounts per share, and not other units, such as a price per barrel.
  per_share: /^[A-Z]{3}\/shares?$/i,
  shares: /^shares$/i,
  fraction: /^pure$/,
  multiple: /^pure$/,
  count: /^pure$/,
};

export const findMetricByKey = (key: string): Metric | null => METRIC_BY_KEY.get(key) ?? null;

/** Returns a figure's position in the order of the statements; figures other than metrics and remainders come last. */
export function getFigurePosition(key: string): number {
  const positions = getPositionByKey();
  return positions.get(key) ?? positions.size;
}

export const isInternal = (key: string): boolean => INTERNAL_KEYS.has(key);

export function fitsUnit(key: string, unit: string): boolean {
  // Internal figures that are not metrics are amounts of money.
  return UNIT_PATTERNS[METRIC_BY_KEY.get(key)?.measure ?? 'money'].test(unit);
}

/**
 * Whether a metric may have a value for this kind of period: a flow has a duration; a balance or a number on the cover
 * page has one day.
 */
export const fitsPeriod = (key: string, kind: PeriodKind): boolean => isFlow(key) === (kind !== 'instant');

export function isFlow(key: string): boolean {
  const statement = STATEMENT_BY_KEY.get(key);
  return statement === 'income' || statement === 'cash_flow';
}

/** Whether values add up over time: flows of money do; share counts, values per share and ratios do not. */
export const isAdditive = (key: string): boolean =>
  isFlow(key) && (METRIC_BY_KEY.get(key)?.measure ?? 'money') === 'money';

/**
 * Returns `shares` if a split multiplies the metric's values, and `per_share` if a split divides them; null if a split
 * does not change the values.
 */
export function findSplitEffect(key: string): 'shares' | 'per_share' | null {
  const measure = METRIC_BY_KEY.get(key)?.measure;
  return measure === 'shares' || measure === 'per_share' ? measure : null;
}

/** Metrics that flow in one direction only: a negative amount has a wrong sign or is an amount of another kind. */
const ONE_DIRECTIONAL_KEYS: ReadonlySet<string> = new Set([
  'cost_of_revenue',
  'research_and_development',
  'selling_general_and_administrative',
  'selling_and_marketing',
  'general_and_administrative',
  'depreciation_and_amortization',
  'depreciation',
  'amortization',
  'interest_income',
  'interest_expense',
  'capital_expenditures',
  'capital_expenditures_for_own_use',
  'purchases_to_rent_out',
  'exploration_and_development',
  'debt_issued',
  'debt_repaid',
  'dividends_paid',
  'share_repurchases',
]);

export const isOneDirectional = (key: string): boolean => ONE_DIRECTIONAL_KEYS.has(key);
