/** Processes several items in parallel, with results in the order of the items. */

/** Number of an account's requests that the service answers simultaneously. */
export const CONCURRENCY = 4;

/**
 * Yields results in the order of the items, each as soon as it and all before it are ready, even while the next item
 * is awaited. At most `limit` items are in progress, including those that wait for an earlier one, so that a slow one
 * does not fill the memory. An error ends the iteration.
 */
export async function* inOrder<In, Out>(
  items: AsyncIterable<In> | Iterable<In>,
  limit: number,
  work: (item: In) => Promise<Out>,
): AsyncGenerator<Out> {
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const pendingOutputs: Promise<Out>[] = [];
  let nextInput: Promise<IteratorResult<In>> | null = null;
  let hasEnded = false;
  try {
    for (;;) {
      if (!hasEnded && pendingOutputs.length < limit) nextInput ??= Promise.resolve(iterator.next());
      const [firstPending] = pendingOutputs;
      if (firstPending !== undefined && (nextInput === null || (await isFirst(firstPending, nextInput)))) {
        pendingOutputs.shift();
        yield await firstPending;
        continue;
      }
      if (nextInput === null) return;
      const item: IteratorResult<In> = await nextInput;
      nextInput = null;
      if (item.done === true) hasEnded = true;
      else pendingOutputs.push(work(item.value));
      // The error is thrown when the result is awaited; until then it must not count as unhandled.
      pendingOutputs.at(-1)?.catch(() => undefined);
    }
  } finally {
    // Not awaited, because an awaited item may never arrive.
    if (!hasEnded) Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

/** Whether one promise settles before the other; callers that await them handle their errors. */
const isFirst = (firstPromise: Promise<unknown>, otherPromise: Promise<unknown>): Promise<boolean> => {
  const whenSettled = (promise: Promise<unknown>, hasWon: boolean) =>
    promise.then(
      () => hasWon,
      () => hasWon,
    );
  return Promise.race([whenSettled(firstPromise, true), whenSettled(otherPromise, false)]);
};
