/**
 * What a quarter of institutional holdings costs: node test/bench/holdings.mjs [lines] [directory]
 *
 * Makes public files with so many lines of holdings (holdings-source.mjs; 4.5 million are what all managers report of one
 * quarter), builds a release of them with `fin data build` as it ships (npm run build first), and says how much processor
 * time and memory that took. The bar: a minute and 1 GB.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setInterval } from 'node:timers';
import { makeHoldings } from './holdings-source.mjs';

const root = resolve(import.meta.dirname, '../..');
const [lines = '4500000', given = join(root, '../shared/edgar/data')] = process.argv.slice(2);
/** Of the system's clock, in which /proc counts. */
const TICKS_A_SECOND = 100;

if (!existsSync(given)) {
  console.log(`There is nothing to make holdings of: ${given} is not there. Name a directory of public files.`);
  process.exit(0);
}

const work = mkdtempSync(join(tmpdir(), 'fin-bench-'));
try {
  const from = await makeHoldings(given, join(work, 'source'), Number(lines));
  const args = ['data', 'build', '--from', from, '--out', join(work, 'out'), '--publish-failed', '--json'];
  const child = spawn(process.execPath, [join(root, 'bin/fin.js'), ...args], { stdio: ['ignore', 'pipe', 'inherit'] });
  let used = { seconds: 0, megabytes: 0 };
  const watch = setInterval(() => {
    used = usedBy(child.pid) ?? used;
  }, 50);
  let text = '';
  for await (const chunk of child.stdout) text += chunk;
  clearInterval(watch);
  const { rows, stamp } = JSON.parse(text);
  console.log(`${stamp}: ${rows.holder_positions} positions of ${rows.holder_reports} reports, ${rows.prices} prices`);
  console.log(`${used.seconds.toFixed(1)} s of processor time, peak ${used.megabytes.toFixed(0)} MB`);
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** By a living process with all its threads, where the system tells; else null. */
function usedBy(pid) {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [user = '0', system = '0'] = stat.slice(stat.lastIndexOf(')')).split(' ').slice(12, 14);
    const [, kilobytes = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return { seconds: (Number(user) + Number(system)) / TICKS_A_SECOND, megabytes: Number(kilobytes) / 1024 };
  } catch {
    return null;
  }
}
