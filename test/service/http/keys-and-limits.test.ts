import { expect, test } from 'vitest';
import { createKey, listKeyRecords, makeKey, revokeKey } from '../../../src/service/keys/key-store.ts';
import { createEmbeddedCounters } from '../../../src/service/limits/embedded-counters.ts';
import { RELEASE_ROWS } from '../filed.ts';
import { makePausedRelease } from '../held-release.ts';
import { makeMemoryRelease } from '../memory-release.ts';
import { get, makeDirectory, startService } from './running.ts';

/** 12:15:10 UTC on 21 November; the month has thirty days. */
const NOW = Date.UTC(2026, 10, 21, 12, 15, 10);

test('a request without a bearer key is answered 401 missing_key, with a challenge and without limits', async () => {
  const service = await startService();
  for (const authorization of [null, '', 'Basic abc', service.key, 'Bearer', 'Bearer ']) {
    const reply = await get(service, '/v1/nothing', { headers: { authorization } });
    expect([reply.status, reply.body.code], String(authorization)).toEqual([401, 'missing_key']);
    expect(reply.headers['www-authenticate']).toBe('Bearer realm="fin"');
    expect(reply.headers.ratelimit).toBeUndefined();
  }
});

test('a malformed, mistyped or unknown key is answered 401 invalid_key', async () => {
  const service = await startService();
  const mistypedKey = service.key.replace(/.$/, (last) => (last === 'a' ? 'b' : 'a'));
  for (const invalidKey of [
    'x',
    `${service.key} ${service.key}`,
    mistypedKey,
    service.key.slice(0, -1),
    `${service.key}0`,
    makeKey(),
    'svc_../../etc/passwd',
  ]) {
    const reply = await get(service, '/v1/release', { headers: { authorization: `Bearer ${invalidKey}` } });
    expect([reply.status, reply.body.code], invalidKey).toEqual([401, 'invalid_key']);
    expect(reply.headers['www-authenticate']).toContain('error="invalid_token"');
    if (invalidKey.length > 4) expect(reply.text).not.toContain(invalidKey.slice(4));
  }
});

test('the scheme "Bearer" is accepted in any case', async () => {
  const service = await startService();
  expect((await get(service, '/v1/release', { headers: { authorization: `bearer ${service.key}` } })).status).toBe(200);
});

test('a key created or revoked while the server runs takes effect immediately', async () => {
  const service = await startService();
  expect((await get(service, '/v1/release')).status).toBe(200);
  const [record] = listKeyRecords(service.keyDirectory, null);
  if (record === undefined) throw new Error('no key');
  revokeKey(service.keyDirectory, record, Date.now());
  const reply = await get(service, '/v1/release');
  expect([reply.status, reply.body.code]).toEqual([401, 'revoked_key']);
  const { key } = createKey(service.keyDirectory, { account: 'tests', expires: null }, Date.now());
  expect((await get(service, '/v1/release', { headers: { authorization: `Bearer ${key}` } })).status).toBe(200);
});

test('from the moment of its expiry, a key is answered 401 expired_key', async () => {
  let now = NOW;
  const clock = () => now;
  const service = await startService({ clock });
  const expires = new Date(NOW + 1_000).toISOString();
  const { key } = createKey(service.keyDirectory, { account: 'brief', expires }, now);
  const headers = { authorization: `Bearer ${key}` };
  expect((await get(service, '/v1/release', { headers })).status).toBe(200);
  now += 1_000;
  const reply = await get(service, '/v1/release', { headers });
  expect([reply.status, reply.body.code]).toEqual([401, 'expired_key']);
});

test('the key is checked before path, method and parameters', async () => {
  const service = await startService();
  for (const [target, method] of [
    ['/nowhere', 'GET'],
    ['/v1/release', 'POST'],
    ['/v1/screen?limit=0', 'GET'],
  ] as const) {
    expect((await get(service, target, { method, headers: { authorization: null } })).status).toBe(401);
  }
});

const parseRemainingCounts = (header: string | undefined) =>
  [...(header ?? '').matchAll(/r=(\d+)/g)].map((match) => Number(match[1]));

test('every response to a request with a valid key has the limits, and what remains of them', async () => {
  let release: ReturnType<typeof makeMemoryRelease> | null = makeMemoryRelease(RELEASE_ROWS);
  const service = await startService({ clock: () => NOW, release: async () => release });
  const replies = [
    await get(service, '/v1/release'),
    await get(service, '/v1/nothing'),
    await get(service, '/v1/release', { method: 'POST' }),
    await get(service, '/v1/screen?limit=0'),
    await get(service, '/v1/release', { headers: { 'if-none-match': '*' } }),
  ];
  release = null;
  replies.push(await get(service, '/v1/release'));
  expect(replies.map((reply) => reply.status)).toEqual([200, 404, 405, 400, 304, 503]);
  // The last request failed and is not counted.
  expect(replies.map((reply) => parseRemainingCounts(reply.headers.ratelimit)[0])).toEqual([59, 58, 57, 56, 55, 55]);
  for (const { headers } of replies) {
    expect(headers['ratelimit-policy']).toBe(
      '"minute";q=60;w=60, "month";q=20000, "concurrent";q=4;qu="concurrent-requests"',
    );
  }
  expect(replies[0]?.headers.ratelimit).toBe('"minute";r=59;t=50, "month";r=19999;t=819890, "concurrent";r=3');
});

test('the 61st request of a minute is answered 429, and a request of the next minute 200', async () => {
  let now = NOW;
  const clock = () => now;
  const service = await startService({ clock });
  for (let index = 0; index < 60; index += 1) await get(service, '/v1/release');
  const reply = await get(service, '/v1/release');
  expect(reply.status).toBe(429);
  expect(reply.body).toMatchObject({
    code: 'rate_limited',
    type: 'https://iana.org/assignments/http-problem-types#quota-exceeded',
    'violated-policies': ['minute'],
  });
  expect(reply.headers['retry-after']).toBe('50');
  expect(parseRemainingCounts(reply.headers.ratelimit)).toEqual([0, 19_940, 4]);
  // Limits are checked before path, method and parameters.
  expect((await get(service, '/nowhere', { method: 'POST' })).status).toBe(429);
  now = Date.UTC(2026, 10, 21, 12, 16, 0);
  expect(parseRemainingCounts((await get(service, '/v1/release')).headers.ratelimit)).toEqual([59, 19_939, 3]);
});

test('after the limit of the month, requests are refused until the next month, with the seconds until then', async () => {
  let now = NOW;
  const clock = () => now;
  const keyDirectory = makeDirectory();
  const { key } = createKey(keyDirectory, { account: 'small', expires: null }, now);
  const findLimits = () => ({ minute: 2, month: 2, concurrent: 4, seconds: 60 });
  const service = await startService({
    clock,
    authentication: { keyDirectory, counters: createEmbeddedCounters(makeDirectory(), clock), findLimits },
  });
  const headers = { authorization: `Bearer ${key}` };
  await get(service, '/v1/release', { headers });
  await get(service, '/v1/release', { headers });
  const replyRefusedByBothLimits = await get(service, '/v1/release', { headers });
  expect(replyRefusedByBothLimits.body['violated-policies']).toEqual(['minute', 'month']);
  // Seconds until the first of December.
  expect(replyRefusedByBothLimits.headers['retry-after']).toBe(String(9 * 86_400 + 11 * 3_600 + 44 * 60 + 50));
  now += 60_000;
  expect((await get(service, '/v1/release', { headers })).body['violated-policies']).toEqual(['month']);
  now = Date.UTC(2026, 11, 1);
  expect((await get(service, '/v1/release', { headers })).status).toBe(200);
});

test('the fifth concurrent request is refused, and a slot is free after a request ends', async () => {
  const { release, reads, resumeReads } = makePausedRelease();
  const service = await startService({ release });
  const pendingReplies = Array.from({ length: 4 }, (_, index) =>
    get(service, `/v1/securities?query=a&limit=${index + 1}`),
  );
  await expect.poll(reads).toBe(4);
  const fifthReply = await get(service, '/v1/release');
  expect([fifthReply.status, fifthReply.body['violated-policies'], fifthReply.headers['retry-after']]).toEqual([
    429,
    ['concurrent'],
    '1',
  ]);
  expect(parseRemainingCounts(fifthReply.headers.ratelimit)).toEqual([56, 19_996, 0]);
  resumeReads();
  expect((await Promise.all(pendingReplies)).map((reply) => reply.status)).toEqual([200, 200, 200, 200]);
  expect((await get(service, '/v1/release')).status).toBe(200);
});

test('limits are shared by all keys of an account, and not by other accounts', async () => {
  const service = await startService({ clock: () => NOW });
  const { key: secondKey } = createKey(service.keyDirectory, { account: 'tests', expires: null }, NOW);
  const { key: otherKey } = createKey(service.keyDirectory, { account: 'other', expires: null }, NOW);
  await get(service, '/v1/release');
  const getWithKey = (key: string) => get(service, '/v1/release', { headers: { authorization: `Bearer ${key}` } });
  expect(parseRemainingCounts((await getWithKey(secondKey)).headers.ratelimit)[0]).toBe(58);
  expect(parseRemainingCounts((await getWithKey(otherKey)).headers.ratelimit)[0]).toBe(59);
});

test('requests without a valid key count against no account', async () => {
  const service = await startService({ clock: () => NOW });
  for (let index = 0; index < 5; index += 1) await get(service, '/v1/release', { headers: { authorization: null } });
  expect(parseRemainingCounts((await get(service, '/v1/release')).headers.ratelimit)[0]).toBe(59);
});

test('every request is answered 503 while counters are unavailable', async () => {
  const keyDirectory = makeDirectory();
  const { key } = createKey(keyDirectory, { account: 'tests', expires: null }, Date.now());
  const counters = { claim: () => Promise.reject(new Error('down')), close: async () => {} };
  const service = await startService({
    authentication: { keyDirectory, counters, findLimits: () => ({ minute: 1, month: 1, concurrent: 1, seconds: 60 }) },
  });
  const reply = await get(service, '/v1/release', { headers: { authorization: `Bearer ${key}` } });
  expect([reply.status, reply.body.code]).toEqual([503, 'unavailable']);
});
