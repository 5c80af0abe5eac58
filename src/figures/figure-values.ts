/** All figures of a company from its statements: as they stand, or as they stood on a day. */

import type { Figure, FigureValue } from './metrics/figure.ts';
import { reportedFigure, toFigureValue } from './metrics/figure.ts';
import { deriveIdentities, inputsOf } from './metrics/identities.ts';
import { isInternal } from './metrics/metric-rules.ts';
import { deriveRatios, RATIO_KEYS } from './metrics/ratios.ts';
import { deriveQuarters } from './periods/quarters.ts';
import type { ReportedValue } from './revisions/revision-chain.ts';
import { chainsOf, standingValue } from './revisions/revision-chain.ts';
import { compareFigures, type PeriodChoice, selectPeriods } from './select.ts';
import { coversFirst } from './shares/share-counts.ts';
import type { Split } from './shares/splits.ts';

export interface FigureQuery {
  /** Read as it stood at the end of this day; absent or null: as it stands. */
  readonly asOf?: string | null;
  /** Only these metrics. Ratios come only when they are named here. Absent or null: every metric. */
  readonly keys?: readonly string[] | null;
  /** Only these periods; all by default. */
  readonly period?: PeriodChoice;
  /** The company's splits, for the one ratio that compares share counts over time. */
  readonly splits?: readonly Split[];
}

/**
 * Reported and derived figures, in the order of a statement, latest end first.
 * A pure function of the statements on file by the day: nothing filed later can move it.
 */
export function figureValues(statements: readonly ReportedValue[], question: FigureQuery = {}): FigureValue[] {
  const keys = question.keys ?? null;
  const wanted = keys === null ? null : new Set(keys);
  const period = question.period ?? 'all';
  const figures = figuresOf(statements, question.asOf ?? null);
  const asked = figures.filter(({ metricKey }) => !isInternal(metricKey) && (wanted === null || wanted.has(metricKey)));
  // Chosen first: most figures are of periods that nobody asked for.
  const values = selectPeriods(asked, period).map((figure) => toFigureValue(figure));
  const ratioKeys = (keys ?? []).filter((key) => RATIO_KEYS.has(key));
  const ratios = ratioKeys.length === 0 ? [] : deriveRatios(figures, ratioKeys, question.splits ?? []);
  return [...values, ...selectPeriods(ratios, period)].sort(compareFigures);
}

/** The metrics whose statements the figures of these keys follow from; null where any may be needed, as for a ratio. */
export function metricsBehind(keys: readonly string[]): string[] | null {
  return keys.some((key) => RATIO_KEYS.has(key)) ? null : [...new Set(keys.flatMap((key) => [key, ...inputsOf(key)]))];
}

/** The figures behind the values, with what they were added up from; internal ones too. */
export function figuresOf(statements: readonly ReportedValue[], asOf: string | null): Figure[] {
  return figuresOfChains(chainsOf(statements), asOf);
}

/** The same, of statements that are in chains already. */
export function figuresOfChains(chains: readonly (readonly ReportedValue[])[], asOf: string | null): Figure[] {
  const reported: Figure[] = [];
  for (const chain of chains) {
    const reading = standingValue(chain, asOf);
    if (reading !== null) reported.push(reportedFigure(reading));
  }
  const discrete = [...coversFirst(reported), ...deriveQuarters(reported)];
  return [...discrete, ...deriveIdentities(discrete)];
}
