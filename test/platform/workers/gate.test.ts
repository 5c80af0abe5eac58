import { expect, test } from 'vitest';
import { createGate } from '../../../src/platform/workers/gate.ts';

test('a gate limits running tasks, and refuses more waiting tasks than allowed', async () => {
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
  // Work that is cancelled while waiting does not run, and frees its place in the queue.
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

test('a waiting task that is cancelled makes room immediately', async () => {
  const gate = createGate(1, 1);
  let finish = () => {};
  const end = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const first = gate(() => end, null);
  const cancelled = new AbortController();
  const second = gate(() => end, cancelled.signal);
  await expect(gate(() => end, null)).rejects.toThrow('Too many requests: 1 are waiting already.');
  cancelled.abort(new Error('gone'));
  await expect(second).rejects.toThrow('gone');
  await expect(gate(() => end, cancelled.signal)).rejects.toThrow('gone');
  const third = gate(() => end, null);
  finish();
  await Promise.all([first, third]);
});
