import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { publish } from '../../src/wiring/publishing.ts';
import { cleanUp } from '../clean-up.ts';

const STAMP = '2026-01-02-0123456789ab';

const directory = mkdtempSync(join(tmpdir(), 'fin-publishing-'));
cleanUp(() => rmSync(directory, { recursive: true, force: true }));
const [own, other, link] = ['own', 'other', 'link'].map((name) => join(directory, name)) as [string, string, string];
for (const data of [own, other]) {
  mkdirSync(join(data, 'releases', STAMP), { recursive: true });
  writeFileSync(join(data, 'releases', 'current'), `${STAMP}\n`);
}
symlinkSync(join(own, 'releases'), link);

/** Where a pruning would remove releases, and a release published within itself grow with each time. */
test.each([
  ['the directory of the releases', join(own, 'releases')],
  ['a link to it', link],
  ['a directory in the release', join(link, STAMP, 'public')],
  ['the releases of another data directory', join(other, 'releases')],
])('nothing is published to %s', async (_, root) => {
  const order = { dataDirectory: own, stamp: null, signKey: null, keep: 1, publishFailed: false, root };
  const { signal } = new AbortController();
  await expect(publish({ ...order, signal, onProgress: () => undefined })).rejects.toThrow('holds the releases');
});
