/** All figures of a company from its statements: as they stand, or as they stood on a day. */
import { chainsOf, readChain } from './chain-reading.ts';
import { deriveIdentities } from './identities.ts';
import { isInternal, metricOrder } from './metric-rules.ts';
import { deriveQuarters } from './quarters.ts';
import { deriveRatios, RATIO_KEYS } from './ratios.ts';
import { coversFirst } from './share-counts.ts';
import type { Figure } from './terms.ts';
import { reportedFigure, toFigureValue } from './terms.ts';
import type { FigureValue, Split, Statement } from './types.ts';

export interface FigureQuestion {
  /** Read as it stood at the end of this day; absent or null: as it stands. */
  readonly asOf?: string | null;
  /** Only these metrics. Ratios come only when they are named here. Absent or null: every metric. */
  readonly keys?: readonly string[] | null;
  /** The company's splits, for the one ratio that compares share counts over time. */
  readonly splits?: readonly Split[];
}

/**
 * Reported and derived figures, in the order of a statement, latest end first.
 * A pure function of the statements on file by the day: nothing filed later can move it.
 */
export function figureValues(statements: readonly Statement[], question: FigureQuestion = {}): FigureValue[] {
  const keys = question.keys ?? null;
  const wanted = keys === null ? null : new Set(keys);
  const figures = figuresOf(statements, question.asOf ?? null);
  const values = figures
    .filter((figure) => !isInternal(figure.metricKey) && (wanted === null || wanted.has(figure.metricKey)))
    .map((figure) => toFigureValue(figure));
  const ratios = (keys ?? []).filter((key) => RATIO_KEYS.has(key));
  return [...values, ...(ratios.length === 0 ? [] : deriveRatios(figures, ratios, question.splits ?? []))].sort(
    inStatementOrder,
  );
}

/** The figures behind the values, with what they were added up from; internal ones too. */
export function figuresOf(statements: readonly Statement[], asOf: string | null): Figure[] {
  return figuresOfChains(chainsOf(statements), asOf);
}

/** The same, of statements that are in chains already. */
export function figuresOfChains(chains: readonly (readonly Statement[])[], asOf: string | null): Figure[] {
  const reported: Figure[] = [];
  for (const chain of chains) {
    const reading = readChain(chain, asOf);
    if (reading !== null) reported.push(reportedFigure(reading));
  }
  const discrete = [...coversFirst(reported), ...deriveQuarters(reported)];
  return [...discrete, ...deriveIdentities(discrete)];
}

/** By metric, then latest end, then the longer period, then unit: a fixed order, whatever order statements came in. */
export function inStatementOrder(a: FigureValue, b: FigureValue): number {
  return (
    metricOrder(a.metricKey) - metricOrder(b.metricKey) ||
    compareText(a.metricKey, b.metricKey) ||
    compareText(b.end, a.end) ||
    compareText(a.start ?? '', b.start ?? '') ||
    compareText(a.unit, b.unit)
  );
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
