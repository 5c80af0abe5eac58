import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findCacheFile } from '../../../src/client/cache/file-cache.ts';
import { makeFullKey, openResponseCache } from '../../../src/client/cache/response-files.ts';
import { clearCache, readCacheTotals, sweepCache } from '../../../src/client/cache/sweep.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'fin-cache-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const scope = { account: 'one', baseUrl: 'https://a.example' };
const cachedResponse = {
  etag: 'W/"e"',
  stamp: 's',
  requestId: 'r',
  incomplete: false,
  text: '{"data":["ä\\n1.10"]}\n',
  confirmedMs: 1_780_000_000_000,
};
const openCache = (cacheScope = scope, onFailure: (error: unknown) => void = () => {}) =>
  openResponseCache(directory, cacheScope, onFailure);
const getCachePath = () => findCacheFile(directory, makeFullKey(scope, '/v1/x'));

test('a cached response is returned unchanged, only for the same account, address and question', () => {
  openCache().write('/v1/x', cachedResponse);
  expect(openCache().read('/v1/x')).toEqual(cachedResponse);
  expect(openCache().read('/v1/y')).toBeNull();
  expect(openCache({ ...scope, account: 'two' }).read('/v1/x')).toBeNull();
  expect(openCache({ ...scope, baseUrl: 'https://b.example' }).read('/v1/x')).toBeNull();
  expect(statSync(getCachePath()).mode & 0o777).toBe(0o600);
  expect(statSync(dirname(getCachePath())).mode & 0o777).toBe(0o700);
});

test('a cached response with a flipped bit, or truncated at any byte, is a miss', () => {
  openCache().write('/v1/x', cachedResponse);
  const storedBytes = readFileSync(getCachePath());
  for (let bitIndex = 0; bitIndex < storedBytes.length * 8; bitIndex++) {
    const damagedBytes = Buffer.from(storedBytes);
    damagedBytes[bitIndex >> 3] = (damagedBytes[bitIndex >> 3] ?? 0) ^ (1 << (bitIndex & 7));
    writeFileSync(getCachePath(), damagedBytes);
    const response = openCache().read('/v1/x');
    // The checksum is hexadecimal, so a changed case of one of its letters is not detected; the cached response is then
    // still intact.
    if (response !== null) expect(response).toMatchObject({ text: cachedResponse.text, etag: cachedResponse.etag });
  }
  for (let truncatedLength = 0; truncatedLength < storedBytes.length; truncatedLength++) {
    writeFileSync(getCachePath(), storedBytes);
    truncateSync(getCachePath(), truncatedLength);
    expect(openCache().read('/v1/x')).toBeNull();
  }
});

test('a cached response in another question’s file is a miss', () => {
  openCache().write('/v1/x', cachedResponse);
  const otherFile = findCacheFile(directory, makeFullKey(scope, '/v1/y'));
  mkdirSync(dirname(otherFile), { recursive: true });
  writeFileSync(otherFile, readFileSync(getCachePath()));
  expect(openCache().read('/v1/y')).toBeNull();
});

test('links and directories in place of cache files are misses, and a failed write is reported once', () => {
  mkdirSync(dirname(getCachePath()), { recursive: true });
  writeFileSync(join(directory, 'elsewhere'), 'x');
  symlinkSync(join(directory, 'elsewhere'), getCachePath());
  expect(openCache().read('/v1/x')).toBeNull();
  rmSync(getCachePath());
  mkdirSync(join(getCachePath(), 'full'), { recursive: true });
  const errors: unknown[] = [];
  const responseCache = openCache(scope, (error) => errors.push(error));
  responseCache.write('/v1/x', cachedResponse);
  responseCache.write('/v1/x', cachedResponse);
  expect(responseCache.read('/v1/x')).toBeNull();
  expect(errors).toHaveLength(1);
  expect(readdirSync(dirname(getCachePath())).filter((name) => name.endsWith('.tmp'))).toEqual([]);
});

test('the least recently used response is removed first', () => {
  const responseCache = openCache();
  for (const name of ['a', 'b', 'c', 'd'])
    responseCache.write(`/v1/${name}`, { ...cachedResponse, text: 'x'.repeat(1000) });
  const { entries, bytes } = readCacheTotals(directory);
  expect(entries).toBe(4);
  utimesSync(findCacheFile(directory, makeFullKey(scope, '/v1/b')), 1, 1);
  expect(sweepCache(directory, Math.ceil((bytes * 3) / 4))).toBe(1);
  expect(responseCache.read('/v1/b')).toBeNull();
  expect(responseCache.read('/v1/a')).not.toBeNull();
  expect(clearCache(directory)).toBe(3);
  expect(readCacheTotals(directory)).toEqual({ entries: 0, bytes: 0, oldest: null });
});
