/** The keys that metrics, lineage and revisions know: the canonical metrics, and the screener's figures. */
import { METRICS } from '../../../contract/figures.ts';
import { didYouMean } from '../../../contract/nearest.ts';
import { quote } from '../../../contract/quote.ts';
import { SCREEN_FIGURES } from '../../../contract/screen-columns.ts';
import { ProblemError } from '../../problem-error.ts';

const LABELS: ReadonlyMap<string, string> = new Map(
  [...SCREEN_FIGURES, ...METRICS].map((entry): [string, string] => [entry.key, entry.label]),
);

/** In the order of a statement; ratios after the reported figures. */
const ORDER: ReadonlyMap<string, number> = new Map(
  [...new Set([...METRICS, ...SCREEN_FIGURES].map((entry) => entry.key))].map((key, index) => [key, index]),
);

export function metricLabel(key: string): string {
  return LABELS.get(key) ?? key;
}

/** Negative, zero or positive as a row of metric `a` comes before, with or after one of `b`. */
export function compareMetrics(a: string, b: string): number {
  return (ORDER.get(a) ?? ORDER.size) - (ORDER.get(b) ?? ORDER.size);
}

/** @throws {ProblemError} 404 where a path names no metric (choices.md, "Errors") */
export function requireMetric(key: string): void {
  if (LABELS.has(key)) return;
  const near = didYouMean(key, [...LABELS.keys()]);
  throw new ProblemError('not_found', `There is no metric ${quote(key)}.${near} The catalog lists them all.`);
}
