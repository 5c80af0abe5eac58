/**
 * Commands must not block if one of fin's files is a named pipe. (Opening a pipe waits until another process opens its
 * other end.)
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { makeEnvelope, RELEASE, sendAnswer, serve } from '../http-service.ts';
import { testNeeding } from '../needs.ts';
import { makeHome } from './http-process.ts';

const isUnix = process.platform !== 'win32';

function replaceWithPipe(file: string): void {
  rmSync(file, { force: true });
  mkdirSync(dirname(file), { recursive: true });
  execFileSync('mkfifo', [file]);
}

testNeeding(
  'mkfifo',
  isUnix,
  test,
)('settings that are a pipe are an error that names them', async () => {
  const home = makeHome();
  const file = join(home.path, '.config/fin/config.json');
  replaceWithPipe(file);
  for (const args of [['release'], ['config', 'list'], ['config', 'set', 'output', 'json']]) {
    const { code, stdout, stderr } = await home.run(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`The settings in ${file} cannot be read: it is not a regular file (EFTYPE).`);
  }
});

testNeeding(
  'mkfifo',
  isUnix,
  test,
)('pipes in place of the files of cache and state do not change the answer', async () => {
  const { baseUrl } = await serve((_, response) =>
    sendAnswer(response, makeEnvelope(RELEASE), { 'ratelimit-policy': '"minute";q=60;w=60, "month";q=20000' }),
  );
  const home = makeHome({ FIN_BASE_URL: baseUrl });
  const ask = () => home.run(['release', '--json', '--if-changed']);
  expect(await ask()).toMatchObject({ code: 0 });
  const stateFiles = [...home.files().keys()].filter((file) => /\.local\/state|\.cache\/fin\/http/.test(file));
  expect(stateFiles.length).toBeGreaterThan(4);
  for (const file of stateFiles) replaceWithPipe(file);
  const { code, stdout } = await ask();
  expect({ code, data: JSON.parse(stdout).data }).toEqual({ code: 0, data: RELEASE });
});

testNeeding(
  'mkfifo',
  isUnix,
  test,
)('a release whose files are pipes is an error that names them', async () => {
  const home = makeHome({ FIN_BASE_URL: 'local:' });
  const releaseHome = join(home.path, '.local/share/fin/releases');
  const makeMessagePattern = (file: string) =>
    new RegExp(`${file.replaceAll('.', '\\.')}.*: it is not a regular file \\(EFTYPE\\)\\.`);
  const releaseDirectory = join(releaseHome, '2026-08-18-e82836dbe344');
  for (const file of [join(releaseHome, 'current'), join(releaseDirectory, 'manifest.json')]) {
    replaceWithPipe(file);
    expect(await home.run(['metrics', 'AAPL'])).toMatchObject({
      code: 9,
      stdout: '',
      stderr: expect.stringMatching(makeMessagePattern(file)),
    });
    rmSync(file);
  }
});
