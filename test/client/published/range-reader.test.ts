import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { mkdirSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { openFileRequester } from '../../../src/client/published/file-requests.ts';
import {
  isRangeGoneError,
  openRangeCache,
  openRangeReader,
  type RangeRequest,
} from '../../../src/client/published/range-reader.ts';
import { type ClientOptions, DEFAULT_OPTIONS } from '../../../src/client/request/client-options.ts';
import type { ClientEvent } from '../../../src/client/request/events.ts';
import { identifyProcess } from '../../../src/platform/processes/liveness.ts';
import { makeTemporaryFolder } from '../../clean-up.ts';
import { type Fault, type FileServer, startFileServer } from '../../file-server.ts';

const TABLE_CONTENT = Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * 7 + (index >> 8)) % 256));

const makeRange = (offset: number, length: number, change: Partial<RangeRequest> = {}): RangeRequest => ({
  path: 'stamp/table.bin',
  offset,
  length,
  hash: hash('sha256', TABLE_CONTENT.subarray(offset, offset + length)).slice(0, 32),
  ...change,
});

const WHOLE_FILE_RANGE = makeRange(0, TABLE_CONTENT.length, { isWholeFile: true });

async function startHost(fault: (count: number) => Fault | undefined = () => undefined): Promise<FileServer> {
  const root = makeTemporaryFolder('root');
  mkdirSync(join(root, 'stamp'));
  writeFileSync(join(root, 'stamp/table.bin'), TABLE_CONTENT);
  const server = await startFileServer(root);
  server.fault = () => fault(server.requests.length);
  return server;
}

function openReader(server: FileServer, directory: string | null, changedOptions: Partial<ClientOptions> = {}) {
  const events: ClientEvent[] = [];
  const report = (event: ClientEvent) => void events.push(event);
  const options = { ...DEFAULT_OPTIONS, retries: 1, ...changedOptions };
  const baseUrl = server.url;
  const requester = openFileRequester({ baseUrl, options, env: {}, report });
  const cache = directory === null ? null : openRangeCache(directory, () => undefined);
  const read = openRangeReader({ baseUrl, requests: requester, cache, options, report });
  return { read, events, close: () => requester.close() };
}

test('ranges are requested once, adjacent ranges together, and are then read from the shared cache', async () => {
  const server = await startHost();
  const directory = makeTemporaryFolder('cache');
  const wantedRanges = [makeRange(0, 100), makeRange(100, 50), makeRange(4000, 10)];
  const expectedBytes = wantedRanges.map(({ offset, length }) => TABLE_CONTENT.subarray(offset, offset + length));
  const firstReader = openReader(server, directory);
  // Three reads begin together, as if from one caller.
  const [one, two, three] = await Promise.all(wantedRanges.map((range) => firstReader.read([range])));
  expect([one, two, three].flat().map((bytes) => Buffer.from(bytes ?? []))).toEqual(expectedBytes);
  expect(server.requests.map(({ range }) => range)).toEqual(['bytes=0-149', 'bytes=4000-4009']);
  expect(server.requests.every(({ headers }) => headers['accept-encoding'] === 'identity')).toBe(true);
  await firstReader.close();
  const offlineReader = openReader(server, directory, { offline: true });
  expect((await offlineReader.read(wantedRanges)).map((bytes) => Buffer.from(bytes))).toEqual(expectedBytes);
  await expect(offlineReader.read([makeRange(1, 3)])).rejects.toThrow(/not cached, and --offline/);
  expect(server.requests).toHaveLength(2);
});

test('concurrent readers of the same range send one request', async () => {
  const server = await startHost(() => ({ delay: 50 }));
  const directory = makeTemporaryFolder('cache');
  const readers = Array.from({ length: 20 }, () => openReader(server, directory));
  const readResults = await Promise.all(readers.map(({ read }) => read([makeRange(10, 20), WHOLE_FILE_RANGE])));
  expect(new Set(readResults.map((bytes) => Buffer.concat(bytes).toString('hex')))).toHaveLength(1);
  expect(server.requests.map(({ range }) => range).sort()).toEqual(['bytes=10-29', null].sort());
  await Promise.all(readers.map(({ close }) => close()));
  const cacheEntries = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  expect(cacheEntries.map(({ parentPath, name }) => statSync(join(parentPath, name)).mode & 0o777)).toEqual([
    0o600, 0o600,
  ]);
});

test('a damaged cached range is requested again', async () => {
  const server = await startHost();
  const directory = makeTemporaryFolder('cache');
  const cache = openRangeCache(directory, () => undefined);
  const { read, close } = openReader(server, directory);
  await read([makeRange(0, 100)]);
  writeFileSync(cache.findFile(makeRange(0, 100).hash), 'damaged');
  expect(Buffer.from((await read([makeRange(0, 100)]))[0] ?? [])).toEqual(TABLE_CONTENT.subarray(0, 100));
  expect(server.requests).toHaveLength(2);
  await close();
});

test.each<[string, (count: number) => Fault | undefined]>([
  ['a body that ends early', (count) => (count === 1 ? { cutAfter: 30 } : undefined)],
  ['a 503', (count) => (count === 1 ? { answer: { status: 503 } } : undefined)],
  ['bytes that changed in transit', (count) => (count === 1 ? { corruptAt: 50 } : undefined)],
])('after %s the range is requested again', async (_, fault) => {
  const server = await startHost(fault);
  const { read, close } = openReader(server, null);
  expect(Buffer.from((await read([makeRange(0, 100)]))[0] ?? [])).toEqual(TABLE_CONTENT.subarray(0, 100));
  expect(server.requests).toHaveLength(2);
  await close();
});

test('a range that exceeds the memory limit is not requested', async () => {
  const server = await startHost();
  const { read, close } = openReader(server, null);
  await expect(read([makeRange(0, 2 ** 40)])).rejects.toThrow('too large to read');
  expect(server.requests).toEqual([]);
  await close();
});

const HTML_HEADERS = { 'content-type': 'text/html' };
test.each<[string, Fault, RegExp, boolean]>([
  ['ignores ranges', { ignoreRange: true }, /does not serve ranges/, false],
  [
    'answers with a web page',
    { answer: { status: 200, headers: HTML_HEADERS, body: '<h1>Sign in</h1>' } },
    /does not serve ranges/,
    false,
  ],
  ['no longer has the file', { answer: { status: 404 } }, /has no stamp\/table\.bin \(status 404\)/, true],
  ['has a shorter file', { answer: { status: 416 } }, /has a file stamp\/table\.bin that is shorter/, true],
  ['sends other bytes', { corruptAt: 50 }, /sent data of stamp\/table\.bin that differs from the published data/, true],
  [
    'sends another range',
    { answer: { status: 206, headers: { 'content-range': 'bytes 5-104/5000' }, body: 'x'.repeat(100) } },
    /not requested .*Content-Range: bytes 5-104\/5000/,
    false,
  ],
  [
    'compresses ranges',
    { answer: { status: 206, headers: { 'content-range': 'bytes 0-99/5000', 'content-encoding': 'gzip' }, body: 'x' } },
    /compresses ranges/,
    false,
  ],
  [
    'redirects to another host',
    { answer: { status: 302, headers: { location: 'https://other.example/moved/table.bin?signature=x' } } },
    /\/stamp\/table\.bin redirects to https:\/\/other\.example\/moved\/table\.bin\.$/,
    false,
  ],
  ['refuses the request', { answer: { status: 403 } }, /answered 403/, false],
])('the error for a host that %s names the host', async (_, fault, message, isGone) => {
  const server = await startHost(() => fault);
  const { read, close } = openReader(server, null);
  const error = await read([makeRange(0, 100)]).catch((failure: unknown) => failure);
  expect(error).toMatchObject({ message: expect.stringMatching(message), hint: expect.stringMatching(/./) });
  expect(isRangeGoneError(error)).toBe(isGone);
  await close();
});

test.each([
  ['not compressed', TABLE_CONTENT, /has the encoding gzip but cannot be decompressed/],
  ['too long after decompression', gzipSync(Buffer.alloc(50_000)), /sent more than the requested 5000 bytes/],
])('a whole file with the content coding gzip whose body is %s is refused', async (_, body, message) => {
  const server = await startHost(() => ({ answer: { status: 200, headers: { 'content-encoding': 'gzip' }, body } }));
  const { read, close } = openReader(server, null);
  await expect(read([WHOLE_FILE_RANGE])).rejects.toMatchObject({
    kind: 'network',
    message: expect.stringMatching(message),
  });
  await close();
});

test('redirects within the host are followed', async () => {
  const server = await startHost((count) =>
    count === 1 ? { answer: { status: 301, headers: { location: '/stamp/table.bin' } } } : undefined,
  );
  const { read, close } = openReader(server, null);
  const movedRange = makeRange(0, 100, { path: 'old/table.bin' });
  expect(Buffer.from((await read([movedRange]))[0] ?? [])).toEqual(TABLE_CONTENT.subarray(0, 100));
  await close();
});

test('a host that exceeds the timeout is an error', async () => {
  const server = await startHost(() => ({ delay: 2000 }));
  const { read, close } = openReader(server, null, { timeout: 50, retries: 0 });
  await expect(read([WHOLE_FILE_RANGE])).rejects.toThrow(/did not answer within 0\.05 s/);
  await close();
});

const { host: ownHost, start } = identifyProcess();
const endedPid = spawnSync(process.execPath, ['-e', '']).pid;

test.each([
  ['of a process that has ended', `${ownHost} ${endedPid} ${start}`, 0],
  // In containers a process has the same pid after each start; only its start time differs.
  ['of an ended process whose pid this process has', `${ownHost} ${process.pid} 1`, 0],
  ['of an ended process whose pid the parent of this process has', `${ownHost} ${process.ppid} 1`, 0],
  ['of another machine without a recent heartbeat', `0badcafe ${process.pid} ${start}`, 6],
])('the lock %s does not delay readers', async (_, lockText, ageSeconds) => {
  const server = await startHost();
  const directory = makeTemporaryFolder('cache');
  const { findFile } = openRangeCache(directory, () => undefined);
  const file = findFile(makeRange(0, 100).hash);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.lock.tmp`, lockText);
  utimesSync(`${file}.lock.tmp`, Date.now() / 1000 - ageSeconds, Date.now() / 1000 - ageSeconds);
  const { read, close } = openReader(server, directory);
  expect(Buffer.from((await read([makeRange(0, 100)]))[0] ?? [])).toEqual(TABLE_CONTENT.subarray(0, 100));
  expect(readdirSync(dirname(file))).toEqual([basename(file)]);
  await close();
});

test('readers wait for a lock of another machine with a recent heartbeat', async () => {
  const server = await startHost();
  const directory = makeTemporaryFolder('cache');
  const cache = openRangeCache(directory, () => undefined);
  const range = makeRange(0, 100);
  const lockFile = `${cache.findFile(range.hash)}.lock.tmp`;
  mkdirSync(dirname(lockFile), { recursive: true });
  writeFileSync(lockFile, `0badcafe 1 ${start}`);
  const { read, close } = openReader(server, directory);
  const pendingRead = read([range]);
  // A reader that did not wait for the lock would have sent its request before a later reader gets another range.
  const otherReader = openReader(server, directory);
  await otherReader.read([makeRange(200, 300)]);
  await otherReader.close();
  expect(server.requests).toHaveLength(1);
  // Caches the range, as the other machine would.
  cache.write(range.hash, TABLE_CONTENT.subarray(0, 100));
  expect(Buffer.from((await pendingRead)[0] ?? [])).toEqual(TABLE_CONTENT.subarray(0, 100));
  expect(server.requests).toHaveLength(1);
  await close();
});
