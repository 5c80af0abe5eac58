import { createClient } from '@redis/client';
import { afterAll, beforeAll, expect } from 'vitest';
import { createKey } from '../../../src/service/keys/key-store.ts';
import { STANDARD_LIMITS } from '../../../src/service/limits/limits.ts';
import { redisCounters } from '../../../src/service/limits/redis-counters.ts';
import { needs } from '../../needs.ts';
import { get, scratch, start } from '../http/running.ts';
import { hasRedis, type RedisServer, startRedis } from './redis-server.ts';

const NOON = Date.UTC(2026, 10, 21, 12, 0, 10);
const limits = { minute: 3, month: 5, concurrent: 2, seconds: 60 };
const calm = (error: unknown) => {
  throw error;
};

let server: RedisServer;
beforeAll(async () => {
  if (hasRedis) server = await startRedis();
});
afterAll(() => {
  if (hasRedis) server.process.kill();
});

const whenRedis = needs('redis-server', hasRedis);
const counters = (clock = () => NOON) => redisCounters(server.url, clock, calm);

whenRedis('claims, refunds and finishes count as in the process', async () => {
  const home = counters();
  const one = await home.claim('order', limits);
  expect(one).toMatchObject({ violated: [], usage: { minute: 1, month: 1, concurrent: 1 } });
  const two = await home.claim('order', limits);
  expect(await home.claim('order', limits)).toMatchObject({
    violated: ['concurrent'],
    usage: { minute: 2, month: 2, concurrent: 2 },
  });
  expect(await two.refund()).toEqual({ minute: 1, month: 1, concurrent: 2 });
  two.finish();
  await one.keep();
  one.finish();
  expect((await home.claim('order', limits)).usage).toEqual({ minute: 2, month: 2, concurrent: 1 });
  await home.close();
});

whenRedis('all limits that stand in the way are named', async () => {
  let now = NOON;
  const home = counters(() => now);
  const run = async () => {
    const claim = await home.claim('all', limits);
    claim.finish();
    return claim.violated;
  };
  expect([await run(), await run(), await run(), await run()]).toEqual([[], [], [], ['minute']]);
  now += 60_000;
  expect([await run(), await run(), await run()]).toEqual([[], [], ['month']]);
  await home.close();
});

whenRedis('a hundred claims at once from two replicas: never more than the limit', async () => {
  const homes = [counters(), counters()];
  const wide = { ...limits, minute: 30, month: 1000, concurrent: 1000 };
  const claims = await Promise.all(
    Array.from({ length: 100 }, (_, index) => homes[index % 2]?.claim('crowd', wide) ?? Promise.reject()),
  );
  expect(claims.filter((claim) => claim.violated.length === 0)).toHaveLength(30);
  await Promise.all(homes.map((home) => home.close()));
});

whenRedis('the slots of a replica that died are free again after a while', async () => {
  let now = NOON;
  const dead = counters(() => now);
  await dead.claim('lease', limits);
  await dead.claim('lease', limits);
  await dead.close();
  const alive = counters(() => now);
  now += 59_000;
  expect((await alive.claim('lease', { ...limits, minute: 100 })).violated).toEqual(['concurrent']);
  now += 2_000;
  expect((await alive.claim('lease', { ...limits, minute: 100 })).violated).toEqual([]);
  await alive.close();
});

whenRedis("two replicas on one Redis share one account's minute", async () => {
  const keyDirectory = scratch();
  const { key } = createKey(keyDirectory, { account: 'shared', expires: null }, Date.now());
  const clock = () => NOON;
  const replica = () =>
    start({ clock, authentication: { keyDirectory, counters: counters(), limitsOf: () => STANDARD_LIMITS } });
  const [one, two] = [await replica(), await replica()];
  const headers = { authorization: `Bearer ${key}` };
  for (let index = 0; index < 30; index += 1) {
    expect((await get(one, '/v1/release', { headers })).status).toBe(200);
    expect((await get(two, '/v1/release', { headers })).status).toBe(200);
  }
  for (const replica of [one, two]) {
    const reply = await get(replica, '/v1/release', { headers });
    expect([reply.status, reply.body['violated-policies']]).toEqual([429, ['minute']]);
    expect(reply.headers['retry-after']).toBe('50');
  }
});

whenRedis('a password and a database of the address are used; a wrong password is said to be refused', async () => {
  const locked = await startRedis('--requirepass', 'secret');
  try {
    const right = new URL(`redis://:secret@${locked.url.host}/3`);
    const home = redisCounters(right, () => NOON, calm);
    expect((await home.claim('a', limits)).violated).toEqual([]);
    const plain = await createClient({ url: right.href }).connect();
    expect(await plain.get('fin:{a}:month:2026-11')).toBe('1');
    await plain.close();
    await home.close();
    const wrong = redisCounters(new URL(`redis://:guess@${locked.url.host}`), () => NOON, calm);
    await expect(wrong.claim('a', limits)).rejects.toThrow(/Redis .* refused/);
    await wrong.close();
  } finally {
    locked.process.kill();
  }
});

whenRedis('while Redis is away nobody is let in; once it is back the same server goes on', async () => {
  const first = await startRedis();
  const keyDirectory = scratch();
  const { key } = createKey(keyDirectory, { account: 'away', expires: null }, Date.now());
  const home = redisCounters(
    first.url,
    () => NOON,
    () => {},
  );
  const running = await start({ authentication: { keyDirectory, counters: home, limitsOf: () => STANDARD_LIMITS } });
  const status = async () =>
    (await get(running, '/v1/release', { headers: { authorization: `Bearer ${key}` } })).status;
  expect(await status()).toBe(200);
  first.process.kill();
  await new Promise((resolve) => first.process.once('exit', resolve));
  expect(await status()).toBe(503);
  const again = await startRedis('--port', first.url.port);
  expect(await status()).toBe(200);
  again.process.kill();
});
