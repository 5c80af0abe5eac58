/**
 * Measures questions to a release on a static host: node test/bench/range.mjs [release] [published] [processes] [runs]
 * [ticker] [other ticker]
 *
 * Publishes the release (a directory; the sample by default) with `fin data publish` unless it is already published,
 * serves it with a plain file server, and runs the built `fin` (npm run build first). Prints the milliseconds of six
 * questions with an empty cache, with a full cache, with local:, and with fin serve. Then runs many concurrent
 * processes: normally, while the server is briefly stopped, and while the release is replaced by another release.
 */
import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  createReadStream,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';

const fin = resolve(import.meta.dirname, '../../bin/fin.js');
const sample = resolve(import.meta.dirname, '../../src/store/sample');
const [given, published, processes = '200', runs = '5', ticker = 'AAPL', another] = process.argv.slice(2);
const release = resolve(
  given ??
    join(
      sample,
      readdirSync(sample).find((name) => /^\d{4}-/.test(name)),
    ),
);
const work = mkdtempSync(join(tmpdir(), 'fin-bench-range-'));
let root = published === undefined || published === '' ? join(work, 'root') : resolve(published);
const base = { PATH: process.env.PATH, HOME: work };
if (root.startsWith(work)) {
  const home = join(work, 'data');
  mkdirSync(join(home, 'releases'), { recursive: true });
  cpSync(release, join(home, 'releases', basename(release)), { recursive: true });
  const { status, stderr } = spawnSync(process.execPath, [fin, 'data', 'publish', root], {
    env: { ...base, FIN_DATA_DIR: home },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
}

const count = { requests: 0, bytes: 0 };
let delay = 0;
const sockets = new Set();
const respond = async (request, response) => {
  count.requests += 1;
  if (delay > 0) await new Promise((done) => setTimeout(done, delay));
  const file = join(root, new URL(request.url, 'http://host').pathname);
  const info = statSync(file, { throwIfNoEntry: false });
  if (info?.isFile() !== true) return response.writeHead(404).end();
  const etag = `"${info.size}-${info.mtimeMs}"`;
  if (request.headers['if-none-match'] === etag) return response.writeHead(304, { etag }).end();
  const part = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
  const [start, end] = part === null ? [0, info.size - 1] : [Number(part[1]), Number(part[2])];
  count.bytes += end - start + 1;
  const range = part === null ? {} : { 'content-range': `bytes ${start}-${end}/${info.size}` };
  response.writeHead(part === null ? 200 : 206, { etag, 'content-length': end - start + 1, ...range });
  createReadStream(file, { start, end })
    .on('error', () => response.destroy())
    .pipe(response);
};
let server;
const listen = (port) =>
  new Promise((done) => {
    server = createServer(respond).listen(port, '127.0.0.1', 4096, () => done(server.address().port));
    server.on('connection', (socket) => sockets.add(socket.on('close', () => sockets.delete(socket))));
  });
const port = await listen(0);
const stop = () => {
  server.close();
  for (const socket of sockets) socket.destroy();
};
const url = `http://127.0.0.1:${port}`;

const run = (args, env) =>
  new Promise((done) => {
    const child = spawn(process.execPath, [fin, ...args], { env: { ...base, ...env } });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk) => (out += chunk));
    child.stderr.on('data', (chunk) => (err += chunk));
    child.stdin.end();
    child.on('close', (code) => done({ code, out, err }));
  });
let caches = 0;
const emptyCache = () => join(work, `cache-${caches++}`);
const median = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1];

const QUESTIONS = [
  ['metrics', ticker],
  ['metrics', ticker, '--period', 'annual'],
  ['filings', ticker],
  ['prices', ticker],
  ['screen', '--where', 'revenue:gt:1000000000', '--columns', 'revenue'],
  ['search', 'bank'],
];
const home = join(work, 'local');
mkdirSync(join(home, 'releases'), { recursive: true });
symlinkSync(release, join(home, 'releases', basename(release)));
writeFileSync(join(home, 'releases/current'), basename(release));
// The list of releases contains only directories, but the current release may be a link, as here.
const local = { FIN_DATA_DIR: home, FIN_BASE_URL: 'local:' };
const serving = spawn(process.execPath, [fin, 'serve', '--port', '0', '--no-auth'], { env: { ...base, ...local } });
const service = await new Promise((found) => serving.stdout.once('data', (chunk) => found(String(chunk).trim())));

console.log(`${basename(release)}, ms, median of ${runs}\n`);
console.log('question                        local:  cold, 0 ms  50 ms  requests  KB  warm  50 ms  serve, cold  warm');
for (const question of QUESTIONS) {
  const timed = async (env) => {
    const begun = performance.now();
    const { code, err } = await run([...question, '--json'], env);
    if (code !== 0) throw new Error(err);
    return performance.now() - begun;
  };
  const cells = { local: [], cold0: [], cold50: [], warm0: [], warm50: [], served: [], servedWarm: [] };
  let cost = '';
  for (let round = 0; round < Number(runs); round += 1) {
    cells.local.push(await timed(local));
    for (const [ms, cold, warm] of [
      [0, 'cold0', 'warm0'],
      [50, 'cold50', 'warm50'],
    ]) {
      delay = ms;
      const env = { FIN_BASE_URL: url, FIN_CACHE_DIR: emptyCache() };
      [count.requests, count.bytes] = [0, 0];
      cells[cold].push(await timed(env));
      cost = [count.requests, Math.ceil(count.bytes / 1000)];
      cells[warm].push(await timed(env));
    }
    const env = { FIN_BASE_URL: service, FIN_CACHE_DIR: emptyCache() };
    cells.served.push(await timed(env));
    cells.servedWarm.push(await timed(env));
  }
  const [a, b, c, d, e, f, g] = Object.values(cells).map((all) => String(Math.round(median(all))));
  console.log([question.join(' ').slice(0, 30).padEnd(30), a, b, c, ...cost, d, e, f, g].join('  '));
}
serving.kill();
delay = 0;

/** Runs many processes concurrently; returns their answers without request ids. */
async function crowd(name, envOf, meanwhile = () => undefined, more = []) {
  [count.requests, count.bytes] = [0, 0];
  const begun = performance.now();
  const all = Array.from({ length: Number(processes) }, (_, at) =>
    run(['metrics', ticker, '--json', ...more], envOf(at)),
  );
  await meanwhile();
  const ended = await Promise.all(all);
  const seconds = ((performance.now() - begun) / 1000).toFixed(1);
  const answers = new Map();
  for (const { code, out, err } of ended) {
    const { data, meta } = code === 0 ? JSON.parse(out) : {};
    const key = code === 0 ? JSON.stringify([meta.release.stamp, data]) : `exit ${code}: ${err.split('\n')[0]}`;
    answers.set(key, (answers.get(key) ?? 0) + 1);
  }
  const kinds = [...answers].map(([key, n]) => {
    return `${n} × ${key.startsWith('exit') ? key : JSON.parse(key)[0]}`;
  });
  console.log(
    `${name}: ${count.requests} requests, ${(count.bytes / 1e6).toFixed(2)} MB, ${seconds} s; ${kinds.join('; ')}`,
  );
}
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const one = emptyCache();
console.log(`\n${processes} processes at once`);
await crowd('one empty cache', () => ({ FIN_BASE_URL: url, FIN_CACHE_DIR: one }));
await crowd('the same cache, full', () => ({ FIN_BASE_URL: url, FIN_CACHE_DIR: one }));
await crowd('an empty cache each', () => ({ FIN_BASE_URL: url, FIN_CACHE_DIR: emptyCache() }));
await crowd(
  'the server gone for two seconds',
  () => ({ FIN_BASE_URL: url, FIN_CACHE_DIR: emptyCache() }),
  async () => {
    await pause(2000);
    stop();
    await pause(2000);
    await listen(port);
  },
  ['--retries', '20'],
);
if (another !== undefined) {
  await crowd(
    'the release replaced midway',
    () => ({ FIN_BASE_URL: url, FIN_CACHE_DIR: emptyCache() }),
    async () => {
      while (count.requests < 4 * Number(processes)) await pause(5);
      root = resolve(another);
    },
  );
}
rmSync(work, { recursive: true, force: true });
stop();
