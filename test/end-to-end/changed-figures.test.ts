/** `fin revisions` without a metric: equal to the chains of all metrics, with no more requests than planned. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connect } from '../../src/library/library.ts';
import { openSample } from '../service/sample.ts';
import { makeHome } from './run-fin.ts';
import { everyEighthAsProcess } from './run-here.ts';
import { type Service, startService } from './serve-process.ts';

const runFin = everyEighthAsProcess();

let service: Service;
beforeAll(async () => {
  service = await startService({ default: { minute: 5000, month: 100_000 } });
});
afterAll(() => service.stop());

const makeEnv = () => ({ HOME: makeHome(), FIN_BASE_URL: service.baseUrl, FIN_API_KEY: service.keys[0] ?? '' });
const readJson = async (args: string, env: Record<string, string> = {}) =>
  JSON.parse((await runFin([...args.split(' '), '--json'], { env })).out);

test('the changes are those of the chains of all metrics, on every surface', async () => {
  const client = connect({ env: { HOME: makeHome() } });
  const { data: catalog } = await client.ask('catalog');
  const { data: profile } = await client.ask('profile', { ticker: 'KHC' });
  const values = await openSample().release.reportedValues(profile.cik);
  const keysWithValues = new Set(values.map(({ metricKey }) => metricKey));
  const expected: string[] = [];
  for (const { key } of catalog.filter(({ key }) => keysWithValues.has(key))) {
    const { data } = await client.ask('revisions', { ticker: 'KHC', metric_key: key });
    const current = new Map(data.filter((row) => row.standing).map((row) => [row.metric_value_id, row.revision_rank]));
    const changes = data.filter(
      (row) => row.kind === 'revised' && row.revision_rank <= (current.get(row.metric_value_id) ?? 0),
    );
    expected.push(...changes.map((row) => `${row.filed_at} ${row.metric_value_id} ${row.revision_rank} ${row.delta}`));
  }
  expect(expected.length).toBeGreaterThan(50);
  const list = (rows: readonly Record<string, unknown>[]) =>
    rows.map((row) => `${row.filed_at} ${row.metric_value_id} ${row.revision_rank} ${row.delta}`);
  const { data } = await client.ask('revisions', { ticker: 'KHC' });
  expect(list(data as never).sort()).toEqual(expected.sort());
  const since = '2020-01-01';
  const later = await client.ask('revisions', { ticker: 'KHC', since });
  await client.close();
  expect(list(later.data as never)).toEqual(list(data as never).filter((text) => text >= since));
  expect(list((await readJson(`revisions KHC --since ${since}`)).data)).toEqual(list(later.data as never));
  const { out } = await runFin(['revisions', 'KHC', 'AAPL', '--since', since, '-o', 'ndjson']);
  const rows = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(list(rows.filter((row) => row.ticker === 'KHC'))).toEqual(list(later.data as never));
  expect(rows.some((row) => row.ticker === 'AAPL')).toBe(true);
});

test('one request lists the figures, and one for each changed metric follows, as --plan counts them', async () => {
  const env = makeEnv();
  const count = () => service.requests().filter(({ target }) => target.startsWith('/v1/')).length;
  expect(await readJson('revisions KHC --plan', env)).toMatchObject({ requests: 2, more_may_be_needed: true });
  // No filing is so late: this asks for the list of figures alone.
  const none = await runFin(['revisions', 'KHC', '--since', '2099-01-01'], { env });
  expect(none.err).toContain('No filing since 2099-01-01 changed a figure');
  const { requests } = await readJson('revisions KHC --plan', env);
  const before = count();
  const { fin } = await readJson('revisions KHC', env);
  expect(requests).toBeGreaterThan(20);
  // The service logs a request when its answer has been sent.
  await expect.poll(() => count() - before).toBe(requests);
  expect(fin.requests).toBeGreaterThan(requests);
  expect((await readJson('revisions KHC --plan', env)).requests).toBe(0);
});

test('above the maximum a company is refused with the ways out, and --all answers it', async () => {
  const tickers = ['KHC', 'AAPL', 'MSFT', 'KO', 'WMT', 'GE', 'T', 'IBM'];
  const args = ['revisions', ...tickers, '-o', 'ndjson', '--quiet'];
  const env = makeEnv();
  const { code, err } = await runFin(args, { env });
  expect(code).toBe(8);
  expect(err).toMatch(
    /need one request for each of \d+ metrics, in addition to the requests for \d+ metrics of other companies; the maximum is 240 metrics/,
  );
  expect(err).toContain('To send them all: --all.');
  expect((await runFin([...args, '--all'], { env })).code).toBe(0);
}, 600_000);
