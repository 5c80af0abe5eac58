/** The keys that metrics, lineage and revisions know: the metrics, and the screener's figures. */
import { FIGURES, figureOf } from '../../../contract/figures.ts';
import { didYouMean } from '../../../contract/nearest.ts';
import { quote } from '../../../contract/quote.ts';
import { ProblemError } from '../../problem-error.ts';

/** The label of a figure; a release of another version may hold a metric that has none, which shows its key. */
export function metricLabel(key: string): string {
  return figureOf(key)?.label ?? key;
}

/** @throws {ProblemError} 404 where a path names no figure */
export function requireMetric(key: string): void {
  if (figureOf(key) !== null) return;
  const keys = FIGURES.map((figure) => figure.key);
  throw new ProblemError(
    'not_found',
    `There is no metric ${quote(key)}.${didYouMean(key, keys)} The catalog lists them all.`,
  );
}
