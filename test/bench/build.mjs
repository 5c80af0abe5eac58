/**
 * How fast a release is built, and in how much memory: node test/bench/build.mjs [directory] [jobs] [copies]
 *
 * Measures `fin data build` as it ships (npm run build first). With copies, every company of the directory's
 * companyfacts.zip, and its list of filings, is taken so many times under other CIKs, to see what a large source does
 * to the memory. The bar, for the deriving of companies: 100 MB of JSON a second on two cores, under 1 GB. Where others
 * use the machine too, look at the processor's time: 20 ms a MB are the bar.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setInterval } from 'node:timers';
import { copySource } from './copy-source.mjs';

const root = resolve(import.meta.dirname, '../..');
const [given = join(root, '../shared/edgar/data'), jobs = String(Math.min(2, availableParallelism())), copies = '1'] =
  process.argv.slice(2);

if (!existsSync(given)) {
  console.log(`There is nothing to build from: ${given} is not there. Name a directory of public files.`);
  process.exit(0);
}

const work = mkdtempSync(join(tmpdir(), 'fin-bench-'));
const from = copies === '1' ? given : await copySource(given, join(work, 'source'), Number(copies));

const begun = performance.now();
const child = spawn(
  process.execPath,
  [
    join(root, 'bin/fin.js'),
    'data',
    'build',
    '--from',
    from,
    '--out',
    join(work, 'out'),
    '--jobs',
    jobs,
    '--publish-failed',
    '--json',
  ],
  { stdio: ['ignore', 'pipe', 'inherit'] },
);
let peak = 0;
let processor = 0;
const watch = setInterval(() => {
  peak = Math.max(peak, residentMegabytes(child.pid));
  processor = Math.max(processor, processorSeconds(child.pid));
}, 50);
let text = '';
for await (const chunk of child.stdout) text += chunk;
const seconds = (performance.now() - begun) / 1000;
clearInterval(watch);

const report = JSON.parse(text);
const megabytes = report.charactersRead / 1e6;
console.log(
  `${megabytes.toFixed(0)} MB of JSON, ${report.factRows} facts, ${report.companies} companies, ${jobs} threads`,
);
console.log(
  `${seconds.toFixed(1)} s, ${(megabytes / seconds).toFixed(0)} MB/s, peak ${peak === 0 ? 'unknown' : `${peak.toFixed(0)} MB`}`,
);
if (processor > 0) {
  console.log(`${processor.toFixed(1)} s of processor, ${((processor * 1000) / megabytes).toFixed(1)} ms a MB`);
}
rmSync(work, { recursive: true, force: true });

/** Of a living process, where the system tells; else 0. */
function residentMegabytes(pid) {
  try {
    const [, kilobytes = '0'] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes) / 1024;
  } catch {
    return 0;
  }
}

/** Of a living process and all its threads, where the system tells; else 0. */
function processorSeconds(pid) {
  try {
    // Behind the name, which may hold anything: state, ..., user time and system time in hundredths.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
    return (Number(fields[11]) + Number(fields[12])) / 100;
  } catch {
    return 0;
  }
}
