/** Draws a figure over days on a terminal: dots for figures, lines between consecutive days. */

import type { ChartMark, LineChart } from '../../result/chart.ts';
import { displayWidth, pad } from '../text-width.ts';
import { makeCanvas } from './braille.ts';

import { type DayScale, dayScale, figureScale, labelTicks } from './scales.ts';
import { type ChartLine, joined, type Span, span } from './spans.ts';

/** Maximum width; a wider chart shows nothing more. */
const WIDEST = 160;
/** Width of a day with space on both sides. */
const DAY_ROOM = 16;
/** Width from which a chart is also higher; round figures are at equal distances, each on a row. */
const HIGH_FROM = 120;
const stepsFor = (width: number): number => (width < HIGH_FROM ? 4 : 6);
const rowsFor = (steps: number, width: number): number =>
  steps * Math.max(2, Math.round((width < HIGH_FROM ? 8 : 12) / steps)) + 1;

/** Returns lines of at most `width` columns; empty if there are no figures, or not enough space. */
export function lineText({ runs, marks, measure }: LineChart, width: number): ChartLine[] {
  const points = runs.flat();
  const [firstPoint, lastPoint] = [points[0], points.at(-1)];
  if (firstPoint === undefined || lastPoint === undefined) return [];
  const figures = figureScale(
    points.map(({ value }) => value),
    stepsFor(width),
  );
  const rows = rowsFor(figures.ticks.length - 1, width);
  const labels = labelTicks(figures.ticks, measure);
  const labelWidth = Math.max(...labels.map(({ label }) => displayWidth(label)));
  const columns = Math.min(width, WIDEST) - labelWidth - 2;
  if (columns < DAY_ROOM * 2) return [];
  const days = dayScale(firstPoint.day, lastPoint.day);
  const canvas = makeCanvas(columns, rows);
  const at = ({ day, value }: (typeof points)[number]) => ({ x: days.place(day), y: figures.place(value) });
  for (const run of runs) {
    for (const [index, point] of run.entries()) {
      const previousPoint = run[index - 1];
      if (previousPoint !== undefined) canvas.line(at(previousPoint), at(point));
      else if (run.length === 1) canvas.spot(at(point));
    }
  }
  const shown = marks.filter(({ day }) => day >= firstPoint.day && day <= lastPoint.day);
  const marked = new Map(shown.map((mark) => [Math.round(days.place(mark.day) * (columns - 1)), mark]));
  const labelled = new Map(
    labels.map(({ tick, label }) => [Math.round((1 - figures.place(tick)) * (rows - 1)), label]),
  );
  const indent = ' '.repeat(labelWidth + 2);
  return [
    ...(marked.size === 0 ? [] : [joined([span(indent), ...markLabels(marked, columns)])]),
    ...canvas.rows.map((row, index) =>
      joined([
        span(axisLabel(labelled.get(index), labelWidth), 'quiet'),
        ...row.map((cell, column) =>
          cell !== null ? span(cell) : marked.has(column) ? span('┊', 'warn') : span(' ', 'plain'),
        ),
      ]),
    ),
    ...axis(days, columns, labelWidth),
  ];
}

const axisLabel = (label: string | undefined, width: number): string =>
  label === undefined ? `${' '.repeat(width)} │` : `${pad(label, width, 'right')} ┤`;

/** Labels above the lines of marks; a mark without space for a label still has its line. */
function markLabels(marked: ReadonlyMap<number, ChartMark>, columns: number): Span[] {
  let text = '';
  for (const [column, { label }] of [...marked].sort(([a], [b]) => a - b)) {
    const width = displayWidth(label);
    const start = Math.max(0, Math.min(columns - width, column - Math.floor(width / 2)));
    const taken = displayWidth(text);
    if (start >= taken + (taken === 0 ? 0 : 1)) text += ' '.repeat(start - taken) + label;
  }
  return [span(text, 'warn')];
}

/** The axis with as many days as fit: the first, the last, and some at equal distances. */
function axis(days: DayScale, columns: number, labelWidth: number): ChartLine[] {
  const spans = days.first === days.last ? 0 : Math.max(1, Math.min(6, Math.floor(columns / DAY_ROOM) - 1));
  const line = new Array<string>(columns).fill('─');
  let text = '';
  for (let index = 0; index <= spans; index++) {
    const place = spans === 0 ? 0.5 : index / spans;
    const column = Math.round(place * (columns - 1));
    line[column] = '┬';
    const day = days.at(place);
    const start = Math.max(0, Math.min(columns - day.length, column - Math.floor(day.length / 2)));
    if (start >= text.length + (text === '' ? 0 : 1)) text = text.padEnd(start) + day;
  }
  return [
    [span(`${' '.repeat(labelWidth)} └${line.join('')}`, 'quiet')],
    [span(`${' '.repeat(labelWidth + 2)}${text}`, 'quiet')],
  ];
}
