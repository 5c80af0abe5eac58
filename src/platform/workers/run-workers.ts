/** Runs the work on all items, `workerCount` at a time. After a failure, no further item is started. */
export async function runWorkers<T>(
  workerCount: number,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const itemIterator = items[Symbol.iterator]();
  let hasFailed = false;
  const runWorker = async () => {
    for (const item of itemIterator) {
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
  const rejectedResult = results.find((result) => result.status === 'rejected');
  if (rejectedResult !== undefined) throw rejectedResult.reason;
}
