/** Draws figures of periods on a terminal: each row has a bar and its figure. */
import { compareDecimals, type Decimal, isZero } from '../../contract/decimal-text.ts';
import type { BarChart, BarSeries } from '../../result/chart.ts';
import { abbreviate } from '../format-values.ts';
import { sanitize } from '../sanitize.ts';
import { displayWidth, pad, truncate } from '../text-width.ts';
import { positionIn } from './scales.ts';
import { type ChartLine, joined, type Span, span } from './spans.ts';

/** Maximum width; longer bars are not easier to compare. */
const WIDEST = 120;
/** Maximum share of the width for names. */
const NAMES = 0.3;
const GAP = 2;
/** Minimum width of bars; narrower ones cannot be compared. */
const NARROWEST = 8;
/** Maximum number of periods of a single series, and of each of several. */
const [MOST_PERIODS, MOST_OF_SEVERAL] = [24, 5];
const EIGHTHS = '▏▎▍▌▋▊▉';

export interface BarsText {
  readonly lines: readonly ChartLine[];
  /** Number of earlier periods that are left out. */
  readonly left: number;
}

/**
 * Returns lines of at most `width` columns. Bars of negative figures extend to the left. Series that belong beside each
 * other are grouped by period.
 */
export function barsText(chart: BarChart, width: number, exact = false): BarsText {
  const from = Math.max(0, chart.periods.length - (chart.series.length > 1 ? MOST_OF_SEVERAL : MOST_PERIODS));
  const newest = newestPeriods(chart, from);
  return { lines: linesOf(chart.together === 'beside' ? byPeriod(newest) : newest, width, exact), left: from };
}

const newestPeriods = (chart: BarChart, from: number): BarChart => ({
  ...chart,
  periods: chart.periods.slice(from),
  series: chart.series.map(({ label, values }) => ({ label, values: values.slice(from) })),
});

/** Turns periods into series, and series into periods. */
const byPeriod = (chart: BarChart): BarChart => ({
  ...chart,
  periods: chart.series.map(({ label }) => label),
  series: chart.periods.map((label, index) => ({
    label,
    values: chart.series.map(({ values }) => values[index] ?? null),
  })),
});

function linesOf({ periods, series, measure }: BarChart, width: number, exact: boolean): readonly ChartLine[] {
  const textOf = (value: Decimal): string => (exact ? value : abbreviate(value, measure));
  const values = series.flatMap((one) => one.values.filter((value) => value !== null));
  if (values.length === 0) return [];
  const all = Math.min(width, WIDEST);
  const nameOf = ({ label }: BarSeries): string => truncate(sanitize(label), Math.floor(all * NAMES));
  const nameWidth = Math.max(...series.map((one) => displayWidth(nameOf(one))));
  const periodWidth = Math.max(...periods.map(displayWidth));
  const figureWidth = Math.max(...values.map((value) => displayWidth(textOf(value))));
  const head = (nameWidth === 0 ? 0 : nameWidth + GAP) + periodWidth + GAP;
  const room = Math.max(NARROWEST, all - head - GAP - figureWidth);
  const draw = barMaker(values, room);
  return series.flatMap((one, position): ChartLine[] => [
    // A blank line separates the bars of two series.
    ...(position === 0 ? [] : [[]]),
    ...periods.map((period, index): ChartLine => {
      const value = one.values[index] ?? null;
      const name = index === 0 ? nameOf(one) : '';
      return joined([
        ...(nameWidth === 0 ? [] : [span(pad(name, nameWidth + GAP, 'left'))]),
        span(pad(period, periodWidth + GAP, 'left'), 'quiet'),
        ...draw(value),
        span(' '.repeat(GAP)),
        value === null ? span(pad('–', figureWidth, 'right'), 'quiet') : span(pad(textOf(value), figureWidth, 'right')),
      ]);
    }),
  ]);
}

/** Draws bars in a number of columns: the longest fills its side, because there is no axis to round up to. */
function barMaker(values: readonly Decimal[], room: number): (value: Decimal | null) => Span[] {
  const sorted = [...values, '0'].sort(compareDecimals);
  const [least = '0', most = '0'] = [sorted[0], sorted.at(-1)];
  const zero = positionIn(least, most)('0');
  // Leaves at least one column for each side with a bar.
  const longest = isZero(most) ? room - 1 : room - 2;
  const left = isZero(least) ? 0 : Math.max(1, Math.min(longest, Math.round(zero * (room - 1))));
  const right = left === 0 ? room : room - 1 - left;
  const [gain, loss] = [positionIn('0', most), positionIn('0', least)];
  return (value) => {
    const signed = value === null || isZero(value) ? '' : value.startsWith('-') ? '-' : '+';
    const losing = signed === '-' && value !== null ? leftward(loss(value) * left) : '';
    const winning = signed === '+' && value !== null ? rightward(gain(value) * right) : '';
    return [
      ...(left === 0 ? [] : [span(losing.padStart(left), 'down'), span('│', 'quiet')]),
      span(winning.padEnd(right)),
    ];
  };
}

/** Returns a bar of at least one column, so that every figure is visible. */
function rightward(columns: number): string {
  const eighths = Math.max(1, Math.round(columns * 8));
  return '█'.repeat(Math.floor(eighths / 8)) + EIGHTHS.slice(0, eighths % 8).slice(-1);
}

/** To the left there are only half and full blocks. */
function leftward(columns: number): string {
  const halves = Math.max(1, Math.round(columns * 2));
  return (halves % 2 === 0 ? '' : '▐') + '█'.repeat(Math.floor(halves / 2));
}
