/**
 * Measures how many milliseconds longer fin takes to start than an empty node script. Prints medians of alternating
 * runs, so that other load on the machine affects all runs equally. `npm run bench:start [-- runs]`
 */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const runCount = Number(process.argv[2] ?? 21);
const finScript = resolve(import.meta.dirname, '../../bin/fin.js');
const home = mkdtempSync(join(tmpdir(), 'fin-bench-'));
const emptyScript = join(home, 'empty.cjs');
writeFileSync(emptyScript, '');

// A service on loopback, with a key and limits that are never reached.
const limitsFile = join(home, 'limits.json');
writeFileSync(limitsFile, '{"default": {"minute": 1000000, "month": 1000000}}');
const localEnv = { PATH: process.env.PATH, HOME: home };
const keyOutput = execFileSync(process.execPath, [finScript, 'keys', 'create', '--account', 'bench', '--json'], {
  env: localEnv,
});
const server = spawn(process.execPath, [finScript, 'serve', '--port', '0', '--limits', limitsFile], { env: localEnv });
const baseUrl = await new Promise((resolveUrl) =>
  server.stdout.once('data', (chunk) => resolveUrl(String(chunk).trim())),
);
const remoteEnv = { ...localEnv, FIN_BASE_URL: baseUrl, FIN_API_KEY: JSON.parse(keyOutput).key };

const metricsArgs = ['metrics', 'AAPL'];
// The screen has no price column, so the cached response stays valid as long as the release.
const screenArgs = ['screen', '--where', 'revenue_yoy:gt:0.2', '--columns', 'revenue,revenue_yoy'];

/** Name, command line, environment, and maximum additional milliseconds compared with the empty script. */
const CASES = [
  ['empty script', [emptyScript], localEnv, 0],
  ['--version', [finScript, '--version'], localEnv, 5],
  ['--help', [finScript, '--help'], localEnv, 15],
  ['screen --help', [finScript, 'screen', '--help'], localEnv, 15],
  ['local metrics, JSON', [finScript, ...metricsArgs, '--json'], localEnv, 60],
  ['local metrics, table', [finScript, ...metricsArgs], localEnv, 60],
  ['local screen, CSV', [finScript, ...screenArgs, '--csv'], localEnv, 60],
  ['local screen, table', [finScript, ...screenArgs], localEnv, 60],
  ['completion of a ticker', [finScript, '__complete', 'metrics', 'AA'], localEnv, 15],
  ['cached metrics, JSON', [finScript, ...metricsArgs, '--json'], remoteEnv, 20],
  ['cached screen, CSV', [finScript, ...screenArgs, '--csv'], remoteEnv, 20],
  ['cached metrics, table', [finScript, ...metricsArgs], remoteEnv, 35],
  ['cached screen, table', [finScript, ...screenArgs], remoteEnv, 35],
  ['network metrics, JSON', [finScript, ...metricsArgs, '--json', '--no-cache'], remoteEnv, 60],
  ['network metrics, table', [finScript, ...metricsArgs, '--no-cache'], remoteEnv, 75],
];

const timesByCase = CASES.map(() => []);
for (let runIndex = 0; runIndex <= runCount; runIndex += 1) {
  for (const [index, [, args, env]] of CASES.entries()) {
    const startNs = process.hrtime.bigint();
    const { status, stderr } = spawnSync(process.execPath, args, { env, encoding: 'utf8' });
    const elapsedMs = Number(process.hrtime.bigint() - startNs) / 1e6;
    if (status !== 0) throw new Error(`${args.join(' ')} exited with ${status}: ${stderr}`);
    if (runIndex > 0) timesByCase[index].push(elapsedMs);
  }
}
server.kill();
await new Promise((ended) => server.on('close', ended));
rmSync(home, { recursive: true, force: true });

const computeMedian = (list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)];
const medians = timesByCase.map(computeMedian);
const [emptyScriptMs] = medians;
console.log(`node ${process.version}, ${runCount} runs each; an empty script takes ${emptyScriptMs.toFixed(1)} ms\n`);
console.log(`${''.padEnd(22)} additional ms  limit   ratio`);
for (const [index, [name, , , maxAdditionalMs]] of CASES.entries()) {
  if (index === 0) continue;
  const additionalMsText = (medians[index] - emptyScriptMs).toFixed(1);
  console.log(
    `${name.padEnd(22)} ${additionalMsText.padStart(13)} ${String(maxAdditionalMs).padStart(6)} ${(medians[index] / emptyScriptMs).toFixed(2).padStart(7)}`,
  );
}
