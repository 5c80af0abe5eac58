/**
 * Finds lines that only a note of the report states, as a part of another line: with them, the lines of a total and its
 * remainder would exceed it, and the statement would not add up.
 */
import { negate, sum } from '../../contract/decimal.ts';
import { compareDecimals } from '../../contract/decimal-text.ts';
import { METRICS, REMAINDERS } from '../../contract/figures.ts';
import type { MetricValue } from '../../contract/resources/metrics.ts';
import type { Metric } from '../../contract/statements/line.ts';

type Part = Pick<Metric, 'key' | 'sign' | 'isOftenInNotes' | 'mayBeIn'>;

/** @param series the values of each line */
export function findNoteLines(series: readonly (readonly [MetricValue, ...MetricValue[]])[]): ReadonlySet<string> {
  const valuesByKey = new Map(series.map((values) => [values[0].metric_key, values]));
  const noteKeys = new Set<string>();
  for (const [total, totalValues] of valuesByKey) {
    const parts: readonly Part[] = [
      ...METRICS.filter((metric) => metric.total === total),
      ...REMAINDERS.filter(({ formula }) => formula.plus[0] === total),
    ].filter(({ key }) => valuesByKey.has(key));
    const isExceeded = ({ end_date, value }: MetricValue) => {
      const amounts = parts.flatMap(({ key, sign }) => {
        const amount = noteKeys.has(key)
          ? undefined
          : valuesByKey.get(key)?.find((row) => row.end_date === end_date)?.value;
        return amount === undefined ? [] : [sign === '-' ? negate(amount) : amount];
      });
      return compareDecimals(sum(amounts), value) > 0;
    };
    // First those that another line may include; then, if the others still exceed the total, all.
    for (const isCandidate of [
      ({ mayBeIn }: Part) => mayBeIn !== undefined && valuesByKey.has(mayBeIn),
      ({ isOftenInNotes }: Part) => isOftenInNotes === true,
    ]) {
      const candidates = parts.filter(isCandidate);
      if (candidates.length > 0 && totalValues.some(isExceeded)) for (const { key } of candidates) noteKeys.add(key);
    }
  }
  return noteKeys;
}
