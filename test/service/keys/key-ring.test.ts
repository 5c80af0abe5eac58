import { truncateSync } from 'node:fs';
import { expect, test } from 'vitest';
import { createKeyRing } from '../../../src/service/keys/key-ring.ts';
import { createKey, getKeyPath, revokeKey } from '../../../src/service/keys/key-store.ts';
import { makeDirectory } from '../http/running.ts';

const waitForNextTurn = () => new Promise((resolve) => setImmediate(resolve));

test('concurrent requests share one look-up of a key, and later requests look it up again', async () => {
  const directory = makeDirectory();
  const { key, record } = createKey(directory, { account: 'acme', expires: null }, Date.now());
  const ring = createKeyRing(directory, Date.now);
  expect(ring.authenticate(`Bearer ${key}`)).toEqual({ account: 'acme' });
  revokeKey(directory, record, Date.now());
  expect(ring.authenticate(`Bearer ${key}`)).toEqual({ account: 'acme' });
  await waitForNextTurn();
  expect(ring.authenticate(`Bearer ${key}`)).toMatchObject({ code: 'revoked_key' });
});

test('each Authorization header has its own result', () => {
  const directory = makeDirectory();
  const keys = ['acme', 'other'].map((account) => createKey(directory, { account, expires: null }, Date.now()).key);
  const ring = createKeyRing(directory, Date.now);
  const authorizationHeaders = [...keys.map((key) => `Bearer ${key}`), undefined, '', 'Bearer x', `bearer  ${keys[0]}`];
  const results = authorizationHeaders.map((header) => ring.authenticate(header));
  expect(results.map((result) => ('account' in result ? result.account : result.code))).toEqual([
    'acme',
    'other',
    'missing_key',
    'missing_key',
    'invalid_key',
    'acme',
  ]);
});

test('a key file of a gigabyte is refused without being read', () => {
  const directory = makeDirectory();
  const { key, record } = createKey(directory, { account: 'acme', expires: null }, Date.now());
  truncateSync(getKeyPath(directory, record.hash), 1_000_000_000);
  const ring = createKeyRing(directory, Date.now);
  expect(() => ring.authenticate(`Bearer ${key}`)).toThrow('it has 1000000000 bytes, more than the allowed 8192');
});
