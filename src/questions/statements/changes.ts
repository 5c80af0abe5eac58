/**
 * Figures that fin computes and adds to an answer: growth over the year before, and fractions of revenue or assets.
 */

import { divide, subtract, takeAbsoluteValue } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import type { MetricValue } from '../../contract/resources/metrics.ts';
import { groupBy } from '../../platform/collections.ts';
import { countDaysBetween } from '../../platform/dates.ts';
import { findMeasure } from '../../result/labels.ts';
import { createOriginalFinder, findPresplit } from './kinds-of-rows.ts';
import { COMMON_SIZE_BASE_KEYS, findRowPlace } from './layouts.ts';
import { makeSeriesKey } from './periods.ts';

/** A figure computed from two figures. `value` is a fraction rounded to ten places; null if it would be meaningless. */
export interface ComparedValue {
  readonly value: Decimal | null;
  /**
   * The figure by which the row is divided: last year's figure, or the total (revenue or assets) that includes the row.
   */
  readonly baseRow: MetricValue;
  /** Whether one figure counts shares before a split and the other after it, so that the two cannot be compared. */
  readonly isAcrossSplit: boolean;
  /**
   * Whether a restatement makes the two figures incomparable: it changed only one of them, or only a period in between.
   */
  readonly isAcrossBases: boolean;
}

/** Compares a row with its base figure; null if the row cannot be compared, or if the answer lacks the base figure. */
export type RowComparer = (row: MetricValue) => ComparedValue | null;

/**
 * Number of days between the ends of consecutive fiscal years: 365, give or take 15 days, because some years have 52 or
 * 53 weeks.
 */
const YEAR_LENGTH_IN_DAYS = { least: 350, days: 365, most: 380 };

/**
 * Returns the comparer for growth: the change from the year before, divided by the absolute value of the year before;
 * null for ratios, and if the answer lacks that year.
 * @param rows all fetched rows, because the year before may not be shown
 */
export function makeGrowthComparer(rows: readonly MetricValue[]): RowComparer {
  const findYearBefore = createYearBeforeFinder(rows, findPresplit(rows));
  const findOriginal = createOriginalFinder(rows);
  const compare: RowComparer = (row) => {
    const comparison = isAmount(row) ? findYearBefore(row) : null;
    if (comparison === null) return null;
    const { baseRow, isComparable } = comparison;
    const value = isComparable ? divide(subtract(row.value, baseRow.value), takeAbsoluteValue(baseRow.value)) : null;
    return { ...comparison, value };
  };
  return (row) => {
    const compared = compare(row);
    const original = findOriginal(row);
    if (compared === null || original === null) return compared;
    // Growth of a translation is that of the reporting currency, because the exchange rates of two years differ.
    return { ...compared, value: compare(original)?.value ?? null };
  };
}

/** Returns the comparer that divides a flow by the period's revenue, and a balance by the total assets of its date. */
export function makeShareComparer(rows: readonly MetricValue[]): RowComparer {
  const byDate = groupBy(rows, (row) => `${makeSeriesKey(row)} ${row.period_kind} ${row.end_date}`);
  return (row) => {
    const baseKey = COMMON_SIZE_BASE_KEYS[findRowPlace(row).statement];
    if (baseKey === undefined || findMeasure(row.metric_key, row.unit) !== 'money') return null;
    const [baseRow] = byDate.get(`${baseKey} ${row.unit} ${row.period_kind} ${row.end_date}`) ?? [];
    if (baseRow === undefined) return null;
    const value = compareDecimals(baseRow.value, '0') > 0 ? divide(row.value, baseRow.value) : null;
    return { baseRow, value, isAcrossSplit: false, isAcrossBases: false };
  };
}

/**
 * Returns a function that finds the row of the same series a year before, and whether a split or a restatement makes
 * the two incomparable; null if the answer lacks that row.
 */
export function createYearBeforeFinder(rows: readonly MetricValue[], rowsBeforeSplit: ReadonlySet<MetricValue>) {
  const rowsBySeries = groupBy(rows, (row) => `${makeSeriesKey(row)} ${row.period_kind}`);
  return (row: MetricValue) => {
    const seriesRows = rowsBySeries.get(`${makeSeriesKey(row)} ${row.period_kind}`) ?? [];
    const baseRow = findRowOfYearBefore(row, seriesRows);
    if (baseRow === null) return null;
    const isAcrossSplit = rowsBeforeSplit.has(row) !== rowsBeforeSplit.has(baseRow);
    const isAcrossBases = hasBasisBreak(row, baseRow, seriesRows);
    const isKnown = row.split_ratio !== null && baseRow.split_ratio !== null;
    return { baseRow, isAcrossSplit, isAcrossBases, isComparable: isKnown && !isAcrossSplit && !isAcrossBases };
  };
}

/**
 * Whether growth is meaningful. Growth of a ratio is not shown, because readers confuse percent with percentage points.
 */
const isAmount = ({ metric_key: key, unit }: MetricValue) =>
  ['money', 'per_share', 'shares'].includes(findMeasure(key, unit));

/**
 * Whether a break lies between the two rows: a period after that of `baseRow`, up to that of `row`, is marked as not
 * comparable with the previous period.
 */
const hasBasisBreak = (row: MetricValue, baseRow: MetricValue, seriesRows: readonly MetricValue[]): boolean =>
  seriesRows.some(
    (otherRow) =>
      otherRow.basis_break === true && otherRow.end_date > baseRow.end_date && otherRow.end_date <= row.end_date,
  );

function findRowOfYearBefore(row: MetricValue, seriesRows: readonly MetricValue[]): MetricValue | null {
  const computeYearDeviation = (otherRow: MetricValue): number =>
    Math.abs(countDaysBetween(otherRow.end_date, row.end_date) - YEAR_LENGTH_IN_DAYS.days);
  const candidates = seriesRows
    .filter(({ end_date: end }) => {
      const days = end < row.end_date ? countDaysBetween(end, row.end_date) : 0;
      return days >= YEAR_LENGTH_IN_DAYS.least && days <= YEAR_LENGTH_IN_DAYS.most;
    })
    .sort((a, b) => computeYearDeviation(a) - computeYearDeviation(b));
  return candidates[0] ?? null;
}
