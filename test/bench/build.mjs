/**
 * Measures time and memory of a build: node test/bench/build.mjs [directory] [jobs]
 *
 * Runs the built `fin data build` (npm run build first); universe.mjs does the same with thousands of companies.
 * Required for deriving companies: 100 MB of JSON per second on two cores with less than 1 GB of memory; on a busy
 * machine, 20 ms of processor time per MB.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { measuredBuild } from './measured-build.mjs';

const root = resolve(import.meta.dirname, '../..');
const [given = join(root, '../shared/edgar/data'), jobs = String(Math.min(2, availableParallelism()))] =
  process.argv.slice(2);

if (!existsSync(given)) {
  console.log(`There is nothing to build from: ${given} is not there. Name a directory of public files.`);
  process.exit(0);
}

const work = mkdtempSync(join(tmpdir(), 'fin-bench-'));
const { report, seconds, used } = await measuredBuild(given, join(work, 'out'), '--from-scratch', '--jobs', jobs);
const megabytes = report.charactersRead / 1e6;
console.log(
  `${megabytes.toFixed(0)} MB of JSON, ${report.factRows} facts, ${report.companies} companies, ${jobs} threads`,
);
console.log(`${seconds.toFixed(1)} s, ${(megabytes / seconds).toFixed(0)} MB/s`);
if (used !== null) {
  const { processorSeconds, megabytes: peak } = used;
  const each = (processorSeconds * 1000) / megabytes;
  console.log(
    `${processorSeconds.toFixed(1)} s of processor time, ${each.toFixed(1)} ms a MB, peak ${peak.toFixed(0)} MB`,
  );
}
rmSync(work, { recursive: true, force: true });
