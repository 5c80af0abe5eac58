/**
 * The system refuses operations for lack of file handles or permission: the error states the reason, and stored files
 * stay unchanged.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, chownSync, cpSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findSampleHome, readCurrentStamp } from '../../src/store/releases/home.ts';
import { FIN_PATH, startProcess } from '../fin-process.ts';
import { testNeeding } from '../needs.ts';
import { formatHttpResponse, makeHome, RELEASE_BODY, startSocketServer } from './http-process.ts';

const NOBODY_ID = 65_534;
const AS_NOBODY = ['setpriv', `--reuid=${NOBODY_ID}`, `--regid=${NOBODY_ID}`, '--clear-groups'];
const isRoot = process.getuid?.() === 0;
const canRunAsNobody = isRoot && spawnSync('env', [...AS_NOBODY, process.execPath, FIN_PATH, '--version']).status === 0;

testNeeding(
  'limits of file handles',
  process.platform === 'linux',
  test,
)('a release is not reported as damaged if there are too few file handles', async () => {
  const home = makeHome({ FIN_API_KEY: '' });
  const messages: string[] = [];
  for (let handleLimit = 18; handleLimit < 32; handleLimit++) {
    const script = `ulimit -n ${handleLimit}; exec "${process.execPath}" "${FIN_PATH}" profile AAPL --base-url local:`;
    const { code, out, err } = await startProcess('bash', ['-c', script], { env: home.env }).done;
    // With fewer file handles than node needs to start, node itself fails.
    if (code === 0 || !/^fin: /m.test(err)) continue;
    expect({ code, out }).toEqual({ code: 9, out: '' });
    expect(err).toMatch(/cannot be (read|opened): too many files are open \(EMFILE\)\.\n.*ulimit -n/);
    expect(err).not.toContain('uild it again');
    messages.push(err);
  }
  expect(messages.join('')).toContain('The release file');
});

/** Returns the hash of every file in a directory, except compiled code. */
function hashFiles(directory: string): Map<string, string> {
  const fileEntries = readdirSync(directory, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const paths = fileEntries
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => !path.includes('/code/'));
  return new Map(paths.sort().map((path) => [path, createHash('sha256').update(readFileSync(path)).digest('hex')]));
}

testNeeding(
  'root, to act as another user',
  canRunAsNobody,
  test,
)(
  'without permission to write, each command names the file that it cannot write, no file changes, and questions are answered',
  async () => {
    const home = makeHome({ FIN_API_KEY: '' });
    const storedFolder = join(home.path, 'stored');
    const directoryKinds = ['config', 'cache', 'state', 'data'] as const;
    const directoryEnv = Object.fromEntries(
      directoryKinds.map((kind) => [`FIN_${kind.toUpperCase()}_DIR`, join(storedFolder, kind)]),
    );
    const sampleHome = findSampleHome() ?? '';
    const stamp = readCurrentStamp(sampleHome) ?? '';
    mkdirSync(join(storedFolder, 'data/releases'), { recursive: true });
    cpSync(join(sampleHome, stamp), join(storedFolder, 'data/releases', stamp), { recursive: true });
    const ifChangedArgs = ['screen', '--limit', '2', '--if-changed', '--base-url', 'local:'];
    const createKeyRun = await home.run(['keys', 'create', '--account', 'one', '--json'], directoryEnv);
    const key = JSON.parse(createKeyRun.stdout).key;
    const socketServer = await startSocketServer((socket) =>
      socket.write(formatHttpResponse(200, RELEASE_BODY, { etag: 'W/"1"' })),
    );
    const releaseArgs = ['release', '--json', '--base-url', socketServer.baseUrl];
    expect((await home.run(ifChangedArgs, directoryEnv)).stdout).not.toBe('');
    expect((await home.run(['config', 'set', 'output', 'table'], directoryEnv)).code).toBe(0);
    expect((await home.run(releaseArgs, { ...directoryEnv, FIN_API_KEY: key })).code).toBe(0);
    for (const path of ['', ...readdirSync(storedFolder, { recursive: true, encoding: 'utf8' })].map((path) =>
      join(storedFolder, path),
    )) {
      const isDirectory = statSync(path).isDirectory();
      chownSync(path, NOBODY_ID, NOBODY_ID);
      chmodSync(path, isDirectory ? 0o555 : 0o444);
    }
    chmodSync(home.path, 0o755);
    const hashesBefore = hashFiles(storedFolder);
    const runAsNobody = (args: readonly string[], env: Record<string, string> = {}, input = '') => {
      const [program = '', ...programArgs] = [...AS_NOBODY, process.execPath, FIN_PATH, ...args];
      return startProcess(program, programArgs, { env: { ...home.env, ...directoryEnv, ...env }, input }).done;
    };
    const refusedCommands: [readonly string[], number, string, string?][] = [
      [['config', 'set', 'output', 'csv'], 2, 'config'],
      [['auth', 'login', '--base-url', socketServer.baseUrl], 2, 'config', key],
      [['cache', 'clear'], 2, 'cache'],
      [['keys', 'create', '--account', 'two'], 9, 'data/service/keys'],
      [['keys', 'revoke', '--account', 'one', '--all'], 9, 'data/service/keys'],
      [['data', 'use', stamp], 9, 'data/releases'],
      [['data', 'build', '--from', join(storedFolder, 'data')], 9, 'data'],
      [['serve', '--port', '0'], 9, 'state'],
      [['prices', 'AAPL', '--svg', join(storedFolder, 'a.svg'), '--base-url', 'local:'], 2, ''],
    ];
    const runs = await Promise.all(
      refusedCommands.map(async ([args, code, place, input]) => ({
        args,
        code,
        place,
        run: await runAsNobody(args, {}, input),
      })),
    );
    for (const { args, code, place, run } of runs) {
      expect({ args, code: run.code, out: run.out }).toEqual({ args, code, out: '' });
      expect(run.err, args.join(' ')).toContain(join(storedFolder, place));
      expect(run.err).not.toContain('defect');
    }
    const releaseRun = await runAsNobody(releaseArgs, { FIN_API_KEY: key });
    expect({ code: releaseRun.code, data: JSON.parse(releaseRun.out) }).toEqual({
      code: 0,
      data: JSON.parse(RELEASE_BODY),
    });
    expect(releaseRun.err).toMatch(/cannot be written: permission denied \(EACCES\)/);
    // The digest of an unchanged answer is not written again.
    expect(await runAsNobody(ifChangedArgs)).toEqual({ code: 0, out: '', err: '' });
    const csvRun = await runAsNobody([...ifChangedArgs, '--csv']);
    expect(csvRun.code).toBe(0);
    expect(csvRun.out).toContain('ticker');
    expect(csvRun.err).toMatch(
      /Warning: --if-changed cannot remember this answer for the next run\. .*permission denied \(EACCES\)\./,
    );
    expect(hashFiles(storedFolder)).toEqual(hashesBefore);
  },
);

testNeeding(
  'root, to act as another user',
  canRunAsNobody,
  test,
)('a HOME that the user cannot enter counts as missing, with and without directories of fin', async () => {
  const home = makeHome({ FIN_API_KEY: '' });
  chmodSync(home.path, 0o755);
  const HOME = join(home.path, 'private');
  mkdirSync(HOME, { mode: 0o700 });
  const ownDirectory = join(home.path, 'own');
  const args = [
    ...AS_NOBODY.slice(1),
    process.execPath,
    FIN_PATH,
    'profile',
    'AAPL',
    '--fields',
    'ticker,cik',
    '--csv',
  ];
  for (const env of [{}, { FIN_CONFIG_DIR: ownDirectory, FIN_CACHE_DIR: ownDirectory }]) {
    const run = await startProcess('setpriv', args, { env: { PATH: process.env.PATH ?? '', HOME, ...env } }).done;
    expect({ code: run.code, out: run.out }).toEqual({ code: 0, out: 'ticker,cik\r\nAAPL,320193\r\n' });
    expect(run.err).not.toContain(HOME);
  }
  const build = [...AS_NOBODY.slice(1), process.execPath, FIN_PATH, 'data', 'status'];
  const status = await startProcess('setpriv', build, { env: { PATH: process.env.PATH ?? '', HOME } }).done;
  expect(status).toMatchObject({
    code: 9,
    err: expect.stringContaining('HOME is not set to a directory that this user can enter'),
  });
});

testNeeding(
  'permissions of files',
  process.platform !== 'win32',
  test,
)('no file or directory is writable by everyone, even under a umask of 0', async () => {
  const home = makeHome({ FIN_API_KEY: '' });
  const script = `umask 0
    set -e
    fin() { "${process.execPath}" "${FIN_PATH}" "$@"; }
    fin config set output csv
    fin data keygen "$HOME/key" >/dev/null
    fin data publish "$HOME/published" > /dev/null
    fin prices AAPL --svg "$HOME/a.svg" --base-url local: > /dev/null
    fin screen --limit 1 --if-changed --base-url local: > /dev/null`;
  // A cache of its own: other test files write to the shared cache of compiled code, and remove files of it.
  const env = { ...home.env, FIN_CACHE_DIR: join(home.path, 'own-cache') };
  const { code, err } = await startProcess('bash', ['-c', script], { env }).done;
  expect([code, err]).toEqual([0, expect.any(String)]);
  // Entries with types, because a list of names follows the link to the shared cache.
  const paths = readdirSync(home.path, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isSymbolicLink())
    .map((entry) => join(entry.parentPath, entry.name));
  expect(paths.length).toBeGreaterThan(10);
  expect(paths.filter((path) => (statSync(path).mode & 0o002) !== 0)).toEqual([]);
});
