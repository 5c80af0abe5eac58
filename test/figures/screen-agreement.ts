/** Compares a company's figures in `fin metrics` with its row in the screener. */
import { findDefinition, isMetric, isScreenOnly } from '../../src/contract/figures.ts';
import { SCREEN_FIGURES } from '../../src/contract/screen-columns.ts';
import { findCoverMetric } from '../../src/figures/derived/formulas.ts';
import { countDaysBetween } from '../../src/platform/dates.ts';

/** A row of `fin metrics`. */
export interface MetricRow {
  readonly key: string;
  readonly unit: string;
  readonly periodKind: string;
  readonly fiscalPeriod: string | null;
  readonly end: string;
  readonly value: string;
}

/** Keys of the screener's figures that `fin metrics` also has: all except prices and trailing-twelve-month figures. */
export const COMPARED_KEYS: readonly string[] = SCREEN_FIGURES.map(({ key }) => key).filter(
  (key) => !isScreenOnly(key),
);

const DATE_COLUMN_BY_COVER_METRIC: Readonly<Record<string, string>> = {
  common_shares_outstanding: 'shares_outstanding_end_date',
  public_float: 'public_float_end_date',
};
/** Maximum number of days between the date of a balance and the end date in the screener's row. */
const MAX_BALANCE_DATE_GAP_DAYS = 7;

/**
 * Returns a message for each key whose value in the screener differs from the value in `fin metrics`.
 * @param readScreenCell returns the cell of a column in the company's row
 */
export function listDisagreements(
  readScreenCell: (column: string) => string | null,
  rows: readonly MetricRow[],
): string[] {
  // Amounts of the screener are in dollars, whatever the company's reporting currency.
  const comparableRows = rows.filter(({ unit }) => /^USD(\/shares)?$/.test(unit) || !/^[A-Z]{3}/.test(unit));
  return SCREEN_FIGURES.flatMap(({ key, formula }) => {
    const priorYearKey = formula?.kind === 'year_before' ? formula.of : null;
    if (priorYearKey === null && isScreenOnly(key)) return [];
    const end = readScreenCell(findDateColumn(key, priorYearKey !== null));
    const rowsOfKey = comparableRows.filter((row) => row.key === (priorYearKey ?? key));
    const values = end === null ? [] : listValuesAtOrNear(end, rowsOfKey, key);
    const value = readScreenCell(key);
    const isEqual = value === null ? values.length === 0 : values.includes(value);
    return isEqual
      ? []
      : [`${key} at ${end}: ${value} in the screener, ${values.join(' or ') || 'nothing'} in metrics`];
  });
}

function findDateColumn(key: string, isPriorYear: boolean): string {
  if (isPriorYear) return 'prior_annual_end_date';
  const coverMetric = findCoverMetric(key);
  if (coverMetric === null) return 'annual_end_date';
  if (coverMetric !== key) return 'shares_change_end_date';
  const column = DATE_COLUMN_BY_COVER_METRIC[coverMetric];
  if (column === undefined) throw new Error(`no date column of ${coverMetric}`);
  return column;
}

function listValuesAtOrNear(end: string, rows: readonly MetricRow[], key: string): string[] {
  if (findCoverMetric(key) !== null) return rows.filter((row) => row.end === end).map(({ value }) => value);
  const figureDefinition = findDefinition(key);
  if (figureDefinition !== null && isMetric(figureDefinition) && figureDefinition.statement === 'balance') {
    const nearRows = rows.filter((row) => Math.abs(countDaysBetween(row.end, end)) <= MAX_BALANCE_DATE_GAP_DAYS);
    const nearestDayCount = Math.min(...nearRows.map((row) => Math.abs(countDaysBetween(row.end, end))));
    return nearRows
      .filter((row) => Math.abs(countDaysBetween(row.end, end)) === nearestDayCount)
      .map(({ value }) => value);
  }
  return rows
    .filter((row) => row.end === end && row.periodKind === 'annual' && row.fiscalPeriod === 'FY')
    .map(({ value }) => value);
}
