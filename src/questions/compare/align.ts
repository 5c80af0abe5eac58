/**
 * Aligns figures of several companies by the calendar period that their fiscal period mostly covers: a year to 25
 * January 2026 is shown in 2025, next to a year to 31 December 2025.
 */

import { compareText } from '../../contract/compare-text.ts';
import { parseCurrency } from '../../contract/identifiers.ts';
import type { MetricValue } from '../../contract/resources/metrics.ts';
import { addDays } from '../../platform/dates.ts';

export const PERIODS = ['annual', 'quarterly', 'ttm'] as const;
export type ComparedPeriodKind = (typeof PERIODS)[number];

export interface ComparedCompany {
  readonly ticker: string;
  readonly values: readonly MetricValue[];
}

export type Comparison = ReturnType<typeof compareCompanies>;

export interface ComparisonChoice {
  readonly period: ComparedPeriodKind;
  readonly keys: readonly string[];
  /** Number of periods to show. Null: the latest period for which most companies have values. */
  readonly periodCount: number | null;
}

/** Maximum number of days by which fiscal periods of whole weeks end after the end of a month. */
const MAX_PERIOD_OVERRUN_DAYS = 7;
/** A year that ends in this month or later has at least six of its months in the calendar year in which it ends. */
const FIRST_YEAR_END_MONTH = 6;

/**
 * Returns the calendar period that has most months of the fiscal period ending on the date. A year with six months in
 * each of two calendar years counts as the later one. Twelve months count as the calendar quarter of their last quarter.
 */
export function findCalendarPeriod(endDate: string, period: ComparedPeriodKind): string {
  const lastMonth = addDays(endDate, -MAX_PERIOD_OVERRUN_DAYS);
  const [year, month] = [Number(lastMonth.slice(0, 4)), Number(lastMonth.slice(5, 7))];
  if (period === 'annual') return String(month < FIRST_YEAR_END_MONTH ? year - 1 : year);
  // The middle month of the quarter decides.
  return month === 1 ? `${year - 1}-Q4` : `${year}-Q${Math.ceil((month - 1) / 3)}`;
}

/** Returns the values of companies by calendar period, such as `2025` or `2025-Q3`, newest period first. */
export function compareCompanies(companies: readonly ComparedCompany[], choice: ComparisonChoice) {
  const { period, keys, periodCount } = choice;
  const matching = companies.map(({ ticker, values }) => {
    return { ticker, values: values.filter((value) => matchesPeriod(value, period)) };
  });
  // Uses only the compared metrics: a formula for a ratio has no currency, although its operands have one.
  const compared = matching.flatMap(({ values }) => values.filter(({ metric_key: key }) => keys.includes(key)));
  const currency = findMainCurrency(compared);
  const valuesByTicker = new Map(matching.map((company) => [company.ticker, indexValues(company, period, currency)]));
  /** Returns the value of a company's metric in a period; null if missing. */
  const valueIn = ({ ticker }: ComparedCompany, key: string, period: string): MetricValue | null =>
    valuesByTicker.get(ticker)?.get(makeKey(key, period)) ?? null;
  const hasValue = (company: ComparedCompany, period: string): boolean =>
    keys.some((key) => valueIn(company, key, period) !== null);
  const days = new Set(matching.flatMap(({ values }) => values.map((value) => value.end_date)));
  const names = [...new Set([...days].map((day) => findCalendarPeriod(day, period)))].sort(compareText).reverse();
  const newest = names.slice(0, periodCount ?? CURRENT_PERIOD_CANDIDATE_COUNTS[period]);
  const periods = periodCount === null ? findMostSharedPeriod(matching, newest, hasValue) : newest;
  return { period, companies: matching, keys, periods, currency, valueIn };
}

/** Whether a value belongs to the compared kind of period; balances (instants) always do. */
export function matchesPeriod({ period_kind: kind }: MetricValue, period: ComparedPeriodKind): boolean {
  return kind === 'instant' || kind === (period === 'quarterly' ? 'quarter' : period);
}

/**
 * Number of newest periods from which the current period is chosen. Every company that files in time has values for at
 * least one of these periods.
 */
const CURRENT_PERIOD_CANDIDATE_COUNTS = { annual: 2, quarterly: 3, ttm: 3 } as const;

type HasAny = (company: ComparedCompany, period: string) => boolean;

/**
 * Returns a list of one period: the latest for which more than half of the companies have values; otherwise the period
 * for which the most companies have values (the latest of several). The list is empty without periods.
 */
function findMostSharedPeriod(companies: readonly ComparedCompany[], periodNames: readonly string[], hasAny: HasAny) {
  const periods = periodNames.map((name) => {
    return { name, count: companies.filter((company) => hasAny(company, name)).length };
  });
  const max = Math.max(0, ...periods.map(({ count }) => count));
  const isMajority = ({ count }: (typeof periods)[number]) => count * 2 > companies.length;
  const period = periods.find(isMajority) ?? periods.find(({ count }) => count === max);
  return period === undefined ? [] : [period.name];
}

const makeKey = (key: string, period: string): string => `${key} ${period}`;

/**
 * Returns values by metric and period. If a cell has several values, prefers the main currency, then the latest end
 * date.
 */
function indexValues({ values }: ComparedCompany, period: ComparedPeriodKind, currency: string | null) {
  const valueByCell = new Map<string, MetricValue>();
  const rank = ({ unit }: MetricValue): number => Number(parseCurrency(unit) === currency);
  for (const value of values) {
    const cellKey = makeKey(value.metric_key, findCalendarPeriod(value.end_date, period));
    const other = valueByCell.get(cellKey);
    const order = other === undefined ? 1 : rank(value) - rank(other) || compareText(value.end_date, other.end_date);
    if (order > 0) valueByCell.set(cellKey, value);
  }
  return valueByCell;
}

/** Returns the currency in which most companies have amounts; null if no value is an amount. */
function findMainCurrency(values: readonly MetricValue[]): string | null {
  const byCurrency = new Map<string, Set<string>>();
  for (const { unit, ticker } of values) {
    const currency = parseCurrency(unit);
    if (currency !== null) byCurrency.set(currency, (byCurrency.get(currency) ?? new Set()).add(ticker ?? ''));
  }
  // Counts companies, not values: otherwise a company with a long history would decide the currency for all.
  const [common] = [...byCurrency].sort(([, a], [, b]) => b.size - a.size);
  return common?.[0] ?? null;
}
