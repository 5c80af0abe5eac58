/** No output and no file contains the key: every command, on success and on failure. */
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import type { OperationId } from '../../src/contract/operations.ts';
import { QUESTION_COMMANDS } from '../../src/questions/question-table.ts';
import { COMMAND_NAMES } from '../all-commands.ts';
import { registerCleanUp } from '../clean-up.ts';
import {
  CANARY_API_KEY,
  formatHttpResponse,
  formatProblemResponse,
  type Home,
  makeHome,
  startSocketServer,
} from './http-process.ts';
import { everyEighthAsProcess } from './run-here.ts';
import { startService } from './serve-process.ts';

const runFin = everyEighthAsProcess();
afterEach(() => void vi.unstubAllEnvs());

/** Arguments by command. A question without an entry runs its first example; every utility needs an entry. */
const ARGUMENTS_BY_COMMAND: Readonly<Record<string, readonly string[]>> = {
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
  'data publish': ['/dev/null/public'],
  'data pull': ['https://127.0.0.1:9/releases'],
  'data keygen': ['/dev/null/release.key'],
  'data diff': ['2020-01-01-000000000000'],
  'data use': ['2020-01-01-000000000000'],
  serve: ['--port', '70000'],
  mcp: [],
  'keys create': ['--account', 'a'],
  'keys list': [],
  'keys revoke': ['--account', 'a', '--all'],
};

/** Makes a home that contains every directory to which the program may write. */
function makeHomeWithAllDirectories(key: string): Home {
  const home = makeHome({}, runFin);
  // For commands that run in this process, too.
  vi.stubEnv('TMPDIR', home.path);
  const folderByVariable = {
    TMPDIR: '.',
    XDG_CONFIG_HOME: 'c',
    XDG_CACHE_HOME: 'h',
    XDG_STATE_HOME: 's',
    XDG_DATA_HOME: 'd',
  };
  const env = Object.fromEntries(
    Object.entries(folderByVariable).map(([name, folder]) => [name, join(home.path, folder)]),
  );
  const commandEnv = { ...env, FIN_API_KEY: key, FIN_DEBUG: '1', FIN_CONTACT: 'Ann ann@a.example' };
  const start: Home['start'] = (args, extraEnv) => home.start(args, { ...commandEnv, ...extraEnv });
  const run: Home['run'] = (args, extraEnv) =>
    (args[0] ?? '') in QUESTION_COMMANDS ? home.run(args, { ...commandEnv, ...extraEnv }) : start(args, extraEnv).done;
  return { ...home, start, run };
}

async function readFirstExample(command: string): Promise<readonly string[]> {
  const question = QUESTION_COMMANDS[command as OperationId];
  if (question === undefined) throw new Error(`add the arguments of ${command} to ARGUMENTS_BY_COMMAND`);
  const [example] = Object.keys((await question.load()).default.examples);
  if (example === undefined) throw new Error(`${command} has no example`);
  return example.split(' ').slice(1);
}

/** Runs every command, four in parallel; the commands use the settings in turn. Returns all output by command. */
async function runAllCommands(home: Home, settings: readonly RunSetting[]): Promise<Map<string, string>> {
  const remainingCommands = [...COMMAND_NAMES.entries()];
  const outputByCommand = new Map<string, string>();
  const runRemainingCommands = async () => {
    for (
      let indexedCommand = remainingCommands.shift();
      indexedCommand !== undefined;
      indexedCommand = remainingCommands.shift()
    ) {
      const [index, command] = indexedCommand;
      const { env, extraArgs = [] } = settings[index % settings.length] as RunSetting;
      const commandArguments = ARGUMENTS_BY_COMMAND[command] ?? (await readFirstExample(command));
      const { stdout, stderr } = await home.run(
        [...command.split(' '), ...commandArguments, ...COMMON_OPTIONS, ...extraArgs],
        env,
      );
      outputByCommand.set(command, stdout + stderr);
    }
  };
  await Promise.all([runRemainingCommands(), runRemainingCommands(), runRemainingCommands(), runRemainingCommands()]);
  return outputByCommand;
}

interface RunSetting {
  readonly env: Record<string, string>;
  readonly extraArgs?: readonly string[];
}

const COMMON_OPTIONS = ['--verbose', '--stats', '--retries', '0', '--max-wait', '0s'];

function expectNoSecret(secret: string, outputByCommand: Map<string, string>, ...homes: Home[]): void {
  for (const [name, text] of outputByCommand) expect(text.includes(secret), name).toBe(false);
  for (const home of homes) {
    for (const [file, text] of home.files()) expect(text.includes(secret), file).toBe(false);
  }
}

test('no command that gets an answer writes the key anywhere, nor does the service', async () => {
  const service = await startService({ default: { minute: 10_000, month: 100_000 } });
  registerCleanUp(service.stop);
  const key = service.keys[0] ?? '';
  const home = makeHomeWithAllDirectories(key);
  const edgarServer = await startSocketServer((socket) => socket.end(formatHttpResponse(404, '')));
  const env = { FIN_BASE_URL: service.baseUrl, FIN_EDGAR_URL: edgarServer.baseUrl };
  const outputByCommand = await runAllCommands(home, [
    { env },
    { env, extraArgs: ['--json'] },
    { env, extraArgs: ['--csv'] },
  ]);
  expectNoSecret(key.slice(4), outputByCommand, home, service.home);
  expect((await home.run(['metrics', 'AAPL', ...COMMON_OPTIONS], env)).stderr).toContain('left this month');
  expect(service.requests().length).toBeGreaterThan(20);
  expect([...home.files().keys()].some((file) => file.includes('/limits/'))).toBe(true);
  expect(service.stderrText()).not.toContain(key.slice(4));
  expect(edgarServer.requests.join('')).not.toContain(key.slice(4));
});

// Each command gets one of the three answers below. `http-faults.test.ts` covers more faults.
test("no command writes the key anywhere, whatever is wrong with the service's response", async () => {
  const home = makeHomeWithAllDirectories(CANARY_API_KEY);
  const responseByFault = {
    'a refused key': formatProblemResponse(401, 'revoked_key'),
    'a page that is not of the interface': formatHttpResponse(200, '<html>'),
    'a redirect to another address': formatHttpResponse(302, '', { location: 'http://127.0.0.1:9/v1/release' }),
  };
  const socketServers = await Promise.all(
    Object.values(responseByFault).map((text) => startSocketServer((socket) => socket.end(text))),
  );
  const settings = socketServers.map(({ baseUrl }) => ({ env: { FIN_BASE_URL: baseUrl, FIN_EDGAR_URL: baseUrl } }));
  expectNoSecret(CANARY_API_KEY.slice(4), await runAllCommands(home, settings), home);
  for (const socketServer of socketServers) expect(socketServer.requests.join('')).toContain(CANARY_API_KEY);
});
