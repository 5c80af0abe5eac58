import { cpSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { acquireLock } from '../../src/platform/processes/lock.ts';
import { listQueue } from '../../src/platform/processes/queue.ts';
import { openDiskFiles } from '../../src/platform/processes/shared-files.ts';
import { startFileServer } from '../file-server.ts';
import { startFin } from '../fin-process.ts';
import { makeDirectory, makeRelease, publish, readContents } from '../publish/releases.ts';
import { buildReleaseOfCompanies } from '../store/built-release.ts';
import { readSourceCompany } from '../store/public-source.ts';
import { makeHome } from './run-fin.ts';
import { everyEighthAsProcess } from './run-here.ts';

const runFin = everyEighthAsProcess();

const releaseDirectory = await makeRelease();
const stamp = basename(releaseDirectory);
const home = makeHome();
cpSync(dirname(releaseDirectory), join(home, '.local/share/fin/releases'), { recursive: true });
const publicRoot = join(makeDirectory(), 'public');
const keyFile = join(makeDirectory(), 'release.key');

const run = (args: readonly string[], HOME = home) => runFin(args, { env: { HOME } });
const getReleaseHome = (directory: string) => join(directory, '.local/share/fin/releases');

test('a release signed with a generated key is published and pulled, without output under --quiet', async () => {
  const keygenRun = await run(['data', 'keygen', keyFile]);
  expect(keygenRun).toMatchObject({ code: 0, err: '', out: expect.stringMatching(/^[A-Za-z0-9+/]{43}=\n$/) });
  expect(statSync(keyFile).mode & 0o777).toBe(0o600);
  expect(await run(['data', 'keygen', keyFile])).toMatchObject({ code: 2, err: expect.stringContaining('already') });
  const publicKey = keygenRun.out.trim();

  const publishRun = await run(['data', 'publish', publicRoot, '--sign-key', keyFile, '--json']);
  expect(JSON.parse(publishRun.out)).toMatchObject({ stamp, state: 'published', signedWith: expect.any(String) });
  expect(await run(['data', 'publish', publicRoot, '--quiet'])).toEqual({ code: 0, out: '', err: '' });

  const { url } = await startFileServer(publicRoot);
  const otherHome = makeHome();
  const pullRun = await run(['data', 'pull', url, '--public-key', publicKey], otherHome);
  expect(pullRun).toMatchObject({ code: 0, err: expect.stringContaining(`Pulled ${stamp} (`) });
  expect(pullRun.out).toContain('pulled; the release is now in use');
  expect(await run(['data', 'pull', url], otherHome)).toEqual({ code: 0, out: '', err: `Up to date: ${stamp}\n` });
  expect(await run(['data', 'pull', url, '--quiet'], otherHome)).toEqual({ code: 0, out: '', err: '' });
  expect(readContents(join(getReleaseHome(otherHome), stamp))).toEqual(readContents(releaseDirectory));
  const statusRun = await run(['data', 'status', '--json'], otherHome);
  expect(JSON.parse(statusRun.out).releases[0]).toMatchObject({ stamp, current: true, sample: false });

  await run(['config', 'set', 'public_key', `${'A'.repeat(43)}=`], otherHome);
  const otherKeyPull = await run(['data', 'pull', url, '--fresh'], otherHome);
  expect(otherKeyPull).toMatchObject({ code: 9, err: expect.stringContaining('it is signed with the key') });
});

test('a publication that waits for another one says so, but not with --quiet', async () => {
  const root = makeDirectory();
  const lockDirectory = join(root, '.publishing');
  const env = { PATH: process.env.PATH ?? '', HOME: home };
  const releaseLock = await acquireLock(lockDirectory, 'publish');
  const countQueue = () => listQueue(openDiskFiles(lockDirectory), 'publish', Date.now()).length;
  const quietProcess = startFin(['data', 'publish', root, '--quiet'], { env });
  await expect.poll(countQueue, { timeout: 60_000 }).toBe(2);
  // This process joins the queue later, and says that it waits.
  const loudProcess = startFin(['data', 'publish', root], { env });
  const message = 'Another fin process is publishing to';
  await expect.poll(loudProcess.stderrText, { timeout: 60_000 }).toContain(message);
  releaseLock();
  expect(await quietProcess.done).toMatchObject({ code: 0, err: '' });
  expect((await loudProcess.done).code).toBe(0);
});

test('a question about a family of tables that was not pulled fails, and the error says so', async () => {
  const { url } = await startFileServer(publicRoot);
  const otherHome = makeHome();
  expect(await run(['data', 'pull', url, '--families', 'none', '--quiet'], otherHome)).toEqual({
    code: 0,
    out: '',
    err: '',
  });
  const { code, err } = await run(['prices', 'AAPL'], otherHome);
  expect([code, err]).toEqual([3, expect.stringContaining('only a part of the release was pulled')]);
  expect((await run(['metrics', 'AAPL', '--keys', 'revenue'], otherHome)).code).toBe(0);
  const verifyRun = await run(['data', 'status', '--verify'], otherHome);
  expect([verifyRun.code, verifyRun.out]).toEqual([0, expect.stringMatching(/Not pulled .*prices/s)]);
});

test('screens of past days are available only if the family of their tables was pulled', async () => {
  const builtRelease = await buildReleaseOfCompanies([
    readSourceCompany('cop-2009'),
    readSourceCompany('pg-2007'),
    readSourceCompany('uaa-2012'),
  ]);
  const publishedRoot = makeDirectory();
  await publish(builtRelease.directory, publishedRoot);
  const { url } = await startFileServer(publishedRoot);
  const otherHome = makeHome();
  const runScreenAsOf = () => run(['screen', '--as-of', '2012-12-31', '--columns', 'revenue', '--json'], otherHome);

  expect((await run(['data', 'pull', url, '--families', 'filings'], otherHome)).code).toBe(0);
  const { code, err, out } = await runScreenAsOf();
  expect([code, out]).toEqual([3, '']);
  expect(err).toMatch(
    /Screener results for past days are not available in release .*, because only a part of the release was pulled/,
  );
  expect((await run(['screen', '--json'], otherHome)).code).toBe(0);
  const statusRunBeforePull = await run(['data', 'status'], otherHome);
  expect(statusRunBeforePull.out).toMatch(/Not pulled .*screen_history/s);

  expect((await run(['data', 'pull', url, '--families', 'history', '--quiet'], otherHome)).code).toBe(0);
  const afterPullRun = await runScreenAsOf();
  expect([afterPullRun.code, JSON.parse(afterPullRun.out).data]).toEqual([
    0,
    [expect.objectContaining({ ticker: 'PG' })],
  ]);
  for (const name of ['screen_history', 'screen_history_companies']) {
    const file = join(getReleaseHome(otherHome), builtRelease.stamp, `${name}.parquet`);
    expect(readFileSync(file)).toEqual(readFileSync(join(builtRelease.directory, `${name}.parquet`)));
  }
});

test.each([
  ['http://host.example/releases', [], 'is not an address that fin can fetch from'],
  ['https://host.example/releases', ['--offline'], '--offline forbids network access'],
  ['https://host.example/releases', ['--families', 'holder'], 'Did you mean holders?'],
  ['https://host.example/releases', ['--public-key', 'short'], 'is not a public key'],
])('data pull %s %j is a usage error', async (url, options, reason) => {
  expect(await run(['data', 'pull', url, ...options])).toMatchObject({ code: 2, err: expect.stringContaining(reason) });
});

test('wrong arguments of data publish are usage errors', async () => {
  const readableKeyFile = join(makeDirectory(), 'key');
  writeFileSync(readableKeyFile, 'of no use', { mode: 0o644 });
  const invalidKeyFile = join(makeDirectory(), 'garbage');
  writeFileSync(invalidKeyFile, 'no key', { mode: 0o600 });
  const usageErrorCases: [string[], string][] = [
    [[publicRoot, '--sign-key', readableKeyFile], 'Other users can read the private key'],
    [[publicRoot, '--sign-key', invalidKeyFile], 'is not an Ed25519 private key in PEM format'],
    [[publicRoot, '--prune', '0'], 'is not a whole number'],
    [[getReleaseHome(home)], "is used for fin's own releases"],
  ];
  for (const [args, reason] of usageErrorCases) {
    expect(await run(['data', 'publish', ...args])).toMatchObject({ code: 2, err: expect.stringContaining(reason) });
  }
});

test('a pull that is killed five times ends with the same release', async () => {
  const publishedRoot = makeDirectory();
  await publish(releaseDirectory, publishedRoot);
  const server = await startFileServer(publishedRoot);
  // The responses are slow enough that every pull is killed before it ends.
  server.fault = () => ({ delay: 25 });
  const otherHome = makeHome();
  const env = { PATH: process.env.PATH ?? '', HOME: otherHome };
  for (let killCount = 0; killCount < 5; killCount += 1) {
    const requestCountBefore = server.requests.length;
    const { child, done } = startFin(['data', 'pull', server.url, '--quiet'], { env });
    await vi.waitUntil(() => server.requests.length >= requestCountBefore + 6 || child.exitCode !== null, {
      timeout: 60_000,
      interval: 5,
    });
    child.kill(killCount % 2 === 0 ? 'SIGKILL' : 'SIGINT');
    const { code, err } = await done;
    expect([code, err]).toEqual([killCount % 2 === 0 ? null : 130, '']);
    expect(readdirSync(getReleaseHome(otherHome)).filter((name) => !name.startsWith('.'))).toEqual([]);
  }
  expect(await run(['data', 'pull', server.url, '--quiet'], otherHome)).toEqual({ code: 0, out: '', err: '' });
  expect(readContents(join(getReleaseHome(otherHome), stamp))).toEqual(readContents(releaseDirectory));
});
