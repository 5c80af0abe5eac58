import { expect, test } from 'vitest';
import { isKey } from '../../../src/service/keys/key-text.ts';
import { failing, fin, freshHome, makeKey } from '../../conformance/fin-serve.ts';

test('a key is shown once, then only its id', async () => {
  const env = freshHome();
  const key = await makeKey(env, 'acme', '--expires', '2099-12-31');
  expect(isKey(key)).toBe(true);
  const text = await fin(env, 'keys', 'list', '--json');
  expect(text).not.toContain(key.slice(4, 20));
  expect(JSON.parse(text)).toMatchObject([{ account: 'acme', state: 'active', expires: '2100-01-01T00:00:00.000Z' }]);
  expect(await fin(env, 'keys', 'list')).not.toContain(key.slice(4, 20));
});

test('keys are revoked by id, or by account where it is clear which', async () => {
  const env = freshHome();
  await makeKey(env, 'acme');
  await makeKey(env, 'acme');
  const listed = async () => JSON.parse(await fin(env, 'keys', 'list', '--account', 'acme', '--json'));
  const ambiguous = await failing(env, 'keys', 'revoke', '--account', 'acme');
  expect([ambiguous.code, ambiguous.err]).toEqual([2, expect.stringContaining('has 2 active keys')]);
  const [first] = await listed();
  await fin(env, 'keys', 'revoke', first.id, '--account', 'acme');
  expect((await listed()).map((key: { state: string }) => key.state)).toEqual(['revoked', 'active']);
  await fin(env, 'keys', 'revoke', '--account', 'acme');
  expect((await listed()).map((key: { state: string }) => key.state)).toEqual(['revoked', 'revoked']);
  expect((await failing(env, 'keys', 'revoke', '--account', 'acme')).code).toBe(2);
});

test('eleven made at once leave at most ten', async () => {
  const env = freshHome();
  await Promise.allSettled(Array.from({ length: 12 }, () => makeKey(env, 'crowd')));
  const active = JSON.parse(await fin(env, 'keys', 'list', '--json'));
  expect(active.length).toBeLessThanOrEqual(10);
});

test.each([
  [['create'], 'Give --account'],
  [['create', '--account', 'A B'], 'is no account name'],
  [['create', '--account', 'a', '--expires', 'soon'], 'is neither a day nor a moment'],
  [['create', '--account', 'a', '--expires', '2020-01-01'], 'in the past'],
  [['revoke', 'abc', '--account', 'a'], 'has no key'],
])('keys %s is refused with what is wrong', async (args, message) => {
  const { code, err } = await failing(freshHome(), 'keys', ...args);
  expect([code, err]).toEqual([2, expect.stringContaining(message)]);
});
