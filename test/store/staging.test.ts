import { appendFileSync, chmodSync, cpSync, mkdirSync, readdirSync, statSync, utimesSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { identifyProcess } from '../../src/platform/processes/liveness.ts';
import { readCurrentStamp } from '../../src/store/releases/home.ts';
import { formatStamp, hashTables, type Manifest, readManifest } from '../../src/store/releases/manifest.ts';
import { keepTouching, makeStagingDirectory, publish, publishDirectory } from '../../src/store/releases/staging.ts';
import { verifyRelease } from '../../src/store/releases/verify.ts';
import { makeFolder } from './public-source.ts';

test('directories of dead builds are removed, and directories that may be in use are kept', async () => {
  const home = await makeFolder('home');
  const { host, pid, start } = identifyProcess();
  const directoryNames = {
    living: `.building-${host}.${pid}.${start}-a`,
    // In a container, the next build often has the same pid as the killed build.
    reused: `.building-${host}.${pid}.1-b`,
    elsewhere: `.building-00000000.${pid}.1-c`,
    elsewhereLongAgo: `.building-00000000.${pid}.1-d`,
    ofAnOlderVersion: '.building-5d1c9a00-17-e',
    release: '2026-01-01-000000000000',
  };
  for (const name of Object.values(directoryNames)) mkdirSync(join(home, name));
  const longAgoSeconds = Date.now() / 1000 - 20 * 60;
  for (const name of [directoryNames.elsewhereLongAgo, directoryNames.ofAnOlderVersion])
    utimesSync(join(home, name), longAgoSeconds, longAgoSeconds);
  const stagingDirectory = await makeStagingDirectory(home);
  const remainingPaths = readdirSync(home).map((name) => join(home, name));
  expect(remainingPaths.sort()).toEqual(
    [directoryNames.living, directoryNames.elsewhere, directoryNames.release]
      .map((name) => join(home, name))
      .concat(stagingDirectory)
      .sort(),
  );
});

test('a running build in another container, whose processes are not visible, is recognized', async () => {
  const home = await makeFolder('home');
  const runningStagingDirectory = join(home, '.building-00000000.1.1-a');
  mkdirSync(runningStagingDirectory);
  utimesSync(runningStagingDirectory, 0, 0);
  const stopTouching = keepTouching(runningStagingDirectory, 5);
  await expect.poll(() => statSync(runningStagingDirectory).mtimeMs).toBeGreaterThan(0);
  stopTouching();
  await makeStagingDirectory(home);
  expect(readdirSync(home)).toContain('.building-00000000.1.1-a');
});

test('publishing into a directory without write permission fails with the reason', async () => {
  const home = await makeFolder('home');
  const stagingDirectory = await makeStagingDirectory(home);
  chmodSync(home, 0o555);
  const isRoot = process.geteuid?.() === 0;
  // Permissions do not restrict root.
  if (isRoot) process.seteuid?.(65_534);
  try {
    await expect(publishDirectory(home, stagingDirectory, join(home, '2026-01-01-000000000000'))).rejects.toMatchObject(
      { code: 'EACCES', syscall: 'rename' },
    );
  } finally {
    if (isRoot) process.seteuid?.(0);
    chmodSync(home, 0o755);
  }
});

test('a release is published once: again only its description and passed checks are updated, unless it is damaged', async () => {
  const home = await makeFolder('home');
  const source = resolve(import.meta.dirname, 'layouts/newer-2.7');
  const { tables, layout, date, ...others } = readManifest(source);
  const contents = Object.entries(tables).map(([name, { content = '' }]) => [name, content] as const);
  const manifest = { ...others, tables, layout, date, stamp: formatStamp(date, hashTables(contents, layout)) };
  const directory = join(home, manifest.stamp);
  const publishCopy = async (changes: Partial<Manifest>) => {
    const staging = await makeStagingDirectory(home);
    for (const name of readdirSync(source)) cpSync(join(source, name), join(staging, name));
    return publish(home, staging, { ...manifest, ...changes });
  };
  expect(await publishCopy({ checks: 'failed', about: null })).toBe('published');
  expect(readManifest(directory)).toMatchObject({ checks: 'failed', about: null });
  expect(await publishCopy({ checks: 'passed', about: null, publishedAt: 'later' })).toBe('already_there');
  const { publishedAt } = manifest;
  expect(readManifest(directory)).toMatchObject({ checks: 'passed', about: null, publishedAt });
  // A check that passed once does not fail later, and a description is not removed.
  expect(await publishCopy({ checks: 'failed', about: 'ours' })).toBe('already_there');
  expect(await publishCopy({ checks: 'failed', about: null })).toBe('already_there');
  expect(readManifest(directory)).toMatchObject({ checks: 'passed', about: 'ours' });
  appendFileSync(join(directory, 'companies.parquet'), 'x');
  expect(await publishCopy({})).toBe('replaced_damaged');
  expect(verifyRelease(directory, readManifest(directory))).toEqual([]);
  expect(readCurrentStamp(home)).toBe(manifest.stamp);
  expect(readdirSync(home).sort()).toEqual([manifest.stamp, 'current']);
});
