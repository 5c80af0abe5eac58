import { expect, test } from 'vitest';
import type { MetricValue } from '../../../src/contract/resources/metrics.ts';
import { type ComparisonChoice, compareCompanies, findCalendarPeriod } from '../../../src/questions/compare/align.ts';
import {
  layOut,
  makeCharts,
  makeComparisonNotices,
  makeComparisonTable,
} from '../../../src/questions/compare/comparison.ts';
import { makeRows } from '../../../src/result/table.ts';
import { META, makeAppleFigure } from '../envelopes.ts';
import { formatNotices } from '../result-of.ts';

type Comparison = ReturnType<typeof compareCompanies>;
const listNotices = (comparison: Comparison) => formatNotices({ notices: makeComparisonNotices(comparison, META, 0) });
const makeComparisonRows = (comparison: Comparison) => makeRows(makeComparisonTable(comparison, false));

const makeRevenueFigure = (
  ticker: string,
  end: string,
  value: string,
  overrides: Partial<MetricValue> = {},
): MetricValue =>
  makeAppleFigure({ metric_key: 'revenue', metric_label: 'Revenue', ticker, end_date: end, value, ...overrides });

const APPLE_COMPANY = {
  ticker: 'AAPL',
  values: [makeRevenueFigure('AAPL', '2025-09-27', '416'), makeRevenueFigure('AAPL', '2024-09-28', '391')],
};
const MICROSOFT_COMPANY = {
  ticker: 'MSFT',
  values: [
    makeRevenueFigure('MSFT', '2026-06-30', '300'),
    makeRevenueFigure('MSFT', '2025-06-30', '281'),
    makeRevenueFigure('MSFT', '2024-06-30', '245'),
  ],
};
const ANNUAL_CHOICE: ComparisonChoice = { period: 'annual', keys: ['revenue'], periodCount: null };

test('a period belongs to the calendar period that has most of its months', () => {
  const cases: [end: string, period: ComparisonChoice['period'], name: string][] = [
    ['2025-12-31', 'annual', '2025'],
    // NVIDIA's fiscal year 2026 and Apple's 2025.
    ['2026-01-25', 'annual', '2025'],
    ['2025-09-27', 'annual', '2025'],
    ['2026-05-31', 'annual', '2025'],
    ['2025-06-01', 'annual', '2024'],
    // Six months in each of two years.
    ['2025-06-30', 'annual', '2025'],
    ['2020-07-03', 'annual', '2020'],
    ['2023-01-01', 'annual', '2022'],
    ['2022-04-02', 'quarterly', '2022-Q1'],
    ['2026-01-25', 'quarterly', '2025-Q4'],
    ['2025-10-31', 'quarterly', '2025-Q3'],
    ['2025-02-28', 'quarterly', '2025-Q1'],
    ['2025-11-30', 'quarterly', '2025-Q4'],
    ['2025-09-27', 'ttm', '2025-Q3'],
    ['2026-01-25', 'ttm', '2025-Q4'],
  ];
  for (const [end, period, name] of cases) expect(findCalendarPeriod(end, period), `${end} ${period}`).toBe(name);
});

test('the latest period that more than half of the companies have is shown, even if all have the one before', () => {
  const makeCompany = (ticker: string, years: readonly number[]) => ({
    ticker,
    values: years.map((year) => makeRevenueFigure(ticker, `${year}-12-31`, '1')),
  });
  const companies = ['A', 'B', 'C'].map((ticker) => makeCompany(ticker, [2025, 2024]));
  expect(compareCompanies([...companies, makeCompany('D', [2024])], ANNUAL_CHOICE).periods).toEqual(['2025']);
  const others = ['D', 'E', 'F'].map((ticker) => makeCompany(ticker, [2024]));
  expect(compareCompanies([...companies, ...others], ANNUAL_CHOICE).periods).toEqual(['2024']);
});

test('the ends of the compared periods are shown', () => {
  const [, table] = layOut(compareCompanies([APPLE_COMPANY, MICROSOFT_COMPANY], ANNUAL_CHOICE));
  expect(table).toMatchObject({
    columns: [{}, { title: 'AAPL', subtitle: '2025-09-27' }, { title: 'MSFT', subtitle: '2025-06-30' }],
  });
});

test('by default the latest period that most companies with current figures have is shown', () => {
  const { periods, valueIn } = compareCompanies([APPLE_COMPANY, MICROSOFT_COMPANY], ANNUAL_CHOICE);
  expect(periods).toEqual(['2025']);
  expect(valueIn(APPLE_COMPANY, 'revenue', '2025')?.value).toBe('416');
  expect(valueIn(MICROSOFT_COMPANY, 'revenue', '2025')?.value).toBe('281');
  expect(compareCompanies([APPLE_COMPANY, MICROSOFT_COMPANY], { ...ANNUAL_CHOICE, periodCount: 2 }).periods).toEqual([
    '2026',
    '2025',
  ]);
  // A company that stopped filing does not move the common period of the other companies back.
  const staleCompany = {
    ticker: 'OLD',
    values: [makeRevenueFigure('OLD', '2024-12-31', '1'), makeRevenueFigure('OLD', '2023-12-31', '1')],
  };
  const comparison = compareCompanies([APPLE_COMPANY, MICROSOFT_COMPANY, staleCompany], ANNUAL_CHOICE);
  expect(comparison.periods).toEqual(['2025']);
  expect(listNotices(comparison)).toEqual([
    'Companies without values in this period: OLD.',
    'OLD: the latest figures are for the period to 2024-12-31.',
  ]);
});

test('figures of different kinds of period are not compared', () => {
  const quarterFigure = makeRevenueFigure('AAPL', '2025-12-27', '143', { period_kind: 'quarter' });
  const cashFigure = makeRevenueFigure('AAPL', '2026-03-28', '9', {
    metric_key: 'cash_and_equivalents',
    period_kind: 'instant',
  });
  const twelveMonthsFigure = makeRevenueFigure('AAPL', '2025-09-27', '416', { period_kind: 'ttm' });
  const company = { ticker: 'AAPL', values: [quarterFigure, cashFigure, twelveMonthsFigure] };
  const keys = ['revenue', 'cash_and_equivalents'];
  const listRows = (period: ComparisonChoice['period']) => [
    ...makeComparisonRows(compareCompanies([company], { period, keys, periodCount: 9 })).rows,
  ];
  expect(listRows('annual').map((row) => row[0])).toEqual(['cash_and_equivalents']);
  expect(listRows('quarterly').map((row) => [row[0], row[2]])).toEqual([
    ['revenue', '2025-Q4'],
    ['cash_and_equivalents', '2026-Q1'],
  ]);
  expect(listRows('ttm').map((row) => [row[0], row[2]])).toContainEqual(['revenue', '2025-Q3']);
});

test('amounts in another currency are marked in cells, rows and a notice, and not converted', () => {
  const asmlCompany = { ticker: 'ASML', values: [makeRevenueFigure('ASML', '2025-12-31', '32', { unit: 'EUR' })] };
  const comparison = compareCompanies([APPLE_COMPANY, MICROSOFT_COMPANY, asmlCompany], ANNUAL_CHOICE);
  expect(comparison.currency).toBe('USD');
  expect(listNotices(comparison)).toEqual(['Amounts in currencies other than USD are not converted: ASML in EUR.']);
  const [head, table] = layOut(comparison);
  expect(head).toMatchObject({ text: 'Revenue, fiscal years that mostly cover 2025, in USD' });
  expect(table).toMatchObject({
    rows: [['Revenue', { figure: '416', mark: '    ' }, { figure: '281' }, { figure: '32', mark: ' EUR' }]],
  });
  const { columns, rows } = makeComparisonRows(comparison);
  expect([...rows].map((row) => [row[columns.indexOf('value')], row[columns.indexOf('unit')]])).toEqual([
    ['416', 'USD'],
    ['281', 'USD'],
    ['32', 'EUR'],
  ]);
});

test('if a company states two currencies, the amount in the currency of the other companies is compared', () => {
  const valuesInTwoCurrencies = [
    makeRevenueFigure('TSM', '2025-12-31', '3809', { unit: 'TWD' }),
    makeRevenueFigure('TSM', '2025-12-31', '122'),
  ];
  const comparison = compareCompanies(
    [APPLE_COMPANY, MICROSOFT_COMPANY, { ticker: 'TSM', values: valuesInTwoCurrencies }],
    ANNUAL_CHOICE,
  );
  expect(listNotices(comparison)).toEqual([]);
  expect(comparison.valueIn({ ticker: 'TSM', values: valuesInTwoCurrencies }, 'revenue', '2025')?.value).toBe('122');
});

test('missing values are named, and the client does not compute trailing twelve months', () => {
  const ttmComparison = compareCompanies([APPLE_COMPANY, MICROSOFT_COMPANY], { ...ANNUAL_CHOICE, period: 'ttm' });
  expect(layOut(ttmComparison)).toEqual([]);
  expect(listNotices(ttmComparison).join()).toContain('no trailing twelve months');
  const comparison = compareCompanies([APPLE_COMPANY, MICROSOFT_COMPANY], {
    ...ANNUAL_CHOICE,
    keys: ['revenue', 'roe'],
  });
  expect(listNotices(comparison)).toEqual(['Metrics without values in this period: roe.']);
});

test('more than four companies are printed as rows', () => {
  const companies = ['A', 'B', 'C', 'D', 'E'].map((ticker) => ({
    ticker,
    values: [makeRevenueFigure(ticker, '2025-12-31', '1'), makeRevenueFigure(ticker, '2024-12-31', '2')],
  }));
  const [, table] = layOut(compareCompanies(companies, { ...ANNUAL_CHOICE, periodCount: 2 }));
  expect(table).toMatchObject({ columns: [{ title: 'Ticker' }, { title: '2025' }, { title: '2024' }] });
});

test('a change between covers is shown with the day of the later cover, which is no end of a fiscal year', () => {
  const makeShares = (ticker: string, fiscalYear: number, end: string, value: string) =>
    makeRevenueFigure(ticker, end, value, {
      ...{ metric_key: 'shares_change', unit: 'pure', statement: 'derived', start_date: null },
      ...{ period_kind: 'instant', fiscal_year: fiscalYear, fiscal_period: 'FY' },
    });
  const comparison = compareCompanies(
    [{ ticker: 'AAPL', values: [...APPLE_COMPANY.values, makeShares('AAPL', 2025, '2025-10-17', '-0.022')] }],
    { period: 'annual', keys: ['revenue', 'shares_change'], periodCount: null },
  );
  const [, table] = layOut(comparison);
  expect(table).toMatchObject({
    columns: [{}, { subtitle: '2025-09-27' }],
    rows: [
      [{}, { mark: '' }],
      [{}, { mark: ' (2025-10-17)' }],
    ],
  });
});

test("a company's own translation is marked in the table and in the chart", () => {
  const makeTaiwanFigure = (end: string, value: string, unit: string) => makeRevenueFigure('TSM', end, value, { unit });
  const values = [makeTaiwanFigure('2024-12-31', '2894', 'TWD'), makeTaiwanFigure('2024-12-31', '88', 'USD')];
  const companies = [APPLE_COMPANY, { ticker: 'TSM', values }];
  const comparison = compareCompanies(companies, { ...ANNUAL_CHOICE, periodCount: 2 });
  expect(JSON.stringify(layOut(comparison))).toContain('{"figure":"88","measure":"money","mark":"≈"}');
  const { draw, notes } = makeCharts(comparison);
  expect(draw().flatMap(({ series }) => series.map(({ label }) => label))).toEqual(['AAPL', 'TSM ≈']);
  expect(notes().join(' ')).toContain("Some values of TSM: the company's own translation");
});
