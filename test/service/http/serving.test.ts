import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { get as secureGet } from 'node:https';
import { connect } from 'node:net';
import { basename, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { followRelease } from '../../../src/service/http/follow-release.ts';
import { makeFolder } from '../../store/public-source.ts';
import { RELEASE_ROWS } from '../filed.ts';
import { makePausedRelease } from '../held-release.ts';
import { makeMemoryRelease } from '../memory-release.ts';
import { get, makeDirectory, startService } from './running.ts';

test('a 200 and a 304 have the headers of the interface and of caches, and a 304 has no other', async () => {
  const service = await startService();
  const fullReply = await get(service, '/v1/screen');
  const names = ['cache-control', 'etag', 'ratelimit', 'ratelimit-policy', 'vary', 'x-request-id'];
  for (const name of names) expect(fullReply.headers[name]).toBeDefined();
  const notModifiedReply = await get(service, '/v1/screen', {
    headers: { 'if-none-match': fullReply.headers.etag ?? '' },
  });
  expect([notModifiedReply.status, notModifiedReply.text]).toEqual([304, '']);
  // HTTP itself adds Date and the connection headers.
  const serviceHeaderNames = Object.keys(notModifiedReply.headers).filter(
    (name) => !['date', 'connection', 'keep-alive'].includes(name),
  );
  expect(serviceHeaderNames.sort()).toEqual(names);
  for (const name of ['cache-control', 'etag', 'vary'])
    expect(notModifiedReply.headers[name]).toBe(fullReply.headers[name]);
});

test('the access log has JSON lines without keys, even if a client sends its key in the URL', async () => {
  const service = await startService();
  await get(service, `/v1/release?api_key=${service.key}`, { headers: { 'x-request-id': 'log-1' } });
  await get(service, '/v1/release', { headers: { authorization: null } });
  const [firstEntry, secondEntry] = service.log.map((line) => JSON.parse(line));
  expect(firstEntry).toMatchObject({
    request_id: 'log-1',
    account: 'tests',
    method: 'GET',
    target: '/v1/release?api_key=svc_…',
    status: 400,
    remote: '127.0.0.1',
  });
  expect(Date.parse(firstEntry.time)).not.toBeNaN();
  expect(firstEntry.bytes).toBeGreaterThan(0);
  expect(secondEntry).toMatchObject({ status: 401, account: null });
  expect(service.log.join('\n')).not.toContain(service.key);
});

test('a stopping server finishes running requests and refuses new ones with 503', async () => {
  const { release, reads, resumeReads } = makePausedRelease();
  const service = await startService({ release });
  const responsePromise = get(service, '/v1/metrics');
  await expect.poll(reads).toBe(1);
  const stopPromise = service.stop();
  const lateResponse = await get(service, '/v1/metrics');
  expect([lateResponse.status, lateResponse.body.code, lateResponse.headers.connection]).toEqual([
    503,
    'unavailable',
    'close',
  ]);
  resumeReads();
  expect((await responsePromise).status).toBe(200);
  await stopPromise;
  await expect(get(service, '/v1/metrics')).rejects.toThrow();
});

test('an idle connection does not delay the stop', async () => {
  const openIdleConnection = async ({ baseUrl }: { baseUrl: string }) => {
    const { hostname, port } = new URL(baseUrl);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    onTestFinished(() => void socket.destroy());
    return socket;
  };
  // A server closes an idle connection after some time. The first connection shows when the second would be closed.
  const options = { headersTimeoutMs: 60_000 };
  const otherSocket = await openIdleConnection(await startService(options));
  const service = await startService(options);
  const closePromise = once(await openIdleConnection(service), 'close');
  await service.stop();
  await closePromise;
  expect(otherSocket.readyState).toBe('open');
});

test('a new release is served without a failed request, and a damaged new release is not served', async () => {
  const makeRowsWithStamp = (stamp: string) => ({ ...RELEASE_ROWS, manifest: { ...RELEASE_ROWS.manifest, stamp } });
  const home = await makeFolder('releases');
  const locationOf = (name: string) => ({ directory: join(home, name), isSample: false });
  for (const name of ['one', 'damaged', 'two']) {
    mkdirSync(join(home, name));
    writeFileSync(join(home, name, 'manifest.json'), '');
  }
  let location = locationOf('one');
  let locateCount = 0;
  const closedDirectories: string[] = [];
  const errors: unknown[] = [];
  const changedStamps: string[] = [];
  const releaseFollower = await followRelease({
    locate: () => {
      locateCount += 1;
      return location;
    },
    open: (path) => {
      const directory = basename(path);
      if (directory === 'damaged') throw new Error('damaged');
      const close = async () => void closedDirectories.push(directory);
      return { ...makeMemoryRelease(makeRowsWithStamp(directory)), close };
    },
    intervalMs: 5,
    graceMs: 60,
    onChange: (stamp) => changedStamps.push(stamp),
    onGone: () => {},
    onError: (error) => errors.push(error),
  });
  const service = await startService({ release: releaseFollower.current, authentication: null });
  const askStamp = async () => (await get(service, '/v1/release')).body.meta.release.stamp;
  const seenStamps: string[] = [];
  let isAsking = true;
  const whenPollersDone = Promise.all(
    Array.from({ length: 4 }, async () => {
      while (isAsking) seenStamps.push(await askStamp());
    }),
  );
  expect(await askStamp()).toBe('one');
  location = locationOf('damaged');
  const previousLocateCount = locateCount;
  await expect.poll(() => locateCount).toBeGreaterThan(previousLocateCount + 3);
  expect(await askStamp()).toBe('one');
  location = locationOf('two');
  await expect.poll(() => changedStamps).toEqual(['one', 'two']);
  expect(await askStamp()).toBe('two');
  isAsking = false;
  await whenPollersDone;
  expect([...new Set(seenStamps)]).toEqual(['one', 'two']);
  // The error is reported once, although the release was opened several times.
  expect(errors).toHaveLength(1);
  await expect.poll(() => closedDirectories).toEqual(['one']);
  await releaseFollower.stop();
  expect(closedDirectories).toEqual(['one', 'two']);
});

test('the service answers over TLS, with the header Strict-Transport-Security', async () => {
  const directory = makeDirectory();
  try {
    const subjectOptions = ['-subj', '/CN=localhost', '-days', '1'];
    const fileOptions = ['-keyout', join(directory, 'key.pem'), '-out', join(directory, 'cert.pem')];
    execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subjectOptions, ...fileOptions], {
      stdio: 'ignore',
    });
  } catch {
    console.warn('openssl is not installed: TLS is not tested');
    return;
  }
  const certificate = readFileSync(join(directory, 'cert.pem'));
  const service = await startService({
    tls: { cert: certificate, key: readFileSync(join(directory, 'key.pem')) },
    authentication: null,
  });
  expect(service.baseUrl).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
  const statusAndHeaders = await new Promise<Record<string, unknown>>((resolve, reject) => {
    const options = { ca: certificate, servername: 'localhost', checkServerIdentity: () => undefined };
    secureGet(`${service.baseUrl}/v1/release`, options, (response) => {
      response.resume();
      resolve({ status: response.statusCode, ...response.headers });
    }).on('error', reject);
  });
  expect(statusAndHeaders).toMatchObject({ status: 200, 'strict-transport-security': 'max-age=31536000' });
  // A connection that never completes its TLS handshake does not delay the stop of the service.
  const { hostname, port } = new URL(service.baseUrl);
  const silentSocket = connect(Number(port), hostname);
  await new Promise((resolve) => silentSocket.once('connect', resolve));
  const closePromise = new Promise((resolve) => silentSocket.once('close', resolve));
  await service.stop();
  await closePromise;
});

test('without authentication every request is answered, and no limits are sent', async () => {
  const service = await startService({ authentication: null });
  const reply = await get(service, '/v1/release', { headers: { authorization: null } });
  expect(reply.status).toBe(200);
  expect(reply.headers.ratelimit).toBeUndefined();
});
