import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type ConnectionOptions, findConnectionTarget, openConnection } from '../../src/client/connection.ts';
import { makeTemporaryFolder, registerCleanUp } from '../clean-up.ts';
import { startFileServer } from '../file-server.ts';
import { KEY, makeEnvelope, RELEASE, sendAnswer, serve } from '../http-service.ts';
import { publish, SAMPLE_RELEASE } from '../publish/releases.ts';

const CONNECTION_OPTIONS: ConnectionOptions = {
  ...{ maxWait: null, retries: 0, timeout: null, deadline: null, maxAge: null, profile: null },
  ...{ fresh: false, offline: false, cache: true, unchecked: false, quiet: false, verbose: false },
};
const SERVICE_LOADERS = {
  localService: () => import('../../src/wiring/local-service.ts'),
  published: () => import('../../src/wiring/published-service.ts'),
};

/**
 * Returns a simulated user with an empty home directory: `open` opens a connection, and `lines` has the log lines of
 * all connections.
 */
function makeUser(baseUrl: string | null, extraEnv: Readonly<Record<string, string>> = {}) {
  const env = { HOME: makeTemporaryFolder('connection'), ...extraEnv };
  const loggedLines: string[] = [];
  const { signal } = new AbortController();
  const io = { env, signal, log: (line: string) => void loggedLines.push(line) };
  const open = async (options: Partial<ConnectionOptions> = {}) => {
    const target = findConnectionTarget({ baseUrl, profile: null, apiKeyFile: null }, io);
    const connection = await openConnection({
      ...{ target, globals: { ...CONNECTION_OPTIONS, ...options } },
      ...{ io, ports: SERVICE_LOADERS, onEvent: () => undefined },
    });
    registerCleanUp(() => connection.client.close());
    return connection;
  };
  return { env, lines: loggedLines, open };
}

const startReleaseService = () => serve((_request, response) => sendAnswer(response, makeEnvelope(RELEASE)));

test('without settings the sample answers in the process, with one notice a day unless quiet', async () => {
  const user = makeUser(null);
  expect((await user.open({ quiet: true })).isInProcess).toBe(true);
  expect(user.lines).toEqual([]);
  const { sample, latest } = await user.open();
  expect(sample?.companies).toBeGreaterThan(0);
  expect(user.lines).toEqual([expect.stringContaining('Using the built-in sample')]);
  const latestConnection = latest?.();
  expect(latestConnection?.latest?.()).toBe(latestConnection);
  await user.open();
  expect(user.lines).toHaveLength(1);
});

test('--verbose logs each question to local: with its status', async () => {
  const user = makeUser(null);
  const { client } = await user.open({ verbose: true, quiet: true });
  await client.askPath('/v1/release');
  await expect(client.askPath('/v1/securities/NOBODY/profile')).rejects.toThrow();
  expect(user.lines).toEqual([
    expect.stringMatching(/^GET \/v1\/release 200, answered by release \d{4}-\d\d-\d\d-\w+ in \d+ ms$/),
    expect.stringMatching(/^GET \/v1\/securities\/NOBODY\/profile 404, /),
  ]);
});

test('a service gets the key, and no request is sent before the first question', async () => {
  const { baseUrl, requests } = await startReleaseService();
  const user = makeUser(baseUrl, { FIN_API_KEY: KEY, FIN_BASE_URL: baseUrl });
  const { client, isInProcess: inProcess, sample } = await user.open({ cache: false });
  expect([inProcess, sample, requests.length]).toEqual([false, null, 0]);
  await client.askPath('/v1/release');
  expect(requests.map(({ url, headers }) => [url, headers.authorization])).toEqual([['/v1/release', `Bearer ${KEY}`]]);
  expect(user.lines.join('')).not.toContain(KEY);
});

test('a service on this machine without a key gets no request for a pointer', async () => {
  const { baseUrl, requests } = await startReleaseService();
  const { client, published } = await makeUser(baseUrl).open({ cache: false });
  await client.askPath('/v1/release');
  expect(published?.()).toBeNull();
  expect(requests.map(({ url }) => url)).toEqual(['/v1/release']);
});

test('if an address does not answer as a service, its pointer is requested once; without a pointer the original error stays', async () => {
  const root = makeTemporaryFolder('empty');
  const server = await startFileServer(root);
  const connection = await makeUser(server.url).open({ cache: false });
  for (let attempt = 0; attempt < 2; attempt += 1)
    await expect(connection.client.askPath('/v1/release')).rejects.toMatchObject({ kind: 'network' });
  expect(connection.isInProcess).toBe(false);
  expect(server.requests.filter(({ path }) => path.endsWith('latest.json'))).toHaveLength(1);
});

test('questions to an address with a pointer are answered in the process, including the first question', async () => {
  const root = makeTemporaryFolder('published');
  await publish(SAMPLE_RELEASE, root);
  const server = await startFileServer(root);
  const user = makeUser(server.url);
  const connection = await user.open();
  expect(connection.isInProcess).toBe(false);
  const { text } = await connection.client.askPath('/v1/release');
  expect(SAMPLE_RELEASE.endsWith(JSON.parse(text).data.stamp)).toBe(true);
  expect([connection.isInProcess, connection.published?.()?.baseUrl]).toEqual([true, server.url]);
  // The client has stored that the address is a static host with a pointer to a release, so it sends no further
  // requests to /v1/.
  const requestCount = server.requests.length;
  expect((await user.open()).isInProcess).toBe(true);
  expect(server.requests.slice(requestCount).filter(({ path }) => path.startsWith('/v1/'))).toEqual([]);
});

test('if the state directory cannot be written, the notice is repeated and questions succeed', async () => {
  const user = makeUser(null);
  mkdirSync(join(user.env.HOME, '.local'), { recursive: true });
  writeFileSync(join(user.env.HOME, '.local/state'), 'a file in place of the directory');
  for (const noticeCount of [1, 2]) {
    const { client } = await user.open();
    expect(JSON.parse((await client.askPath('/v1/release')).text).data.checks).toBe('passed');
    expect(user.lines).toHaveLength(noticeCount);
  }
});
