/**
 * Draws a time series of daily figures on a terminal: a line through each run of consecutive trading days, and a dot
 * for a single day.
 */

import type { ChartMark, LineChart } from '../../result/blocks.ts';
import { type ChartLine, joinSpans, makeSpan, type TextSpan } from '../text/cells.ts';
import { measureWidth, padText } from '../text/text-width.ts';
import { type DayScale, labelTicks, makeDayScale, makeFigureScale } from './scales.ts';

/** Maximum width in columns; a wider chart shows no more detail. */
const MAX_WIDTH = 160;
/** Width in columns of a date label with space on both sides. */
const DATE_LABEL_WIDTH = 16;
/** Minimum width in columns for the taller chart. */
const MIN_TALL_CHART_WIDTH = 120;

/** Returns lines of at most `width` columns; empty if no figures exist or the space is insufficient. */
export function drawLineText({ runs, marks, measure }: LineChart, width: number): ChartLine[] {
  const points = runs.flat();
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined) return [];
  const values = points.map(({ value }) => value);
  const isTall = width >= MIN_TALL_CHART_WIDTH;
  const scale = makeFigureScale(values, isTall ? 6 : 4);
  const steps = scale.ticks.length - 1;
  // Every tick falls exactly on a row.
  const height = steps * Math.max(2, Math.round((isTall ? 12 : 8) / steps)) + 1;
  const ticks = labelTicks(scale.ticks, measure);
  const labelWidth = Math.max(...ticks.map(({ label }) => measureWidth(label)));
  const count = Math.min(width, MAX_WIDTH) - labelWidth - 2;
  if (count < DATE_LABEL_WIDTH * 2) return [];
  const days = makeDayScale(first.day, last.day);
  const canvas = makeCanvas(count, height);
  const findPosition = ({ day, value }: (typeof points)[number]) => ({ x: days.placeOf(day), y: scale.placeOf(value) });
  for (const run of runs.map((points) => points.map(findPosition))) {
    for (const [index, point] of run.entries()) {
      const before = run[index - 1];
      if (before !== undefined) canvas.line(before, point);
      else if (run.length === 1) canvas.spot(point);
    }
  }
  const shownMarks = marks.filter(({ day }) => day >= first.day && day <= last.day);
  const markByColumn = new Map(shownMarks.map((mark) => [Math.round(days.placeOf(mark.day) * (count - 1)), mark]));
  const labels = new Map(ticks.map(({ tick, label }) => [Math.round((1 - scale.placeOf(tick)) * (height - 1)), label]));
  const indent = ' '.repeat(labelWidth + 2);
  return [
    ...(markByColumn.size === 0 ? [] : [joinSpans([makeSpan(indent), ...drawMarkLabels(markByColumn, count)])]),
    ...canvas.rows.map((row, index) =>
      joinSpans([
        makeSpan(formatAxisLabel(labels.get(index), labelWidth), 'quiet'),
        ...row.map((cell, column) =>
          cell !== null ? makeSpan(cell) : markByColumn.has(column) ? makeSpan('┊', 'warn') : makeSpan(' ', 'plain'),
        ),
      ]),
    ),
    ...drawDayAxis(days, count, labelWidth),
  ];
}

const formatAxisLabel = (label: string | undefined, width: number): string =>
  label === undefined ? `${' '.repeat(width)} │` : `${padText(label, width, 'right')} ┤`;

/** Draws the labels above the vertical lines of marks; omits a label that would overlap the label before it. */
function drawMarkLabels(marks: ReadonlyMap<number, ChartMark>, columns: number): TextSpan[] {
  let text = '';
  for (const [column, { label }] of [...marks].sort(([a], [b]) => a - b)) text = addLabel(text, label, column, columns);
  return [makeSpan(text, 'warn')];
}

/** Adds a label centred on a column; returns the text unchanged if the label would overlap it. */
function addLabel(text: string, label: string, column: number, columns: number): string {
  const width = measureWidth(label);
  const start = Math.max(0, Math.min(columns - width, column - Math.floor(width / 2)));
  const used = measureWidth(text);
  return start >= used + (used === 0 ? 0 : 1) ? text + ' '.repeat(start - used) + label : text;
}

/**
 * Draws the axis with as many dates as fit, but at most seven: the first, the last, and dates at equal distances
 * between them.
 */
function drawDayAxis(days: DayScale, columns: number, width: number): ChartLine[] {
  const fitting = Math.max(1, Math.min(6, Math.floor(columns / DATE_LABEL_WIDTH) - 1));
  const intervals = days.firstDay === days.lastDay ? 0 : fitting;
  const letters = new Array<string>(columns).fill('─');
  let text = '';
  for (let index = 0; index <= intervals; index++) {
    const fraction = intervals === 0 ? 0.5 : index / intervals;
    const column = Math.round(fraction * (columns - 1));
    letters[column] = '┬';
    text = addLabel(text, days.dayAt(fraction), column, columns);
  }
  const lines = [`${' '.repeat(width)} └${letters.join('')}`, `${' '.repeat(width + 2)}${text}`];
  return lines.map((line) => [makeSpan(line, 'quiet')]);
}

const [DOTS_ACROSS, DOTS_DOWN] = [2, 4];
/** Bit of each dot in a Braille character, by column and row from the top (Unicode block "Braille Patterns"). */
const DOT_BITS = [
  [0x01, 0x02, 0x04, 0x40],
  [0x08, 0x10, 0x20, 0x80],
] as const;
const BLANK = 0x2800;

/** A position on a canvas, as fractions from the lower left corner. */
type CanvasPoint = Readonly<Record<'x' | 'y', number>>;

/** Returns a canvas of Braille dots; each character is two dots wide and four dots high. */
function makeCanvas(count: number, rowCount: number) {
  const codes = Array.from({ length: rowCount }, () => new Array<number>(count).fill(BLANK));
  const [lastX, lastY] = [count * DOTS_ACROSS - 1, rowCount * DOTS_DOWN - 1];
  const findDot = ({ x, y }: CanvasPoint) => ({ x: Math.round(x * lastX), y: Math.round((1 - y) * lastY) });
  const setDot = (x: number, y: number): void => {
    const row = codes[Math.floor(y / DOTS_DOWN)];
    const column = Math.floor(x / DOTS_ACROSS);
    if (row !== undefined) row[column] = (row[column] ?? BLANK) | (DOT_BITS[x % DOTS_ACROSS]?.[y % DOTS_DOWN] ?? 0);
  };
  return {
    line: (start: CanvasPoint, end: CanvasPoint): void => {
      const from = findDot(start);
      const [across, down] = [findDot(end).x - from.x, findDot(end).y - from.y];
      const steps = Math.max(Math.abs(across), Math.abs(down), 1);
      for (let step = 0; step <= steps; step++)
        setDot(Math.round(from.x + (across * step) / steps), Math.round(from.y + (down * step) / steps));
    },
    /** Draws a single point as four dots, because one dot is easily overlooked. */
    spot: (at: CanvasPoint): void => {
      const { x, y } = findDot(at);
      // A spot is two by two dots. Flipping the last bit of a coordinate gives a neighbor within the same character.
      for (const column of [x, x ^ 1]) for (const row of [y, y ^ 1]) setDot(column, row);
    },
    /** Returns the characters by row from the top; null for a character without dots. */
    get rows() {
      return codes.map((row) => row.map((code) => (code === BLANK ? null : String.fromCharCode(code))));
    },
  };
}
