/** Work on many items at once, a few at a time. */

/** Runs the work of all items, `count` at a time. The first failure ends the others at their next item. */
export async function runWorkers<T>(
  count: number,
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const rest = items[Symbol.iterator]();
  let failed = false;
  const worker = async () => {
    for (const item of rest) {
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
