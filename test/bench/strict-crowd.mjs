/**
 * Runs many fin processes with one account, killing some at random, against a service whose limits are lower than
 * stated and which is restarted during the run. Then checks that the files of limits and the cached responses are
 * intact.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startStrictService } from './strict-service.mjs';

const FIN = resolve(import.meta.dirname, '../../bin/fin.js');
/** Milliseconds until the concurrency slot of a killed process is free again. */
const GRACE = 3500;

/**
 * @typedef {{ count: number, atOnce: number, killed: number, quota: number, allowed: number, seconds: number, outage: number }} CrowdSetup
 * `killed` is a share; `quota` and `allowed` are the stated and the actual number of requests per window; `outage` is
 * in milliseconds.
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
  const fin = (/** @type {string[]} */ args, /** @type {number | null} */ killAfter = null) => {
    const child = spawn(process.execPath, [FIN, ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk) => {
      out += chunk;
    });
    child.stderr.on('data', (chunk) => {
      err += chunk;
    });
    const timer = killAfter === null ? undefined : setTimeout(() => child.kill('SIGKILL'), killAfter);
    return new Promise(
      (/** @type {(ended: { code: number | null, killed: boolean, out: string, err: string }) => void} */ done) =>
        child.on('close', (code, signal) => {
          clearTimeout(timer);
          done({ code, killed: signal === 'SIGKILL', out, err });
        }),
    );
  };
  const ask = (/** @type {string} */ name, /** @type {string[]} */ more) => ['search', name, '--json', ...more];
  try {
    // The first request returns the limits; all processes start at the next window.
    await fin(ask('first', []));
    const length = seconds * 1000;
    await sleep(length - (Date.now() % length) + 50);
    const before = service.counts.counted;
    const begun = Date.now();
    // A process is killed at any time between its start and the end of the longest wait.
    const longest = 500 + (Math.ceil(atOnce / allowed) + 1) * length;
    const ended = new Map();
    let next = 0;
    /** @type {Promise<void> | null} */
    let restart = null;
    const work = async () => {
      for (let index = next++; index < count; index = next++) {
        if (ended.size >= count / 2) restart ??= service.restart(outage);
        const dies = index % Math.round(1 / killed) === 0;
        const name = `company ${index}`;
        ended.set(name, await fin(ask(name, ['--retries', '20']), dies ? 50 + Math.random() * longest : null));
      }
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    const took = (Date.now() - begun) / 1000;
    await restart;
    await sleep(GRACE);
    const answered = [...ended].filter(([, { code }]) => code === 0);
    const wrong = [...ended].flatMap(([name, end]) => {
      if (end.killed) return [];
      const right = end.code === 0 && JSON.parse(end.out).data[0].entity_name === name;
      return right ? [] : [`${name} ended with ${end.code}: ${end.err}${end.out}`];
    });
    const { counted } = service.counts;
    return {
      right: answered.filter(([, { killed: dead }]) => !dead).length,
      killed: [...ended.values()].filter((end) => end.killed).length,
      wrong,
      took,
      /** Minimum seconds that the allowed requests per window and the outage require. */
      demanded: Math.floor((counted - before - 1) / allowed) * seconds + outage / 1000,
      counts: service.counts,
      damage: await findDamage(fin, home, answered, service),
    };
  } finally {
    await service.stop();
    rmSync(home, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }
}

/**
 * Returns the faults as sentences: faults of the limiter's log and counts, and of the cached responses.
 *
 * @param {(args: string[]) => Promise<{ code: number | null, out: string, err: string }>} fin
 * @param {string} home
 * @param {[string, { out: string }][]} answered
 * @param {{ counts: { counted: number }, month: number }} service
 */
async function findDamage(fin, home, answered, service) {
  const damage = [];
  const limits = join(home, '.local/state/fin/limits');
  for (const account of readdirSync(limits)) {
    for (const name of readdirSync(join(limits, account))) {
      const text = readFileSync(join(limits, account, name), 'latin1');
      if (name.endsWith('.tmp')) damage.push(`${name} was left behind.`);
      if (/^(slots|minute)\./.test(name)) {
        for (const line of text.split('\n').slice(0, -1)) {
          if (!/^([TSPBDR] [0-9a-z.]+( [0-9a-z-]+)*|[LX] \d+)$/.test(line))
            damage.push(`${name} has the line "${line}".`);
        }
      }
    }
  }
  const sample = answered.filter((_, index) => index % Math.ceil(answered.length / 10) === 0);
  for (const [name, { out }] of sample) {
    const again = await fin(['search', name, '--json', '--offline']);
    if (again.code !== 0 || again.out !== out) damage.push(`${name} is not cached as it was answered: ${again.err}`);
  }
  // One more response sets the month's count to the count of the service.
  const last = await fin(['search', 'last', '--json', '--retries', '20']);
  if (last.code !== 0) damage.push(`A question afterwards ended with ${last.code}: ${last.err}`);
  /** @type {{ limit: string, used: number }[]} */
  const quota = JSON.parse((await fin(['quota', '--json'])).out);
  const used = (/** @type {string} */ limit) => quota.find((line) => line.limit === limit)?.used ?? Number.NaN;
  if (used('concurrent') !== 0) damage.push(`${used('concurrent')} slots are still taken.`);
  const off = used('month') - service.counts.counted;
  // A difference of up to 16 is allowed, because requests may still be in progress.
  if (!(Math.abs(off) <= 16)) damage.push(`The month's count is off by ${off}.`);
  return damage;
}
