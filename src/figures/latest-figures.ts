/** Derives the latest figure of each metric and unit, without the cost of deriving all earlier figures. */
import { compareText } from '../contract/compare-text.ts';
import { getOrInsert, pushTo } from '../platform/collections.ts';
import type { Figure } from './derived/figure.ts';
import { canDeriveUnknownMetric, deriveMetrics } from './derived/formulas.ts';
import { createQuarterDeriver, type QuarterStarts } from './derived/quarters.ts';
import { preferCoverCounts } from './derived/share-counts.ts';
import { collectYearlyTotals } from './derived/yearly-totals.ts';

/**
 * Returns the latest figure of every metric and unit, including internal metrics; some earlier figures may be included.
 * Processes the days on which periods end, latest first, and skips days that add no metric or unit.
 * @param quarterStarts starts of the company's reported quarters, of any metric
 */
export function collectLatestFigures(
  reportedFigures: readonly Figure[],
  contradictedFigures: readonly Figure[],
  quarterStarts: QuarterStarts,
): Figure[] {
  const figuresByEnd = new Map<string, Figure[]>();
  for (const figure of preferCoverCounts(reportedFigures)) pushTo(figuresByEnd, figure.end, figure);
  const deriveQuartersAt = createQuarterDeriver(reportedFigures, quarterStarts);
  const yearlyTotals = collectYearlyTotals(reportedFigures);
  const latestFigures: Figure[] = [];
  const seenSeriesKeys = new Set<string>();
  for (const [end, figures] of [...figuresByEnd].sort(([a], [b]) => compareText(b, a))) {
    if (!hasNewSeries(figures, seenSeriesKeys)) continue;
    const periodFigures = [...figures, ...deriveQuartersAt(end)];
    const figuresOfDay = [...periodFigures, ...deriveMetrics(periodFigures, contradictedFigures, null, yearlyTotals)];
    for (const figure of figuresOfDay) seenSeriesKeys.add(makeSeriesKey(figure));
    latestFigures.push(...figuresOfDay);
  }
  return latestFigures;
}

/** Whether a metric and unit that no later day has is among the day's figures or may be derived from them. */
function hasNewSeries(figures: readonly Figure[], seenSeriesKeys: ReadonlySet<string>): boolean {
  if (figures.some((figure) => !seenSeriesKeys.has(makeSeriesKey(figure)))) return true;
  const keysByUnit = new Map<string, Set<string>>();
  for (const { unit, metricKey } of figures) getOrInsert(keysByUnit, unit, () => new Set<string>()).add(metricKey);
  return [...keysByUnit].some(([unit, metricKeys]) =>
    canDeriveUnknownMetric(metricKeys, (metricKey) => seenSeriesKeys.has(makeSeriesKey({ metricKey, unit }))),
  );
}

function makeSeriesKey({ metricKey, unit }: Pick<Figure, 'metricKey' | 'unit'>): string {
  return `${metricKey} ${unit}`;
}
