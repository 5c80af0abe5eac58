/** Work done side by side, with results in order: the heart of a build, and nothing about releases. */

/** Something that does one task at a time: a worker thread, or this very thread. */
export interface TaskWorker<Task, Result> {
  run(task: Task): Promise<Result>;
  close(): Promise<void>;
}

/**
 * The results of all tasks, in the order of the tasks. At most `ahead` tasks are begun beyond the one whose
 * result is waited for, so that results which came early never fill the memory.
 * Throws what the first failing task throws, and what `signal` was aborted with.
 */
export async function* inOrder<Task, Result>(
  tasks: readonly Task[],
  lanes: readonly TaskWorker<Task, Result>[],
  ahead: number,
  signal?: AbortSignal,
): AsyncGenerator<Result> {
  const idle = [...lanes];
  const begun = new Map<number, Promise<Result>>();
  let next = 0;
  let wanted = 0;
  const begin = () => {
    while (next < tasks.length && next <= wanted + ahead && signal?.aborted !== true) {
      const lane = idle.pop();
      if (lane === undefined) return;
      const task = tasks[next] as Task;
      const result = lane.run(task).finally(() => {
        idle.push(lane);
        begin();
      });
      // It is awaited in its turn; until then a failure is nobody's.
      result.catch(() => undefined);
      begun.set(next, result);
      next += 1;
    }
  };
  const aborted = abortion(signal);
  try {
    for (; wanted < tasks.length; wanted += 1) {
      begin();
      yield await Promise.race([aborted.promise, result(begun, wanted)]);
      begun.delete(wanted);
    }
  } finally {
    aborted.stop();
  }
}

/** The first task not yet handed out has always been begun: a lane is either free for it or at work on it. */
async function result<Result>(begun: ReadonlyMap<number, Promise<Result>>, index: number): Promise<Result> {
  const promise = begun.get(index);
  if (promise === undefined) throw new Error(`task ${index} was never begun`);
  return promise;
}

/** A promise that rejects when the signal is aborted, and never resolves. */
function abortion(signal: AbortSignal | undefined): { promise: Promise<never>; stop: () => void } {
  let stop = () => {};
  const promise = new Promise<never>((_, reject) => {
    const onAbort = () => reject(signal?.reason);
    if (signal?.aborted === true) onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    stop = () => signal?.removeEventListener('abort', onAbort);
  });
  promise.catch(() => undefined);
  return { promise, stop };
}
