/**
 * A line of figures over days, drawn in Braille dots: two by four of them in each character.
 *
 * Days stand at their distance from each other and nothing is drawn where there is none: a gap is a gap. Heights are
 * reckoned in whole numbers from the digits, as everything here.
 */
import { compareDecimals, type Decimal, shiftDecimal } from '../contract/decimal.ts';
import type { Measure } from '../contract/metrics.ts';
import type { ChartPoint } from './blocks.ts';
import { abbreviate } from './figures.ts';
import { displayWidth, pad } from './width.ts';

const ROWS = 8;
const [DOTS_ACROSS, DOTS_DOWN] = [2, 4];
/** Wider than this a chart tells nothing more. */
const WIDEST = 100;
/** Bits of the dots in a cell, by column and row from the top (Unicode, "Braille Patterns"). */
const DOTS = [
  [0x01, 0x02, 0x04, 0x40],
  [0x08, 0x10, 0x20, 0x80],
] as const;
const BLANK = 0x2800;

/** Lines of text, none wider than `width`; empty where two days at least are not on hand or there is no room. */
export function chartLines(points: readonly ChartPoint[], measure: Measure, width: number): string[] {
  const [first, last] = [points[0], points.at(-1)];
  if (first === undefined || last === undefined || first.day === last.day) return [];
  const sorted = points.map(({ value }) => value).sort(compareDecimals);
  const [low = '0', high = '0'] = [sorted[0], sorted.at(-1)];
  const labels = [abbreviate(high, measure), abbreviate(low, measure)];
  const labelWidth = Math.max(...labels.map(displayWidth));
  const columns = Math.min(width, WIDEST) - labelWidth - 2;
  if (columns < first.day.length * 2 + 2) return [];
  const cells = plot(points, { low, high, columns });
  const lines = cells.map((row, index) => {
    const label = index === 0 ? labels[0] : index === ROWS - 1 ? labels[1] : '';
    return `${pad(label ?? '', labelWidth, 'right')} │${row}`.trimEnd();
  });
  const gap = ' '.repeat(columns - first.day.length - last.day.length);
  return [...lines, `${' '.repeat(labelWidth + 2)}${first.day}${gap}${last.day}`];
}

function plot(
  points: readonly ChartPoint[],
  { low, high, columns }: { readonly low: Decimal; readonly high: Decimal; readonly columns: number },
): string[] {
  const places = Math.max(...points.map(({ value }) => value.split('.')[1]?.length ?? 0));
  const whole = (value: Decimal) => BigInt(shiftDecimal(value, places).split('.')[0] ?? '0');
  const [bottom, range] = [whole(low), whole(high) - whole(low)];
  const [from, days] = [dayNumber(points[0]?.day ?? ''), spanOf(points)];
  const cells = Array.from({ length: ROWS }, () => new Array<number>(columns).fill(BLANK));
  for (const { day, value } of points) {
    const x = Math.round(((dayNumber(day) - from) * (columns * DOTS_ACROSS - 1)) / days);
    // Half a step is added, so that a height is rounded and not cut.
    const steps = BigInt(ROWS * DOTS_DOWN - 1);
    const up = range === 0n ? steps / 2n : ((whole(value) - bottom) * steps * 2n + range) / (range * 2n);
    const y = ROWS * DOTS_DOWN - 1 - Number(up);
    const row = cells[Math.floor(y / DOTS_DOWN)];
    const column = Math.floor(x / DOTS_ACROSS);
    if (row !== undefined) row[column] = (row[column] ?? BLANK) | (DOTS[x % DOTS_ACROSS]?.[y % DOTS_DOWN] ?? 0);
  }
  return cells.map((row) => row.map((cell) => (cell === BLANK ? ' ' : String.fromCharCode(cell))).join(''));
}

const spanOf = (points: readonly ChartPoint[]): number =>
  dayNumber(points.at(-1)?.day ?? '') - dayNumber(points[0]?.day ?? '');

function dayNumber(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / 86_400_000;
}
