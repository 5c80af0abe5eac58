/**
 * Runs many fin processes with one account, by `xargs -P`, against `fin serve`, whose limits file sets the number of
 * requests per window and the length of a window.
 *
 *     npm run bench:crowd -- [--count 1000] [--at-once 64] [--killed 0] [--quota 60] [--seconds 6]
 *     npm run bench:crowd -- --strict [--killed 0.333] [--allowed 50] …
 *
 * With `--strict` the service allows fewer requests per window (`--allowed`) than its headers state (`--quota`),
 * sometimes answers 429 with an invalid Retry-After, and is restarted during the run; see strict-crowd.mjs.
 *
 * `--killed` is the share of processes that are killed (SIGKILL) at random. Prints the number of correct answers, the
 * server's refusals, whether requests started in the order of the queue, the elapsed time and the minimum that the
 * windows allow, and the median processor time of a process. Run it on an idle machine, because the windows must take
 * longer than starting the node processes.
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
const [processCount, atOnce, killedShare, quota, seconds] = ['count', 'at-once', 'killed', 'quota', 'seconds'].map(
  (name) => Number(values[name]),
);

if (values.strict) {
  const crowdOptions = {
    count: processCount,
    atOnce,
    killed: killedShare || 1 / 3,
    quota,
    seconds,
    allowed: Number(values.allowed),
    outage: 2000,
  };
  const { correctCount, killedCount, faults, elapsedSeconds, minimumSeconds, counts, damage } =
    await runStrictCrowd(crowdOptions);
  console.log(`correct answers    ${correctCount} of ${processCount - killedCount} (${killedCount} killed)`);
  console.log(`requests           ${counts.counted} allowed, at most ${counts.mostRunning} concurrent`);
  console.log(
    `refused            ${counts.overLimit} beyond the actual limit, ${counts.invalidRetryAfter} with an invalid Retry-After, ${counts.concurrent} beyond 4 concurrent requests`,
  );
  console.log(`time               ${elapsedSeconds.toFixed(1)} s; the windows require at least ${minimumSeconds} s`);
  console.log(`limits and cache   ${damage.length === 0 ? 'intact' : damage.join('\n                   ')}`);
  for (const fault of faults) console.log(fault);
  process.exit(correctCount === processCount - killedCount && damage.length === 0 ? 0 : 1);
}

const FIN_SCRIPT = resolve(import.meta.dirname, '../../bin/fin.js');
const workDirectory = mkdtempSync(join(tmpdir(), 'fin-crowd-'));
const [serviceHome, clientHome, outputDirectory] = ['service', 'home', 'out'].map((name) => join(workDirectory, name));
for (const directory of [serviceHome, clientHome, outputDirectory]) mkdirSync(directory);
const makeEnvironment = (homeDirectory, extra = {}) => ({ PATH: process.env.PATH, HOME: homeDirectory, ...extra });

const limitsFile = join(serviceHome, 'limits.json');
writeFileSync(limitsFile, JSON.stringify({ default: { minute: quota, month: 1_000_000, concurrent: 4, seconds } }));
const keyOutput = execFileSync(process.execPath, [FIN_SCRIPT, 'keys', 'create', '--account', 'crowd', '--json'], {
  env: makeEnvironment(serviceHome),
});
const server = spawn(process.execPath, [FIN_SCRIPT, 'serve', '--port', '0', '--limits', limitsFile, '--log'], {
  env: makeEnvironment(serviceHome),
});
let serviceLog = '';
server.stderr.on('data', (chunk) => {
  serviceLog += chunk;
});
const baseUrl = await new Promise((resolveUrl) =>
  server.stdout.once('data', (chunk) => resolveUrl(String(chunk).trim())),
);
const env = makeEnvironment(clientHome, {
  FIN_API_KEY: JSON.parse(keyOutput).key,
  FIN_BASE_URL: baseUrl,
  FIN: FIN_SCRIPT,
  OUT: outputDirectory,
  NODE: process.execPath,
});

// The first request returns the expected answer and the account's limits. All processes start with the next window.
const questionArgs = ['metrics', 'AAPL', '--keys', 'revenue', '--no-cache', '--json'];
const expectedData = JSON.stringify(
  JSON.parse(execFileSync(process.execPath, [FIN_SCRIPT, ...questionArgs], { env })).data,
);
await sleep(seconds * 1000 - (Date.now() % (seconds * 1000)) + 100);
const runLogOffset = serviceLog.length;

/** Ids of queue entries in the order of the queue. */
const queuedIds = [];
/** Times at which queue entries began to send, by id. */
const startTimeById = new Map();
/** Number of characters already read, by file of the queue. */
const offsetByFile = new Map();
const limiterDirectory = join(clientHome, '.local/state/fin/limits');
/** Reads the lines added to the limiter's queue files since the last call. */
function readQueueFiles() {
  for (const account of readdirSync(limiterDirectory)) {
    const fileNames = readdirSync(join(limiterDirectory, account)).filter((name) => name.startsWith('slots.'));
    for (const name of fileNames.sort((a, b) => Number(a.slice(6)) - Number(b.slice(6)))) {
      const text = readOrEmpty(join(limiterDirectory, account, name));
      const offset = offsetByFile.get(name) ?? 0;
      const endOffset = text.lastIndexOf('\n') + 1;
      for (const line of text.slice(offset, endOffset).split('\n')) {
        const [letter, id, time] = line.split(' ');
        if (letter === 'T') queuedIds.push(id);
        if (letter === 'S') startTimeById.set(id, Number(time));
        if (letter === 'R' && !startTimeById.has(id) && queuedIds.includes(id))
          queuedIds.splice(queuedIds.indexOf(id), 1);
      }
      offsetByFile.set(name, Math.max(offset, endOffset));
    }
  }
}

function readOrEmpty(file) {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}

const processScript = `
"$NODE" "$FIN" ${questionArgs.join(' ')} > "$OUT/$0" 2> "$OUT/$0.err" & pid=$!
if [ "$1" != 0 ]; then ( sleep "$1"; kill -9 $pid ) 2> /dev/null & fi
{ wait $pid; } 2> /dev/null; echo $? > "$OUT/$0.code"; times > "$OUT/$0.times"`;
const xargsLines = Array.from({ length: processCount }, (_, index) => {
  const isKilled = Math.random() < killedShare;
  return `${index} ${isKilled ? (0.1 + Math.random() * 3).toFixed(2) : 0}`;
});

const startTime = Date.now();
const xargsProcess = spawn('xargs', ['-P', String(atOnce), '-n', '2', 'bash', '-c', processScript], {
  env,
  stdio: ['pipe', 'inherit', 'inherit'],
});
xargsProcess.stdin.end(`${xargsLines.join('\n')}\n`);
const pollTimer = setInterval(readQueueFiles, 50);
await new Promise((done) => xargsProcess.on('close', done));
const elapsedSeconds = (Date.now() - startTime) / 1000;
clearInterval(pollTimer);
readQueueFiles();
await sleep(500);

const readOutput = (name) => readOrEmpty(join(outputDirectory, name));
const exitCodes = xargsLines.map((_, index) => readOutput(`${index}.code`).trim());
const correctCount = xargsLines.filter((_, index) => {
  if (exitCodes[index] !== '0') return false;
  return JSON.stringify(JSON.parse(readOutput(`${index}`)).data) === expectedData;
}).length;
const killedCount = exitCodes.filter((code) => code === '137').length;
const responseStatuses = [...serviceLog.slice(runLogOffset).matchAll(/"target":"[^"]*","status":(\d+)/g)].map(
  ([, status]) => status,
);
const refusedCount = responseStatuses.filter((status) => status === '429').length;
// Every window, including the first, allows its full quota at its start.
const minimumSeconds = Math.floor((responseStatuses.length - 1) / quota) * seconds;
const positionById = new Map(queuedIds.map((id, index) => [id, index]));
const positionsInStartOrder = [...startTimeById.keys()]
  .sort((a, b) => startTimeById.get(a) - startTimeById.get(b))
  .map((id) => positionById.get(id))
  .filter((position) => position !== undefined);
// Four entries may send at the same time, and each starts at the next poll of its process. So an entry may start before
// an entry that is up to three places ahead in the queue.
const placesBeforeTurn = positionsInStartOrder.map(
  (position, index) => position - Math.min(position, ...positionsInStartOrder.slice(index + 1)),
);
const earlyStartCount = placesBeforeTurn.filter((placeCount) => placeCount > 3).length;
const cpuSecondsOfProcesses = xargsLines.map((_, index) => {
  const childTimesMatch = /^(\d+)m([\d.]+)s (\d+)m([\d.]+)s$/.exec(
    readOutput(`${index}.times`).trim().split('\n')[1] ?? '',
  );
  return childTimesMatch === null
    ? 0
    : childTimesMatch.slice(1).reduce((sum, part, at) => sum + Number(part) * (at % 2 === 0 ? 60 : 1), 0);
});
const medianCpuSeconds = cpuSecondsOfProcesses.toSorted((a, b) => a - b)[Math.floor(cpuSecondsOfProcesses.length / 2)];

console.log(`correct answers    ${correctCount} of ${processCount - killedCount} (${killedCount} killed)`);
console.log(`requests           ${responseStatuses.length}, of which ${refusedCount} were refused with 429`);
console.log(
  `order              ${earlyStartCount} of ${positionsInStartOrder.length} requests started more than 3 places before their turn; the maximum is ${Math.max(0, ...placesBeforeTurn)} places`,
);
console.log(`time               ${elapsedSeconds.toFixed(1)} s; the windows require at least ${minimumSeconds} s`);
console.log(`CPU per process    ${medianCpuSeconds?.toFixed(2)} s (median, including the start of the process)`);
for (const [index, code] of exitCodes.entries()) {
  if (code !== '0' && code !== '137')
    console.log(`process ${index} exited with ${code}: ${readOutput(`${index}.err`).trim()}`);
}
server.kill('SIGTERM');
rmSync(workDirectory, { recursive: true, force: true });
process.exitCode = correctCount === processCount - killedCount && refusedCount === 0 ? 0 : 1;
