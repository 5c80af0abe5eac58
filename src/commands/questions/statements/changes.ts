/** Figures that fin adds to an answer: growth, and shares of revenue or of assets. */
import { absolute, divide, subtract } from '../../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../../contract/decimal-text.ts';
import type { MetricValue } from '../../../contract/resources/metrics.ts';
import { daysBetween } from '../../../platform/dates.ts';
import { measureOf } from '../../../result/labels.ts';
import { COMMON_SIZE_BASE, placeOf } from './layouts.ts';
import { seriesKey } from './periods.ts';

/** A figure computed from two others; `value` is a fraction to ten places, null if it has no meaning. */
export interface Compared {
  readonly value: Decimal | null;
  /** The figure compared with. */
  readonly base: MetricValue;
  /** Whether the two count shares on different bases, so that there is no value. */
  readonly acrossSplit: boolean;
  /** Whether one of the two, or of the periods between them, was restated alone, so that there is no value. */
  readonly acrossBases: boolean;
}

/** Null if a row has nothing to compare with. */
export type Compare = (row: MetricValue) => Compared | null;

export interface Comparisons {
  /**
   * The change from the year before divided by its absolute value, as the screener's growth; null if the answer lacks
   * that value.
   */
  readonly growth: Compare;
  /** The share of the period's revenue, or of the day's assets. */
  readonly share: Compare;
}

/** Number of days in a year: 52 or 53 weeks, or up to two weeks more or less than the year before. */
const YEAR = { least: 350, days: 365, most: 380 };

/**
 * @param rows all fetched rows, because the year before may not be shown
 * @param beforeSplit per-share figures and share counts on another basis than the others
 */
export function comparisonsOf(rows: readonly MetricValue[], beforeSplit: ReadonlySet<MetricValue>): Comparisons {
  const series = groupBy(rows, (row) => `${seriesKey(row)} ${row.period_kind}`);
  const sameTime = groupBy(rows, (row) => `${seriesKey(row)} ${row.period_kind} ${row.end_date}`);
  return {
    growth: (row) => {
      if (!isAmount(row)) return null;
      const others = series.get(`${seriesKey(row)} ${row.period_kind}`) ?? [];
      const base = yearBefore(row, others);
      if (base === null) return null;
      const acrossSplit = beforeSplit.has(row) !== beforeSplit.has(base);
      const acrossBases = isAcrossBases(row, base, others);
      const isWithheld = acrossSplit || acrossBases || row.split_ratio === null || base.split_ratio === null;
      const value = isWithheld ? null : divide(subtract(row.value, base.value), absolute(base.value));
      return { base, value, acrossSplit, acrossBases };
    },
    share: (row) => {
      const shareOf = COMMON_SIZE_BASE[placeOf({ key: row.metric_key, statement: row.statement ?? null }).statement];
      if (shareOf === undefined || measureOf(row.metric_key, row.unit) !== 'money') return null;
      const [base] = sameTime.get(`${shareOf} ${row.unit} ${row.period_kind} ${row.end_date}`) ?? [];
      if (base === undefined) return null;
      const value = compareDecimals(base.value, '0') > 0 ? divide(row.value, base.value) : null;
      return { base, value, acrossSplit: false, acrossBases: false };
    },
  };
}

/** Ratios have no growth: a change of a percentage in percent would be misread. */
const isAmount = ({ metric_key: key, unit }: MetricValue): boolean =>
  ['money', 'per_share', 'shares'].includes(measureOf(key, unit));

/** A line between a period and the one before it lies between the two. */
const isAcrossBases = (row: MetricValue, base: MetricValue, others: readonly MetricValue[]): boolean =>
  others.some(
    (other) => other.basis_break === true && other.end_date > base.end_date && other.end_date <= row.end_date,
  );

function yearBefore(row: MetricValue, others: readonly MetricValue[]): MetricValue | null {
  const distance = (other: MetricValue): number => Math.abs(daysBetween(other.end_date, row.end_date) - YEAR.days);
  const candidates = others
    .filter(({ end_date: end }) => {
      const days = end < row.end_date ? daysBetween(end, row.end_date) : 0;
      return days >= YEAR.least && days <= YEAR.most;
    })
    .sort((a, b) => distance(a) - distance(b));
  return candidates[0] ?? null;
}

function groupBy(rows: readonly MetricValue[], keyOf: (row: MetricValue) => string): Map<string, MetricValue[]> {
  const groups = new Map<string, MetricValue[]>();
  for (const row of rows) {
    const group = groups.get(keyOf(row));
    if (group === undefined) groups.set(keyOf(row), [row]);
    else group.push(row);
  }
  return groups;
}
