/** Draws a time series of daily figures as SVG. */
import { scaleUtc } from 'd3-scale';
import { line } from 'd3-shape';
import { compareDecimals } from '../../contract/decimal-text.ts';
import type { ChartPoint, LineChart } from '../../result/chart.ts';
import { abbreviate } from '../text/format-values.ts';

import { type Markup, makeElement } from './markup.ts';
import type { Plot } from './plot.ts';
import { labelTicks, makeDayScale, makeFigureScale } from './scales.ts';
import { drawTextAt, estimateTextWidth } from './svg-text.ts';

const PLOT_HEIGHT = 340;
const FONT_SIZE = 12;
const [SPACE_ABOVE, SPACE_BELOW, RIGHT_MARGIN] = [28, 28, 16];
const DOT_RADIUS = 2;

export function drawLineSvg({ runs, marks, measure }: LineChart, width: number): Plot | null {
  const allPoints = runs.flat();
  const [firstPoint, lastPoint] = [allPoints[0], allPoints.at(-1)];
  if (firstPoint === undefined || lastPoint === undefined) return null;
  const scale = makeFigureScale(
    allPoints.map(({ value }) => value),
    6,
  );
  const tickLabels = labelTicks(scale.ticks, measure);
  const leftEdge = Math.max(...tickLabels.map(({ label }) => estimateTextWidth(label, FONT_SIZE))) + 10;
  const [innerWidth, innerHeight] = [width - leftEdge - RIGHT_MARGIN, PLOT_HEIGHT - SPACE_ABOVE - SPACE_BELOW];
  const dayScale = makeDayScale(firstPoint.day, lastPoint.day);
  const computeX = (day: string): number => leftEdge + dayScale.placeOf(day) * innerWidth;
  const computeY = (value: string): number => SPACE_ABOVE + (1 - scale.placeOf(value)) * innerHeight;
  const shownMarks = marks.filter(({ day }) => day >= firstPoint.day && day <= lastPoint.day);
  const drawPath = line<ChartPoint>()
    .x(({ day }) => computeX(day))
    .y(({ value }) => computeY(value))
    .digits(2);
  const pathText = runs.flatMap((run) => (run.length > 1 ? (drawPath(run) ?? []) : [])).join('');
  return {
    height: PLOT_HEIGHT,
    description: describeLine(allPoints, runs.length, measure),
    content: [
      tickLabels.map(({ tick, label }) => [
        makeElement('line', {
          x1: leftEdge,
          x2: width - RIGHT_MARGIN,
          y1: computeY(tick),
          y2: computeY(tick),
          class: 'fin-grid',
        }),
        drawTextAt(label, leftEdge - 8, computeY(tick) + 4, { size: FONT_SIZE, look: 'fin-quiet', anchor: 'end' }),
      ]),
      computeDayTicks(firstPoint.day, lastPoint.day, innerWidth).map(({ day, label }) => [
        makeElement('line', {
          x1: computeX(day),
          x2: computeX(day),
          y1: SPACE_ABOVE + innerHeight,
          y2: SPACE_ABOVE + innerHeight + 5,
          class: 'fin-axis',
        }),
        drawTextAt(label, computeX(day), PLOT_HEIGHT - 6, {
          size: FONT_SIZE,
          look: 'fin-quiet',
          anchor: chooseAnchor(computeX(day), label, leftEdge, width),
        }),
      ]),
      shownMarks.map(({ day, label }) => [
        makeElement('line', {
          x1: computeX(day),
          x2: computeX(day),
          y1: SPACE_ABOVE - 8,
          y2: SPACE_ABOVE + innerHeight,
          class: 'fin-mark',
          'stroke-dasharray': '4 4',
        }),
        drawTextAt(label, computeX(day), SPACE_ABOVE - 13, {
          size: FONT_SIZE,
          look: 'fin-mark-text',
          anchor: chooseAnchor(computeX(day), label, leftEdge, width),
        }),
      ]),
      pathText === ''
        ? []
        : makeElement('path', { d: pathText, class: 'fin-line', 'stroke-width': 1.5, 'stroke-linejoin': 'round' }),
      runs.flatMap(([point, ...morePoints]): Markup[] =>
        point === undefined || morePoints.length > 0
          ? []
          : [
              makeElement('circle', {
                cx: computeX(point.day),
                cy: computeY(point.value),
                r: DOT_RADIUS,
                class: 'fin-gain',
              }),
            ],
      ),
    ],
    table: { head: ['Day', 'Value'], rows: allPoints.map(({ day, value }) => ({ name: day, values: [value] })) },
  };
}

/** Returns days at regular intervals, labelled by day, month or year depending on the interval. */
function computeDayTicks(
  firstDay: string,
  lastDay: string,
  width: number,
): { readonly day: string; readonly label: string }[] {
  if (firstDay === lastDay) return [{ day: firstDay, label: firstDay }];
  const tickDays = scaleUtc([new Date(firstDay), new Date(lastDay)], [0, width])
    .ticks(Math.max(2, Math.floor(width / 110)))
    .map((date) => date.toISOString())
    .filter((time) => time.endsWith('T00:00:00.000Z'))
    .map((time) => time.slice(0, 10));
  const labelLength = tickDays.every((day) => day.endsWith('-01-01'))
    ? 4
    : tickDays.every((day) => day.endsWith('-01'))
      ? 7
      : 10;
  return tickDays.map((day) => ({ day, label: day.slice(0, labelLength) }));
}

function chooseAnchor(x: number, label: string, leftEdge: number, width: number): 'start' | 'middle' | 'end' {
  const halfWidth = estimateTextWidth(label, FONT_SIZE) / 2;
  if (x - halfWidth < leftEdge - halfWidth) return 'start';
  return x + halfWidth > width ? 'end' : 'middle';
}

function describeLine(allPoints: readonly ChartPoint[], runCount: number, measure: LineChart['measure']): string {
  const sortedPoints = allPoints.toSorted((a, b) => compareDecimals(a.value, b.value));
  const [firstText, lastText, lowText, highText] = [
    allPoints[0],
    allPoints.at(-1),
    sortedPoints[0],
    sortedPoints.at(-1),
  ].map((point) => {
    if (point === undefined) throw new Error('a chart without points has no description');
    return `${abbreviate(point.value, measure)} on ${point.day}`;
  });
  if (allPoints.length === 1) return `One day: ${firstText}.`;
  const gapsText = runCount > 1 ? ' Days without a value are gaps.' : '';
  return `${allPoints.length} days, from ${firstText} to ${lastText}; lowest ${lowText}, highest ${highText}.${gapsText}`;
}
