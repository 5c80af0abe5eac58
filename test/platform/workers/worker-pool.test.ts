import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type TaskWorker, WorkerPool } from '../../../src/platform/workers/worker-pool.ts';

/** Returns workers whose tasks take different times, and which count running tasks. */
function workers(count: number) {
  const state = { running: 0, most: 0, begun: 0 };
  const one = (): TaskWorker<number, number> => ({
    run: async (task) => {
      state.begun += 1;
      state.running += 1;
      state.most = Math.max(state.most, state.running);
      // Tasks take different times, so that they do not end in order.
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

test('results have the order of the tasks, however long each task takes', async () => {
  await fc.assert(
    fc.asyncProperty(tasks, fc.integer({ min: 1, max: 5 }), fc.nat({ max: 4 }), async (list, count, ahead) => {
      const { state, workers: hands } = workers(count);
      const results: number[] = [];
      for await (const result of new WorkerPool(hands).inOrder(list, ahead)) {
        results.push(result);
        expect(state.begun - results.length).toBeLessThanOrEqual(ahead + 1);
      }
      expect(results).toEqual(list.map((task) => task * 2));
      expect(state.most).toBeLessThanOrEqual(count);
    }),
    { numRuns: 40 },
  );
});

test('while a slow result is pending, only a bounded number of later tasks starts', async () => {
  const { state, workers: hands } = workers(4);
  const iterator = new WorkerPool(hands).inOrder([6, 0, 0, 0, 0, 0, 0, 0, 0, 0], 3);
  await iterator.next();
  expect(state.begun).toBeLessThanOrEqual(4);
  await iterator.return(undefined);
});

test('idle workers run tasks of later sequences, and the first sequence has priority', async () => {
  const order: string[] = [];
  const release: (() => void)[] = [];
  const worker = (): TaskWorker<string, string> => ({
    run: (task) => {
      order.push(task);
      return new Promise((resolve) => release.push(() => resolve(task)));
    },
    close: async () => {},
  });
  const pool = new WorkerPool([worker(), worker()]);
  const startedTasks: string[] = [];
  const take = async (tasks: string[], ahead: number) => {
    for await (const result of pool.inOrder(tasks, ahead)) startedTasks.push(result);
  };
  const twoBatches = Promise.all([take(['a1', 'a2', 'a3'], 0), take(['b1', 'b2'], 4)]);
  expect(order).toEqual(['a1', 'b1']);
  while (order.length < 5) {
    // The first started task ends first.
    release.shift()?.();
    await turn();
  }
  for (const end of release) end();
  await twoBatches;
  // The worker that ran a1 becomes free before its result is taken, so a2 can begin.
  expect(order).toEqual(['a1', 'b1', 'b2', 'a2', 'a3']);
  expect(startedTasks.filter((task) => task.startsWith('a'))).toEqual(['a1', 'a2', 'a3']);
  expect(startedTasks.filter((task) => task.startsWith('b'))).toEqual(['b1', 'b2']);
});

test('tasks of a sequence that is no longer read are not started', async () => {
  const { state, workers: hands } = workers(1);
  const pool = new WorkerPool(hands);
  const unfinishedResults = pool.inOrder([5, 5, 5, 5, 5], 4);
  await unfinishedResults.next();
  await unfinishedResults.return(undefined);
  const results: number[] = [];
  for await (const result of pool.inOrder([1, 2], 1)) results.push(result);
  expect(results).toEqual([2, 4]);
  expect(state.begun).toBeLessThanOrEqual(4);
});

test('the first failing task in order, or the signal, ends a sequence', async () => {
  const { workers: hands } = workers(3);
  const results: number[] = [];
  await expect(async () => {
    for await (const result of new WorkerPool(hands).inOrder([1, 666, 3], 4)) results.push(result);
  }).rejects.toThrow('a bad task');
  expect(results).toEqual([2]);
  const stop = new AbortController();
  const { state, workers: others } = workers(1);
  await expect(async () => {
    for await (const _ of new WorkerPool(others).inOrder(Array(50).fill(6), 2, stop.signal))
      stop.abort(new Error('enough'));
  }).rejects.toThrow('enough');
  expect(state.begun).toBeLessThan(5);
});

test('a result is released for garbage collection once it was taken', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const worker: TaskWorker<number, { readonly task: number }> = {
    run: async (task) => ({ task }),
    close: async () => {},
  };
  const taskReferences: WeakRef<object>[] = [];
  for await (const result of new WorkerPool([worker]).inOrder(Array(20).keys(), 2, new AbortController().signal)) {
    taskReferences.push(new WeakRef(result));
    if (taskReferences.length < 20) continue;
    // A WeakRef keeps its object alive until the end of the event loop's turn.
    await turn();
    collectGarbage();
    expect(taskReferences.slice(0, 10).filter((one) => one.deref() !== undefined)).toEqual([]);
  }
  expect(taskReferences).toHaveLength(20);
});
