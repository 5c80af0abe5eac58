import { cpSync, existsSync, readdirSync, readlinkSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { followRelease } from '../../../src/service/http/follow-release.ts';
import { openRelease } from '../../../src/store/reader.ts';
import { findSampleHome, readCurrentStamp } from '../../../src/store/releases/home.ts';
import { testNeeding } from '../../needs.ts';
import { makeFolder } from '../../store/public-source.ts';

const DESCRIPTOR_DIRECTORY = '/proc/self/fd';

/** Returns the number of files in a directory that this process has open. */
const countOpenFiles = (directory: string): number =>
  readdirSync(DESCRIPTOR_DIRECTORY).filter((name) => {
    try {
      return readlinkSync(join(DESCRIPTOR_DIRECTORY, name)).startsWith(directory);
    } catch {
      return false;
    }
  }).length;

testNeeding('/proc', existsSync(DESCRIPTOR_DIRECTORY))(
  'an unreadable newer release is opened again at every interval, reported once, and leaves no file open',
  async () => {
    const sampleHome = findSampleHome() ?? '';
    const sampleDirectory = join(sampleHome, readCurrentStamp(sampleHome) ?? '');
    const damagedDirectory = join(await makeFolder('newer'), 'release');
    cpSync(sampleDirectory, damagedDirectory, { recursive: true });
    writeFileSync(join(damagedDirectory, 'coverage.parquet'), '');
    let [directory, locateCount] = [sampleDirectory, 0];
    const errors: unknown[] = [];
    const releaseFollower = await followRelease({
      locate: () => {
        locateCount += 1;
        return { directory, isSample: false };
      },
      open: openRelease,
      ...{ intervalMs: 5, graceMs: 0, onChange: () => {}, onGone: () => {}, onError: (error) => errors.push(error) },
    });
    directory = damagedDirectory;
    await expect.poll(() => locateCount).toBeGreaterThan(10);
    // Only files of the current attempt are open.
    expect(countOpenFiles(damagedDirectory)).toBeLessThan(5);
    expect((await releaseFollower.current())?.manifest.stamp).toBe(readCurrentStamp(sampleHome));
    await releaseFollower.stop();
    expect(countOpenFiles(damagedDirectory)).toBe(0);
    expect(errors).toHaveLength(1);
  },
);

test('a release whose directory is replaced under the same name is opened again, as after a pull of more families', async () => {
  const sampleHome = findSampleHome() ?? '';
  const sampleDirectory = join(sampleHome, readCurrentStamp(sampleHome) ?? '');
  const directory = join(await makeFolder('replaced'), 'release');
  const makeCopy = (path: string) => cpSync(sampleDirectory, path, { recursive: true });
  makeCopy(directory);
  let openCount = 0;
  const releaseFollower = await followRelease({
    locate: () => ({ directory, isSample: false }),
    open: (path) => {
      openCount += 1;
      return openRelease(path);
    },
    ...{ intervalMs: 5, graceMs: 0, onChange: () => {}, onGone: () => {}, onError: () => {} },
  });
  const firstReader = await releaseFollower.current();
  makeCopy(`${directory}.new`);
  renameSync(directory, `${directory}.old`);
  renameSync(`${directory}.new`, directory);
  await expect.poll(() => openCount).toBe(2);
  await expect.poll(async () => (await releaseFollower.current()) !== firstReader).toBe(true);
  await releaseFollower.stop();
});
