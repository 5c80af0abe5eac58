import { expect, test } from 'vitest';
import { drawLineText } from '../../../src/render/chart/line-text.ts';
import { measureWidth } from '../../../src/render/text/text-width.ts';
import type { ChartMark, ChartPoint, LineChart } from '../../../src/result/blocks.ts';

const makeDailyPoints = (from: string, count: number, value: (index: number) => string): ChartPoint[] =>
  Array.from({ length: count }, (_, index) => ({
    day: new Date(Date.parse(from) + index * 86_400_000).toISOString().slice(0, 10),
    value: value(index),
  }));

const makeLineChart = (runs: readonly (readonly ChartPoint[])[], marks: readonly ChartMark[] = []): LineChart => ({
  kind: 'line',
  title: 'Price',
  runs,
  marks,
  measure: 'per_share',
});

const drawLine = (chart: LineChart, width: number): string[] =>
  drawLineText(chart, width).map((spans) => spans.map(({ text }) => text).join(''));

const DOT_PATTERN = /[⠁-⣿]/;

test('a rising price is drawn from the lower left to the upper right, between round figures and dates', () => {
  const lines = drawLine(makeLineChart([makeDailyPoints('2026-01-01', 60, (index) => String(100 + index))]), 46);
  expect(lines[0]).toMatch(/^160 ┤ +[⠀-⣿]+$/);
  expect(lines.at(-3)).toMatch(/^100 ┤[⠀-⣿]+$/);
  expect(lines.at(-2)).toMatch(/^ {4}└┬─+┬$/);
  expect(lines.at(-1)).toMatch(/^ {5}2026-01-01 +2026-03-01$/);
});

test('axis labels are round figures at equal distances', () => {
  for (const maxValue of [7, 60, 160, 290, 333, 441, 500, 999]) {
    const lines = drawLine(makeLineChart([makeDailyPoints('2026-01-01', 9, (index) => String(index * maxValue))]), 80);
    const labelledRowIndexes = lines.flatMap((text, index) => (text.includes('┤') ? [index] : []));
    const steps = new Set(labelledRowIndexes.slice(1).map((row, index) => row - (labelledRowIndexes[index] ?? 0)));
    expect(labelledRowIndexes.length).toBeGreaterThan(2);
    expect([...steps]).toHaveLength(1);
  }
});

test('no line of a chart exceeds its width, from 60 to 200 columns, and both end dates are shown', () => {
  for (const width of [60, 80, 100, 120, 160, 200]) {
    const lines = drawLine(makeLineChart([makeDailyPoints('2020-01-01', 700, (index) => String(index % 97))]), width);
    expect(Math.max(...lines.map(measureWidth))).toBeLessThanOrEqual(width);
    expect(lines.at(-1)).toMatch(/^ +2020-01-01 .*2021-11-30$/);
  }
});

test('a line joins the days of a run, and nothing is drawn between runs', () => {
  const [firstRun, secondRun] = [
    makeDailyPoints('2026-01-01', 3, () => '5.00'),
    makeDailyPoints('2026-06-01', 3, () => '5.00'),
  ];
  const findDottedRow = (lines: readonly string[]) =>
    lines.find((text) => DOT_PATTERN.test(text))?.replace(/^.*[┤│]/, '');
  expect(findDottedRow(drawLine(makeLineChart([firstRun, secondRun]), 80))).toMatch(/^[⠁-⣿]{1,3} {50,}[⠁-⣿]{1,3}$/);
  expect(findDottedRow(drawLine(makeLineChart([[...firstRun, ...secondRun]]), 80))).toMatch(/^[⠁-⣿]{60,}$/);
});

test('a split is marked on its day, with its line behind the price, and a split outside the shown days is not', () => {
  const marks = [
    { day: '2026-02-10', label: 'split 4:1' },
    { day: '2027-02-10', label: 'split 9:1' },
  ];
  const lines = drawLine(makeLineChart([makeDailyPoints('2026-01-01', 60, (index) => String(100 + index))], marks), 80);
  expect(lines[0]).toMatch(/^ +split 4:1$/);
  const column = lines[1]?.indexOf('┊') ?? 0;
  expect(Math.abs((lines[0]?.indexOf('split') ?? 0) + 4 - column)).toBeLessThanOrEqual(1);
  expect(lines.join()).not.toContain('9:1');
  const linesWithoutMark = drawLine(
    makeLineChart([makeDailyPoints('2026-01-01', 60, (index) => String(100 + index))]),
    80,
  );
  expect(lines.slice(1).map((text) => text.replaceAll('┊', ' ').trimEnd())).toEqual(linesWithoutMark);
});

test('heights are computed from all digits, and labels that would be equal are exact', () => {
  const lines = drawLine(
    makeLineChart([
      [
        { day: '2026-01-01', value: '0.00000000000000000001' },
        { day: '2026-01-31', value: '0.00000000000000000003' },
      ],
    ]),
    80,
  );
  expect(lines[0]).toMatch(/^ *0\.00000000000000000003 ┤ .*[⠁-⣿]$/);
  expect(lines.at(-3)).toMatch(/^ *0\.00000000000000000001 ┤[⠁-⣿]/);
});

test('one day is a dot in the middle, and no chart is drawn without days or room', () => {
  const lines = drawLine(makeLineChart([[{ day: '2026-01-01', value: '12.34' }]]), 80);
  expect(lines.filter((text) => DOT_PATTERN.test(text))).toHaveLength(1);
  expect(lines.at(-1)?.trim()).toBe('2026-01-01');
  expect(drawLine(makeLineChart([]), 80)).toEqual([]);
  expect(drawLine(makeLineChart([makeDailyPoints('2026-01-01', 9, String)]), 30)).toEqual([]);
});
