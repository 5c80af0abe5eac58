import { expect, test } from 'vitest';
import { COMPANY_METRIC_KEYS } from '../../src/contract/figures.ts';
import type { MetricValue } from '../../src/contract/resources/metrics.ts';
import metrics from '../../src/questions/metrics.ts';
import { findStatementPlace, listStatementKeys } from '../../src/questions/statements/layouts.ts';
import { makeMetricCharts } from '../../src/questions/statements/statement-blocks.ts';
import { createMarkdownRenderer } from '../../src/render/formats/markdown.ts';
import { makeFlatRows } from '../../src/result/result.ts';
import { makeTarget } from '../render/targets.ts';
import { makeAppleFigure } from './envelopes.ts';
import {
  formatNotices,
  makeRecords,
  planCommand,
  type QuestionSettings,
  renderText,
  runWithAnswers,
  runWithData,
} from './result-of.ts';

type Options = Readonly<Record<string, string>>;

const runMetrics = (options: Options, data: readonly MetricValue[], form: QuestionSettings['form'] = 'view') =>
  runWithData(metrics, data, { options, form });

const renderView = async (
  options: Options,
  data: readonly MetricValue[],
  width: number | null = null,
): Promise<string> => renderText(await runMetrics(options, data), width);

const makeRowRecords = async (options: Options, data: readonly MetricValue[]) =>
  makeRecords(await runMetrics(options, data, 'rows'));

const METRIC_FIELDS: Readonly<Record<string, readonly [label: string, statement: string, unit?: string]>> = {
  revenue: ['Revenue', 'income'],
  cost_of_revenue: ['Cost of revenue', 'income'],
  gross_profit: ['Gross profit', 'income'],
  net_income: ['Net income', 'income'],
  eps_diluted: ['Diluted EPS', 'income', 'USD/shares'],
  free_cash_flow: ['Free cash flow', 'cash_flow'],
  cash_and_equivalents: ['Cash and equivalents', 'balance'],
  current_assets: ['Current assets', 'balance'],
  assets: ['Total assets', 'balance'],
};

function makeFigure(key: string, year: number, value: string, overrides: Partial<MetricValue> = {}): MetricValue {
  const [label = key, statement = 'income', unit = 'USD'] = METRIC_FIELDS[key] ?? [];
  const isInstant = statement === 'balance';
  return makeAppleFigure({
    ...{ metric_key: key, metric_label: label, statement, unit, value, fiscal_year: year },
    ...{ period_kind: isInstant ? 'instant' : 'annual', end_date: `${year}-12-31` },
    ...(isInstant ? {} : { start_date: `${year}-01-01` }),
    ...overrides,
  });
}

/** Rows in another order than that of a printed statement. */
const INCOME_FIGURES = [
  makeFigure('eps_diluted', 2025, '-0.06'),
  makeFigure('net_income', 2025, '-250000000'),
  makeFigure('net_income', 2024, '1000000000'),
  makeFigure('net_income', 2023, '800000000'),
  makeFigure('gross_profit', 2025, '6000000000'),
  makeFigure('gross_profit', 2024, '5000000000'),
  makeFigure('cost_of_revenue', 2025, '4000000000'),
  makeFigure('cost_of_revenue', 2024, '5000000000'),
  makeFigure('revenue', 2025, '10000000000'),
  makeFigure('revenue', 2024, '10000000000'),
  makeFigure('revenue', 2023, '8000000000'),
];

test('a statement is printed in its usual order, with indented parts, growth and a legend of letters', async () => {
  expect(await renderView({ statement: 'income', years: '2', growth: '' }, INCOME_FIGURES)).toBe(
    [
      'Apple Inc. (AAPL): income statement, annual, in USD',
      '                       FY2025      FY2024',
      '                   2025-12-31  2024-12-31',
      'Revenue                10.00B      10.00B',
      '  growth                0.0 %     +25.0 %',
      '  Cost of revenue       4.00B       5.00B',
      '    growth            -20.0 %           –',
      'Gross profit            6.00B       5.00B',
      '  growth              +20.0 %           –',
      'Net income           -250.00M       1.00B',
      '  growth             -125.0 %     +25.0 %',
      'Per share',
      'Diluted EPS             -0.06           –',
      'M million, B billion',
      '',
    ].join('\n'),
  );
});

test('a line that only a note states is below the totals if the lines of its total would exceed it', async () => {
  const assets = [
    makeFigure('current_assets', 2025, '600'),
    makeFigure('deferred_tax_assets', 2025, '50', { statement: 'balance' }),
    makeFigure('reported_other_assets', 2025, '400', { statement: 'balance' }),
  ];
  const listLabels = async (total: string) => {
    const text = await renderView({ statement: 'balance' }, [...assets, makeFigure('assets', 2025, total)]);
    return text.split('\n').flatMap((line) => /^ *[a-z_A-Z][a-z_A-Z ]*(?= {2,}\d)/.exec(line)?.[0].trimEnd() ?? []);
  };
  expect(await listLabels('1050')).toEqual([
    ...['Current assets', '  deferred_tax_assets', '  reported_other_assets', 'Total assets'],
  ]);
  expect(await listLabels('1000')).toEqual([
    ...['Current assets', '  reported_other_assets', 'Total assets', 'deferred_tax_assets'],
  ]);
});

test('interest stands above net interest income if a bank reports it, else below operating income', async () => {
  const interest = makeFigure('interest_expense', 2025, '20');
  const listKeys = async (key: string) => {
    const text = await renderView({ statement: 'income' }, [interest, makeFigure(key, 2025, '70')]);
    return ['interest_expense', key].sort((a, b) => text.indexOf(a) - text.indexOf(b));
  };
  expect(await listKeys('net_interest_income')).toEqual(['interest_expense', 'net_interest_income']);
  expect(await listKeys('operating_income')).toEqual(['operating_income', 'interest_expense']);
});

test('on a narrow terminal the requested periods that do not fit follow in a table below', async () => {
  const text = await renderView({ statement: 'income', years: '3' }, INCOME_FIGURES, 45);
  expect(text).toMatch(/ FY2025 +FY2024\n/);
  expect(text).toMatch(/\n\n +FY2023\n[\s\S]*\nRevenue +8\.00B\n/);
  expect(text).not.toContain('did not fit');
});

test('--common-size shows percentages of revenue, in a balance sheet percentages of assets', async () => {
  expect(await renderView({ statement: 'income', 'common-size': '' }, INCOME_FIGURES.slice(6, 10))).toMatch(
    /Cost of revenue +4\.00B +5\.00B\n +of revenue +40\.0 % +50\.0 %\n/,
  );
  const balanceRows = [
    makeFigure('assets', 2025, '8'),
    makeFigure('current_assets', 2025, '2'),
    makeFigure('cash_and_equivalents', 2025, '1'),
    // The balance sheet has no total assets in euros, so this figure's share is unknown.
    makeFigure('cash_and_equivalents', 2025, '1', { unit: 'EUR' }),
  ];
  expect(
    (await makeRowRecords({ statement: 'balance', 'common-size': '' }, balanceRows)).map((row) => [
      row.unit,
      row.common_size,
    ]),
  ).toEqual([
    ['USD', '0.125'],
    ['EUR', null],
    ['USD', '0.25'],
    ['USD', '1'],
  ]);
});

test('--common-size of named metrics also requests revenue and assets, which are not shown', async () => {
  const options = { keys: 'net_income,cash_and_equivalents', years: '1', 'common-size': '' };
  const { question } = await planCommand(metrics, { options, form: 'rows' });
  expect(question.rawParameters).toContainEqual(['keys', 'net_income,cash_and_equivalents,revenue,assets']);
  expect((await makeRowRecords(options, INCOME_FIGURES)).map((row) => [row.metric_key, row.common_size])).toEqual([
    ['net_income', '-0.025'],
  ]);
});

test('figures in another currency are in a separate table', async () => {
  const otherCurrencyFields = { unit: 'TWD', value: '320000000000' };
  const text = await renderView({ statement: 'income', years: '1' }, [
    makeFigure('revenue', 2025, '1', otherCurrencyFields),
    ...INCOME_FIGURES,
  ]);
  expect(text.match(/^.*(?:statement|Revenue).*$/gm)).toEqual([
    'Apple Inc. (AAPL): income statement, annual, in USD',
    expect.stringMatching(/^Revenue +10\.00B$/),
    'Apple Inc. (AAPL): income statement, annual, in TWD',
    expect.stringMatching(/^Revenue +320\.00B$/),
  ]);
});

test('rows have comparisons as columns, and the oldest shown year is compared with the year before it', async () => {
  const [firstRow, secondRow] = await makeRowRecords({ years: '1', growth: '' }, INCOME_FIGURES);
  expect(firstRow).toMatchObject({
    metric_key: 'revenue',
    fiscal_year: 2025,
    year_before_value: '10000000000',
    growth: '0',
  });
  expect(secondRow).toMatchObject({ metric_key: 'cost_of_revenue', growth: '-0.2' });
  const listColumns = async (options: Options) =>
    makeFlatRows(await runMetrics(options, INCOME_FIGURES, 'rows')).columns;
  expect(await listColumns({ years: '1' })).toEqual(await listColumns({ period: 'annual' }));
});

test('the mark ‖ shows a change of basis in a series, and no growth is computed across it', async () => {
  const recastRows = [
    makeFigure('revenue', 2025, '33000000000'),
    makeFigure('revenue', 2024, '30000000000', { basis_break: true }),
    makeFigure('revenue', 2023, '50000000000'),
  ];
  expect(await renderView({ statement: 'income', years: '3', growth: '' }, recastRows)).toBe(
    [
      'Apple Inc. (AAPL): income statement, annual, in USD',
      '              FY2025      FY2024      FY2023',
      '          2025-12-31  2024-12-31  2023-12-31',
      'Revenue      33.00B      30.00B‖     50.00B',
      '  growth    +10.0 %           –‖          –',
      '‖ not comparable with the previous period, or a twelve-month value that is not the sum of its quarters: only some values were restated   B billion',
      '',
    ].join('\n'),
  );
  const [, secondRow] = await makeRowRecords({ years: '3', growth: '' }, recastRows);
  expect(secondRow).toMatchObject({ basis_break: true, year_before_value: '50000000000', growth: null });
});

test('a quarter is not compared with the year before across a change of basis', async () => {
  const makeQuarterFigure = (
    quarterNumber: number,
    year: number,
    value: string,
    overrides: Partial<MetricValue> = {},
  ) => {
    const [start, end] = [
      ['01-01', '03-31'],
      ['04-01', '06-30'],
      ['07-01', '09-30'],
      ['10-01', '12-31'],
    ][quarterNumber - 1] as [string, string];
    return makeFigure('revenue', year, value, {
      ...{ period_kind: 'quarter', fiscal_period: `Q${quarterNumber}`, start_date: `${year}-${start}` },
      ...{ end_date: `${year}-${end}`, ...overrides },
    });
  };
  const quarterFigures = [
    makeQuarterFigure(1, 2025, '12'),
    makeQuarterFigure(4, 2024, '11', { basis_break: true }),
    makeQuarterFigure(1, 2024, '20'),
    makeQuarterFigure(4, 2023, '20'),
    makeQuarterFigure(1, 2023, '16'),
  ];
  const statementRows = await makeRowRecords({ quarters: '5', growth: '' }, quarterFigures);
  expect(statementRows.map(({ end_date: end, growth }) => [end, growth])).toEqual([
    ['2025-03-31', null],
    ['2024-12-31', null],
    ['2024-03-31', '0.25'],
    ['2023-12-31', null],
    ['2023-03-31', null],
  ]);
});

test('a per-share figure that may be from before or after a split is omitted, and a notice names its period', async () => {
  const data = [
    makeFigure('eps_diluted', 2025, '1.5', { split_ratio: '1' }),
    makeFigure('eps_diluted', 2024, '6', { split_ratio: null }),
    makeFigure('eps_diluted', 2023, '1.25', { split_ratio: '4' }),
  ];
  const result = await runMetrics({ statement: 'income', years: '3', growth: '' }, data);
  expect(renderText(result, null)).toContain(
    ['Diluted EPS        1.50           –        1.25', '  growth              –           –           –'].join('\n'),
  );
  expect(makeRecords(result).map(({ value }) => value)).toEqual(['1.5', null, '1.25']);
  expect(formatNotices(result)).toEqual([
    'Per-share figures and share counts of some periods are left out, because it is unknown whether they were filed before or after a stock split: FY2024.',
  ]);
});

test('no growth is computed between per-share values from before and after a split', async () => {
  const makeReadFrom = (kind: 'first' | 're_expressed', filed_at: string) => ({
    read_from: { accession_number: '0000320193-20-000096', revision_rank: 2, kind, filed_at, form: '10-K' },
  });
  const epsRows = [
    makeFigure('eps_diluted', 2025, '3', makeReadFrom('first', '2026-02-01')),
    makeFigure('eps_diluted', 2024, '2', makeReadFrom('re_expressed', '2026-02-01')),
    makeFigure('eps_diluted', 2023, '8', makeReadFrom('first', '2024-02-01')),
  ];
  expect((await makeRowRecords({ growth: '', keys: 'eps_diluted' }, epsRows)).map(({ growth }) => growth)).toEqual([
    '0.5',
    null,
    null,
  ]);
  expect(await renderView({ growth: '', keys: 'eps_diluted' }, epsRows)).toMatch(/growth +\+50\.0 % +–\^ +–/);
});

test('quarters are compared with the same quarter of the year before, and --quarters counts quarters', async () => {
  const makeQuarterWithDates = (end: string, start: string, value: string, year: number, fiscalPeriod: string) =>
    makeFigure('revenue', year, value, {
      end_date: end,
      start_date: start,
      period_kind: 'quarter',
      fiscal_period: fiscalPeriod,
    });
  const data = [
    makeQuarterWithDates('2025-06-28', '2025-03-30', '12', 2025, 'Q3'),
    makeQuarterWithDates('2025-03-29', '2024-12-29', '11', 2025, 'Q2'),
    makeQuarterWithDates('2024-06-29', '2024-03-31', '10', 2024, 'Q3'),
  ];
  expect((await makeRowRecords({ quarters: '2', growth: '' }, data)).map((row) => [row.end_date, row.growth])).toEqual([
    ['2025-06-28', '0.2'],
    ['2025-03-29', null],
  ]);
});

test('trailing twelve months have a separate column, with the balances of their last day', async () => {
  const makeTwelveMonthsFigure = (end: string, start: string, value: string) =>
    makeFigure('revenue', 2026, value, { end_date: end, start_date: start, period_kind: 'ttm', fiscal_period: null });
  const data = [
    makeFigure('revenue', 2025, '10'),
    makeFigure('revenue', 2024, '9'),
    makeFigure('revenue', 2026, '3', {
      period_kind: 'quarter',
      start_date: '2026-01-01',
      end_date: '2026-03-31',
      fiscal_period: 'Q1',
    }),
    makeTwelveMonthsFigure('2026-03-31', '2025-04-01', '11'),
    makeTwelveMonthsFigure('2025-03-31', '2024-04-01', '8'),
    makeFigure('assets', 2026, '100', { end_date: '2026-03-31', fiscal_period: 'Q1' }),
    makeFigure('assets', 2025, '90'),
  ];
  const text = await renderView({ years: '1', ttm: '', growth: '' }, data);
  expect(text).toMatch(/annual and trailing twelve months, in USD\n +TTM +FY2025\n +2026-03-31 +2025-12-31\n/);
  expect(text).toMatch(/Revenue +11 +10\n +growth +\+37\.5 % +\+11\.1 %\n/);
  expect(text).toMatch(/Total assets +100 +90\n/);
  expect(
    (await makeRowRecords({ period: 'ttm' }, data)).map((row) => [row.metric_key, row.period_kind, row.value]),
  ).toEqual([
    ['revenue', 'ttm', '11'],
    ['revenue', 'ttm', '8'],
    ['assets', 'instant', '100'],
  ]);
});

test('if the service has no trailing twelve months, a notice says so, and fin does not compute them', async () => {
  const result = await runMetrics({ period: 'ttm' }, [...INCOME_FIGURES, makeFigure('assets', 2025, '90')]);
  expect(makeRecords(result)).toEqual([]);
  expect(formatNotices(result)).toEqual(['No results.', 'There are no trailing-twelve-month values of these figures.']);
});

test('a requested metric without values is named', async () => {
  expect(formatNotices(await runMetrics({ keys: 'revenue,goodwill', years: '5' }, INCOME_FIGURES))).toEqual([
    'This release has no values of goodwill for these periods.',
    'This release has these figures for only 3 fiscal years.',
  ]);
});

test('if only fiscal years have a requested metric, the notice names --period annual', async () => {
  const cagrFigure = makeFigure('eps_diluted_cagr_5y', 2025, '0.07', { unit: 'pure', statement: null });
  const result = await runWithAnswers(
    metrics,
    ({ parameters: { period } }) => ({
      data: period === 'annual' ? [cagrFigure] : [makeFigure('revenue', 2025, '10')],
    }),
    { options: { keys: 'revenue,eps_diluted_cagr_5y,goodwill' } },
  );
  expect(formatNotices(result)).toContain(
    'This release has no values of eps_diluted_cagr_5y, goodwill for these periods. To see the annual values of eps_diluted_cagr_5y: --period annual',
  );
});

test('on a narrow terminal a long name takes two lines', async () => {
  const data = [
    makeFigure('eps_diluted_cagr_5y', 2025, '0.07', { metric_label: 'Diluted EPS CAGR, 5 years', unit: 'pure' }),
  ];
  const text = renderText(await runWithData(metrics, data), 80);
  expect(text).toContain('Diluted EPS CAGR,');
  expect(text).not.toContain('…');
});

test("JSON is the service's answer with the requested rows only, and says so", async () => {
  const { document: pieces } = await runMetrics({ years: '1', ttm: '' }, INCOME_FIGURES, 'document');
  const document = JSON.parse([...pieces()].join(''));
  expect(Object.keys(document)).toEqual(['data', 'meta', 'fin']);
  expect(document.fin).toEqual({ requests: 1, narrowed: true });
  expect(document.data).toEqual(INCOME_FIGURES.filter(({ fiscal_year: year }) => year === 2025));
});

test('Markdown has one legend of letters, keeps indents and prints subtotals in bold', async () => {
  let text = '';
  const appendChunk = (chunk: string) => {
    text += chunk;
  };
  const renderer = createMarkdownRenderer(makeTarget(appendChunk));
  const result = await runMetrics({ statement: 'income', years: '1' }, INCOME_FIGURES);
  renderer.answer(result);
  renderer.answer(result);
  expect(text.match(/million/g)).toHaveLength(1);
  expect(text).toContain('| **Revenue** | **10.00B** |\n| &emsp;Cost of revenue | 4.00B |\n');
});

test.each<[Options, string]>([
  [{ statement: 'incom' }, '--statement "incom" is not a statement. Did you mean income?'],
  [{ years: '0' }, '--years takes a whole number from 1 to 200, not "0".'],
  [{ years: '2', quarters: '2' }, '--years and --quarters cannot be combined; choose one.'],
  [{ years: '2', period: 'quarterly' }, '--years shows fiscal years; it cannot be combined with --period quarterly.'],
  [
    { years: '2', limit: '5' },
    '--limit counts rows, but statements with --years need all rows of their periods: remove --limit.',
  ],
  [{ statement: 'income', keys: 'revenue' }, '--statement and --keys cannot be combined; choose one.'],
  [{ statement: 'balance', ttm: '' }, 'A balance sheet is for one day, so it has no trailing twelve months.'],
  [
    { growth: '', period: 'latest' },
    '--growth cannot be combined with --period latest, whose figures are from different periods.',
  ],
])('%j is refused', async (options, message) => {
  await expect(planCommand(metrics, { options })).rejects.toThrow(message);
});

test('--growth is refused for a chart', async () => {
  const chartPlanPromise = planCommand(metrics, { options: { growth: '' }, form: 'chart' });
  await expect(chartPlanPromise).rejects.toThrow('A chart shows amounts: remove --growth.');
});

test("--growth is refused for JSON, which is the service's answer, and accepted for rows", async () => {
  const planAs = (form: 'document' | 'rows') => planCommand(metrics, { options: { growth: '' }, form });
  await expect(planAs('document')).rejects.toThrow(
    '--growth adds figures that fin computes, but JSON is the unchanged answer of the service.',
  );
  expect((await planAs('rows')).question.rawParameters).toContainEqual(['period', 'annual']);
});

test('no metric or ratio of a company is in the section "Other"', () => {
  expect(COMPANY_METRIC_KEYS.filter((key) => findStatementPlace({ key, statement: null }).section === 'Other')).toEqual(
    [],
  );
});

test("only metrics of the service's catalog are requested, also those that no layout names", () => {
  const makeCatalogEntry = (key: string, statement: string | null) => ({
    ...{ key, statement, label: key, description: '', value_kind: 'reported' as const },
    ...{ covered_company_count: 1, mappings: [] },
  });
  const catalog = [
    makeCatalogEntry('own_income', 'income'),
    makeCatalogEntry('net_income', 'income'),
    makeCatalogEntry('pe', null),
    makeCatalogEntry('roe', null),
  ];
  expect(listStatementKeys(['income'], catalog)).toEqual(['net_income', 'own_income']);
  expect(listStatementKeys(['ratios'], catalog)).toEqual(['roe']);
  expect(listStatementKeys(['balance'], catalog)).toEqual([]);
});

test('a fiscal year without a value of the requested metric is shown as missing, in tables and charts', async () => {
  const rows = [
    ...[2025, 2024, 2022, 2021].map((year) => makeFigure('assets', year, `${year}`)),
    ...[2026, 2025, 2024, 2023, 2022, 2021, 2020].map((year) => makeFigure('net_income', year, '1')),
  ];
  const counted = await renderView({ keys: 'assets', years: '6' }, rows);
  expect(counted).toMatch(/^ +FY2026 +FY2025 +FY2024 +FY2023 +FY2022 +FY2021\n/m);
  expect(counted).toMatch(/^ +2026-12-31 +2025-12-31 +2024-12-31 +2023-12-31 +2022-12-31 +2021-12-31\n/m);
  expect(counted).toMatch(/^Total assets +– +2\.03K +2\.02K +– +2\.02K +2\.02K\n/m);
  expect(counted).not.toContain('Net income');
  const assets = rows.slice(0, 4);
  expect(await renderView({ keys: 'assets', period: 'annual' }, assets)).toMatch(/FY2025 +FY2024 +FY2023 +FY2022/);
  const [chart] = makeMetricCharts(assets, { calendar: [] });
  expect(chart?.periods).toEqual(['FY2021', 'FY2022', 'FY2023', 'FY2024', 'FY2025']);
  expect(chart?.series).toEqual([{ label: '', values: ['2021', '2022', null, '2024', '2025'] }]);
});

test('all charts of an answer have the same years, those of the calendar included', () => {
  const rows = [
    makeFigure('impairment', 2024, '0'),
    ...[2025, 2024, 2023].map((year) => makeFigure('revenue', year, '1')),
    makeFigure('assets', 2025, '7'),
  ];
  const calendar = [{ label: 'FY2026', end: '2026-12-31' }];
  const charts = makeMetricCharts(rows, { calendar });
  expect(charts.map(({ title, periods, series }) => [title, periods.join(' '), series[0]?.values])).toEqual([
    [expect.stringContaining('mpairment'), 'FY2023 FY2024 FY2025 FY2026', [null, '0', null, null]],
    [expect.stringContaining('evenue'), 'FY2023 FY2024 FY2025 FY2026', ['1', '1', '1', null]],
    [expect.stringContaining('ssets'), 'FY2023 FY2024 FY2025 FY2026', [null, null, '7', null]],
  ]);
});

test('a number of years that a change of the fiscal year end skips is not a missing year', async () => {
  const rows = [
    makeFigure('revenue', 2024, '3', { start_date: '2023-04-01', end_date: '2024-03-31' }),
    makeFigure('revenue', 2023, '2', { start_date: '2022-04-01', end_date: '2023-03-31' }),
    makeFigure('revenue', 2021, '1'),
  ];
  expect(await renderView({ keys: 'revenue', years: '3' }, rows)).toMatch(/^ +FY2024 +FY2023 +FY2021\n/m);
});

test('a request for a number of periods of some metrics also asks for metrics that show all periods, except as JSON', async () => {
  const keys = { keys: 'assets', years: '3' };
  const plan = async (form: 'view' | 'document') =>
    (await planCommand(metrics, { options: keys, form })).question.rawParameters.find(([name]) => name === 'keys')?.[1];
  expect(await plan('view')).toBe('assets,net_income,revenue');
  expect(await plan('document')).toBe('assets');
});

test("growth of a company's translation is that of the currency in which it reports, and the table is marked", async () => {
  // TSMC states one year in dollars in each annual report, at that year's exchange rate.
  const makeRevenue = (year: number, value: string, unit: string) => makeFigure('revenue', year, value, { unit });
  const rows = [
    ...[makeRevenue(2024, '2894307700000', 'TWD'), makeRevenue(2023, '2161735800000', 'TWD')],
    ...[makeRevenue(2024, '88268000000', 'USD'), makeRevenue(2023, '70598800000', 'USD')],
  ];
  const text = await renderView({ keys: 'revenue', years: '2', growth: '' }, rows);
  expect(text.match(/^.*(?:annual|growth).*$/gm)).toEqual([
    'Apple Inc. (AAPL): annual, in TWD',
    expect.stringMatching(/growth +\+33\.9 % +–$/),
    "Apple Inc. (AAPL): annual, in USD (the company's translation from TWD)",
    expect.stringMatching(/growth +\+33\.9 % +–$/),
  ]);
  // A company that also states amounts of other metrics in dollars does not translate them.
  expect(
    await renderView({ years: '2' }, [rows[0] ?? INCOME_FIGURES[0], ...INCOME_FIGURES] as MetricValue[]),
  ).not.toContain('translation');
});
