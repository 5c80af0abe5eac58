import { expect, test } from 'vitest';
import {
  type AttemptHistory,
  type AttemptOutcome,
  type RetryPolicy,
  type RetryRule,
  tryUntilFinal,
} from '../../src/http/retry.ts';

const BROKEN_OUTCOME: AttemptOutcome = { broken: 'reset' };

/**
 * Runs failing attempts and then a successful one. Each item of `progress` is the number of bytes that one failing
 * attempt receives.
 * Returns the result, and the arguments with which the rule and the report were called.
 */
async function runAttempts(progress: readonly number[], overrides: Partial<RetryPolicy> = {}) {
  const [histories, reports]: [AttemptHistory[], unknown[]] = [[], []];
  const rule: RetryRule = (_, tries) => {
    histories.push(tries);
    return { end: 'retry', ms: histories.length };
  };
  let attemptCount = 0;
  const tryOnce = async () => {
    const byteCount = progress[attemptCount++];
    return byteCount === undefined
      ? ({ outcome: null, text: 'whole' } as const)
      : { outcome: BROKEN_OUTCOME, why: () => `Reset ${attemptCount}.`, progress: byteCount };
  };
  const policy = { rule, signal: null, report: (wait: unknown) => reports.push(wait), ...overrides };
  return { end: await tryUntilFinal(tryOnce, policy), judgedTries: histories, reports };
}

test('attempts and waits are counted and reported, until an attempt succeeds', async () => {
  const { end, judgedTries, reports } = await runAttempts([0, 0]);
  expect(end).toEqual({ last: { outcome: null, text: 'whole' }, decision: { end: 'final' }, failedAttemptCount: 2 });
  expect(judgedTries).toEqual([
    { failedCount: 0, waited: 0, previousWait: 0 },
    { failedCount: 1, waited: 1, previousWait: 1 },
  ]);
  expect(reports).toEqual([
    { why: 'Reset 1.', ms: 1, attempt: 1 },
    { why: 'Reset 2.', ms: 2, attempt: 2 },
  ]);
});

test('an attempt with enough progress does not count as failed, but the wait after it counts', async () => {
  const { judgedTries, end } = await runAttempts([0, 99, 100, 0], { progressBytes: 100 });
  expect(judgedTries.map(({ failedCount }) => failedCount)).toEqual([0, 1, 0, 1]);
  expect(judgedTries.at(-1)).toEqual({ failedCount: 1, waited: 6, previousWait: 3 });
  expect(end.failedAttemptCount).toBe(4);
});

test('an outcome that the rule does not retry is final, with its decision', async () => {
  const { end } = await runAttempts([0], { rule: () => ({ end: 'give-up', ms: null, because: 'retries' }) });
  expect(end).toMatchObject({
    last: { outcome: BROKEN_OUTCOME },
    decision: { because: 'retries' },
    failedAttemptCount: 0,
  });
});

test("an abort ends a wait with the signal's reason, and nothing is sent afterwards", async () => {
  const controller = new AbortController();
  const abortOnReport = () => controller.abort(new Error('enough'));
  const rule: RetryRule = () => ({ end: 'retry', ms: 60_000 });
  await expect(runAttempts([0], { rule, signal: controller.signal, report: abortOnReport })).rejects.toThrow('enough');
  await expect(runAttempts([], { signal: controller.signal })).rejects.toThrow('enough');
});
