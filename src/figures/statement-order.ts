/** The order in which figures are answered. */
import { compareText } from '../contract/compare-text.ts';
import { metricOrder } from './metrics/metric-rules.ts';
import type { FigureKey } from './types.ts';

/** By metric, then latest end, then the longer period, then unit: a fixed order, whatever order statements came in. */
export function compareFigures(a: FigureKey, b: FigureKey): number {
  return (
    metricOrder(a.metricKey) - metricOrder(b.metricKey) ||
    compareText(a.metricKey, b.metricKey) ||
    compareText(b.end, a.end) ||
    compareText(a.start ?? '', b.start ?? '') ||
    compareText(a.unit, b.unit)
  );
}
