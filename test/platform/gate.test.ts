import { expect, test } from 'vitest';
import { createGate } from '../../src/platform/gate.ts';

test('only so many run at a time, and more than may wait are refused', async () => {
  const gate = createGate(2, 3);
  const { signal } = new AbortController();
  let [running, most] = [0, 0];
  const work = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
  };
  const results = await Promise.allSettled(Array.from({ length: 7 }, () => gate(work, signal)));
  expect(most).toBe(2);
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(2);
  // What was cancelled while it waited does not run, and frees its place.
  const cancelled = new AbortController();
  const waiting = [gate(work, signal), gate(work, signal), gate(work, cancelled.signal)];
  cancelled.abort();
  expect((await Promise.allSettled(waiting)).map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
  ]);
  await gate(work, signal);
});
