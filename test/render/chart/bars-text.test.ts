import { expect, test } from 'vitest';
import { drawBarsText } from '../../../src/render/chart/bars-text.ts';
import { measureWidth } from '../../../src/render/text/text-width.ts';
import type { BarChart, BarSeries } from '../../../src/result/blocks.ts';

const makeBarChart = (periods: readonly string[], series: readonly BarSeries[]): BarChart => ({
  kind: 'bars',
  title: 'Revenue, USD',
  periods,
  series,
  measure: 'money',
});

const drawBars = (chart: BarChart, width = 60): string[] =>
  drawBarsText(chart, width).lines.map((spans) => spans.map(({ text }) => text).join(''));

const countBlocks = (text: string | undefined): number => text?.match(/[█▉▊▋▌▍▎▏]/g)?.length ?? 0;

test('the longest bar has the full width, others are proportional, and a missing figure has no bar', () => {
  const values = ['391035000000', null, '195517500000', '1'];
  const lines = drawBars(makeBarChart(['FY2021', 'FY2022', 'FY2023', 'FY2024'], [{ label: '', values }]));
  expect(lines[0]).toMatch(/^FY2021 {2}█{43} {2}391\.04B$/);
  expect(lines[1]).toMatch(/^FY2022 +–$/);
  expect(countBlocks(lines[2])).toBe(22);
  expect(lines[3]).toMatch(/^FY2024 {2}▏ +1$/);
});

test('bars have exact figures on request', () => {
  const chart = makeBarChart(['FY2024'], [{ label: '', values: ['391035000000.50'] }]);
  const [line] = drawBarsText(chart, 60, true).lines;
  expect(line?.map(({ text }) => text).join('')).toMatch(/█ {2}391035000000\.50$/);
});

test('losses are drawn to the left of the axis, in the scale of gains', () => {
  const values = ['-10941000000', '10941000000', '0', '-5470500000'];
  const [lossLine = '', gainLine = '', zeroLine = '', halfLossLine = ''] = drawBars(
    makeBarChart(['A', 'B', 'C', 'D'], [{ label: '', values }]),
  );
  const axisColumn = lossLine.indexOf('│');
  expect([gainLine, zeroLine, halfLossLine].map((text) => text.indexOf('│'))).toEqual([
    axisColumn,
    axisColumn,
    axisColumn,
  ]);
  expect(lossLine.slice(3, axisColumn)).toMatch(/^█+$/);
  expect(gainLine.slice(axisColumn + 1)).toMatch(/^█+[▉▊▋▌▍▎▏]? +10\.94B$/);
  expect(countBlocks(zeroLine)).toBe(0);
  expect(halfLossLine.slice(3, axisColumn)).toMatch(/^ +▐?█+$/);
  expect(Math.abs(countBlocks(halfLossLine) * 2 - countBlocks(lossLine))).toBeLessThanOrEqual(2);
});

test('charts of only losses, only zeros, one figure and no figure are drawn', () => {
  expect(drawBars(makeBarChart(['A'], [{ label: '', values: ['-5'] }]))[0]).toMatch(/^A {2}█+│ +-5$/);
  expect(drawBars(makeBarChart(['A'], [{ label: '', values: ['0'] }]))[0]).toMatch(/^A +0$/);
  expect(drawBars(makeBarChart(['A'], [{ label: '', values: ['7'] }]))[0]).toMatch(/^A {2}█+ {2}7$/);
  expect(drawBars(makeBarChart(['A'], [{ label: '', values: [null] }]))).toEqual([]);
  expect(drawBars(makeBarChart([], []))).toEqual([]);
});

test('several series share a scale, and each is named once with its newest five periods', () => {
  const periods = ['1', '2', '3', '4', '5', '6', '7'];
  const series = [
    { label: 'Greater\u001b[31m China 大中华区', values: periods.map((period) => `${period}0`) },
    { label: 'Japan', values: periods },
  ];
  const { omittedPeriodCount: omittedCount } = drawBarsText(makeBarChart(periods, series), 80);
  const lines = drawBars(makeBarChart(periods, series), 80);
  expect(omittedCount).toBe(2);
  expect(lines).toHaveLength(11);
  expect(lines[0]).toMatch(/^Greater�\[31m Chi/);
  expect(lines[5]).toBe('');
  expect(lines[6]).toMatch(/^Japan/);
  expect(lines[1]).toMatch(/^大中华区 +4/);
  expect(lines[2]).toMatch(/^ +5/);
  expect(countBlocks(lines[4])).toBeGreaterThan(countBlocks(lines[10]) * 9 - 9);
});

test('a name wider than its column continues on the lines of the next periods, and is cut only after the last period', () => {
  const label = 'Rest of Asia Pacific and Oceania Segment';
  const drawLabelColumn = (periods: readonly string[]) =>
    drawBars(makeBarChart(periods, [{ label, values: periods }])).map((line) =>
      line.slice(0, 18).replace(/ +\d?$/, ''),
    );
  expect(drawLabelColumn(['1', '2', '3', '4'])).toEqual(['Rest of Asia', 'Pacific and', 'Oceania Segment', '']);
  expect(drawLabelColumn(['1', '2'])).toEqual(['Rest of Asia', 'Pacific and Ocean…']);
});

test('no line of a chart exceeds its width, from 60 to 200 columns', () => {
  const label = 'A very long name of a segment that goes on and on, of a company 株式会社';
  for (const width of [60, 80, 120, 200]) {
    const lines = drawBars(
      makeBarChart(
        ['FY2023', 'FY2024'],
        [
          { label, values: ['-123456789.01', '1'] },
          { label, values: [null, '99'] },
        ],
      ),
      width,
    );
    expect(Math.max(...lines.map(measureWidth))).toBeLessThanOrEqual(width);
  }
});

test('companies are grouped by period, the newest five of them', () => {
  const periods = ['2020', '2021', '2022', '2023', '2024', '2025'];
  const series = ['AAPL', 'MSFT'].map((label, index) => ({ label, values: periods.map(() => `${index + 1}`) }));
  const chart: BarChart = { ...makeBarChart(periods, series), together: 'beside' };
  const lines = drawBars(chart);
  expect(drawBarsText(chart, 60).omittedPeriodCount).toBe(1);
  expect(lines.filter((text) => text !== '')).toHaveLength(10);
  expect(lines[0]).toMatch(/^2021 {2}AAPL {2}█+▌? +1$/);
  expect(lines[1]).toMatch(/^ {6}MSFT {2}█+ {2}2$/);
  expect(lines[2]).toBe('');
});
