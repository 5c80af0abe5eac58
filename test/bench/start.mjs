/**
 * Start-up, in milliseconds over an empty node script: medians of interleaved runs, so that a noisy
 * machine is noisy for all alike. `npm run bench:start [-- runs]`
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const runs = Number(process.argv[2] ?? 21);
const fin = resolve(import.meta.dirname, '../../bin/fin.js');
const home = mkdtempSync(join(tmpdir(), 'fin-bench-'));
const empty = join(home, 'empty.cjs');
writeFileSync(empty, '');

/** What is measured, and the bar: milliseconds over the empty script. */
const CASES = [
  ['empty script', [empty], 0],
  ['--version', [fin, '--version'], 3],
  ['--help', [fin, '--help'], 10],
  ['screen --help', [fin, 'screen', '--help'], 10],
  ['local metrics, JSON', [fin, 'metrics', 'AAPL', '--json'], 60],
  ['local screen, CSV', [fin, 'screen', '--where', 'revenue_yoy:gt:0.2', '--csv'], 60],
  ['local screen, table', [fin, 'screen', '--where', 'revenue_yoy:gt:0.2'], 60],
];

const times = CASES.map(() => []);
const env = { PATH: process.env.PATH, HOME: home };
for (let run = 0; run <= runs; run += 1) {
  for (const [index, [, args]] of CASES.entries()) {
    const start = process.hrtime.bigint();
    const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
    const elapsed = Number(process.hrtime.bigint() - start) / 1e6;
    if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
    if (run > 0) times[index].push(elapsed);
  }
}
rmSync(home, { recursive: true, force: true });

const median = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];
const medians = times.map(median);
const [floor] = medians;
console.log(`node ${process.version}, ${runs} runs each; an empty script takes ${floor.toFixed(1)} ms\n`);
console.log('                       ms over it    bar   ratio');
for (const [index, [name, , bar]] of CASES.entries()) {
  if (index === 0) continue;
  const over = (medians[index] - floor).toFixed(1);
  console.log(
    `${name.padEnd(22)} ${over.padStart(10)} ${String(bar).padStart(6)} ${(medians[index] / floor).toFixed(2).padStart(7)}`,
  );
}
