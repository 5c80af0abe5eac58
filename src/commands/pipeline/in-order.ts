/** Works on several things at once and hands out the results in the order of the things. */

/**
 * At most `limit` are under way, waiting to be handed out included, so a slow first one holds the
 * rest back instead of filling memory. A result that throws ends the walk with that error.
 */
export async function* inOrder<In, Out>(
  items: AsyncIterable<In> | Iterable<In>,
  limit: number,
  work: (item: In) => Promise<Out>,
): AsyncGenerator<Out> {
  const pending: Promise<Out>[] = [];
  for await (const item of items) {
    const result = work(item);
    // Whoever awaits it later sees the error; until then it must not count as unhandled.
    result.catch(() => undefined);
    pending.push(result);
    if (pending.length < limit) continue;
    const first = pending.shift();
    if (first !== undefined) yield await first;
  }
  for (const result of pending) yield await result;
}
