/**
 * Runs many fin processes with one account against a service that allows fewer requests than it states. Kills some of
 * the processes at random times, and restarts the service during the run. Then checks that the rate limiter's files and
 * the cached responses are intact.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startStrictService } from './strict-service.mjs';

const FIN_SCRIPT = resolve(import.meta.dirname, '../../bin/fin.js');
/**
 * Maximum milliseconds until all concurrency slots are free again. The slot of a killed process stays taken for some
 * seconds after another process has noticed its death, which may be the last process of the run.
 */
const MAX_SLOT_WAIT_MS = 30_000;

/**
 * @typedef {{ count: number, atOnce: number, killed: number, quota: number, allowed: number, seconds: number, outage:
 * number }} CrowdSetup `count` processes run, `atOnce` of them concurrently; `killed` is the share of killed processes.
 * `quota` is the stated and `allowed` the actual number of requests per window of `seconds`; `outage` is in
 * milliseconds.
 */

/** @param {CrowdSetup} setup */
export async function runStrictCrowd({ count, atOnce, killed, quota, allowed, seconds, outage }) {
  const service = await startStrictService({ quota, allowed, seconds });
  const home = mkdtempSync(join(tmpdir(), 'fin-crowd-'));
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: home,
    FIN_BASE_URL: service.baseUrl,
    FIN_API_KEY: `svc_${'k'.repeat(38)}`,
  };
  const runFin = (/** @type {string[]} */ args, /** @type {number | null} */ killAfter = null) => {
    const child = spawn(process.execPath, [FIN_SCRIPT, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    const killTimer = killAfter === null ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfter);
    return new Promise(
      (/** @type {(ended: { code: number | null, killed: boolean, out: string, err: string }) => void} */ done) =>
        child.on('close', (code, signal) => {
          clearTimeout(killTimer);
          done({ code, killed: signal === 'SIGKILL', out, err });
        }),
    );
  };
  const makeSearchArgs = (/** @type {string} */ name, /** @type {string[]} */ extraArgs) => [
    'search',
    name,
    '--json',
    ...extraArgs,
  ];
  try {
    // The first response states the limits; all other processes start with the next window.
    await runFin(makeSearchArgs('first', []));
    const windowMs = seconds * 1000;
    await sleep(windowMs - (Date.now() % windowMs) + 50);
    const startRequestCount = service.counts.counted;
    const startTime = Date.now();
    // A process is killed at any time between its start and the end of the longest wait.
    const maxKillDelayMs = 500 + (Math.ceil(atOnce / allowed) + 1) * windowMs;
    const resultByName = new Map();
    let nextIndex = 0;
    /** @type {Promise<void> | null} */
    let restartPromise = null;
    const runRemaining = async () => {
      for (let index = nextIndex++; index < count; index = nextIndex++) {
        if (resultByName.size >= count / 2) restartPromise ??= service.restart(outage);
        const isKilled = index % Math.round(1 / killed) === 0;
        const name = `company ${index}`;
        resultByName.set(
          name,
          await runFin(
            makeSearchArgs(name, ['--retries', '20']),
            isKilled ? 50 + Math.random() * maxKillDelayMs : null,
          ),
        );
      }
    };
    await Promise.all(Array.from({ length: atOnce }, runRemaining));
    const elapsedSeconds = (Date.now() - startTime) / 1000;
    await restartPromise;
    const answeredEntries = [...resultByName].filter(([, { code }]) => code === 0);
    const faults = [...resultByName].flatMap(([name, result]) => {
      if (result.killed) return [];
      const isCorrect = result.code === 0 && JSON.parse(result.out).data[0].entity_name === name;
      return isCorrect ? [] : [`The search for "${name}" exited with ${result.code}: ${result.err}${result.out}`];
    });
    const { counted } = service.counts;
    return {
      correctCount: answeredEntries.filter(([, result]) => !result.killed).length,
      killedCount: [...resultByName.values()].filter((result) => result.killed).length,
      faults,
      elapsedSeconds,
      /** Minimum duration of the run in seconds, given the allowed requests per window and the outage. */
      minimumSeconds: Math.floor((counted - startRequestCount - 1) / allowed) * seconds + outage / 1000,
      counts: service.counts,
      damage: await findDamage(runFin, home, answeredEntries, service),
    };
  } finally {
    await service.stop();
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }
}

/**
 * Returns sentences about faults in the limiter's files and counts, and in the cached responses.
 *
 * @param {(args: string[]) => Promise<{ code: number | null, out: string, err: string }>} fin
 * @param {string} home
 * @param {[string, { out: string }][]} answered
 * @param {{ counts: { counted: number }, month: number }} service
 */
async function findDamage(fin, home, answered, service) {
  const damage = [];
  const limiterDirectory = join(home, '.local/state/fin/limits');
  for (const account of readdirSync(limiterDirectory)) {
    for (const name of readdirSync(join(limiterDirectory, account))) {
      const text = readFileSync(join(limiterDirectory, account, name), 'latin1');
      if (name.endsWith('.tmp')) damage.push(`The temporary file ${name} was not removed.`);
      if (/^(slots|minute)\./.test(name)) {
        for (const line of text.split('\n').slice(0, -1)) {
          if (!/^([TSPBDR] [0-9a-z.]+( [0-9a-z-]+)*|[LX] \d+)$/.test(line))
            damage.push(`The file ${name} has the invalid line "${line}".`);
        }
      }
    }
  }
  const sampledEntries = answered.filter((_, index) => index % Math.ceil(answered.length / 10) === 0);
  for (const [name, { out }] of sampledEntries) {
    const offlineRun = await fin(['search', name, '--json', '--offline']);
    if (offlineRun.code !== 0 || offlineRun.out !== out)
      damage.push(`The cached answer to "${name}" differs from the first answer: ${offlineRun.err}`);
  }
  // One more response sets the limiter's count of the month to the count that the service reports.
  const finalSearch = await fin(['search', 'last', '--json', '--retries', '20']);
  if (finalSearch.code !== 0)
    damage.push(`A request after the run exited with ${finalSearch.code}: ${finalSearch.err}`);
  const usedSlots = await waitForFreeSlots(fin);
  if (usedSlots !== 0) damage.push(`After the run, the number of used concurrency slots is ${usedSlots} instead of 0.`);
  const difference = (await readUsedCount(fin, 'month')) - service.counts.counted;
  // A difference of up to 16 is allowed, because requests may still be in progress.
  if (!(Math.abs(difference) <= 16))
    damage.push(`The limiter's count of the month differs from the service's count by ${difference}.`);
  return damage;
}

/**
 * Returns the number of used concurrency slots: 0 as soon as all are free.
 *
 * @param {(args: string[]) => Promise<{ out: string }>} fin
 */
async function waitForFreeSlots(fin) {
  const deadline = Date.now() + MAX_SLOT_WAIT_MS;
  let usedSlots = await readUsedCount(fin, 'concurrent');
  while (usedSlots !== 0 && Date.now() < deadline) {
    await sleep(250);
    usedSlots = await readUsedCount(fin, 'concurrent');
  }
  return usedSlots;
}

/**
 * @param {(args: string[]) => Promise<{ out: string }>} fin
 * @param {string} limit
 */
async function readUsedCount(fin, limit) {
  /** @type {{ limit: string, used: number }[]} */
  const rows = JSON.parse((await fin(['quota', '--json'])).out);
  return rows.find((row) => row.limit === limit)?.used ?? Number.NaN;
}
