/**
 * Draws a time series of daily figures on a terminal: a line through each run of consecutive trading days, and a dot
 * for a single day.
 */

import type { ChartMark, LineChart } from '../../result/chart.ts';
import { measureDisplayWidth, padText } from '../text/text-width.ts';
import { makeCanvas } from './braille.ts';

import { type DayScale, labelTicks, makeDayScale, makeFigureScale } from './scales.ts';
import { type ChartLine, joinSpans, makeSpan, type TextSpan } from './spans.ts';

/** Maximum width in columns; a wider chart shows no more detail. */
const MAX_WIDTH = 160;
/** Width in columns of a date label with space on both sides. */
const DATE_LABEL_WIDTH = 16;
/** Minimum width in columns for the taller chart. */
const MIN_TALL_CHART_WIDTH = 120;
const chooseMaxSteps = (width: number): number => (width < MIN_TALL_CHART_WIDTH ? 4 : 6);
/** Returns a number of rows for which every tick falls exactly on a row. */
const chooseRowCount = (stepCount: number, width: number): number =>
  stepCount * Math.max(2, Math.round((width < MIN_TALL_CHART_WIDTH ? 8 : 12) / stepCount)) + 1;

/** Returns lines of at most `width` columns; empty if no figures exist or the space is insufficient. */
export function drawLineText({ runs, marks, measure }: LineChart, width: number): ChartLine[] {
  const allPoints = runs.flat();
  const [firstPoint, lastPoint] = [allPoints[0], allPoints.at(-1)];
  if (firstPoint === undefined || lastPoint === undefined) return [];
  const scale = makeFigureScale(
    allPoints.map(({ value }) => value),
    chooseMaxSteps(width),
  );
  const rowCount = chooseRowCount(scale.ticks.length - 1, width);
  const tickLabels = labelTicks(scale.ticks, measure);
  const labelWidth = Math.max(...tickLabels.map(({ label }) => measureDisplayWidth(label)));
  const columnCount = Math.min(width, MAX_WIDTH) - labelWidth - 2;
  if (columnCount < DATE_LABEL_WIDTH * 2) return [];
  const dayScale = makeDayScale(firstPoint.day, lastPoint.day);
  const canvas = makeCanvas(columnCount, rowCount);
  const findPosition = ({ day, value }: (typeof allPoints)[number]) => ({
    x: dayScale.placeOf(day),
    y: scale.placeOf(value),
  });
  for (const run of runs) {
    for (const [index, point] of run.entries()) {
      const previousPoint = run[index - 1];
      if (previousPoint !== undefined) canvas.line(findPosition(previousPoint), findPosition(point));
      else if (run.length === 1) canvas.spot(findPosition(point));
    }
  }
  const shownMarks = marks.filter(({ day }) => day >= firstPoint.day && day <= lastPoint.day);
  const markByColumn = new Map(
    shownMarks.map((mark) => [Math.round(dayScale.placeOf(mark.day) * (columnCount - 1)), mark]),
  );
  const labelByRow = new Map(
    tickLabels.map(({ tick, label }) => [Math.round((1 - scale.placeOf(tick)) * (rowCount - 1)), label]),
  );
  const indent = ' '.repeat(labelWidth + 2);
  return [
    ...(markByColumn.size === 0 ? [] : [joinSpans([makeSpan(indent), ...drawMarkLabels(markByColumn, columnCount)])]),
    ...canvas.rows.map((row, index) =>
      joinSpans([
        makeSpan(formatAxisLabel(labelByRow.get(index), labelWidth), 'quiet'),
        ...row.map((cell, column) =>
          cell !== null ? makeSpan(cell) : markByColumn.has(column) ? makeSpan('┊', 'warn') : makeSpan(' ', 'plain'),
        ),
      ]),
    ),
    ...drawDayAxis(dayScale, columnCount, labelWidth),
  ];
}

const formatAxisLabel = (label: string | undefined, width: number): string =>
  label === undefined ? `${' '.repeat(width)} │` : `${padText(label, width, 'right')} ┤`;

/** Draws the labels above the vertical lines of marks; omits a label that would overlap the label before it. */
function drawMarkLabels(marksByColumn: ReadonlyMap<number, ChartMark>, labelColumnCount: number): TextSpan[] {
  let text = '';
  for (const [column, { label }] of [...marksByColumn].sort(([a], [b]) => a - b)) {
    const width = measureDisplayWidth(label);
    const startColumn = Math.max(0, Math.min(labelColumnCount - width, column - Math.floor(width / 2)));
    const writtenWidth = measureDisplayWidth(text);
    if (startColumn >= writtenWidth + (writtenWidth === 0 ? 0 : 1))
      text += ' '.repeat(startColumn - writtenWidth) + label;
  }
  return [makeSpan(text, 'warn')];
}

/**
 * Draws the axis with as many dates as fit, but at most seven: the first, the last, and dates at equal distances
 * between them.
 */
function drawDayAxis(axisScale: DayScale, axisColumnCount: number, labelWidth: number): ChartLine[] {
  const dayIntervalCount =
    axisScale.firstDay === axisScale.lastDay
      ? 0
      : Math.max(1, Math.min(6, Math.floor(axisColumnCount / DATE_LABEL_WIDTH) - 1));
  const axisCharacters = new Array<string>(axisColumnCount).fill('─');
  let text = '';
  for (let index = 0; index <= dayIntervalCount; index++) {
    const dayFraction = dayIntervalCount === 0 ? 0.5 : index / dayIntervalCount;
    const column = Math.round(dayFraction * (axisColumnCount - 1));
    axisCharacters[column] = '┬';
    const day = axisScale.dayAt(dayFraction);
    const dateColumn = Math.max(0, Math.min(axisColumnCount - day.length, column - Math.floor(day.length / 2)));
    if (dateColumn >= text.length + (text === '' ? 0 : 1)) text = text.padEnd(dateColumn) + day;
  }
  return [
    [makeSpan(`${' '.repeat(labelWidth)} └${axisCharacters.join('')}`, 'quiet')],
    [makeSpan(`${' '.repeat(labelWidth + 2)}${text}`, 'quiet')],
  ];
}
