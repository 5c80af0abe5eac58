/**
 * Compares `fin serve`, answering the same questions repeatedly, with a minimal Hono server on node. autocannon loads
 * the minimal server before and after each question. Prints two ratios to the minimal server, as medians of several
 * rounds: requests per second, and requests per processor second, which varies less on a busy machine. Fails if a
 * question has less than a third of the minimal server's requests per processor second.
 *
 *     npm run bench:serve [-- <seconds per run> [<rounds>]]
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import autocannon from 'autocannon';

const runSeconds = Number(process.argv[2] ?? 1);
const roundCount = Number(process.argv[3] ?? 5);
/** Minimum ratio of `fin serve` to the minimal server, in requests per processor second. */
const MIN_RATIO = 1 / 3;
/** Number of connections, enough to keep a server busy. */
const CONNECTION_COUNT = 16;
const root = resolve(import.meta.dirname, '../..');

const MINIMAL_SERVER_CODE = `
  import { serve } from '@hono/node-server';
  import { Hono } from 'hono';
  const app = new Hono();
  app.get('/', (c) => c.text('Hello, world'));
  serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => console.log('http://127.0.0.1:' + port));
`;

const PATH_BY_QUESTION = {
  release: '/v1/release',
  catalog: '/v1/metrics',
  search: '/v1/securities?query=a',
  metrics: '/v1/securities/AAPL/metrics',
  prices: '/v1/securities/AAPL/prices',
  'screen, 2 columns': '/v1/screen?where=revenue_yoy:gt:0.2&columns=revenue,revenue_yoy',
  'screen, all columns': '/v1/screen',
};

const env = { PATH: process.env.PATH, HOME: mkdtempSync(join(tmpdir(), 'fin-bench-')) };
const limitsFile = join(env.HOME, 'limits.json');
writeFileSync(limitsFile, JSON.stringify({ default: { minute: 1e9, month: 1e9, concurrent: 1000 } }));
const keyOutput = execFileSync(process.execPath, ['bin/fin.js', 'keys', 'create', '--account', 'bench', '--json'], {
  cwd: root,
  env,
});
const authorization = `Bearer ${JSON.parse(keyOutput).key}`;

/** Starts a server that prints its address as the first line of its output. */
async function startServer(...args) {
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'ignore'] });
  const url = await new Promise((resolveUrl, reject) => {
    let outputText = '';
    child.stdout.on('data', (chunk) => {
      outputText += chunk;
      if (outputText.includes('\n')) resolveUrl(outputText.split('\n')[0]);
    });
    child.once('exit', (code) => reject(new Error(`${args[0]} exited with ${code}`)));
  });
  return { child, url };
}

/** Returns the processor time of a process so far, in clock ticks: user and system time (proc(5), fields 14 and 15). */
function readProcessorTicks({ pid }) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

/** Returns requests per second, requests per clock tick of processor time, and the 99th percentile of the latency. */
async function measureLoad({ child, url }, { path, headers = {}, status = 200 }, duration) {
  const startTicks = readProcessorTicks(child);
  const result = await autocannon({ url: url + path, headers, connections: CONNECTION_COUNT, duration });
  const answeredCount = result.statusCodeStats[status]?.count ?? 0;
  if (answeredCount === 0 || answeredCount < result.requests.total || result.errors > 0)
    throw new Error(`${path}: ${JSON.stringify(result.statusCodeStats)}, ${result.errors} errors`);
  return {
    rate: result.requests.average,
    perTick: answeredCount / (readProcessorTicks(child) - startTicks),
    p99: result.latency.p99,
  };
}

const minimalServer = await startServer('--input-type=module', '-e', MINIMAL_SERVER_CODE);
const authenticatedServer = await startServer('bin/fin.js', 'serve', '--port', '0', '--limits', limitsFile);
const unauthenticatedServer = await startServer('bin/fin.js', 'serve', '--port', '0', '--no-auth');

const loadCases = [];
for (const [name, path] of Object.entries(PATH_BY_QUESTION)) {
  const response = await fetch(unauthenticatedServer.url + path);
  const conditionalHeaders = { 'if-none-match': response.headers.get('etag') };
  loadCases.push({ name, server: unauthenticatedServer, question: { path } });
  loadCases.push({
    name: `${name}, with a key`,
    server: authenticatedServer,
    question: { path, headers: { authorization } },
  });
  if (name !== 'metrics') continue;
  const question = { path, headers: { authorization, ...conditionalHeaders }, status: 304 };
  loadCases.push({ name: `${name}, with a key, 304`, server: authenticatedServer, question });
}

// The first run is not measured, because V8 compiles the code during it.
await measureLoad(minimalServer, { path: '/' }, 1);
for (const { server, question } of loadCases) await measureLoad(server, question, 1);

const runsByCase = loadCases.map(() => []);
for (let round = 0; round < roundCount; round += 1) {
  let minimalRunBefore = await measureLoad(minimalServer, { path: '/' }, runSeconds);
  for (const [index, { server, question }] of loadCases.entries()) {
    const run = await measureLoad(server, question, runSeconds);
    const minimalRunAfter = await measureLoad(minimalServer, { path: '/' }, runSeconds);
    const computeRatio = (measure) => run[measure] / ((minimalRunBefore[measure] + minimalRunAfter[measure]) / 2);
    runsByCase[index].push({ ...run, rateRatio: computeRatio('rate'), ratio: computeRatio('perTick') });
    minimalRunBefore = minimalRunAfter;
  }
}
for (const { child } of [minimalServer, authenticatedServer, unauthenticatedServer]) child.kill();

console.log(`${'ratio to the minimal server'.padEnd(32)} requests/s  processor      p99`);
for (const [index, { name }] of loadCases.entries()) {
  const computeMedian = (measure) =>
    runsByCase[index].map((run) => run[measure]).sort((a, b) => a - b)[Math.floor(roundCount / 2)];
  const medianTexts = [
    computeMedian('rateRatio').toFixed(2),
    computeMedian('ratio').toFixed(2),
    `${computeMedian('p99').toFixed(0)} ms`,
  ];
  console.log(name.padEnd(32) + medianTexts.map((figure) => figure.padStart(10)).join(' '));
  if (computeMedian('ratio') < MIN_RATIO) process.exitCode = 1;
}
