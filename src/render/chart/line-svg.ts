/** Draws a time series of daily figures as SVG. */
import { scaleUtc } from 'd3-scale';
import { line } from 'd3-shape';
import { compareDecimals } from '../../contract/decimal-text.ts';
import type { ChartPoint, LineChart } from '../../result/blocks.ts';
import { abbreviate } from '../text/format-values.ts';
import { type Markup, makeElement, makeLineElement, type Plot } from './markup.ts';
import { labelTicks, makeDayScale, makeFigureScale } from './scales.ts';
import { drawTextAt, estimateWidth } from './svg-text.ts';

const PLOT_HEIGHT = 340;
const FONT_SIZE = 12;
const [SPACE_ABOVE, SPACE_BELOW, RIGHT_MARGIN] = [28, 28, 16];
const RADIUS = 2;
const DASHED = { 'stroke-dasharray': '4 4' };

export function drawLineSvg({ runs, marks, measure }: LineChart, width: number): Plot | null {
  const allPoints = runs.flat();
  const [first, last] = [allPoints[0], allPoints.at(-1)];
  if (first === undefined || last === undefined) return null;
  const values = allPoints.map(({ value }) => value);
  const scale = makeFigureScale(values, 6);
  const ticks = labelTicks(scale.ticks, measure);
  const left = Math.max(...ticks.map(({ label }) => estimateWidth(label, FONT_SIZE))) + 10;
  const [innerWidth, height] = [width - left - RIGHT_MARGIN, PLOT_HEIGHT - SPACE_ABOVE - SPACE_BELOW];
  const days = makeDayScale(first.day, last.day);
  const computeX = (day: string): number => left + days.placeOf(day) * innerWidth;
  const computeY = (value: string): number => SPACE_ABOVE + (1 - scale.placeOf(value)) * height;
  const shownMarks = marks.filter(({ day }) => day >= first.day && day <= last.day);
  const drawDayLabel = (day: string, label: string, y: number, look: 'fin-quiet' | 'fin-mark-text'): Markup => {
    const anchor = chooseAnchor(computeX(day), label, left, width);
    return drawTextAt(label, computeX(day), y, { size: FONT_SIZE, look, anchor });
  };
  const drawPath = line<ChartPoint>()
    .x(({ day }) => computeX(day))
    .y(({ value }) => computeY(value))
    .digits(2);
  const dots = runs.filter((run) => run.length === 1).flat();
  const path = runs.flatMap((run) => (run.length > 1 ? (drawPath(run) ?? []) : [])).join('');
  return {
    height: PLOT_HEIGHT,
    description: describeLine(allPoints, runs.length, measure),
    content: [
      ticks.map(({ tick, label }) => [
        makeLineElement([left, width - RIGHT_MARGIN], [computeY(tick), computeY(tick)], 'fin-grid'),
        drawTextAt(label, left - 8, computeY(tick) + 4, { size: FONT_SIZE, look: 'fin-quiet', anchor: 'end' }),
      ]),
      computeDayTicks(first.day, last.day, innerWidth).map(({ day, label }) => [
        makeLineElement([computeX(day), computeX(day)], [SPACE_ABOVE + height, SPACE_ABOVE + height + 5], 'fin-axis'),
        drawDayLabel(day, label, PLOT_HEIGHT - 6, 'fin-quiet'),
      ]),
      shownMarks.map(({ day, label }) => [
        makeLineElement([computeX(day), computeX(day)], [SPACE_ABOVE - 8, SPACE_ABOVE + height], 'fin-mark', DASHED),
        drawDayLabel(day, label, SPACE_ABOVE - 13, 'fin-mark-text'),
      ]),
      path === ''
        ? []
        : makeElement('path', { d: path, class: 'fin-line', 'stroke-width': 1.5, 'stroke-linejoin': 'round' }),
      dots.map(({ day, value }) =>
        makeElement('circle', { cx: computeX(day), cy: computeY(value), r: RADIUS, class: 'fin-gain' }),
      ),
    ],
    table: { head: ['Day', 'Value'], rows: allPoints.map(({ day, value }) => ({ name: day, values: [value] })) },
  };
}

/** Returns days at regular intervals, labelled by day, month or year depending on the interval. */
function computeDayTicks(first: string, last: string, width: number): { day: string; label: string }[] {
  if (first === last) return [{ day: first, label: first }];
  const ticks = scaleUtc([new Date(first), new Date(last)], [0, width])
    .ticks(Math.max(2, Math.floor(width / 110)))
    .map((date) => date.toISOString())
    .filter((time) => time.endsWith('T00:00:00.000Z'))
    .map((time) => time.slice(0, 10));
  const length = ticks.every((day) => day.endsWith('-01-01')) ? 4 : ticks.every((day) => day.endsWith('-01')) ? 7 : 10;
  return ticks.map((day) => ({ day, label: day.slice(0, length) }));
}

function chooseAnchor(x: number, label: string, left: number, width: number): 'start' | 'middle' | 'end' {
  const half = estimateWidth(label, FONT_SIZE) / 2;
  if (x - half < left - half) return 'start';
  return x + half > width ? 'end' : 'middle';
}

function describeLine(points: readonly ChartPoint[], runs: number, measure: LineChart['measure']): string {
  const sorted = points.toSorted((a, b) => compareDecimals(a.value, b.value));
  const [first, last, lowText, high] = [points[0], points.at(-1), sorted[0], sorted.at(-1)].map((point) => {
    if (point === undefined) throw new Error('a chart without points has no description');
    return `${abbreviate(point.value, measure)} on ${point.day}`;
  });
  if (points.length === 1) return `One day: ${first}.`;
  const gaps = runs > 1 ? ' Days without a value are gaps.' : '';
  return `${points.length} days, from ${first} to ${last}; lowest ${lowText}, highest ${high}.${gaps}`;
}
