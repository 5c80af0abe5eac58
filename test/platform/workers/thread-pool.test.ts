import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type TaskWorker, WorkerPool } from '../../../src/platform/workers/thread-pool.ts';

/** Returns workers whose tasks take different times, and which count running tasks. */
function makeWorkers(count: number) {
  const state = { runningCount: 0, maxRunning: 0, startedCount: 0 };
  const makeWorker = (): TaskWorker<number, number> => ({
    run: async (task) => {
      state.startedCount += 1;
      state.runningCount += 1;
      state.maxRunning = Math.max(state.maxRunning, state.runningCount);
      // Tasks take different times, so that they do not end in order.
      await sleep(task % 7);
      state.runningCount -= 1;
      if (task === 666) throw new Error('a bad task');
      return task * 2;
    },
    close: async () => {},
  });
  return { state, workers: Array.from({ length: count }, makeWorker) };
}

const arbitraryTaskList = fc.array(fc.nat({ max: 20 }), { maxLength: 30 });

test('results have the order of the tasks, however long each task takes', async () => {
  await fc.assert(
    fc.asyncProperty(
      arbitraryTaskList,
      fc.integer({ min: 1, max: 5 }),
      fc.nat({ max: 4 }),
      async (taskList, count, maxAhead) => {
        const { state, workers: taskWorkers } = makeWorkers(count);
        const results: number[] = [];
        for await (const result of new WorkerPool(taskWorkers).runInOrder(taskList, maxAhead)) {
          results.push(result);
          expect(state.startedCount - results.length).toBeLessThanOrEqual(maxAhead + 1);
        }
        expect(results).toEqual(taskList.map((task) => task * 2));
        expect(state.maxRunning).toBeLessThanOrEqual(count);
      },
    ),
    { numRuns: 40 },
  );
});

test('while a slow result is pending, only a bounded number of later tasks starts', async () => {
  const { state, workers: taskWorkers } = makeWorkers(4);
  const iterator = new WorkerPool(taskWorkers).runInOrder([6, 0, 0, 0, 0, 0, 0, 0, 0, 0], 3);
  await iterator.next();
  expect(state.startedCount).toBeLessThanOrEqual(4);
  await iterator.return(undefined);
});

test('idle workers run tasks of later sequences, and the first sequence has priority', async () => {
  const startedTasks: string[] = [];
  const finishers: (() => void)[] = [];
  const makeWorker = (): TaskWorker<string, string> => ({
    run: (task) => {
      startedTasks.push(task);
      return new Promise((resolve) => finishers.push(() => resolve(task)));
    },
    close: async () => {},
  });
  const pool = new WorkerPool([makeWorker(), makeWorker()]);
  const results: string[] = [];
  const readResults = async (tasks: string[], ahead: number) => {
    for await (const result of pool.runInOrder(tasks, ahead)) results.push(result);
  };
  const sequencesPromise = Promise.all([readResults(['a1', 'a2', 'a3'], 0), readResults(['b1', 'b2'], 4)]);
  await nextTurn();
  expect(startedTasks).toEqual(['a1', 'b1']);
  while (startedTasks.length < 5) {
    // The first started task ends first.
    finishers.shift()?.();
    await nextTurn();
  }
  for (const finish of finishers) finish();
  await sequencesPromise;
  // a2 may start only after the result of a1 is read, so the worker of a1 first takes b2.
  expect(startedTasks).toEqual(['a1', 'b1', 'b2', 'a2', 'a3']);
  expect(results.filter((task) => task.startsWith('a'))).toEqual(['a1', 'a2', 'a3']);
  expect(results.filter((task) => task.startsWith('b'))).toEqual(['b1', 'b2']);
});

test('tasks of a sequence that is no longer read are not started', async () => {
  const { state, workers: taskWorkers } = makeWorkers(1);
  const pool = new WorkerPool(taskWorkers);
  const abandonedResults = pool.runInOrder([5, 5, 5, 5, 5], 4);
  await abandonedResults.next();
  await abandonedResults.return(undefined);
  const results: number[] = [];
  for await (const result of pool.runInOrder([1, 2], 1)) results.push(result);
  expect(results).toEqual([2, 4]);
  expect(state.startedCount).toBeLessThanOrEqual(4);
});

test('the first failing task in order, or the signal, ends a sequence', async () => {
  const { workers: taskWorkers } = makeWorkers(3);
  const results: number[] = [];
  await expect(async () => {
    for await (const result of new WorkerPool(taskWorkers).runInOrder([1, 666, 3], 4)) results.push(result);
  }).rejects.toThrow('a bad task');
  expect(results).toEqual([2]);
  const controller = new AbortController();
  const { state, workers: otherWorkers } = makeWorkers(1);
  await expect(async () => {
    for await (const _ of new WorkerPool(otherWorkers).runInOrder(Array(50).fill(6), 2, controller.signal))
      controller.abort(new Error('enough'));
  }).rejects.toThrow('enough');
  expect(state.startedCount).toBeLessThan(5);
});

test('a result can be garbage collected after the caller has taken it', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const worker: TaskWorker<number, { readonly task: number }> = {
    run: async (task) => ({ task }),
    close: async () => {},
  };
  const resultReferences: WeakRef<object>[] = [];
  for await (const result of new WorkerPool([worker]).runInOrder(Array(20).keys(), 2, new AbortController().signal)) {
    resultReferences.push(new WeakRef(result));
    if (resultReferences.length < 20) continue;
    // A WeakRef keeps its object alive until the end of the event loop's turn.
    await nextTurn();
    collectGarbage();
    expect(resultReferences.slice(0, 10).filter((reference) => reference.deref() !== undefined)).toEqual([]);
  }
  expect(resultReferences).toHaveLength(20);
});
