import { expect, test } from 'vitest';
import { sleep } from '../../src/platform/builtins/loaded-on-use.ts';

test('an abort before or during a sleep rejects with its reason', async () => {
  const reason = new Error('enough');
  await expect(sleep(60_000, AbortSignal.abort(reason))).rejects.toBe(reason);
  const controller = new AbortController();
  const pendingSleep = sleep(60_000, controller.signal);
  controller.abort(reason);
  await expect(pendingSleep).rejects.toBe(reason);
});

test('a sleep without an abort resolves after its time', async () => {
  const startTime = performance.now();
  await sleep(20);
  await sleep(20, new AbortController().signal);
  // Timers may fire a millisecond early.
  expect(performance.now() - startTime).toBeGreaterThan(37);
});
