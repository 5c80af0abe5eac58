/** Draws figures of periods as horizontal bars on a terminal, one row per figure. */
import { compareDecimals, type Decimal, isZero } from '../../contract/decimal-text.ts';
import type { BarChart } from '../../result/chart.ts';
import { abbreviate } from '../text/format-values.ts';
import { sanitize } from '../text/sanitize.ts';
import { measureDisplayWidth, padText, truncate } from '../text/text-width.ts';
import { wrapWords } from '../text/wrap.ts';
import { createPositionFinder } from './scales.ts';
import { type ChartLine, joinSpans, makeSpan, type TextSpan } from './spans.ts';

/** Maximum width in columns; longer bars are no easier to compare. */
const MAX_WIDTH = 120;
/** Maximum share of the width for the names of series. */
const MAX_NAMES_SHARE = 0.3;
const COLUMN_GAP = 2;
/** Minimum width of bars in columns; narrower bars cannot be compared. */
const MIN_BAR_WIDTH = 8;
/** Maximum number of periods: for a single series, and for each series of several. */
const [MAX_PERIODS, MAX_PERIODS_OF_SEVERAL] = [24, 5];
const EIGHTH_BLOCKS = '▏▎▍▌▋▊▉';

export interface BarsText {
  readonly lines: readonly ChartLine[];
  /** Number of earlier periods that are not shown. */
  readonly omittedPeriodCount: number;
}

/**
 * Returns lines of at most `width` columns; longer lines only if the bars need them to reach MIN_BAR_WIDTH. Bars of
 * negative figures extend to the left. Series with `together: 'beside'` are grouped by period.
 */
export function drawBarsText(chart: BarChart, width: number, isExact = false): BarsText {
  const firstShownIndex = Math.max(
    0,
    chart.periods.length - (chart.series.length > 1 ? MAX_PERIODS_OF_SEVERAL : MAX_PERIODS),
  );
  const chartOfNewestPeriods = keepNewestPeriods(chart, firstShownIndex);
  return {
    lines: drawBarLines(
      chart.together === 'beside' ? swapPeriodsAndSeries(chartOfNewestPeriods) : chartOfNewestPeriods,
      width,
      isExact,
    ),
    omittedPeriodCount: firstShownIndex,
  };
}

const keepNewestPeriods = (chart: BarChart, firstIndex: number): BarChart => ({
  ...chart,
  periods: chart.periods.slice(firstIndex),
  series: chart.series.map(({ label, values }) => ({ label, values: values.slice(firstIndex) })),
});

/** Swaps periods and series. */
const swapPeriodsAndSeries = (chart: BarChart): BarChart => ({
  ...chart,
  periods: chart.series.map(({ label }) => label),
  series: chart.periods.map((label, index) => ({
    label,
    values: chart.series.map(({ values }) => values[index] ?? null),
  })),
});

function drawBarLines(
  { periods, series, measure }: BarChart,
  width: number,
  showsAllDigits: boolean,
): readonly ChartLine[] {
  const formatFigure = (value: Decimal): string => (showsAllDigits ? value : abbreviate(value, measure));
  const values = series.flatMap((barSeries) => barSeries.values.filter((value) => value !== null));
  if (values.length === 0) return [];
  const totalWidth = Math.min(width, MAX_WIDTH);
  const maxNameWidth = Math.floor(totalWidth * MAX_NAMES_SHARE);
  const wrappedNames = series.map(({ label }) => wrapName(sanitize(label), maxNameWidth, periods.length));
  const nameWidth = Math.max(...wrappedNames.flat().map(measureDisplayWidth), 0);
  const periodWidth = Math.max(...periods.map(measureDisplayWidth));
  const figureWidth = Math.max(...values.map((value) => measureDisplayWidth(formatFigure(value))));
  const labelsWidth = (nameWidth === 0 ? 0 : nameWidth + COLUMN_GAP) + periodWidth + COLUMN_GAP;
  const barRoom = Math.max(MIN_BAR_WIDTH, totalWidth - labelsWidth - COLUMN_GAP - figureWidth);
  const drawBar = createBarDrawer(values, barRoom);
  return series.flatMap((barSeries, seriesIndex): ChartLine[] => [
    // A blank line separates consecutive series.
    ...(seriesIndex === 0 ? [] : [[]]),
    ...periods.map((period, index): ChartLine => {
      const value = barSeries.values[index] ?? null;
      const seriesName = wrappedNames[seriesIndex]?.[index] ?? '';
      return joinSpans([
        ...(nameWidth === 0 ? [] : [makeSpan(padText(seriesName, nameWidth + COLUMN_GAP, 'left'))]),
        makeSpan(padText(period, periodWidth + COLUMN_GAP, 'left'), 'quiet'),
        ...drawBar(value),
        makeSpan(' '.repeat(COLUMN_GAP)),
        value === null
          ? makeSpan(padText('–', figureWidth, 'right'), 'quiet')
          : makeSpan(padText(formatFigure(value), figureWidth, 'right')),
      ]);
    }),
  ]);
}

/** Returns a name as lines of at most `width` columns; cuts a name that needs more than `maxLines` lines. */
function wrapName(name: string, width: number, maxLines: number): readonly string[] {
  const lines = wrapWords(name, width, measureDisplayWidth);
  const [firstLines, otherLines] = [lines.slice(0, maxLines - 1), lines.slice(maxLines - 1)];
  return [...firstLines, otherLines.join(' ')].map((line) => truncate(line, width));
}

/**
 * Returns a function that draws a bar for a value. The longest bar uses all available columns, because no axis requires
 * a round maximum.
 */
function createBarDrawer(values: readonly Decimal[], barRoom: number): (value: Decimal | null) => TextSpan[] {
  const sortedValues = [...values, '0'].sort(compareDecimals);
  const [leastValue = '0', mostValue = '0'] = [sortedValues[0], sortedValues.at(-1)];
  const zeroPosition = createPositionFinder(leastValue, mostValue)('0');
  // Maximum width of the left side: one column is for the axis, and one is for the right side if there are positive
  // figures.
  const maxBarColumnCount = isZero(mostValue) ? barRoom - 1 : barRoom - 2;
  const leftColumnCount = isZero(leastValue)
    ? 0
    : Math.max(1, Math.min(maxBarColumnCount, Math.round(zeroPosition * (barRoom - 1))));
  const rightColumnCount = leftColumnCount === 0 ? barRoom : barRoom - 1 - leftColumnCount;
  const [gainPosition, lossPosition] = [createPositionFinder('0', mostValue), createPositionFinder('0', leastValue)];
  return (value) => {
    const signText = value === null || isZero(value) ? '' : value.startsWith('-') ? '-' : '+';
    const negativeBar =
      signText === '-' && value !== null ? drawLeftwardBar(lossPosition(value) * leftColumnCount) : '';
    const positiveBar =
      signText === '+' && value !== null ? drawRightwardBar(gainPosition(value) * rightColumnCount) : '';
    return [
      ...(leftColumnCount === 0
        ? []
        : [makeSpan(negativeBar.padStart(leftColumnCount), 'down'), makeSpan('│', 'quiet')]),
      makeSpan(positiveBar.padEnd(rightColumnCount)),
    ];
  };
}

/** Returns a bar of at least one eighth of a column, so that every figure is visible. */
function drawRightwardBar(columnCount: number): string {
  const eighthCount = Math.max(1, Math.round(columnCount * 8));
  return '█'.repeat(Math.floor(eighthCount / 8)) + EIGHTH_BLOCKS.slice(0, eighthCount % 8).slice(-1);
}

/**
 * Returns a bar that extends to the left, from half and full blocks: for this direction, Unicode lacks blocks for most
 * eighths.
 */
function drawLeftwardBar(barColumnCount: number): string {
  const halfColumnCount = Math.max(1, Math.round(barColumnCount * 2));
  return (halfColumnCount % 2 === 0 ? '' : '▐') + '█'.repeat(Math.floor(halfColumnCount / 2));
}
