import { expect, test } from 'vitest';
import { renderAnswer } from '../../../src/ask/answer-output.ts';
import type { QuestionCommand } from '../../../src/ask/command.ts';
import type { FetchedAnswer } from '../../../src/ask/fetch/fetch.ts';
import { withChosenRows } from '../../../src/ask/question-options.ts';
import catalog from '../../../src/commands/questions/catalog.ts';
import day from '../../../src/commands/questions/day.ts';
import manager from '../../../src/commands/questions/manager.ts';
import metrics from '../../../src/commands/questions/metrics.ts';
import screen from '../../../src/commands/questions/screen.ts';
import { METRICS } from '../../../src/contract/figures.ts';
import { printBlocks } from '../../../src/render/terminal/print-blocks.ts';
import { apple, META } from '../envelopes.ts';

/** A value of every metric, and a ratio. */
const LATEST = [
  ...METRICS.map(({ key, label, statement }) => ({ metric_key: key, metric_label: label, statement, value: '1000' })),
  { metric_key: 'revenue_yoy', metric_label: 'Revenue growth', unit: 'pure', value: '0.05', statement: null },
].map((row) => apple({ ...row, value_kind: 'derived', end_date: '2025-09-27' }));

const CATALOG = [
  ...METRICS.map(({ key, label, statement }) => ({ key, label, statement })),
  { key: 'roe', label: 'Return on equity', statement: null },
  { key: 'pe', label: 'Price to earnings', statement: null },
].map((entry) => ({
  ...{ ...entry, description: '', value_kind: 'derived' as const },
  ...{ covered_company_count: 1, mappings: [], formula: null, unit: null },
}));

interface Shown {
  readonly width: number | null;
  readonly options?: readonly string[];
  readonly chosen?: boolean;
}

function lines(command: QuestionCommand, data: readonly unknown[], { width, options = [], chosen = false }: Shown) {
  const parameters = { period: 'latest', ticker: 'AAPL' };
  const given = new Map(options.map((name) => [name, ['latest']]));
  const answer = { data, meta: META, ...(chosen ? { unfiltered: [] } : {}) };
  const blocks = command.view(answer, { parameters, width, options: given });
  return printBlocks(blocks, { width, exact: false, header: true }).split('\n');
}

test('on a terminal the latest figures are the main lines, and how to see all', () => {
  const main = lines(metrics, LATEST, { width: 80 });
  expect(main.length).toBeLessThan(40);
  expect(main.some((line) => line.startsWith('Gross profit'))).toBe(true);
  expect(main.some((line) => line.includes('Research and development'))).toBe(false);
  expect(main).toContain(`These are the main lines. All ${LATEST.length}: --period latest`);
});

test.each([
  ['in a pipe', { width: null }],
  ['where the period is named', { width: 120, options: ['period'] }],
])('all lines are shown %s', (_, shown) => {
  const all = lines(metrics, LATEST, shown).join('\n');
  for (const { label } of METRICS) expect(all).toContain(label);
  expect(all).not.toContain('main lines');
  // Said once, not beside each.
  expect(all).toContain('+5.0 %');
  expect(all).toContain('Ratios are derived from reported figures.');
});

test('on a terminal the catalog has the keys of each group, and names the groups', () => {
  const short = lines(catalog, CATALOG, { width: 80 });
  expect(short.length).toBeLessThan(40);
  expect(Math.max(...short.map((line) => line.length))).toBeLessThanOrEqual(80);
  const words = short.join(' ').split(/[ ,]+/);
  for (const { key } of CATALOG) expect(words).toContain(key);
  expect(short.join(' ')).toContain('fin catalog income (or cash-flow, balance, cover, ratios, screener)');
});

test.each([
  ['in a pipe', { width: null }],
  ['of a chosen group', { width: 100, chosen: true }],
])('the catalog has labels and companies %s', (_, shown) => {
  const all = lines(catalog, CATALOG, shown).join('\n');
  for (const { label } of CATALOG) expect(all).toContain(label);
});

test.each([
  ['income', ['revenue', 'net_income']],
  ['cash_flow', ['free_cash_flow']],
  ['cash-flow', ['free_cash_flow']],
  ['screener', ['pe']],
  ['ratios', ['roe']],
])('the group %s is chosen by its name', (name, keys) => {
  const filter = [catalog.rowFilter?.(new Map(), [name]) ?? []].flat()[0];
  const kept = CATALOG.filter((entry) => filter?.keeps(entry, {}, CATALOG)).map(({ key }) => key);
  expect(kept).toEqual(expect.arrayContaining(keys));
  expect(kept.length).toBeLessThan(CATALOG.length / 2);
});

const rowsOf = (command: QuestionCommand, name: string) => withChosenRows(command, new Map([['rows', [name]]]));

test('the quarters of a manager keep their values at 80 columns, and no day or number is cut', () => {
  const [accession_number, name] = ['0000950123-22-012275', 'A manager with a name of many words'];
  const quarter = { period: '2022-09-30', filed_at: '2022-11-14', accession_number, positions: 49 };
  const data = { cik: 1067983, name, quarters: [{ ...quarter, value_total: '296096640000' }] };
  const blocks = rowsOf(manager, 'quarters').view({ data, meta: META }, { parameters: {}, width: 80 });
  const text = printBlocks(blocks, { width: 80, exact: false, header: true });
  for (const whole of ['2022-09-30', '2022-11-14', '296096640000']) expect(text).toContain(whole);
  expect(text).toContain('1 more column did not fit: Accession');
});

test('forms of several days are counted by day', () => {
  const ofDay = (date: string, filings: number) => ({ data: { date, forms: [{ form: '4', filings }] }, meta: META });
  const pages = [ofDay('2026-08-18', 1), ofDay('2026-08-17', 2)];
  const fetched: FetchedAnswer = {
    answer: ofDay('2026-08-18', 1),
    pages: () => pages,
    whole: () => ofDay('2026-08-18', 3),
    text: () => [],
    close: () => undefined,
  };
  const context = { parameters: {}, width: 80 };
  const blocks = renderAnswer(rowsOf(day, 'forms'), fetched, context, { fields: null }).view();
  const text = printBlocks(blocks, { width: 80, exact: false, header: false });
  expect(text.trim().split(/\s+/)).toEqual(['2026-08-18', '4', '1', '2026-08-17', '4', '2']);
});

test('an unknown column of the screener suggests the nearest, and says where all are listed', () => {
  const prepare = () => screen.prepare?.([], { format: 'table', local: true, fields: ['ticker', 'revenu'] });
  expect(prepare).toThrow('Unknown column "revenu" in --fields. Did you mean revenue?');
  expect(prepare).toThrow(expect.objectContaining({ hint: expect.stringContaining('fin help figures') }));
});
