/** `fin day --since`: which days are requested, and how their answers are joined. */
import { expect, test } from 'vitest';
import { serve } from '../http-service.ts';
import { makeHome, makeProblem, runFin as runProcess, sendJson } from './run-fin.ts';
import { everyEighthAsProcess } from './run-here.ts';

const runFin = everyEighthAsProcess();

const makeFiling = (accession: string, day: string, items: readonly string[]) => ({
  cik: 1,
  entity_name: 'One',
  form: '8-K',
  accession_number: accession,
  accepted_at: `${day}T08:30:00-04:00`,
  filed_at: day,
  items,
  ticker: 'ONE',
});

/** Filings by day. The service has filings since the earliest of these days. */
const FILINGS_BY_DAY: Readonly<Record<string, readonly object[]>> = {
  '2026-08-18': [makeFiling('0000000001-26-000004', '2026-08-18', ['2.02', '9.01'])],
  '2026-08-17': [makeFiling('0000000001-26-000003', '2026-08-17', ['8.01'])],
  '2026-08-13': [makeFiling('0000000001-26-000002', '2026-08-13', ['2.02'])],
  // This day is more than fourteen days before the next day with filings.
  '2026-07-20': [makeFiling('0000000001-26-000001', '2026-07-20', ['2.02'])],
};
const DAYS = Object.keys(FILINGS_BY_DAY);

async function startService() {
  const requestedDates: string[] = [];
  const { baseUrl } = await serve(({ url = '' }, response) => {
    const date = new URL(url, 'http://localhost').searchParams.get('date') ?? '2026-08-18';
    requestedDates.push(date);
    if (date < '2026-07-20') return sendJson(response, 404, makeProblem(404, 'not_found', 'Before the release.'));
    const [dayFilings, firstDay] = [
      FILINGS_BY_DAY[date] ?? [],
      new Date(Date.parse(date) - 13 * 86_400_000).toISOString().slice(0, 10),
    ];
    const days = DAYS.filter((day) => day >= firstDay && day <= date).reverse();
    const data = {
      ...{
        date,
        latest: '2026-08-18',
        filings: dayFilings.length,
        companies: dayFilings.length,
        lines: dayFilings,
        lines_total: dayFilings.length,
      },
      ...{ reports: [], forms: dayFilings.length === 0 ? [] : [{ form: '8-K', filings: dayFilings.length }] },
      insiders: { purchases: 0, purchase_value: '0', sales: 0, sale_value: '0', largest: [] },
      days: days.map((day) => ({ date: day, filings: FILINGS_BY_DAY[day]?.length ?? 0 })),
    };
    const meta = { schema: 'svc.data.v1', route: '/v1/filings/day', request_id: 'r-1', release: null };
    sendJson(response, 200, JSON.stringify({ data, meta }));
  });
  const env = { FIN_BASE_URL: baseUrl, FIN_API_KEY: `svc_${'a'.repeat(38)}`, HOME: makeHome() };
  return { requestedDates, run: (...args: string[]) => runFin(['day', ...args], { env }) };
}

test('only days with filings are requested, back to the given day, and only filings with the given item are printed', async () => {
  const { requestedDates, run } = await startService();
  const { code, out, err } = await run(
    '--forms',
    '8-k',
    '--items',
    '2.02',
    '--since',
    '5d',
    '--csv',
    '--fields',
    'filed_at,items',
  );
  expect(code).toBe(0);
  expect(requestedDates).toEqual(['2026-08-18', '2026-08-17', '2026-08-13']);
  expect(out).toBe('filed_at,items\r\n2026-08-18,2.02 9.01\r\n2026-08-13,2.02\r\n');
  expect(err).toContain('Filtered by --forms 8-K and --items 2.02: kept 2 of 3 listed filings.');
});

test('days before a gap that is longer than the fourteen days of a response are found, back to the first day of the release', async () => {
  const { requestedDates, run } = await startService();
  const { out } = await run('--since', '60d', '--json');
  const { data, fin: joinedInfo } = JSON.parse(out);
  expect(data.days.map(({ date }: { date: string }) => date)).toEqual([...DAYS].reverse());
  expect(joinedInfo).toEqual({ requests: DAYS.length });
  expect(requestedDates).toEqual(['2026-08-18', '2026-08-17', '2026-08-13', '2026-07-30', '2026-07-20', '2026-07-06']);
});

test('a first day after the given last day is a usage error; after the latest day, there are no filings yet', async () => {
  const { run } = await startService();
  const afterGivenDayRun = await run('2026-08-17', '--since', '2026-08-18');
  expect(afterGivenDayRun).toMatchObject({ code: 2, err: expect.stringContaining('is after 2026-08-17') });
  const afterLatestDayRun = await run('--since', '2026-08-19');
  expect(afterLatestDayRun).toMatchObject({
    code: 3,
    err: expect.stringContaining('the latest day is 2026-08-18'),
  });
});

test('the table of several days has the filings of all of them', async () => {
  const { run } = await startService();
  const { out } = await run('2026-08-17', '--since', '5d');
  expect(out).toMatch(/^Filings from 2026-08-13 to 2026-08-17 \(2 days with filings\)\n/);
  expect(out).toMatch(/08-17 12:30 +ONE .*\n08-13 12:30 +ONE /);
});

test('--plan of several days sends no request, and the number of days is bounded', async () => {
  const { requestedDates, run } = await startService();
  // The days from Wednesday to Monday, without the weekend.
  const planRun = await run('2026-08-17', '--since', '5d', '--plan', '--json');
  expect(JSON.parse(planRun.out)).toMatchObject({ requests: 4 });
  expect(requestedDates).toEqual([]);
  const tooLongPeriodRun = await run('2026-08-17', '--since', '1y');
  expect(tooLongPeriodRun).toMatchObject({ code: 2, out: '' });
  expect(tooLongPeriodRun.err).toContain('the maximum is 92 days');
  expect((await run('--since', 'foo')).err).toContain('--since "foo" is not a valid date.');
});

test('more than 92 days are requested with --all, and read from a release on this machine', async () => {
  const { requestedDates, run } = await startService();
  const refused = await run('--since', '2026-03-01');
  expect(refused.code).toBe(2);
  expect(refused.err).toContain('To send a request for each day with filings: --all. To count them: --plan');
  const sent = requestedDates.length;
  const { out } = await run('--since', '2026-03-01', '--all', '-o', 'ndjson');
  expect(out.trimEnd().split('\n')).toHaveLength(4);
  expect(requestedDates.length - sent).toBeGreaterThan(4);
  const { data } = JSON.parse((await runFin(['day', '2026-08-18', '--since', '2026-01-01', '--json'])).out);
  expect(data.days[0].date).toMatch(/^2026-01-0/);
});

test('--tickers and --watchlist keep the filings and trades of these companies', async () => {
  const day = ['day', '2026-08-18', '--since', '120d'];
  const list = async (...args: string[]) =>
    (await runFin([...day, ...args, '-o', 'ndjson', '-q'])).out
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line).ticker as string);
  const kept = (await list()).filter((ticker) => ['AAPL', 'MSFT'].includes(ticker));
  expect(kept.length).toBeGreaterThan(2);
  expect(await list('--tickers', 'aapl,MSFT')).toEqual(kept);
  const { out } = await runProcess([...day, '--watchlist', '-', '-o', 'ndjson', '-q'], { input: 'AAPL\n789019\n' });
  expect(out.split('\n').length - 1).toBe(kept.length);
  const { err } = await runFin(['day', '--tickers', 'AAPL', '--rows', 'forms']);
  expect(err).toContain('--rows forms covers all filings, including those that --tickers leaves out.');
});

test('a service that ignores the form is reported, instead of a day without filings of that form', async () => {
  const { run } = await startService();
  const { code, out, err } = await run('--forms', 'SC 13D,8-K', '--csv');
  expect([code, out]).toEqual([2, '']);
  expect(err).toContain('does not offer lists of 13D and S-1 filings of a day (forms)');
});
