import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createKey,
  determineKeyState,
  getKeyPath,
  hashKey,
  isKey,
  listKeyRecords,
  makeKey,
  readKeyRecord,
  requireAccountName,
  revokeKey,
} from '../../../src/service/keys/key-store.ts';
import { makeDirectory } from '../http/running.ts';

const NOW = Date.UTC(2026, 10, 21);
const acmeRequest = { account: 'acme', expires: null };

test('a key is svc_, 32 random characters, and a CRC-32 checksum as 6 base-62 characters', () => {
  expect(makeKey()).toMatch(/^svc_[0-9A-Za-z]{38}$/);
  // The checksum is 3501547178, computed by another implementation of CRC-32, written in base 62.
  expect(isKey(`svc_${'0'.repeat(32)}3oy8NO`)).toBe(true);
  expect(new Set(Array.from({ length: 100 }, makeKey)).size).toBe(100);
});

test('a changed, missing or additional character of a key is detected', () => {
  fc.assert(
    fc.property(fc.nat(41), fc.constantFrom(...'0aZ9_ -é'), (position, character) => {
      const key = makeKey();
      const changedKey = key.slice(0, position) + character + key.slice(position + 1);
      return changedKey === key || !isKey(changedKey);
    }),
  );
  const key = makeKey();
  expect(isKey(key.slice(0, -1))).toBe(false);
  expect(isKey(`${key}\n`)).toBe(false);
  expect(isKey('')).toBe(false);
});

test('only the hash of a key is stored, readable by its owner only', () => {
  const directory = makeDirectory();
  const { key, record } = createKey(directory, acmeRequest, NOW);
  const [name = '', ...otherNames] = readdirSync(directory);
  expect(otherNames).toEqual([]);
  const text = readFileSync(join(directory, name), 'utf8');
  expect(name).toBe(`${hashKey(key)}.json`);
  expect(text + name).not.toContain(key.slice(4, 20));
  expect(statSync(join(directory, name)).mode & 0o777).toBe(0o600);
  expect(readKeyRecord(directory, hashKey(key))).toEqual(record);
});

test('an account has at most ten active keys, not counting revoked and expired ones', () => {
  const directory = makeDirectory();
  const soonExpiry = new Date(NOW + 1000).toISOString();
  createKey(directory, { account: 'acme', expires: soonExpiry }, NOW);
  for (let index = 1; index < 10; index += 1) createKey(directory, acmeRequest, NOW + index);
  expect(() => createKey(directory, acmeRequest, NOW + 20)).toThrow('10 active keys');
  expect(listKeyRecords(directory, 'acme')).toHaveLength(10);
  createKey(directory, { account: 'other', expires: null }, NOW);
  createKey(directory, acmeRequest, NOW + 2000);
  const [, secondRecord] = listKeyRecords(directory, 'acme');
  if (secondRecord === undefined) throw new Error('no second key');
  revokeKey(directory, secondRecord, NOW + 3000);
  createKey(directory, acmeRequest, NOW + 4000);
  expect(() => createKey(directory, acmeRequest, NOW + 5000)).toThrow('10 active keys');
});

test('a key is active, expired from its expiry on, or revoked for good', () => {
  const directory = makeDirectory();
  const { record } = createKey(directory, { account: 'acme', expires: new Date(NOW + 1000).toISOString() }, NOW);
  expect([determineKeyState(record, NOW + 999), determineKeyState(record, NOW + 1000)]).toEqual(['active', 'expired']);
  const revokedRecord = revokeKey(directory, record, NOW + 5);
  expect(determineKeyState(revokedRecord, NOW + 2000)).toBe('revoked');
  expect(revokeKey(directory, revokedRecord, NOW + 9)).toEqual(revokedRecord);
});

test('invalid names of accounts and invalid expiries are refused', () => {
  for (const name of ['', 'A', '../x', 'a/b', '.hidden', 'a b', 'x'.repeat(65)]) {
    expect(() => requireAccountName(name), name).toThrow('is not a valid account name');
  }
  requireAccountName('acme-corp_2.eu');
  expect(() => createKey(makeDirectory(), { account: 'acme', expires: '2020-01-01T00:00:00Z' }, NOW)).toThrow(
    'in the past',
  );
});

test('the error for a damaged key file names the file', () => {
  const directory = makeDirectory();
  const { record } = createKey(directory, acmeRequest, NOW);
  chmodSync(getKeyPath(directory, record.hash), 0o600);
  writeFileSync(getKeyPath(directory, record.hash), '{"hash":');
  expect(() => readKeyRecord(directory, record.hash)).toThrow(`${record.hash}.json is damaged`);
});
