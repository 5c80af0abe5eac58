/**
 * Requests per second of `fin serve` on hot reads, beside a bare Hono hello-world on the same node server, loaded by
 * autocannon in the same run and in turns. Prints one line of JSON; the bar is a third of the hello-world.
 *
 *     npm run bench:serve [-- <seconds of each turn>]
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import autocannon from 'autocannon';

const seconds = Number(process.argv[2] ?? 4);
const rounds = 3;
const root = resolve(import.meta.dirname, '../..');

const HELLO = `
  import { serve } from '@hono/node-server';
  import { Hono } from 'hono';
  const app = new Hono();
  app.get('/', (c) => c.text('Hello, world'));
  serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => console.log('http://127.0.0.1:' + port));
`;

/** Starts a server that prints its address as its first line. */
async function start(args, env) {
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'inherit'] });
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

async function load(url, headers, duration = seconds) {
  const result = await autocannon({ url, headers, connections: 4, duration });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} not 2xx, ${result.errors} errors`);
  return { rps: Math.round(result.requests.average), p99: result.latency.p99 };
}

const env = { PATH: process.env.PATH, HOME: mkdtempSync(join(tmpdir(), 'fin-bench-')) };
const limits = join(env.HOME, 'limits.json');
writeFileSync(limits, JSON.stringify({ default: { minute: 1e9, month: 1e9, concurrent: 1000 } }));
const made = spawn(process.execPath, ['bin/fin.js', 'keys', 'create', '--account', 'bench', '--json'], {
  cwd: root,
  env,
});
let text = '';
for await (const part of made.stdout) text += part;
const { key } = JSON.parse(text);

const hello = await start(['--input-type=module', '-e', HELLO], env);
const guarded = await start(['bin/fin.js', 'serve', '--limits', limits], env);
const open = await start(['bin/fin.js', 'serve', '--no-auth'], env);
const authorization = { authorization: `Bearer ${key}` };
const targets = {
  hello: [`${hello.url}/`, {}],
  'release, with a key': [`${guarded.url}/v1/release`, authorization],
  'metrics, with a key': [`${guarded.url}/v1/securities/AAPL/metrics`, authorization],
  'screen of 25 by 2, with a key': [
    `${guarded.url}/v1/screen?where=revenue_yoy:gt:0.2&columns=revenue,revenue_yoy`,
    authorization,
  ],
  'metrics, no auth': [`${open.url}/v1/securities/AAPL/metrics`, {}],
};

// Each is compiled before it is measured.
for (const [url, headers] of Object.values(targets)) await load(url, headers, 1);

const runs = Object.fromEntries(Object.keys(targets).map((name) => [name, []]));
for (let round = 0; round < rounds; round += 1) {
  for (const [name, [url, headers]] of Object.entries(targets)) runs[name].push(await load(url, headers));
}
for (const { child } of [hello, guarded, open]) child.kill();

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const report = Object.fromEntries(
  Object.entries(runs).map(([name, list]) => [
    name,
    { rps: median(list.map((run) => run.rps)), p99: median(list.map((run) => run.p99)) },
  ]),
);
for (const [name, { rps, p99 }] of Object.entries(report)) {
  console.log(
    `${name.padEnd(32)} ${String(rps).padStart(7)} requests/s  ${(rps / report.hello.rps).toFixed(2)} of hello  p99 ${p99} ms`,
  );
}
