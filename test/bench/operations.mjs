/**
 * Measures every operation of `fin serve`, cold and hot, compared with a plain node:http server:
 * node test/bench/operations.mjs [data directory] [questions] [seconds]
 * Needs `npm run build` first. The default data directory is the sample.
 *
 * Cold: the given number of questions per operation, four concurrently, about different companies, managers or days.
 * Before them, the same number of questions is asked while V8 compiles; only their rate is printed, as "first". Hot:
 * one question repeatedly. Prints for cold and hot the requests per elapsed second and per second of the server's
 * processor time, which varies less on a busy machine; the 50th and 99th percentile in milliseconds; and the server's
 * start-up time and memory.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Agent, request } from 'undici';
import { makePathPickers } from './questions.mjs';

const [directory, questionCount = '100', hotSeconds = '1'] = process.argv.slice(2);
const root = resolve(import.meta.dirname, '../..');
const CONNECTION_COUNT = 4;
/** Status of an answer that exceeded the deadline of the service. */
const TIMEOUT_STATUS = 504;
/** Clock ticks per second, the unit of times in /proc. */
const TICKS_PER_SECOND = 100;

const PLAIN_SERVER_CODE = `
  require('node:http').createServer((_, response) => response.end('{"data":[]}'))
    .listen(0, '127.0.0.1', function () { console.log('http://127.0.0.1:' + this.address().port); });
`;

const HOME = mkdtempSync(join(tmpdir(), 'fin-bench-'));
const env = { PATH: process.env.PATH, HOME, ...(directory === undefined ? {} : { FIN_DATA_DIR: resolve(directory) }) };

/** Starts a server that prints its address as the first line of its output. */
async function startServer(...args) {
  const startTime = performance.now();
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'ignore'] });
  const url = await new Promise((resolveUrl, reject) => {
    child.stdout.once('data', (text) => resolveUrl(String(text).split('\n')[0]));
    child.once('exit', (code) => reject(new Error(`${args[0]} exited with ${code}`)));
  });
  return { child, url, milliseconds: performance.now() - startTime };
}

/** Returns the seconds of processor time used so far: user and system time of all threads (proc(5)). */
function readProcessorSeconds({ child }) {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND;
}

const readMemoryMegabytes = ({ child }) => {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
};

const agent = new Agent({ connections: CONNECTION_COUNT });

async function ask({ url }, path) {
  const { statusCode, body } = await request(url + path, { dispatcher: agent });
  const text = await body.text();
  if (![200, 404, TIMEOUT_STATUS].includes(statusCode)) throw new Error(`${path}: ${text}`);
  return { text, isLate: statusCode === TIMEOUT_STATUS };
}

/** Sends requests until `nextPath` returns null. */
async function measureRequests(server, nextPath) {
  const requestTimesMs = [];
  let timeoutCount = 0;
  const [startProcessorSeconds, startTime] = [readProcessorSeconds(server), performance.now()];
  await Promise.all(
    Array.from({ length: CONNECTION_COUNT }, async () => {
      for (let path = nextPath(); path !== null; path = nextPath()) {
        const requestStart = performance.now();
        timeoutCount += Number((await ask(server, path)).isLate);
        requestTimesMs.push(performance.now() - requestStart);
      }
    }),
  );
  requestTimesMs.sort((a, b) => a - b);
  const findPercentile = (share) =>
    requestTimesMs[Math.min(requestTimesMs.length - 1, Math.floor(requestTimesMs.length * share))];
  return {
    rate: (requestTimesMs.length / (performance.now() - startTime)) * 1000,
    // Divides by at least one tick, because the measured processor time of a few requests may be zero.
    perSecond:
      requestTimesMs.length / Math.max(readProcessorSeconds(server) - startProcessorSeconds, 1 / TICKS_PER_SECOND),
    ...{ p50: findPercentile(0.5), p99: findPercentile(0.99), late: timeoutCount },
  };
}

function makeLimitedPathPicker(count, nextPath) {
  let askedCount = 0;
  return () => (askedCount++ < count ? nextPath() : null);
}

function makeRepeatedPathPicker(endTime, path) {
  return () => (performance.now() < endTime ? path : null);
}

const measureRepeatedRequests = (server, path) =>
  measureRequests(server, makeRepeatedPathPicker(performance.now() + Number(hotSeconds) * 1000, path));

const plainServer = await startServer('-e', PLAIN_SERVER_CODE);
const finServer = await startServer('bin/fin.js', 'serve', '--port', '0', '--no-auth');
const startMegabytes = readMemoryMegabytes(finServer);
await measureRepeatedRequests(plainServer, '/');
const plainRun = await measureRepeatedRequests(plainServer, '/');

const pathPickerByOperation = await makePathPickers(
  async (path) => JSON.parse((await ask(finServer, path)).text).data ?? [],
);
const formatRunCells = (run) =>
  [run.rate.toFixed(0), run.perSecond.toFixed(0), run.p50.toFixed(1), run.p99.toFixed(1)].map((text) =>
    text.padStart(9),
  );
const columnHeadsText = ['by clock', 'by cpu', 'p50', 'p99'].map((text) => text.padStart(9)).join('');
console.log(`${'per second, ms'.padEnd(24)}   first${columnHeadsText}    ${columnHeadsText}  vs plain`);
for (const [name, nextPath] of Object.entries(pathPickerByOperation)) {
  const firstRun = await measureRequests(finServer, makeLimitedPathPicker(Number(questionCount), nextPath));
  const coldRun = await measureRequests(finServer, makeLimitedPathPicker(Number(questionCount), nextPath));
  const path = nextPath();
  await ask(finServer, path);
  const hotRun = await measureRepeatedRequests(finServer, path);
  const ratioText = (hotRun.perSecond / plainRun.perSecond).toFixed(2);
  const timeoutCount = firstRun.late + coldRun.late;
  const timeoutText = timeoutCount === 0 ? '' : `  ${timeoutCount} timed out`;
  const firstRateText = firstRun.perSecond.toFixed(0).padStart(8);
  console.log(
    `${name.padEnd(24)}${firstRateText}${formatRunCells(coldRun).join('')}    ${formatRunCells(hotRun).join('')}  ${ratioText.padStart(8)}${timeoutText}`,
  );
}
console.log(`${'plain node:http'.padEnd(24)}${' '.repeat(48)}${formatRunCells(plainRun).join('')}`);
console.log(
  `\nstarted after ${finServer.milliseconds.toFixed(0)} ms (plain ${plainServer.milliseconds.toFixed(0)} ms); ` +
    `memory ${startMegabytes.toFixed(0)} MB at the start, ${readMemoryMegabytes(finServer).toFixed(0)} MB at the end (plain ${readMemoryMegabytes(plainServer).toFixed(0)} MB)`,
);
await agent.close();
for (const { child } of [plainServer, finServer]) child.kill();
