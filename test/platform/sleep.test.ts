import { expect, test } from 'vitest';
import { sleep } from '../../src/platform/sleep.ts';

test('an abort before or during a sleep rejects with its reason', async () => {
  const reason = new Error('enough');
  await expect(sleep(60_000, AbortSignal.abort(reason))).rejects.toBe(reason);
  const controller = new AbortController();
  const pendingSleep = sleep(60_000, controller.signal);
  controller.abort(reason);
  await expect(pendingSleep).rejects.toBe(reason);
});

test('a sleep without an abort resolves', async () => {
  await sleep(1);
  await sleep(1, new AbortController().signal);
});
