/** Draws figures of periods as horizontal bars on a terminal, one row per figure. */
import { compareDecimals, type Decimal, isNegative, isZero } from '../../contract/decimal-text.ts';
import type { BarChart } from '../../result/blocks.ts';
import { type ChartLine, joinSpans, makeSpan, type TextSpan } from '../text/cells.ts';
import { abbreviate } from '../text/format-values.ts';
import { sanitize } from '../text/sanitize.ts';
import { measureWidth, padText, truncate } from '../text/text-width.ts';
import { wrapWords } from '../text/wrap.ts';
import { createPositionFinder } from './scales.ts';

/** Maximum width in columns; longer bars are no easier to compare. */
const MAX_WIDTH = 120;
/** Maximum fraction of the width for the names of series. */
const MAX_NAMES_SHARE = 0.3;
const COLUMN_GAP = 2;
/** Minimum width of bars in columns; narrower bars cannot be compared. */
const MIN_BAR_WIDTH = 8;
/** Maximum number of periods: for a single series, and for each series of several. */
const [MAX_PERIODS, MAX_PERIODS_OF_SEVERAL] = [24, 5];
const EIGHTH_BLOCKS = '▏▎▍▌▋▊▉';

/**
 * Returns lines of at most `width` columns; longer lines only if the bars need them to reach MIN_BAR_WIDTH. Bars of
 * negative figures extend to the left. Series with `together: 'beside'` are grouped by period.
 */
export function drawBarsText(chart: BarChart, width: number, isExact = false) {
  const start = Math.max(0, chart.periods.length - (chart.series.length > 1 ? MAX_PERIODS_OF_SEVERAL : MAX_PERIODS));
  const newest = keepNewestPeriods(chart, start);
  return {
    lines: drawBarLines(chart.together === 'beside' ? swapPeriodsAndSeries(newest) : newest, width, isExact),
    /** Number of earlier periods that are not shown. */
    omittedPeriodCount: start,
  };
}

const keepNewestPeriods = (chart: BarChart, first: number): BarChart => ({
  ...chart,
  periods: chart.periods.slice(first),
  series: chart.series.map(({ label, values }) => ({ label, values: values.slice(first) })),
});

const swapPeriodsAndSeries = (chart: BarChart): BarChart => ({
  ...chart,
  periods: chart.series.map(({ label }) => label),
  series: chart.periods.map((label, index) => {
    return { label, values: chart.series.map(({ values }) => values[index] ?? null) };
  }),
});

function drawBarLines({ periods, series, measure }: BarChart, width: number, isExact: boolean): readonly ChartLine[] {
  const formatFigure = (value: Decimal): string => (isExact ? value : abbreviate(value, measure));
  const values = series.flatMap((series) => series.values.filter((value) => value !== null));
  if (values.length === 0) return [];
  const totalWidth = Math.min(width, MAX_WIDTH);
  const max = Math.floor(totalWidth * MAX_NAMES_SHARE);
  const wrapped = series.map(({ label }) => wrapName(sanitize(label), max, periods.length));
  const nameWidth = Math.max(...wrapped.flat().map(measureWidth), 0);
  const periodWidth = Math.max(...periods.map(measureWidth));
  const figureWidth = Math.max(...values.map((value) => measureWidth(formatFigure(value))));
  const labelsWidth = (nameWidth === 0 ? 0 : nameWidth + COLUMN_GAP) + periodWidth + COLUMN_GAP;
  const barRoom = Math.max(MIN_BAR_WIDTH, totalWidth - labelsWidth - COLUMN_GAP - figureWidth);
  const drawBar = createBarDrawer(values, barRoom);
  return series.flatMap((series, seriesIndex): ChartLine[] => [
    // A blank line separates consecutive series.
    ...(seriesIndex === 0 ? [] : [[]]),
    ...periods.map((period, index): ChartLine => {
      const value = series.values[index] ?? null;
      const name = wrapped[seriesIndex]?.[index] ?? '';
      const tone = value === null ? 'quiet' : 'plain';
      return joinSpans([
        ...(nameWidth === 0 ? [] : [makeSpan(padText(name, nameWidth + COLUMN_GAP, 'left'))]),
        makeSpan(padText(period, periodWidth + COLUMN_GAP, 'left'), 'quiet'),
        ...drawBar(value),
        makeSpan(' '.repeat(COLUMN_GAP)),
        makeSpan(padText(value === null ? '–' : formatFigure(value), figureWidth, 'right'), tone),
      ]);
    }),
  ]);
}

/** Returns a name as lines of at most `width` columns; cuts a name that needs more than `maxLines` lines. */
function wrapName(name: string, width: number, maxLines: number): readonly string[] {
  const lines = wrapWords(name, width, measureWidth);
  const [first, others] = [lines.slice(0, maxLines - 1), lines.slice(maxLines - 1)];
  return [...first, others.join(' ')].map((line) => truncate(line, width));
}

/**
 * Returns a function that draws a bar for a value. The longest bar uses all available columns, because no axis requires
 * a round maximum.
 */
function createBarDrawer(values: readonly Decimal[], barRoom: number): (value: Decimal | null) => TextSpan[] {
  const sorted = [...values, '0'].sort(compareDecimals);
  const [least = '0', most = '0'] = [sorted[0], sorted.at(-1)];
  const zero = createPositionFinder(least, most)('0');
  // Maximum width of the left side: one column is for the axis, and one is for the right side if there are positive
  // figures.
  const max = isZero(most) ? barRoom - 1 : barRoom - 2;
  const left = isZero(least) ? 0 : Math.max(1, Math.min(max, Math.round(zero * (barRoom - 1))));
  const right = left === 0 ? barRoom : barRoom - 1 - left;
  const [gains, losses] = [createPositionFinder('0', most), createPositionFinder('0', least)];
  return (value) => {
    const amount = value ?? '0';
    const negative = isNegative(amount) ? drawLeftwardBar(losses(amount) * left) : '';
    const positive = isZero(amount) || isNegative(amount) ? '' : drawRightwardBar(gains(amount) * right);
    const losing = left === 0 ? [] : [makeSpan(negative.padStart(left), 'down'), makeSpan('│', 'quiet')];
    return [...losing, makeSpan(positive.padEnd(right))];
  };
}

/** Returns a bar of at least one eighth of a column, so that every figure is visible. */
function drawRightwardBar(count: number): string {
  const eighths = Math.max(1, Math.round(count * 8));
  return '█'.repeat(Math.floor(eighths / 8)) + EIGHTH_BLOCKS.slice(0, eighths % 8).slice(-1);
}

/**
 * Returns a bar that extends to the left, from half and full blocks: for this direction, Unicode lacks blocks for most
 * eighths.
 */
function drawLeftwardBar(columns: number): string {
  const half = Math.max(1, Math.round(columns * 2));
  return (half % 2 === 0 ? '' : '▐') + '█'.repeat(Math.floor(half / 2));
}
