/** Work on many items, a few at a time. */

/** Runs the work of all items, `count` at a time. After a failure, the others end before their next item. */
export async function runWorkers<T>(
  count: number,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const remainingIterator = items[Symbol.iterator]();
  let failed = false;
  const worker = async () => {
    for (const item of remainingIterator) {
      if (failed) return;
      try {
        await work(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const ends = await Promise.allSettled(Array.from({ length: count }, worker));
  const rejected = ends.find((end) => end.status === 'rejected');
  if (rejected !== undefined) throw rejected.reason;
}
