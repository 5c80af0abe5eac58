import { expect, test } from 'vitest';
import type { Segments } from '../../src/contract/resources/segments.ts';
import { makePeriodsFilter, readSegmentPeriodChoice } from '../../src/questions/periods/period-counts.ts';
import { formatNotices } from './result-of.ts';

const makePeriod = (year: number, end: string) => ({
  fiscal_year: year,
  fiscal_period: 'FY',
  end_date: end,
  accession_number: '0000320193-24-000123',
  form: '10-K',
});

const makeMeasure = (
  concept: string,
  ends: readonly [number, string][],
  ...members: [string, (string | null)[]][]
) => ({
  measure: 'revenue' as const,
  concept,
  unit: 'USD',
  periods: ends.map(([year, end]) => makePeriod(year, end)),
  totals: ends.map(([year]) => `${year}`),
  members: members.map(([member, values]) => ({ member, label: member, values })),
});

/** Periods in ascending order. iPhone has no figure after 2015, and Retail has none after 2022. */
const SEGMENTS: Segments = {
  cik: 320193,
  ticker: 'AAPL',
  entity_name: 'Apple Inc.',
  period: 'annual',
  documents: 3,
  axes: [
    {
      axis: 'segment',
      measures: [
        makeMeasure(
          'us-gaap:Revenues',
          [
            [2022, '2022-09-24'],
            [2023, '2023-09-30'],
            [2024, '2024-09-28'],
          ],
          ['Americas', ['1', '2', '3']],
          ['Retail', ['4', null, null]],
        ),
      ],
    },
    { axis: 'product', measures: [makeMeasure('us-gaap:SalesRevenueNet', [[2015, '2015-09-26']], ['iPhone', ['5']])] },
  ],
};

const limitPeriods = (count: number) => {
  const { apply, notices } = makePeriodsFilter({ period: 'annual', count });
  const data = apply(SEGMENTS, {});
  return { axes: data.axes, notices: formatNotices({ notices: notices(SEGMENTS, data, {}) }) };
};

test('the newest periods are kept, with the measures and members that have figures in them', () => {
  const { axes, notices } = limitPeriods(2);
  expect(notices).toEqual([]);
  expect(axes.map(({ axis }) => axis)).toEqual(['segment']);
  expect(axes[0]?.measures).toMatchObject([
    {
      periods: [{ fiscal_year: 2023 }, { fiscal_year: 2024 }],
      totals: ['2023', '2024'],
      members: [{ member: 'Americas', values: ['2', '3'] }],
    },
  ]);
});

test('a request for more periods than exist shows all of them, and a notice counts them', () => {
  const { axes, notices } = limitPeriods(5);
  expect(axes).toEqual(SEGMENTS.axes);
  expect(notices).toEqual(["This release has the company's segments for only 4 fiscal years."]);
});

test.each([
  [{ years: ['3'] }, { period: 'annual', count: 3 }],
  [
    { quarters: ['8'], period: ['quarterly'] },
    { period: 'quarterly', count: 8 },
  ],
  [{ period: ['quarterly'] }, null],
])('%j requests %j', (options, requestedPeriods) => {
  expect(readSegmentPeriodChoice(new Map(Object.entries(options)))).toEqual(requestedPeriods);
});

test.each([
  [
    { years: ['3'], period: ['quarterly'] },
    '--years shows fiscal years; it cannot be combined with --period quarterly.',
  ],
  [{ quarters: ['3'], period: ['annual'] }, '--quarters shows quarters; it cannot be combined with --period annual.'],
  [{ years: ['0'] }, '--years takes a whole number from 1 to 200, not "0".'],
  [{ years: ['1'], quarters: ['1'] }, '--years and --quarters cannot be combined; choose one.'],
])('%j is refused', (options, message) => {
  expect(() => readSegmentPeriodChoice(new Map(Object.entries(options)))).toThrow(message);
});
