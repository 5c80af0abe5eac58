import { expect, test } from 'vitest';
import { Tries } from '../../src/http/tries.ts';

test('attempts and waits are counted, and progress resets the count of attempts', async () => {
  const tries = new Tries();
  await tries.wait(1, null);
  await tries.wait(2, null);
  expect({ ...tries }).toEqual({ count: 2, all: 2, waited: 3, previous: 2 });
  tries.progressed();
  await tries.wait(1, null);
  expect({ ...tries }).toEqual({ count: 1, all: 3, waited: 4, previous: 1 });
});

test('a wait rejects with the reason of its signal', async () => {
  const stop = new AbortController();
  const waiting = new Tries().wait(60_000, stop.signal);
  stop.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
});
