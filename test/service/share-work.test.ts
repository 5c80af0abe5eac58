import { expect, test } from 'vitest';
import { createWorkSharer } from '../../src/service/request/share-work.ts';

/** Begins a computation that the test settles, and records its signals. */
function makeWork() {
  const signals: AbortSignal[] = [];
  const settlers: { resolve(value: string): void; reject(error: Error): void }[] = [];
  const begin = (signal: AbortSignal) =>
    new Promise<string>((resolve, reject) => {
      signals.push(signal);
      settlers.push({ resolve, reject });
    });
  return { begin, signals, settlers };
}

test('concurrent calls with one key share a computation, and later calls begin a new one', async () => {
  const share = createWorkSharer<string>();
  const { begin, settlers } = makeWork();
  const { signal } = new AbortController();
  const results = [share('a', signal, begin), share('a', signal, begin), share('b', signal, begin)];
  expect(settlers).toHaveLength(2);
  settlers[0]?.resolve('one');
  settlers[1]?.reject(new Error('two'));
  expect(await Promise.allSettled(results)).toMatchObject([
    { value: 'one' },
    { value: 'one' },
    { reason: { message: 'two' } },
  ]);
  void share('a', signal, begin);
  expect(settlers).toHaveLength(3);
});

test('a computation ends when all its callers have aborted, and not before', async () => {
  const share = createWorkSharer<string>();
  const { begin, signals, settlers } = makeWork();
  const [first, second] = [new AbortController(), new AbortController()];
  void share('a', first.signal, begin);
  void share('a', second.signal, begin);
  first.abort();
  expect(signals[0]?.aborted).toBe(false);
  second.abort(new Error('last'));
  expect(signals[0]?.reason).toMatchObject({ message: 'last' });
  void share('a', new AbortController().signal, begin);
  expect(settlers).toHaveLength(2);
});
