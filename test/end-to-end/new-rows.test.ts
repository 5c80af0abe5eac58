/** `--new`: each filing is shown once for a question, and again only if it may not have been printed. */
import { expect, test } from 'vitest';
import { makeEnvelope, sendAnswer, serve } from '../http-service.ts';
import { makeResource } from '../resource.ts';
import { makeHome, runShell } from './run-fin.ts';
import { everyEighthAsProcess } from './run-here.ts';

const runFin = everyEighthAsProcess();

const makeNumber = (cik: number, index: number): string =>
  [`${cik}`.padStart(10, '0'), '26', `${index}`.padStart(6, '0')].join('-');

/** Starts a service whose companies have as many filings as `counts` says, newest first. */
async function startService(counts: Record<string, number>) {
  const { baseUrl, requests } = await serve(({ url = '' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://localhost');
    const ticker = pathname.split('/')[3] ?? '';
    const cik = Object.keys(counts).indexOf(ticker) + 1;
    const all = Array.from({ length: counts[ticker] ?? 0 }, (_, index) => makeNumber(cik, index + 1)).reverse();
    const limit = Number(searchParams.get('limit') ?? 25);
    const filings = all
      .slice(0, limit)
      .map((number) => makeResource('Filing', { cik, ticker, form: '8-K', accession_number: number }));
    sendAnswer(response, makeEnvelope(filings, { limit, total: all.length }));
  });
  const env = { FIN_BASE_URL: baseUrl, HOME: makeHome() };
  /** Returns the accession numbers that a run prints, as cik and index. */
  const list = async (line: string) => {
    const { code, out, err } = await runFin([...line.split(' '), '--no-cache', '-o', 'ndjson'], { env });
    const numbers = out
      .split('\n')
      .filter((text) => text !== '')
      .map((text) => JSON.parse(text).accession_number as string);
    return { code, err, shown: numbers.map((number) => `${Number(number.slice(0, 10))}/${Number(number.slice(-6))}`) };
  };
  return { env, list, requests };
}

test('the first run shows a page, later runs only what is new, and a further company its own first page', async () => {
  const counts = { ONE: 600, TWO: 2, THREE: 3 };
  const { list, env } = await startService(counts);
  const first = await list('filings ONE TWO --new');
  expect(first.shown).toHaveLength(27);
  expect(first.err).toContain('Warning: ONE: Showing 25 of 600.');
  expect(await list('filings ONE TWO --new')).toEqual({ code: 0, err: '', shown: [] });
  counts.TWO = 3;
  // More than a page of new filings.
  counts.ONE = 640;
  const later = await list('filings THREE TWO ONE --new');
  expect(later.err).toBe('');
  expect(later.shown.slice(0, 4)).toEqual(['3/3', '3/2', '3/1', '2/3']);
  expect(later.shown.slice(4)).toEqual(Array.from({ length: 40 }, (_, index) => `1/${640 - index}`));
  expect((await list('filings ONE TWO THREE --new')).shown).toEqual([]);
  // Another question has not shown them yet.
  expect((await list('filings THREE --forms 8-K --new')).shown).toHaveLength(3);
  counts.TWO = 4;
  const args = ['filings', 'TWO', 'THREE', '--new', '--no-cache'];
  const { out } = await runFin([...args, '--json'], { env });
  expect(JSON.parse(out).map(({ data }: { data: unknown[] }) => data.length)).toEqual([1, 0]);
  expect(await runFin(args, { env })).toEqual({ code: 0, out: '', err: '' });
});

test('filings that could not be written are shown again, and --mark only remembers', async () => {
  const { list, env } = await startService({ ONE: 3 });
  const set = Object.entries(env).map(([name, text]) => `export ${name}=${text}`);
  const lost = await runShell(`${set.join('; ')}; fin filings ONE --new --csv > /dev/full`);
  expect(lost.code).not.toBe(0);
  expect((await list('filings ONE --new')).shown).toHaveLength(3);
  expect(await list('filings ONE --forms 8-K --new --mark')).toEqual({ code: 0, err: '', shown: [] });
  expect((await list('filings ONE --forms 8-K --new')).shown).toEqual([]);
  expect((await list('filings ONE --mark')).err).toContain('--mark needs --new.');
});

test('runs at the same time remember the filings of each other', async () => {
  const { list } = await startService({ ONE: 3, TWO: 3, THREE: 3, FOUR: 3 });
  const tickers = ['ONE', 'TWO', 'THREE', 'FOUR'];
  const first = await Promise.all(tickers.map((ticker) => list(`filings ${ticker} --new`)));
  expect(first.map(({ shown }) => shown.length)).toEqual([3, 3, 3, 3]);
  expect((await list(`filings ${tickers.join(' ')} --new`)).shown).toEqual([]);
});

test('trades and the filings of a day are shown once too', async () => {
  const env = { HOME: makeHome() };
  for (const line of [
    'insiders ADBE',
    'insider-activity --tickers ADBE',
    'day 2026-07-31',
    'day 2026-07-31 --forms 10-Q',
  ]) {
    const args = [...line.split(' '), '--new'];
    const first = await runFin([...args, '--csv', '-q'], { env });
    expect({ line, rows: first.out.split('\n').length > 2 }).toEqual({ line, rows: true });
    expect({ line, ...(await runFin(args, { env })) }).toMatchObject({ line, code: 0, out: '' });
  }
});
