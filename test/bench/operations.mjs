/**
 * Measures every operation of `fin serve`, cold and hot, compared with a plain node:http server:
 * node test/bench/operations.mjs [data directory] [questions] [seconds]
 *
 * Cold: the given number of different questions per operation, four concurrently, without repetition (npm run build
 * first; the sample by default). The same number of other questions precedes them while V8 compiles; only their rate is
 * printed, as "first". Hot: one question repeatedly. Prints for cold and hot the requests per elapsed second and per
 * second of the server's processor time, which varies less on a busy machine; the 50th and 99th percentile in
 * milliseconds; and the server's start-up time and memory.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Agent, request } from 'undici';
import { questionsOf } from './questions.mjs';

const [directory, questions = '100', seconds = '1'] = process.argv.slice(2);
const root = resolve(import.meta.dirname, '../..');
const CONNECTIONS = 4;
/** Status of an answer that exceeded the deadline of the service. */
const TIMEOUT = 504;
/** Clock ticks per second, the unit of times in /proc. */
const TICKS_A_SECOND = 100;

const BARE = `
  require('node:http').createServer((_, response) => response.end('{"data":[]}'))
    .listen(0, '127.0.0.1', function () { console.log('http://127.0.0.1:' + this.address().port); });
`;

const HOME = mkdtempSync(join(tmpdir(), 'fin-bench-'));
const env = { PATH: process.env.PATH, HOME, ...(directory === undefined ? {} : { FIN_DATA_DIR: resolve(directory) }) };

/** Starts a server that prints its address as the first line of its output. */
async function start(...args) {
  const begun = performance.now();
  const child = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'pipe', 'ignore'] });
  const url = await new Promise((found, failed) => {
    child.stdout.once('data', (text) => found(String(text).split('\n')[0]));
    child.once('exit', (code) => failed(new Error(`${args[0]} ended with ${code}`)));
  });
  return { child, url, milliseconds: performance.now() - begun };
}

/** Returns the seconds of processor time used so far: user and system time of all threads (proc(5)). */
function used({ child }) {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ').at(-1).split(' ');
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}

const memory = ({ child }) => {
  const status = readFileSync(`/proc/${child.pid}/status`, 'utf8');
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
};

const agent = new Agent({ connections: CONNECTIONS });

async function ask({ url }, path) {
  const { statusCode, body } = await request(url + path, { dispatcher: agent });
  const text = await body.text();
  if (![200, 404, TIMEOUT].includes(statusCode)) throw new Error(`${path}: ${text}`);
  return { text, isLate: statusCode === TIMEOUT };
}

/** Sends requests until `next` returns no path. */
async function load(server, next) {
  const times = [];
  let late = 0;
  const [cpu, begun] = [used(server), performance.now()];
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      for (let path = next(); path !== null; path = next()) {
        const start = performance.now();
        late += Number((await ask(server, path)).isLate);
        times.push(performance.now() - start);
      }
    }),
  );
  times.sort((a, b) => a - b);
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))];
  return {
    rate: (times.length / (performance.now() - begun)) * 1000,
    // Uses at least one tick, because processor time is measured in coarse ticks.
    perSecond: times.length / Math.max(used(server) - cpu, 1 / TICKS_A_SECOND),
    ...{ p50: at(0.5), p99: at(0.99), late },
  };
}

function counted(count, next) {
  let asked = 0;
  return () => (asked++ < count ? next() : null);
}

function until(end, path) {
  return () => (performance.now() < end ? path : null);
}

const hot = (server, path) => load(server, until(performance.now() + Number(seconds) * 1000, path));

const bare = await start('-e', BARE);
const fin = await start('bin/fin.js', 'serve', '--port', '0', '--no-auth');
const atStart = memory(fin);
await hot(bare, '/');
const floor = await hot(bare, '/');

const operations = await questionsOf(async (path) => JSON.parse((await ask(fin, path)).text).data ?? []);
const figures = (run) =>
  [run.rate.toFixed(0), run.perSecond.toFixed(0), run.p50.toFixed(1), run.p99.toFixed(1)].map((text) =>
    text.padStart(9),
  );
const head = ['by clock', 'by cpu', 'p50', 'p99'].map((text) => text.padStart(9)).join('');
console.log(`${'a second, ms'.padEnd(24)}   first${head}    ${head}   of bare`);
for (const [name, next] of Object.entries(operations)) {
  const first = await load(fin, counted(Number(questions), next));
  const cold = await load(fin, counted(Number(questions), next));
  const path = next();
  await ask(fin, path);
  const run = await hot(fin, path);
  const ratio = (run.perSecond / floor.perSecond).toFixed(2);
  const tooLate = first.late + cold.late;
  const late = tooLate === 0 ? '' : `  ${tooLate} took too long`;
  const compiling = first.perSecond.toFixed(0).padStart(8);
  console.log(
    `${name.padEnd(24)}${compiling}${figures(cold).join('')}    ${figures(run).join('')}  ${ratio.padStart(8)}${late}`,
  );
}
console.log(`${'bare node:http'.padEnd(24)}${' '.repeat(48)}${figures(floor).join('')}`);
console.log(
  `\nfirst line after ${fin.milliseconds.toFixed(0)} ms (bare ${bare.milliseconds.toFixed(0)} ms); ` +
    `memory ${atStart.toFixed(0)} MB at the start, ${memory(fin).toFixed(0)} MB at the end (bare ${memory(bare).toFixed(0)} MB)`,
);
await agent.close();
for (const { child } of [bare, fin]) child.kill();
