/** Draws a figure over days as SVG. */
import { scaleUtc } from 'd3-scale';
import { line } from 'd3-shape';
import { compareDecimals } from '../../contract/decimal-text.ts';
import type { ChartPoint, LineChart } from '../../result/chart.ts';
import { abbreviate } from '../format-values.ts';

import { element, type Markup } from './markup.ts';
import type { Plot } from './plot.ts';
import { dayScale, figureScale, labelTicks } from './scales.ts';
import { textAt, textWidth } from './svg-text.ts';

const HEIGHT = 340;
const SIZE = 12;
const [ABOVE, BELOW, RIGHT] = [28, 28, 16];
const DOT = 2;

export function lineSvg({ runs, marks, measure }: LineChart, width: number): Plot | null {
  const points = runs.flat();
  const [firstPoint, lastPoint] = [points[0], points.at(-1)];
  if (firstPoint === undefined || lastPoint === undefined) return null;
  const figures = figureScale(
    points.map(({ value }) => value),
    6,
  );
  const labels = labelTicks(figures.ticks, measure);
  const left = Math.max(...labels.map(({ label }) => textWidth(label, SIZE))) + 10;
  const [inner, high] = [width - left - RIGHT, HEIGHT - ABOVE - BELOW];
  const days = dayScale(firstPoint.day, lastPoint.day);
  const x = (day: string): number => left + days.place(day) * inner;
  const y = (value: string): number => ABOVE + (1 - figures.place(value)) * high;
  const shown = marks.filter(({ day }) => day >= firstPoint.day && day <= lastPoint.day);
  const draw = line<ChartPoint>()
    .x(({ day }) => x(day))
    .y(({ value }) => y(value))
    .digits(2);
  const path = runs.flatMap((run) => (run.length > 1 ? (draw(run) ?? []) : [])).join('');
  return {
    height: HEIGHT,
    description: describe(points, runs.length, measure),
    content: [
      labels.map(({ tick, label }) => [
        element('line', { x1: left, x2: width - RIGHT, y1: y(tick), y2: y(tick), class: 'fin-grid' }),
        textAt(label, left - 8, y(tick) + 4, { size: SIZE, look: 'fin-quiet', anchor: 'end' }),
      ]),
      dayTicks(firstPoint.day, lastPoint.day, inner).map(({ day, label }) => [
        element('line', { x1: x(day), x2: x(day), y1: ABOVE + high, y2: ABOVE + high + 5, class: 'fin-axis' }),
        textAt(label, x(day), HEIGHT - 6, {
          size: SIZE,
          look: 'fin-quiet',
          anchor: anchorAt(x(day), label, left, width),
        }),
      ]),
      shown.map(({ day, label }) => [
        element('line', {
          x1: x(day),
          x2: x(day),
          y1: ABOVE - 8,
          y2: ABOVE + high,
          class: 'fin-mark',
          'stroke-dasharray': '4 4',
        }),
        textAt(label, x(day), ABOVE - 13, {
          size: SIZE,
          look: 'fin-mark-text',
          anchor: anchorAt(x(day), label, left, width),
        }),
      ]),
      path === ''
        ? []
        : element('path', { d: path, class: 'fin-line', 'stroke-width': 1.5, 'stroke-linejoin': 'round' }),
      runs.flatMap(([point, ...morePoints]): Markup[] =>
        point === undefined || morePoints.length > 0
          ? []
          : [element('circle', { cx: x(point.day), cy: y(point.value), r: DOT, class: 'fin-gain' })],
      ),
    ],
    table: { head: ['Day', 'Value'], rows: points.map(({ day, value }) => ({ name: day, values: [value] })) },
  };
}

/** Returns days at regular intervals, with labels as precise as the intervals. */
function dayTicks(first: string, last: string, width: number): { readonly day: string; readonly label: string }[] {
  if (first === last) return [{ day: first, label: first }];
  const days = scaleUtc([new Date(first), new Date(last)], [0, width])
    .ticks(Math.max(2, Math.floor(width / 110)))
    .map((date) => date.toISOString())
    .filter((time) => time.endsWith('T00:00:00.000Z'))
    .map((time) => time.slice(0, 10));
  const digits = days.every((day) => day.endsWith('-01-01')) ? 4 : days.every((day) => day.endsWith('-01')) ? 7 : 10;
  return days.map((day) => ({ day, label: day.slice(0, digits) }));
}

function anchorAt(x: number, label: string, left: number, width: number): 'start' | 'middle' | 'end' {
  const half = textWidth(label, SIZE) / 2;
  if (x - half < left - half) return 'start';
  return x + half > width ? 'end' : 'middle';
}

function describe(points: readonly ChartPoint[], runs: number, measure: LineChart['measure']): string {
  const sortedPoints = points.toSorted((a, b) => compareDecimals(a.value, b.value));
  const [first, last, low, high] = [points[0], points.at(-1), sortedPoints[0], sortedPoints.at(-1)].map((point) => {
    if (point === undefined) throw new Error('a chart without points has no description');
    return `${abbreviate(point.value, measure)} on ${point.day}`;
  });
  if (points.length === 1) return `One day: ${first}.`;
  const gaps = runs > 1 ? ' Days without a value are gaps.' : '';
  return `${points.length} days, from ${first} to ${last}; lowest ${low}, highest ${high}.${gaps}`;
}
