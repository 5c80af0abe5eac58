/** Tests the position of a company in its industry, and summaries of screens. */
import { expect, test } from 'vitest';
import type { ScreenRow } from '../../src/contract/screen-row.ts';
import peers from '../../src/questions/peers.ts';
import screen from '../../src/questions/screen.ts';
import { computeDistributions, computeStandings } from '../../src/questions/screens/distribution.ts';
import {
  formatNotices,
  makeRecords,
  planCommand,
  type QuestionSettings,
  renderCsvLines,
  renderText,
  runWithData,
} from './result-of.ts';

const makeRow = (ticker: string, revenue: string | null, margin: string | null, overrides: object = {}): ScreenRow => ({
  ...{ cik: ticker.charCodeAt(0), ticker, exchange: 'NYSE', entity_name: `${ticker} Inc.` },
  ...{ sic: '2834', industry: 'Pharmaceutical Preparations', fiscal_year: 2024, annual_end_date: '2025-12-31' },
  ...{ revenue, operating_margin: margin, ...overrides },
});

// Revenue and operating margin of fiscal 2024; the company OLD is invented.
const ROWS = [
  makeRow('JNJ', '88821000000', '0.2493'),
  makeRow('MRK', '64168000000', '0.3151'),
  makeRow('PFE', '63627000000', null),
  makeRow('LLY', '45043000000', '0.2864'),
  makeRow('OLD', '999000000000', '0.9', { annual_end_date: '2019-12-31' }),
];
const COLUMNS = ['sic', 'industry', 'fiscal_year', 'revenue', 'operating_margin', 'annual_end_date'];
const META = { columns: COLUMNS, total: 5, universe: 5, limit: 500, offset: 0, sort: 'revenue', dir: 'desc' };
const runPeers = (settings: QuestionSettings = {}) =>
  runWithData(peers, ROWS, { args: ['MRK'], ...settings, meta: { ...META, ticker: 'MRK', ...settings.meta } });

test('percentiles are interpolated exactly between two values, and missing figures are counted', () => {
  const [revenue, margin] = computeDistributions(['revenue', 'ticker', 'operating_margin'], ROWS.slice(0, 4));
  // Percentiles of 45043, 63627, 64168 and 88821 million, interpolated linearly.
  expect(revenue).toMatchObject({
    count: 4,
    missing: 0,
    p10: '50618200000',
    median: '63897500000',
    p90: '81425100000',
  });
  expect(margin).toMatchObject({ count: 3, missing: 1, p10: '0.25672', median: '0.2864', p90: '0.30936' });
  expect(computeDistributions(['revenue'], [])).toMatchObject([
    { count: 0, missing: 0, p10: null, median: null, p90: null },
  ]);
  expect(computeDistributions(['revenue'], ROWS.slice(0, 1))).toMatchObject([
    { p10: '88821000000', p90: '88821000000' },
  ]);
});

test('a rank is one more than the number of higher values, a percentile is the share of other companies with lower values', () => {
  const rows = ROWS.slice(0, 4);
  const findStandings = (ticker: string) =>
    computeStandings(['revenue', 'operating_margin'], rows, rows.find((row) => row.ticker === ticker) ?? null);
  expect(findStandings('MRK')).toMatchObject([
    { value: '64168000000', rank: 2, percentile: '0.6666666667' },
    { value: '0.3151', rank: 1, percentile: '1' },
  ]);
  expect(findStandings('PFE')).toMatchObject([{ rank: 3 }, { value: null, rank: null, percentile: null, missing: 1 }]);
  expect(findStandings('ZZZ')).toMatchObject([{ rank: null }, { rank: null }]);
  expect(computeStandings(['revenue'], rows.slice(0, 1), rows[0] ?? null)).toMatchObject([
    { rank: 1, percentile: null },
  ]);
});

test('the peers of a company are requested by revenue, with industry and a few figures', async () => {
  const { question, extent } = await planCommand(peers, { args: ['MRK'] });
  expect(extent).toEqual({ kind: 'pages' });
  expect(Object.fromEntries(question.rawParameters)).toEqual({
    ...{ sort: 'revenue', dir: 'desc', limit: '500' },
    columns: 'sic,industry,fiscal_year,revenue,revenue_yoy,operating_margin,net_income,free_cash_flow,annual_end_date',
  });
  const planWithSic = await planCommand(peers, { args: ['MRK'], options: { sort: 'roe', columns: 'roe', sic: '28' } });
  expect(Object.fromEntries(planWithSic.question.rawParameters)).toMatchObject({
    ...{ sort: 'roe', sic: '28', columns: 'sic,industry,fiscal_year,roe,annual_end_date' },
  });
  const planWithSort = await planCommand(peers, { args: ['MRK'], options: { sort: 'roe' } });
  expect(Object.fromEntries(planWithSort.question.rawParameters).columns).toContain('fiscal_year,roe,revenue');
});

test('a view shows the rank of the company, then its peers; rows have either the ranks or the peers', async () => {
  const text = renderText(await runPeers());
  expect(text).toMatch(/^MRK Inc\. \(MRK\) among 4 companies: Pharmaceutical Preparations \(SIC 2834\)/);
  expect(text).toMatch(/Revenue +64\.17B +2 +66\.7 % +50\.62B +63\.9\d?B +81\.43B +4 +0/);
  expect(text).toMatch(/Operating margin +31\.5 % +1 +100\.0 % +25\.7 % +28\.6 % +30\.9 % +3 +1/);
  expect(text).toMatch(/JNJ +JNJ Inc\. +2024 +88\.82B/);
  expect(text).not.toContain('OLD');
  expect(renderCsvLines(await runPeers())).toHaveLength(5);
  expect(makeRecords(await runPeers({ form: 'rows', options: { rows: 'standing' } }))).toMatchObject([
    { column: 'revenue', value: '64168000000', rank: 2, percentile: '0.6666666667', p10: '50618200000' },
    { column: 'operating_margin', value: '0.3151', rank: 1, count: 3, missing: 1 },
  ]);
});

test('a limit shortens the list, but the company is still compared with all peers', async () => {
  const result = await runPeers({ options: { limit: '1' }, form: 'document' });
  const { data } = JSON.parse([...result.document()].join(''));
  expect(data.companies).toMatchObject([{ ticker: 'JNJ' }]);
  expect(data.standing).toMatchObject([{ column: 'revenue', count: 4, rank: 2 }, { count: 3 }]);
});

test('omitted companies are counted, and for a small industry a wider industry is suggested', async () => {
  const noticeTexts = formatNotices(await runPeers({ meta: { left_out: 3 } }));
  const resultWithUnknownIndustries = await runPeers({ meta: { industry_unknown: 57 } });
  expect(formatNotices(resultWithUnknownIndustries)).toContain(
    'Warning: 57 companies are left out, because the industry code is missing. The codes are in the lists of filings. To add them: fin data fetch --bulk, then fin data build',
  );
  expect(formatNotices(await runPeers({ meta: { industry_unknown: 1 }, inProcess: false }))).toContain(
    'Warning: 1 company is left out, because the industry code is missing.',
  );
  expect(noticeTexts).toContain('3 blank-cheque companies, funds and trusts of the industry are left out.');
  expect(noticeTexts).toContain('The comparison has only 4 companies. For a wider industry: --sic 28');
  expect(noticeTexts.join(' ')).toMatch(/--year-ended-within 18m leaves out 1 of 5 rows/);
});

test('a wider industry is suggested only if a shorter SIC code includes all requested codes', async () => {
  const findComparisonNotice = async (sic: string) =>
    formatNotices(await runPeers({ options: { sic } })).find((text) => text.startsWith('The comparison'));
  expect(await findComparisonNotice('28')).toBe('The comparison has only 4 companies. For a wider industry: --sic 2');
  expect(await findComparisonNotice('2834,2836')).toBe(
    'The comparison has only 4 companies. For a wider industry: --sic 28',
  );
  expect(await findComparisonNotice('2834,7372')).toBe('The comparison has only 4 companies.');
  expect(await findComparisonNotice('2')).toBe('The comparison has only 4 companies.');
});

test('at 60 and 80 columns every figure is shown; at 60 columns the industry is dropped', async () => {
  const longIndustryFields = { industry: 'Services-Computer Programming, Data Processing, Etc.', sic: '7370' };
  const columns = ['sic', 'industry', 'fiscal_year', 'revenue', 'operating_margin', 'annual_end_date'];
  const rows = [...ROWS.slice(0, 4), makeRow('GOOGL', '350018000000', '0.3211', longIndustryFields)];
  const result = await runWithData(peers, rows, { args: ['MRK'], meta: { ...META, columns, ticker: 'MRK' } });
  for (const width of [60, 80]) {
    const text = renderText(result, width);
    for (const shownText of ['90th percentile', 'Missing', '66.7 %', 'GOOGL', '350.02B', '32.1 %'])
      expect(text).toContain(shownText);
  }
  expect(renderText(result, 60)).toMatch(/did not fit: Industry/);
});

test('a summary has a row for each figure, or for each figure and industry', async () => {
  const softwareFields = { sic: '7372', industry: 'Services-Prepackaged Software' };
  const rows = [
    ...ROWS.slice(0, 4),
    makeRow('MSFT', '245122000000', '0.4464', softwareFields),
    makeRow('BRK', '1', null, { sic: null, industry: null }),
  ];
  const runSummary = (options: QuestionSettings['options'], form: QuestionSettings['form'] = 'view') =>
    runWithData(screen, rows, {
      options: { columns: 'revenue', ...options },
      form: form ?? 'view',
      meta: { ...META, columns: ['revenue', 'sic', 'industry'] },
    });
  expect(makeRecords(await runSummary({ summary: '' }))).toEqual([
    {
      column: 'revenue',
      label: 'Revenue',
      p10: '22521500000.5',
      median: '63897500000',
      p90: '166971500000',
      count: 6,
      missing: 0,
    },
  ]);
  const industrySummary = await runSummary({ by: 'industry' });
  expect(makeRecords(industrySummary).map(({ sic, companies, median }) => [sic, companies, median])).toEqual([
    ['2834', 4, '63897500000'],
    ['7372', 1, '245122000000'],
    [null, 1, '1'],
  ]);
  expect(renderText(industrySummary)).toMatch(
    /Pharmaceutical Preparations \(SIC 2834\): 4 companies\n(?:.*\n)*No industry: 1 company/,
  );
  const partOfSummary = await runSummary({ by: 'industry', limit: '1', offset: '1' });
  expect(makeRecords(partOfSummary).map(({ sic }) => sic)).toEqual(['7372']);
  expect(formatNotices(partOfSummary)).toEqual(['Showing rows 2 to 2 of 3. To see all, remove --limit and --offset.']);
  expect(formatNotices(await runSummary({ by: 'industry', offset: '3' }))).toEqual([
    '--offset 3 is past the end. Total rows: 3.',
  ]);
  expect(formatNotices(industrySummary)).toEqual([]);
  const { data } = JSON.parse([...(await runSummary({ summary: '' }, 'document')).document()].join(''));
  expect(data).toMatchObject([{ column: 'revenue', median: '63897500000' }]);
  await expect(planCommand(screen, { options: { by: 'size' } })).rejects.toThrow(/--by|takes industry/);
});

test('if a screen is sorted by market cap, a notice states how recent a price must be', async () => {
  const rowsWithoutPrice = ROWS.slice(0, 2).map((row) => ({ ...row, market_cap: null }));
  const meta = { ...META, columns: ['revenue', 'market_cap'], sort: 'market_cap' };
  expect(formatNotices(await runWithData(screen, rowsWithoutPrice, { meta })).join(' ')).toMatch(
    /Some values are missing because they need a price from 2026-02-19 or later \(at most 180 days old\), and filed figures: market_cap \(2 of 2 rows\)\. Rows without market_cap come last, sorted by ticker\./,
  );
});

test('a figure that is older than the fiscal year of its row is shown with its own year', async () => {
  const figureFields = { public_float: '15034547119', prior_annual_end_date: '2024-12-31' };
  const rows = [
    makeRow('A', '1', '1', { ...figureFields, public_float_end_date: '2024-06-28' }),
    makeRow('B', '1', '1', { ...figureFields, public_float_end_date: '2025-06-30' }),
  ];
  const columns = ['fiscal_year', 'public_float', 'annual_end_date', 'prior_annual_end_date', 'public_float_end_date'];
  const text = renderText(await runWithData(screen, rows, { options: { columns: 'public_float' }, meta: { columns } }));
  expect(text).toMatch(/A Inc\. +2024 +15\.03B \(2024\)/);
  expect(text).toMatch(/B Inc\. +2024 +15\.03B +2025/);
  expect(text).not.toContain('2024-12-31');
  expect((await planCommand(screen, { options: { columns: 'public_float' } })).question.rawParameters).toEqual([
    ['columns', columns.join(',')],
  ]);
});

test('an offset past the end of the peers is named, and does not affect the ranks', async () => {
  const listSelectionCodes = async (options: Readonly<Record<string, string>>) =>
    (await runPeers({ form: 'rows', options })).notices.flatMap(({ code }) =>
      code === 'empty' || code.startsWith('page_') ? [code] : [],
    );
  expect(await listSelectionCodes({ offset: '9' })).toEqual(['empty', 'page_past_end']);
  expect(await listSelectionCodes({ offset: '9', rows: 'standing' })).toEqual([]);
  expect(await listSelectionCodes({ limit: '1', rows: 'standing' })).toEqual([]);
});
