import { createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createKey } from '../../../src/service/keys/key-store.ts';
import { STANDARD_LIMITS } from '../../../src/service/limits/limits.ts';
import { openRedis } from '../../../src/service/limits/redis-connection.ts';
import { createRedisCounters } from '../../../src/service/limits/redis-counters.ts';
import { listen } from '../../listen.ts';
import { testNeeding } from '../../needs.ts';
import { get, makeDirectory, startService } from '../http/running.ts';
import { hasRedis, type RedisServer, startRedis } from './redis-server.ts';

const NOW = Date.UTC(2026, 10, 21, 12, 0, 10);
const limits = { minute: 3, month: 5, concurrent: 2, seconds: 60 };
const throwError = (error: unknown) => {
  throw error;
};

let server: RedisServer;
beforeAll(async () => {
  if (hasRedis) server = await startRedis();
});
afterAll(() => {
  if (hasRedis) server.process.kill();
});

const testWithRedis = testNeeding('redis-server', hasRedis);
const createCounters = (clock = () => NOW) => createRedisCounters(server.url, clock, throwError);

testWithRedis('claims, refunds and finishes count in Redis like in the embedded counters', async () => {
  const redisCounters = createCounters();
  const firstClaim = await redisCounters.claim('order', limits);
  expect(firstClaim).toMatchObject({ violated: [], usage: { minute: 1, month: 1, concurrent: 1 } });
  const secondClaim = await redisCounters.claim('order', limits);
  expect(await redisCounters.claim('order', limits)).toMatchObject({
    violated: ['concurrent'],
    usage: { minute: 2, month: 2, concurrent: 2 },
  });
  expect(await secondClaim.refund()).toEqual({ minute: 1, month: 1, concurrent: 2 });
  secondClaim.finish();
  await firstClaim.keep();
  firstClaim.finish();
  expect((await redisCounters.claim('order', limits)).usage).toEqual({ minute: 2, month: 2, concurrent: 1 });
  await redisCounters.close();
});

testWithRedis('a refused claim names the limits that it violates', async () => {
  let now = NOW;
  const redisCounters = createCounters(() => now);
  const claimAndFinish = async () => {
    const claim = await redisCounters.claim('all', limits);
    claim.finish();
    return claim.violated;
  };
  expect([await claimAndFinish(), await claimAndFinish(), await claimAndFinish(), await claimAndFinish()]).toEqual([
    [],
    [],
    [],
    ['minute'],
  ]);
  now += 60_000;
  expect([await claimAndFinish(), await claimAndFinish(), await claimAndFinish()]).toEqual([[], [], ['month']]);
  await redisCounters.close();
});

testWithRedis('a hundred concurrent claims from two replicas never exceed the limit', async () => {
  const replicaCounters = [createCounters(), createCounters()];
  const wideLimits = { ...limits, minute: 30, month: 1000, concurrent: 1000 };
  const claims = await Promise.all(
    Array.from(
      { length: 100 },
      (_, index) => replicaCounters[index % 2]?.claim('crowd', wideLimits) ?? Promise.reject(),
    ),
  );
  expect(claims.filter((claim) => claim.violated.length === 0)).toHaveLength(30);
  await Promise.all(replicaCounters.map((replica) => replica.close()));
});

testWithRedis('the concurrency slots of a dead replica are freed when its lease expires', async () => {
  let now = NOW;
  const deadReplicaCounters = createCounters(() => now);
  await deadReplicaCounters.claim('lease', limits);
  await deadReplicaCounters.claim('lease', limits);
  await deadReplicaCounters.close();
  const liveReplicaCounters = createCounters(() => now);
  now += 59_000;
  expect((await liveReplicaCounters.claim('lease', { ...limits, minute: 100 })).violated).toEqual(['concurrent']);
  now += 2_000;
  expect((await liveReplicaCounters.claim('lease', { ...limits, minute: 100 })).violated).toEqual([]);
  await liveReplicaCounters.close();
});

testWithRedis('two replicas with one Redis share the limits of an account', async () => {
  const keyDirectory = makeDirectory();
  const { key } = createKey(keyDirectory, { account: 'shared', expires: null }, Date.now());
  const clock = () => NOW;
  const startReplica = () =>
    startService({
      clock,
      authentication: { keyDirectory, counters: createCounters(), findLimits: () => STANDARD_LIMITS },
    });
  const [firstReplica, secondReplica] = [await startReplica(), await startReplica()];
  const headers = { authorization: `Bearer ${key}` };
  for (let index = 0; index < 30; index += 1) {
    expect((await get(firstReplica, '/v1/release', { headers })).status).toBe(200);
    expect((await get(secondReplica, '/v1/release', { headers })).status).toBe(200);
  }
  for (const replica of [firstReplica, secondReplica]) {
    const reply = await get(replica, '/v1/release', { headers });
    expect([reply.status, reply.body['violated-policies']]).toEqual([429, ['minute']]);
    expect(reply.headers['retry-after']).toBe('50');
  }
});

testWithRedis(
  'the password and database in the address are used, and a wrong password is reported as refused',
  async () => {
    const lockedServer = await startRedis('--requirepass', 'secret');
    try {
      const authorizedUrl = new URL(`redis://:secret@${lockedServer.url.host}/3`);
      const authorizedCounters = createRedisCounters(authorizedUrl, () => NOW, throwError);
      expect((await authorizedCounters.claim('a', limits)).violated).toEqual([]);
      const plainRedis = openRedis(authorizedUrl);
      await Promise.all([plainRedis.send(['AUTH', 'secret']), plainRedis.send(['SELECT', 3])]);
      expect(await plainRedis.send(['GET', 'fin:{a}:month:2026-11'])).toBe('1');
      await plainRedis.close();
      expect(plainRedis.isOpen).toBe(false);
      await authorizedCounters.close();
      const unauthorizedCounters = createRedisCounters(
        new URL(`redis://:guess@${lockedServer.url.host}`),
        () => NOW,
        throwError,
      );
      // Redis's own message may contain the password, so it is not attached as the cause.
      const refusal: unknown = await unauthorizedCounters.claim('a', limits).catch((error: unknown) => error);
      expect(refusal).toEqual(new Error('Redis cannot be reached, or refused the connection'));
      expect(Object(refusal).cause).toBeUndefined();
      await unauthorizedCounters.close();
    } finally {
      lockedServer.process.kill();
    }
  },
);

testWithRedis('while Redis is down every request is answered 503, and after its restart 200 again', async () => {
  const firstServer = await startRedis();
  const keyDirectory = makeDirectory();
  const { key } = createKey(keyDirectory, { account: 'away', expires: null }, Date.now());
  const redisCounters = createRedisCounters(
    firstServer.url,
    () => NOW,
    () => {},
  );
  const service = await startService({
    authentication: { keyDirectory, counters: redisCounters, findLimits: () => STANDARD_LIMITS },
  });
  const askStatus = async () =>
    (await get(service, '/v1/release', { headers: { authorization: `Bearer ${key}` } })).status;
  expect(await askStatus()).toBe(200);
  firstServer.process.kill();
  await new Promise((resolve) => firstServer.process.once('exit', resolve));
  expect(await askStatus()).toBe(503);
  const restartedServer = await startRedis('--port', firstServer.url.port);
  expect(await askStatus()).toBe(200);
  restartedServer.process.kill();
});

/** Starts a server that calls `reply` for each received command; returns its address and a function that closes it. */
async function startFakeRedis(reply: (socket: Socket) => void) {
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.on('data', () => reply(socket));
  });
  const port = await listen(server);
  return { url: new URL(`redis://127.0.0.1:${port}`), close: () => server.close() };
}

test('a reply that is too long closes the connection before it has arrived completely', async () => {
  const sentByteCounts: number[] = [];
  const server = await startFakeRedis((socket) => {
    const chunk = Buffer.alloc(1024 * 1024, 'a');
    const writeUntilFull = () => {
      while (!socket.destroyed && socket.write(chunk));
    };
    socket.write('$2000000000\r\n');
    socket.on('drain', writeUntilFull).once('close', () => sentByteCounts.push(socket.bytesWritten));
    writeUntilFull();
  });
  const connection = openRedis(server.url);
  await expect(connection.send(['PING'])).rejects.toThrow('A reply of Redis is longer than 65536 bytes');
  expect(connection.isOpen).toBe(false);
  await expect.poll(() => sentByteCounts.length).toBe(1);
  // Socket buffers hold a few megabytes; the reply announces two gigabytes.
  expect(sentByteCounts[0]).toBeLessThan(200_000_000);
  await expect(createRedisCounters(server.url, () => NOW, throwError).claim('a', limits)).rejects.toThrow(/Redis/);
  server.close();
});

test.each([
  ['an array that never ends', `*1000000000\r\n${':1\r\n'.repeat(20_000)}`, 'longer than 65536 bytes'],
  ['a line that never ends', '+'.padEnd(70_000, 'a'), 'longer than 65536 bytes'],
  ['arrays in arrays', '*1\r\n'.repeat(1000), 'does not follow its protocol'],
  ['a length that is not an integer', '$1e9\r\n', 'invalid number'],
  ['another protocol', 'HTTP/1.1 400 Bad Request\r\n', 'does not follow its protocol'],
])('a reply with %s ends the connection', async (_, text, message) => {
  const server = await startFakeRedis((socket) => socket.write(text));
  await expect(openRedis(server.url).send(['PING'])).rejects.toThrow(message);
  server.close();
});

test('unexpected replies end the connection, not the process', async () => {
  const server = await startFakeRedis((socket) => socket.write('+PONG\r\n+PONG\r\n'));
  const connection = openRedis(server.url);
  expect(await connection.send(['PING'])).toBe('PONG');
  await expect.poll(() => connection.isOpen).toBe(false);
  await expect(connection.send(['PING'])).rejects.toThrow('without a command to answer');
  server.close();
});

test('replies that arrive byte by byte are read correctly', async () => {
  const replyText = '*4\r\n:1\r\n$5\r\na\r\nbc\r\n$-1\r\n:-7\r\n-ERR no\r\n+OK\r\n';
  let commandCount = 0;
  const server = await startFakeRedis((socket) => {
    commandCount += 1;
    if (commandCount > 1) return;
    socket.setNoDelay(true);
    const characters = [...replyText];
    const writeNext = () => {
      const character = characters.shift();
      if (character !== undefined) socket.write(character, () => setImmediate(writeNext));
    };
    writeNext();
  });
  const connection = openRedis(server.url);
  const replyPromises = [connection.send(['A']), connection.send(['B']), connection.send(['C'])];
  expect(await Promise.allSettled(replyPromises)).toMatchObject([
    { value: [1, 'a\r\nbc', null, -7] },
    { reason: { message: 'ERR no' } },
    { value: 'OK' },
  ]);
  connection.destroy(new Error('over'));
  server.close();
});
