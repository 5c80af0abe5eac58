import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type AttemptOutcome, decideRetry, type RetryContext } from '../../src/http/retry.ts';

const NOW = Date.UTC(2026, 4, 29, 12, 0, 0);
const context: RetryContext = {
  failedCount: 0,
  retries: 4,
  previousWait: 0,
  waited: 0,
  maxWait: 90_000,
  now: NOW,
  deadline: null,
  jitter: 0.5,
};
const makeResponseOutcome = (
  code: number,
  headers: Record<string, string> = {},
  violated: string[] = [],
): AttemptOutcome => ({
  status: code,
  headers,
  violated,
});

test.each([
  ['a 400 is final', makeResponseOutcome(400), {}, { end: 'final' }],
  ['a 401 is final', makeResponseOutcome(401), {}, { end: 'final' }],
  ['a 404 is final', makeResponseOutcome(404), {}, { end: 'final' }],
  ['a 405 is final', makeResponseOutcome(405), {}, { end: 'final' }],
  ['a 301 is final', makeResponseOutcome(301), {}, { end: 'final' }],
  ...[408, 421, 425, 500, 502, 503, 504, 520, 521, 522, 523, 524].map(
    (status) => [`a ${status} is retried`, makeResponseOutcome(status), {}, { end: 'retry', ms: 375 }] as const,
  ),
  [
    'the wait after a 503 grows with each attempt',
    makeResponseOutcome(503),
    { failedCount: 3 },
    { end: 'retry', ms: 3000 },
  ],
  [
    'the wait after a 504 grows up to a maximum',
    makeResponseOutcome(504),
    { failedCount: 9, retries: 20 },
    { end: 'retry', ms: 22_500 },
  ],
  [
    'a 503 is not retried before its Retry-After',
    makeResponseOutcome(503, { 'retry-after': '7' }),
    {},
    { end: 'retry', ms: 7375 },
  ],
  [
    'a fifth retry is not made',
    makeResponseOutcome(503),
    { failedCount: 4 },
    { end: 'give-up', ms: null, because: 'retries' },
  ],
  [
    '--retries 0 prevents every retry',
    makeResponseOutcome(503),
    { retries: 0 },
    { end: 'give-up', ms: null, because: 'retries' },
  ],
  ['a reset connection is retried', { broken: 'reset' }, {}, { end: 'retry', ms: 375 }],
  ['a connection that another machine refuses is retried', { broken: 'refused' }, {}, { end: 'retry', ms: 375 }],
  [
    'if nothing listens on this machine, a retry follows after 200 ms',
    { broken: 'absent' },
    { retries: null },
    { end: 'retry', ms: 200 },
  ],
  [
    'if nothing listens on this machine, there is no second retry',
    { broken: 'absent' },
    { retries: null, failedCount: 1 },
    { end: 'give-up', ms: null, because: 'retries' },
  ],
  [
    'if nothing listens on this machine, --retries sets the number of retries',
    { broken: 'absent' },
    { retries: 4, failedCount: 3 },
    { end: 'retry', ms: 3000 },
  ],
  [
    'if nothing listens on this machine, the retry must not exceed --max-wait',
    { broken: 'absent' },
    { retries: null, maxWait: 0 },
    { end: 'give-up', ms: 200, because: 'max-wait' },
  ],
  [
    'without --retries there is a fourth retry',
    { broken: 'refused' },
    { retries: null, failedCount: 3 },
    { end: 'retry', ms: 3000 },
  ],
  [
    'without --retries there is no fifth retry',
    { broken: 'refused' },
    { retries: null, failedCount: 4 },
    { end: 'give-up', ms: null, because: 'retries' },
  ],
  ['a truncated body is retried', { broken: 'truncated' }, {}, { end: 'retry', ms: 375 }],
  [
    'a wait that exceeds the deadline is not started',
    { broken: 'timeout' },
    { deadline: NOW + 200 },
    { end: 'give-up', ms: 375, because: 'deadline' },
  ],
  [
    'a 429 is retried after its Retry-After',
    makeResponseOutcome(429, { 'retry-after': '30' }),
    {},
    { end: 'retry', ms: 30_000 },
  ],
  [
    'retries after a 429 count as retries',
    makeResponseOutcome(429, { 'retry-after': '1' }),
    { failedCount: 4 },
    { end: 'give-up', ms: null, because: 'retries' },
  ],
  [
    'after a 429 with Retry-After: 0, the wait is at least a second',
    makeResponseOutcome(429, { 'retry-after': '0' }),
    {},
    { end: 'retry', ms: 1500 },
  ],
  [
    'a Retry-After in the past counts as 0',
    makeResponseOutcome(429, { 'retry-after': 'Fri, 29 May 2026 11:00:00 GMT' }),
    {},
    { end: 'retry', ms: 1500 },
  ],
  [
    'after a 429 with Retry-After: 0, later waits are longer',
    makeResponseOutcome(429, { 'retry-after': '0' }),
    { failedCount: 3 },
    { end: 'retry', ms: 12_000 },
  ],
  [
    'a Retry-After of a day exceeds --max-wait',
    makeResponseOutcome(429, { 'retry-after': '86400' }),
    {},
    { end: 'give-up', ms: 86_400_000, because: 'max-wait' },
  ],
  [
    '--max-wait applies to the sum of all waits',
    makeResponseOutcome(429, { 'retry-after': '60' }),
    { waited: 60_000 },
    { end: 'give-up', ms: 60_000, because: 'max-wait' },
  ],
  [
    'a 429 without Retry-After is retried at the reset of its exhausted limit',
    makeResponseOutcome(429, { ratelimit: '"minute";r=0;t=42, "month";r=9;t=999' }),
    {},
    { end: 'retry', ms: 42_000 },
  ],
  [
    'a 429 without Retry-After is retried at the reset of the violated limit',
    makeResponseOutcome(429, { ratelimit: '"minute";r=5;t=42, "month";r=0;t=80' }, ['month']),
    {},
    { end: 'retry', ms: 80_000 },
  ],
  [
    'a 429 without headers is retried after at least a second',
    makeResponseOutcome(429),
    {},
    { end: 'retry', ms: 1500 },
  ],
] as const)('%s', (_, outcome, change, expected) => {
  expect(decideRetry(outcome as AttemptOutcome, { ...context, ...change })).toEqual(expected);
});

const OUTCOMES: readonly AttemptOutcome[] = [
  makeResponseOutcome(503),
  makeResponseOutcome(503, { 'retry-after': '2' }),
  makeResponseOutcome(429),
  makeResponseOutcome(429, { 'retry-after': '0' }),
  { broken: 'reset' },
];

test('no wait is shorter than the previous wait, and each is bounded, whatever the jitter', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...OUTCOMES),
      fc.array(fc.double({ min: 0, max: 0.999, noNaN: true })),
      (outcome, jitters) => {
        let previousWaitMs = 0;
        for (const [attempt, jitter] of jitters.entries()) {
          const unboundedContext = {
            ...context,
            failedCount: attempt,
            previousWait: previousWaitMs,
            jitter,
            retries: 1000,
            maxWait: 1e9,
          };
          const decision = decideRetry(outcome, unboundedContext);
          if (decision.end !== 'retry') throw new Error(decision.end);
          expect(decision.ms).toBeGreaterThanOrEqual(previousWaitMs);
          expect(decision.ms).toBeLessThanOrEqual(32_000);
          if ('status' in outcome && outcome.status === 429) expect(decision.ms).toBeGreaterThanOrEqual(1000);
          previousWaitMs = decision.ms;
        }
      },
    ),
  );
});
