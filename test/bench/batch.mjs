/**
 * Measures requests for many companies: node test/bench/batch.mjs [data directory] [companies] [rounds]
 *
 * Compares three ways to get the metrics of many tickers (npm run build first; the default release is the small
 * sample): `xargs -P4 curl` with `fin serve`, `fin metrics -` with the same service, and `fin metrics -` with local:.
 * Every run starts a new service, with empty caches. Prints medians. Required: `fin metrics -` is at least twice as
 * fast as curl with the service, and five times as fast with local:.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const [directory, companyCount = '1000', roundCount = '3'] = process.argv.slice(2);
const root = resolve(import.meta.dirname, '../..');
const FIN_SCRIPT = join(root, 'bin/fin.js');

const HOME = mkdtempSync(join(tmpdir(), 'fin-bench-'));
const dataEnv = directory === undefined ? {} : { FIN_DATA_DIR: resolve(directory) };
const env = { PATH: process.env.PATH, HOME, ...dataEnv };

async function startService() {
  const child = spawn(process.execPath, [FIN_SCRIPT, 'serve', '--port', '0', '--no-auth'], {
    env,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const url = await new Promise((resolveUrl) =>
    child.stdout.once('data', (text) => resolveUrl(String(text).split('\n')[0])),
  );
  return { url, stop: () => child.kill() };
}

/** Runs a program with `lines` as its input; returns the elapsed seconds, and the size of the program's output. */
function runTimed(program, args, lines, extraEnv = {}) {
  const startTime = performance.now();
  const options = { env: { ...env, ...extraEnv }, input: `${lines.join('\n')}\n`, maxBuffer: 2 ** 30 };
  const { status, stdout, stderr } = spawnSync(program, args, options);
  if (status !== 0) throw new Error(`${program} exited with ${status}: ${stderr.subarray(0, 500)}`);
  return { seconds: (performance.now() - startTime) / 1000, bytes: stdout.length };
}

const SCREEN_ARGS = [
  FIN_SCRIPT,
  'screen',
  '--all',
  '--quiet',
  '--fields',
  'ticker',
  '--output',
  'ndjson',
  '--base-url',
  'local:',
];
const screenOutput = spawnSync(process.execPath, SCREEN_ARGS, {
  env,
  encoding: 'utf8',
  maxBuffer: 2 ** 28,
}).stdout.trim();
const tickers = screenOutput
  .split('\n')
  .map((line) => JSON.parse(line).ticker)
  .slice(0, Number(companyCount));

const METRICS_ARGS = [FIN_SCRIPT, 'metrics', '-', '--output', 'ndjson', '--quiet', '--no-cache'];
const RUNNER_BY_METHOD = {
  'xargs -P4 curl': (url) =>
    runTimed(
      'xargs',
      ['-P4', '-n1', 'curl', '-sS'],
      tickers.map((ticker) => `${url}/v1/securities/${ticker}/metrics`),
    ),
  'fin, with the service': (url) => runTimed(process.execPath, METRICS_ARGS, tickers, { FIN_BASE_URL: url }),
  'fin, local': () => runTimed(process.execPath, METRICS_ARGS, tickers, { FIN_BASE_URL: 'local:' }),
};

const runsByMethod = Object.fromEntries(Object.keys(RUNNER_BY_METHOD).map((name) => [name, []]));
for (let round = 0; round < Number(roundCount); round += 1) {
  for (const [name, run] of Object.entries(RUNNER_BY_METHOD)) {
    const { url, stop } = await startService();
    runsByMethod[name].push(run(url));
    stop();
  }
}

const computeMedianSeconds = (list) =>
  list.map(({ seconds }) => seconds).sort((a, b) => a - b)[Math.floor(list.length / 2)];
const [baselineSeconds] = Object.values(runsByMethod).map(computeMedianSeconds);
console.log(`${tickers.length} companies\n`);
for (const [name, methodRuns] of Object.entries(runsByMethod)) {
  const seconds = computeMedianSeconds(methodRuns);
  const megabytesText = (methodRuns[0].bytes / 1e6).toFixed(1);
  console.log(
    `${name.padEnd(22)} ${seconds.toFixed(2).padStart(7)} s ${megabytesText.padStart(7)} MB   ${(baselineSeconds / seconds).toFixed(1)} times as fast as curl`,
  );
}
rmSync(HOME, { recursive: true, force: true });
