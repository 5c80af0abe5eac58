/** The key is in no output and no file: every command, with success and with failure. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { QUESTIONS, UTILITIES } from '../../src/commands/command-table.ts';
import type { OperationId } from '../../src/contract/operations.ts';
import { cleanUp } from '../clean-up.ts';
import { type Home, http, KEY, makeHome, problem, startWire } from './http-process.ts';
import { startService } from './serve-process.ts';

/** What a command is given; a question that is not here runs its first example, a utility must be here. */
const GIVEN: Readonly<Record<string, readonly string[]>> = {
  profile: ['AAPL', 'NOSUCH'],
  metrics: ['AAPL', 'MSFT', '--all'],
  screen: ['--all', '--if-changed'],
  'auth login': [],
  'auth status': [],
  'auth logout': [],
  'config get': ['base_url'],
  'config set': ['output', 'csv'],
  'config list': [],
  'config path': [],
  'cache info': [],
  'cache clear': [],
  'cache path': [],
  quota: ['--refresh'],
  api: ['/v1/release'],
  open: ['AAPL', '--print'],
  compare: ['AAPL', 'MSFT'],
  completion: ['bash'],
  doctor: ['--network'],
  'data fetch': ['--deadline', '1s'],
  'data build': ['--from', '/nowhere'],
  'data status': [],
  'data analytics': ['2020-01-01-000000000000'],
  'data sql': [],
  'data tables': ['figures'],
  'data check': ['2020-01-01-000000000000'],
  'data use': ['2020-01-01-000000000000'],
  serve: ['--port', '70000'],
  mcp: [],
  'keys create': ['--account', 'a'],
  'keys list': [],
  'keys revoke': ['--account', 'a', '--all'],
};

/** A home in which every place that a program may write to lies below it. */
function makeWatched(key: string): Home {
  const home = makeHome();
  const places = { TMPDIR: '.', XDG_CONFIG_HOME: 'c', XDG_CACHE_HOME: 'h', XDG_STATE_HOME: 's', XDG_DATA_HOME: 'd' };
  const env = Object.fromEntries(Object.entries(places).map(([name, below]) => [name, join(home.path, below)]));
  const start: Home['start'] = (args, more) =>
    home.start(args, { ...env, FIN_API_KEY: key, FIN_DEBUG: '1', FIN_CONTACT: 'Ann ann@a.example', ...more });
  return { ...home, start, run: (args, more) => start(args, more).done };
}

async function firstExample(name: string): Promise<readonly string[]> {
  const question = QUESTIONS[name as OperationId];
  if (question === undefined) throw new Error(`add what ${name} is given to GIVEN`);
  const [example] = (await question()).default.examples;
  if (example === undefined) throw new Error(`${name} has no example`);
  return example.line.split(' ').slice(1);
}

/** Runs every command, four at a time, and gives back all they printed. */
async function runAll(home: Home, env: Record<string, string>, more: readonly string[]): Promise<Map<string, string>> {
  const names = [...Object.keys(QUESTIONS), ...Object.keys(UTILITIES)];
  const said = new Map<string, string>();
  const work = async () => {
    for (let name = names.shift(); name !== undefined; name = names.shift()) {
      const given = GIVEN[name] ?? (await firstExample(name));
      const { stdout, stderr } = await home.run([...name.split(' '), ...given, ...more], env);
      said.set(name, stdout + stderr);
    }
  };
  await Promise.all([work(), work(), work(), work()]);
  return said;
}

const OPTIONS = ['--verbose', '--stats', '--retries', '0', '--max-wait', '0s'];

function expectNowhere(secret: string, said: Map<string, string>, ...homes: Home[]): void {
  for (const [name, text] of said) expect(text.includes(secret), name).toBe(false);
  for (const home of homes) {
    for (const [file, text] of home.files()) expect(text.includes(secret), file).toBe(false);
  }
}

test('no command that a service answers writes the key anywhere, nor does the service', async () => {
  const service = await startService({ default: { minute: 10_000, month: 100_000 } });
  cleanUp(service.stop);
  const key = service.keys[0] ?? '';
  const home = makeWatched(key);
  const edgar = await startWire((socket) => socket.end(http(404, '')));
  const env = { FIN_BASE_URL: service.baseUrl, FIN_EDGAR_URL: edgar.baseUrl };
  for (const more of [[], ['--json'], ['--csv']]) {
    const said = await runAll(home, env, [...OPTIONS, ...more]);
    expect(said.get('metrics')).toContain('left this month');
    expectNowhere(key.slice(4), said, home, service.home);
  }
  expect(service.requests().length).toBeGreaterThan(20);
  expect([...home.files().keys()].some((file) => file.includes('/limits/'))).toBe(true);
  expect(service.said()).not.toContain(key.slice(4));
  expect(edgar.requests.join('')).not.toContain(key.slice(4));
}, 180_000);

test.each([
  ['a refused key', problem(401, 'revoked_key')],
  ['a page that is not of the interface', http(200, '<html>')],
  ['a redirect elsewhere', http(302, '', { location: 'http://127.0.0.1:9/v1/release' })],
])(
  'with %s no command writes the key anywhere',
  async (_, answer) => {
    const home = makeWatched(KEY);
    const wire = await startWire((socket) => socket.end(answer));
    const env = { FIN_BASE_URL: wire.baseUrl, FIN_EDGAR_URL: wire.baseUrl };
    expectNowhere(KEY.slice(4), await runAll(home, env, OPTIONS), home);
    expect(wire.requests.join('')).toContain(KEY);
  },
  120_000,
);
