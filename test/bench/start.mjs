/**
 * Measures how many milliseconds longer than an empty node script fin takes to start. Prints medians of alternating
 * runs, so that other load on the machine affects all runs equally. `npm run bench:start [-- runs]`
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const runs = Number(process.argv[2] ?? 21);
const fin = resolve(import.meta.dirname, '../../bin/fin.js');
const home = mkdtempSync(join(tmpdir(), 'fin-bench-'));
const empty = join(home, 'empty.cjs');
writeFileSync(empty, '');

// A service on loopback, with a key and limits that are never reached.
const limits = join(home, 'limits.json');
writeFileSync(limits, '{"default": {"minute": 1000000, "month": 1000000}}');
const local = { PATH: process.env.PATH, HOME: home };
const created = execFileSync(process.execPath, [fin, 'keys', 'create', '--account', 'bench', '--json'], { env: local });
const server = spawn(process.execPath, [fin, 'serve', '--port', '0', '--limits', limits], { env: local });
const baseUrl = await new Promise((found) => server.stdout.once('data', (chunk) => found(String(chunk).trim())));
const remote = { ...local, FIN_BASE_URL: baseUrl, FIN_API_KEY: JSON.parse(created).key };

const metrics = ['metrics', 'AAPL'];
// The screen has no price column, so the cached response stays valid as long as the release.
const screen = ['screen', '--where', 'revenue_yoy:gt:0.2', '--columns', 'revenue,revenue_yoy'];

/** Name, command line, environment, and maximum additional milliseconds compared with the empty script. */
const CASES = [
  ['empty script', [empty], local, 0],
  ['--version', [fin, '--version'], local, 5],
  ['--help', [fin, '--help'], local, 15],
  ['screen --help', [fin, 'screen', '--help'], local, 15],
  ['local metrics, JSON', [fin, ...metrics, '--json'], local, 60],
  ['local metrics, table', [fin, ...metrics], local, 60],
  ['local screen, CSV', [fin, ...screen, '--csv'], local, 60],
  ['local screen, table', [fin, ...screen], local, 60],
  ['completion of a ticker', [fin, '__complete', 'metrics', 'AA'], local, 15],
  ['cached metrics, JSON', [fin, ...metrics, '--json'], remote, 20],
  ['cached screen, CSV', [fin, ...screen, '--csv'], remote, 20],
  ['cached metrics, table', [fin, ...metrics], remote, 35],
  ['cached screen, table', [fin, ...screen], remote, 35],
  ['network metrics, JSON', [fin, ...metrics, '--json', '--no-cache'], remote, 60],
  ['network metrics, table', [fin, ...metrics, '--no-cache'], remote, 75],
];

const times = CASES.map(() => []);
for (let run = 0; run <= runs; run += 1) {
  for (const [index, [, args, env]] of CASES.entries()) {
    const start = process.hrtime.bigint();
    const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
    const elapsed = Number(process.hrtime.bigint() - start) / 1e6;
    if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
    if (run > 0) times[index].push(elapsed);
  }
}
server.kill();
await new Promise((ended) => server.on('close', ended));
rmSync(home, { recursive: true, force: true });

const median = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];
const medians = times.map(median);
const [floor] = medians;
console.log(`node ${process.version}, ${runs} runs each; an empty script takes ${floor.toFixed(1)} ms\n`);
console.log('                       ms over it    bar   ratio');
for (const [index, [name, , , bar]] of CASES.entries()) {
  if (index === 0) continue;
  const over = (medians[index] - floor).toFixed(1);
  console.log(
    `${name.padEnd(22)} ${over.padStart(10)} ${String(bar).padStart(6)} ${(medians[index] / floor).toFixed(2).padStart(7)}`,
  );
}
