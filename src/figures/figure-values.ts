/** All figures of a company from its reported values: as they stand, or as they stood on a day. */
import type { Figure, FigureValue } from './metrics/figure.ts';
import { reportedFigure, toFigureValue } from './metrics/figure.ts';
import { deriveMetrics, figuresOfFormulas, isOnRequest, operandsOfMetric } from './metrics/formulas.ts';
import { isInternal } from './metrics/metric-rules.ts';
import { deriveQuarters } from './periods/quarters.ts';
import { chainsOf, type ReportedValue, standingValue } from './revisions/revision-chain.ts';
import { compareFigures, type PeriodChoice, selectPeriods } from './select.ts';
import { coversFirst, withCredibleCounts } from './shares/share-counts.ts';
import type { Split } from './shares/splits.ts';

export interface FigureQuery {
  /** Read as of the end of this day; absent or null: as they stand. */
  readonly asOf?: string | null;
  /** Only these figures. Figures that are no metrics, like ratios, come only when named. Absent or null: every metric. */
  readonly keys?: readonly string[] | null;
  /** Only these periods; all by default. */
  readonly period?: PeriodChoice;
  /** The company's splits, for figures that compare share counts over time. */
  readonly splits?: readonly Split[];
}

/**
 * Reported and derived figures, in the order of the statements, latest end first.
 * A pure function of the values filed by the day: no later filing can change its result.
 */
export function figureValues(values: readonly ReportedValue[], query: FigureQuery = {}): FigureValue[] {
  const { asOf = null, keys = null, period = 'all', splits = [] } = query;
  const figures = figuresOf(values, asOf);
  const wanted = keys === null ? null : new Set(keys);
  const metrics = figures.filter(
    ({ metricKey }) => !isInternal(metricKey) && (wanted === null || wanted.has(metricKey)),
  );
  const named = (keys ?? []).filter(isOnRequest);
  const derived = named.length === 0 ? [] : figuresOfFormulas(named, withCredibleCounts(figures, splits), splits);
  // Periods are selected before values are made: most figures are of periods that were not asked for.
  const selected = [...selectPeriods(metrics, period), ...selectPeriods(derived, period)];
  return selected.map(toFigureValue).sort(compareFigures);
}

/** The metrics whose reported values the figures of these keys follow from; null where all are needed. */
export function inputMetrics(keys: readonly string[]): string[] | null {
  return keys.some(isOnRequest) ? null : [...new Set(keys.flatMap((key) => [key, ...operandsOfMetric(key)]))];
}

/** The figures behind the values, internal ones too. */
export function figuresOf(values: readonly ReportedValue[], asOf: string | null): Figure[] {
  return figuresOfChains(chainsOf(values), asOf);
}

/** The same for values that are in chains already. */
export function figuresOfChains(chains: readonly (readonly ReportedValue[])[], asOf: string | null): Figure[] {
  const reported: Figure[] = [];
  for (const chain of chains) {
    const standing = standingValue(chain, asOf);
    if (standing !== null) reported.push(reportedFigure(standing));
  }
  const discrete = [...coversFirst(reported), ...deriveQuarters(reported)];
  return [...discrete, ...deriveMetrics(discrete)];
}
