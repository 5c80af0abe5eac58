/** Figures counted in shares, or per share, on the share basis of another day. */

import { divide, multiply } from '../../contract/decimal.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import type { Figure } from '../metrics/figure.ts';
import { movesWithSplits } from '../metrics/metric-rules.ts';
import { present } from '../present.ts';
import { type Split, splitRatio } from './splits.ts';

/** The day whose shares a figure is in: a cover's count is of its own day, all else is restated by its filing. */
export function basisDay(figure: Figure): string {
  const reported = figure.terms[0]?.source.reported;
  return reported === undefined || reported.taxonomy === 'dei' ? figure.end : reported.filed;
}

/** The figure's value in the shares of a later day; amounts of money stay as they are. */
export function valueOnBasisOf(figure: Figure, day: string, splits: readonly Split[]): Decimal {
  const moves = movesWithSplits(figure.metricKey);
  const ratio = moves === null ? null : splitRatio(splits, basisDay(figure), day);
  if (ratio === null) return figure.value;
  return moves === 'shares' ? multiply(figure.value, ratio) : present(divide(figure.value, ratio));
}
