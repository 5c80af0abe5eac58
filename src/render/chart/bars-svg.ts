/** Draws figures of periods as SVG, time from left to right: one plot for all series, or a panel per series on one scale. */
import { scaleBand } from 'd3-scale';
import { type Decimal, isZero } from '../../contract/decimal-text.ts';
import type { Measure } from '../../contract/figures/formula.ts';
import type { BarChart, BarSeries } from '../../result/chart.ts';
import { abbreviate } from '../format-values.ts';
import { seriesTogether } from './bars-together-svg.ts';
import { type Content, element } from './markup.ts';
import type { Plot } from './plot.ts';
import { type FigureScale, figureScale, labelTicks } from './scales.ts';
import { shortened, textAt, textOnPaper, textWidth } from './svg-text.ts';

const SIZE = 11;
const [BELOW, GAP] = [24, 16];
/** Space for the panel's name and the figure of the highest bar, or for that figure alone. */
const [NAMED, UNNAMED] = [26, 16];
/** Space for the name of the newest period. */
const RIGHT = 18;
const [STEPS, STEPS_OF_SEVERAL] = [5, 3];
const [HIGH, HIGH_OF_SEVERAL] = [150, 100];

export function barsSvg(chart: BarChart, width: number): Plot | null {
  const { periods, series, measure } = chart;
  const values = series.flatMap((one) => one.values.flatMap((value) => value ?? []));
  if (values.length === 0) return null;
  const table = {
    head: ['Period', ...series.map(({ label }) => label || 'Value')],
    rows: periods.map((name, index) => ({ name, values: series.map((one) => one.values[index] ?? null) })),
  };
  const together = seriesTogether(chart, width);
  if (together !== null) return { ...together, description: describe(periods, series, measure), table };
  const figures = figureScale(values, series.length > 1 ? STEPS_OF_SEVERAL : STEPS, true);
  const across = series.length > 1 ? 2 : 1;
  const above = series.some(({ label }) => label !== '') ? NAMED : UNNAMED;
  const panel = {
    above,
    width: (width - GAP * (across - 1)) / across,
    high: across > 1 ? HIGH_OF_SEVERAL : HIGH,
  };
  const step = panel.high + above + BELOW + (across > 1 ? GAP : 0);
  return {
    height: step * Math.ceil(series.length / across),
    description: describe(periods, series, measure),
    content: series.map((one, index) =>
      element(
        'g',
        {
          transform: `translate(${Math.round((index % across) * (panel.width + GAP))} ${Math.floor(index / across) * step})`,
        },
        drawPanel(one, { periods, figures, measure, ...panel }),
      ),
    ),
    table,
  };
}

interface Panel {
  readonly periods: readonly string[];
  readonly figures: FigureScale;
  readonly measure: Measure;
  readonly above: number;
  readonly width: number;
  readonly high: number;
}

function drawPanel({ label, values }: BarSeries, { periods, figures, measure, above, width, high }: Panel): Content {
  const labels = labelTicks(figures.ticks, measure);
  const left = Math.max(...labels.map(({ label: text }) => textWidth(text, SIZE))) + 8;
  const y = (value: Decimal): number => above + (1 - figures.place(value)) * high;
  const right = width - RIGHT;
  const bands = scaleBand<number>([...periods.keys()], [left, right])
    .paddingInner(0.25)
    .paddingOuter(0.1);
  const leftOf = (index: number): number => {
    const x = bands(index);
    if (x === undefined) throw new Error(`no bar is planned for period ${index}`);
    return x;
  };
  const middle = (index: number): number => leftOf(index) + bands.bandwidth() / 2;
  const roomy = values.every((value) => value === null || textWidth(abbreviate(value, measure), SIZE) < bands.step());
  const every = Math.ceil((Math.max(...periods.map((period) => textWidth(period, SIZE))) + 6) / bands.step());
  return [
    label === '' ? [] : textAt(shortened(label, SIZE + 1, width), 0, 12, { size: SIZE + 1, bold: true }),
    labels.map(({ tick, label: text }) => [
      element('line', { x1: left, x2: right, y1: y(tick), y2: y(tick), class: isZero(tick) ? 'fin-axis' : 'fin-grid' }),
      textAt(text, left - 6, y(tick) + 4, { size: SIZE, look: 'fin-quiet', anchor: 'end' }),
    ]),
    values.map((value, index) => {
      if (value === null)
        return textAt('–', middle(index), y('0') - 4, { size: SIZE, look: 'fin-quiet', anchor: 'middle' });
      const negative = value.startsWith('-');
      const [top, bottom] = negative ? [y('0'), y(value)] : [y(value), y('0')];
      return [
        element(
          'rect',
          {
            x: leftOf(index),
            y: top,
            width: bands.bandwidth(),
            height: bottom - top,
            class: negative ? 'fin-loss' : 'fin-gain',
          },
          element('title', {}, `${periods[index]}: ${value}`),
        ),
        roomy
          ? textOnPaper(abbreviate(value, measure), middle(index), negative ? bottom + 11 : top - 4, {
              size: SIZE,
              anchor: 'middle',
            })
          : [],
      ];
    }),
    periods.map((period, index) =>
      // Counted from the newest period, which always has a name.
      (periods.length - 1 - index) % every === 0
        ? textAt(period, middle(index), above + high + BELOW - 6, { size: SIZE, look: 'fin-quiet', anchor: 'middle' })
        : [],
    ),
  ];
}

function describe(periods: readonly string[], series: readonly BarSeries[], measure: Measure): string {
  return series
    .map(({ label, values }) => {
      const known = values.flatMap((value, index) =>
        value === null ? [] : [`${abbreviate(value, measure)} in ${periods[index]}`],
      );
      const [first = 'no values', last] = [known[0], known.length > 1 ? known.at(-1) : undefined];
      return `${label === '' ? '' : `${label}: `}${last === undefined ? first : `from ${first} to ${last}`}.`;
    })
    .join(' ');
}
