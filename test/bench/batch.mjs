/**
 * Measures requests for many companies: node test/bench/batch.mjs [data directory] [companies] [rounds]
 *
 * Compares three ways to get the metrics of many tickers (npm run build first; the default release is the small
 * sample): `xargs -P4 curl` with `fin serve`, `fin metrics -` with the same service, and `fin metrics -` with local:.
 * Every measured service is new, with empty caches. Prints medians. Required: twice as fast as curl with the service,
 * five times as fast with local:.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const [directory, companies = '1000', rounds = '3'] = process.argv.slice(2);
const root = resolve(import.meta.dirname, '../..');
const FIN = join(root, 'bin/fin.js');

const HOME = mkdtempSync(join(tmpdir(), 'fin-bench-'));
const data = directory === undefined ? {} : { FIN_DATA_DIR: resolve(directory) };
const env = { PATH: process.env.PATH, HOME, ...data };

async function serve() {
  const child = spawn(process.execPath, [FIN, 'serve', '--port', '0', '--no-auth'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const url = await new Promise((found) => child.stdout.once('data', (text) => found(String(text).split('\n')[0])));
  return { url, stop: () => child.kill() };
}

/** Runs a program with these lines as its input; returns the elapsed seconds. */
function timed(program, args, lines, more = {}) {
  const begun = performance.now();
  const options = { env: { ...env, ...more }, input: `${lines.join('\n')}\n`, encoding: 'utf8', maxBuffer: 2 ** 30 };
  const { status, stdout, stderr } = spawnSync(program, args, options);
  if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr.slice(0, 500)}`);
  return { seconds: (performance.now() - begun) / 1000, bytes: stdout.length };
}

const screen = [FIN, 'screen', '--all', '--quiet', '--fields', 'ticker', '--output', 'ndjson', '--base-url', 'local:'];
const listed = spawnSync(process.execPath, screen, { env, encoding: 'utf8', maxBuffer: 2 ** 28 }).stdout.trim();
const tickers = listed
  .split('\n')
  .map((line) => JSON.parse(line).ticker)
  .slice(0, Number(companies));

const METRICS = [FIN, 'metrics', '-', '--output', 'ndjson', '--quiet', '--no-cache'];
const WAYS = {
  'xargs -P4 curl': (url) =>
    timed(
      'xargs',
      ['-P4', '-n1', 'curl', '-sS'],
      tickers.map((ticker) => `${url}/v1/securities/${ticker}/metrics`),
    ),
  'fin, on the service': (url) => timed(process.execPath, METRICS, tickers, { FIN_BASE_URL: url }),
  'fin, local': () => timed(process.execPath, METRICS, tickers, { FIN_BASE_URL: 'local:' }),
};

const runs = Object.fromEntries(Object.keys(WAYS).map((name) => [name, []]));
for (let round = 0; round < Number(rounds); round += 1) {
  for (const [name, run] of Object.entries(WAYS)) {
    const { url, stop } = await serve();
    runs[name].push(run(url));
    stop();
  }
}

const median = (list) => list.map(({ seconds }) => seconds).sort((a, b) => a - b)[Math.floor(list.length / 2)];
const [first] = Object.values(runs).map(median);
console.log(`${tickers.length} companies\n`);
for (const [name, list] of Object.entries(runs)) {
  const seconds = median(list);
  const megabytes = (list[0].bytes / 1e6).toFixed(1);
  console.log(
    `${name.padEnd(22)} ${seconds.toFixed(2).padStart(7)} s ${megabytes.padStart(7)} MB   ${(first / seconds).toFixed(1)} times as fast`,
  );
}
rmSync(HOME, { recursive: true, force: true });
