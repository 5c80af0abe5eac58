import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { publish } from '../../src/wiring/publishing.ts';
import { cleanUp } from '../clean-up.ts';
import { makeNextRelease, makeRelease } from '../publish/releases.ts';

const STAMP = '2026-01-02-0123456789ab';

const directory = mkdtempSync(join(tmpdir(), 'fin-publishing-'));
cleanUp(() => rmSync(directory, { recursive: true, force: true }));
const [own, other, link] = ['own', 'other', 'link'].map((name) => join(directory, name)) as [string, string, string];
for (const data of [own, other]) {
  mkdirSync(join(data, 'releases', STAMP), { recursive: true });
  writeFileSync(join(data, 'releases', 'current'), `${STAMP}\n`);
}
symlinkSync(join(own, 'releases'), link);

const ORDER = {
  ...{ stamp: null, signKey: null, keep: null, publishFailed: false },
  signal: new AbortController().signal,
  onProgress: () => undefined,
  onWait: () => undefined,
};

/** Directories in which `keep` would delete local releases, or in which a release would contain its own publication. */
test.each([
  ['the directory of the releases', join(own, 'releases')],
  ['a link to it', link],
  ['a directory in the release', join(link, STAMP, 'public')],
  ['the releases of another data directory', join(other, 'releases')],
])('publishing to %s is refused', async (_, root) => {
  await expect(publish({ ...ORDER, dataDirectory: own, keep: 1, root })).rejects.toThrow(
    "is the directory of fin's own releases",
  );
});

test('of two concurrent publications to one directory, the second waits and writes nothing', async () => {
  const data = join(directory, 'data');
  const release = await makeRelease();
  cpSync(release, join(data, 'releases', basename(release)), { recursive: true });
  const root = join(directory, 'public');
  let waits = 0;
  const order = { ...ORDER, dataDirectory: data, onWait: () => (waits += 1) };
  // Publishes twice to one directory, spelled in two ways.
  const concurrentPublishes = [publish({ ...order, root }), publish({ ...order, root: `${directory}/./public/` })];
  expect((await Promise.all(concurrentPublishes)).map(({ state }) => state)).toEqual(['published', 'unchanged']);
  expect(waits).toBe(1);
  expect(readdirSync(root).sort()).toEqual([basename(release), 'latest.json', 'releases.json']);
  await publish({ ...order, root: join(directory, 'elsewhere') });
  expect(waits).toBe(1);
});

test('processes that publish and prune different releases in one directory leave it intact', async () => {
  const one = await makeRelease();
  const releases = [one, await makeNextRelease(one)];
  const root = join(directory, 'shared');
  const homes = releases.map((release, index) => {
    const data = join(directory, `home-${index}`);
    cpSync(release, join(data, 'releases', basename(release)), { recursive: true });
    return data;
  });
  for (let round = 0; round < 4; round += 1) {
    await Promise.all(homes.map((dataDirectory) => publish({ ...ORDER, dataDirectory, keep: 1, root })));
    const { stamp } = JSON.parse(readFileSync(join(root, 'latest.json'), 'utf8'));
    expect(readdirSync(root).sort()).toEqual([stamp, 'latest.json', 'releases.json']);
    expect(JSON.parse(readFileSync(join(root, 'releases.json'), 'utf8')).releases).toMatchObject([{ stamp }]);
  }
});
