import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { openRequestSpacing, SLOT_MS } from '../../../src/edgar/fetch/request-spacing.ts';
import { newFolder } from '../../release/public-source.ts';

const never = new AbortController().signal;
const open = (directory: string | null, longest = 0) => {
  const failures: unknown[] = [];
  return {
    failures,
    ...openRequestSpacing({ directory, longestPause: longest, failed: (error) => failures.push(error) }),
  };
};

async function times(paces: readonly ReturnType<typeof open>[], each: number): Promise<number[]> {
  const taken: number[] = [];
  const lane = async (pace: ReturnType<typeof open>) => {
    for (let count = 0; count < each; count += 1) {
      await pace.waitForSlot(never);
      taken.push(Date.now());
    }
  };
  await Promise.all(paces.map(lane));
  return taken.sort((a, b) => a - b);
}

test('everybody who shares the directory shares its slots, and no slot is used twice', async () => {
  const directory = await newFolder('pace');
  const taken = await times([open(directory), open(directory), open(directory)], 3);
  const slots = taken.map((time) => Math.floor(time / SLOT_MS));
  expect(new Set(slots).size).toBe(9);
});

test('old slots are swept, and those of a clock that was set back', async () => {
  const directory = await newFolder('pace');
  const now = Math.floor(Date.now() / SLOT_MS);
  for (const slot of [5, now - 1000, now + 1_000_000]) writeFileSync(join(directory, String(slot)), '');
  await open(directory).waitForSlot(never);
  expect(readdirSync(directory)).toHaveLength(1);
});

test('a pause that is too long is not sat out, by nobody who shares it', async () => {
  const directory = await newFolder('pace');
  open(directory).pause(600_000);
  const failure = { kind: 'limit', retryAfter: 600, hint: expect.stringContaining('run the same command again after') };
  await expect(open(directory, 599_000).waitForSlot(never)).rejects.toMatchObject(failure);
});

test('a short pause is sat out', async () => {
  const directory = await newFolder('pace');
  const pace = open(directory, 1000);
  open(directory).pause(400);
  const waiting = pace.waitForSlot(never);
  expect(await Promise.race([waiting, sleep(100, 'paused')])).toBe('paused');
  await waiting;
});

test('where the directory cannot be used, the process keeps to the pace by itself, and says so once', async () => {
  const directory = join(await newFolder('pace'), 'file');
  writeFileSync(directory, '');
  const pace = open(directory);
  const taken = await times([pace], 3);
  expect((taken[2] ?? 0) - (taken[0] ?? 0)).toBeGreaterThan(SLOT_MS);
  expect(pace.failures).toHaveLength(1);
  const alone = await times([open(null)], 2);
  expect((alone[1] ?? 0) - (alone[0] ?? 0)).toBeGreaterThan(0);
});

test('an interrupt ends the wait', async () => {
  const directory = await newFolder('pace');
  mkdirSync(directory, { recursive: true });
  const interrupt = new AbortController();
  const pace = open(directory, 60_000);
  pace.pause(50_000);
  setTimeout(() => interrupt.abort(new Error('interrupted')), 50);
  await expect(pace.waitForSlot(interrupt.signal)).rejects.toThrow();
});
