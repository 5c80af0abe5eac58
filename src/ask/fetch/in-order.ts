/** Works on several items at a time, with their results in the order of the items. */

/** How many of an account's requests the service answers at a time. */
export const CONCURRENCY = 4;

/**
 * The results in the order of the items, each as soon as it and those before it are there, also while the next item is
 * awaited. At most `limit` are under way, those waiting for an earlier one included, so a slow first one holds the rest
 * back instead of filling memory. A result that throws ends the walk with that error.
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
      // The error is seen when the result is awaited; until then it must not count as unhandled.
      pending.at(-1)?.catch(() => undefined);
    }
  } finally {
    // Not awaited: an item that is still awaited may never come.
    if (!ended) Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

/** Whether one is settled before the other; their errors are left to the callers that await them. */
const isFirst = (one: Promise<unknown>, other: Promise<unknown>): Promise<boolean> => {
  const settled = (promise: Promise<unknown>, isOne: boolean) =>
    promise.then(
      () => isOne,
      () => isOne,
    );
  return Promise.race([settled(one, true), settled(other, false)]);
};
