/** The order in which a release stores a company's statements: by metric, unit, end, start, rank. */
import type { ReportedValue } from '../../figures/types.ts';

export function byFigureAndRank(a: ReportedValue, b: ReportedValue): number {
  return (
    compare(a.metricKey, b.metricKey) ||
    compare(a.unit, b.unit) ||
    compare(a.end, b.end) ||
    compare(a.start ?? '', b.start ?? '') ||
    a.rank - b.rank
  );
}

/** By code units, which no locale changes. */
export function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
