import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { publish } from '../../src/operate/data-publish.ts';
import { identifyProcess } from '../../src/platform/processes/liveness.ts';
import { registerCleanUp } from '../clean-up.ts';
import { makeNextRelease, makeRelease } from '../publish/releases.ts';

const STAMP = '2026-01-02-0123456789ab';

const directory = mkdtempSync(join(tmpdir(), 'fin-publishing-'));
registerCleanUp(() => rmSync(directory, { recursive: true, force: true }));
const [ownData, otherData, releasesLink] = ['own', 'other', 'link'].map((name) => join(directory, name)) as [
  string,
  string,
  string,
];
for (const dataPath of [ownData, otherData]) {
  mkdirSync(join(dataPath, 'releases', STAMP), { recursive: true });
  writeFileSync(join(dataPath, 'releases', 'current'), `${STAMP}\n`);
}
symlinkSync(join(ownData, 'releases'), releasesLink);

const PUBLISH_OPTIONS = {
  ...{ stamp: null, signKey: null, keep: null, publishFailed: false },
  signal: new AbortController().signal,
  onProgress: () => undefined,
  onWait: () => undefined,
};

/**
 * Directories to which publishing is refused. In some of them, `keep` would delete local releases; in the others, the
 * published copy would be inside a release.
 */
test.each([
  ['the directory of the releases', join(ownData, 'releases')],
  ['a link to the directory of the releases', releasesLink],
  ['a directory in the release', join(releasesLink, STAMP, 'public')],
  ['a directory in another release', join(ownData, 'releases', '2026-01-01-0123456789ab', 'public')],
  ['the releases of another data directory', join(otherData, 'releases')],
])('publishing to %s is refused', async (_, root) => {
  await expect(publish({ ...PUBLISH_OPTIONS, dataDirectory: ownData, keep: 1, root })).rejects.toThrow(
    "is used for fin's own releases",
  );
});

test('of two concurrent publications to one directory, the second waits and writes nothing', async () => {
  const dataFolder = join(directory, 'data');
  const release = await makeRelease();
  cpSync(release, join(dataFolder, 'releases', basename(release)), { recursive: true });
  const root = join(directory, 'public');
  let waitCount = 0;
  const options = { ...PUBLISH_OPTIONS, dataDirectory: dataFolder, onWait: () => (waitCount += 1) };
  // Publishes twice to one directory, spelled in two ways.
  const publishPromises = [publish({ ...options, root }), publish({ ...options, root: `${directory}/./public/` })];
  expect((await Promise.all(publishPromises)).map(({ state }) => state)).toEqual(['published', 'unchanged']);
  expect(waitCount).toBe(1);
  expect(readdirSync(root).sort()).toEqual([basename(release), 'latest.json', 'releases.json']);
  await publish({ ...options, root: join(directory, 'elsewhere') });
  expect(waitCount).toBe(1);
});

test('the lock is removed even if a process was killed while it waited for the lock', async () => {
  const data = join(directory, 'data-of-killed');
  const release = await makeRelease();
  cpSync(release, join(data, 'releases', basename(release)), { recursive: true });
  const root = join(directory, 'public-of-killed');
  const { pid, host } = identifyProcess();
  const killedWaiterLine = `T killed ${pid} 1 ${host} ${Date.now()}\n`;
  const onProgress = () => appendFileSync(join(root, '.publishing', 'publish.1'), killedWaiterLine);
  await publish({ ...PUBLISH_OPTIONS, dataDirectory: data, root, onProgress });
  expect(readdirSync(root).sort()).toEqual([basename(release), 'latest.json', 'releases.json']);
});

test('processes that publish and prune different releases in one directory leave the directory intact', async () => {
  const firstReleaseDirectory = await makeRelease();
  const releaseDirectories = [firstReleaseDirectory, await makeNextRelease(firstReleaseDirectory)];
  const root = join(directory, 'shared');
  const dataDirectories = releaseDirectories.map((release, index) => {
    const data = join(directory, `home-${index}`);
    cpSync(release, join(data, 'releases', basename(release)), { recursive: true });
    return data;
  });
  for (let round = 0; round < 4; round += 1) {
    await Promise.all(
      dataDirectories.map((dataDirectory) => publish({ ...PUBLISH_OPTIONS, dataDirectory, keep: 1, root })),
    );
    const { stamp } = JSON.parse(readFileSync(join(root, 'latest.json'), 'utf8'));
    expect(readdirSync(root).sort()).toEqual([stamp, 'latest.json', 'releases.json']);
    expect(JSON.parse(readFileSync(join(root, 'releases.json'), 'utf8')).releases).toMatchObject([{ stamp }]);
  }
});
