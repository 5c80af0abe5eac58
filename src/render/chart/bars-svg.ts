/**
 * Draws figures of periods as SVG bars, earliest period on the left: all series in one plot, or one panel per series on
 * a common scale.
 */
import { scaleBand } from 'd3-scale';
import type { Decimal } from '../../contract/decimal-text.ts';
import type { Measure } from '../../contract/statements/formula.ts';
import type { BarChart, BarSeries } from '../../result/chart.ts';
import { abbreviate } from '../text/format-values.ts';
import { computeSpaceBelow, drawGrid, drawPeriods, FONT_SIZE } from './bars-frame-svg.ts';
import { drawSeriesTogether } from './bars-together-svg.ts';
import { type MarkupContent, makeElement, type Plot, wrapIn } from './markup.ts';
import { type FigureScale, labelTicks, makeFigureScale } from './scales.ts';
import { drawTextAt, drawTextOnBackground, estimateWidth, shorten } from './svg-text.ts';

const PANEL_GAP = 16;
/** Space above the bars for the highest bar's figure and, if the panel has a name, for the name. */
const [SPACE_ABOVE_NAMED, SPACE_ABOVE_UNNAMED] = [26, 16];
/** Space at the right for the overhang of the newest period's name. */
const RIGHT_MARGIN = 18;
const [SINGLE_PANEL_STEPS, SMALL_PANEL_STEPS] = [5, 3];
const [SINGLE_PANEL_HEIGHT, SMALL_PANEL_HEIGHT] = [150, 100];

export function drawBarsSvg(chart: BarChart, width: number): Plot | null {
  const { periods, series, measure } = chart;
  const values = series.flatMap((series) => series.values.flatMap((value) => value ?? []));
  if (values.length === 0) return null;
  const table = {
    head: ['Period', ...series.map(({ label }) => label || 'Value')],
    rows: periods.map((name, index) => ({ name, values: series.map((series) => series.values[index] ?? null) })),
  };
  const combined = drawSeriesTogether(chart, width);
  if (combined !== null) return { ...combined, description: describeBars(periods, series, measure), table };
  const scale = makeFigureScale(values, series.length > 1 ? SMALL_PANEL_STEPS : SINGLE_PANEL_STEPS, true);
  const columns = series.length > 1 ? 2 : 1;
  const spaceAbove = series.some(({ label }) => label !== '') ? SPACE_ABOVE_NAMED : SPACE_ABOVE_UNNAMED;
  const panel = {
    ...{ spaceAbove, spaceBelow: computeSpaceBelow(values) },
    width: (width - PANEL_GAP * (columns - 1)) / columns,
    barHeight: columns > 1 ? SMALL_PANEL_HEIGHT : SINGLE_PANEL_HEIGHT,
  };
  const panelPitch = panel.barHeight + spaceAbove + panel.spaceBelow + (columns > 1 ? PANEL_GAP : 0);
  return {
    height: panelPitch * Math.ceil(series.length / columns),
    description: describeBars(periods, series, measure),
    content: series.map((series, index) => {
      const x = Math.round((index % columns) * (panel.width + PANEL_GAP));
      const y = Math.floor(index / columns) * panelPitch;
      const content = drawPanel(series, { periods, scale, measure, ...panel });
      return makeElement('g', { transform: `translate(${x} ${y})` }, content);
    }),
    table,
  };
}

interface Panel {
  readonly periods: readonly string[];
  readonly scale: FigureScale;
  readonly measure: Measure;
  readonly spaceAbove: number;
  readonly spaceBelow: number;
  readonly width: number;
  readonly barHeight: number;
}

function drawPanel({ label, values }: BarSeries, panel: Panel): MarkupContent {
  const { periods, scale, measure, spaceAbove, spaceBelow, width, barHeight } = panel;
  const ticks = labelTicks(scale.ticks, measure);
  const left = Math.max(...ticks.map(({ label: text }) => estimateWidth(text, FONT_SIZE))) + 8;
  const computeY = (value: Decimal): number => spaceAbove + (1 - scale.placeOf(value)) * barHeight;
  const right = width - RIGHT_MARGIN;
  const bands = scaleBand<number>([...periods.keys()], [left, right])
    .paddingInner(0.25)
    .paddingOuter(0.1);
  const findBarLeft = (index: number): number => {
    const start = bands(index);
    if (start === undefined) throw new Error(`no bar is planned for period ${index}`);
    return start;
  };
  const middleOf = (index: number): number => findBarLeft(index) + bands.bandwidth() / 2;
  const fitsBand = (value: Decimal): boolean => estimateWidth(abbreviate(value, measure), FONT_SIZE) < bands.step();
  const fits = values.every((value) => value === null || fitsBand(value));
  return [
    label === '' ? [] : drawTextAt(shorten(label, FONT_SIZE + 1, width), 0, 12, { size: FONT_SIZE + 1, bold: true }),
    drawGrid(ticks, { left, right, computeY }),
    values.map((value, index) => {
      const style = { size: FONT_SIZE, look: 'fin-quiet', anchor: 'middle' } as const;
      if (value === null) return drawTextAt('–', middleOf(index), computeY('0') - 4, style);
      const isNegative = value.startsWith('-');
      const [top, bottom] = isNegative ? [computeY('0'), computeY(value)] : [computeY(value), computeY('0')];
      const look = isNegative ? 'fin-loss' : 'fin-gain';
      const y = isNegative ? bottom + 11 : top - 4;
      return [
        makeElement(
          'rect',
          { x: findBarLeft(index), y: top, width: bands.bandwidth(), height: bottom - top, class: look },
          wrapIn('title', `${periods[index]}: ${value}`),
        ),
        fits ? drawTextOnBackground(abbreviate(value, measure), middleOf(index), y, { ...style, look: 'fin-ink' }) : [],
      ];
    }),
    drawPeriods(periods, { step: bands.step(), y: spaceAbove + barHeight + spaceBelow - 6, computeMiddle: middleOf }),
  ];
}

const describeBars = (periods: readonly string[], series: readonly BarSeries[], measure: Measure): string =>
  series
    .map(({ label, values }) => {
      const texts = values.flatMap((value, index) => {
        return value === null ? [] : [`${abbreviate(value, measure)} in ${periods[index]}`];
      });
      const [first = 'no values', last] = [texts[0], texts.length > 1 ? texts.at(-1) : undefined];
      return `${label === '' ? '' : `${label}: `}${last === undefined ? first : `from ${first} to ${last}`}.`;
    })
    .join(' ');
