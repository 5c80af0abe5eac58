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
  const pending: Promise<Out>[] = [];
  let next: Promise<IteratorResult<In>> | null = null;
  let ended = false;
  try {
    for (;;) {
      if (!ended && pending.length < limit) next ??= Promise.resolve(iterator.next());
      const [first] = pending;
      if (first !== undefined && (next === null || (await isFirst(first, next)))) {
        pending.shift();
        yield await first;
        continue;
      }
      if (next === null) return;
      const item: IteratorResult<In> = await next;
      next = null;
      if (item.done === true) ended = true;
      else pending.push(work(item.value));
      // The error is thrown when the result is awaited; until then it must not count as unhandled.
      pending.at(-1)?.catch(() => undefined);
    }
  } finally {
    // Not awaited, because an awaited item may never arrive.
    if (!ended) Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

/** Whether one promise settles before the other; callers that await them handle their errors. */
const isFirst = (one: Promise<unknown>, other: Promise<unknown>): Promise<boolean> => {
  const settled = (promise: Promise<unknown>, isOne: boolean) =>
    promise.then(
      () => isOne,
      () => isOne,
    );
  return Promise.race([settled(one, true), settled(other, false)]);
};
