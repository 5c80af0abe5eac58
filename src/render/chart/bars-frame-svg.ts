/** The frame of a plot of bars as SVG: grid lines with their figures, and the names of periods below the bars. */
import { type Decimal, isZero } from '../../contract/decimal-text.ts';
import { type Content, element } from './markup.ts';
import type { TickLabel } from './scales.ts';
import { textAt, textWidth } from './svg-text.ts';

/** The font size of the frame and of figures. */
export const SIZE = 11;

interface GridPlace {
  readonly left: number;
  readonly right: number;
  readonly yOf: (value: Decimal) => number;
}

/** A line for each tick; that of zero is the axis. */
export const drawGrid = (labels: readonly TickLabel[], { left, right, yOf }: GridPlace): Content =>
  labels.map(({ tick, label }) => [
    element('line', {
      x1: left,
      x2: right,
      y1: yOf(tick),
      y2: yOf(tick),
      class: isZero(tick) ? 'fin-axis' : 'fin-grid',
    }),
    textAt(label, left - 6, yOf(tick) + 4, { size: SIZE, look: 'fin-quiet', anchor: 'end' }),
  ]);

interface PeriodPlace {
  /** Distance from one period to the next. */
  readonly step: number;
  readonly y: number;
  readonly middleOf: (index: number) => number;
}

/** As many names as have room, counted from the newest period, which always has one. */
export function drawPeriods(periods: readonly string[], { step, y, middleOf }: PeriodPlace): Content {
  const interval = Math.ceil((Math.max(...periods.map((period) => textWidth(period, SIZE))) + 6) / step);
  return periods.map((period, index) =>
    (periods.length - 1 - index) % interval === 0
      ? textAt(period, middleOf(index), y, { size: SIZE, look: 'fin-quiet', anchor: 'middle' })
      : [],
  );
}
