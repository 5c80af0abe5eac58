/**
 * Compares hot reads of `fin serve` with a minimal Hono server on node. autocannon loads the servers in alternation:
 * each question between two runs of the minimal server, several rounds, medians of the ratios. Prints the ratio of
 * requests per second, and the ratio of the server's processor time per request, which varies less on a busy machine.
 * The run fails if a question has less than a third of the minimal server's requests per second of processor time.
 *
 *     npm run bench:serve [-- <seconds of each turn> [<rounds>]]
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import autocannon from 'autocannon';

const seconds = Number(process.argv[2] ?? 1);
const rounds = Number(process.argv[3] ?? 5);
const BAR = 1 / 3;
/** Number of connections, enough to keep a server busy. */
const CONNECTIONS = 16;
const root = resolve(import.meta.dirname, '../..');

const HELLO = `
  import { serve } from '@hono/node-server';
  import { Hono } from 'hono';
  const app = new Hono();
  app.get('/', (c) => c.text('Hello, world'));
  serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => console.log('http://127.0.0.1:' + port));
`;

const QUESTIONS = {
  release: '/v1/release',
  catalog: '/v1/metrics',
  search: '/v1/securities?query=a',
  metrics: '/v1/securities/AAPL/metrics',
  prices: '/v1/securities/AAPL/prices',
  'screen, 2 columns': '/v1/screen?where=revenue_yoy:gt:0.2&columns=revenue,revenue_yoy',
  'screen, all columns': '/v1/screen',
};

const env = { PATH: process.env.PATH, HOME: mkdtempSync(join(tmpdir(), 'fin-bench-')) };
const limits = join(env.HOME, 'limits.json');
writeFileSync(limits, JSON.stringify({ default: { minute: 1e9, month: 1e9, concurrent: 1000 } }));
const made = execFileSync(process.execPath, ['bin/fin.js', 'keys', 'create', '--account', 'bench', '--json'], {
  cwd: root,
  env,
});
const authorization = `Bearer ${JSON.parse(made).key}`;

/** Starts a server that prints its address as the first line of its output. */
async function start(...args) {
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'ignore'] });
  const url = await new Promise((found, failed) => {
    let text = '';
    child.stdout.on('data', (part) => {
      text += part;
      if (text.includes('\n')) found(text.split('\n')[0]);
    });
    child.once('exit', (code) => failed(new Error(`${args[0]} ended with ${code}`)));
  });
  return { child, url };
}

/** Returns the processor time of a process so far, in clock ticks: user and system time (proc(5), fields 14 and 15). */
function ticks({ pid }) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

/** Returns requests per second, and requests per clock tick of the server. */
async function load({ child, url }, { path, headers = {}, status = 200 }, duration) {
  const before = ticks(child);
  const result = await autocannon({ url: url + path, headers, connections: CONNECTIONS, duration });
  const answered = result.statusCodeStats[status]?.count ?? 0;
  if (answered === 0 || answered < result.requests.total || result.errors > 0)
    throw new Error(`${path}: ${JSON.stringify(result.statusCodeStats)}, ${result.errors} errors`);
  return { rate: result.requests.average, perTick: answered / (ticks(child) - before), p99: result.latency.p99 };
}

const hello = await start('--input-type=module', '-e', HELLO);
const guarded = await start('bin/fin.js', 'serve', '--port', '0', '--limits', limits);
const open = await start('bin/fin.js', 'serve', '--port', '0', '--no-auth');

const turns = [];
for (const [name, path] of Object.entries(QUESTIONS)) {
  const reply = await fetch(open.url + path);
  const held = { 'if-none-match': reply.headers.get('etag') };
  turns.push({ name, server: open, question: { path } });
  turns.push({ name: `${name}, a key`, server: guarded, question: { path, headers: { authorization } } });
  if (name !== 'metrics') continue;
  const question = { path, headers: { authorization, ...held }, status: 304 };
  turns.push({ name: `${name}, a key, 304`, server: guarded, question });
}

// A first run, not measured, during which V8 compiles the code.
await load(hello, { path: '/' }, 1);
for (const { server, question } of turns) await load(server, question, 1);

const runs = turns.map(() => []);
for (let round = 0; round < rounds; round += 1) {
  let before = await load(hello, { path: '/' }, seconds);
  for (const [index, { server, question }] of turns.entries()) {
    const run = await load(server, question, seconds);
    const after = await load(hello, { path: '/' }, seconds);
    const beside = (figure) => run[figure] / ((before[figure] + after[figure]) / 2);
    runs[index].push({ ...run, rateRatio: beside('rate'), ratio: beside('perTick') });
    before = after;
  }
}
for (const { child } of [hello, guarded, open]) child.kill();

console.log(`${'of the hello-world, medians'.padEnd(32)} requests/s  processor      p99`);
for (const [index, { name }] of turns.entries()) {
  const median = (figure) => runs[index].map((run) => run[figure]).sort((a, b) => a - b)[Math.floor(rounds / 2)];
  const figures = [median('rateRatio').toFixed(2), median('ratio').toFixed(2), `${median('p99').toFixed(0)} ms`];
  console.log(name.padEnd(32) + figures.map((figure) => figure.padStart(10)).join(' '));
  if (median('ratio') < BAR) process.exitCode = 1;
}
