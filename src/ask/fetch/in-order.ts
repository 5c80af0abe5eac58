/** Processes items in parallel, and yields their results in the order of the items. */

/** Maximum number of simultaneous requests: the service processes that many requests of one account in parallel. */
export const MAX_CONCURRENT_REQUESTS = 4;

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
  const pendingOutputs: Promise<Out>[] = [];
  let pendingInput: Promise<IteratorResult<In>> | null = null;
  let inputHasEnded = false;
  try {
    for (;;) {
      if (!inputHasEnded && pendingOutputs.length < limit) pendingInput ??= Promise.resolve(iterator.next());
      const [firstPendingOutput] = pendingOutputs;
      if (
        firstPendingOutput !== undefined &&
        (pendingInput === null || (await settlesFirst(firstPendingOutput, pendingInput)))
      ) {
        pendingOutputs.shift();
        yield await firstPendingOutput;
        continue;
      }
      if (pendingInput === null) return;
      const inputResult: IteratorResult<In> = await pendingInput;
      pendingInput = null;
      if (inputResult.done === true) inputHasEnded = true;
      else pendingOutputs.push(work(inputResult.value));
      // The error is thrown when this output is awaited; this handler prevents an unhandled rejection before then.
      pendingOutputs.at(-1)?.catch(() => undefined);
    }
  } finally {
    // Not awaited: `return` waits for a pending `next`, for example for a line of stdin that may never arrive.
    if (!inputHasEnded) Promise.resolve(iterator.return?.()).catch(() => undefined);
  }
}

/** Whether `firstPromise` settles before `otherPromise`. Does not throw: a rejected promise counts as settled. */
const settlesFirst = (firstPromise: Promise<unknown>, otherPromise: Promise<unknown>): Promise<boolean> => {
  const resolveWhenSettled = (promise: Promise<unknown>, hasWon: boolean) =>
    promise.then(
      () => hasWon,
      () => hasWon,
    );
  return Promise.race([resolveWhenSettled(firstPromise, true), resolveWhenSettled(otherPromise, false)]);
};
