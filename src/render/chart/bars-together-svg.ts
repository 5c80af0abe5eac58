/**
 * Draws several series of bars in one plot with a legend: side by side, or stacked if the series are parts of a total.
 */
import { scaleBand } from 'd3-scale';
import { sum } from '../../contract/decimal.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import type { BarChart, BarSeries } from '../../result/chart.ts';
import { abbreviate } from '../text/format-values.ts';
import { computeSpaceBelow, drawGrid, drawPeriods, FONT_SIZE } from './bars-frame-svg.ts';
import { SERIES_COLOUR_COUNT } from './chart-style.ts';
import { type MarkupContent, makeElement, type Plot, wrapIn } from './markup.ts';
import { labelTicks, makeFigureScale } from './scales.ts';
import { drawTextAt, drawTextOnBackground, estimateWidth, shorten } from './svg-text.ts';

const [PLOT_HEIGHT, SCALE_STEPS] = [240, 5];
/** Space above the bars for figures. */
const SPACE_ABOVE = 16;
const [LEGEND_LINE_HEIGHT, SWATCH_SIZE] = [20, 10];
const SWATCH = { width: SWATCH_SIZE, height: SWATCH_SIZE };
/** Minimum height of a stacked part that has its figure inside. */
const MIN_LABELLED_HEIGHT = 14;

type PlotPart = Pick<Plot, 'height' | 'content'>;

/**
 * Returns the plot, or null if the series need separate plots: `together` is not set, there is one series or more than
 * SERIES_COLOUR_COUNT, or a value of a stack is missing. Negative parts of a stack extend downwards from zero.
 */
export function drawSeriesTogether(chart: BarChart, width: number): PlotPart | null {
  const { together, series } = chart;
  if (together === undefined || series.length < 2 || series.length > SERIES_COLOUR_COUNT) return null;
  if (together === 'stacked' && series.some(({ values }) => values.includes(null))) return null;
  const legend = drawLegend(series, width);
  const plot = drawPlot(chart, width);
  return {
    height: legend.height + plot.height,
    content: [legend.content, makeElement('g', { transform: `translate(0 ${legend.height})` }, plot.content)],
  };
}

/** Returns the number of each series' colour: the one that it names, if no other series has it, otherwise a free one. */
function assignColours(series: readonly BarSeries[]): readonly number[] {
  const named = series.map(({ colour }, index) => colour ?? index);
  const used = new Set<number>();
  const colours = named.map((colour) => {
    if (colour >= SERIES_COLOUR_COUNT || used.has(colour)) return null;
    used.add(colour);
    return colour;
  });
  const free = Array.from({ length: SERIES_COLOUR_COUNT }, (_, colour) => colour).filter((colour) => !used.has(colour));
  return colours.map((colour) => colour ?? free.shift() ?? 0);
}

/** Draws a colour swatch and the name of each series, on as many lines as needed. */
function drawLegend(series: readonly BarSeries[], width: number): PlotPart {
  let [x, lineIndex] = [0, 0];
  const colours = assignColours(series);
  const content = series.map(({ label }, index): MarkupContent => {
    const name = shorten(label, FONT_SIZE, width - 2 * SWATCH_SIZE);
    const entryWidth = SWATCH_SIZE + 6 + estimateWidth(name, FONT_SIZE) + 16;
    if (x > 0 && x + entryWidth > width) [x, lineIndex] = [0, lineIndex + 1];
    const [left, top] = [x, lineIndex * LEGEND_LINE_HEIGHT];
    x += entryWidth;
    return [
      makeElement('rect', { x: left, y: top + 2, ...SWATCH, class: `fin-series-${colours[index]}` }),
      drawTextAt(name, left + SWATCH_SIZE + 6, top + 11, { size: FONT_SIZE }),
    ];
  });
  return { height: (lineIndex + 1) * LEGEND_LINE_HEIGHT + 4, content };
}

function drawPlot({ periods, series, measure, together }: BarChart, width: number): PlotPart {
  const isStacked = together === 'stacked';
  const colours = assignColours(series);
  const ends = isStacked
    ? periods.flatMap((_, index) => computeStackEnds(series.map(({ values }) => values[index] ?? '0')))
    : series.flatMap(({ values }) => values.flatMap((value) => value ?? []));
  const scale = makeFigureScale(ends, SCALE_STEPS, true);
  const spaceBelow = computeSpaceBelow(ends);
  const ticks = labelTicks(scale.ticks, measure);
  const left = Math.max(...ticks.map(({ label }) => estimateWidth(label, FONT_SIZE))) + 8;
  const computeY = (value: Decimal): number => SPACE_ABOVE + (1 - scale.placeOf(value)) * PLOT_HEIGHT;
  const bands = scaleBand<number>([...periods.keys()], [left, width])
    .paddingInner(0.25)
    .paddingOuter(0.1);
  const findPeriodLeft = (index: number): number => bands(index) ?? left;
  const barWidth = isStacked ? bands.bandwidth() : bands.bandwidth() / series.length;
  const fitsBar = (value: Decimal): boolean => estimateWidth(abbreviate(value, measure), FONT_SIZE) < barWidth;
  const figures = series.every(({ values }) => values.every((value) => value === null || fitsBar(value)));
  const drawPeriodBars = (index: number): MarkupContent => {
    let [topOfStack, bottomOfStack]: [Decimal, Decimal] = ['0', '0'];
    return series.map(({ label, values }, seriesIndex): MarkupContent => {
      const value = values[index] ?? null;
      const x = findPeriodLeft(index) + (isStacked ? 0 : seriesIndex * barWidth);
      const middle = x + barWidth / 2;
      if (value === null)
        return drawTextAt('–', middle, computeY('0') - 4, { size: FONT_SIZE, look: 'fin-quiet', anchor: 'middle' });
      const start = !isStacked ? '0' : isNegative(value) ? bottomOfStack : topOfStack;
      const end = sum([start, value]);
      if (isNegative(value)) bottomOfStack = end;
      else topOfStack = end;
      const [top, bottom] = [Math.min(computeY(start), computeY(end)), Math.max(computeY(start), computeY(end))];
      const title = wrapIn('title', `${label}, ${periods[index]}: ${value}`);
      const size = { width: barWidth, height: bottom - top };
      const attributes = { x, y: top, ...size, class: `fin-series-${colours[seriesIndex]}` };
      return [makeElement('rect', attributes, title), figures ? drawFigure(value, middle, top, bottom) : []];
    });
  };
  const drawFigure = (value: Decimal, middle: number, top: number, bottom: number): MarkupContent => {
    const look = { size: FONT_SIZE, anchor: 'middle' } as const;
    const text = abbreviate(value, measure);
    if (!isStacked) return drawTextOnBackground(text, middle, isNegative(value) ? bottom + 11 : top - 4, look);
    return bottom - top < MIN_LABELLED_HEIGHT ? [] : drawTextOnBackground(text, middle, (top + bottom) / 2 + 4, look);
  };
  return {
    height: SPACE_ABOVE + PLOT_HEIGHT + spaceBelow,
    content: [
      drawGrid(ticks, { left, right: width, computeY }),
      periods.map((_, index) => drawPeriodBars(index)),
      drawPeriods(periods, {
        step: bands.step(),
        y: SPACE_ABOVE + PLOT_HEIGHT + spaceBelow - 6,
        computeMiddle: (index) => findPeriodLeft(index) + bands.bandwidth() / 2,
      }),
    ],
  };
}

const isNegative = (value: Decimal): boolean => value.startsWith('-');

/** Returns the upper and the lower end of a stack. */
const computeStackEnds = (values: readonly Decimal[]): readonly [Decimal, Decimal] => [
  sum(values.filter((value) => !isNegative(value))),
  sum(values.filter(isNegative)),
];
