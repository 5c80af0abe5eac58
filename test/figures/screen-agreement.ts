/** Compares the figures in a company's metrics with those in its row of the screener. */
import { figureOf, isMetric, isScreenOnly } from '../../src/contract/figures.ts';
import { SCREEN_FIGURES } from '../../src/contract/screen-columns.ts';
import { findCoverMetric } from '../../src/figures/derived/formulas.ts';
import { daysBetween } from '../../src/platform/dates.ts';

/** A row of metrics. */
export interface MetricRow {
  readonly key: string;
  readonly unit: string;
  readonly periodKind: string;
  readonly fiscalPeriod: string | null;
  readonly end: string;
  readonly value: string;
}

/** Keys that both metrics and the screener have. Prices and trailing twelve months are only in the screener. */
export const AGREEING_KEYS: readonly string[] = SCREEN_FIGURES.map(({ key }) => key).filter(
  (key) => !isScreenOnly(key),
);

const COVER_DATES: Readonly<Record<string, string>> = {
  common_shares_outstanding: 'shares_outstanding_end_date',
  public_float: 'public_float_end_date',
};
const SAME_WEEK = 7;

/**
 * Returns the differences.
 * @param screen returns the cell of a column in the company's row
 */
export function disagreements(screen: (column: string) => string | null, rows: readonly MetricRow[]): string[] {
  // Amounts of the screener are in dollars, whatever the company's reporting currency.
  const comparable = rows.filter(({ unit }) => /^USD(\/shares)?$/.test(unit) || !/^[A-Z]{3}/.test(unit));
  return SCREEN_FIGURES.flatMap(({ key, formula }) => {
    const before = formula?.kind === 'year_before' ? formula.of : null;
    if (before === null && isScreenOnly(key)) return [];
    const end = screen(dateColumn(key, before !== null));
    const of = comparable.filter((row) => row.key === (before ?? key));
    const values = end === null ? [] : valuesAt(end, of, key);
    const value = screen(key);
    const agree = value === null ? values.length === 0 : values.includes(value);
    return agree ? [] : [`${key} at ${end}: ${value} in the screener, ${values.join(' or ') || 'nothing'} in metrics`];
  });
}

function dateColumn(key: string, before: boolean): string {
  if (before) return 'prior_annual_end_date';
  const cover = findCoverMetric(key);
  if (cover === null) return 'annual_end_date';
  const column = COVER_DATES[cover];
  if (column === undefined) throw new Error(`no date column of ${cover}`);
  return column;
}

function valuesAt(end: string, rows: readonly MetricRow[], key: string): string[] {
  if (findCoverMetric(key) !== null) return rows.filter((row) => row.end === end).map(({ value }) => value);
  const figure = figureOf(key);
  if (figure !== null && isMetric(figure) && figure.statement === 'balance') {
    const near = rows.filter((row) => Math.abs(daysBetween(row.end, end)) <= SAME_WEEK);
    const nearest = Math.min(...near.map((row) => Math.abs(daysBetween(row.end, end))));
    return near.filter((row) => Math.abs(daysBetween(row.end, end)) === nearest).map(({ value }) => value);
  }
  return rows
    .filter((row) => row.end === end && row.periodKind === 'annual' && row.fiscalPeriod === 'FY')
    .map(({ value }) => value);
}
