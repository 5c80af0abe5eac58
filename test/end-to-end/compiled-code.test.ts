import {
  chmodSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeTemporaryFolder } from '../clean-up.ts';
import { serve } from '../http-service.ts';
import { testNeeding } from '../needs.ts';
import { runFin, sendJson } from './run-fin.ts';

/** Runs a command once in a new home; returns the home, the directory of compiled code in its cache, and the output. */
async function runInNewHome() {
  const env = { HOME: makeTemporaryFolder('home') };
  const { out } = await runFin(['catalog', '--csv'], { env });
  const codeDirectory = join(env.HOME, '.cache/fin/code');
  const [buildName = ''] = readdirSync(codeDirectory);
  const directory = join(codeDirectory, buildName);
  const listFiles = () => readdirSync(directory).map((name) => join(directory, name));
  const runCatalog = async () => (await runFin(['catalog', '--csv'], { env })).out;
  return { env, code: codeDirectory, directory, listFiles, out, runCatalog };
}

test('compiled code is stored for the next run, readable by its owner only, and not written again', async () => {
  const { code, directory, listFiles, out, runCatalog } = await runInNewHome();
  expect(readdirSync(directory).sort()).toEqual([
    'cli.cjs',
    'commands-execute.cjs',
    'questions-catalog.cjs',
    'shared.cjs',
    'wiring-local-service.cjs',
  ]);
  for (const file of listFiles()) expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(statSync(code).mode & 0o777).toBe(0o700);
  const inodesBefore = listFiles().map((file) => statSync(file).ino);
  expect(await runCatalog()).toBe(out);
  expect(listFiles().map((file) => statSync(file).ino)).toEqual(inodesBefore);
});

test('the first run of a command adds its functions to the compiled code of shared bundles', async () => {
  const { env, directory, listFiles } = await runInNewHome();
  const readSize = (name: string) => statSync(join(directory, name)).size;
  const [cliSize, executeSize] = [readSize('cli.cjs'), readSize('commands-execute.cjs')];
  const searchArguments = ['search', 'apple', '--json'];
  await runFin(searchArguments, { env });
  expect(readSize('cli.cjs')).toBeGreaterThan(cliSize);
  expect(readSize('commands-execute.cjs')).toBeGreaterThan(executeSize);
  const inodesBefore = listFiles().map((file) => statSync(file).ino);
  await runFin(searchArguments, { env });
  expect(listFiles().map((file) => statSync(file).ino)).toEqual(inodesBefore);
});

test.each([
  [
    'a bit of each file is flipped',
    (bytes: Buffer) => bytes.map((byte, index) => (index === bytes.length >> 2 ? byte ^ 4 : byte)),
  ],
  ['its files are cut off', (bytes: Buffer) => bytes.subarray(0, 1000)],
  ['its files are empty', () => Buffer.alloc(0)],
  ['its files contain only zeros', (bytes: Buffer) => Buffer.alloc(bytes.length)],
])('all code is compiled again if %s', async (_, damage) => {
  const { listFiles, out, runCatalog } = await runInNewHome();
  const sizesBefore = listFiles().map((file) => {
    const bytes = readFileSync(file);
    writeFileSync(file, damage(bytes));
    return bytes.length;
  });
  expect(await runCatalog()).toBe(out);
  for (const [index, file] of listFiles().entries()) {
    const bytes = readFileSync(file);
    expect(bytes.length).toBeGreaterThan((sizesBefore[index] ?? 0) / 2);
    expect(bytes.subarray(0, bytes.length / 2).equals(bytes.subarray(bytes.length / 2))).toBe(true);
  }
});

test('compiled code that others may write, or that is a link, is not run', async () => {
  const { directory, listFiles, out, runCatalog } = await runInNewHome();
  const [exposedFile = '', linkedFile = ''] = listFiles();
  chmodSync(exposedFile, 0o666);
  const linkTarget = join(directory, '..', '..', 'elsewhere');
  writeFileSync(linkTarget, readFileSync(linkedFile));
  rmSync(linkedFile);
  symlinkSync(linkTarget, linkedFile);
  expect(await runCatalog()).toBe(out);
  expect(statSync(exposedFile).mode & 0o777).toBe(0o600);
  expect(readFileSync(linkTarget).length).toBeGreaterThan(0);
});

test('compiled code of the newest older builds is kept, and unrelated files are not removed', async () => {
  const env = { HOME: makeTemporaryFolder('home') };
  const compiledCodeDirectory = join(env.HOME, '.cache/fin/code');
  const olderBuildNames = [1, 2, 3, 4, 5].map((day) => `${String(day).repeat(16)}-v20.18.${day}-x64`);
  for (const [order, name] of olderBuildNames.entries()) {
    mkdirSync(join(compiledCodeDirectory, name), { recursive: true, mode: 0o700 });
    writeFileSync(join(compiledCodeDirectory, name, 'cli.cjs'), '');
    utimesSync(join(compiledCodeDirectory, name), order, order);
  }
  mkdirSync(join(compiledCodeDirectory, 'thesis'));
  await runFin(['catalog', '--csv'], { env });
  const remainingDirectories = readdirSync(compiledCodeDirectory);
  expect(remainingDirectories).toHaveLength(5);
  expect(remainingDirectories).toEqual(expect.arrayContaining([...olderBuildNames.slice(2), 'thesis']));
});

test('if compiled code cannot be stored, the answer is the same', async () => {
  const { out } = await runFin(['catalog', '--csv'], { env: { HOME: makeTemporaryFolder('home') } });
  const noHomeRun = await runFin(['catalog', '--csv'], { env: { HOME: '/dev/null' } });
  expect(noHomeRun).toMatchObject({ code: 0, out });
});

// Only root can create a file that belongs to another user.
testNeeding('to run as root', process.getuid?.() === 0)(
  'a link that another user created in place of the directory is not followed',
  async () => {
    const { env, code, out, runCatalog } = await runInNewHome();
    const directoryOfOtherUser = join(env.HOME, 'theirs');
    const [build = ''] = readdirSync(code);
    mkdirSync(join(directoryOfOtherUser, '0123456789abcdef-v20.0.0-x64'), { recursive: true });
    rmSync(code, { recursive: true });
    symlinkSync(directoryOfOtherUser, code);
    lchownSync(code, 65_534, 65_534);
    expect(await runCatalog()).toBe(out);
    expect(readdirSync(join(directoryOfOtherUser, build))).toEqual([]);
    expect(existsSync(join(directoryOfOtherUser, '0123456789abcdef-v20.0.0-x64'))).toBe(true);
  },
);

test("a request over the network does not rewrite compiled code, because V8's flags are the same", async () => {
  const meta = { schema: 'svc.data.v1', route: '/v1/metrics', request_id: 'r-1' };
  const { baseUrl, requests } = await serve((_, response) =>
    sendJson(response, 200, JSON.stringify({ data: [], meta }), { etag: 'W/"1"' }),
  );
  const env = { FIN_BASE_URL: baseUrl, FIN_API_KEY: `svc_${'k'.repeat(38)}`, HOME: makeTemporaryFolder('home') };
  const runAndListCompiledFiles = async () => {
    expect((await runFin(['catalog', '--json', '--no-cache'], { env })).code).toBe(0);
    const [directory = ''] = readdirSync(join(env.HOME, '.cache/fin/code'), { recursive: true, encoding: 'utf8' });
    const buildDirectory = join(env.HOME, '.cache/fin/code', directory);
    return readdirSync(buildDirectory).map((name) => [name, statSync(join(buildDirectory, name)).ino]);
  };
  const filesAfterFirstRun = await runAndListCompiledFiles();
  expect(filesAfterFirstRun.map(([name]) => name)).toContain('client-http-network.cjs');
  expect(await runAndListCompiledFiles()).toEqual(filesAfterFirstRun);
  expect(requests).toHaveLength(2);
});
