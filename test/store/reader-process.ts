/**
 * Reads the current release repeatedly until stdin ends; then prints how often it was read, and the stamps of the
 * releases read.
 */

import { openRelease } from '../../src/store/reader.ts';
import { locateRelease } from '../../src/store/releases/home.ts';

const [dataDirectory = ''] = process.argv.slice(2);
const seenStamps = new Set<string>();
let readCount = 0;
let hasInputEnded = false;
process.stdin.on('end', () => {
  hasInputEnded = true;
});
process.stdin.resume();

async function readRelease(): Promise<void> {
  const { directory, stamp } = locateRelease(dataDirectory, false);
  const release = openRelease(directory);
  const companies = await release.companies();
  if (companies.length === 0 || release.manifest.stamp !== stamp) throw new Error(`release ${stamp} is incomplete`);
  await release.reportedValues(companies[0]?.cik ?? 0);
  await release.close();
  seenStamps.add(stamp);
  readCount += 1;
}

async function readUntilInputEnds(): Promise<void> {
  while (!hasInputEnded) {
    await readRelease();
    await new Promise((resolve) => setImmediate(resolve));
  }
  process.stdout.write(JSON.stringify({ readings: readCount, stamps: [...seenStamps] }));
}

readUntilInputEnds().catch((error) => {
  process.stderr.write(String(error));
  process.exitCode = 1;
});
