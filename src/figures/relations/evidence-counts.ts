/** Counts of a company's figures that show how well its filings, and the program that reads them, agree. */
import { compareText } from '../../contract/compare-text.ts';
import { groupBy, sortIfNeeded } from '../../platform/collections.ts';
import { countDaysBetween } from '../../platform/dates.ts';
import type { Figure } from '../derived/figure.ts';
import { isInternal } from '../metrics/metric-rules.ts';
import { isSameBoundary } from '../periods/align-periods.ts';
import { groupByMetricAndUnit, type ReportedValue } from '../revisions/revision-chain.ts';
import { findBrokenRelation } from './unconfirmed.ts';

export interface EvidenceCounts {
  /** Number of shown figures (without internal ones, like all counts), and of those that are marked as unconfirmed. */
  readonly shown: number;
  readonly unconfirmed: number;
  /** Number of figures for which a filing states an amount, and of those without a shown value. */
  readonly stated: number;
  readonly withheld: number;
  /** Number of values that a later filing reports again, and of those that differ without a split. */
  readonly repeated: number;
  readonly revised: number;
  /** Number of quarters with a fiscal period, and of those far from its place in the fiscal year. */
  readonly labelled: number;
  readonly misplaced: number;
  /** Number of flows, and of those whose dates differ from those of another of the same kind by days only. */
  readonly flows: number;
  readonly duplicates: number;
}

/**
 * @param figures the current figures
 * @param chains the company's revision chains
 * @param statedCount number of figures for which a filing states an amount
 */
export function countEvidence(
  figures: readonly Figure[],
  chains: readonly (readonly ReportedValue[])[],
  statedCount: number,
): EvidenceCounts {
  const publicFigures = figures.filter(({ metricKey }) => !isInternal(metricKey));
  let [readable, repeated, revised] = [0, 0, 0];
  for (const chain of chains) {
    if (isInternal(chain[0]?.metricKey ?? '')) continue;
    if (chain.some(({ contradictedOn }) => contradictedOn === null)) readable += 1;
    repeated += chain.length - 1;
    for (const { kind } of chain) if (kind === 'revised') revised += 1;
  }
  return {
    shown: publicFigures.length,
    unconfirmed: publicFigures.filter((figure) => findBrokenRelation(figure, null) !== null).length,
    stated: statedCount,
    withheld: statedCount - readable,
    repeated,
    revised,
    ...countQuarterLabels(publicFigures),
    ...countDuplicatePeriods(publicFigures),
  };
}

/**
 * Maximum number of days from a quarter's end to its usual place in the year: some quarters have 16 weeks instead of
 * 13.
 */
const MAX_DAYS_FROM_PLACE = 45;
const USUAL_QUARTER_DAYS = 91;

/**
 * Compares the fiscal period of every quarter with its place in its fiscal year: Q2 ends some 182 days after the start.
 */
function countQuarterLabels(figures: readonly Figure[]): Pick<EvidenceCounts, 'labelled' | 'misplaced'> {
  const starts = new Map<number, string>();
  for (const { periodKind, fiscalPeriod, fiscalYear, start } of figures)
    if (periodKind === 'annual' && fiscalPeriod === 'FY' && fiscalYear !== null && start !== null)
      starts.set(fiscalYear, start);
  let [labelled, misplaced] = [0, 0];
  for (const { periodKind, fiscalYear, fiscalPeriod, end } of figures) {
    if (periodKind !== 'quarter' || fiscalYear === null || fiscalPeriod === null) continue;
    const start = starts.get(fiscalYear);
    if (start === undefined) continue;
    const expected = Number(fiscalPeriod.slice(1)) * USUAL_QUARTER_DAYS;
    labelled += 1;
    if (Math.abs(countDaysBetween(start, end) + 1 - expected) > MAX_DAYS_FROM_PLACE) misplaced += 1;
  }
  return { labelled, misplaced };
}

/**
 * Counts flows whose dates differ from those of the previous flow of the same kind by so few days that both may be of
 * one period, which two filings date differently.
 */
function countDuplicatePeriods(figures: readonly Figure[]): Pick<EvidenceCounts, 'flows' | 'duplicates'> {
  // Omits instants, because the date of a share count on a cover may be any day.
  const flows = figures.filter(({ start }) => start !== null);
  let duplicates = 0;
  for (const series of groupByMetricAndUnit(flows))
    for (const ofKind of groupBy(series, ({ periodKind }) => periodKind).values()) {
      const sorted = sortIfNeeded([...ofKind], (a, b) => compareText(a.end, b.end));
      for (const [index, figure] of sorted.entries())
        if (index > 0 && hasSameDates(figure, sorted[index - 1])) duplicates += 1;
    }
  return { flows: flows.length, duplicates };
}

function hasSameDates({ start, end }: Figure, other: Figure | undefined): boolean {
  if (other === undefined || start === null || other.start === null) return false;
  return isSameBoundary(end, other.end) && isSameBoundary(start, other.start);
}
