import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { get as secureGet } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { followRelease } from '../../../src/service/http/follow-release.ts';
import { FILED } from '../filed.ts';
import { heldRelease } from '../held-release.ts';
import { memoryRelease } from '../memory-release.ts';
import { get, scratch, start } from './running.ts';

test('a 200 has four headers of the interface, a 304 exactly its own', async () => {
  const running = await start();
  const whole = await get(running, '/v1/screen');
  for (const name of ['etag', 'ratelimit', 'ratelimit-policy', 'x-request-id'])
    expect(whole.headers[name]).toBeDefined();
  const notModified = await get(running, '/v1/screen', { headers: { 'if-none-match': whole.headers.etag ?? '' } });
  expect([notModified.status, notModified.text]).toEqual([304, '']);
  // HTTP itself adds Date and the connection headers.
  const serviceHeaders = Object.keys(notModified.headers).filter(
    (name) => !['date', 'connection', 'keep-alive'].includes(name),
  );
  expect(serviceHeaders.sort()).toEqual(['etag', 'ratelimit', 'ratelimit-policy', 'x-request-id']);
});

test('the access log has JSON lines without keys, wherever they were sent', async () => {
  const running = await start();
  await get(running, `/v1/release?api_key=${running.key}`, { headers: { 'x-request-id': 'log-1' } });
  await get(running, '/v1/release', { headers: { authorization: null } });
  const [first, second] = running.log.map((line) => JSON.parse(line));
  expect(first).toMatchObject({
    request_id: 'log-1',
    account: 'tests',
    method: 'GET',
    target: '/v1/release?api_key=[key]',
    status: 400,
    remote: '127.0.0.1',
  });
  expect(Date.parse(first.time)).not.toBeNaN();
  expect(first.bytes).toBeGreaterThan(0);
  expect(second).toMatchObject({ status: 401, account: null });
  expect(running.log.join('\n')).not.toContain(running.key);
});

test('a stopping server finishes running requests and refuses new ones with 503', async () => {
  const { release, reads, letGo } = heldRelease();
  const running = await start({ release });
  const responsePromise = get(running, '/v1/metrics');
  await expect.poll(reads).toBe(1);
  const stopped = running.stop();
  const lateResponse = await get(running, '/v1/metrics');
  expect([lateResponse.status, lateResponse.body.code, lateResponse.headers.connection]).toEqual([
    503,
    'unavailable',
    'close',
  ]);
  letGo();
  expect((await responsePromise).status).toBe(200);
  await stopped;
  await expect(get(running, '/v1/metrics')).rejects.toThrow();
});

test('an idle connection does not delay the stop', async () => {
  const running = await start();
  const { hostname, port } = new URL(running.baseUrl);
  const socket = connect(Number(port), hostname);
  await new Promise((resolve) => socket.once('connect', resolve));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  await running.stop();
  await closed;
});

test('a new release is served without a failed request, and a damaged new release is not served', async () => {
  const rows = (stamp: string) => ({ ...FILED, manifest: { ...FILED.manifest, stamp } });
  let location = { directory: 'one' };
  let looks = 0;
  const closedDirectories: string[] = [];
  const troubles: unknown[] = [];
  const changes: string[] = [];
  const followed = await followRelease({
    locate: () => {
      looks += 1;
      return location;
    },
    open: (directory) => {
      if (directory === 'damaged') throw new Error('damaged');
      const close = async () => void closedDirectories.push(directory);
      return { ...memoryRelease(rows(directory)), close };
    },
    intervalMs: 5,
    graceMs: 60,
    onChange: (stamp) => changes.push(stamp),
    onError: (error) => troubles.push(error),
  });
  const running = await start({ release: followed.current, authentication: null });
  const served = async () => (await get(running, '/v1/release')).body.meta.release.stamp;
  const seen: string[] = [];
  let asking = true;
  const load = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (asking) seen.push(await served());
    }),
  );
  expect(await served()).toBe('one');
  location = { directory: 'damaged' };
  const before = looks;
  await expect.poll(() => looks).toBeGreaterThan(before + 3);
  expect(await served()).toBe('one');
  location = { directory: 'two' };
  await expect.poll(() => changes).toEqual(['one', 'two']);
  expect(await served()).toBe('two');
  asking = false;
  await load;
  expect([...new Set(seen)]).toEqual(['one', 'two']);
  // The error is reported once, although the release was opened several times.
  expect(troubles).toHaveLength(1);
  await expect.poll(() => closedDirectories).toEqual(['one']);
  await followed.stop();
  expect(closedDirectories).toEqual(['one', 'two']);
});

test('responses over TLS are the same, with Strict-Transport-Security', async () => {
  const directory = scratch();
  try {
    const subject = ['-subj', '/CN=localhost', '-days', '1'];
    const files = ['-keyout', join(directory, 'key.pem'), '-out', join(directory, 'cert.pem')];
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject, ...files], {
      stdio: 'ignore',
    });
  } catch {
    console.warn('openssl is not here: TLS is not tested');
    return;
  }
  const cert = readFileSync(join(directory, 'cert.pem'));
  const running = await start({ tls: { cert, key: readFileSync(join(directory, 'key.pem')) }, authentication: null });
  expect(running.baseUrl).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  const headers = await new Promise<Record<string, unknown>>((resolve, reject) => {
    const options = { ca: cert, servername: 'localhost', checkServerIdentity: () => undefined };
    secureGet(`${running.baseUrl}/v1/release`, options, (response) => {
      response.resume();
      resolve({ status: response.statusCode, ...response.headers });
    }).on('error', reject);
  });
  expect(headers).toMatchObject({ status: 200, 'strict-transport-security': 'max-age=31536000' });
  // A connection that never completes its TLS handshake does not delay the stop either.
  const { hostname, port } = new URL(running.baseUrl);
  const silent = connect(Number(port), hostname);
  await new Promise((resolve) => silent.once('connect', resolve));
  const closed = new Promise((resolve) => silent.once('close', resolve));
  await running.stop();
  await closed;
});

test('without authentication every request is answered, and no limits are sent', async () => {
  const running = await start({ authentication: null });
  const reply = await get(running, '/v1/release', { headers: { authorization: null } });
  expect(reply.status).toBe(200);
  expect(reply.headers.ratelimit).toBeUndefined();
});
