/**
 * The figures of the last day that has any, for each metric and unit. Earlier days are not derived: most quarters and
 * derived metrics are of years that were not requested.
 */
import { compareText } from '../contract/compare-text.ts';
import { getOrInsert, pushTo } from '../platform/collections.ts';
import type { Figure } from './derived/figure.ts';
import { deriveMetrics, mayDerive } from './derived/formulas.ts';
import { type QuarterStarts, quartersByEnd } from './derived/quarters.ts';
import { coversFirst } from './derived/share-counts.ts';
import { yearlyTotals } from './derived/yearly-totals.ts';

/**
 * Returns figures that include the latest of every metric and unit, internal ones too. Derived figures never depend
 * on figures that end later, so days are processed one by one, the latest first.
 * @param starts of the company's reported quarters, of any metric
 */
export function latestFigures(
  reportedFigures: readonly Figure[],
  contradicted: readonly Figure[],
  starts: QuarterStarts,
): Figure[] {
  const byEnd = new Map<string, Figure[]>();
  for (const figure of coversFirst(reportedFigures)) pushTo(byEnd, figure.end, figure);
  const quartersAt = quartersByEnd(reportedFigures, starts);
  const totals = yearlyTotals(reportedFigures);
  const foundFigures: Figure[] = [];
  const seen = new Set<string>();
  for (const [end, figures] of [...byEnd].sort(([a], [b]) => compareText(b, a))) {
    if (!hasUnknown(figures, seen)) continue;
    const discrete = [...figures, ...quartersAt(end)];
    const hereFigures = [...discrete, ...deriveMetrics(discrete, contradicted, null, totals)];
    for (const figure of hereFigures) seen.add(seriesKey(figure));
    foundFigures.push(...hereFigures);
  }
  return foundFigures;
}

/** Whether figures of a day include, or may lead to, a metric and unit that no later day has. */
function hasUnknown(figures: readonly Figure[], known: ReadonlySet<string>): boolean {
  if (figures.some((figure) => !known.has(seriesKey(figure)))) return true;
  const byUnit = new Map<string, Set<string>>();
  for (const { unit, metricKey } of figures) getOrInsert(byUnit, unit, () => new Set<string>()).add(metricKey);
  return [...byUnit].some(([unit, keys]) => mayDerive(keys, (metricKey) => known.has(seriesKey({ metricKey, unit }))));
}

function seriesKey({ metricKey, unit }: Pick<Figure, 'metricKey' | 'unit'>): string {
  return `${metricKey} ${unit}`;
}
