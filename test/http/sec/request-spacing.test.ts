import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openRequestSpacing, SLOT_MS } from '../../../src/http/sec/request-spacing.ts';
import { makeFolder } from '../../store/public-source.ts';

const NEVER_ABORTED_SIGNAL = new AbortController().signal;
const openSpacing = (directory: string | null, maxPauseMs = 0) => {
  const failures: unknown[] = [];
  return {
    failures,
    ...openRequestSpacing({ directory, maxPauseMs, onError: (error) => failures.push(error) }),
  };
};

async function measureStartTimes(
  spacings: readonly ReturnType<typeof openSpacing>[],
  requestCount: number,
): Promise<number[]> {
  const startTimes: number[] = [];
  const takeSlots = async (spacing: ReturnType<typeof openSpacing>) => {
    for (let count = 0; count < requestCount; count += 1) {
      await spacing.waitForSlot(NEVER_ABORTED_SIGNAL);
      startTimes.push(Date.now());
    }
  };
  await Promise.all(spacings.map(takeSlots));
  return startTimes.sort((a, b) => a - b);
}

test('processes that share a directory use each time slot once', async () => {
  const directory = await makeFolder('spacing');
  const startTimes = await measureStartTimes(
    [openSpacing(directory), openSpacing(directory), openSpacing(directory)],
    3,
  );
  const slots = startTimes.map((time) => Math.floor(time / SLOT_MS));
  expect(new Set(slots).size).toBe(9);
});

test('files of past time slots are removed, and so are files of far future time slots, which a clock set back leaves', async () => {
  const directory = await makeFolder('spacing');
  const currentSlot = Math.floor(Date.now() / SLOT_MS);
  for (const slot of [5, currentSlot - 1000, currentSlot + 1_000_000]) writeFileSync(join(directory, String(slot)), '');
  await openSpacing(directory).waitForSlot(NEVER_ABORTED_SIGNAL);
  const slots = readdirSync(directory).map(Number);
  // A slow machine misses slots, and reserves others.
  expect(slots.length).toBeGreaterThan(0);
  expect(slots.filter((slot) => slot < currentSlot || slot >= currentSlot + 1000)).toEqual([]);
});

test('a pause beyond the maximum wait is an error for all processes', async () => {
  const directory = await makeFolder('spacing');
  openSpacing(directory).pause(600_000);
  const expectedFailure = {
    kind: 'limit',
    retryAfter: 600,
    hint: expect.stringContaining('run the same command again after'),
  };
  await expect(openSpacing(directory, 599_000).waitForSlot(NEVER_ABORTED_SIGNAL)).rejects.toMatchObject(
    expectedFailure,
  );
});

test('a short pause delays the next time slot', async () => {
  const directory = await makeFolder('spacing');
  const spacing = openSpacing(directory, 1000);
  const pauseEndMs = Date.now() + 400;
  openSpacing(directory).pause(400);
  await spacing.waitForSlot(NEVER_ABORTED_SIGNAL);
  expect(Date.now()).toBeGreaterThanOrEqual(pauseEndMs);
});

test('a pause that was made before the clock was set back is ignored', async () => {
  const directory = await makeFolder('spacing');
  mkdirSync(directory, { recursive: true });
  const [pauseBeginMs, pauseEndMs] = [Date.now() + 86_400_000, Date.now() + 87_000_000];
  writeFileSync(join(directory, 'pause'), `${pauseBeginMs} ${pauseEndMs}`);
  await openSpacing(directory).waitForSlot(NEVER_ABORTED_SIGNAL);
});

test('if the directory cannot be used, the process spaces its own requests, and reports the error once', async () => {
  const directory = join(await makeFolder('spacing'), 'file');
  writeFileSync(directory, '');
  const spacing = openSpacing(directory);
  const startTimes = await measureStartTimes([spacing], 3);
  expect((startTimes[2] ?? 0) - (startTimes[0] ?? 0)).toBeGreaterThan(SLOT_MS);
  expect(spacing.failures).toHaveLength(1);
  const startTimesWithoutDirectory = await measureStartTimes([openSpacing(null)], 2);
  expect((startTimesWithoutDirectory[1] ?? 0) - (startTimesWithoutDirectory[0] ?? 0)).toBeGreaterThan(0);
});

test('an interrupt ends the wait', async () => {
  const directory = await makeFolder('spacing');
  mkdirSync(directory, { recursive: true });
  const interruptController = new AbortController();
  const spacing = openSpacing(directory, 60_000);
  spacing.pause(50_000);
  const slotPromise = spacing.waitForSlot(interruptController.signal);
  await nextTurn();
  interruptController.abort(new Error('interrupted'));
  await expect(slotPromise).rejects.toThrow('interrupted');
});
