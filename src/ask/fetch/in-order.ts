/** Processes items in parallel, and yields their results in the order of the items. */

/** Maximum number of simultaneous requests, equal to the number that the service permits an account. */
export const MAX_CONCURRENCY = 4;

/**
 * Yields results in the order of the items, as soon as they are ready, without waiting for further items. At most
 * `limit` items are in progress or wait for an earlier item. Throws the first error.
 */
export async function* processInOrder<In, Out>(
  items: AsyncIterable<In> | Iterable<In>,
  limit: number,
  work: (item: In) => Promise<Out>,
): AsyncGenerator<Out> {
  const iterator = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const outputs: Promise<Out>[] = [];
  let input: Promise<IteratorResult<In>> | null = null;
  let hasEnded = false;
  try {
    for (;;) {
      if (!hasEnded && outputs.length < limit) input ??= Promise.resolve(iterator.next());
      const [first] = outputs;
      if (first !== undefined && (input === null || (await settlesFirst(first, input)))) {
        outputs.shift();
        yield await first;
        continue;
      }
      if (input === null) return;
      const result: IteratorResult<In> = await input;
      input = null;
      if (result.done === true) hasEnded = true;
      else outputs.push(work(result.value));
      // The error is thrown when this output is awaited; this handler prevents an unhandled rejection before then.
      outputs.at(-1)?.catch(() => undefined);
    }
  } finally {
    // Not awaited: `return` waits for a pending `next`, for example for a line of stdin that may never arrive.
    if (!hasEnded) Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

/** Whether `first` settles before `other`. Does not throw: a rejected promise counts as settled. */
const settlesFirst = (first: Promise<unknown>, other: Promise<unknown>): Promise<boolean> => {
  const settle = (promise: Promise<unknown>, hasWon: boolean) => promise.catch(() => {}).then(() => hasWon);
  return Promise.race([settle(first, true), settle(other, false)]);
};
