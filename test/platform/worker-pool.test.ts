import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inOrder, type TaskWorker } from '../../src/platform/worker-pool.ts';

/** Workers that take as long as a task says, and keep count of what runs. */
function workers(count: number) {
  const state = { running: 0, most: 0, begun: 0 };
  const one = (): TaskWorker<number, number> => ({
    run: async (task) => {
      state.begun += 1;
      state.running += 1;
      state.most = Math.max(state.most, state.running);
      await sleep(task % 7);
      state.running -= 1;
      if (task === 666) throw new Error('a bad task');
      return task * 2;
    },
    close: async () => {},
  });
  return { state, workers: Array.from({ length: count }, one) };
}

const tasks = fc.array(fc.nat({ max: 20 }), { maxLength: 30 });

test('results come in the order of the tasks, whatever each takes', async () => {
  await fc.assert(
    fc.asyncProperty(tasks, fc.integer({ min: 1, max: 5 }), fc.nat({ max: 4 }), async (list, count, ahead) => {
      const { state, workers: hands } = workers(count);
      const results: number[] = [];
      for await (const result of inOrder(list, hands, ahead)) {
        results.push(result);
        expect(state.begun - results.length).toBeLessThanOrEqual(ahead + 1);
      }
      expect(results).toEqual(list.map((task) => task * 2));
      expect(state.most).toBeLessThanOrEqual(count);
    }),
    { numRuns: 40 },
  );
});

test('while a slow result is pending, a bounded number of later tasks is started', async () => {
  const { state, workers: hands } = workers(4);
  const iterator = inOrder([6, 0, 0, 0, 0, 0, 0, 0, 0, 0], hands, 3);
  await iterator.next();
  expect(state.begun).toBeLessThanOrEqual(4);
  await iterator.return(undefined);
});

test('the first failing task in order ends it, and so does the signal', async () => {
  const { workers: hands } = workers(3);
  const results: number[] = [];
  await expect(async () => {
    for await (const result of inOrder([1, 666, 3], hands, 4)) results.push(result);
  }).rejects.toThrow('a bad task');
  expect(results).toEqual([2]);
  const stop = new AbortController();
  const { state, workers: others } = workers(1);
  await expect(async () => {
    for await (const _ of inOrder(Array(50).fill(6), others, 2, stop.signal)) stop.abort(new Error('enough'));
  }).rejects.toThrow('enough');
  expect(state.begun).toBeLessThan(5);
});

test('no result is kept once it was taken', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const worker: TaskWorker<number, { readonly task: number }> = {
    run: async (task) => ({ task }),
    close: async () => {},
  };
  const taken: WeakRef<object>[] = [];
  for await (const result of inOrder(Array(20).keys(), [worker], 2, new AbortController().signal)) {
    taken.push(new WeakRef(result));
    if (taken.length < 20) continue;
    await sleep(1);
    collectGarbage();
    expect(taken.slice(0, 10).filter((one) => one.deref() !== undefined)).toEqual([]);
  }
  expect(taken).toHaveLength(20);
});
