/**
 * Runs many fin processes with one account, by `xargs -P`, against `fin serve`, whose limits file sets the number of
 * requests per window and the length of a window.
 *
 *     npm run bench:crowd -- [--count 1000] [--at-once 64] [--killed 0] [--quota 60] [--seconds 6]
 *     npm run bench:crowd -- --strict [--killed 0.333] [--allowed 50] …
 *
 * With `--strict` the service allows fewer requests than its headers state, sometimes answers 429 with an invalid
 * Retry-After, and is restarted during the run; see strict-crowd.mjs.
 *
 * `--killed` is the share of processes that are killed (SIGKILL) at random. Prints the number of correct answers, the
 * server's refusals, whether permits were given in the order of the queue, the elapsed time compared with the minimum
 * that the windows allow, and the processor time of a waiting process. Run it on an idle machine, because the windows
 * must take longer than starting the node processes.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { runStrictCrowd } from './strict-crowd.mjs';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '1000' },
    'at-once': { type: 'string', default: '64' },
    killed: { type: 'string', default: '0' },
    quota: { type: 'string', default: '60' },
    seconds: { type: 'string', default: '6' },
    strict: { type: 'boolean', default: false },
    allowed: { type: 'string', default: '50' },
  },
});
const [count, atOnce, killed, quota, seconds] = ['count', 'at-once', 'killed', 'quota', 'seconds'].map((name) =>
  Number(values[name]),
);

if (values.strict) {
  const setup = {
    count,
    atOnce,
    killed: killed || 1 / 3,
    quota,
    seconds,
    allowed: Number(values.allowed),
    outage: 2000,
  };
  const { right, killed: dead, wrong, took, demanded, counts, damage } = await runStrictCrowd(setup);
  console.log(`right answers      ${right} of ${count - dead} (${dead} killed)`);
  console.log(`requests           ${counts.counted} counted, at most ${counts.mostRunning} at a time`);
  console.log(
    `refused            ${counts.strict} beyond what the headers said, ${counts.odd} with an odd Retry-After, ${counts.concurrent} beyond 4 at a time`,
  );
  console.log(`time               ${took.toFixed(1)} s; the windows demand ${demanded} s`);
  console.log(`limits and cache   ${damage.length === 0 ? 'whole' : damage.join('\n                   ')}`);
  for (const line of wrong) console.log(line);
  process.exit(right === count - dead && damage.length === 0 ? 0 : 1);
}

const FIN = resolve(import.meta.dirname, '../../bin/fin.js');
const place = mkdtempSync(join(tmpdir(), 'fin-crowd-'));
const [service, home, out] = ['service', 'home', 'out'].map((name) => join(place, name));
for (const directory of [service, home, out]) mkdirSync(directory);
const environment = (of, more = {}) => ({ PATH: process.env.PATH, HOME: of, ...more });

const limits = join(service, 'limits.json');
writeFileSync(limits, JSON.stringify({ default: { minute: quota, month: 1_000_000, concurrent: 4, seconds } }));
const made = execFileSync(process.execPath, [FIN, 'keys', 'create', '--account', 'crowd', '--json'], {
  env: environment(service),
});
const server = spawn(process.execPath, [FIN, 'serve', '--port', '0', '--limits', limits, '--log'], {
  env: environment(service),
});
let log = '';
server.stderr.on('data', (chunk) => {
  log += chunk;
});
const baseUrl = await new Promise((found) => server.stdout.once('data', (chunk) => found(String(chunk).trim())));
const env = environment(home, {
  FIN_API_KEY: JSON.parse(made).key,
  FIN_BASE_URL: baseUrl,
  FIN,
  OUT: out,
  NODE: process.execPath,
});

// The first request returns the correct answer and the account's limits. All processes start at the next window.
const ask = ['metrics', 'AAPL', '--keys', 'revenue', '--no-cache', '--json'];
const right = JSON.stringify(JSON.parse(execFileSync(process.execPath, [FIN, ...ask], { env })).data);
await sleep(seconds * 1000 - (Date.now() % (seconds * 1000)) + 100);
const asked = log.length;

/** Ids of queue entries in the order of the queue; `began` has the times at which entries began to send. */
const taken = [];
const began = new Map();
const offsets = new Map();
const accounts = join(home, '.local/state/fin/limits');
function watch() {
  for (const account of readdirSync(accounts)) {
    const names = readdirSync(join(accounts, account)).filter((name) => name.startsWith('slots.'));
    for (const name of names.sort((a, b) => Number(a.slice(6)) - Number(b.slice(6)))) {
      const text = tryRead(join(accounts, account, name));
      const from = offsets.get(name) ?? 0;
      const end = text.lastIndexOf('\n') + 1;
      for (const line of text.slice(from, end).split('\n')) {
        const [letter, id, time] = line.split(' ');
        if (letter === 'T') taken.push(id);
        if (letter === 'S') began.set(id, Number(time));
        if (letter === 'R' && !began.has(id) && taken.includes(id)) taken.splice(taken.indexOf(id), 1);
      }
      offsets.set(name, Math.max(from, end));
    }
  }
}

function tryRead(file) {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

const script = `
"$NODE" "$FIN" ${ask.join(' ')} > "$OUT/$0" 2> "$OUT/$0.err" & pid=$!
if [ "$1" != 0 ]; then ( sleep "$1"; kill -9 $pid ) 2> /dev/null & fi
{ wait $pid; } 2> /dev/null; echo $? > "$OUT/$0.code"; times > "$OUT/$0.times"`;
const lines = Array.from({ length: count }, (_, index) => {
  const dies = Math.random() < killed;
  return `${index} ${dies ? (0.1 + Math.random() * 3).toFixed(2) : 0}`;
});

const start = Date.now();
const crowd = spawn('xargs', ['-P', String(atOnce), '-n', '2', 'bash', '-c', script], {
  env,
  stdio: ['pipe', 'inherit', 'inherit'],
});
crowd.stdin.end(`${lines.join('\n')}\n`);
const watching = setInterval(watch, 50);
await new Promise((done) => crowd.on('close', done));
const took = (Date.now() - start) / 1000;
clearInterval(watching);
watch();
await sleep(500);

const read = (name) => tryRead(join(out, name));
const codes = lines.map((_, index) => read(`${index}.code`).trim());
const rightOnes = lines.filter((_, index) => {
  if (codes[index] !== '0') return false;
  return JSON.stringify(JSON.parse(read(`${index}`)).data) === right;
}).length;
const dead = codes.filter((code) => code === '137').length;
const statuses = [...log.slice(asked).matchAll(/"target":"[^"]*","status":(\d+)/g)].map(([, status]) => status);
const refused = statuses.filter((status) => status === '429').length;
// Every window, including the first, allows its full quota immediately.
const demand = Math.floor((statuses.length - 1) / quota) * seconds;
const placeOf = new Map(taken.map((id, index) => [id, index]));
const places = [...began.keys()]
  .sort((a, b) => began.get(a) - began.get(b))
  .map((id) => placeOf.get(id))
  .filter((at) => at !== undefined);
// Four entries may send at the same time, and each starts at the next poll of its process. So an entry may start before
// an entry that is up to three places ahead in the queue.
const jumps = places.map((at, index) => at - Math.min(at, ...places.slice(index + 1)));
const overtaken = jumps.filter((jump) => jump > 3).length;
const cpu = lines.map((_, index) => {
  const children = /^(\d+)m([\d.]+)s (\d+)m([\d.]+)s$/.exec(read(`${index}.times`).trim().split('\n')[1] ?? '');
  return children === null
    ? 0
    : children.slice(1).reduce((sum, part, at) => sum + Number(part) * (at % 2 === 0 ? 60 : 1), 0);
});
const median = cpu.toSorted((a, b) => a - b)[Math.floor(cpu.length / 2)];

console.log(`right answers      ${rightOnes} of ${count - dead} (${dead} killed)`);
console.log(`requests, refused  ${statuses.length}, ${refused} with 429`);
console.log(
  `order              ${overtaken} of ${places.length} turns begun more than 3 places early, at most ${Math.max(0, ...jumps)}`,
);
console.log(`time               ${took.toFixed(1)} s; the windows demand ${demand} s`);
console.log(`CPU a process      ${median?.toFixed(2)} s in the median, its start included`);
for (const [index, code] of codes.entries()) {
  if (code !== '0' && code !== '137')
    console.log(`process ${index} ended with ${code}: ${read(`${index}.err`).trim()}`);
}
server.kill('SIGTERM');
rmSync(place, { recursive: true, force: true });
process.exitCode = rightOnes === count - dead && refused === 0 ? 0 : 1;
