/**
 * Runs the commands that fin prints: after login, to switch back to local:; after logout, to switch back to the sample.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serve } from '../http-service.ts';
import { makeHome, runFin as runProcess, sendJson } from './run-fin.ts';
import { everyEighthAsProcess } from './run-here.ts';

const runFin = everyEighthAsProcess();

const KEY = `ffds_${'a1'.repeat(19)}`;

async function startService() {
  const release = { date: '2026-08-18', checks: 'passed', published_at: '2026-08-19T04:00:00Z', stamp: 'theirs' };
  const meta = { schema: 'svc.data.v1', route: '/v1/release', request_id: 'r-1', release };
  return serve((_, response) => sendJson(response, 200, JSON.stringify({ data: release, meta })));
}

/** Returns the arguments of each `fin config set` command in a text. */
const findCommands = (text: string) =>
  [...text.matchAll(/fin (config set [a-z_]+(?: local:)?(?: --profile \S+\b)?)/g)].map(([, words = '']) =>
    words.split(' '),
  );

test.each([
  [[], []],
  [['--account', 'acme'], []],
  [[], ['--profile', 'work']],
])(
  'after a login with %j %j, the printed commands switch back to local: and to the sample',
  async (loginOptions, profileOptions) => {
    const { baseUrl } = await startService();
    const env = { HOME: makeHome() };
    const runWithProfile = async (...args: string[]) => runFin([...args, ...profileOptions], { env });
    const loginRun = await runProcess(['auth', 'login', '--base-url', baseUrl, ...loginOptions, ...profileOptions], {
      env,
      input: `${KEY}\n`,
    });
    expect(loginRun).toMatchObject({ code: 0, err: '' });
    expect((await runWithProfile('release')).out).toContain('theirs');
    // Because a key is stored, the sample is not used. No release exists, so the error names the local data directory.
    const localFailure = { code: 9, err: expect.stringContaining(env.HOME) };
    expect(await runWithProfile('release', '--base-url', 'local:')).toMatchObject(localFailure);
    const [localCommand = []] = findCommands(loginRun.out);
    expect(localCommand.slice(0, 4)).toEqual(['config', 'set', 'base_url', 'local:']);
    expect((await runFin(localCommand, { env })).code).toBe(0);
    expect(await runWithProfile('release')).toMatchObject(localFailure);

    const logoutRun = await runWithProfile('auth', 'logout');
    expect(logoutRun.out).toContain('fin config set base_url');
    for (const command of findCommands(logoutRun.out)) expect((await runFin(command, { env })).code).toBe(0);
    expect(await runFin(['release'], { env })).toMatchObject({
      code: 0,
      err: expect.stringContaining('Using the built-in sample'),
    });
    expect((await runFin(['auth', 'status'], { env })).out).toContain('or the built-in sample');
  },
);

test('a question with a key but no address fails, and the error names the option for the data on this machine', async () => {
  const { code, err } = await runFin(['release'], { env: { FIN_API_KEY: KEY } });
  expect([code, err]).toEqual([2, expect.stringContaining('To use the data on this machine: --base-url local:')]);
});

test('auth logout warns of a key in the environment only if commands use a service', async () => {
  const readWarnings = async (address: string) =>
    (await runFin(['auth', 'logout'], { env: { FIN_API_KEY: KEY, FIN_BASE_URL: address } })).err;
  expect(await readWarnings('https://a.example')).toContain('FIN_API_KEY is still set');
  expect(await readWarnings('local:')).toBe('');
});

test.each(['', '\n', '  \n'])(
  'auth login with the input %j reports a missing key, not an invalid one',
  async (input) => {
    const env = { HOME: makeHome(), FIN_BASE_URL: 'http://127.0.0.1:9' };
    const { code, out, err } = await runProcess(['auth', 'login'], { env, input });
    expect([code, out]).toEqual([2, '']);
    expect(err).toMatch(/No API key was given.*\n.*fin auth login < key\.txt/);
    expect(() => readFileSync(join(env.HOME, '.config/fin/config.json'))).toThrow();
  },
);
