import { expect, test } from 'vitest';
import type { GivenArguments, QuestionCommand } from '../../src/ask/command/command.ts';
import { findGivenText } from '../../src/contract/question.ts';
import { deriveMarketData } from '../../src/figures/prices/market-price.ts';
import day from '../../src/questions/day.ts';
import holders from '../../src/questions/holders.ts';

import insiders, { insiderActivity } from '../../src/questions/insiders.ts';
import lineage from '../../src/questions/lineage.ts';
import metrics from '../../src/questions/metrics.ts';
import prices from '../../src/questions/prices.ts';
import revisions from '../../src/questions/revisions.ts';
import screen from '../../src/questions/screen.ts';
import search from '../../src/questions/search.ts';
import segments from '../../src/questions/segments.ts';
import { makeChartView } from '../../src/result/result.ts';
import {
  APPLE_ANNUAL_FIGURES,
  APPLE_EPS_2019_REVISIONS,
  KRAFT_HEINZ_2017_REVISIONS,
  makeAppleFigure,
  RELEASE,
} from './envelopes.ts';
import {
  formatNotices,
  planCommand,
  type QuestionSettings,
  renderCsvLines,
  renderText,
  runWithData,
} from './result-of.ts';

const renderView = async (
  command: QuestionCommand,
  data: unknown,
  settings: QuestionSettings = {},
  width: number | null = null,
) => renderText(await runWithData(command, data, settings), width);

const renderCsv = async (command: QuestionCommand, data: unknown, settings: QuestionSettings = {}) =>
  renderCsvLines(await runWithData(command, data, { form: 'rows', ...settings }));

const ANNUAL_SETTINGS: QuestionSettings = { options: { period: 'annual' } };

test('annual metrics are printed like a statement: metrics as rows, periods as columns, newest first', async () => {
  expect(await renderView(metrics, APPLE_ANNUAL_FIGURES, ANNUAL_SETTINGS)).toBe(
    [
      'Apple Inc. (AAPL): annual, in USD',
      '                               FY2025      FY2024      FY2023',
      '                           2025-09-27  2024-09-28  2023-09-30',
      'Income',
      'Revenue                     416.16B     391.04B     383.29B',
      'Cash flow',
      'Free cash flow               98.77B*    108.81B*     99.58B*!',
      'Balance sheet',
      'Total assets                      –     364.98B           –',
      'Cover page',
      'Common shares outstanding         –      15.12B           –',
      '* derived from reported figures   ! changed by a later filing (see fin revisions)   B billion',
      '',
    ].join('\n'),
  );
});

test('figures of low confidence are marked in tables of years and of latest figures, and in charts', async () => {
  const repurchaseFields = {
    metric_key: 'share_repurchases',
    metric_label: 'Share repurchases',
    statement: 'cash_flow',
  };
  // Apple's report of 2013 does not tag payments for repurchases, so that the value of treasury stock acquired replaces
  // them.
  const rows = [
    makeAppleFigure({
      ...repurchaseFields,
      value: '90711000000',
      end_date: '2025-09-27',
      fiscal_year: 2025,
      start_date: '2024-09-29',
    }),
    makeAppleFigure({
      ...repurchaseFields,
      value: '22950000000',
      end_date: '2013-09-28',
      fiscal_year: 2013,
      start_date: '2012-09-30',
      confidence: '0.6',
    }),
  ];
  const legend =
    '~ low confidence: read or derived from an XBRL concept that is only similar to the metric (see fin lineage)';
  const annualText = await renderView(metrics, rows, ANNUAL_SETTINGS);
  expect(annualText).toMatch(/Share repurchases +90\.71B(?: +–){11} +22\.95B~\n/);
  expect(annualText).toContain(legend);
  const latestText = await renderView(metrics, rows.slice(1), { options: { period: 'latest' } });
  expect(latestText).toMatch(/Share repurchases +22\.95B~ +FY2013/);
  expect(latestText).toContain(legend);
  const confidentRows = rows.map((row) => ({ ...row, confidence: '0.9' }));
  expect(await renderView(metrics, confidentRows, ANNUAL_SETTINGS)).not.toContain('~');
  const chartBlocks = makeChartView(await runWithData(metrics, rows, { ...ANNUAL_SETTINGS, form: 'chart' }));
  expect(chartBlocks).toContainEqual({ kind: 'note', text: legend });
  const gap = Array.from({ length: 11 }, (_, index) => `FY${2014 + index}`);
  expect(chartBlocks).toMatchObject([
    { kind: 'title' },
    { chart: { periods: ['FY2013~', ...gap, 'FY2025'] } },
    { kind: 'note' },
  ]);
});

test('on a narrow terminal older periods are dropped, with a notice', async () => {
  const text = await renderView(metrics, APPLE_ANNUAL_FIGURES, ANNUAL_SETTINGS, 48);
  expect(text).toContain('FY2025');
  expect(text).not.toMatch(/^.*FY2023.*FY2024/m);
  expect(text).toContain('1 more period did not fit: FY2023');
  // The only revised figure is in the dropped period, so the legend does not explain the mark of revised figures.
  expect(text).toContain('* derived');
  expect(text).not.toContain('changed by a later filing');
});

/**
 * Apple's diluted EPS in its reports filed on those days. The stock was split 7:1 in June 2014 and 4:1 in August 2020.
 */
const EPS_REPORTS: readonly (readonly [
  year: number,
  value: string,
  kind: 'first' | 'same' | 're_expressed',
  filed: string,
])[] = [
  [2021, '5.61', 'same', '2023-11-03'],
  [2020, '3.28', 'same', '2022-10-28'],
  [2019, '2.97', 'same', '2021-10-29'],
  [2018, '2.98', 're_expressed', '2020-10-30'],
  [2017, '9.21', 'same', '2019-10-31'],
  [2012, '6.31', 're_expressed', '2014-10-27'],
  [2011, '27.68', 'same', '2013-10-30'],
];

const makeEpsFigures = (reports = EPS_REPORTS) =>
  reports.map(([fiscal_year, value, kind, filed_at]) =>
    makeAppleFigure({
      ...{ metric_key: 'eps_diluted', metric_label: 'Diluted EPS', unit: 'USD/shares', fiscal_year, value },
      ...{ start_date: `${fiscal_year - 1}-10-01`, end_date: `${fiscal_year}-09-30` },
      read_from: { accession_number: '0000320193-20-000096', revision_rank: 3, kind, filed_at, form: '10-K' },
    }),
  );

test('per-share figures filed before a split are marked, if another figure of the answer shows the split', async () => {
  const text = await renderView(metrics, makeEpsFigures(), ANNUAL_SETTINGS);
  expect(text).toMatch(
    / 5\.61 +3\.28 +2\.97 +2\.98 +9\.21\^(?: +–){4} +6\.31\^ +27\.68\^\n\^ filed before a stock split, .*\n$/,
  );
  // CSV rows have the mark as a column.
  const rows = (await renderCsv(metrics, makeEpsFigures())).map((row) => row.split(','));
  const columnIndex = rows[0]?.indexOf('before_split') ?? -1;
  expect(rows.map((row) => row[columnIndex])).toEqual([
    'before_split',
    ...EPS_REPORTS.map(([, , , filed]) => String(filed < '2020-10-30')),
  ]);
  // A split is only recognized by a re-expressed figure.
  const figuresWithoutSplit = makeEpsFigures(EPS_REPORTS.filter(([, , kind]) => kind !== 're_expressed'));
  expect(await renderView(metrics, figuresWithoutSplit, ANNUAL_SETTINGS)).not.toContain('^');
  // A second re-expression for the same split is not mistaken for another split.
  const figuresReExpressedTwice = makeEpsFigures([
    ...EPS_REPORTS.slice(0, 3),
    [2018, '2.98', 're_expressed', '2021-07-28'],
    [2017, '2.30', 're_expressed', '2020-10-30'],
  ]);
  expect(await renderView(metrics, figuresReExpressedTwice, ANNUAL_SETTINGS)).not.toContain('^');
});

test('a second value for the same cell gets a separate column', async () => {
  const [coverShares] = APPLE_ANNUAL_FIGURES.slice(-1);
  if (coverShares === undefined) throw new Error('no cover figure');
  const amendedShares = { ...coverShares, end_date: '2024-10-25', value: '15100000000' };
  const text = await renderView(metrics, [...APPLE_ANNUAL_FIGURES, amendedShares], ANNUAL_SETTINGS);
  expect(text).toContain('15.12B');
  expect(text).toContain('15.10B');
});

test('the fourth quarter and the balance at year end are in one column', async () => {
  const quarterFields = { fiscal_year: 2024, end_date: '2024-09-28' };
  const data = [
    makeAppleFigure({
      ...quarterFields,
      metric_key: 'revenue',
      metric_label: 'Revenue',
      fiscal_period: 'Q4',
      start_date: '2024-06-30',
      value: '94930000000',
    }),
    makeAppleFigure({
      ...quarterFields,
      metric_key: 'assets',
      metric_label: 'Total assets',
      statement: 'balance',
      fiscal_period: 'FY',
      start_date: null,
      value: '364980000000',
    }),
  ];
  const lines = (await renderView(metrics, data, { options: { period: 'quarterly' } })).split('\n');
  expect(lines[1]?.trim()).toBe('Q4 2024');
  expect(lines.some((line) => /Total assets +364\.98B/.test(line))).toBe(true);
});

test('rows of metrics have every digit and the filing they are read from', async () => {
  const [header = '', firstLine = ''] = await renderCsv(metrics, APPLE_ANNUAL_FIGURES);
  const row = Object.fromEntries(header.split(',').map((name, index) => [name, firstLine.split(',')[index]]));
  expect(row).toMatchObject({
    metric_key: 'revenue',
    value: '416161000000',
    read_from_accession_number: '0000320193-25-000079',
    read_from_form: '10-K',
    read_from_filed_at: '2025-10-31',
  });
  expect(await renderCsv(metrics, [])).toHaveLength(1);
});

test('revisions show what each filing reported, what changed, and the value in use', async () => {
  expect(await renderView(revisions, KRAFT_HEINZ_2017_REVISIONS)).toBe(
    [
      'Kraft Heinz Co (KHC): Net income',
      'Filed       Form  Kind       Value   Change  Accession',
      'FY2017, 2017-01-01 to 2017-12-30 (USD)',
      '2018-02-16  10-K  first    11.00B            0001637459-18-000015',
      '2019-06-07  10-K  revised  10.94B•  -58.00M  0001637459-19-000049',
      '• the current value',
      '',
    ].join('\n'),
  );
  expect(await renderView(revisions, APPLE_EPS_2019_REVISIONS)).toMatch(
    /re-expressed +2\.97• +4:1 +0000320193-20-000096/,
  );
});

test('lineage shows the facts, their roles and their filing', async () => {
  const row = {
    ...{ metric_value_id: 'x', cik: 320193, entity_name: 'Apple Inc.', ticker: 'AAPL', metric_key: 'free_cash_flow' },
    ...{ metric_label: 'Free cash flow', metric_value: '108807000000', metric_unit: 'USD', end_date: '2024-09-28' },
    ...{ start_date: '2023-10-01', fiscal_year: 2024, fiscal_period: 'FY', period_kind: 'annual', taxonomy: 'us-gaap' },
    ...{
      accession_number: '0000320193-24-000123',
      form: '10-K',
      filed_at: '2024-11-01',
      raw_unit: 'USD',
      raw_fact_id: 'y',
    },
  };
  const facts = [
    { ...row, role: 'minuend', concept: 'NetCashProvidedByUsedInOperatingActivities', raw_value: '118254000000' },
    { ...row, role: 'subtrahend', concept: 'PaymentsToAcquirePropertyPlantAndEquipment', raw_value: '9447000000' },
  ];
  const text = await renderView(lineage, facts);
  expect(text).toContain('FY2024, 2023-10-01 to 2024-09-28: 108.81B USD');
  expect(text).toMatch(
    /subtrahend +9\.45B +USD +PaymentsToAcquirePropertyPlantAndEquipment +us-gaap +10-K +2024-11-01/,
  );
});

const SCREEN_ROWS = [
  {
    cik: 1596532,
    ticker: 'ANET',
    exchange: 'NYSE',
    entity_name: 'Arista Networks, Inc.',
    revenue_yoy: '0.2860',
    revenue: '9005600000',
  },
  {
    cik: 97476,
    ticker: 'TXN',
    exchange: 'Nasdaq',
    entity_name: 'TEXAS INSTRUMENTS INC',
    revenue_yoy: null,
    revenue: '17682000000',
  },
];

test('for a table, a screen requests the columns of its filters and --sort, and a few figures that need no price', async () => {
  const planParameters = async (form: GivenArguments['form'], options: QuestionSettings['options'] = {}) =>
    (await planCommand(screen, { form, options, inProcess: true })).question.rawParameters;
  expect(findGivenText(await planParameters('view', { where: 'roe:gt:30%', sort: 'assets' }), 'columns')).toBe(
    'fiscal_year,roe,assets,revenue,revenue_yoy,operating_margin,net_income,free_cash_flow,annual_end_date',
  );
  for (const form of ['document', 'rows'] as const) {
    expect(await planParameters(form, { where: 'roe:gt:0.3' })).toEqual([['where', 'roe:gt:0.3']]);
  }
  // A table always shows the fiscal year of its figures; CSV does not.
  expect(await planParameters('view', { columns: 'pe' })).toEqual([['columns', 'fiscal_year,pe,annual_end_date']]);
  expect(await planParameters('view', { columns: 'pe,fiscal_year' })).toEqual([
    ['columns', 'pe,fiscal_year,annual_end_date'],
  ]);
  expect(await planParameters('rows', { columns: 'pe' })).toEqual([['columns', 'pe']]);
  expect(await planParameters('rows', { columns: 'pe', 'year-ended-within': '18m' })).toEqual([
    ['columns', 'pe,annual_end_date'],
    ['limit', '500'],
  ]);
});

test('a screen shows fractions as percent and missing values as a dash', async () => {
  const text = await renderView(screen, SCREEN_ROWS, { meta: { columns: ['revenue_yoy', 'revenue'] } });
  expect(text).toMatch(/ANET +Arista Networks, Inc\. +\+28\.6 % +9\.01B/);
  expect(text).toMatch(/TXN +TEXAS INSTRUMENTS INC +– +17\.68B/);
  expect(await renderCsv(screen, SCREEN_ROWS, { meta: { columns: ['revenue_yoy'] } })).toEqual([
    'cik,ticker,exchange,entity_name,revenue_yoy,unconfirmed',
    '1596532,ANET,NYSE,"Arista Networks, Inc.",0.2860,',
    '97476,TXN,Nasdaq,TEXAS INSTRUMENTS INC,,',
  ]);
});

test('a screen marks the figures that stand on stated amounts that disagree', async () => {
  const rows = SCREEN_ROWS.map((row) => ({ ...row, unconfirmed: 'revenue' }));
  const meta = { columns: ['revenue_yoy', 'revenue'] };
  const text = await renderView(screen, rows, { meta });
  expect(text).toMatch(/ANET +Arista Networks, Inc\. +\+28\.6 % +9\.01B\?/);
  expect(text).toContain('? unconfirmed: stated amounts disagree');
  expect(text).not.toMatch(/28\.6 %\?/);
  expect((await renderCsv(screen, rows, { meta }))[1]).toMatch(/,revenue$/);
});

test('the fiscal year stays when a screen drops columns', async () => {
  const columns = ['fiscal_year', 'revenue', 'revenue_yoy', 'annual_end_date'];
  const rows = SCREEN_ROWS.map((row) => ({ ...row, fiscal_year: 2025, annual_end_date: '2025-12-31' }));
  const text = await renderView(screen, rows, { meta: { columns } }, 45);
  expect(text).toMatch(/ANET +Arista Networks, In… +2025 +9\.01B\n/);
  expect(text).toContain('2 more columns did not fit: Revenue growth,\nYear end.');
});

test('a notice names companies that report only in another currency, which have ratios but no amounts', async () => {
  const asmlFields = { cik: 937966, ticker: 'ASML', exchange: 'Nasdaq', entity_name: 'ASML HOLDING NV' };
  const rows = [...SCREEN_ROWS, { ...asmlFields, revenue: null, revenue_yoy: '0.1558368037' }];
  const listScreenNotices = async (data: readonly object[], inProcess: boolean, meta: object = {}) =>
    formatNotices(await runWithData(screen, data, { inProcess, meta }));
  expect(await listScreenNotices(rows, true)).toEqual([
    'Amounts are in US dollars, and are empty for companies that report only in another currency: ASML. See: fin metrics <ticker>',
  ]);
  // Another service may have other rules, and a company may report no revenue at all; neither case causes a notice.
  expect(await listScreenNotices(rows, false)).toEqual([]);
  expect(await listScreenNotices([...SCREEN_ROWS, { ...asmlFields, revenue: null, revenue_yoy: null }], true)).toEqual(
    [],
  );
  const filterMeta = { set_aside: 3, universe: 105, total: 2, limit: 25, offset: 0 };
  const sentence =
    'The filters compare amounts in US dollars: companies that report only in other currencies are left out.';
  expect(await listScreenNotices(SCREEN_ROWS, true, { ...filterMeta, where: ['revenue:gt:1'] })).toContain(sentence);
  expect(await listScreenNotices(SCREEN_ROWS, true, { ...filterMeta, where: ['revenue_yoy:gt:0'] })).not.toContain(
    sentence,
  );
});

const listNotices = async (command: QuestionCommand, data: unknown, settings: QuestionSettings = {}) =>
  formatNotices(await runWithData(command, data, settings));

test("a list cut by the default limit has a warning, one cut by the user's limit a note", async () => {
  const meta = { set_aside: 12, universe: 105, total: 93, limit: 2, offset: 4 };
  const leftOutNotice = '12 of 105 companies are left out, because they lack a figure that a filter uses.';
  expect(await listNotices(screen, SCREEN_ROWS, { meta })).toEqual([
    leftOutNotice,
    'Warning: Showing 5 to 6 of 93. To see all: --all',
  ]);
  expect(await listNotices(screen, SCREEN_ROWS, { meta, options: { limit: '2', offset: '4' } })).toEqual([
    leftOutNotice,
    'Showing 5 to 6 of 93. To see all: --all',
  ]);
  expect(await listNotices(screen, SCREEN_ROWS, { meta: { total: 2, limit: 25, offset: 0, set_aside: 0 } })).toEqual(
    [],
  );
  expect(
    await listNotices(revisions, KRAFT_HEINZ_2017_REVISIONS, { meta: { limit: 2 }, options: { limit: '2' } }),
  ).toEqual(['Showing rows 1 to 2; there may be more. To see all: --all']);
  expect(await listNotices(metrics, [])).toEqual(['No results.']);
});

test('a warning says that earlier rows are missing if the response has the maximum number of rows', async () => {
  const fullPage = Array.from({ length: 5000 }, () => APPLE_ANNUAL_FIGURES[0]);
  const settings = { options: { period: 'annual', keys: 'revenue' }, meta: { limit: 5000 } };
  expect(await listNotices(metrics, fullPage, settings)).toContain(
    "Warning: Earlier rows of revenue are missing, because the response reached the service's maximum number of rows. To get one row per period: --collapse true",
  );
});

test('a notice names the period of latest figures that are more than 15 months old', async () => {
  const listNoticesFor = async (end_date: string, meta: object = {}, parameters: object = {}) => {
    const data = [
      makeAppleFigure({ metric_key: 'revenue', metric_label: 'Revenue', value: '1', end_date }),
      makeAppleFigure({
        ...{ metric_key: 'public_float', metric_label: 'Public float', value: '1', statement: 'cover' },
        ...{ end_date: '2026-03-31' },
      }),
    ];
    return listNotices(metrics, data, { meta, options: { period: 'latest', ...parameters } });
  };
  // The release's date is 2026-08-18.
  expect(await listNoticesFor('2021-03-31')).toEqual(['The latest figures are for the period to 2021-03-31.']);
  expect(await listNoticesFor('2025-05-31')).toEqual([]);
  expect(await listNoticesFor('2025-05-17')).toHaveLength(1);
  expect(await listNoticesFor('2021-03-31', {}, { period: 'annual' })).toEqual([]);
  expect(await listNoticesFor('2021-03-31', { as_of: '2021-06-01' })).toEqual([]);
  expect(await listNoticesFor('2021-03-31', { as_of: '2023-06-01' })).toEqual([
    'The latest figures as of 2023-06-01 are for the period to 2021-03-31.',
  ]);
  expect(await listNoticesFor('2021-03-31', {}, { keys: 'revenue' })).toEqual([
    'The latest of these figures are for the period to 2021-03-31.',
  ]);
});

const makeHolders = (overrides: object, row: object = {}) => {
  const holderFields = {
    holder_cik: 1,
    holder_name: 'Bull Street Advisors, LLC',
    accession_number: '0001790837-23-000002',
  };
  const positionFields = { amount: '106539', amount_type: 'SH', value: '6777000', filed_at: '2023-02-28' };
  return {
    ...{ cik: 21344, ticker: 'KO', entity_name: 'COCA COLA CO', period: '2022-12-31', prior_period: '2022-09-30' },
    ...{ holders: 1, prior_holders: 1, amount_held: '106539', prior_amount_held: '400000000', value_held: '6777000' },
    ...{
      opened: 0,
      closed: 0,
      rows_total: 1,
      rows: [{ ...holderFields, ...positionFields, prior_known: true, ...row }],
    },
    ...overrides,
  };
};

test('changes of holdings are in new shares after a split, and missing if a split may lie between the quarters', async () => {
  const amounts = { amount_held: '410000', prior_amount_held: '100000' };
  const row = { amount: '410000', prior_amount: '100000' };
  const holdersAfterSplit = makeHolders({ ...amounts, split_ratio: '4' }, row);
  expect((await renderView(holders, holdersAfterSplit)).match(/[+-]10,000|[+-]10\.00K/g)).toHaveLength(2);
  expect(await listNotices(holders, holdersAfterSplit)).toEqual([
    'The shares were split 4:1 between 2022-09-30 and 2022-12-31. Changes are in new shares; previous amounts are as filed.',
  ]);
  const holdersNearSplit = makeHolders({ ...amounts, split_ratio: null }, row);
  expect(await renderView(holders, holdersNearSplit)).not.toMatch(/[+-](?:10|310)[.,]/);
  expect(await listNotices(holders, holdersNearSplit)).toEqual([
    'The shares may have been split between 2022-09-30 and 2022-12-31, so changes are not shown.',
  ]);
});

test('holdings of two quarters are compared only if all managers reported both quarters', async () => {
  const holdersWithSameManagers = makeHolders({}, { prior_amount: '400000000' });
  expect(await renderView(holders, holdersWithSameManagers)).toMatch(/^ {2}change +-399\.89M$/m);
  expect(await listNotices(holders, holdersWithSameManagers)).toEqual([]);
  // One holder opened a position and another closed its position, so both quarters have three holders.
  const holdersWithOneOpenedOneClosed = makeHolders({ holders: 3, prior_holders: 3, opened: 1, closed: 1 });
  expect(await renderView(holders, holdersWithOneOpenedOneClosed)).toContain('  change');

  for (const incomparableHolders of [
    makeHolders({}, { prior_known: false }),
    makeHolders({ holders: 3, prior_holders: 1, opened: 1 }),
  ]) {
    const text = await renderView(holders, incomparableHolders);
    expect(text).toMatch(/^ {2}on 2022-09-30 +400\.00M$/m);
    expect(text).not.toContain('399.89M');
    expect(await listNotices(holders, incomparableHolders)).toEqual([
      'The totals of 2022-12-31 and 2022-09-30 cannot be compared: some managers reported only one of these quarters.',
    ]);
  }
  const holdersOfEarliestQuarter = makeHolders({
    prior_holders: null,
    prior_amount_held: null,
    opened: null,
    closed: null,
  });
  expect(await renderView(holders, holdersOfEarliestQuarter)).not.toContain('2022-09-30');
  expect(await listNotices(holders, holdersOfEarliestQuarter)).toEqual([]);
});

const makeFiling = (form: string) => ({ cik: 1, entity_name: 'A', form, accession_number: '0000000001-26-000001' });
const FILINGS_DAY = {
  ...{ date: '2026-05-20', latest: '2026-05-20', filings: 10, companies: 6, lines_total: 2 },
  lines: [makeFiling('8-K'), makeFiling('8-K')],
  reports: [makeFiling('10-Q')],
  insiders: { purchases: 0, purchase_value: '0', sales: 0, sale_value: '0', largest: [] },
  forms: Object.entries({ '4': 5, '8-K': 2, '10-Q': 1, '3': 1, '424B5': 1 }).map(([form, filings]) => ({
    form,
    filings,
  })),
  days: [
    { date: '2026-05-19', filings: 40 },
    { date: '2026-05-20', filings: 10 },
  ],
};

test('a day counts the filings that are not listed, by form, and the days with filings among the last fourteen', async () => {
  expect(await renderView(day, FILINGS_DAY)).toMatch(/^Last 14 days +█▃ {2}2 days with filings, at most 40 per day$/m);
  expect(await listNotices(day, FILINGS_DAY)).toEqual([
    'Not listed here: 7 of 10 filings (3: 1, 4: 5, 424B5: 1). To list the filings of a company: fin filings <ticker>',
  ]);
  // If the list is shortened, a notice states how many rows are omitted.
  const truncatedDay = { ...FILINGS_DAY, lines: [makeFiling('8-K')] };
  expect(await listNotices(day, truncatedDay)).toEqual([
    expect.stringContaining('Showing 1 of 2.'),
    expect.stringMatching(/^Not listed here: 7 of 10 filings/),
  ]);
  const emptyDay = { ...FILINGS_DAY, filings: 0, companies: 0, lines: [], lines_total: 0, reports: [], forms: [] };
  expect(await renderView(day, emptyDay)).not.toContain('Forms');
  expect(await listNotices(day, emptyDay)).toHaveLength(1);
});

test('if the requested days have no price, a notice says so and the latest price is shown', async () => {
  const emptyPrices = { ...PRICE_SERIES, days: [], price: [], adj_price: [], source: [], market_cap: [] };
  const latestPrice = { symbol: 'AAPL', day: '2026-01-30', price: '191.13', source: 'nport', updated_at: '' };
  const result = await runWithData(prices, { ...emptyPrices, latest: latestPrice }, { meta: { attribution } });
  expect(formatNotices(result)).toContain(
    'The release has no prices for these days. The latest price is from 2026-01-30.',
  );
  expect(renderText(result)).toMatch(/: \S+ to \S+\nPrice +191\.13\n/);
  expect(await listNotices(prices, { ...PRICE_SERIES, latest: latestPrice }, { meta: { attribution } })).toEqual([]);
});

test('only a closing price of an exchange is called an official close', async () => {
  const latestPrice = { symbol: 'AIG', day: '2026-01-30', price: '74.88', source: 'nport', updated_at: '2026-08-18' };
  const renderRecordClose = (source: string) =>
    renderView(prices, {
      ...PRICE_SERIES,
      latest: { ...latestPrice, record_close: '74.88', record_day: '2026-01-30', record_source: source },
    });
  expect(await renderRecordClose('nport')).toMatch(/^Price of fund holdings 2026-01-30 +74\.88$/m);
  for (const source of ['fails', 'venue_official'])
    expect(await renderRecordClose(source)).toMatch(/^Official close 2026-01-30 +74\.88$/m);
});

test('a notice says that the largest page is shown if the service lists no more rows', async () => {
  const searchHit = { ticker: 'BAC', cik: 70858, entity_name: 'Bank of America' };
  const searchHits = Array.from({ length: 500 }, () => searchHit);
  const meta = { query: 'bank', limit: 500, total: 2465 };
  expect(await listNotices(search, searchHits, { meta, args: ['bank'], options: { limit: '500' } })).toEqual([
    'Showing 500 of 2465. The service returns at most this many rows in one response.',
  ]);
});

test('a note says that a page may end between the inputs of a derived value', async () => {
  const makeLineageRow = (role: string) => ({
    ...{ metric_value_id: 'x', metric_key: 'gross_margin', start_date: '2023-10-01', end_date: '2024-09-28' },
    ...{ fiscal_year: 2024, fiscal_period: 'FY', period_kind: 'annual', role },
  });
  const listNoticesForRoles = (roles: readonly string[]) =>
    listNotices(lineage, roles.map(makeLineageRow), { meta: { limit: 3 }, options: { limit: '3' } });
  expect(await listNoticesForRoles(['numerator', 'denominator', 'numerator'])).toEqual([
    'Showing rows 1 to 3; there may be more. To see all: --all',
    'The facts of the last value (FY2024) may be incomplete, because the list has reached its maximum number of rows.',
  ]);
  expect(await listNoticesForRoles(['value', 'value', 'value'])).toEqual([
    'Showing rows 1 to 3; there may be more. To see all: --all',
  ]);
  expect(await listNoticesForRoles(['numerator'])).toEqual([]);
});

test('for the built-in service, a note states the earliest day of prices that are recent enough', async () => {
  const meta = {
    set_aside: 104,
    universe: 105,
    total: 1,
    limit: 25,
    offset: 0,
    where: ['market_cap:gt:1', 'roe:gt:0'],
  };
  const findPriceNotices = async (inProcess: boolean, metaOverrides: object = {}) => {
    const texts = await listNotices(screen, [], { meta: { ...meta, ...metaOverrides }, inProcess });
    return texts.filter((text) => text.includes('price'));
  };
  expect(await findPriceNotices(true)).toEqual([
    'The filter on market_cap leaves out companies without a price from 2026-02-19 or later (at most 180 days old).',
  ]);
  expect(await findPriceNotices(false)).toEqual([]);
  expect(await findPriceNotices(true, { set_aside: 0 })).toEqual([]);
  expect(await findPriceNotices(true, { where: ['roe:gt:0'] })).toEqual([]);
  const makeDailyPrices = (day: string) =>
    [{ day, price: '10', source: 'fails', soldAt: null, sample: 1, agreement: null }] as const;
  const findPriceDay = (day: string) =>
    deriveMarketData({ daily: makeDailyPrices(day), shareCountApplies: false }, [], [], RELEASE.date).price?.day ??
    null;
  expect([findPriceDay('2026-02-19'), findPriceDay('2026-02-18')]).toEqual(['2026-02-19', null]);
});

const makeInsiderPage = (days: readonly (readonly [filed: string | null, traded: string])[]) => ({
  ...{ total_transactions: 2, purchase_transactions: 0, sale_transactions: 2, uncounted_transactions: 0 },
  ...{ reported_purchase_value: '0', reported_sale_value: '20' },
  filings: days.map(([filed_at, transaction_date]) => ({
    ...{
      accession_number: '0000000001-26-000001',
      cik: 1,
      entity_name: 'A',
      ticker: 'A',
      source_url: 'https://a.example',
    },
    ...{ filed_at, owners: [], footnotes: [] },
    transactions: [{ transaction_code: 'S', value_status: 'counted', transaction_date, shares: '1' }],
  })),
});

test('the title of insider trades names their actual order, and a column of unknown dates is omitted', async () => {
  const renderTrades = (days: Parameters<typeof makeInsiderPage>[0]) =>
    renderView(insiderActivity, makeInsiderPage(days));
  expect(
    await renderTrades([
      ['2026-05-02', '2026-04-01'],
      ['2026-05-01', '2026-04-30'],
    ]),
  ).toMatch(/^Insider trades, latest filing first\n/);
  expect(
    await renderTrades([
      ['2026-05-01', '2026-04-01'],
      ['2026-05-02', '2026-04-30'],
    ]),
  ).toMatch(/^Insider trades\n/);
  const undatedText = await renderTrades([
    [null, '2026-04-30'],
    [null, '2026-04-01'],
  ]);
  expect(undatedText).toMatch(/^Insider trades, latest trade first\n/);
  expect(undatedText).not.toContain('Filed');
  expect(
    await renderTrades([
      ['2026-05-02', '2026-04-01'],
      [null, '2026-04-30'],
    ]),
  ).toContain('Filed');
});

test('the title of insider trades names the filters, and totals of filtered trades are not shown', async () => {
  const page = makeInsiderPage([['2026-05-02', '2026-04-01']]);
  const render = (options: Readonly<Record<string, string>>, command: QuestionCommand = insiders) =>
    renderView(command, page, { options });
  const allText = await render({});
  expect(allText).toMatch(/^A \(A\): insider trades\n/);
  expect(allText).toMatch(/^Purchases +0$/m);
  expect(allText).toMatch(/^Sales +2$/m);
  const salesText = await render({ kind: 'sale' });
  expect(salesText).toMatch(/^A \(A\): insider sales\n/);
  expect(salesText).toMatch(/^Sales +2$/m);
  expect(salesText).not.toContain('Purchases');
  const purchasesText = await render({ kind: 'purchase' });
  expect(purchasesText).toMatch(/^A \(A\): insider purchases\n/);
  expect(purchasesText).toMatch(/^Purchases +0$/m);
  expect(purchasesText).not.toMatch(/^Sales/m);
  expect(await render({ kind: 'sale', tickers: 'a,b', 'exclude-plans': '' }, insiderActivity)).toMatch(
    /^Insider sales of A,B, without trading plans/,
  );
  expect(await render({ 'min-value': '1' })).toMatch(/^Insider trades, worth at least 1/);
});

test('notices say that the sample includes few insider filings and few managers', async () => {
  const listSampleNotices = (command: QuestionCommand, data: unknown, sample: boolean) =>
    listNotices(command, data, { inProcess: true, sample });
  expect((await listSampleNotices(insiders, makeInsiderPage([]), true)).at(-1)).toContain(
    'includes few insider filings',
  );
  expect(await listSampleNotices(holders, makeHolders({}), true)).toEqual([
    expect.stringContaining('includes few managers'),
  ]);
  expect(await listSampleNotices(holders, makeHolders({}), false)).toEqual([]);
});

test('failed checks of the release give a warning that names the release', async () => {
  const failedMeta = { release: { ...RELEASE, checks: 'failed' } } as const;
  const { notices } = await runWithData(metrics, APPLE_ANNUAL_FIGURES, { ...ANNUAL_SETTINGS, meta: failedMeta });
  expect(notices).toMatchObject([{ code: 'checks_failed', severity: 'warning' }]);
  expect(formatNotices({ notices })[0]).toContain(RELEASE.stamp);
});

const PRICE_SERIES = {
  ...{ cik: 1, ticker: 'XYZ', entity_name: 'Xyz Corp', from: '2026-07-30', to: '2026-07-31' },
  ...{ days: ['2026-07-30', '2026-07-31'], price: ['10.25', '10.5'], adj_price: ['5.125', '5.25'] },
  ...{ source: ['venue', 'venue'], market_cap: [null, '1050000000'], marks: [], actions: [] },
};
const attribution = { text: 'Prices by Example Venue.', url: 'https://venue.example/terms' };

test('attribution is printed under prices, and in the last column of their rows', async () => {
  const meta = { attribution };
  expect(await renderView(prices, PRICE_SERIES, { meta })).toMatch(
    /Prices by Example Venue\. https:\/\/venue\.example\/terms\n$/,
  );
  const rowsWithAttribution = [
    'day,price,attribution',
    '2026-07-30,10.25,Prices by Example Venue. https://venue.example/terms',
    '2026-07-31,10.5,Prices by Example Venue. https://venue.example/terms',
  ];
  expect(await renderCsv(prices, PRICE_SERIES, { meta, fields: ['day', 'price'] })).toEqual(rowsWithAttribution);
  // A requested attribution is not repeated.
  expect(await renderCsv(prices, PRICE_SERIES, { meta, fields: ['day', 'price', 'attribution'] })).toEqual(
    rowsWithAttribution,
  );
  expect((await renderCsv(prices, PRICE_SERIES, { meta, fields: ['day'] }))[0]).toBe('day,attribution');
});

test('marks and actions of prices are separate rows, and an unknown kind of rows is refused', async () => {
  const priceMark = { day: '2026-07-30', close: '10.25', source: 'nport', sample: 3, agreement: '1' };
  const splitAction = {
    ex_date: '2026-07-31',
    kind: 'split',
    ratio: '2',
    source: 'filing',
    evidence: '0000000001-26-000001',
  };
  const data = { ...PRICE_SERIES, marks: [priceMark], actions: [splitAction] };
  const renderRows = (name: string) => renderCsv(prices, data, { options: { rows: name } });
  expect((await renderRows('marks'))[1]).toBe('XYZ,1,Xyz Corp,2026-07-30,10.25,nport,3,1,');
  expect((await renderRows('actions'))[1]).toBe('XYZ,1,Xyz Corp,2026-07-31,split,2,filing,0000000001-26-000001,,,');
  await expect(renderRows('splits')).rejects.toThrow(
    '--rows must be one of days, marks, actions, latest, not "splits".',
  );
});

test('rows of a screen have an attribution if and only if they have columns that need a price', async () => {
  const row = { cik: 1, ticker: 'XYZ', exchange: 'X', entity_name: 'Xyz Corp', revenue: '7', pe: '12.5' };
  const meta = { attribution, columns: ['revenue', 'pe'] };
  expect(await renderCsv(screen, [row], { meta, fields: ['ticker', 'revenue'] })).toEqual(['ticker,revenue', 'XYZ,7']);
  expect((await renderCsv(screen, [row], { meta, fields: ['ticker', 'pe'] }))[0]).toBe('ticker,pe,attribution');
  expect((await renderCsv(screen, [row], { meta: { attribution, columns: ['revenue'] } }))[0]).toBe(
    'cik,ticker,exchange,entity_name,revenue,unconfirmed',
  );
  expect(await renderView(screen, [row], { meta: { attribution, columns: ['revenue'] } })).not.toContain(
    'Example Venue',
  );
  expect(await renderView(screen, [row], { meta })).toContain('Example Venue');
});

test('segments have one row per member and period, and show shares of the newest total', async () => {
  const makePeriod = (fiscal_year: number, end_date: string) => ({
    ...{ fiscal_year, fiscal_period: 'FY', end_date, accession_number: '0000320193-24-000123', form: '10-K' },
  });
  const data = {
    ...{ cik: 320193, ticker: 'AAPL', entity_name: 'Apple Inc.', period: 'annual', documents: 1 },
    axes: [
      {
        axis: 'product',
        measures: [
          {
            ...{ measure: 'revenue', concept: 'us-gaap:Revenues', unit: 'USD' },
            periods: [makePeriod(2023, '2023-09-30'), makePeriod(2024, '2024-09-28')],
            members: [{ member: 'aapl:IPhoneMember', label: 'iPhone', values: ['200583000000', '201183000000'] }],
            totals: ['383285000000', '391035000000'],
          },
        ],
      },
    ],
  };
  expect(await renderView(segments, data)).toMatch(/iPhone +51\.4 % +201\.18B +200\.58B/);
  const lines = await renderCsv(segments, data);
  // One member, and what it leaves over, in two years.
  expect(lines).toHaveLength(5);
  expect(lines[2]).toContain('iPhone,2024,FY,2024-09-28,201183000000,391035000000,false');
  const [axis] = data.axes;
  const [revenue] = axis?.measures ?? [];
  const renderSegments = (overrides: object) =>
    renderView(segments, { ...data, axes: [{ ...axis, measures: [{ ...revenue, ...overrides }] }] });
  // A recast changes the members of a breakdown: periods before a recast are marked. Without a reported total, a
  // breakdown has no percentages.
  const recastText = await renderSegments({
    periods: [{ ...makePeriod(2023, '2023-09-30'), basis: 2 }, makePeriod(2024, '2024-09-28')],
  });
  expect(recastText).toMatch(/Product +Share +FY2024 +FY2023†/);
  expect(recastText).toContain('† reported before the company changed these segments');
  expect(await renderSegments({ totals: [null, null] })).not.toMatch(/Share|Consolidated|†/);
});

test('tables show labels, and CSV shows the names of the interface', async () => {
  const latest = { symbol: 'AAPL', day: '2026-03-31', price: '253.79', source: 'thirteen_f', updated_at: '2026-08-19' };
  const data = {
    ...{ cik: 320193, ticker: 'AAPL', entity_name: 'Apple Inc.', from: '2026-03-30', to: '2026-03-31', latest },
    ...{ days: ['2026-03-30', '2026-03-31'], price: ['250.1', '253.79'], adj_price: ['250.1', '253.79'] },
    ...{ source: ['some_newer_feed', 'thirteen_f'], market_cap: [null, null], marks: [] },
    actions: [{ ex_date: '2020-08-31', kind: 'split', ratio: '4', source: 'nport' }],
  };
  const text = await renderView(prices, data);
  expect(text).toMatch(/^2020-08-31 +split +4:1$/m);
  expect(text).toMatch(/^Day +2026-03-31 \(13F holdings\)$/m);
  expect(text).toMatch(/^2026-03-30 .* some newer feed$/m);
  expect((await renderCsv(prices, data)).at(-1)).toMatch(/,thirteen_f,$/);
  expect((await renderCsv(revisions, APPLE_EPS_2019_REVISIONS)).some((row) => row.includes(',re_expressed,'))).toBe(
    true,
  );
});

test('an undated split is listed among the actions, with the days between which it happened', async () => {
  const data = {
    ...PRICE_SERIES,
    actions: [{ ex_date: '2021-07-20', kind: 'split', ratio: '4', source: 'fails', evidence: '0001045810-21-000131' }],
    undated_splits: [
      { after: '2024-02-21', until: '2024-08-28', ratio: '10', evidence: '0001045810-24-000264' },
      { after: '2007-06-01', until: '2007-11-21', ratio: '1.5', evidence: '0001045810-07-000021' },
    ],
  };
  const text = await renderView(prices, data, { meta: { attribution } });
  expect(text).toMatch(
    /between 2007-06-01 and 2007-11-21 +split +1\.5:1\n2021-07-20 +split +4:1\nbetween 2024-02-21 and 2024-08-28 +split +10:1\n/,
  );
  const fields = ['ex_date', 'kind', 'ratio', 'after', 'until'];
  expect(await renderCsv(prices, data, { meta: { attribution }, options: { rows: 'actions' }, fields })).toEqual([
    'ex_date,kind,ratio,after,until,attribution',
    ',split,1.5,2007-06-01,2007-11-21,Prices by Example Venue. https://venue.example/terms',
    '2021-07-20,split,4,,,Prices by Example Venue. https://venue.example/terms',
    ',split,10,2024-02-21,2024-08-28,Prices by Example Venue. https://venue.example/terms',
  ]);
});

test('a price that may be from before or after a split has no adjusted price', async () => {
  // NVIDIA's 10:1 split in June 2024.
  const data = {
    ...PRICE_SERIES,
    ...{ days: ['2022-12-02', '2024-03-01', '2025-12-31'], price: ['168.76', '822.79', '186.50'] },
    ...{ adj_price: ['16.876', '822.79', '186.50'], source: ['fails', 'fails', 'nport'] },
    market_cap: [null, null, null],
    undated_splits: [{ after: '2024-02-21', until: '2024-08-28', ratio: '10', evidence: '0001045810-24-000264' }],
  } as typeof PRICE_SERIES;
  const rows = await renderCsv(prices, data, { meta: { attribution }, fields: ['day', 'price', 'adj_price'] });
  expect(rows.slice(1)).toEqual([
    expect.stringMatching(/^2022-12-02,168\.76,16\.876,/),
    expect.stringMatching(/^2024-03-01,822\.79,,/),
    expect.stringMatching(/^2025-12-31,186\.50,186\.50,/),
  ]);
  const listPriceNotices = (pricesData: typeof PRICE_SERIES) =>
    listNotices(prices, pricesData, { meta: { attribution } });
  expect(await listPriceNotices(data)).toEqual([
    'A 10:1 split took effect on an unknown day between 2024-02-21 and 2024-08-28: the days between have no adjusted prices.',
  ]);
  expect(await listPriceNotices({ ...data, days: ['2022-12-02', '2024-02-21', '2024-08-28'] })).toEqual([]);
});
