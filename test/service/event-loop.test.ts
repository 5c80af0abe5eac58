import { setImmediate as nextIteration } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { waitForTurn } from '../../src/service/request/event-loop.ts';

// A fake clock, so that a turn does not end early on a slow machine.
let timeMs = Date.now();
beforeEach(() => {
  timeMs += 1000;
  vi.useFakeTimers({ toFake: ['Date'], now: timeMs });
});
afterEach(() => void vi.useRealTimers());

const endTurn = () => vi.setSystemTime(Date.now() + 5);

test('a caller whose turn has ended waits for a later iteration of the event loop', async () => {
  endTurn();
  let hasIterated = false;
  setImmediate(() => {
    hasIterated = true;
  });
  const turnPromise = waitForTurn();
  expect(turnPromise).toBeInstanceOf(Promise);
  await turnPromise;
  expect(hasIterated).toBe(true);
});

test('a caller within its turn continues, even if other callers wait', async () => {
  endTurn();
  const resumedCallers: string[] = [];
  const whenFirstCallerDone = waitForTurn()?.then(() => {
    resumedCallers.push('first');
    // The turn of the first caller has just begun; the second caller still waits for its own turn.
    expect(waitForTurn()).toBeUndefined();
    expect(resumedCallers).toEqual(['first']);
  });
  const whenSecondCallerDone = waitForTurn()?.then(() => resumedCallers.push('second'));
  await Promise.all([whenFirstCallerDone, whenSecondCallerDone]);
  expect(resumedCallers).toEqual(['first', 'second']);
});

test('callers resume in the order in which they waited, one per iteration', async () => {
  endTurn();
  const resumedCallers: number[] = [];
  for (const caller of [1, 2, 3]) void waitForTurn()?.then(() => resumedCallers.push(caller));
  for (const expectedCallers of [[1], [1, 2], [1, 2, 3]]) {
    await nextIteration();
    expect(resumedCallers).toEqual(expectedCallers);
  }
});
