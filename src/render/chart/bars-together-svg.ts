/** Draws several series of bars in one plot, with a legend: next to each other, or stacked as the parts of a whole. */
import { scaleBand } from 'd3-scale';
import { sum } from '../../contract/decimal.ts';
import { type Decimal, isZero } from '../../contract/decimal-text.ts';
import type { BarChart, BarSeries } from '../../result/chart.ts';
import { abbreviate } from '../format-values.ts';
import { MAX_COLOURS } from './chart-style.ts';
import { type Content, element } from './markup.ts';
import type { Plot } from './plot.ts';
import { figureScale, labelTicks, type TickLabel } from './scales.ts';
import { shortened, textAt, textOnPaper, textWidth } from './svg-text.ts';

const SIZE = 11;
const [HEIGHT, STEPS] = [240, 5];
/** Space above the bars for figures, and below them for the names of periods. */
const [ABOVE, BELOW] = [16, 24];
const [LEGEND_LINE, SWATCH] = [20, 10];
/** Minimum height of a stacked part with its figure in it. */
const MIN_LABELLED = 14;

type Drawing = Pick<Plot, 'height' | 'content'>;

/**
 * Returns null for a chart that one plot cannot show: one of a single series or of more series than colours, or a
 * stack with a negative or missing part.
 */
export function seriesTogether(chart: BarChart, width: number): Drawing | null {
  const { together, series } = chart;
  if (together === undefined || series.length < 2 || series.length > MAX_COLOURS) return null;
  const parts = series.flatMap(({ values }) => values);
  if (together === 'stacked' && parts.some((value) => value === null || value.startsWith('-'))) return null;
  const legend = drawLegend(series, width);
  const plot = drawPlot(chart, width);
  return {
    height: legend.height + plot.height,
    content: [legend.content, element('g', { transform: `translate(0 ${legend.height})` }, plot.content)],
  };
}

/** A swatch and the name of each series, in as many lines as needed. */
function drawLegend(series: readonly BarSeries[], width: number): Drawing {
  let [x, line] = [0, 0];
  const content = series.map(({ label }, index): Content => {
    const name = shortened(label, SIZE, width - 2 * SWATCH);
    const room = SWATCH + 6 + textWidth(name, SIZE) + 16;
    if (x > 0 && x + room > width) [x, line] = [0, line + 1];
    const [left, top] = [x, line * LEGEND_LINE];
    x += room;
    return [
      element('rect', { x: left, y: top + 2, width: SWATCH, height: SWATCH, class: `fin-series-${index}` }),
      textAt(name, left + SWATCH + 6, top + 11, { size: SIZE }),
    ];
  });
  return { height: (line + 1) * LEGEND_LINE + 4, content };
}

function drawPlot({ periods, series, measure, together }: BarChart, width: number): Drawing {
  const stacked = together === 'stacked';
  const tops = stacked
    ? periods.map((_, index) => sum(series.map(({ values }) => values[index] ?? '0')))
    : series.flatMap(({ values }) => values.flatMap((value) => value ?? []));
  const figures = figureScale(tops, STEPS, true);
  const labels = labelTicks(figures.ticks, measure);
  const left = Math.max(...labels.map(({ label }) => textWidth(label, SIZE))) + 8;
  const y = (value: Decimal): number => ABOVE + (1 - figures.place(value)) * HEIGHT;
  const bands = scaleBand<number>([...periods.keys()], [left, width])
    .paddingInner(0.25)
    .paddingOuter(0.1);
  const leftOf = (index: number): number => bands(index) ?? left;
  const bar = stacked ? bands.bandwidth() : bands.bandwidth() / series.length;
  const fits = (value: Decimal): boolean => textWidth(abbreviate(value, measure), SIZE) < bar;
  const labelled = series.every(({ values }) => values.every((value) => value === null || fits(value)));
  const column = (index: number): Content => {
    let below: Decimal = '0';
    return series.map(({ label, values }, position): Content => {
      const value = values[index] ?? null;
      const x = leftOf(index) + (stacked ? 0 : position * bar);
      const middle = x + bar / 2;
      if (value === null) return textAt('–', middle, y('0') - 4, { size: SIZE, look: 'fin-quiet', anchor: 'middle' });
      const from = stacked ? below : '0';
      const to = stacked ? sum([below, value]) : value;
      below = to;
      const [top, bottom] = [Math.min(y(from), y(to)), Math.max(y(from), y(to))];
      const title = element('title', {}, `${label}, ${periods[index]}: ${value}`);
      const place = { x, y: top, width: bar, height: bottom - top, class: `fin-series-${position}` };
      return [element('rect', place, title), labelled ? figureAt(value, middle, top, bottom) : []];
    });
  };
  const figureAt = (value: Decimal, middle: number, top: number, bottom: number): Content => {
    const look = { size: SIZE, anchor: 'middle' } as const;
    const text = abbreviate(value, measure);
    if (!stacked) return textOnPaper(text, middle, value.startsWith('-') ? bottom + 11 : top - 4, look);
    return bottom - top < MIN_LABELLED ? [] : textOnPaper(text, middle, (top + bottom) / 2 + 4, look);
  };
  const every = Math.ceil((Math.max(...periods.map((period) => textWidth(period, SIZE))) + 6) / bands.step());
  return {
    height: ABOVE + HEIGHT + BELOW,
    content: [
      drawGrid(labels, { left, width, y }),
      periods.map((_, index) => column(index)),
      periods.map((period, index) =>
        // Counted from the newest period, which always has a name.
        (periods.length - 1 - index) % every === 0
          ? textAt(period, leftOf(index) + bands.bandwidth() / 2, ABOVE + HEIGHT + BELOW - 6, QUIET)
          : [],
      ),
    ],
  };
}

const QUIET = { size: SIZE, look: 'fin-quiet', anchor: 'middle' } as const;

interface GridPlace {
  readonly left: number;
  readonly width: number;
  readonly y: (value: Decimal) => number;
}

const drawGrid = (labels: readonly TickLabel[], { left, width, y }: GridPlace): Content =>
  labels.map(({ tick, label }) => [
    element('line', { x1: left, x2: width, y1: y(tick), y2: y(tick), class: isZero(tick) ? 'fin-axis' : 'fin-grid' }),
    textAt(label, left - 6, y(tick) + 4, { size: SIZE, look: 'fin-quiet', anchor: 'end' }),
  ]);
