/** Formulas of the user: the same values in every format, in the library and for assistants; and the recipes of the help. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, test } from 'vitest';
import { TOPICS } from '../../src/commands/help/help-topics.ts';
import { divide, multiply, sum } from '../../src/contract/decimal.ts';
import { compareDecimals } from '../../src/contract/decimal-text.ts';
import { compare, connect } from '../../src/library/library.ts';
import { makeTemporaryFolder } from '../clean-up.ts';
import { FIN_PATH } from '../fin-process.ts';
import { KEY, refuse, serve } from '../http-service.ts';
import { makeHome, runShell } from './run-fin.ts';
import { everyEighthAsProcess } from './run-here.ts';

const runFin = everyEighthAsProcess();

type Row = Readonly<Record<string, string>>;

/** Reads NDJSON as rows of text. */
const readRows = (text: string): readonly Row[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));

const readCsv = (text: string): readonly Row[] => {
  const [head = '', ...lines] = text.trim().split('\r\n');
  return lines.map((line) =>
    Object.fromEntries(head.split(',').map((name, index) => [name, line.split(',')[index] ?? ''])),
  );
};

const SCREEN = {
  compute: ['cover=cash_and_equivalents/current_liabilities', 'place=rank(cover)+rank(roe)'],
  where: ['revenue:gt:1B', 'cover:gt:20%'],
  sort: 'cover',
  dir: 'desc',
  columns: ['roe'],
} as const;
const SCREEN_ARGS = Object.entries(SCREEN).flatMap(([name, values]) =>
  [values].flat().flatMap((value) => [`--${name}`, value]),
);

test('a screen by a formula is the same everywhere, and its values follow from the columns', async () => {
  const fields = ['--fields', 'ticker,cover,place'];
  const [ndjson, csv, json, table] = await Promise.all([
    runFin(['screen', ...SCREEN_ARGS, ...fields, '-o', 'ndjson']),
    runFin(['screen', ...SCREEN_ARGS, ...fields, '--csv']),
    runFin(['screen', ...SCREEN_ARGS, '--json']),
    runFin(['screen', ...SCREEN_ARGS, '--exact']),
  ]);
  const rows = readRows(ndjson.out);
  expect(rows.length).toBeGreaterThan(5);
  expect(readCsv(csv.out)).toEqual(rows);
  const { data, fin } = JSON.parse(json.out) as { data: Row[]; fin: object };
  expect(data.map(({ ticker, cover, place }) => ({ ticker, cover, place }))).toEqual(rows);
  expect(fin).toMatchObject({ narrowed: true });
  for (const { ticker = '', cover = '' } of rows)
    expect(table.out).toMatch(new RegExp(`^${ticker} .* ${cover.replace('.', '\\.')}`, 'm'));
  for (const { cover, cash_and_equivalents: cash = '', current_liabilities: due = '' } of data)
    expect(cover).toBe(divide(cash, due));
  expect(rows.toSorted((a, b) => compareDecimals(b.cover ?? '', a.cover ?? ''))).toEqual(rows);

  const all = await runFin([
    'screen',
    '--where',
    'revenue:gt:1B',
    '--columns',
    'roe,cash_and_equivalents,current_liabilities',
    '--all',
    '-o',
    'ndjson',
  ]);
  const everyRow = readRows(all.out).map((row) => ({
    ...row,
    cover:
      row.cash_and_equivalents && row.current_liabilities
        ? divide(row.cash_and_equivalents, row.current_liabilities)
        : null,
  }));
  const rank = (values: readonly (string | null | undefined)[], value: string) =>
    values.filter((other) => other != null && compareDecimals(other, value) > 0).length + 1;
  const [covers, returns] = [everyRow.map(({ cover }) => cover), everyRow.map((row) => (row as Row).roe)];
  for (const { cover = '', place, roe } of data)
    expect(place).toBe(roe === null ? null : `${rank(covers, cover) + rank(returns, roe ?? '')}`);
  expect(ndjson.err).toContain(`of the ${everyRow.length} that pass the filters of the service`);

  const client = connect({ baseUrl: 'local:', env: { HOME: makeHome() } });
  const answer = await client.ask('screen', { ...SCREEN, where: [...SCREEN.where], columns: [...SCREEN.columns] });
  await client.close();
  expect(answer.data).toEqual(data);

  const assistant = new Client({ name: 'test', version: '1' });
  const env = { PATH: process.env.PATH ?? '', HOME: makeHome() };
  await assistant.connect(new StdioClientTransport({ command: process.execPath, args: [FIN_PATH, 'mcp'], env }));
  const { content } = await assistant.callTool({
    name: 'screen',
    arguments: { ...SCREEN, compute: SCREEN.compute.join('; ') },
  });
  await assistant.close();
  const text = (content[0] as { text: string }).text;
  for (const { cover = '' } of rows) expect(text).toContain(cover);
});

test('a page of a screen with a formula is one page of the service, and a filter by it needs all pages', async () => {
  const page = await runFin(['screen', '--compute', 'x=revenue/assets', '--limit', '3', '--offset', '2', '--json']);
  const plain = await runFin(['screen', '--limit', '3', '--offset', '2', '--json']);
  const tickersOf = ({ out }: { out: string }) => JSON.parse(out).data.map(({ ticker }: Row) => ticker);
  expect(tickersOf(page)).toEqual(tickersOf(plain));
  const plan = await runFin(['screen', '--compute', 'x=revenue/assets', '--where', 'x:gt:1', '--plan']);
  expect(plan.err).toContain('every page');
});

test('a figure that a service lacks is named, with exit code 2', async () => {
  // The HTTP API requires that the refusal names the column.
  const refusal = { detail: 'The Screener has no column ebitda.' };
  const { baseUrl } = await serve((_, response) => refuse(response, 400, 'bad_request', {}, refusal));
  const remote = await runFin(['screen', '--base-url', baseUrl, '--compute', 'x=ebitda/assets'], {
    env: { FIN_API_KEY: KEY },
  });
  expect(remote).toMatchObject({ code: 2, out: '', err: expect.stringContaining('ebitda') });
  const own = await runFin(['metrics', 'AAPL', '--compute', 'x=market_cap/assets']);
  expect(own).toMatchObject({ code: 2, out: '', err: expect.stringContaining('market_cap') });
});

const FILES = (TOPICS.formulas?.files ?? []).flatMap(({ name, text }) => {
  const [, file, command = ''] = /^([a-z-]+\.txt): fin (.*)$/.exec(name) ?? [];
  return file === undefined ? [] : [{ file, command, text }];
});

async function runFile({ file, command, text }: (typeof FILES)[number]): Promise<readonly Row[]> {
  const folder = makeTemporaryFolder('formulas');
  writeFileSync(join(folder, file), text);
  const { code, out, err } = await runFin([...command.split(' '), '-o', 'ndjson'], { cwd: folder });
  expect({ code, err }).toEqual({ code: 0, err: expect.not.stringContaining('fin:') });
  return readRows(out);
}

const listValues = (rows: readonly Row[], key: string, ticker = 'AAPL') =>
  rows.filter((row) => row.metric_key === key && row.ticker === ticker).map(({ value = '' }) => value);

test('the files of the help have the values that follow from the filings', async () => {
  const byFile = new Map(await Promise.all(FILES.map(async (file) => [file.file, await runFile(file)] as const)));
  const rowsOf = (file: string) => byFile.get(file) ?? [];
  expect([...byFile.keys()]).toEqual(['piotroski.txt', 'cash-cycle.txt', 'dupont.txt', 'altman.txt']);

  const piotroski = rowsOf('piotroski.txt');
  expect(listValues(piotroski, 'f_score')).toEqual(['8', '7', '7', '6', '7']);
  const points = [
    'income',
    'cash',
    'return_grows',
    'accruals',
    'leverage_falls',
    'liquidity_grows',
    'no_new_shares',
    'margin_grows',
    'turnover_grows',
  ];
  expect(sum(points.map((key) => listValues(piotroski, key)[0] ?? ''))).toBe('8');

  // Apple's 10-K of 2025: receivables 39,777 and 33,410, inventories 5,718 and 7,286, payables 69,860 and 68,960, net
  // sales 416,161, cost of sales 220,960.
  const [cycle] = listValues(rowsOf('cash-cycle.txt'), 'cash_cycle');
  expect(Number(cycle)).toBeCloseTo(
    (365 * (39777 + 33410)) / 2 / 416161 + (365 * ((5718 + 7286) / 2 - (69860 + 68960) / 2)) / 220960,
    8,
  );

  const dupont = rowsOf('dupont.txt');
  for (const ticker of ['AAPL', 'MSFT']) {
    const [margin = '', turnover = '', multiplier = '', result] = [
      'margin',
      'turnover',
      'equity_multiplier',
      'return_on_equity',
    ].map((key) => listValues(dupont, key, ticker)[0]);
    expect(result).toBe(multiply(multiply(margin, turnover), multiplier));
  }

  const altman = rowsOf('altman.txt');
  const parts = ['liquid_capital', 'retained', 'earning_power', 'book_to_debt', 'turnover'];
  const weights = ['0.717', '0.847', '3.107', '0.420', '0.998'];
  const [newest] = altman.filter(({ metric_key: key }) => key === 'z_score');
  const values = parts.map(
    (key) => altman.find((row) => row.metric_key === key && row.end_date === newest?.end_date)?.value ?? '',
  );
  expect(newest?.value).toBe(sum(values.map((value, index) => multiply(value, weights[index] ?? ''))));
});

test('the magic formula of the help ranks the companies with prices', async () => {
  const script = TOPICS.formulas?.files?.find(({ text }) => text.startsWith('fin screen'))?.text ?? 'false';
  const { code, out } = await runShell(
    `${script} --as-of 2026-01-30 --fields ticker,earnings_yield,capital_return,place --csv`,
  );
  expect(code).toBe(0);
  const rows = readCsv(out).filter(({ place }) => place !== '');
  expect(rows.length).toBeGreaterThan(5);
  expect(rows.toSorted((a, b) => compareDecimals(a.place ?? '', b.place ?? ''))).toEqual(rows);
});

test('prior is the fiscal year before, absent across a split that the filing does not restate', async () => {
  const text = 'before=prior(revenue); grows=weighted_shares_diluted > prior(weighted_shares_diluted)';
  const { out } = await runFin([
    'metrics',
    'AAPL',
    '--keys',
    'revenue',
    '--compute',
    text,
    '--years',
    '8',
    '-o',
    'ndjson',
  ]);
  const rows = readRows(out);
  const revenues = listValues(rows, 'revenue');
  expect(listValues(rows, 'before').slice(0, -1)).toEqual(revenues.slice(1));
  // The shares of fiscal year 2017 are those of before the split of 2020.
  const years = rows.filter((row) => row.metric_key === 'grows').map((row) => Number(row.fiscal_year));
  expect(years).not.toContain(2018);
  expect(years).toContain(2019);
});

test('a formula without any value says why, and no other reason', async () => {
  const { out, err } = await runFin(['metrics', 'AAPL', '--compute', 'x=net_income/0', '--years', '2', '-o', 'ndjson']);
  expect(out).toBe('');
  expect(err).toMatch(/AAPL: x has no value in 2 of 2 periods: 2 divide by zero\.\n$/);
});

test('compare shows formulas next to reported figures', async () => {
  const formula = 'roce=operating_income/(assets-current_liabilities)';
  const { out } = await runFin(['compare', 'AAPL', 'MSFT', '--compute', formula, '--keys', 'revenue', '--csv']);
  const rows = readCsv(out);
  expect(new Set(rows.map(({ metric_key: key }) => key))).toEqual(new Set(['revenue', 'roce']));
  const { data } = await compare(
    { ticker: ['AAPL', 'MSFT'], compute: [formula], keys: ['revenue'] },
    { env: { HOME: makeHome() } },
  );
  expect(data.map(({ value }) => value)).toEqual(rows.map(({ value }) => value));
});

test('a comparison states which company lacks a formula, and why, and has no currency for a ratio', async () => {
  const { out, err } = await runFin(['compare', 'AAPL', 'JPM', '--compute', 'cr=current_assets/current_liabilities']);
  expect(out).toMatch(/^Cr, fiscal years\n/);
  expect(err).toContain('JPM: cr has no value in 5 of 5 periods: 5 lack current_assets, 5 lack current_liabilities.');
  expect(err).not.toContain('AAPL: cr');
});

test('a column that is not a number is refused in a formula', async () => {
  const { code, err } = await runFin(['screen', '--compute', 'x=industry/2']);
  expect(code).toBe(2);
  expect(err).toContain('The formula x uses industry, which is not a number.');
});
