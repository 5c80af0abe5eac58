/**
 * Finds lines that only a note of the report states, as a part of another line: with them, the lines of a total would
 * exceed it, and the statement would not add up.
 */
import { negate, sum } from '../../contract/decimal.ts';
import { compareDecimals } from '../../contract/decimal-text.ts';
import { METRICS } from '../../contract/figures.ts';
import type { MetricValue } from '../../contract/resources/metrics.ts';

/** @param series the values of each line */
export function findNoteLines(series: readonly (readonly [MetricValue, ...MetricValue[]])[]): ReadonlySet<string> {
  const valuesByKey = new Map(series.map((values) => [values[0].metric_key, values]));
  const noteKeys = new Set<string>();
  for (const [total, totalValues] of valuesByKey) {
    const parts = METRICS.filter((metric) => metric.total === total && valuesByKey.has(metric.key));
    const isExceeded = ({ end_date, value }: MetricValue) => {
      const amounts = parts.flatMap(({ key, sign }) => {
        const amount = valuesByKey.get(key)?.find((row) => row.end_date === end_date)?.value;
        return amount === undefined ? [] : [sign === '-' ? negate(amount) : amount];
      });
      return compareDecimals(sum(amounts), value) > 0;
    };
    if (parts.some(({ isOftenInNotes }) => isOftenInNotes) && totalValues.some(isExceeded))
      for (const { key, isOftenInNotes } of parts) if (isOftenInNotes) noteKeys.add(key);
  }
  return noteKeys;
}
