import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { readLimits } from '../../../src/client/limiter/account-limits.ts';
import { openRateLimiter, type Permit } from '../../../src/client/limiter/rate-limiter.ts';
import { type RequestOutcome, readPauseEnd, recordResponse } from '../../../src/client/limiter/record-response.ts';
import { allowProbe, correctMonthCount, takeTokens } from '../../../src/client/limiter/tokens.ts';
import { findWindowAt, UNKNOWN_CLOCK } from '../../../src/client/limiter/windows.ts';
import type { ClientEvent } from '../../../src/client/request/events.ts';
import { identifyProcess } from '../../../src/platform/processes/liveness.ts';
import { joinQueue } from '../../../src/platform/processes/queue.ts';
import { openDiskFiles, openFilesWithFallback, openMemoryFiles } from '../../../src/platform/processes/shared-files.ts';
import { listen } from '../../listen.ts';
import { bundleScript } from '../helpers/bundle-script.ts';

/** Waits for the next minute if the current minute is about to end, because limits count by calendar minute. */
beforeEach(async () => {
  const msUntilNextMinute = 60_000 - (Date.now() % 60_000);
  if (msUntilNextMinute < 5000) await sleep(msUntilNextMinute + 50);
});

const cleanUpTasks: (() => unknown)[] = [];
afterEach(async () => {
  for (const task of cleanUpTasks.splice(0).reverse()) await task();
});

function makeDirectory(): string {
  const madeDirectory = mkdtempSync(join(tmpdir(), 'fin-limiter-'));
  cleanUpTasks.push(() => rmSync(madeDirectory, { recursive: true, force: true }));
  return madeDirectory;
}

const DAY_MS = 86_400_000;

const makeOutcome = (
  status: number | null,
  headers: Record<string, string> = {},
  overrides: Partial<RequestOutcome> = {},
) => ({
  status,
  headers,
  violated: [],
  sent: Date.now(),
  received: Date.now(),
  isUnderWay: false,
  isUnsent: false,
  ...overrides,
});

const openLimiter = (files = openMemoryFiles(), report: (event: ClientEvent) => void = () => {}, maxWait = 90_000) =>
  openRateLimiter({ files, maxWait, report });

/** Returns the permit, or null if no permit is given within `ms`. */
async function waitForPermit(promise: Promise<Permit>, ms = 150): Promise<Permit | null> {
  return Promise.race([promise, sleep(ms, null)]);
}

/** Milliseconds; an entry that does not start is skipped after a second. */
const LESS_THAN_GRACE_MS = 900;

const POLICY = '"minute";q=5;w=60, "month";q=20000, "concurrent";q=2;qu="concurrent-requests"';

test('there are four concurrency slots at first, then as many as the service states', async () => {
  const limiter = openLimiter();
  const permits = await Promise.all([1, 2, 3, 4].map(() => limiter.admit(null)));
  const fifthPermitPromise = limiter.admit(null);
  expect(await waitForPermit(fifthPermitPromise)).toBeNull();
  permits[0]?.settle(makeOutcome(200, { 'ratelimit-policy': '"minute";q=60;w=60, "concurrent";q=5' }));
  const [, ...otherPermits] = permits;
  await fifthPermitPromise;
  await limiter.admit(null);
  for (const permit of otherPermits) permit.settle(makeOutcome(200));
});

test('a window never grants more tokens than its limit, and tokens of uncounted requests are returned', async () => {
  const events: ClientEvent[] = [];
  const limiter = openLimiter(openMemoryFiles(), (event) => events.push(event), 2 * DAY_MS);
  // A window of a day does not end during the test.
  const headers = { 'ratelimit-policy': '"minute";q=5;w=86400, "concurrent";q=2' };
  (await limiter.admit(null)).settle(makeOutcome(503, headers));
  for (let i = 0; i < 5; i++) (await limiter.admit(null)).settle(makeOutcome(200, headers));
  const controller = new AbortController();
  const sixthPermitPromise = limiter.admit(controller.signal);
  sixthPermitPromise.catch(() => {});
  expect(await waitForPermit(sixthPermitPromise, 700)).toBeNull();
  expect(events).toMatchObject([{ type: 'waiting', for: 'minute' }]);
  controller.abort(new Error('enough'));
  await expect(sixthPermitPromise).rejects.toThrow('enough');
});

test('a wait for a window that would exceed the maximum is an error, also for a request at the back of the queue', async () => {
  const files = openMemoryFiles();
  const headers = { 'ratelimit-policy': '"minute";q=1;w=86400, "concurrent";q=1' };
  // The default limits apply to the first request, because no response has stated others yet.
  for (let i = 0; i < 2; i++) (await openLimiter(files).admit(null)).settle(makeOutcome(200, headers));
  await expect(openLimiter(files, () => {}, 1000).admit(null)).rejects.toMatchObject({
    kind: 'limit',
    message: "The account's limit (1 request in 86400 s) is used up.",
    hint: expect.stringMatching(/^Nothing was sent\. Try again after /),
  });
  const controller = new AbortController();
  const waitingPermitPromise = openLimiter(files, () => {}, 2 * DAY_MS).admit(controller.signal);
  waitingPermitPromise.catch(() => {});
  await expect(openLimiter(files, () => {}, 1000).admit(null)).rejects.toMatchObject({ kind: 'limit' });
  controller.abort();
  // A wait beyond the deadline is not begun either.
  const limiter = openRateLimiter({ files, maxWait: 2 * DAY_MS, deadline: Date.now() + 60_000, report: () => {} });
  await expect(limiter.admit(null)).rejects.toMatchObject({ kind: 'limit' });
});

test('a request that was aborted before it queued is not queued', async () => {
  const limiter = openLimiter(openMemoryFiles(), () => {});
  const headers = { 'ratelimit-policy': '"concurrent";q=1' };
  (await limiter.admit(null)).settle(makeOutcome(200, headers));
  const firstPermit = await limiter.admit(null);
  await expect(limiter.admit(AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
  firstPermit.settle(makeOutcome(200, headers));
  (await limiter.admit(null)).settle(makeOutcome(200, headers));
});

test('requests of other machines count against the limits', async () => {
  const limiter = openLimiter(openMemoryFiles(), () => {}, 2 * DAY_MS);
  const headers = { 'ratelimit-policy': '"minute";q=60;w=86400', ratelimit: '"minute";r=1;t=1000' };
  (await limiter.admit(null)).settle(makeOutcome(200, headers));
  (await limiter.admit(null)).settle(makeOutcome(200));
  expect(await waitForPermit(limiter.admit(null), 300)).toBeNull();
});

const USED_UP_HEADERS = { 'ratelimit-policy': '"minute";q=60;w=60, "month";q=100', ratelimit: '"month";r=0;t=86400' };

test('once the service refuses the month, requests fail unsent, and the hint names the end of the month', async () => {
  const limiter = openLimiter();
  (await limiter.admit(null)).settle(makeOutcome(200, USED_UP_HEADERS));
  (await limiter.admit(null)).settle(makeOutcome(429, USED_UP_HEADERS, { violated: ['month'] }));
  await expect(limiter.admit(null)).rejects.toMatchObject({
    kind: 'limit',
    message: "The month's 100 requests are used up.",
    hint: expect.stringMatching(/^Nothing was sent\. Try again after .*-01 00:00 UTC\. To ask the service/),
  });
});

test('a header alone does not end the month: one request at a time still asks the service, and a success reopens the month', async () => {
  const files = openMemoryFiles();
  const wrongHeaders = { 'ratelimit-policy': '"month";q=1', ratelimit: '"month";r=0;t=604800' };
  (await openLimiter(files).admit(null)).settle(makeOutcome(200, wrongHeaders));
  const probePermit = await openLimiter(files).admit(null);
  await expect(openLimiter(files).admit(null)).rejects.toMatchObject({ kind: 'limit' });
  probePermit.settle(
    makeOutcome(200, { 'ratelimit-policy': '"month";q=20000', ratelimit: '"month";r=19000;t=604800' }),
  );
  for (let i = 0; i < 5; i++) (await openLimiter(files).admit(null)).settle(makeOutcome(200));
  // One request at a time is still sent if every response reports a used-up month.
  for (let i = 0; i < 50; i++) (await openLimiter(files).admit(null)).settle(makeOutcome(200, wrongHeaders));
});

test('if the month is used up, one request every 15 minutes is sent to ask the service', async () => {
  const files = openMemoryFiles();
  const now = Date.now();
  const limits = {
    quotas: { concurrent: 4, minute: 5000, minuteLength: 60_000, month: 1 },
    clock: UNKNOWN_CLOCK,
    shift: 0,
  };
  const takeTokensAt = (at: number) =>
    takeTokens(files, `r${at}`, limits, findWindowAt(at, 60_000, UNKNOWN_CLOCK, 0), at);
  expect(takeTokensAt(now)).toMatchObject({ isProbe: false });
  expect(takeTokensAt(now)).toMatchObject({ isProbe: true });
  const attempts = Array.from({ length: 1000 }, () => () => takeTokensAt(now));
  for (const attempt of attempts) expect(attempt).toThrow(/used up/);
  expect(takeTokensAt(now + 15 * 60_000)).toMatchObject({ isProbe: true });
  expect(() => takeTokensAt(now + 15 * 60_000)).toThrow(/used up/);
  allowProbe(files);
  expect(takeTokensAt(now + 15 * 60_000)).toMatchObject({ isProbe: true });
});

test('a 429 for the minute pauses all requests, and a pause beyond the maximum wait is an error', async () => {
  const files = openMemoryFiles();
  const firstPermit = await openLimiter(files).admit(null);
  firstPermit.settle(makeOutcome(429, { 'retry-after': '120' }, { violated: ['minute'] }));
  await expect(openLimiter(files).admit(null)).rejects.toMatchObject({ kind: 'limit', retryAfter: 120 });
  const events: ClientEvent[] = [];
  const secondLimiter = openLimiter(openMemoryFiles(), (event) => events.push(event));
  (await secondLimiter.admit(null)).settle(makeOutcome(429, { 'retry-after': '1' }, { violated: ['minute'] }));
  await secondLimiter.admit(null);
  expect(events).toContainEqual({ type: 'waiting', for: 'pause', until: expect.any(Number) });
});

test.each([
  ['in a response with nothing remaining', 200, { ratelimit: '"minute";r=0;t=1' }, []],
  ['in a refusal without a name of the limit', 429, { ratelimit: '"minute";r=0', 'retry-after': '1' }, []],
  ['in a refusal', 429, { 'retry-after': '1' }, ['minute']],
] as const)('a window ends when the service says so %s', async (_, status, headers, violated) => {
  const files = openMemoryFiles();
  const limiter = openLimiter(files, () => {}, 30_000);
  const policy = { 'ratelimit-policy': '"minute";q=60;w=86400' };
  (await limiter.admit(null)).settle(makeOutcome(status, { ...policy, ...headers }, { violated }));
  expect(await waitForPermit(limiter.admit(null), 300)).toBeNull();
  await limiter.admit(null);
});

test('an end of a window that is further away than the length of the window is ignored', async () => {
  const files = openMemoryFiles();
  (await openLimiter(files).admit(null)).settle(makeOutcome(200, { ratelimit: '"minute";r=0;t=86400' }));
  expect(readLimits(files)).toMatchObject({ shift: 0 });
});

test('permits are given in the order in which they were requested', async () => {
  const files = openMemoryFiles();
  const admissionOrder: number[] = [];
  await Promise.all(
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map(async (number) => {
      // Every request has its own limiter, as if each came from another process.
      const permit = await openLimiter(files).admit(null);
      admissionOrder.push(number);
      // Simulates the duration of a request.
      await sleep(5);
      permit.settle(makeOutcome(200, { 'ratelimit-policy': '"concurrent";q=1' }));
    }),
  );
  expect(admissionOrder).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
});

test('with four slots, permits are also given in the order of requests', async () => {
  const files = openMemoryFiles();
  const permitOrder: number[] = [];
  await Promise.all(
    Array.from({ length: 40 }, async (_, number) => {
      const permit = await openLimiter(files).admit(null);
      permitOrder.push(number);
      // Requests take different times.
      await sleep((number * 7) % 11);
      permit.settle(makeOutcome(200, { 'ratelimit-policy': '"concurrent";q=4' }));
    }),
  );
  expect(permitOrder).toEqual(Array.from({ length: 40 }, (_, number) => number));
});

test('a queue entry that may start but does not is skipped after a grace period, and occupies a slot until released', async () => {
  const files = openMemoryFiles();
  const stoppedQueueEntry = joinQueue(files, 'slots');
  const nextPermitPromise = openLimiter(files).admit(null);
  expect(await waitForPermit(nextPermitPromise)).toBeNull();
  const permit = await nextPermitPromise;
  // The skip is recorded in the shared queue, so later requests do not wait for the grace period again.
  const laterPermits = [
    await waitForPermit(openLimiter(files).admit(null), LESS_THAN_GRACE_MS),
    await waitForPermit(openLimiter(files).admit(null), LESS_THAN_GRACE_MS),
  ];
  expect(laterPermits).not.toContain(null);
  const lastPermitPromise = openLimiter(files).admit(null);
  expect(await waitForPermit(lastPermitPromise)).toBeNull();
  stoppedQueueEntry.release(false);
  await lastPermitPromise;
  permit.settle(makeOutcome(200));
});

test('queue entries of dead processes are skipped, and each process is checked once', async () => {
  const files = openMemoryFiles();
  const { pid } = spawnSync('true');
  const { host } = identifyProcess();
  files.createEmpty('slots.1');
  for (let i = 0; i < 60; i++) files.append('slots.1', `T dead${i} ${pid} - ${host} ${Date.now()}\n`);
  const firstPermit = await waitForPermit(openLimiter(files).admit(null), LESS_THAN_GRACE_MS);
  expect(firstPermit).not.toBeNull();
  for (let i = 0; i < 60; i++) expect(files.read('slots.1').split(`R dead${i}\n`)).toHaveLength(2);
  firstPermit?.settle(makeOutcome(200));
});

test('logs are divided into generations, and old generations are removed', async () => {
  const stateDirectory = makeDirectory();
  const limiter = openRateLimiter({ files: openDiskFiles(stateDirectory), maxWait: 90_000, report: () => {} });
  for (let i = 0; i < 600; i++) {
    (await limiter.admit(null)).settle(
      makeOutcome(200, { 'ratelimit-policy': '"minute";q=100000;w=60, "month";q=1000000' }),
    );
  }
  const logNames = readdirSync(stateDirectory).filter((name) => name.startsWith('slots.'));
  expect(logNames.length).toBeLessThanOrEqual(2);
  expect(Number(logNames.at(-1)?.slice(6))).toBeGreaterThan(2);
});

test('a state directory removed between two requests is created again', async () => {
  const stateDirectory = join(makeDirectory(), 'below');
  const limiter = openRateLimiter({ files: openDiskFiles(stateDirectory), maxWait: 90_000, report: () => {} });
  const permit = await limiter.admit(null);
  rmSync(stateDirectory, { recursive: true });
  permit.settle(makeOutcome(200));
  (await limiter.admit(null)).settle(makeOutcome(200));
  expect(readdirSync(stateDirectory).length).toBeGreaterThan(0);
});

test('if no file can be written, the process keeps the limits in memory and reports that once', async () => {
  const errors: unknown[] = [];
  const files = openFilesWithFallback('/dev/null/nowhere', (error) => errors.push(error));
  const limiter = openRateLimiter({ files, maxWait: 90_000, report: () => {} });
  const permits = await Promise.all([1, 2, 3, 4].map(() => limiter.admit(null)));
  expect(await waitForPermit(limiter.admit(null))).toBeNull();
  for (const permit of permits) permit.settle(makeOutcome(200));
  expect(errors).toHaveLength(1);
});

/**
 * Starts a server that counts requests in progress. The text of a request is a number of milliseconds. After this time,
 * the server answers with its limits as JSON.
 */
async function startCountingServer(policy: string, length: number) {
  const counts = { maxRunning: 0, total: 0, windows: new Map<number, number>() };
  let runningCount = 0;
  const server = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', (chunk) => {
      runningCount++;
      counts.total++;
      counts.maxRunning = Math.max(counts.maxRunning, runningCount);
      const windowIndex = Math.floor(Date.now() / length);
      counts.windows.set(windowIndex, (counts.windows.get(windowIndex) ?? 0) + 1);
      setTimeout(() => {
        runningCount--;
        socket.end(JSON.stringify({ status: 200, 'ratelimit-policy': policy, date: new Date().toUTCString() }));
      }, Number(chunk.toString()));
    });
  });
  const port = await listen(server);
  cleanUpTasks.push(() => new Promise((resolve) => server.close(resolve)));
  return { counts, port };
}

let script: string;
beforeAll(async () => {
  script = await bundleScript(join(import.meta.dirname, '../helpers/limiter-process.ts'));
});

function startProcess(args: readonly (string | number)[]): { child: ChildProcess; done: Promise<number | null> } {
  const child = spawn(process.execPath, [script, ...args.map(String)], { stdio: ['ignore', 'pipe', 'inherit'] });
  return { child, done: new Promise((resolve) => child.on('exit', (code) => resolve(code))) };
}

test('many processes together stay within the limits of concurrency and of every window', async () => {
  const stateDirectory = makeDirectory();
  const { counts, port } = await startCountingServer(POLICY.replace('q=5;w=60', 'q=40;w=2'), 2000);
  const processes = Array.from({ length: 12 }, () => startProcess([stateDirectory, port, 10, 10]));
  expect(await Promise.all(processes.map(({ done }) => done))).toEqual(Array(12).fill(0));
  expect(counts.total).toBe(120);
  // Until the first response the default limits apply, with four concurrent requests.
  expect(counts.maxRunning).toBeLessThanOrEqual(4);
  for (const requestCount of counts.windows.values()) expect(requestCount).toBeLessThanOrEqual(60);
});

test('slots of killed processes become free for other processes', async () => {
  const stateDirectory = makeDirectory();
  const { counts, port } = await startCountingServer('"minute";q=100000;w=60, "concurrent";q=4', 60_000);
  const processes = Array.from({ length: 12 }, () => startProcess([stateDirectory, port, 15, 10]));
  const killedProcesses = processes.filter((_, index) => index % 2 === 0);
  for (const [index, { child }] of killedProcesses.entries()) {
    // Processes are killed at different points of their run.
    await expect.poll(() => counts.total).toBeGreaterThan(index * 5);
    child.kill('SIGKILL');
  }
  const exitCodes = await Promise.all(processes.map(({ done }) => done));
  expect(exitCodes.filter((_, index) => index % 2 === 1)).toEqual(Array(6).fill(0));
  expect(counts.maxRunning).toBeLessThanOrEqual(4);
});

test('with absurd rate limit headers the window stays a minute, and the files stay small', async () => {
  const files = openMemoryFiles();
  const policyHeader = '"minute";q=60;w=999999999, "month";q=900000000000, "concurrent";q=4;qu="concurrent-requests"';
  const headers = { 'ratelimit-policy': policyHeader, ratelimit: '"minute";r=0;t=999999999, "month";r=899999999999' };
  (await openLimiter(files).admit(null)).settle(makeOutcome(200, headers));
  const { quotas } = readLimits(files);
  expect(quotas.minuteLength).toBe(60_000);
  const sumFileSizes = () => files.list().reduce((sum, name) => sum + files.size(name), 0);
  for (const remaining of [0, 9_999_999, 0, 9_999_999, 0, 9_999_999]) {
    correctMonthCount(files, 202601, quotas.month, { name: 'month', remaining });
  }
  expect(sumFileSizes()).toBeLessThan(50_000_000);
});

test('a pause recorded while the clock was hours ahead ends when the clock is corrected', () => {
  const files = openMemoryFiles();
  const now = Date.now();
  const futureMs = now + 8 * 3_600_000;
  recordResponse(
    files,
    { id: 'a', logs: [], isProbe: false, month: 202601 },
    makeOutcome(429, { 'retry-after': '60' }, { violated: ['minute'], sent: futureMs, received: futureMs }),
  );
  expect(readPauseEnd(files, futureMs)).toBe(futureMs + 60_000);
  expect(readPauseEnd(files, now)).toBe(0);
});
