/**
 * Measures time and memory of a build: node test/bench/build.mjs [directory] [jobs]
 *
 * Runs the built `fin data build` (npm run build first); universe.mjs does the same with thousands of companies.
 * Required: at least 100 MB of JSON per second on two cores with less than 1 GB of memory; on a busy machine, at most
 * 20 ms of processor time per MB.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { measureBuild } from './measured-build.mjs';

const root = resolve(import.meta.dirname, '../..');
const [sourceDirectory = join(root, '../shared/edgar/data'), jobCount = String(Math.min(2, availableParallelism()))] =
  process.argv.slice(2);

if (!existsSync(sourceDirectory)) {
  console.log(
    `The directory ${sourceDirectory} does not exist. Pass a directory of the SEC's public files as the first argument.`,
  );
  process.exit(0);
}

const workDirectory = mkdtempSync(join(tmpdir(), 'fin-bench-'));
const { report, seconds, usage } = await measureBuild(
  sourceDirectory,
  join(workDirectory, 'out'),
  '--from-scratch',
  '--jobs',
  jobCount,
);
const megabytes = report.charactersRead / 1e6;
console.log(
  `${megabytes.toFixed(0)} MB of JSON, ${report.factRows} facts, ${report.companies} companies, ${jobCount} threads`,
);
console.log(`${seconds.toFixed(1)} s, ${(megabytes / seconds).toFixed(0)} MB/s`);
if (usage !== null) {
  const { processorSeconds, megabytes: peakMegabytes } = usage;
  const msPerMegabyte = (processorSeconds * 1000) / megabytes;
  console.log(
    `${processorSeconds.toFixed(1)} s of processor time, ${msPerMegabyte.toFixed(1)} ms per MB, peak ${peakMegabytes.toFixed(0)} MB`,
  );
}
rmSync(workDirectory, { recursive: true, force: true });
