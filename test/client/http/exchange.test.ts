import { expect, test } from 'vitest';
import { formatRetryTime, openExchange } from '../../../src/client/http/exchange.ts';
import type { RequestOutcome } from '../../../src/client/limiter/record-response.ts';
import { type ClientOptions, DEFAULT_OPTIONS } from '../../../src/client/request/client-options.ts';
import type { ClientEvent } from '../../../src/client/request/events.ts';
import type { TransportResponse } from '../../../src/client/request/response.ts';
import { Failure } from '../../../src/contract/failure.ts';
import { formatForTerminal, option } from '../../../src/contract/text/text.ts';
import { ConnectionError } from '../../../src/http/network-errors.ts';
import { makeProblemDocument } from '../../http-service.ts';

const ORIGIN = 'http://127.0.0.1:8080';

async function catchFailure(work: Promise<unknown>): Promise<Failure> {
  const error = await work.catch((reason: unknown) => reason);
  if (error instanceof Failure) return error;
  throw error;
}

const makeResponse = (status: number, body = '', headers: Record<string, string> = {}): TransportResponse => ({
  status,
  headers,
  body,
});

const makeProblemResponse = (status: number, code: string, headers: Record<string, string> = {}) =>
  makeResponse(status, makeProblemDocument(status, code), { 'content-type': 'application/problem+json', ...headers });

/** Opens an exchange whose requests have these outcomes in order; the last outcome repeats. */
function openTestExchange(outcomes: readonly (TransportResponse | Error)[], options: Partial<ClientOptions> = {}) {
  const events: ClientEvent[] = [];
  const settledOutcomes: RequestOutcome[] = [];
  let sentCount = 0;
  const send = async (): Promise<TransportResponse> => {
    const outcome = outcomes[Math.min(sentCount++, outcomes.length - 1)];
    if (outcome === undefined || outcome instanceof Error) throw outcome;
    return outcome;
  };
  const exchange = openExchange({
    baseUrl: `${ORIGIN}/base`,
    transport: async () => ({ send, close: async () => {} }),
    limiter: {
      admit: async () => ({ waited: 0, settle: (outcome: RequestOutcome) => settledOutcomes.push(outcome) }),
    } as never,
    options: { ...DEFAULT_OPTIONS, ...options },
    report: (event) => events.push(event),
  });
  return { ask: () => exchange('/v1/release', {}), events, settledOutcomes, countSent: () => sentCount };
}

test.each([200, 304])('a %i is final, and settles its permit', async (status) => {
  const { ask, events, settledOutcomes } = openTestExchange([
    makeResponse(status, 'body', { 'x-request-id': 'r-1', ratelimit: '"minute";r=3;t=10' }),
  ]);
  expect((await ask()).answer.body).toBe('body');
  expect(settledOutcomes).toMatchObject([{ status, isUnsent: false, isUnderWay: false }]);
  expect(events).toMatchObject([
    { type: 'request', url: `${ORIGIN}/base/v1/release`, status, requestId: 'r-1' },
    { type: 'remaining', remainders: [{ name: 'minute', remaining: 3 }] },
  ]);
});

test('a 503 is retried after a wait, and every attempt needs a new permit', async () => {
  const { ask, events, settledOutcomes } = openTestExchange([
    makeProblemResponse(503, 'unavailable', { 'retry-after': '0' }),
    makeResponse(200),
  ]);
  expect((await ask()).answer.status).toBe(200);
  expect(settledOutcomes.map(({ status }) => status)).toEqual([503, 200]);
  expect(events.filter(({ type }) => type === 'retrying')).toMatchObject([{ attempt: 1 }]);
});

test('a 404 is never retried', async () => {
  const { ask, countSent } = openTestExchange([makeProblemResponse(404, 'not_found'), makeResponse(200)]);
  await expect(ask()).rejects.toMatchObject({ kind: 'not_found' });
  expect(countSent()).toBe(1);
});

test('after the last retry the failure counts the tries and names --retries', async () => {
  const { ask, countSent } = openTestExchange([new ConnectionError('reset', `${ORIGIN} closed the connection.`)], {
    retries: 1,
  });
  const failure = await catchFailure(ask());
  expect(failure).toMatchObject({ kind: 'network', message: `${ORIGIN} closed the connection.` });
  expect(formatForTerminal(failure.hint ?? '')).toBe(
    'fin gave up after 2 tries. Try again later, or allow more retries: --retries.',
  );
  expect(countSent()).toBe(2);
});

test('a wait that exceeds --max-wait is not started, and the failure says when to try again', async () => {
  const { ask, countSent } = openTestExchange([makeProblemResponse(429, 'rate_limited', { 'retry-after': '120' })], {
    maxWait: 90_000,
  });
  const failure = await catchFailure(ask());
  expect(failure).toMatchObject({ kind: 'limit', retryAfter: 120 });
  expect(formatForTerminal(failure.hint ?? '')).toBe('Try again in 120 s; waiting until then would exceed --max-wait.');
  expect(countSent()).toBe(1);
});

test.each([
  ['refused', { isUnsent: true, isUnderWay: false }],
  ['absent', { isUnsent: true, isUnderWay: false }],
  ['timeout', { isUnsent: false, isUnderWay: true }],
  ['reset', { isUnsent: false, isUnderWay: false }],
] as const)('a connection error of kind %s settles the permit with %o', async (kind, expected) => {
  const { ask, settledOutcomes } = openTestExchange([new ConnectionError(kind, 'It failed.')], { retries: 0 });
  await expect(ask()).rejects.toMatchObject({ kind: 'network' });
  expect(settledOutcomes).toMatchObject([{ status: null, ...expected }]);
});

test('if nothing listens on this machine, the hint says how to start a service', async () => {
  const { ask } = openTestExchange([new ConnectionError('absent', 'It failed.')], { retries: 0 });
  await expect(ask()).rejects.toMatchObject({
    hint: 'fin gave up. Is the service running? To start one: fin serve --port 8080',
  });
});

test('an aborted request throws the reason of the abort, and after the deadline no retry is sent', async () => {
  const abortedExchange = openTestExchange([makeResponse(200)], {
    signal: AbortSignal.abort(new Error('interrupted')),
  });
  await expect(abortedExchange.ask()).rejects.toThrow('interrupted');
  const exchangeWithDeadline = openTestExchange([makeProblemResponse(503, 'unavailable')], {
    deadline: Date.now() + 20,
  });
  await expect(exchangeWithDeadline.ask()).rejects.toMatchObject({
    hint: expect.arrayContaining([option('deadline')]),
  });
  expect([abortedExchange.countSent(), exchangeWithDeadline.countSent()]).toEqual([0, 1]);
});

test('a wait is reported in seconds, and a long wait by its end', () => {
  const now = Date.UTC(2026, 4, 29, 10, 0, 0);
  expect(formatRetryTime(41_001, now)).toBe('in 42 s');
  expect(formatRetryTime(86_400_000, now)).toBe('after 2026-05-30 10:00 UTC');
});
