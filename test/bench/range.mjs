/**
 * Measures questions to a release on a static host: node test/bench/range.mjs [release] [published] [processes] [runs]
 * [ticker] [other published]
 *
 * Publishes the release (a directory; the sample by default) with `fin data publish` unless it is already published,
 * serves it with a plain file server, and runs the built `fin` (npm run build first). Prints the milliseconds of six
 * questions with an empty cache, with a full cache, with local:, and with fin serve. Then runs many concurrent
 * processes: normally, while the server is briefly stopped, and while the served files are replaced by those of
 * another published release, if given.
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

const finScript = resolve(import.meta.dirname, '../../bin/fin.js');
const sampleReleasesDirectory = resolve(import.meta.dirname, '../../src/store/sample');
const [releaseArgument, publishedArgument, processCount = '200', runCount = '5', ticker = 'AAPL', otherRoot] =
  process.argv.slice(2);
const releaseDirectory = resolve(
  releaseArgument ??
    join(
      sampleReleasesDirectory,
      readdirSync(sampleReleasesDirectory).find((name) => /^\d{4}-/.test(name)),
    ),
);
const workDirectory = mkdtempSync(join(tmpdir(), 'fin-bench-range-'));
let servedRoot =
  publishedArgument === undefined || publishedArgument === ''
    ? join(workDirectory, 'root')
    : resolve(publishedArgument);
const baseEnv = { PATH: process.env.PATH, HOME: workDirectory };
if (servedRoot.startsWith(workDirectory)) {
  const publisherDataDirectory = join(workDirectory, 'data');
  mkdirSync(join(publisherDataDirectory, 'releases'), { recursive: true });
  cpSync(releaseDirectory, join(publisherDataDirectory, 'releases', basename(releaseDirectory)), { recursive: true });
  const { status, stderr } = spawnSync(process.execPath, [finScript, 'data', 'publish', servedRoot], {
    env: { ...baseEnv, FIN_DATA_DIR: publisherDataDirectory },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
}

const traffic = { requests: 0, bytes: 0 };
let delayMs = 0;
const sockets = new Set();
const respond = async (request, response) => {
  traffic.requests += 1;
  if (delayMs > 0) await new Promise((done) => setTimeout(done, delayMs));
  const file = join(servedRoot, new URL(request.url, 'http://host').pathname);
  const fileStats = statSync(file, { throwIfNoEntry: false });
  if (fileStats?.isFile() !== true) return response.writeHead(404).end();
  const etag = `"${fileStats.size}-${fileStats.mtimeMs}"`;
  if (request.headers['if-none-match'] === etag) return response.writeHead(304, { etag }).end();
  const rangeMatch = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
  const [start, end] = rangeMatch === null ? [0, fileStats.size - 1] : [Number(rangeMatch[1]), Number(rangeMatch[2])];
  traffic.bytes += end - start + 1;
  const rangeHeaders = rangeMatch === null ? {} : { 'content-range': `bytes ${start}-${end}/${fileStats.size}` };
  response.writeHead(rangeMatch === null ? 200 : 206, { etag, 'content-length': end - start + 1, ...rangeHeaders });
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
const stopServer = () => {
  server.close();
  for (const socket of sockets) socket.destroy();
};
const baseUrl = `http://127.0.0.1:${port}`;

const runFin = (args, env) =>
  new Promise((done) => {
    const child = spawn(process.execPath, [finScript, ...args], { env: { ...baseEnv, ...env } });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk) => (out += chunk));
    child.stderr.on('data', (chunk) => (err += chunk));
    child.stdin.end();
    child.on('close', (code) => done({ code, out, err }));
  });
let cacheCount = 0;
const makeCacheDirectoryPath = () => join(workDirectory, `cache-${cacheCount++}`);
const computeMedian = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1];

const QUESTION_ARGS = [
  ['metrics', ticker],
  ['metrics', ticker, '--period', 'annual'],
  ['filings', ticker],
  ['prices', ticker],
  ['screen', '--where', 'revenue:gt:1000000000', '--columns', 'revenue'],
  ['search', 'bank'],
];
const localDataDirectory = join(workDirectory, 'local');
mkdirSync(join(localDataDirectory, 'releases'), { recursive: true });
symlinkSync(releaseDirectory, join(localDataDirectory, 'releases', basename(releaseDirectory)));
writeFileSync(join(localDataDirectory, 'releases/current'), basename(releaseDirectory));
// The data directory has a link to the release instead of a copy. `fin data status` does not list linked releases, but
// a link can be the release in use.
const localEnv = { FIN_DATA_DIR: localDataDirectory, FIN_BASE_URL: 'local:' };
const serviceProcess = spawn(process.execPath, [finScript, 'serve', '--port', '0', '--no-auth'], {
  env: { ...baseEnv, ...localEnv },
});
const serviceUrl = await new Promise((resolveUrl) =>
  serviceProcess.stdout.once('data', (chunk) => resolveUrl(String(chunk).trim())),
);

console.log(`${basename(releaseDirectory)}, ms, median of ${runCount}\n`);
console.log('question                        local:  cold, 0 ms  50 ms  requests  KB  warm  50 ms  serve, cold  warm');
for (const questionArgs of QUESTION_ARGS) {
  const timeQuestion = async (env) => {
    const startTime = performance.now();
    const { code, err } = await runFin([...questionArgs, '--json'], env);
    if (code !== 0) throw new Error(err);
    return performance.now() - startTime;
  };
  const timesByColumn = { local: [], cold0: [], cold50: [], warm0: [], warm50: [], served: [], servedWarm: [] };
  let coldTrafficCells = '';
  for (let round = 0; round < Number(runCount); round += 1) {
    timesByColumn.local.push(await timeQuestion(localEnv));
    for (const [roundTripMs, coldColumn, warmColumn] of [
      [0, 'cold0', 'warm0'],
      [50, 'cold50', 'warm50'],
    ]) {
      delayMs = roundTripMs;
      const env = { FIN_BASE_URL: baseUrl, FIN_CACHE_DIR: makeCacheDirectoryPath() };
      [traffic.requests, traffic.bytes] = [0, 0];
      timesByColumn[coldColumn].push(await timeQuestion(env));
      coldTrafficCells = [traffic.requests, Math.ceil(traffic.bytes / 1000)];
      timesByColumn[warmColumn].push(await timeQuestion(env));
    }
    const env = { FIN_BASE_URL: serviceUrl, FIN_CACHE_DIR: makeCacheDirectoryPath() };
    timesByColumn.served.push(await timeQuestion(env));
    timesByColumn.servedWarm.push(await timeQuestion(env));
  }
  const [a, b, c, d, e, f, g] = Object.values(timesByColumn).map((times) => String(Math.round(computeMedian(times))));
  console.log([questionArgs.join(' ').slice(0, 30).padEnd(30), a, b, c, ...coldTrafficCells, d, e, f, g].join('  '));
}
serviceProcess.kill();
delayMs = 0;

/** Runs many processes concurrently; prints the traffic, the time, and the number of processes with each answer. */
async function runConcurrently(name, makeEnv, disturbServer = () => undefined, extraArgs = []) {
  [traffic.requests, traffic.bytes] = [0, 0];
  const startTime = performance.now();
  const processPromises = Array.from({ length: Number(processCount) }, (_, index) =>
    runFin(['metrics', ticker, '--json', ...extraArgs], makeEnv(index)),
  );
  await disturbServer();
  const processResults = await Promise.all(processPromises);
  const secondsText = ((performance.now() - startTime) / 1000).toFixed(1);
  const countByAnswer = new Map();
  for (const { code, out, err } of processResults) {
    const { data, meta } = code === 0 ? JSON.parse(out) : {};
    const key = code === 0 ? JSON.stringify([meta.release.stamp, data]) : `exit ${code}: ${err.split('\n')[0]}`;
    countByAnswer.set(key, (countByAnswer.get(key) ?? 0) + 1);
  }
  const answerTexts = [...countByAnswer].map(([key, answerCount]) => {
    return `${answerCount} × ${key.startsWith('exit') ? key : JSON.parse(key)[0]}`;
  });
  console.log(
    `${name}: ${traffic.requests} requests, ${(traffic.bytes / 1e6).toFixed(2)} MB, ${secondsText} s; ${answerTexts.join('; ')}`,
  );
}
const pause = (ms) => new Promise((done) => setTimeout(done, ms));
const sharedCacheDirectory = makeCacheDirectoryPath();
console.log(`\n${processCount} concurrent processes`);
await runConcurrently('one empty cache', () => ({ FIN_BASE_URL: baseUrl, FIN_CACHE_DIR: sharedCacheDirectory }));
await runConcurrently('the same cache, full', () => ({ FIN_BASE_URL: baseUrl, FIN_CACHE_DIR: sharedCacheDirectory }));
await runConcurrently('an empty cache each', () => ({
  FIN_BASE_URL: baseUrl,
  FIN_CACHE_DIR: makeCacheDirectoryPath(),
}));
await runConcurrently(
  'the server stopped for two seconds',
  () => ({ FIN_BASE_URL: baseUrl, FIN_CACHE_DIR: makeCacheDirectoryPath() }),
  async () => {
    await pause(2000);
    stopServer();
    await pause(2000);
    await listen(port);
  },
  ['--retries', '20'],
);
if (otherRoot !== undefined) {
  await runConcurrently(
    'the release replaced during the run',
    () => ({ FIN_BASE_URL: baseUrl, FIN_CACHE_DIR: makeCacheDirectoryPath() }),
    async () => {
      while (traffic.requests < 4 * Number(processCount)) await pause(5);
      servedRoot = resolve(otherRoot);
    },
  );
}
rmSync(workDirectory, { recursive: true, force: true });
stopServer();
