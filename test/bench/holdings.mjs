/**
 * What a quarter of institutional holdings costs: node test/bench/holdings.mjs [lines] [directory]
 *
 * Makes public files with so many lines of holdings (holdings-source.mjs; 4.5 million are what all managers report of one
 * quarter), builds a release of them with `fin data build` as it ships (npm run build first), and says how much processor
 * time and memory that took. The bar: a minute and 1 GB.
 */
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { makeHoldings } from './holdings-source.mjs';
import { measuredBuild } from './measured-build.mjs';

const root = resolve(import.meta.dirname, '../..');
const [lines = '4500000', given = join(root, '../shared/edgar/data')] = process.argv.slice(2);

if (!existsSync(given)) {
  console.log(`There is nothing to make holdings of: ${given} is not there. Name a directory of public files.`);
  process.exit(0);
}

const work = mkdtempSync(join(tmpdir(), 'fin-bench-'));
try {
  const from = await makeHoldings(given, join(work, 'source'), Number(lines));
  const { report, used } = await measuredBuild(from, join(work, 'out'));
  const { rows, stamp } = report;
  console.log(`${stamp}: ${rows.holder_positions} positions of ${rows.holder_reports} reports, ${rows.prices} prices`);
  if (used !== null) {
    console.log(`${used.processorSeconds.toFixed(1)} s of processor time, peak ${used.megabytes.toFixed(0)} MB`);
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
