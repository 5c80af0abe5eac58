import { expect, test } from 'vitest';
import { isFailure } from '../../src/contract/failure.ts';
import { METRICS } from '../../src/contract/figures.ts';
import { formatForTerminal } from '../../src/contract/text/text.ts';
import catalog from '../../src/questions/catalog.ts';
import day from '../../src/questions/day.ts';
import manager from '../../src/questions/manager.ts';
import metrics from '../../src/questions/metrics.ts';
import screen from '../../src/questions/screen.ts';
import { makeAppleFigure } from './envelopes.ts';
import { planCommand, renderCsvLines, renderText, runWithAnswers, runWithData } from './result-of.ts';

/** One value of every metric, and one ratio. */
const LATEST_FIGURES = [
  ...METRICS.map(({ key, label, statement }) => ({ metric_key: key, metric_label: label, statement, value: '1000' })),
  { metric_key: 'revenue_yoy', metric_label: 'Revenue growth', unit: 'pure', value: '0.05', statement: null },
].map((row) => makeAppleFigure({ ...row, value_kind: 'derived', end_date: '2025-09-27' }));

const CATALOG = [
  ...METRICS.map(({ key, label, statement }) => ({ key, label, statement })),
  { key: 'roe', label: 'Return on equity', statement: null },
  { key: 'pe', label: 'Price to earnings', statement: null },
].map((entry) => ({
  ...{ ...entry, description: '', value_kind: 'derived' as const },
  ...{ covered_company_count: 1, mappings: [], formula: null, unit: null },
}));

test('the view of latest figures shows every figure, in a pipe and at 80 and 120 columns', async () => {
  for (const width of [null, 80, 120]) {
    const text = renderText(await runWithData(metrics, LATEST_FIGURES, { options: { period: 'latest' } }), width);
    for (const { label } of METRICS) expect(text).toContain(label.split(' ')[0]);
    expect(text.match(/ 1(?:\.00K|,000\.00|00,000\.0 %)\*/g)).toHaveLength(METRICS.length);
    expect(text).not.toContain('…');
    // A single note states that ratios are derived, instead of a mark at each value.
    expect(text).toContain('+5.0 %');
    expect(text).toContain('Ratios are derived from reported figures.');
  }
});

const renderCatalog = async (width: number | null, args: readonly string[] = []) =>
  renderText(await runWithData(catalog, CATALOG, { args }), width).split('\n');

test('on a terminal the catalog lists the keys of each group under its name', async () => {
  const lines = await renderCatalog(80);
  expect(lines.length).toBeLessThan(100);
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(80);
  const words = lines.join(' ').split(/[ ,]+/);
  for (const { key } of CATALOG) expect(words).toContain(key);
  expect(lines.join(' ')).toContain('fin catalog income (or cash-flow, balance, cover, ratios, screener)');
});

test.each<[string, number | null, string[]]>([
  ['in a pipe', null, []],
  ['of chosen groups', 100, ['income', 'cash-flow', 'balance', 'cover', 'ratios', 'screener']],
])('the catalog prints every label %s', async (_, width, args) => {
  const text = (await renderCatalog(width, args)).join('\n');
  for (const { label } of CATALOG) expect(text).toContain(label);
});

test.each([
  ['income', ['revenue', 'net_income']],
  ['cash_flow', ['free_cash_flow']],
  ['cash-flow', ['free_cash_flow']],
  ['screener', ['pe']],
  ['ratios', ['roe']],
])('the group %s of the catalog can be chosen by its name', async (name, keys) => {
  const catalogRows = renderCsvLines(
    await runWithData(catalog, CATALOG, { args: [name], form: 'rows', fields: ['key'] }),
  ).slice(1);
  expect(catalogRows).toEqual(expect.arrayContaining(keys));
  expect(catalogRows.length).toBeLessThan(CATALOG.length / 2);
});

test("at 80 columns, the table of a manager's quarters drops the accession number and cuts no date or amount", async () => {
  const [accession_number, name] = ['0000950123-22-012275', 'A manager with a name of many words'];
  const quarterFields = { period: '2022-09-30', filed_at: '2022-11-14', accession_number, positions: 49 };
  const data = { cik: 1067983, name, quarters: [{ ...quarterFields, value_total: '296096640000' }] };
  const text = renderText(await runWithData(manager, data, { options: { rows: 'quarters' } }), 80);
  for (const shownText of ['2022-09-30', '2022-11-14', '296.10B']) expect(text).toContain(shownText);
  expect(text).toContain('1 more column did not fit: Accession');
});

test('the forms of several days are counted by day', async () => {
  const makeFilingsDay = (date: string, filingCount: number, earlierDate: string | null) => ({
    ...{ date, latest: '2026-08-18', filings: filingCount, companies: 1, lines: [], lines_total: 0, reports: [] },
    ...{ insiders: { purchases: 0, purchase_value: '0', sales: 0, sale_value: '0', largest: [] } },
    forms: [{ form: '4', filings: filingCount }],
    days: earlierDate === null ? [] : [{ date: earlierDate, filings: 1 }],
  });
  const filingsDayByDate = new Map([
    ['2026-08-18', makeFilingsDay('2026-08-18', 1, '2026-08-17')],
    ['2026-08-17', makeFilingsDay('2026-08-17', 2, null)],
  ]);
  const result = await runWithAnswers(
    day,
    ({ parameters: { date = '2026-08-18' } }) => ({ data: filingsDayByDate.get(String(date)) }),
    { args: [], options: { rows: 'forms', since: '2026-08-17' }, form: 'rows' },
  );
  expect(renderCsvLines(result)).toEqual(['date,form,filings', '2026-08-18,4,1', '2026-08-17,4,2']);
});

test.each(['forms', 'days', 'trades', 'summary'])(
  'day refuses --forms with --rows %s, which it does not filter',
  async (rows) => {
    const failure = await planCommand(day, { options: { rows, forms: '8-K' }, form: 'rows' }).catch(
      (error: unknown) => error,
    );
    if (!isFailure(failure)) throw new Error('the unfiltered rows were accepted');
    const lines = [failure.message, formatForTerminal(failure.hint ?? '')];
    expect(lines).toEqual([
      `--rows ${rows} covers all filings, including those that --forms leaves out.`,
      'Remove --forms or --rows.',
    ]);
  },
);

test('the error for an unknown screen column suggests the closest one and the command that lists all', async () => {
  const failure = await planCommand(screen, { fields: ['ticker', 'revenu'] }).catch((error: unknown) => error);
  if (!isFailure(failure)) throw new Error('the column was accepted');
  expect(failure.message).toContain('Unknown column "revenu" in --fields. Did you mean revenue?');
  expect(formatForTerminal(failure.hint ?? '')).toContain('fin help figures');
});

test('a figure named by --fields is requested for rows too, if the service sends it only by name', async () => {
  const planColumnsOfFields = async (fields: readonly string[], options = {}) =>
    (await planCommand(screen, { fields, options, form: 'rows' })).question.parameters.columns;
  expect(await planColumnsOfFields(['ticker', 'ebitda'])).toEqual(['ebitda']);
  expect(await planColumnsOfFields(['ticker', 'price'], { 'as-of': '2026-02-27' })).toEqual(['price']);
  expect(await planColumnsOfFields(['ticker', 'price', 'revenue'])).toBeUndefined();
});

test('rows have the figures by which a screen filters and sorts, also those that the service sends only by name', async () => {
  const planColumns = (options: object, form: 'rows' | 'document') =>
    planCommand(screen, { options: options as never, form }).then(({ question }) => question.parameters.columns);
  const filteredColumns = await planColumns({ where: 'ebitda:gt:1B' }, 'rows');
  expect(filteredColumns).toEqual(expect.arrayContaining(['revenue', 'price', 'ebitda']));
  const pastColumns = await planColumns({ 'as-of': '2026-02-27', sort: 'price' }, 'rows');
  expect(pastColumns).toEqual(expect.arrayContaining(['revenue', 'price']));
  expect(pastColumns).not.toContain('pe');
  expect(await planColumns({ where: 'ebitda:gt:1B' }, 'document')).toBeUndefined();
  expect(await planColumns({ where: 'price:gt:10' }, 'rows')).toBeUndefined();
});

test('rows of a screen of a past day have no columns for prices that were not requested', async () => {
  const company = {
    cik: 320193,
    ticker: 'AAPL',
    exchange: 'Nasdaq',
    entity_name: 'Apple Inc.',
    revenue: '416161000000',
  };
  const renderHeader = async (meta: object) =>
    renderCsvLines(await runWithData(screen, [company], { form: 'rows', meta }))[0]?.split(',');
  expect(await renderHeader({})).toEqual(expect.arrayContaining(['revenue', 'price', 'pe', 'attribution']));
  const pastHeader = await renderHeader({ as_of: '2026-02-27' });
  expect(pastHeader).toContain('revenue');
  for (const name of ['price', 'price_day', 'pe', 'market_cap', 'attribution']) expect(pastHeader).not.toContain(name);
});
