/** Blocks with charts: simple charts, difficult charts, and charts whose text tries to break out of the markup. */

import type { BarChart, ChartPoint, LineChart } from '../../../src/result/blocks.ts';
import {
  type Block,
  makeChartBlock,
  makeFieldsBlock,
  makeFigureCell,
  makeNoteBlock,
  makeTitleBlock,
} from '../../../src/result/blocks.ts';

/** Apple's closing prices around its 4:1 split of 2020-08-31, adjusted for the split. */
const APPLE_PRICES: readonly ChartPoint[] = [
  { day: '2020-08-27', value: '125.01' },
  { day: '2020-08-28', value: '124.8075' },
  { day: '2020-08-31', value: '129.04' },
  { day: '2020-09-01', value: '134.18' },
];

export const ATTRIBUTION = 'Prices derived from public data of the SEC. https://www.sec.gov/about/privacy-information';

export const makeLineChart = (runs: LineChart['runs'], marks: LineChart['marks'] = []): LineChart => ({
  kind: 'line',
  title: 'Price, adjusted for splits',
  runs,
  marks,
  measure: 'per_share',
});

export const makeBarChart = (series: BarChart['series'], periods: readonly string[]): BarChart => ({
  kind: 'bars',
  title: 'Net income, USD',
  periods,
  series,
  measure: 'money',
});

export const PRICE_CHART: readonly Block[] = [
  makeTitleBlock('Apple Inc. (AAPL): 2020-08-27 to 2020-12-31'),
  makeFieldsBlock([['Price', makeFigureCell('132.69', 'per_share')]]),
  makeChartBlock(
    makeLineChart(
      [APPLE_PRICES, [{ day: '2020-12-31', value: '132.69' }]],
      [{ day: '2020-08-31', label: 'split 4:1' }],
    ),
  ),
  makeNoteBlock(ATTRIBUTION),
];

/** Kraft Heinz's net income: a loss in 2018, a gain in 2019, and no figure for 2020. */
export const LOSS_CHART: readonly Block[] = [
  makeTitleBlock('Kraft Heinz Co (KHC): annual'),
  makeChartBlock(
    makeBarChart(
      [{ label: '', values: ['10941000000', '-10192000000', '1935000000', null] }],
      ['FY2017', 'FY2018', 'FY2019', 'FY2020'],
    ),
  ),
];

const YEARS = Array.from({ length: 15 }, (_, index) => `FY${2010 + index}`);
export const SEGMENT_CHART: readonly Block[] = [
  makeTitleBlock('Long & Sons (LONG): segments, annual'),
  makeChartBlock(
    makeBarChart(
      [
        'Americas',
        'A segment whose name is a good deal longer than the panel that it stands over is wide',
        '大中华区',
      ].map((label, position) => ({
        label,
        values: YEARS.map((_, index) => `${(index + 1) * (position + 1)}00000000.25`),
      })),
      YEARS,
    ),
  ),
];

export const SIDE_BY_SIDE_CHART: readonly Block[] = [
  makeChartBlock({
    ...makeBarChart(
      [
        { label: 'AAPL', values: ['391035000000', '416161000000'] },
        { label: 'MSFT', values: ['245122000000', null] },
      ],
      ['2024', '2025'],
    ),
    together: 'beside',
  }),
];

export const STACKED_CHART: readonly Block[] = [
  makeChartBlock({
    ...makeBarChart(
      [
        { label: 'Products', values: ['300', '330'] },
        { label: 'Services', values: ['100', '110'] },
      ],
      ['FY2024', 'FY2025'],
    ),
    together: 'stacked',
  }),
];

const HOSTILE_TEXT = `</text></svg><script>document.title="owned"</script> "'&amp; \u0000\u001b[31m\u202e\ud800 <img src="https://example.org/x" onerror="alert(1)">`;
export const HOSTILE_CHARTS: readonly Block[] = [
  makeTitleBlock(HOSTILE_TEXT),
  makeFieldsBlock([[HOSTILE_TEXT, { text: HOSTILE_TEXT }]]),
  makeChartBlock({
    ...makeLineChart([APPLE_PRICES], [{ day: '2020-08-31', label: HOSTILE_TEXT }]),
    title: HOSTILE_TEXT,
  }),
  makeChartBlock({
    ...makeBarChart(
      [
        { label: HOSTILE_TEXT, values: ['1', '-2'] },
        { label: HOSTILE_TEXT, values: [null, '3'] },
      ],
      [HOSTILE_TEXT, HOSTILE_TEXT],
    ),
    title: HOSTILE_TEXT,
  }),
  makeChartBlock({
    ...makeBarChart(
      [HOSTILE_TEXT, HOSTILE_TEXT].map((label) => ({ label, values: ['1'] })),
      [HOSTILE_TEXT],
    ),
    together: 'stacked',
  }),
  makeNoteBlock(`${HOSTILE_TEXT} javascript:alert(1)`),
  makeNoteBlock(`${HOSTILE_TEXT} https://example.org/"><script>document.title="owned"</script>`),
];

export const SINGLE_VALUE_CHARTS: readonly Block[] = [
  makeTitleBlock('One day'),
  makeChartBlock(makeLineChart([APPLE_PRICES.slice(0, 1)])),
  makeChartBlock(makeBarChart([{ label: '', values: ['0'] }], ['FY2024'])),
];

export const EMPTY_CHARTS: readonly Block[] = [
  makeTitleBlock('Nothing'),
  makeChartBlock(makeLineChart([])),
  makeChartBlock(makeBarChart([{ label: '', values: [null] }], ['FY2024'])),
  makeNoteBlock('The answer has no values for a chart.'),
];

export const ALL_CHARTS: Readonly<Record<string, readonly Block[]>> = {
  PRICES: PRICE_CHART,
  LOSSES: LOSS_CHART,
  SEGMENTS: SEGMENT_CHART,
  BESIDE: SIDE_BY_SIDE_CHART,
  STACKED: STACKED_CHART,
  HOSTILE: HOSTILE_CHARTS,
  ONE: SINGLE_VALUE_CHARTS,
  NONE: EMPTY_CHARTS,
};
