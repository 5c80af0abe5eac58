/** With `--json`, every failure is one JSON document on stderr with the data that a script needs to continue. */
import { expect, test } from 'vitest';
import { serve } from '../http-service.ts';
import { makeHome, makeProblem, sendJson } from './run-fin.ts';
import { everyEighthAsProcess } from './run-here.ts';

const runFin = everyEighthAsProcess();

const parseLastLine = (err: string) => JSON.parse(err.trimEnd().split('\n').at(-1) ?? '');

test('a temporary error says when to try again', async () => {
  const monthSpentProblem = JSON.stringify({
    ...JSON.parse(makeProblem(429, 'rate_limited', 'The month is spent.')),
    'violated-policies': ['month'],
  });
  const { baseUrl } = await serve((_, response) =>
    sendJson(response, 429, monthSpentProblem, { 'retry-after': '7200' }),
  );
  const { code, out, err } = await runFin(['catalog', '--json'], { env: { FIN_BASE_URL: baseUrl } });
  expect({ code, out }).toEqual({ code: 5, out: '' });
  expect(parseLastLine(err)).toMatchObject({
    status: 429,
    code: 'rate_limited',
    request_id: 'req-42',
    retryable: true,
    retry_after: 7200,
    exit_code: 5,
  });
  const textRun = await runFin(['catalog'], { env: { FIN_BASE_URL: baseUrl } });
  expect(textRun.err).toMatch(
    /^fin: The month is spent\.\nTry again after [-\d]+ [:\d]+ UTC; .*\nRequest id: req-42\n$/,
  );
});

test.each<[string, number, string, number, boolean]>([
  ['a bad parameter', 400, 'bad_request', 2, false],
  ['a revoked key', 401, 'revoked_key', 4, false],
  ['a missing resource', 404, 'not_found', 3, false],
  ['a service that is not ready', 503, 'unavailable', 6, true],
])(
  '%s ends with its exit code, and its problem is JSON on stderr',
  async (_, status, problemCode, exitCode, retryable) => {
    const { baseUrl } = await serve((__, response) =>
      sendJson(response, status, makeProblem(status, problemCode, 'So it is.')),
    );
    const { code, err } = await runFin(['catalog', '--json', '--retries', '0'], { env: { FIN_BASE_URL: baseUrl } });
    expect(code).toBe(exitCode);
    expect(parseLastLine(err)).toMatchObject({
      status,
      code: problemCode,
      detail: 'So it is.',
      request_id: 'req-42',
      retryable,
      exit_code: exitCode,
    });
  },
);

test('a failure without a response is also a problem as JSON', async () => {
  const usageErrorRun = await runFin(['metrics', 'AAPL', '--perod', 'annual', '--json']);
  expect(parseLastLine(usageErrorRun.err)).toMatchObject({
    code: 'usage',
    retryable: false,
    exit_code: 2,
    detail: expect.stringContaining('--period'),
  });
  const networkErrorRun = await runFin(['catalog', '--json', '--retries', '0'], {
    env: { FIN_BASE_URL: 'http://127.0.0.1:9' },
  });
  expect(parseLastLine(networkErrorRun.err)).toMatchObject({ code: 'network', retryable: true, exit_code: 7 });
});

test.each<[string[], Readonly<Record<string, string>>]>([
  [['-qo', 'json', 'screen', '--wher', 'x'], {}],
  [['-ojson', 'scren'], {}],
  [['screen', '--limit', '0', '--output=json'], {}],
  [['metrics', '--json'], {}],
  [['--json', '--csv', 'release'], {}],
  [['screen', '--where'], { FIN_OUTPUT: 'json' }],
  [['release', '--max-wait', 'soon', '-o', 'json'], {}],
])('fin %j with %j reports a usage error as JSON', async (args, env) => {
  const { code, out, err } = await runFin(args, { env });
  expect({ code, out }).toEqual({ code: 2, out: '' });
  expect(JSON.parse(err)).toMatchObject({ code: 'usage', exit_code: 2 });
});

test('usage errors are JSON if the profile sets JSON output, and sentences with --csv or without a format', async () => {
  const env = { HOME: makeHome() };
  await runFin(['config', 'set', 'output', 'json', '--profile', 'work'], { env });
  expect(JSON.parse((await runFin(['scren', '--profile', 'work'], { env })).err)).toMatchObject({ code: 'usage' });
  expect((await runFin(['scren', '--profile', 'work', '--csv'], { env })).err).toMatch(/^fin: Unknown command/);
  expect((await runFin(['search', '--limit', '0', '--', '--json'], { env })).err).toMatch(/^fin: --limit/m);
});

const KEY = `svc_${'k7'.repeat(19)}`;

test.each([
  [['auth', 'login', KEY]],
  [['auth', 'login', `--key=${KEY}`]],
  [['release', '--base-url', 'https://filings.invalid', '--api-key-file', KEY]],
  [[KEY]],
  [['data', KEY]],
  [['metrics', KEY]],
  [['metrics', KEY, 'AAPL', '--json', '--verbose']],
  [['screen', '--where', KEY]],
  [['release', '--output', KEY]],
  [['metrics', 'AAPL', '--keys', KEY, '--json']],
  [['api', KEY]],
  [['prices', 'AAPL', '--svg', KEY]],
  [['serve', '--port', KEY]],
])('a key typed as an argument is not printed: %j', async (args) => {
  const { code, out, err } = await runFin(args, { env: { FIN_DEBUG: '1' } });
  expect(code).not.toBe(0);
  expect(out + err).not.toContain(KEY.slice(4));
});

test('fin api refuses an address, and quotes it as typed', async () => {
  const { code, err } = await runFin(['api', 'https://filings.invalid/v1/release'], { env: { HOME: makeHome() } });
  expect(code).toBe(2);
  expect(err).toMatch(/^fin: "https:\/\/filings\.invalid\/v1\/release" is not a path of the HTTP API\./m);
});
