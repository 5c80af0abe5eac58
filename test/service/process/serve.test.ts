import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, rmSync, truncateSync } from 'node:fs';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { readCurrentStamp } from '../../../src/store/releases/home.ts';
import { registerCleanUp } from '../../clean-up.ts';
import { ConformanceClient } from '../../conformance/asker.ts';
import { parseRemainingCount } from '../../conformance/expectations.ts';
import {
  makeHomeEnv,
  makeKey,
  runFin,
  runFinAllowingFailure,
  startServe,
  writeLimits,
} from '../../conformance/fin-serve.ts';
import { FIN_PATH } from '../../fin-process.ts';
import { testNeeding } from '../../needs.ts';
import { hasRedis, startRedis } from '../limits/redis-server.ts';

const SAMPLE_HOME = resolve(import.meta.dirname, '../../../src/store/sample');

async function serve(env: NodeJS.ProcessEnv, ...options: string[]) {
  const server = await startServe(env, ...options);
  registerCleanUp(() => {
    server.process.kill('SIGKILL');
    return server.ended;
  });
  return server;
}

const makeServiceClient = (baseUrl: string, key: string) => new ConformanceClient({ baseUrl, key, spendableKey: null });

test.concurrent('fin serve prints its address first, reports that it serves the sample, and accepts a new key', async () => {
  const env = makeHomeEnv();
  const server = await serve(env);
  expect(server.baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
  await expect.poll(server.said).toContain('No API keys exist yet. To create a key: fin keys create --account');
  expect(server.said()).toMatch(/Serving release \S+, the sample\./);
  // This key is created while the server runs.
  const key = await makeKey(env, 'acme');
  const reply = await makeServiceClient(server.baseUrl, key).sendOnce('/v1/release', {});
  expect(reply.status).toBe(200);
  for (const name of ['etag', 'ratelimit', 'ratelimit-policy', 'x-request-id'])
    expect(reply.headers[name]).toBeDefined();
  // The key is revoked while the server runs.
  await runFin(env, 'keys', 'revoke', '--account', 'acme', '--all');
  expect((await makeServiceClient(server.baseUrl, key).sendOnce('/v1/release', {})).body.code).toBe('revoked_key');
});

test.concurrent("SIGTERM ends fin serve with the signal's exit code", async () => {
  const server = await serve(makeHomeEnv(), '--no-auth');
  const pendingReply = makeServiceClient(server.baseUrl, 'x').sendOnce('/v1/screen', {});
  await pendingReply;
  server.process.kill('SIGTERM');
  expect(await server.ended).toBe(143);
});

test.concurrent('after SIGTERM, fin serve waits longer for unread responses than other commands wait', async () => {
  const server = await serve(makeHomeEnv(), '--no-auth');
  const { hostname, port } = new URL(server.baseUrl);
  const clientSocket = connect(Number(port), hostname);
  registerCleanUp(() => void clientSocket.destroy());
  // Requests more than the buffers between client and server hold, and reads nothing.
  clientSocket.write(
    'GET /v1/securities/AAPL/metrics?period=all&limit=500 HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(60),
  );
  clientSocket.pause();
  // The first response has begun to arrive, and the other responses wait.
  await once(clientSocket, 'readable');
  server.process.kill('SIGTERM');
  // Waits longer than the two seconds after which other commands are ended.
  await sleep(3_000);
  expect(server.process.exitCode).toBeNull();
  clientSocket.destroy();
  expect(await server.ended).toBe(143);
});

test.concurrent('--no-auth answers without keys, on loopback only', async () => {
  const server = await serve(makeHomeEnv(), '--no-auth');
  const reply = await makeServiceClient(server.baseUrl, 'x').sendOnce('/v1/metrics', { key: null });
  expect(reply.status).toBe(200);
  const { code, err } = await runFinAllowingFailure(makeHomeEnv(), 'serve', '--no-auth', '--host', '0.0.0.0');
  expect([code, err]).toEqual([2, expect.stringContaining('--no-auth is allowed only for loopback addresses')]);
});

test.concurrent('a release published while it runs is served without a restart', async () => {
  const env = makeHomeEnv();
  const server = await serve(env, '--no-auth');
  const serviceClient = makeServiceClient(server.baseUrl, 'x');
  const { stamp } = (await serviceClient.sendOnce('/v1/release', {})).body.data;
  await expect.poll(server.said).toContain(`Serving release ${stamp}, the sample.`);
  const releasesDirectory = join(env.FIN_DATA_DIR ?? '', 'releases');
  cpSync(join(resolve(import.meta.dirname, '../../../src/store/sample'), stamp), join(releasesDirectory, stamp), {
    recursive: true,
  });
  await expect.poll(server.said).toContain(`Serving release ${stamp}.`);
  expect((await serviceClient.sendOnce('/v1/screen?limit=1', {})).status).toBe(200);
});

test.concurrent('a server that was started on a release answers 503 when its releases are gone, and never from the sample', async ({
  expect,
}) => {
  const env = makeHomeEnv();
  const releasesFolder = join(env.FIN_DATA_DIR ?? '', 'releases');
  cpSync(SAMPLE_HOME, releasesFolder, { recursive: true });
  const server = await serve(env, '--no-auth');
  const client = makeServiceClient(server.baseUrl, 'x');
  expect((await client.sendOnce('/readyz', {})).status).toBe(200);
  rmSync(releasesFolder, { recursive: true });
  await expect.poll(server.said).toContain('is gone. The service answers 503');
  for (const path of ['/readyz', '/v1/release', '/v1/screen?limit=1', '/v1/securities/AAPL/metrics'])
    expect([path, (await client.sendOnce(path, {})).body.code]).toEqual([path, 'unavailable']);
  expect((await client.sendOnce('/livez', {})).status).toBe(200);
  // The release that comes back is served again.
  cpSync(SAMPLE_HOME, releasesFolder, { recursive: true });
  await expect.poll(async () => (await client.sendOnce('/readyz', {})).status).toBe(200);
  expect((await client.sendOnce('/v1/screen?limit=1', {})).status).toBe(200);
});

test.concurrent('fin serve --no-sample answers 503 until a release exists', async ({ expect }) => {
  const env = makeHomeEnv();
  const server = await serve(env, '--no-auth', '--no-sample', '--mcp');
  const client = makeServiceClient(server.baseUrl, 'x');
  await expect.poll(server.said).toContain('No release exists yet. The service answers 503');
  for (const path of ['/readyz', '/v1/release', '/v1/metrics'])
    expect([path, (await client.sendOnce(path, {})).body.code]).toEqual([path, 'unavailable']);
  cpSync(SAMPLE_HOME, join(env.FIN_DATA_DIR ?? '', 'releases'), { recursive: true });
  await expect.poll(async () => (await client.sendOnce('/readyz', {})).status).toBe(200);
  expect((await client.sendOnce('/v1/release', {})).status).toBe(200);
});

test.concurrent('fin serve --no-sample refuses the stamp of the sample', async () => {
  const stamp = readCurrentStamp(SAMPLE_HOME) ?? '';
  const { code, err } = await runFinAllowingFailure(makeHomeEnv(), 'serve', '--no-sample', '--release', stamp);
  expect([code, err]).toEqual([9, expect.stringContaining(`There is no release "${stamp}"`)]);
});

test.concurrent('a table that is emptied while the server runs is named in the log and in a 503, and other questions succeed', async ({
  expect,
}) => {
  const env = makeHomeEnv();
  const sampleHome = resolve(import.meta.dirname, '../../../src/store/sample');
  const releasesFolder = join(env.FIN_DATA_DIR ?? '', 'releases');
  cpSync(sampleHome, releasesFolder, { recursive: true });
  const server = await serve(env, '--no-auth');
  const serviceClient = makeServiceClient(server.baseUrl, 'x');
  const { stamp } = (await serviceClient.sendOnce('/v1/release', {})).body.data;
  truncateSync(join(releasesFolder, stamp, 'recent_insider_owners.parquet'));
  truncateSync(join(releasesFolder, stamp, 'insider_largest.parquet'));
  const statuses = await Promise.all(
    Array.from({ length: 20 }, async () => [
      (await serviceClient.sendOnce('/v1/insider-activity?limit=5', {})).status,
      (await serviceClient.sendOnce('/v1/filings/day', {})).status,
      (await serviceClient.sendOnce('/v1/screen?limit=1', {})).status,
    ]),
  );
  expect(new Set(statuses.map(String))).toEqual(new Set(['503,503,200']));
  const { body } = await serviceClient.sendOnce('/v1/insider-activity?limit=5', {});
  expect(body).toMatchObject({
    code: 'unavailable',
    detail: expect.stringContaining('The table recent_insider_owners'),
  });
  await expect.poll(server.said).toContain('insider_largest.parquet cannot be read');
  // The damage is reported once, although several requests encountered it.
  expect(server.said().match(/recent_insider_owners\.parquet cannot be read/g)).toHaveLength(1);
  expect(server.process.exitCode).toBeNull();
});

test.concurrent('--log writes a JSON line per request to stderr', async () => {
  const server = await serve(makeHomeEnv(), '--no-auth', '--log');
  await makeServiceClient(server.baseUrl, 'x').sendOnce('/v1/release', {});
  await expect.poll(server.said).toContain('"target":"/v1/release"');
  const logLine = server
    .said()
    .split('\n')
    .find((text) => text.startsWith('{'));
  expect(JSON.parse(logLine ?? '')).toMatchObject({ method: 'GET', target: '/v1/release', status: 200, account: null });
});

const REQUESTS_PER_CLIENT = 200;

test.concurrent('a log that nobody reads delays neither answers nor SIGTERM, and its reader learns how many lines it lost', async ({
  expect,
}) => {
  const env = makeHomeEnv();
  const child = spawn(process.execPath, [FIN_PATH, 'serve', '--port', '0', '--no-auth', '--log'], { env });
  registerCleanUp(() => void child.kill('SIGKILL'));
  const whenEnded = once(child, 'exit');
  const [address] = await once(child.stdout, 'data');
  // A target of 1,900 characters makes a line of 2,100: the log has more than a megabyte.
  const target = `${String(address).trim()}/v1/release?${'x'.repeat(1_900)}`;
  const ask = async (requestsPerClient: number) => {
    for (let count = 0; count < requestsPerClient; count += 1) {
      const response = await fetch(target);
      await response.arrayBuffer();
      expect(response.status).toBe(400);
    }
  };
  await Promise.all(Array.from({ length: 4 }, () => ask(REQUESTS_PER_CLIENT)));
  // The reader comes back, and another line is written.
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => {
    log += chunk;
  });
  const countLost = () =>
    [...log.matchAll(/(\d+) lines of the log were lost, because its reader was too slow\./g)].reduce(
      (sum, [, count]) => sum + Number(count),
      0,
    );
  await expect.poll(countLost).toBeGreaterThan(0);
  await expect.poll(() => (log.match(/"request_id"/g)?.length ?? 0) + countLost()).toBe(4 * REQUESTS_PER_CLIENT);
  // Nobody reads again.
  child.stderr.pause();
  await Promise.all(Array.from({ length: 4 }, () => ask(40)));
  child.kill('SIGTERM');
  expect((await whenEnded)[0]).toBe(143);
});

test.concurrent.each([
  [['--port', '70000'], 'is not a port'],
  [['--port', 'x'], 'is not a port'],
  [['--tls-cert', 'x.pem'], 'given together'],
  [['--tls-cert', '/nowhere/a', '--tls-key', '/nowhere/b'], '--tls-cert: "/nowhere/a" cannot be read'],
  [['--limits', '/nowhere/limits.json'], 'the file cannot be read'],
  [['--limits', '/nowhere/limits.json', '--no-auth'], '--limits has no effect with --no-auth'],
  [['--public-url', 'https://user:secret@x'], 'without user'],
  [['--public-url', 'ftp://x'], 'must be an http or https address'],
])('fin serve %s is refused with the reason', async (options, message) => {
  const { code, err } = await runFinAllowingFailure(makeHomeEnv(), 'serve', ...options);
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});

test.concurrent('fin serve with a missing release is a data error', async () => {
  const { code, err } = await runFinAllowingFailure(
    makeHomeEnv(),
    'serve',
    '--no-auth',
    '--release',
    '2020-01-01-000000000000',
  );
  expect([code, err]).toEqual([9, expect.stringContaining('There is no release "2020-01-01-000000000000"')]);
});

test.concurrent('fin serve with a port in use is refused with the reason', async () => {
  const server = await serve(makeHomeEnv(), '--no-auth');
  const { code, err } = await runFinAllowingFailure(
    makeHomeEnv(),
    'serve',
    '--no-auth',
    '--port',
    new URL(server.baseUrl).port,
  );
  expect([code, err]).toEqual([2, expect.stringContaining('another program uses that port')]);
});

test.concurrent('an invalid FIN_REDIS_URL is refused without being shown', async () => {
  const { code, err } = await runFinAllowingFailure(makeHomeEnv({ FIN_REDIS_URL: 'http://:secret@x' }), 'serve');
  expect(code).toBe(2);
  expect(err).not.toContain('secret');
});

test("after a kill under load and a restart, the month's count is correct and the release intact", async () => {
  const env = makeHomeEnv();
  const key = await makeKey(env, 'loaded');
  const limitsPath = writeLimits(env, { default: { minute: 1_000_000, concurrent: 8 } });
  const firstServer = await serve(env, '--limits', limitsPath);
  const serviceClient = makeServiceClient(firstServer.baseUrl, key);
  let answeredCount = 0;
  let isSendingLoad = true;
  let reportAnswersArrived = () => {};
  const whenAnswersArrived = new Promise<void>((resolve) => {
    reportAnswersArrived = resolve;
  });
  const loadLoops = Array.from({ length: 6 }, async (_, client) => {
    for (let index = 0; isSendingLoad; index += 1) {
      const reply = await serviceClient
        .sendOnce(`/v1/screen?limit=${1 + ((index * 6 + client) % 500)}`, {})
        .catch(() => null);
      if (reply?.status === 200) answeredCount += 1;
      if (answeredCount === 150) reportAnswersArrived();
    }
  });
  await whenAnswersArrived;
  firstServer.process.kill('SIGKILL');
  await firstServer.ended;
  isSendingLoad = false;
  await Promise.all(loadLoops);

  const secondServer = await serve(env, '--limits', limitsPath);
  const reply = await makeServiceClient(secondServer.baseUrl, key).sendOnce('/v1/release', {});
  expect(reply.status).toBe(200);
  const countedRequestCount = 20_000 - parseRemainingCount(reply, 'month') - 1;
  // Every received response was counted. At most six further requests, in progress when the server was killed, were
  // counted too.
  expect(countedRequestCount).toBeGreaterThanOrEqual(answeredCount);
  expect(countedRequestCount).toBeLessThanOrEqual(answeredCount + 6);
});

testNeeding(
  'redis-server',
  hasRedis,
  test.concurrent,
)("two servers with one Redis share an account's limits", async () => {
  const redis = await startRedis();
  registerCleanUp(() => void redis.process.kill());
  const env = makeHomeEnv({ FIN_REDIS_URL: redis.url.href });
  const key = await makeKey(env, 'shared');
  const [firstServer, secondServer] = [await serve(env), await serve(env)];
  const firstReply = await makeServiceClient(firstServer.baseUrl, key).sendOnce('/v1/release', {});
  const secondReply = await makeServiceClient(secondServer.baseUrl, key).sendOnce('/v1/release', {});
  expect(parseRemainingCount(firstReply, 'month') - parseRemainingCount(secondReply, 'month')).toBe(1);
});
