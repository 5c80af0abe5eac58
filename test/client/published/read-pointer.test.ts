import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openFileRequester } from '../../../src/client/published/file-requests.ts';
import { readKnownPointer, storePointer } from '../../../src/client/published/known-pointer.ts';
import { readPointer } from '../../../src/client/published/read-pointer.ts';
import { type ClientOptions, DEFAULT_OPTIONS } from '../../../src/client/request/client-options.ts';
import { makeTemporaryFolder } from '../../clean-up.ts';
import { startFileServer } from '../../file-server.ts';

const servedFolder = makeTemporaryFolder('root');
const serverPromise = startFileServer(servedFolder);

async function requestPointer(
  file: string | null,
  changedOptions: Partial<ClientOptions> = {},
  check: (text: string) => void = () => {},
) {
  const { url: baseUrl } = await serverPromise;
  const options = { ...DEFAULT_OPTIONS, ...changedOptions };
  const report = () => undefined;
  const requester = openFileRequester({ baseUrl, options, env: {}, report });
  try {
    const isAccepted = (text: string) => text !== 'refused since';
    const setup = {
      baseUrl,
      name: 'latest.json',
      maxBytes: 1000,
      requests: requester,
      file,
      options,
      report,
      check,
      isAccepted,
    };
    return await readPointer(setup);
  } finally {
    await requester.close();
  }
}

const listStatusesSince = async (since: number) =>
  (await serverPromise).requests.slice(since).map(({ status }) => status);

test('the pointer is requested at most once a minute, and then conditionally', async () => {
  const file = join(makeTemporaryFolder('cache'), 'known.pointer');
  writeFileSync(join(servedFolder, 'latest.json'), 'one');
  const previousRequestCount = (await serverPromise).requests.length;
  expect(await requestPointer(file)).toBe('one');
  expect(await requestPointer(file)).toBe('one');
  expect(await listStatusesSince(previousRequestCount)).toEqual([200]);
  expect(await requestPointer(file, { fresh: true })).toBe('one');
  expect(await listStatusesSince(previousRequestCount)).toEqual([200, 304]);
  writeFileSync(join(servedFolder, 'latest.json'), 'another');
  expect(await requestPointer(file)).toBe('one');
  const cachedPointer = readKnownPointer(file);
  if (cachedPointer === null) throw new Error('no pointer is cached');
  storePointer(file, { ...cachedPointer, at: cachedPointer.at - 61_000 });
  expect(await requestPointer(file, { offline: true })).toBe('one');
  expect(await requestPointer(file, { maxAge: 3_600_000 })).toBe('one');
  expect(await requestPointer(file)).toBe('another');
  expect(await listStatusesSince(previousRequestCount)).toEqual([200, 304, 200]);
});

test('when several processes need the pointer, one of them requests it', async () => {
  const file = join(makeTemporaryFolder('cache'), 'known.pointer');
  writeFileSync(join(servedFolder, 'latest.json'), 'one');
  const previousRequestCount = (await serverPromise).requests.length;
  expect(new Set(await Promise.all(Array.from({ length: 20 }, () => requestPointer(file))))).toEqual(new Set(['one']));
  expect(await listStatusesSince(previousRequestCount)).toEqual([200]);
});

test('a cached pointer that is no longer accepted is requested again, unconditionally', async () => {
  const file = join(makeTemporaryFolder('cache'), 'known.pointer');
  writeFileSync(join(servedFolder, 'latest.json'), 'refused since');
  const previousRequestCount = (await serverPromise).requests.length;
  expect(await requestPointer(file)).toBe('refused since');
  expect(await requestPointer(file)).toBe('refused since');
  expect(await listStatusesSince(previousRequestCount)).toEqual([200, 200]);
});

test('an invalid pointer is not cached, and without a cached pointer --offline is an error', async () => {
  const file = join(makeTemporaryFolder('cache'), 'known.pointer');
  writeFileSync(join(servedFolder, 'latest.json'), '<html>');
  const rejectPointer = () => {
    throw new Error('a web page');
  };
  await expect(requestPointer(file, {}, rejectPointer)).rejects.toThrow('a web page');
  await expect(requestPointer(file, { offline: true })).rejects.toThrow(
    /is not cached, and --offline sends no request/,
  );
});
