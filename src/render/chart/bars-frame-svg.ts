/** The frame of an SVG bar plot: grid lines with their figures, and period names below the bars. */
import { type Decimal, isZero } from '../../contract/decimal-text.ts';
import { type MarkupContent, makeLineElement } from './markup.ts';
import type { TickLabel } from './scales.ts';
import { drawTextAt, estimateWidth } from './svg-text.ts';

/** Font size of the frame's labels and of figures. */
export const FONT_SIZE = 11;

/** Space below the bars for the names of periods, and for the figures of negative bars above these names. */
const [NAMES_HEIGHT, NEGATIVE_FIGURE_HEIGHT] = [24, 14];

export const computeSpaceBelow = (values: readonly Decimal[]): number =>
  NAMES_HEIGHT + (values.some((value) => value.startsWith('-')) ? NEGATIVE_FIGURE_HEIGHT : 0);

interface GridLayout {
  readonly left: number;
  readonly right: number;
  readonly computeY: (value: Decimal) => number;
}

/** Draws a grid line for each tick; the line at zero is the axis. */
export const drawGrid = (ticks: readonly TickLabel[], { left, right, computeY }: GridLayout): MarkupContent =>
  ticks.map(({ tick, label }) => [
    makeLineElement([left, right], [computeY(tick), computeY(tick)], isZero(tick) ? 'fin-axis' : 'fin-grid'),
    drawTextAt(label, left - 6, computeY(tick) + 4, { size: FONT_SIZE, look: 'fin-quiet', anchor: 'end' }),
  ]);

interface PeriodLabelLayout {
  /** Horizontal distance between consecutive periods. */
  readonly step: number;
  readonly y: number;
  readonly computeMiddle: (index: number) => number;
}

/** Draws as many period names as fit, at equal intervals that include the newest period. */
export function drawPeriods(periods: readonly string[], { step, y, computeMiddle }: PeriodLabelLayout): MarkupContent {
  const interval = Math.ceil((Math.max(...periods.map((period) => estimateWidth(period, FONT_SIZE))) + 6) / step);
  return periods.map((period, index) =>
    (periods.length - 1 - index) % interval === 0
      ? drawTextAt(period, computeMiddle(index), y, { size: FONT_SIZE, look: 'fin-quiet', anchor: 'middle' })
      : [],
  );
}
