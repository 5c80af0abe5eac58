/**
 * Measures builds and questions with many companies: node test/bench/universe.mjs [companies] [work directory] [runs]
 * [--verify]
 *
 * Makes public files of this number of companies (universe/make-universe.mjs). Runs the built `fin data build` (npm run
 * build first) from scratch, again with cached parts, and for the next night, when one company in a hundred has filed
 * (with --verify also from scratch, which must give the same stamp). Then runs questions, each in a new process:
 * medians of alternating runs, in milliseconds more than an empty node script. Existing files in the work directory are
 * reused.
 */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  createReadStream,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { measuredBuild } from './measured-build.mjs';
import { makeUniverse } from './universe/make-universe.mjs';
import { makeNextNight } from './universe/next-night.mjs';

const root = resolve(import.meta.dirname, '../..');
const fin = join(root, 'bin/fin.js');
const given = join(root, '../shared/edgar/data');
const { values, positionals } = parseArgs({
  options: { verify: { type: 'boolean', default: false } },
  allowPositionals: true,
});
const [count = '6000', directory, runs = '7'] = positionals;

if (!existsSync(given)) {
  console.log(`There is nothing to make a universe of: ${given} is not there.`);
  process.exit(0);
}

const work = directory ?? mkdtempSync(join(tmpdir(), 'fin-bench-'));
const [source, next, releases, made] = ['source', 'next', 'releases', 'made.json'].map((name) => join(work, name));
if (!existsSync(made)) {
  writeFileSync(made, JSON.stringify(await makeUniverse(given, source, Number(count))));
}
const universe = JSON.parse(readFileSync(made, 'utf8'));
console.log(
  `${universe.companies} companies, ${universe.megabytes.toFixed(0)} MB of facts, ${universe.filings} filings, ` +
    `${universe.positions} lines of holdings, ${universe.trades} insider trades\n`,
);
if (!existsSync(releases)) {
  // The first build finds no cached parts, the second build finds all parts.
  process.env.FIN_CACHE_DIR = join(work, 'cache');
  for (const path of [process.env.FIN_CACHE_DIR, next]) rmSync(path, { recursive: true, force: true });
  const { date, checks } = await build('build', source, releases);
  if (checks !== 'passed') throw new Error(`the made universe fails checks: fin data build --from ${source}`);
  await build('build again', source, releases);
  const day = new Date(Date.parse(date) + 86_400_000).toISOString().slice(0, 10);
  const changed = await makeNextNight(source, next, day);
  const { stamp } = await build('next night', next, releases);
  console.log(`             ${changed} companies changed`);
  if (values.verify) {
    const scratch = join(work, 'scratch');
    const other = await build('from scratch', next, scratch, '--from-scratch');
    rmSync(scratch, { recursive: true, force: true });
    if (other.stamp !== stamp) throw new Error(`the next night made ${stamp}, and ${other.stamp} from scratch`);
  }
}

async function build(name, from, out, ...options) {
  const { report, seconds, used } = await measuredBuild(from, out, ...options);
  const { processorSeconds, mainSeconds, megabytes } = used ?? { processorSeconds: 0, mainSeconds: 0, megabytes: 0 };
  console.log(
    `${name.padEnd(12)} ${seconds.toFixed(0)} s, ${processorSeconds.toFixed(0)} s of processor time, ` +
      `${mainSeconds.toFixed(0)} of them the main thread's, peak ${megabytes.toFixed(0)} MB; ` +
      `${(universe.megabytes / seconds).toFixed(0)} MB of facts a second`,
  );
  return report;
}

const TICKERS = JSON.parse(readFileSync(join(source, 'files/company_tickers_exchange.json'), 'utf8')).data.map(
  (row) => row[2],
);
const fifty = TICKERS.filter((_, index) => index % Math.floor(TICKERS.length / 50) === 0).slice(0, 50);
const manager = String(universe.largestManager);

const screen = [
  'screen',
  '--where',
  'revenue_yoy:gt:0.2',
  '--where',
  'net_margin:gt:0.1',
  '--sort',
  'revenue',
  '--dir',
  'desc',
];
/** Name, command line, and maximum additional milliseconds compared with the empty script. */
const QUESTIONS = [
  ['screen, 2 filters, 25 rows, JSON', [...screen, '--limit', '25', '--json'], 70],
  ['screen, 2 filters, 25 rows, table', [...screen, '--limit', '25'], 60],
  ['screen, all, every column, CSV', ['screen', '--all', '--csv'], 350],
  ['screen of a past day, table', [...screen, '--limit', '25', '--as-of', '2019-06-28'], 150],
  ['screen of a past day, every column', ['screen', '--limit', '500', '--as-of', '2019-06-28', '--csv'], 350],
  [
    'screen of a past day, by price',
    ['screen', '--where', 'pe:lt:15', '--sort', 'market_cap', '--columns', 'pe,market_cap', '--as-of', '2023-03-31'],
    150,
  ],
  ['metrics AAPL', ['metrics', 'AAPL', '--json'], 60],
  ['metrics AAPL, every period', ['metrics', 'AAPL', '--period', 'all', '--json'], 120],
  ['search by prefix', ['search', 'app', '--json'], 50],
  ['search by name', ['search', 'apple', '--json'], 50],
  ['insider-activity', ['insider-activity', '--json'], 80],
  ['insider-activity, purchases', ['insider-activity', '--kind', 'purchase', '--json'], 80],
  ['manager, 100 rows', ['manager', manager, '--limit', '100', '--json'], 80],
  ['manager, all', ['manager', manager, '--all', '--csv'], 300],
  ['holders AAPL, all', ['holders', 'AAPL', '--all', '--csv'], 120],
  ['metrics of 50 tickers, NDJSON', ['metrics', ...fifty, '--output', 'ndjson'], 350],
  ['day', ['day', '--json'], 70],
];

/**
 * Prints the size of the tables of past screens, and the bytes and requests of one past screen from a published
 * release.
 */
async function measurePastScreens() {
  const stamp = readFileSync(join(releases, 'current'), 'utf8').trim();
  const tables = readdirSync(join(releases, stamp)).filter((name) => name.startsWith('screen_history'));
  const bytes = tables.reduce((sum, name) => sum + statSync(join(releases, stamp, name)).size, 0);
  console.log(`\npast screens take ${(bytes / 1e6).toFixed(1)} MB (bar: 40)`);
  const published = join(home, 'published');
  const { status, stderr } = spawnSync(process.execPath, [fin, 'data', 'publish', published], {
    env,
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
  const read = new Map();
  const host = createServer((request, response) => {
    const path = new URL(request.url, 'http://host').pathname;
    const file = join(published, path);
    if (statSync(file, { throwIfNoEntry: false })?.isFile() !== true) return response.writeHead(404).end();
    const { size } = statSync(file);
    const [, from = 0, to = size - 1] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    const [start, end] = [Number(from), Number(to)];
    const { requests, bytes } = read.get(path.split('/').at(-1)) ?? { requests: 0, bytes: 0 };
    read.set(path.split('/').at(-1), { requests: requests + 1, bytes: bytes + end - start + 1 });
    const range = request.headers.range === undefined ? {} : { 'content-range': `bytes ${start}-${end}/${size}` };
    response.writeHead(request.headers.range === undefined ? 200 : 206, {
      'content-length': end - start + 1,
      ...range,
    });
    return createReadStream(file, { start, end }).pipe(response);
  });
  await new Promise((listening) => host.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${host.address().port}`;
  const columns = 'revenue,net_income,revenue_yoy,assets,roe';
  const args = [fin, 'screen', '--as-of', '2019-06-28', '--columns', columns, '--json'];
  const child = spawn(process.execPath, args, {
    env: { ...env, FIN_BASE_URL: url, FIN_CACHE_DIR: join(home, 'cache') },
  });
  child.stdout.resume();
  child.stderr.resume();
  await once(child, 'close');
  host.close();
  if (child.exitCode !== 0) throw new Error(`a past screen by ranges ended with ${child.exitCode}`);
  console.log('five columns of a past screen by ranges, from an empty cache (bar: 250 KB without files.json):');
  for (const [name, { requests, bytes }] of read)
    console.log(
      `${name.padEnd(36)} ${String(requests).padStart(4)} requests ${(bytes / 1000).toFixed(0).padStart(6)} KB`,
    );
}

const home = mkdtempSync(join(tmpdir(), 'fin-bench-'));
const env = { PATH: process.env.PATH, HOME: home, FIN_DATA_DIR: work, FIN_BASE_URL: 'local:' };
const empty = join(home, 'empty.cjs');
writeFileSync(empty, '');
const cases = [['empty script', [empty], 0], ...QUESTIONS.map(([name, args, bar]) => [name, [fin, ...args], bar])];
const times = cases.map(() => []);
const sizes = cases.map(() => 0);
for (let run = 0; run <= Number(runs); run += 1) {
  for (const [index, [name, args]] of cases.entries()) {
    const start = process.hrtime.bigint();
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { env, maxBuffer: 2 ** 28 });
    const elapsed = Number(process.hrtime.bigint() - start) / 1e6;
    if (status !== 0) throw new Error(`${name} ended with ${status}: ${stderr}`);
    sizes[index] = stdout.length;
    if (run > 0) times[index].push(elapsed);
  }
}
const medians = times.map((list) => list.sort((a, b) => a - b)[Math.floor(list.length / 2)]);
const [floor] = medians;
console.log(`\nnode ${process.version}, ${runs} runs each; an empty script takes ${floor.toFixed(1)} ms\n`);
console.log(`${''.padEnd(36)} ms over it    bar  ratio       KB`);
for (const [index, [name, , bar]] of cases.entries()) {
  if (index === 0) continue;
  const over = (medians[index] - floor).toFixed(0);
  const ratio = (medians[index] / floor).toFixed(1);
  const kilobytes = (sizes[index] / 1000).toFixed(0);
  console.log(
    `${name.padEnd(36)} ${over.padStart(10)} ${String(bar).padStart(6)} ${ratio.padStart(6)} ${kilobytes.padStart(8)}`,
  );
}
await measurePastScreens();
rmSync(home, { recursive: true, force: true });
if (directory === undefined) rmSync(work, { recursive: true, force: true });
