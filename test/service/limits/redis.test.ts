import { createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey } from '../../../src/service/keys/key-store.ts';
import { STANDARD_LIMITS } from '../../../src/service/limits/limits.ts';
import { openRedis } from '../../../src/service/limits/redis-connection.ts';
import { createRedisCounters } from '../../../src/service/limits/redis-counters.ts';
import { listen } from '../../listen.ts';
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
const counters = (clock = () => NOON) => createRedisCounters(server.url, clock, calm);

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
    const home = createRedisCounters(right, () => NOON, calm);
    expect((await home.claim('a', limits)).violated).toEqual([]);
    const plainRedis = openRedis(right);
    await Promise.all([plainRedis.send(['AUTH', 'secret']), plainRedis.send(['SELECT', 3])]);
    expect(await plainRedis.send(['GET', 'fin:{a}:month:2026-11'])).toBe('1');
    await plainRedis.close();
    expect(plainRedis.isOpen).toBe(false);
    await home.close();
    const wrong = createRedisCounters(new URL(`redis://:guess@${locked.url.host}`), () => NOON, calm);
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
  const home = createRedisCounters(
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
  const restarted = await startRedis('--port', first.url.port);
  expect(await status()).toBe(200);
  restarted.process.kill();
});

/** Starts a server that calls `reply` for each received command; returns its address and a function that closes it. */
async function impostor(reply: (socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', () => reply(socket));
  });
  const port = await listen(server);
  return { url: new URL(`redis://127.0.0.1:${port}`), close: () => server.close() };
}

test('an endless reply closes the connection after its first kilobytes', async () => {
  const closed: number[] = [];
  const server = await impostor((socket) => {
    const chunk = Buffer.alloc(1024 * 1024, 'a');
    const write = () => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.write('$2000000000\r\n');
    socket.on('drain', write).once('close', () => closed.push(socket.bytesWritten));
    write();
  });
  const connection = openRedis(server.url);
  await expect(connection.send(['PING'])).rejects.toThrow('A reply of Redis is longer than 65536 bytes');
  expect(connection.isOpen).toBe(false);
  await expect.poll(() => closed.length).toBe(1);
  // The socket buffers hold a few megabytes, the endless reply would have two thousand.
  expect(closed[0]).toBeLessThan(200_000_000);
  await expect(createRedisCounters(server.url, () => NOON, calm).claim('a', limits)).rejects.toThrow(/Redis/);
  server.close();
});

test.each([
  ['an array that never ends', `*1000000000\r\n${':1\r\n'.repeat(20_000)}`, 'longer than 65536 bytes'],
  ['a line that never ends', '+'.padEnd(70_000, 'a'), 'longer than 65536 bytes'],
  ['arrays in arrays', '*1\r\n'.repeat(1000), 'does not follow its protocol'],
  ['a length that is no number', '$1e9\r\n', 'invalid number'],
  ['another protocol', 'HTTP/1.1 400 Bad Request\r\n', 'does not follow its protocol'],
])('the reply %s ends the connection', async (_, text, message) => {
  const server = await impostor((socket) => socket.write(text));
  await expect(openRedis(server.url).send(['PING'])).rejects.toThrow(message);
  server.close();
});

test('unexpected replies end the connection, not the process', async () => {
  const server = await impostor((socket) => socket.write('+PONG\r\n+PONG\r\n'));
  const connection = openRedis(server.url);
  expect(await connection.send(['PING'])).toBe('PONG');
  await expect.poll(() => connection.isOpen).toBe(false);
  await expect(connection.send(['PING'])).rejects.toThrow('without a command');
  server.close();
});

test('replies that arrive byte by byte are read correctly', async () => {
  const text = '*4\r\n:1\r\n$5\r\na\r\nbc\r\n$-1\r\n:-7\r\n-ERR no\r\n+OK\r\n';
  let commands = 0;
  const server = await impostor((socket) => {
    commands += 1;
    if (commands > 1) return;
    socket.setNoDelay(true);
    const bytes = [...text];
    const next = () => {
      const byte = bytes.shift();
      if (byte !== undefined) socket.write(byte, () => setImmediate(next));
    };
    next();
  });
  const connection = openRedis(server.url);
  const replies = [connection.send(['A']), connection.send(['B']), connection.send(['C'])];
  expect(await Promise.allSettled(replies)).toMatchObject([
    { value: [1, 'a\r\nbc', null, -7] },
    { reason: { message: 'ERR no' } },
    { value: 'OK' },
  ]);
  connection.destroy(new Error('over'));
  server.close();
});
