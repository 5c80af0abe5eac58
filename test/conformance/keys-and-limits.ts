import { expect } from 'vitest';
import type { ConformanceClient, Reply } from './asker.ts';
import {
  type Check,
  expectProblem,
  parseRemainingCount,
  parseSecondsUntilReset,
  UntestableRuleError,
} from './expectations.ts';

const UNKNOWN_KEY = `svc_${'a'.repeat(38)}`;

function requireSpendableKey({ target }: ConformanceClient): string {
  if (target.spendableKey === null) throw new UntestableRuleError('FIN_CONFORMANCE_SPENDABLE_KEY is not set');
  return target.spendableKey;
}

const computeSecondsLeftInMinute = (): number => 60 - (Date.now() % 60_000) / 1000;

/**
 * Waits for the next minute if the current minute ends within `seconds`, so that a test does not extend over two
 * calendar minutes.
 */
async function ensureSecondsLeftInMinute(seconds: number): Promise<void> {
  if (computeSecondsLeftInMinute() < seconds)
    await new Promise((resolve) => setTimeout(resolve, computeSecondsLeftInMinute() * 1000 + 100));
}

/** Sends requests until the minute limit is used up, and returns the first refusal. */
async function spendMinuteLimit(client: ConformanceClient, key: string): Promise<Reply> {
  for (let index = 0; index < 200; index += 1) {
    const reply = await client.sendOnce('/v1/nothing', { key });
    if (reply.status === 429) return reply;
  }
  throw new Error('none of 200 requests in one minute was refused');
}

export const keyAndLimitChecks: Readonly<Record<string, Check>> = {
  'missing-key': async (client) => {
    for (const requestOptions of [{ key: null }, { key: null, headers: { authorization: 'Basic eDp5' } }]) {
      const reply = await client.sendOnce('/v1/release', requestOptions);
      expect([reply.status, reply.body.code]).toEqual([401, 'missing_key']);
      expect(reply.headers['www-authenticate']).toMatch(/^Bearer/i);
      expectProblem(reply);
    }
  },
  'invalid-key': async (client) => {
    for (const invalidKey of ['x', UNKNOWN_KEY, `${client.target.key}x`, client.target.key.slice(0, -1)]) {
      const reply = await client.sendOnce('/v1/release', { key: invalidKey });
      expect([reply.status, reply.body.code]).toEqual([401, 'invalid_key']);
      expect(reply.headers['www-authenticate']).toMatch(/^Bearer/i);
      expect(reply.text).not.toContain(client.target.key);
    }
  },
  'key-first': async (client) => {
    for (const [path, method] of [
      ['/v1/nothing', 'GET'],
      ['/v1/release', 'POST'],
      ['/v1/screen?limit=0', 'GET'],
    ] as const) {
      expect((await client.sendOnce(path, { method, key: null })).status).toBe(401);
    }
  },
  'no-limits-without-key': async (client) => {
    const { headers } = await client.sendOnce('/v1/release', { key: null });
    expect([headers.ratelimit, headers['ratelimit-policy']]).toEqual([undefined, undefined]);
  },
  'limit-headers': async (client) => {
    for (const path of ['/v1/release', '/v1/nothing', '/v1/screen?limit=0']) {
      const { headers } = await client.get(path);
      for (const name of ['minute', 'month', 'concurrent']) {
        expect(headers['ratelimit-policy']).toMatch(new RegExp(`"${name}";q=\\d+`));
        expect(headers.ratelimit).toMatch(new RegExp(`"${name}";r=\\d+`));
      }
      expect(headers['ratelimit-policy']).toContain('w=60');
      expect(headers['ratelimit-policy']).toContain('qu="concurrent-requests"');
    }
  },
  counted: async (client) => {
    await ensureSecondsLeftInMinute(5);
    const entityTag = (await client.get('/v1/metrics')).headers.etag ?? '';
    const replyBefore = await client.get('/v1/release');
    const replies = [
      await client.get('/v1/release'),
      await client.get('/v1/metrics', { headers: { 'if-none-match': entityTag } }),
      await client.get('/v1/screen?limit=0'),
      await client.get('/v1/nothing'),
    ];
    expect(replies.map((reply) => reply.status)).toEqual([200, 304, 400, 404]);
    const spentCounts = replies.map(
      (reply) => parseRemainingCount(replyBefore, 'minute') - parseRemainingCount(reply, 'minute'),
    );
    expect(spentCounts).toEqual([1, 2, 3, 4]);
  },
  'counted-405': async (client) => {
    await ensureSecondsLeftInMinute(3);
    const replyBefore = await client.get('/v1/release');
    const refusal = await client.get('/v1/release', { method: 'POST' });
    expect(parseRemainingCount(replyBefore, 'minute') - parseRemainingCount(refusal, 'minute')).toBe(1);
  },
  'minute-reset': async (client) => {
    await ensureSecondsLeftInMinute(3);
    const reply = await client.get('/v1/release');
    const serverTimeMs = Date.parse(reply.headers.date ?? new Date().toUTCString());
    expect(
      Math.abs(parseSecondsUntilReset(reply, 'minute') - (60 - (serverTimeMs % 60_000) / 1000)),
    ).toBeLessThanOrEqual(2);
  },
  'month-reset': async (client) => {
    const reply = await client.get('/v1/release');
    const serverDate = new Date(reply.headers.date ?? Date.now());
    const monthEndMs = Date.UTC(serverDate.getUTCFullYear(), serverDate.getUTCMonth() + 1, 1);
    expect(
      Math.abs(parseSecondsUntilReset(reply, 'month') - (monthEndMs - serverDate.getTime()) / 1000),
    ).toBeLessThanOrEqual(2);
  },
  'minute-refused': async (client) => {
    const key = requireSpendableKey(client);
    await ensureSecondsLeftInMinute(10);
    const refusal = await spendMinuteLimit(client, key);
    expectProblem(refusal);
    expect(refusal.body['violated-policies']).toContain('minute');
    expect(refusal.body.type).toBe('https://iana.org/assignments/http-problem-types#quota-exceeded');
    expect(Math.abs(Number(refusal.headers['retry-after']) - computeSecondsLeftInMinute())).toBeLessThanOrEqual(2);
    expect(parseRemainingCount(refusal, 'minute')).toBe(0);
  },
  'refused-not-counted': async (client) => {
    const key = requireSpendableKey(client);
    await ensureSecondsLeftInMinute(10);
    const firstRefusal = await spendMinuteLimit(client, key);
    const secondRefusal = await client.sendOnce('/v1/release', { key });
    expect(secondRefusal.status).toBe(429);
    expect(parseRemainingCount(secondRefusal, 'month')).toBe(parseRemainingCount(firstRefusal, 'month'));
  },
  'limits-before-path': async (client) => {
    const key = requireSpendableKey(client);
    await ensureSecondsLeftInMinute(10);
    await spendMinuteLimit(client, key);
    expect((await client.sendOnce('/v1/nothing', { key, method: 'POST' })).status).toBe(429);
  },
  'concurrent-refused': async (client) => {
    const concurrencyQuota = Number(
      /"concurrent";q=(\d+)/.exec((await client.get('/v1/release')).headers['ratelimit-policy'] ?? '')?.[1],
    );
    // Sends many more requests than allowed, and repeats them on the open connections, because a busy machine may send
    // the first requests one after the other.
    let refusals: Reply[] = [];
    for (let round = 0; round < 5 && refusals.length === 0; round += 1) {
      const pageLimits = Array.from(
        { length: concurrencyQuota * 6 },
        (_, index) => 500 - round * concurrencyQuota * 6 - index,
      );
      const replyPromises = pageLimits.map((limit) => client.sendOnce(`/v1/screen?limit=${limit}`, {}));
      refusals = (await Promise.all(replyPromises)).filter((reply) => reply.status === 429);
    }
    expect(refusals.length).toBeGreaterThan(0);
    for (const refusal of refusals) {
      expect(refusal.body['violated-policies']).toContain('concurrent');
      expect(Number(refusal.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    }
  },
};
