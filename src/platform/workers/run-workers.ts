/** Runs the work on all items, `workerCount` at a time. After a failure, no further item is started. */
export async function runWorkers<T>(
  workerCount: number,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const iterator = items[Symbol.iterator]();
  let hasFailed = false;
  const runWorker = async () => {
    for (const item of iterator) {
      if (hasFailed) return;
      try {
        await work(item);
      } catch (error) {
        hasFailed = true;
        throw error;
      }
    }
  };
  const results = await Promise.allSettled(Array.from({ length: workerCount }, runWorker));
  const failure = results.find((result) => result.status === 'rejected');
  if (failure !== undefined) throw failure.reason;
}
