/** Opens the current release repeatedly until stdin ends; then prints the number of times and the stamps. */

import { openRelease } from '../../src/store/reader.ts';
import { locateRelease } from '../../src/store/releases/home.ts';

const [dataDirectory = ''] = process.argv.slice(2);
const seen = new Set<string>();
let readings = 0;
let ended = false;
process.stdin.on('end', () => {
  ended = true;
});
process.stdin.resume();

async function read(): Promise<void> {
  const { directory, stamp } = locateRelease(dataDirectory, false);
  const release = openRelease(directory);
  const companies = await release.companies();
  if (companies.length === 0 || release.manifest.stamp !== stamp) throw new Error(`half a release: ${stamp}`);
  await release.reportedValues(companies[0]?.cik ?? 0);
  await release.close();
  seen.add(stamp);
  readings += 1;
}

async function loop(): Promise<void> {
  while (!ended) {
    await read();
    await new Promise((resolve) => setImmediate(resolve));
  }
  process.stdout.write(JSON.stringify({ readings, stamps: [...seen] }));
}

loop().catch((error) => {
  process.stderr.write(String(error));
  process.exitCode = 1;
});
