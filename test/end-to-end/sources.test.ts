import { chmodSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  CANARY_API_KEY,
  formatHttpResponse,
  formatProblemResponse,
  type Home,
  type SocketServer,
  startSocketServer,
} from './http-process.ts';
import { homesWithEveryEighthAsProcess } from './run-here.ts';

const makeHome = homesWithEveryEighthAsProcess();

let home: Home;
let socketServer: SocketServer | undefined;
beforeEach(() => {
  home = makeHome({ FIN_API_KEY: '' });
});
afterEach(async () => {
  socketServer = undefined;
});

interface SourceSetup {
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
  readonly profiles?: Record<string, Record<string, string>>;
}

async function runRelease({ args = [], env = {}, profiles }: SourceSetup, ...extraArgs: string[]) {
  if (profiles !== undefined) {
    mkdirSync(join(home.path, 'config'), { recursive: true, mode: 0o700 });
    writeFileSync(join(home.path, 'config/config.json'), JSON.stringify({ profiles }), { mode: 0o600 });
  }
  return home.run(['release', ...args, ...extraArgs], { FIN_CONFIG_DIR: join(home.path, 'config'), ...env });
}

/** Setups with an address, by the name that messages give to the source of the address. */
const SETUP_MAKER_BY_ADDRESS_SOURCE: Readonly<Record<string, (address: string) => SourceSetup>> = {
  '--base-url': (address) => ({ args: ['--base-url', address], env: { FIN_API_KEY: CANARY_API_KEY } }),
  FIN_BASE_URL: (address) => ({ env: { FIN_BASE_URL: address, FIN_API_KEY: CANARY_API_KEY } }),
  'the profile default': (address) => ({ profiles: { default: { base_url: address, api_key: CANARY_API_KEY } } }),
  'the profile work': (address) => ({
    args: ['--profile', 'work'],
    profiles: { work: { base_url: address, api_key: CANARY_API_KEY } },
  }),
};

/** Addresses without a working service, and the expected message. */
const CONNECTION_FAILURES: Readonly<Record<string, readonly [start: () => Promise<string>, message: RegExp]>> = {
  'an unknown host name': [async () => 'https://nowhere.invalid', /is not known|could not be resolved/],
  'a port where nothing listens': [
    async () => {
      const { baseUrl, close } = await startSocketServer(() => {});
      await close();
      return baseUrl;
    },
    /no program listens there[\s\S]*fin serve --port \d+/,
  ],
  'a port without TLS': [
    async () => {
      socketServer = await startSocketServer(() => {});
      return socketServer.baseUrl.replace('http:', 'https:').replace('127.0.0.1', 'localhost');
    },
    /TLS|closed the connection|The request to .* failed|did not answer/,
  ],
  'a service that does not answer': [
    async () => {
      socketServer = await startSocketServer(() => {});
      return socketServer.baseUrl;
    },
    /did not answer within 0\.5 s/,
  ],
  'a sign-in page': [
    async () => {
      socketServer = await startSocketServer((socket) =>
        socket.write(formatHttpResponse(200, '<html>', { 'content-type': 'text/html' })),
      );
      return socketServer.baseUrl;
    },
    /text\/html/,
  ],
};

test.each(
  Object.entries(CONNECTION_FAILURES).flatMap(([failure, [start, message]]) =>
    Object.entries(SETUP_MAKER_BY_ADDRESS_SOURCE).map(([source, setup]) => ({
      failure,
      source,
      start,
      message,
      setup,
    })),
  ),
)('the error for $failure names $source', async ({ failure, start, message, source, setup }) => {
  // Name resolution may take long on a busy machine.
  const timeout = failure === 'an unknown host name' ? '10s' : '500ms';
  const run = await runRelease(setup(await start()), '--retries', '0', '--timeout', timeout);
  expect(run.stderr).toMatch(message);
  expect(run.stderr).toContain(`The address was read from ${source}.`);
  expect(run).toMatchObject({ code: 7, stdout: '' });
});

test('the error for a refused key names where the key was set, and never shows the key', async () => {
  socketServer = await startSocketServer((socket) => socket.write(formatProblemResponse(401, 'invalid_key')));
  const { baseUrl } = socketServer;
  const file = join(home.path, 'key');
  writeFileSync(file, CANARY_API_KEY);
  const setupBySource: Readonly<Record<string, SourceSetup>> = {
    FIN_API_KEY: { env: { FIN_BASE_URL: baseUrl, FIN_API_KEY: CANARY_API_KEY } },
    FIN_API_KEY_COMMAND: { env: { FIN_BASE_URL: baseUrl, FIN_API_KEY_COMMAND: `cat ${file}` } },
    [`the file ${file}`]: { args: ['--api-key-file', file], env: { FIN_BASE_URL: baseUrl } },
    'the profile default': { profiles: { default: { base_url: baseUrl, api_key: CANARY_API_KEY } } },
  };
  for (const [source, setup] of Object.entries(setupBySource)) {
    for (const format of ['table', 'json']) {
      const run = await runRelease(setup, '--output', format);
      expect(run.stderr).toContain(`The key was read from ${source}.`);
      expect(run.stderr).not.toContain('The address');
      expect(run.stderr).not.toContain(CANARY_API_KEY.slice(4));
      expect(run).toMatchObject({ code: 4, stdout: '' });
    }
  }
});

test('a key file that other users can read is used, with a warning', async () => {
  socketServer = await startSocketServer((socket) => socket.write(formatProblemResponse(401, 'invalid_key')));
  const file = join(home.path, "another's key");
  writeFileSync(file, CANARY_API_KEY);
  const setup: SourceSetup = { args: ['--api-key-file', file], env: { FIN_BASE_URL: socketServer.baseUrl } };
  chmodSync(file, 0o640);
  const readableFileRun = await runRelease(setup, '--quiet');
  expect(readableFileRun.stderr).toContain(
    `Warning: Other users can read the key file ${file} (mode 640). To prevent that: chmod 600 '`,
  );
  expect(readableFileRun.stderr).not.toContain(CANARY_API_KEY.slice(4));
  chmodSync(file, 0o600);
  expect((await runRelease(setup)).stderr).not.toContain('Warning');
});

test('a file far longer than a key is not read to its end', async () => {
  const file = join(home.path, 'long file');
  writeFileSync(file, '');
  truncateSync(file, 3 * 1024 ** 3);
  const run = await runRelease({ args: ['--api-key-file', file], env: { FIN_BASE_URL: 'https://nowhere.invalid' } });
  expect(run).toMatchObject({
    code: 4,
    stderr: expect.stringContaining(`The file ${file} does not contain an API key.`),
  });
});

test('a key is read once per command, because a command may ask for a password and a pipe can be read only once', async () => {
  socketServer = await startSocketServer((socket) => socket.write(formatProblemResponse(401, 'invalid_key')));
  const file = join(home.path, 'runs');
  const keyCommand = `printf x >> ${file}; printf ${CANARY_API_KEY}`;
  await runRelease({ env: { FIN_BASE_URL: socketServer.baseUrl, FIN_API_KEY_COMMAND: keyCommand } }, '--stats');
  expect(readFileSync(file, 'utf8')).toBe('x');
});

test('with --offline, the error for a response that is not cached names no address', async () => {
  const run = await runRelease(
    { env: { FIN_BASE_URL: 'https://nowhere.invalid', FIN_API_KEY: CANARY_API_KEY } },
    '--offline',
  );
  expect(run).toMatchObject({ code: 7, stdout: '' });
  expect(run.stderr).not.toContain('The address');
});
