import { expect, test } from 'vitest';
import { findRows, getOperation } from '../../src/contract/operations.ts';
import { ask, compare, connect, FinError, pages, request, rows } from '../../src/library/library.ts';
import { makeTemporaryFolder } from '../clean-up.ts';
import { KEY, makeEnvelope, refuse, sendAnswer, serve } from '../http-service.ts';
import { makeResource } from '../resource.ts';

/** Starts a service in which a company has three holders, with two holders on a page. */
const startHolderService = () =>
  serve((request, response) => {
    const offset = Number(new URL(request.url ?? '', 'http://fin').searchParams.get('offset'));
    const allHolders = [1, 2, 3].map((cik) => makeResource('SecurityHolder', { holder_cik: cik }));
    const data = makeResource('SecurityHolders', { rows: allHolders.slice(offset, offset + 2), rows_total: 3 });
    sendAnswer(response, makeEnvelope(data, { offset, limit: 2 }));
  });

const makeHomeEnv = () => ({ HOME: makeTemporaryFolder('library') });

const catchError = (answer: Promise<unknown>): Promise<unknown> =>
  answer.then(
    () => null,
    (error) => error,
  );

test('rows() and pages() yield a complete answer, and ask() returns one page', async () => {
  const { baseUrl, requests } = await startHolderService();
  const options = { baseUrl, apiKey: KEY, env: makeHomeEnv(), cache: false };
  const managerCiks: number[] = [];
  for await (const { holder_cik: cik } of rows('holders', { ticker: 'AAPL', limit: 2 }, options)) managerCiks.push(cik);
  expect(managerCiks).toEqual([1, 2, 3]);
  const pageLengths: number[] = [];
  for await (const { data } of pages('holders', { ticker: 'AAPL', limit: 2 }, options))
    pageLengths.push(data.rows.length);
  expect(pageLengths).toEqual([2, 1]);
  const previousRequestCount = requests.length;
  expect((await ask('holders', { ticker: 'AAPL', offset: 2 }, options)).data.rows).toHaveLength(1);
  expect(requests).toHaveLength(previousRequestCount + 1);
  expect(requests.map(({ headers }) => headers.authorization)).toEqual(requests.map(() => `Bearer ${KEY}`));
});

test('rows of a list without offset are its largest page, or a page of the given limit', async () => {
  const options = { baseUrl: 'local:', env: makeHomeEnv() };
  const searchTickers = async (limit?: number) => {
    const tickers: string[] = [];
    for await (const { ticker } of rows('search', { query: 'c', limit }, options)) tickers.push(ticker);
    return tickers;
  };
  const allTickers = await searchTickers();
  expect(allTickers.length).toBeGreaterThan(25);
  expect(new Set(allTickers)).toHaveLength(allTickers.length);
  expect(await searchTickers(2)).toEqual(allTickers.slice(0, 2));
});

test('a screen of a past day has the companies and figures of the day, in ask and in rows', async () => {
  const options = { baseUrl: 'local:', env: makeHomeEnv() };
  const screenParameters = {
    as_of: '2019-06-28',
    columns: ['revenue'],
    sort: 'revenue',
    dir: 'desc',
    limit: 2,
  } as const;
  const { data, total } = await ask('screen', screenParameters, options);
  expect(data).toMatchObject([
    { ticker: 'WMT', revenue: '514405000000' },
    { ticker: 'AAPL', revenue: '265595000000' },
  ]);
  expect(total).toBeGreaterThan(50);
  const tickers: string[] = [];
  for await (const { ticker } of rows('screen', screenParameters, options)) tickers.push(ticker);
  expect(tickers.slice(0, 2)).toEqual(['WMT', 'AAPL']);
  const { data: currentRows } = await ask('screen', { ...screenParameters, as_of: undefined }, options);
  expect(currentRows[0]?.revenue).not.toBe(data[0]?.revenue);
});

test('compare names the companies that it lacks, and describes the comparison', async () => {
  const options = { baseUrl: 'local:', env: makeHomeEnv() };
  const parameters = { keys: ['revenue'], period: 'ttm', as_of: '2026-06-30' } as const;
  const { data, meta, notices } = await compare({ ...parameters, ticker: ['AAPL', 'NOSUCH'] }, options);
  expect(new Set(data.map(({ ticker }) => ticker))).toEqual(new Set(['AAPL']));
  expect(meta).toMatchObject({
    ...parameters,
    aligned_by: 'calendar quarter that the last quarter of the twelve months mostly covers',
  });
  expect(meta).not.toHaveProperty('ticker');
  const [failureNotice] = notices;
  expect(failureNotice).toMatchObject({
    code: 'input_failed',
    severity: 'warning',
    message: expect.stringContaining('"NOSUCH" is missing. No company in this release has the ticker "NOSUCH".'),
    values: { input: 'NOSUCH', problem: { code: 'not_found', exit_code: 3 } },
  });
  const comparisonPromise = compare({ ...parameters, ticker: ['NOSUCH'] }, options);
  expect(await catchError(comparisonPromise)).toMatchObject({ kind: 'not_found', exitCode: 3 });
});

test('ask returns all figures, or a page of a list with its total and the question for the next page', async () => {
  const options = { baseUrl: 'local:', env: makeHomeEnv() };
  const metricsAnswer = await ask('metrics', { ticker: 'AAPL', period: 'annual' }, options);
  expect(metricsAnswer.data.length).toBeGreaterThan(500);
  expect(metricsAnswer).toMatchObject({ total: null, more: null, notices: [] });
  const filingsAnswer = await ask('filings', { ticker: 'AAPL' }, options);
  expect(filingsAnswer.data).toHaveLength(25);
  expect(filingsAnswer.total).toBeGreaterThan(25);
  expect(filingsAnswer.more).toEqual({ command: 'filings', given: { ticker: 'AAPL', offset: 25 } });
  expect(filingsAnswer.notices).toMatchObject([
    {
      code: 'page_cut',
      severity: 'warning',
      message: expect.stringMatching(/^Showing 25 of \d+\. To see all: rows\(\)$/),
    },
  ]);
  // `request` returns the service's answer to one request, without additions.
  const { data, meta } = await request('metrics', { ticker: 'AAPL', period: 'annual' }, options);
  expect(data).toHaveLength(meta.limit ?? 0);
});

test.each([
  ['filings', { ticker: 'AAPL', forms: ['8-K', '10-K'], limit: 5 }],
  ['screen', { where: ['revenue:gt:100M', 'net_margin:gt:0.1'], columns: ['revenue'], limit: 5, offset: 5 }],
  ['screen', { tickers: ['AAPL', 'MSFT', 'WMT', 'JPM', 'ADBE'], limit: 2 }],
  ['insiders', { ticker: 'AAPL', min_value: '1M', exclude_plans: true, sort: 'value', limit: 2 }],
  ['insider-activity', { min_value: '1M', limit: 20 }],
  ['manager', { cik: 1067983, limit: 20 }],
] as const)('the rows of %s %j continue with the question for the next rows', async (operation, given) => {
  const client = connect({ baseUrl: 'local:', env: makeHomeEnv() });
  const { limit, offset = 0, ...filters } = given as { limit: number; offset?: number };
  const all: unknown[] = [];
  for await (const row of client.rows(operation, filters as typeof given)) all.push(row);
  const shown: unknown[] = [];
  for (let next: unknown = given; next !== null; ) {
    const { data, more } = await client.ask(operation, next as typeof given);
    const rows: readonly unknown[] = findRows(getOperation(operation), data) ?? [];
    expect(rows.length).toBeLessThanOrEqual(limit);
    shown.push(...rows);
    if (more !== null) expect(more).toEqual({ command: operation, given: { ...given, offset: offset + shown.length } });
    next = more?.given ?? null;
  }
  await client.close();
  expect(shown).toEqual(all.slice(offset));
});

test('a list without pages continues with its maximum limit', async () => {
  const options = { baseUrl: 'local:', env: makeHomeEnv() };
  const { data, more } = await ask('search', { query: 'a', limit: 2 }, options);
  expect(more).toEqual({ command: 'search', given: { query: 'a', limit: 500 } });
  const rest = more === null ? [] : (await ask(more.command, more.given, options)).data;
  expect(rest.slice(0, 2)).toEqual(data);
  expect(rest.length).toBeGreaterThan(2);
});

test('notices and errors name parameters and functions, not options and commands', async () => {
  const options = { baseUrl: 'local:', env: makeHomeEnv() };
  const { notices } = await ask('insiders', { ticker: 'AAPL', min_value: '1M', limit: 2 }, options);
  const narrowed = notices.find(({ code }) => code === 'narrowed');
  expect(narrowed?.message).toMatch(/^Filtered by min_value: "1M": kept/);
  const { notices: segmentNotices } = await ask('segments', { ticker: 'AAPL', years: 2 }, options);
  const later = segmentNotices.find(({ code }) => code === 'later_reports');
  expect(later?.message).toMatch(/See: ask\("filings", \{"ticker":"AAPL","forms":\["10-K"\]\}\)$/);
  expect(later?.calls).toEqual([{ command: 'filings', given: { ticker: 'AAPL', forms: ['10-K'] } }]);
  const offline = await catchError(
    ask('release', {}, { baseUrl: 'https://a.example', offline: true, apiKey: KEY, env: makeHomeEnv() }),
  );
  expect(offline).toMatchObject({ kind: 'network', hint: expect.stringMatching(/^Ask once without offline;/) });
});

test('the option apiKey replaces other keys, and is sent only to its address', async () => {
  const { baseUrl, requests } = await startHolderService();
  const env = { ...makeHomeEnv(), FIN_API_KEY: `svc_${'e'.repeat(38)}`, FIN_BASE_URL: baseUrl };
  await ask('holders', { ticker: 'AAPL' }, { apiKey: KEY, env });
  await ask('holders', { ticker: 'MSFT' }, { env });
  expect(requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${KEY}`, `Bearer ${env.FIN_API_KEY}`]);
  const failureWithoutAddress = await catchError(ask('release', {}, { apiKey: KEY, env: makeHomeEnv() }));
  expect(failureWithoutAddress).toMatchObject({
    kind: 'usage',
    hint: 'Set the option baseUrl to the address of the service, or remove the option apiKey.',
  });
});

test('all clients of an account share cached responses', async () => {
  const { baseUrl, requests } = await startHolderService();
  const options = { baseUrl, apiKey: KEY, env: makeHomeEnv(), maxAge: 60_000 };
  const [first, second] = [
    await ask('holders', { ticker: 'AAPL' }, options),
    await ask('holders', { ticker: 'AAPL' }, options),
  ];
  expect(second).toEqual(first);
  expect(requests).toHaveLength(1);
});

test('a list is sent as one value, and each filter as a separate value', async () => {
  const { baseUrl, requests } = await serve((_, response) => sendAnswer(response, makeEnvelope([])));
  const where = ['revenue_yoy:gt:0.2', 'net_margin:gt:0.1'];
  await ask(
    'screen',
    { where, columns: ['revenue', 'pe'], offset: undefined },
    { baseUrl, apiKey: KEY, env: makeHomeEnv() },
  );
  // The first request asks which parameters of fin the service has.
  expect(requests[1]?.url).toBe('/v1/screen?where=revenue_yoy:gt:0.2&where=net_margin:gt:0.1&columns=revenue,pe');
});

test("a failure is a FinError with the command's exit code", async () => {
  const { baseUrl } = await serve((_, response) => refuse(response, 429, 'rate_limited', { 'retry-after': '120' }));
  const options = { baseUrl, apiKey: KEY, env: makeHomeEnv(), maxWait: 1000 };
  const limitFailure = await catchError(ask('release', {}, options));
  expect(limitFailure).toBeInstanceOf(FinError);
  expect(limitFailure).toMatchObject({
    kind: 'limit',
    exitCode: 5,
    retryAfter: 120,
    problem: { code: 'rate_limited' },
  });
  const client = connect(options);
  await client.close();
  expect(await catchError(client.ask('release'))).toMatchObject({ kind: 'usage', message: 'This client is closed.' });
});

test('unknown operations and parameters in plain JavaScript are refused before a request', async () => {
  const { baseUrl, requests } = await startHolderService();
  const client = connect({ baseUrl, apiKey: KEY, env: makeHomeEnv() });
  const askAndCatchError = (operation: string, parameters: object) =>
    catchError(Reflect.apply(client.ask, client, [operation, parameters]));
  expect(await askAndCatchError('holder', {})).toMatchObject({
    message: expect.stringContaining('Did you mean holders?'),
  });
  expect(await askAndCatchError('holders', {})).toMatchObject({
    kind: 'usage',
    message: 'The argument ticker is missing.',
  });
  // Values of unsupported types are refused, including values that JSON cannot represent.
  for (const ticker of [{}, 1n, Symbol('AAPL'), () => 'AAPL'])
    expect(await askAndCatchError('holders', { ticker })).toMatchObject({ kind: 'usage' });
  expect(await askAndCatchError('holders', { ticker: 'A', limits: 1 })).toMatchObject({ kind: 'usage', exitCode: 2 });
  expect(requests).toEqual([]);
  await client.close();
});

test('an abort rejects with its reason, even while a response is pending', async () => {
  const controller = new AbortController();
  const { baseUrl } = await serve(() => controller.abort(new Error('enough')));
  const options = { baseUrl, apiKey: KEY, env: makeHomeEnv(), signal: controller.signal };
  expect(await catchError(ask('release', {}, options))).toBe(controller.signal.reason);
  expect(await catchError(ask('release', {}, options))).toBe(controller.signal.reason);
});

test('notices are passed to the program and not printed', async () => {
  const notices: string[] = [];
  await ask('release', {}, { env: makeHomeEnv(), onNotice: (text) => notices.push(text) });
  expect(notices).toEqual([expect.stringMatching(/^Using the built-in sample/)]);
});
