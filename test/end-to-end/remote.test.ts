import { expect, test } from 'vitest';
import { serve } from '../http-service.ts';
import { makeResource } from '../resource.ts';
import { makeHome, makeProblem, sendJson } from './run-fin.ts';
import { everyEighthAsProcess } from './run-here.ts';

const runFin = everyEighthAsProcess();

const META_JSON = `"meta":{"schema":"svc.data.v1","route":"/v1/release","release":{"date":"2026-08-18","checks":"passed","published_at":"2026-08-19T00:00:00Z","stamp":"2026-08-18-0123"},"request_id":"r-1"}`;
const makeRawConcept = (fields: object) => makeResource('RawConcept', { ...fields });

/** JSON text with spacing and digits that no serializer would produce. */
const RELEASE_JSON = `{ "data":{"date":"2026-08-18", "checks":"passed","published_at":"2026-08-19T00:00:00Z","stamp":"2026-08-18-0123","more":1.10},\t${META_JSON} }`;

test('JSON has the exact bytes of the service, also after revalidation', async () => {
  const { baseUrl, requests } = await serve((request, response) => {
    if (request.headers['if-none-match'] === 'W/"1"') response.writeHead(304, { etag: 'W/"1"' }).end();
    else sendJson(response, 200, RELEASE_JSON, { etag: 'W/"1"' });
  });
  const HOME = makeHome();
  const firstRun = await runFin(['release', '--json', '--base-url', baseUrl], { env: { HOME } });
  const secondRun = await runFin(['release', '--json', '--base-url', baseUrl], { env: { HOME } });
  expect(firstRun).toEqual({ code: 0, out: `${RELEASE_JSON}\n`, err: '' });
  expect(secondRun).toEqual(firstRun);
  expect(requests.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, 'W/"1"']);
});

test('a misspelt column is an error, and no request is sent', async () => {
  const { baseUrl, requests } = await serve((_, response) => sendJson(response, 200, RELEASE_JSON));
  const { code, err } = await runFin(['screen', '--where', 'revenu_yoy:gt:0.2', '--base-url', baseUrl]);
  expect(code).toBe(2);
  expect(err).toContain('revenue_yoy');
  expect(requests).toHaveLength(0);
});

test.each(['There is no metric "inventory".', 'There is no metric "inventory". Did you mean inventories?'])(
  'a metric is suggested once for a misspelt key, whether or not the service suggests it: %s',
  async (detail) => {
    const { baseUrl } = await serve((_, response) => sendJson(response, 404, makeProblem(404, 'not_found', detail)));
    const { err } = await runFin(['lineage', 'JPM', 'inventory', '--base-url', baseUrl]);
    expect(err.match(/Did you mean inventories\?/g)).toHaveLength(1);
  },
);

test.each<[number, string, number]>([
  [400, 'bad_request', 2],
  [401, 'invalid_key', 4],
  [404, 'not_found', 3],
  [429, 'rate_limited', 5],
  [500, 'internal_error', 6],
  [503, 'unavailable', 6],
  [504, 'timeout', 6],
])('a problem %i is printed with its request id, and ends with its exit code', async (status, code, exit) => {
  const { baseUrl } = await serve((_, response) =>
    sendJson(
      response,
      status,
      makeProblem(status, code, 'What went wrong.'),
      status === 429 ? { 'retry-after': '7200' } : {},
    ),
  );
  const args = ['release', '--base-url', baseUrl, '--retries', '0', '--max-wait', '1s'];
  const textRun = await runFin(args);
  expect(textRun).toMatchObject({ code: exit, out: '' });
  expect(textRun.err).toContain('req-42');
  const jsonRun = await runFin([...args, '--json']);
  expect(jsonRun.code).toBe(exit);
  expect(JSON.parse(jsonRun.err)).toMatchObject({
    status,
    code,
    request_id: 'req-42',
    retryable: status === 429 || status >= 500,
  });
});

test('the exit code is 7 if no program listens, or a program other than a data service answers', async () => {
  const { baseUrl } = await serve((_, response) => sendJson(response, 200, '<html>hello</html>'));
  expect((await runFin(['release', '--base-url', baseUrl, '--retries', '0'])).code).toBe(7);
  const wrongService = await serve((_, response) => sendJson(response, 200, `{"data":{},${META_JSON}}`));
  const refusedRun = await runFin(['search', 'apple', '--base-url', wrongService.baseUrl]);
  expect(refusedRun.code).toBe(7);
  expect(refusedRun.err).toContain('search: data is an object, not a list.');
  expect(refusedRun.out).toBe('');
  const unreachableRun = await runFin(['release', '--base-url', 'http://127.0.0.1:9', '--retries', '0']);
  expect(unreachableRun.code).toBe(7);
  expect(unreachableRun.err).not.toMatch(/\n {4}at /);
});

test('a refused key ends a batch immediately', async () => {
  const { baseUrl, requests } = await serve((_, response) =>
    sendJson(response, 401, makeProblem(401, 'revoked_key', 'Revoked.')),
  );
  const tickers = Array.from({ length: 20 }, (_, index) => `T${index}`);
  const { code, err } = await runFin(['profile', ...tickers, '--base-url', baseUrl]);
  expect(code).toBe(4);
  expect(err.match(/Revoked\./g)).toHaveLength(1);
  expect(requests.length).toBeLessThanOrEqual(8);
});

test('a batch sends at most four concurrent requests and prints answers in the order of its arguments', async () => {
  let [openRequests, maxOpenRequests] = [0, 0];
  const { baseUrl } = await serve((request, response) => {
    openRequests += 1;
    maxOpenRequests = Math.max(maxOpenRequests, openRequests);
    const ticker = /securities\/(\w+)\//.exec(request.url ?? '')?.[1] ?? '';
    // Delays responses by different times, so that responses do not arrive in order.
    setTimeout(() => {
      openRequests -= 1;
      sendJson(response, 200, `{"data":[${JSON.stringify(makeRawConcept({ ticker }))}],${META_JSON}}`);
    }, Math.random() * 40);
  });
  const tickers = Array.from({ length: 12 }, (_, index) => `T${index}`);
  const { code, out } = await runFin([
    'raw-concepts',
    ...tickers,
    '--base-url',
    baseUrl,
    '--csv',
    '--fields',
    'ticker',
  ]);
  expect(code).toBe(0);
  expect(out.trimEnd().split('\r\n')).toEqual(['ticker', ...tickers]);
  expect(maxOpenRequests).toBeLessThanOrEqual(4);
  expect(maxOpenRequests).toBeGreaterThan(1);
});

test('text of a service cannot control a terminal, neither in a table nor in a message', async () => {
  const hostileText = '\\u001b]0;owned\\u0007\\u009b31m\\u202eevil';
  const { baseUrl } = await serve((request, response) =>
    request.url?.includes('NOPE')
      ? sendJson(
          response,
          404,
          `{"type":"about:blank","title":"x","status":404,"detail":"${hostileText}","code":"not_found","request_id":"r"}`,
        )
      : sendJson(
          response,
          200,
          `{"data":[${JSON.stringify(makeRawConcept({ entity_name: 'EVIL', concept: '=1+1' })).replace('EVIL', hostileText)}],${META_JSON}}`,
        ),
  );
  const run = await runFin(['raw-concepts', 'AAPL', 'NOPE', '--base-url', baseUrl]);
  expect(run.out).toContain('evil');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the output must not contain control characters.
  expect(run.out + run.err).not.toMatch(/[\u001b\u0007\u009b\u202e]/);
  const { out } = await runFin(['raw-concepts', 'AAPL', '--base-url', baseUrl, '--csv', '--fields', 'concept']);
  expect(out).toBe("concept\r\n'=1+1\r\n");
});

test.each<[NodeJS.Signals, number]>([
  ['SIGINT', 130],
  ['SIGTERM', 143],
])('%s while waiting ends the command immediately with %i, without output', async (name, code) => {
  let markArrived: (value: unknown) => void = () => undefined;
  const arrivalPromise = new Promise((done) => {
    markArrived = done;
  });
  const { baseUrl } = await serve(() => markArrived(true));
  const interruptedRun = await runFin(['release', '--base-url', baseUrl], { signal: { name, when: arrivalPromise } });
  expect(interruptedRun).toEqual({ code, out: '', err: '' });
});

test('a response of many rows is written completely through a slow pipe', async () => {
  const rows = Array.from({ length: 20_000 }, (_, index) =>
    JSON.stringify(makeRawConcept({ ticker: `T${index}`, concept: `Concept${index}` })),
  );
  const { baseUrl } = await serve((_, response) =>
    sendJson(response, 200, `{"data":[${rows.join(',')}],${META_JSON}}`),
  );
  const { code, out } = await runFin(['raw-concepts', 'AAPL', '--base-url', baseUrl, '--csv']);
  expect(code).toBe(0);
  expect(out.trimEnd().split('\r\n')).toHaveLength(20_001);
});
