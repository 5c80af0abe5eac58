import { expect, test } from 'vitest';
import { isKey } from '../../../src/service/keys/key-store.ts';
import { makeHomeEnv, makeKey, runFin, runFinAllowingFailure } from '../../conformance/fin-serve.ts';

test('a key is printed when it is created, and never by the list of keys', async () => {
  const env = makeHomeEnv();
  const key = await makeKey(env, 'acme', '--expires', '2099-12-31');
  expect(isKey(key)).toBe(true);
  const text = await runFin(env, 'keys', 'list', '--json');
  expect(text).not.toContain(key.slice(4, 20));
  expect(JSON.parse(text)).toMatchObject([{ account: 'acme', state: 'active', expires: '2100-01-01T00:00:00.000Z' }]);
  expect(await runFin(env, 'keys', 'list')).not.toContain(key.slice(4, 20));
});

test('keys are revoked by id, or all keys of an account with --all', async () => {
  const env = makeHomeEnv();
  await makeKey(env, 'acme');
  const listKeys = async () => JSON.parse(await runFin(env, 'keys', 'list', '--account', 'acme', '--json'));
  const listStates = async () => (await listKeys()).map((key: { state: string }) => key.state);
  // Without --all, a key is not revoked even if it is the account's only key.
  const failureWithoutAll = await runFinAllowingFailure(env, 'keys', 'revoke', '--account', 'acme');
  expect([failureWithoutAll.code, failureWithoutAll.err]).toEqual([
    2,
    expect.stringMatching(/--all.*\n.*fin keys list --account acme/),
  ]);
  await makeKey(env, 'acme');
  const [firstKey, secondKey] = await listKeys();
  for (const args of [
    ['--all'],
    [],
    [firstKey.id, '--all', '--account', 'acme'],
    [secondKey.id, '--account', 'other'],
  ]) {
    expect((await runFinAllowingFailure(env, 'keys', 'revoke', ...args)).code).toBe(2);
  }
  expect(await listStates()).toEqual(['active', 'active']);
  await runFin(env, 'keys', 'revoke', firstKey.id);
  expect(await listStates()).toEqual(['revoked', 'active']);
  await makeKey(env, 'acme');
  await runFin(env, 'keys', 'revoke', '--account', 'acme', '--all');
  expect(await listStates()).toEqual(['revoked', 'revoked', 'revoked']);
  expect((await runFinAllowingFailure(env, 'keys', 'revoke', '--account', 'acme', '--all')).code).toBe(2);
});

test('of twelve keys created concurrently, at most ten are stored', async () => {
  const env = makeHomeEnv();
  await Promise.allSettled(Array.from({ length: 12 }, () => makeKey(env, 'crowd')));
  const storedKeys = JSON.parse(await runFin(env, 'keys', 'list', '--json'));
  expect(storedKeys.length).toBeLessThanOrEqual(10);
});

test.each([
  [['create'], 'Give --account'],
  [['create', '--account', 'A B'], 'is not a valid account name'],
  [['create', '--account', 'a', '--expires', 'soon'], 'is neither a date nor a date with a time'],
  [['create', '--account', 'a', '--expires', '2020-01-01'], 'in the past'],
  [['revoke', 'abc', '--account', 'a'], 'The account a has no key with the id "abc"'],
  [['revoke', 'nope'], 'The service on this machine has no key with the id "nope"'],
])('fin keys %s is refused with the reason', async (args, message) => {
  const { code, err } = await runFinAllowingFailure(makeHomeEnv(), 'keys', ...args);
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});
