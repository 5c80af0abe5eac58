import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openRequestSpacing, SLOT_MS } from '../../../src/edgar/fetch/request-spacing.ts';
import { newFolder } from '../../store/public-source.ts';

const never = new AbortController().signal;
const open = (directory: string | null, longest = 0) => {
  const failures: unknown[] = [];
  return {
    failures,
    ...openRequestSpacing({ directory, maxPauseMs: longest, onError: (error) => failures.push(error) }),
  };
};

async function times(spacings: readonly ReturnType<typeof open>[], each: number): Promise<number[]> {
  const startTimes: number[] = [];
  const worker = async (spacing: ReturnType<typeof open>) => {
    for (let count = 0; count < each; count += 1) {
      await spacing.waitForSlot(never);
      startTimes.push(Date.now());
    }
  };
  await Promise.all(spacings.map(worker));
  return startTimes.sort((a, b) => a - b);
}

test('processes that share a directory use each time slot once', async () => {
  const directory = await newFolder('spacing');
  const startTimes = await times([open(directory), open(directory), open(directory)], 3);
  const slots = startTimes.map((time) => Math.floor(time / SLOT_MS));
  expect(new Set(slots).size).toBe(9);
});

test('old time slots are removed, and so are those in the future after the clock was set back', async () => {
  const directory = await newFolder('spacing');
  const now = Math.floor(Date.now() / SLOT_MS);
  for (const slot of [5, now - 1000, now + 1_000_000]) writeFileSync(join(directory, String(slot)), '');
  await open(directory).waitForSlot(never);
  expect(readdirSync(directory)).toHaveLength(1);
});

test('a pause beyond the maximum wait is an error for all processes', async () => {
  const directory = await newFolder('spacing');
  open(directory).pause(600_000);
  const failure = { kind: 'limit', retryAfter: 600, hint: expect.stringContaining('run the same command again after') };
  await expect(open(directory, 599_000).waitForSlot(never)).rejects.toMatchObject(failure);
});

test('a short pause delays the next time slot', async () => {
  const directory = await newFolder('spacing');
  const spacing = open(directory, 1000);
  open(directory).pause(400);
  const waiting = spacing.waitForSlot(never);
  // Without the pause, the wait would have resolved by now.
  expect(await Promise.race([waiting, sleep(100, 'paused')])).toBe('paused');
  await waiting;
});

test('if the directory cannot be used, the process spaces its own requests and reports that once', async () => {
  const directory = join(await newFolder('spacing'), 'file');
  writeFileSync(directory, '');
  const spacing = open(directory);
  const startTimes = await times([spacing], 3);
  expect((startTimes[2] ?? 0) - (startTimes[0] ?? 0)).toBeGreaterThan(SLOT_MS);
  expect(spacing.failures).toHaveLength(1);
  const alone = await times([open(null)], 2);
  expect((alone[1] ?? 0) - (alone[0] ?? 0)).toBeGreaterThan(0);
});

test('an interrupt ends the wait', async () => {
  const directory = await newFolder('spacing');
  mkdirSync(directory, { recursive: true });
  const interrupt = new AbortController();
  const spacing = open(directory, 60_000);
  spacing.pause(50_000);
  const waiting = spacing.waitForSlot(interrupt.signal);
  await turn();
  interrupt.abort(new Error('interrupted'));
  await expect(waiting).rejects.toThrow();
});
