/**
 * Draws figures of periods as SVG bars, earliest period on the left: several series in one plot with a legend, side by
 * side or stacked, or otherwise one panel per series on a common scale.
 */
import { scaleBand } from 'd3-scale';
import { sum } from '../../contract/decimal.ts';
import { type Decimal, isZero } from '../../contract/decimal-text.ts';
import type { Measure } from '../../contract/statements/formula.ts';
import type { BarChart, BarSeries } from '../../result/blocks.ts';
import { abbreviate } from '../text/format-values.ts';
import { SERIES_COLOUR_COUNT } from './chart-style.ts';
import { type MarkupContent, makeElement, makeLineElement, type Plot, wrapIn } from './markup.ts';
import { type FigureScale, labelTicks, makeFigureScale } from './scales.ts';
import { drawTextAt, drawTextOnBackground, estimateWidth, shorten } from './svg-text.ts';

/** Font size of labels and of figures. */
const FONT_SIZE = 11;
/** Space below the bars for the names of periods, and for the figures of negative bars above these names. */
const [NAMES_HEIGHT, NEGATIVE_FIGURE_HEIGHT] = [24, 14];
/** Space above the bars for the highest bar's figure and, if the panel has a name, for the name. */
const [SPACE_ABOVE_NAMED, SPACE_ABOVE_UNNAMED] = [26, 16];
/** Space at the right of a panel for the overhang of the newest period's name. */
const RIGHT_MARGIN = 18;
const PANEL_GAP = 16;
const [SINGLE_PANEL_STEPS, SMALL_PANEL_STEPS] = [5, 3];
const [SINGLE_PANEL_HEIGHT, SMALL_PANEL_HEIGHT, SHARED_PLOT_HEIGHT] = [150, 100, 240];
const [LEGEND_LINE_HEIGHT, SWATCH_SIZE] = [20, 10];
const SWATCH = { width: SWATCH_SIZE, height: SWATCH_SIZE };
/** Minimum height of a stacked part that has its figure inside. */
const MIN_LABELLED_HEIGHT = 14;

type PlotPart = Pick<Plot, 'height' | 'content'>;

export function drawBarsSvg(chart: BarChart, width: number): Plot | null {
  const { periods, series, measure } = chart;
  const values = series.flatMap((series) => series.values.flatMap((value) => value ?? []));
  if (values.length === 0) return null;
  return {
    ...(areDrawnTogether(chart) ? drawTogether : drawPanels)(chart, values, width),
    description: describeBars(periods, series, measure),
    table: {
      head: ['Period', ...series.map(({ label }) => label || 'Value')],
      rows: periods.map((name, index) => ({ name, values: series.map((series) => series.values[index] ?? null) })),
    },
  };
}

/**
 * Whether all series are drawn in one plot: if `together` is set, there are from 2 to SERIES_COLOUR_COUNT series, and
 * no value of a stack is missing.
 */
const areDrawnTogether = ({ together, series }: BarChart): boolean =>
  together !== undefined &&
  series.length > 1 &&
  series.length <= SERIES_COLOUR_COUNT &&
  !(together === 'stacked' && series.some(({ values }) => values.includes(null)));

function drawTogether(chart: BarChart, values: readonly Decimal[], width: number): PlotPart {
  const { periods, series, together } = chart;
  const legend = drawLegend(series, width);
  const listParts = (index: number) => series.map((one) => one.values[index] ?? '0');
  const ends = together === 'stacked' ? periods.flatMap((_, index) => computeStackEnds(listParts(index))) : values;
  const spaceBelow = computeSpaceBelow(ends);
  const size = { right: width, spaceAbove: SPACE_ABOVE_UNNAMED, height: SHARED_PLOT_HEIGHT, spaceBelow };
  const bars = drawBars(chart, makeFigureScale(ends, SINGLE_PANEL_STEPS, true), size);
  return {
    height: legend.height + SPACE_ABOVE_UNNAMED + SHARED_PLOT_HEIGHT + spaceBelow,
    content: [legend.content, makeElement('g', { transform: `translate(0 ${legend.height})` }, bars)],
  };
}

function drawPanels({ periods, series, measure }: BarChart, values: readonly Decimal[], width: number): PlotPart {
  const columns = series.length > 1 ? 2 : 1;
  const scale = makeFigureScale(values, columns > 1 ? SMALL_PANEL_STEPS : SINGLE_PANEL_STEPS, true);
  const panelWidth = (width - PANEL_GAP * (columns - 1)) / columns;
  const size = {
    right: panelWidth - RIGHT_MARGIN,
    spaceAbove: series.some(({ label }) => label !== '') ? SPACE_ABOVE_NAMED : SPACE_ABOVE_UNNAMED,
    height: columns > 1 ? SMALL_PANEL_HEIGHT : SINGLE_PANEL_HEIGHT,
    spaceBelow: computeSpaceBelow(values),
  };
  const pitch = size.height + size.spaceAbove + size.spaceBelow + (columns > 1 ? PANEL_GAP : 0);
  return {
    height: pitch * Math.ceil(series.length / columns),
    content: series.map((one, index) => {
      const x = Math.round((index % columns) * (panelWidth + PANEL_GAP));
      const style = { size: FONT_SIZE + 1, bold: true };
      const name = one.label === '' ? [] : drawTextAt(shorten(one.label, style.size, panelWidth), 0, 12, style);
      const bars = drawBars({ periods, series: [one], measure }, scale, size);
      const place = { transform: `translate(${x} ${Math.floor(index / columns) * pitch})` };
      return makeElement('g', place, name, bars);
    }),
  };
}

const computeSpaceBelow = (values: readonly Decimal[]): number =>
  NAMES_HEIGHT + (values.some(isNegative) ? NEGATIVE_FIGURE_HEIGHT : 0);

const isNegative = (value: Decimal): boolean => value.startsWith('-');

/** Returns the upper and the lower end of a stack; negative parts extend downwards from zero. */
const computeStackEnds = (values: readonly Decimal[]): readonly [Decimal, Decimal] => [
  sum(values.filter((value) => !isNegative(value))),
  sum(values.filter(isNegative)),
];

/** Returns each series' index of a colour: the index that it names, or a free one if another series has that. */
function assignColours(series: readonly BarSeries[]): readonly number[] {
  const wantedColours = series.map(({ colour }, index) => colour ?? index);
  const used = new Set<number>();
  const colours = wantedColours.map((colour) => {
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

/** The part of a plot in which its bars are drawn. `right` is the right end of the axis, `height` that of the bars. */
type BarArea = Readonly<Record<'right' | 'spaceAbove' | 'height' | 'spaceBelow', number>>;

/** Draws a grid with bars. Bars of a single series are coloured by their sign, those of several series by the series. */
function drawBars(chart: Omit<BarChart, 'kind' | 'title'>, scale: FigureScale, area: BarArea): MarkupContent {
  const { periods, series, measure, together } = chart;
  const { right, spaceAbove, height, spaceBelow } = area;
  const isStacked = together === 'stacked';
  const colours = assignColours(series);
  const ticks = labelTicks(scale.ticks, measure);
  const left = Math.max(...ticks.map(({ label }) => estimateWidth(label, FONT_SIZE))) + 8;
  const computeY = (value: Decimal): number => spaceAbove + (1 - scale.placeOf(value)) * height;
  const bands = scaleBand<number>([...periods.keys()], [left, right])
    .paddingInner(0.25)
    .paddingOuter(0.1);
  const findPeriodLeft = (index: number): number => bands(index) ?? left;
  const barWidth = isStacked ? bands.bandwidth() : bands.bandwidth() / series.length;
  const room = series.length === 1 ? bands.step() : barWidth;
  const fits = (value: Decimal): boolean => estimateWidth(abbreviate(value, measure), FONT_SIZE) < room;
  const hasFigures = series.every(({ values }) => values.every((value) => value === null || fits(value)));
  const chooseLook = (value: Decimal, seriesIndex: number): string =>
    series.length > 1 ? `fin-series-${colours[seriesIndex]}` : isNegative(value) ? 'fin-loss' : 'fin-gain';
  const drawPeriodBars = (index: number): MarkupContent => {
    let topOfStack = '0';
    let bottomOfStack = '0';
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
      const title = wrapIn('title', `${series.length === 1 ? '' : `${label}, `}${periods[index]}: ${value}`);
      const place = { x, y: top, width: barWidth, height: bottom - top };
      const bar = makeElement('rect', { ...place, class: chooseLook(value, seriesIndex) }, title);
      return [bar, hasFigures ? drawFigure(value, middle, top, bottom) : []];
    });
  };
  const drawFigure = (value: Decimal, middle: number, top: number, bottom: number): MarkupContent => {
    const look = { size: FONT_SIZE, anchor: 'middle' } as const;
    const text = abbreviate(value, measure);
    if (!isStacked) return drawTextOnBackground(text, middle, isNegative(value) ? bottom + 11 : top - 4, look);
    return bottom - top < MIN_LABELLED_HEIGHT ? [] : drawTextOnBackground(text, middle, (top + bottom) / 2 + 4, look);
  };
  // Draws as many period names as fit, at equal intervals, always with the newest period.
  const nameWidth = Math.max(...periods.map((period) => estimateWidth(period, FONT_SIZE)));
  const interval = Math.ceil((nameWidth + 6) / bands.step());
  const nameY = spaceAbove + height + spaceBelow - 6;
  return [
    // The line at zero is the axis.
    ticks.map(({ tick, label }) => [
      makeLineElement([left, right], [computeY(tick), computeY(tick)], isZero(tick) ? 'fin-axis' : 'fin-grid'),
      drawTextAt(label, left - 6, computeY(tick) + 4, { size: FONT_SIZE, look: 'fin-quiet', anchor: 'end' }),
    ]),
    periods.map((_, index) => drawPeriodBars(index)),
    periods.map((period, index) => {
      if ((periods.length - 1 - index) % interval !== 0) return [];
      const middle = findPeriodLeft(index) + bands.bandwidth() / 2;
      return drawTextAt(period, middle, nameY, { size: FONT_SIZE, look: 'fin-quiet', anchor: 'middle' });
    }),
  ];
}

const describeBars = (periods: readonly string[], series: readonly BarSeries[], measure: Measure): string =>
  series
    .map(({ label, values }) => {
      const describe = (value: Decimal, index: number) => `${abbreviate(value, measure)} in ${periods[index]}`;
      const texts = values.flatMap((value, index) => (value === null ? [] : [describe(value, index)]));
      const [first = 'no values'] = texts;
      return `${label === '' ? '' : `${label}: `}${texts.length > 1 ? `from ${first} to ${texts.at(-1)}` : first}.`;
    })
    .join(' ');
