import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { type Client, type ClientSetup, createClient } from '../../src/client/client.ts';
import { readKey } from '../../src/client/key.ts';
import { openLocalClient } from '../../src/client/local-client.ts';
import type { ClientEvent } from '../../src/client/request/events.ts';
import {
  type LocalService,
  makeRequestTarget,
  parseQuestion,
  type RawParameters,
} from '../../src/contract/question.ts';
import { redactApiKeys } from '../../src/contract/text/quote.ts';
import { formatForTerminal } from '../../src/contract/text/text.ts';
import type { Directories } from '../../src/platform/files/directories.ts';
import { registerCleanUp } from '../clean-up.ts';
import { KEY, makeEnvelope, refuse, sendAnswer, serve } from '../http-service.ts';
import { makeResource } from '../resource.ts';

function makeDirectories(): Directories {
  const root = mkdtempSync(join(tmpdir(), 'fin-client-'));
  registerCleanUp(() => rmSync(root, { recursive: true, force: true }));
  return {
    config: join(root, 'config'),
    cache: join(root, 'cache'),
    state: join(root, 'state'),
    data: join(root, 'data'),
  };
}

function openClient(baseUrl: string, overrides: Partial<ClientSetup> = {}): Client & { events: ClientEvent[] } {
  const events: ClientEvent[] = [];
  const createdClient = createClient({
    baseUrl,
    key: KEY,
    directories: makeDirectories(),
    report: (event) => events.push(event),
    ...overrides,
  });
  registerCleanUp(createdClient.close);
  return { ...createdClient, events };
}

const makeMetricsQuestion = (...rawParameters: RawParameters) => parseQuestion('metrics', rawParameters);
const makeScreenQuestion = (...rawParameters: RawParameters) => parseQuestion('screen', rawParameters);
const releaseQuestion = parseQuestion('release', []);
const catchError = async (promise: Promise<unknown>) =>
  promise.then(
    () => {
      throw new Error('the request succeeded');
    },
    (error) => error,
  );

test('a response has the exact bytes of the service, and the key is sent as a bearer token', async () => {
  const value = makeResource('MetricValue', { value: '12345678901234567890.10' });
  const body = makeEnvelope([value]).replace(',', ' ,');
  const { baseUrl, requests } = await serve((_, response) => sendAnswer(response, body));
  const response = await openClient(baseUrl).ask(makeMetricsQuestion(['ticker', 'AAPL'], ['keys', 'revenue']));
  expect(response.text).toBe(body);
  expect(response.envelope.data).toEqual([value]);
  expect(response).toMatchObject({ source: 'network', requestId: 'r-1', age: 0 });
  expect(requests.map(({ url }) => url)).toEqual(['/v1/securities/AAPL/metrics?keys=revenue']);
  expect(requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
});

test('a cached response is revalidated with its ETag, and a 304 returns the cached text', async () => {
  const { baseUrl, requests } = await serve((request, response) => {
    if (request.headers['if-none-match'] === 'W/"one"') response.writeHead(304, { etag: 'W/"one"' }).end();
    else sendAnswer(response, makeEnvelope(makeResource('Release', { stamp: 'x' })));
  });
  const userDirectories = makeDirectories();
  const firstResponse = await openClient(baseUrl, { directories: userDirectories }).ask(releaseQuestion);
  const secondResponse = await openClient(baseUrl, { directories: userDirectories }).ask(releaseQuestion);
  expect(secondResponse.source).toBe('revalidated');
  expect(secondResponse.text).toBe(firstResponse.text);
  expect(requests.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, 'W/"one"']);
});

test('a wrong parameter sends no request, and the error suggests the right one', async () => {
  const { baseUrl, requests } = await serve((_, response) => sendAnswer(response, makeEnvelope([])));
  const error = await catchError(openClient(baseUrl).ask(makeScreenQuestion(['where', 'revenu_yoy:gt:0.2'])));
  expect(error).toMatchObject({ name: 'Failure', kind: 'usage' });
  expect(error.message).toContain('revenue_yoy');
  expect(requests).toHaveLength(0);
  await openClient(baseUrl, { options: { unchecked: true } }).ask(makeScreenQuestion(['where', 'revenu_yoy:gt:0.2']));
  expect(requests).toHaveLength(1);
});

test("a question that breaks only fin's own rules is sent; if the service refuses the question, the rule is the hint", async () => {
  const { baseUrl, requests } = await serve((_, response) => refuse(response, 400, 'bad_request'));
  const error = await catchError(openClient(baseUrl).ask(makeMetricsQuestion(['ticker', 'AAPL'], ['keys', 'revenu'])));
  expect(requests.map(({ url }) => url)).toEqual(['/v1/securities/AAPL/metrics?keys=revenu']);
  expect(error.kind).toBe('usage');
  expect(formatForTerminal(error.hint ?? '')).toContain('revenue');
});

test.each([
  [400, 'bad_request', 'usage'],
  [401, 'revoked_key', 'key'],
  [404, 'not_found', 'not_found'],
  [405, 'method_not_allowed', 'usage'],
])('%i is never retried, and is a failure of kind %3$s', async (status, code, kind) => {
  const { baseUrl, requests } = await serve((_, response) => refuse(response, status, code));
  const error = await catchError(openClient(baseUrl).ask(releaseQuestion));
  expect(error).toMatchObject({ name: 'Failure', kind, problem: { code, status, request_id: 'r-2' } });
  expect(requests).toHaveLength(1);
});

test('a failing service is retried, and then reported', async () => {
  const { baseUrl, requests } = await serve((_, response) => refuse(response, 503, 'unavailable'));
  const retryingClient = openClient(baseUrl, { options: { retries: 2 } });
  const error = await catchError(retryingClient.ask(releaseQuestion));
  expect(error).toMatchObject({ kind: 'service', problem: { code: 'unavailable' } });
  expect(requests).toHaveLength(3);
  expect(retryingClient.events.filter(({ type }) => type === 'retrying')).toHaveLength(2);
});

test('a 429 is retried after Retry-After, and a wait that exceeds the limit is not started', async () => {
  const { baseUrl, requests } = await serve((_, response, count) =>
    count === 1
      ? refuse(response, 429, 'rate_limited', { 'retry-after': '1' }, { 'violated-policies': ['concurrent'] })
      : sendAnswer(response, makeEnvelope(makeResource('Release'))),
  );
  await openClient(baseUrl).ask(releaseQuestion);
  expect((requests[1]?.at ?? 0) - (requests[0]?.at ?? 0)).toBeGreaterThanOrEqual(1000);
  const { baseUrl: limitedBaseUrl } = await serve((_, response) =>
    refuse(response, 429, 'rate_limited', { 'retry-after': '86400' }),
  );
  const error = await catchError(openClient(limitedBaseUrl).ask(releaseQuestion));
  expect(error).toMatchObject({ kind: 'limit', retryAfter: 86400 });
  expect(formatForTerminal(error.hint ?? '')).toMatch(/after \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
});

test('a response that does not follow the interface is a network failure', async () => {
  const invalidBodies = ['<html>', '{"data":1}', '{"data":1,"meta":{"schema":"other.v2"}}', '[]'];
  for (const body of invalidBodies) {
    const { baseUrl } = await serve((_, response) => sendAnswer(response, body, { 'content-type': 'text/html' }));
    expect(await catchError(openClient(baseUrl).ask(releaseQuestion))).toMatchObject({ kind: 'network' });
  }
});

test('a meta of very many fields is refused, and long texts of a problem are cut', async () => {
  const fields = Array.from({ length: 1001 }, (_, index) => `"field_${index}":0`);
  const body = `{"data":[],"meta":{"schema":"svc.data.v1",${fields.join()}}}`;
  const { baseUrl } = await serve((_, response) => sendAnswer(response, body));
  const error = await catchError(openClient(baseUrl).ask(releaseQuestion));
  expect(error).toMatchObject({ kind: 'network', message: expect.stringContaining('has 1002 fields') });
  const refusingService = await serve((_, response) => {
    response.writeHead(400, { 'content-type': 'application/problem+json' });
    response.end(JSON.stringify({ detail: 'x'.repeat(1_000_000), code: 'bad_request' }));
  });
  expect((await catchError(openClient(refusingService.baseUrl).ask(releaseQuestion))).message).toHaveLength(4001);
});

test('redirects are followed within the origin, and not to another origin', async () => {
  const otherService = await serve((_, response) => sendAnswer(response, makeEnvelope(makeResource('Release'))));
  const { baseUrl, requests } = await serve((request, response) => {
    if (request.url === '/v1/release') response.writeHead(302, { location: '/v1/release/' }).end();
    else if (request.url === '/v1/release/') sendAnswer(response, makeEnvelope(makeResource('Release')));
    else response.writeHead(302, { location: `${otherService.baseUrl}/v1/release` }).end();
  });
  expect((await openClient(baseUrl).ask(releaseQuestion)).source).toBe('network');
  expect(requests).toHaveLength(2);
  const error = await catchError(openClient(baseUrl).askPath('/v1/elsewhere'));
  expect(error).toMatchObject({ kind: 'network' });
  expect(error.message).toContain(otherService.baseUrl);
  expect(otherService.requests).toHaveLength(0);
});

test('a path that is a URL, or that leads upwards, is refused', async () => {
  const { baseUrl, requests } = await serve((_, response) =>
    sendAnswer(response, makeEnvelope(makeResource('Release'))),
  );
  const clientBelowPath = openClient(`${baseUrl}/below/here`);
  for (const path of [
    'https://a.example/v1',
    '//a.example/v1',
    'v1/release',
    '/v1/../x',
    '/v1/%2e%2E/x',
    '/a b',
    '/a#b',
    '/\\a',
  ]) {
    expect(await catchError(clientBelowPath.askPath(path))).toMatchObject({ kind: 'usage' });
  }
  await clientBelowPath.askPath('/v1/release?x=1');
  expect(requests.map(({ url }) => url)).toEqual(['/below/here/v1/release?x=1']);
});

test('no file contains the key', async () => {
  const { baseUrl } = await serve((_, response) => sendAnswer(response, makeEnvelope(makeResource('Release'))));
  const userDirectories = makeDirectories();
  await openClient(baseUrl, { directories: userDirectories }).ask(releaseQuestion);
  const root = join(userDirectories.cache ?? '', '..');
  const fileEntries = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  expect(fileEntries.length).toBeGreaterThan(0);
  for (const fileEntry of fileEntries)
    expect(readFileSync(join(fileEntry.parentPath, fileEntry.name), 'latin1')).not.toContain(KEY.slice(4));
});

test.each(['stamp', 'etag'])('nothing is stored of a response that repeats the key as its %s', async (place) => {
  const { baseUrl } = await serve((_, response) => {
    const body = makeEnvelope(makeResource('Release', place === 'stamp' ? { stamp: KEY } : {}));
    sendAnswer(response, body, place === 'etag' ? { etag: `"${KEY}"` } : {});
  });
  const userDirectories = makeDirectories();
  await openClient(baseUrl, { directories: userDirectories }).ask(releaseQuestion);
  const root = join(userDirectories.cache ?? '', '..');
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true }).filter((file) => file.isFile()))
    expect(readFileSync(join(entry.parentPath, entry.name), 'latin1')).not.toContain(KEY.slice(4));
});

test('local: answers in the process, and refuses an unknown key', async () => {
  const requestedTargets: string[] = [];
  const localService: LocalService = {
    ask: async (question) => {
      requestedTargets.push(makeRequestTarget(question));
      return JSON.parse(makeEnvelope([]));
    },
    askPath: async () => {
      throw new Error('no request was expected');
    },
    close: async () => {},
  };
  const localClient = openLocalClient(localService, { unchecked: false, signal: null });
  await localClient.ask(makeMetricsQuestion(['ticker', 'AAPL']));
  expect(requestedTargets).toEqual(['/v1/securities/AAPL/metrics']);
  expect(await catchError(localClient.ask(makeMetricsQuestion(['ticker', 'AAPL'], ['keys', 'revenu'])))).toMatchObject({
    kind: 'usage',
  });
});

test('429s with Retry-After: 0 are retried at least a second apart', async () => {
  const { baseUrl, requests } = await serve((_, response) =>
    refuse(response, 429, 'rate_limited', { 'retry-after': '0' }),
  );
  const retryingClient = openClient(baseUrl, { options: { retries: 2 } });
  const error = await catchError(retryingClient.ask(releaseQuestion));
  expect(error.kind).toBe('limit');
  expect(formatForTerminal(error.hint ?? '')).toContain('after 3 tries');
  expect(requests).toHaveLength(3);
  const retryWaitsMs = retryingClient.events.flatMap((event) => (event.type === 'retrying' ? [event.ms] : []));
  expect(retryWaitsMs).toHaveLength(2);
  expect(retryWaitsMs.every((ms, index) => ms >= Math.max(1000, retryWaitsMs[index - 1] ?? 0))).toBe(true);
});

test('the error for an invalid response names the first wrong field; the response is not cached, and only raw requests return it', async () => {
  const invalidRow = { ...makeResource('MetricValue'), value: 12.5 };
  const body = makeEnvelope([makeResource('MetricValue'), invalidRow]);
  const { baseUrl, requests } = await serve((_, response) => sendAnswer(response, body));
  const userDirectories = makeDirectories();
  for (const _ of [1, 2]) {
    const error = await catchError(
      openClient(baseUrl, { directories: userDirectories }).ask(makeMetricsQuestion(['ticker', 'AAPL'])),
    );
    expect(error).toMatchObject({ name: 'Failure', kind: 'network' });
    expect(error.message).toContain('metrics: data[1].value is 12.5, not a decimal as text.');
  }
  expect(requests.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, undefined]);
  const rawResponse = await openClient(baseUrl, { directories: userDirectories }).askPath(
    '/v1/securities/AAPL/metrics',
  );
  expect(rawResponse.text).toBe(body);
});

test('missing texts are replaced and reported once, also for a cached response', async () => {
  const rows = [
    { cik: 1, ticker: null, exchange: 'X', entity_name: 'A' },
    { cik: 2, ticker: 'B', entity_name: null },
  ];
  const body = makeEnvelope(rows);
  const { baseUrl } = await serve((request, response) => {
    if (request.headers['if-none-match'] === 'W/"one"') response.writeHead(304, { etag: 'W/"one"' }).end();
    else sendAnswer(response, body);
  });
  const userDirectories = makeDirectories();
  const filledRows = [
    { cik: 1, ticker: '–', exchange: 'X', entity_name: 'A' },
    { cik: 2, ticker: 'B', exchange: '–', entity_name: '–' },
  ];
  const missingFieldCounts = [
    ['ticker', 1],
    ['exchange', 1],
    ['entity_name', 1],
  ];
  for (const [source, options] of [
    ['network', {}],
    ['cache', {}],
    ['revalidated', { fresh: true }],
  ] as const) {
    const askingClient = openClient(baseUrl, { directories: userDirectories, options });
    for (let i = 0; i < 2; i++) {
      const response = await askingClient.ask(makeScreenQuestion(['columns', 'revenue']));
      expect(response).toMatchObject({ text: body, envelope: { data: filledRows }, ...(i === 0 ? { source } : {}) });
    }
    expect(askingClient.events.filter(({ type }) => type === 'incomplete')).toEqual([
      { type: 'incomplete', missing: missingFieldCounts },
    ]);
  }
});

test.each([
  [400, { title: 'Bad request', detail: 'No such column.' }, 'usage', 'bad_request', 'No such column.'],
  [401, { detail: 'Who are you?' }, 'key', 'key', 'Who are you?'],
  [404, { type: 'about:blank', title: 'Not Found', status: 404 }, 'not_found', 'not_found', 'Not Found'],
  [429, {}, 'limit', 'rate_limited', 'The service answered 429.'],
  [503, { type: 'about:blank' }, 'service', 'unavailable', 'The service answered 503.'],
] as const)(
  'a problem of status %d without a code gets its kind from the status: %j',
  async (status, document, kind, code, message) => {
    const { baseUrl } = await serve((_, response) => {
      response.writeHead(status, { 'content-type': 'application/problem+json; charset=utf-8', 'x-request-id': 'r-9' });
      response.end(JSON.stringify(document));
    });
    const error = await catchError(openClient(baseUrl, { options: { retries: 0 } }).ask(releaseQuestion));
    expect(error).toMatchObject({ kind, message, problem: { code, status, request_id: 'r-9' } });
  },
);

test('a key with an unknown prefix, and an accession number in an unknown form, are sent', async () => {
  const { baseUrl, requests } = await serve((_, response) => refuse(response, 404, 'not_found'));
  const key = `fnd123_${'k'.repeat(38)}`;
  const path = join(mkdtempSync(join(tmpdir(), 'fin-key-')), 'key');
  registerCleanUp(() => rmSync(dirname(path), { recursive: true }));
  writeFileSync(path, `${key}\n`);
  const clientWithFileKey = openClient(baseUrl, { key: await readKey({ from: 'file', path }) });
  await catchError(clientWithFileKey.ask(parseQuestion('filing', [['accession', 'DE-HRB-1']])));
  expect(requests.map(({ url }) => url)).toEqual(['/v1/filings/DE-HRB-1']);
  expect(requests[0]?.headers.authorization).toBe(`Bearer ${key}`);
  expect(redactApiKeys(`curl -H "Bearer ${key}"`)).not.toContain('kkk');
});

test('if a service refuses an addition of fin by name, the hint says that the service may not offer it', async () => {
  const { baseUrl } = await serve((_, response) =>
    refuse(response, 400, 'bad_request', {}, { detail: 'as_of is not a parameter of the screener.' }),
  );
  const refusedAnswerPromise = openClient(baseUrl).ask(
    makeScreenQuestion(['where', 'revenue:gt:1'], ['as_of', '2024-01-31']),
  );
  expect(await catchError(refusedAnswerPromise)).toMatchObject({
    kind: 'usage',
    message: `${baseUrl} refused the request: as_of is not a parameter of the screener.`,
    hint: expect.stringContaining('screens as of a past date (as_of)'),
  });
  const plainAnswerPromise = openClient(baseUrl).ask(makeScreenQuestion(['where', 'revenue:gt:1']));
  expect(await catchError(plainAnswerPromise)).toMatchObject({
    kind: 'usage',
    message: 'as_of is not a parameter of the screener.',
  });
});

test('if a refusal lists no unknown parameters, the hint names all additions that the request uses', async () => {
  const detail = '"peers_of" is not a parameter of /v1/screen. It takes where, sort, dir, limit, offset, columns.';
  const { baseUrl } = await serve((_, response) => refuse(response, 400, 'bad_request', {}, { detail }));
  expect(
    await catchError(openClient(baseUrl).ask(makeScreenQuestion(['columns', 'sic,revenue'], ['peers_of', 'AAPL']))),
  ).toMatchObject({
    kind: 'usage',
    message: `${baseUrl} refused the request: ${detail}`,
    hint: expect.stringMatching(/figures that only fin offers \(columns\), the peers of a company \(peers_of\)\.$/),
  });
});

test('a refusal that lists unknown parameters has a hint only for these parameters', async () => {
  const detail = 'No industry has the SIC code "12". as_of and sic are parameters of this service.';
  for (const [unknownParameters, hint] of [
    [[], undefined],
    [['sic'], expect.stringMatching(/may not know them: screens by industry code \(sic\)\.$/)],
  ] as const) {
    const { baseUrl } = await serve((_, response) =>
      refuse(response, 400, 'bad_request', {}, { detail, unknown_parameters: unknownParameters }),
    );
    const refusal = await catchError(
      openClient(baseUrl).ask(makeScreenQuestion(['sic', '12'], ['as_of', '2024-01-31'])),
    );
    expect({ hint: refusal.hint }).toEqual({ hint });
  }
});

test('if a service ignores an industry, its screen of all companies is refused', async () => {
  const rows = [{ cik: 1, ticker: 'A', exchange: 'NYSE', entity_name: 'A' }];
  const { baseUrl } = await serve((_, response) => sendAnswer(response, makeEnvelope(rows)));
  for (const [name, text, additionText] of [
    ['industry', 'software', 'screens by industry (industry)'],
    ['sic', '7372', 'screens by industry code (sic)'],
    ['peers_of', 'MSFT', 'the peers of a company (peers_of)'],
  ] as const) {
    expect(await catchError(openClient(baseUrl).ask(makeScreenQuestion([name, text])))).toMatchObject({
      kind: 'usage',
      message: `${baseUrl} does not offer ${additionText}: the response ignores the parameter.`,
    });
  }
});

test('if a service ignores quarter, its latest report is refused rather than shown as the report for a quarter', async () => {
  const { baseUrl } = await serve((_, response) => sendAnswer(response, makeEnvelope({})));
  const question = parseQuestion('manager', [
    ['cik', '7195'],
    ['quarter', '2024-12-31'],
  ]);
  expect(await catchError(openClient(baseUrl).ask(question))).toMatchObject({
    kind: 'usage',
    message: `${baseUrl} does not offer a manager's report for an earlier quarter (quarter): the response ignores the parameter.`,
  });
});

test('if a service ignores as_of, its current screen is refused rather than shown as the screen of a past day', async () => {
  const rows = [{ cik: 1, ticker: 'A', exchange: 'NYSE', entity_name: 'A' }];
  const { baseUrl, requests } = await serve((_, response) => sendAnswer(response, makeEnvelope(rows)));
  for (const extraParameters of [[], [['columns', 'revenue'] as const]]) {
    expect(
      await catchError(openClient(baseUrl).ask(makeScreenQuestion(['as_of', '2024-01-31'], ...extraParameters))),
    ).toMatchObject({
      kind: 'usage',
      message: `${baseUrl} does not offer screens as of a past date (as_of): the response ignores the parameter.`,
    });
  }
  // The question with columns also asks which parameters the service has.
  expect(requests.length).toBe(3);
  // A question without `as_of` asks for the current screen, so the answer of this service is accepted.
  await openClient(baseUrl).ask(makeScreenQuestion(['columns', 'revenue']));
});
