import { expect, test } from 'vitest';
import { createGate } from '../../../src/platform/workers/gate.ts';

test('a gate limits running tasks, and refuses more waiting tasks than allowed', async () => {
  const gate = createGate(2, 3);
  const { signal } = new AbortController();
  let [runningCount, maxRunning] = [0, 0];
  const work = async () => {
    runningCount += 1;
    maxRunning = Math.max(maxRunning, runningCount);
    await new Promise((resolve) => setImmediate(resolve));
    runningCount -= 1;
  };
  const results = await Promise.allSettled(Array.from({ length: 7 }, () => gate(work, signal)));
  expect(maxRunning).toBe(2);
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(2);
  // Work that is cancelled while waiting does not run, and frees its place in the queue.
  const abortedController = new AbortController();
  const waitingTasks = [gate(work, signal), gate(work, signal), gate(work, abortedController.signal)];
  abortedController.abort();
  expect((await Promise.allSettled(waitingTasks)).map(({ status }) => status)).toEqual([
    'fulfilled',
    'fulfilled',
    'rejected',
  ]);
  await gate(work, signal);
});

test('a waiting task that is cancelled makes room immediately', async () => {
  const gate = createGate(1, 1);
  let finishTasks = () => {};
  const whenFinished = new Promise<void>((resolve) => {
    finishTasks = resolve;
  });
  const firstTask = gate(() => whenFinished, null);
  const abortedController = new AbortController();
  const secondTask = gate(() => whenFinished, abortedController.signal);
  await expect(gate(() => whenFinished, null)).rejects.toThrow('Too many requests: 1 are waiting already.');
  abortedController.abort(new Error('gone'));
  await expect(secondTask).rejects.toThrow('gone');
  await expect(gate(() => whenFinished, abortedController.signal)).rejects.toThrow('gone');
  const thirdTask = gate(() => whenFinished, null);
  finishTasks();
  await Promise.all([firstTask, thirdTask]);
});

test('many tasks may wait with one signal, without a warning of Node.js', async () => {
  const gate = createGate(1, 100);
  const { signal } = new AbortController();
  const warnings: string[] = [];
  const recordWarning = ({ name }: Error) => warnings.push(name);
  process.on('warning', recordWarning);
  await Promise.all(Array.from({ length: 30 }, () => gate(async () => {}, signal)));
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', recordWarning);
  expect(warnings).toEqual([]);
});
