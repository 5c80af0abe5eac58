import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decideRetry, type Outcome, type RetryContext } from '../../src/http/retry.ts';

const NOW = Date.UTC(2026, 4, 29, 12, 0, 0);
const context: RetryContext = {
  attempt: 0,
  retries: 4,
  previousWait: 0,
  waited: 0,
  maxWait: 90_000,
  now: NOW,
  deadline: null,
  jitter: 0.5,
};
const status = (code: number, headers: Record<string, string> = {}, violated: string[] = []): Outcome => ({
  status: code,
  headers,
  violated,
});

test.each([
  ['a 400 is final', status(400), {}, { end: 'final' }],
  ['a 401 is final', status(401), {}, { end: 'final' }],
  ['a 404 is final', status(404), {}, { end: 'final' }],
  ['a 405 is final', status(405), {}, { end: 'final' }],
  ['a 301 is final', status(301), {}, { end: 'final' }],
  ['a 500 is retried', status(500), {}, { end: 'retry', ms: 375 }],
  ['a 503 grows more', status(503), { attempt: 3 }, { end: 'retry', ms: 3000 }],
  ['a 504 grows to its bound', status(504), { attempt: 9, retries: 20 }, { end: 'retry', ms: 22_500 }],
  ['a 503 is not asked before its time', status(503, { 'retry-after': '7' }), {}, { end: 'retry', ms: 7375 }],
  ['tries end', status(503), { attempt: 4 }, { end: 'give-up', ms: null, because: 'retries' }],
  ['no retries', status(503), { retries: 0 }, { end: 'give-up', ms: null, because: 'retries' }],
  ['a reset is asked again', { broken: 'reset' }, {}, { end: 'retry', ms: 375 }],
  ['what is refused elsewhere is asked again', { broken: 'refused' }, {}, { end: 'retry', ms: 375 }],
  ['where nothing listens here: once, and soon', { broken: 'absent' }, { retries: null }, { end: 'retry', ms: 200 }],
  [
    'and no more',
    { broken: 'absent' },
    { retries: null, attempt: 1 },
    { end: 'give-up', ms: null, because: 'retries' },
  ],
  ['but as often as was asked for', { broken: 'absent' }, { retries: 4, attempt: 3 }, { end: 'retry', ms: 3000 }],
  [
    'and not where no wait is to be',
    { broken: 'absent' },
    { retries: null, maxWait: 0 },
    { end: 'give-up', ms: 200, because: 'max-wait' },
  ],
  [
    'without --retries there is a fourth retry',
    { broken: 'refused' },
    { retries: null, attempt: 3 },
    { end: 'retry', ms: 3000 },
  ],
  [
    'without --retries there is no fifth retry',
    { broken: 'refused' },
    { retries: null, attempt: 4 },
    { end: 'give-up', ms: null, because: 'retries' },
  ],
  ['a truncated body is retried', { broken: 'truncated' }, {}, { end: 'retry', ms: 375 }],
  [
    'a wait that exceeds the deadline is not started',
    { broken: 'timeout' },
    { deadline: NOW + 200 },
    { end: 'give-up', ms: 375, because: 'deadline' },
  ],
  ['a 429 waits as told', status(429, { 'retry-after': '30' }), {}, { end: 'retry', ms: 30_000 }],
  [
    'a 429 uses up retries',
    status(429, { 'retry-after': '1' }),
    { attempt: 4 },
    { end: 'give-up', ms: null, because: 'retries' },
  ],
  ['Retry-After: 0 waits a second and more', status(429, { 'retry-after': '0' }), {}, { end: 'retry', ms: 1500 }],
  [
    'a Retry-After in the past waits as long',
    status(429, { 'retry-after': 'Fri, 29 May 2026 11:00:00 GMT' }),
    {},
    { end: 'retry', ms: 1500 },
  ],
  ['and longer each time', status(429, { 'retry-after': '0' }), { attempt: 3 }, { end: 'retry', ms: 12_000 }],
  [
    'a 429 of a day is not waited for',
    status(429, { 'retry-after': '86400' }),
    {},
    { end: 'give-up', ms: 86_400_000, because: 'max-wait' },
  ],
  [
    'waits add up',
    status(429, { 'retry-after': '60' }),
    { waited: 60_000 },
    { end: 'give-up', ms: 60_000, because: 'max-wait' },
  ],
  [
    'a 429 that does not say waits for the reset',
    status(429, { ratelimit: '"minute";r=0;t=42, "month";r=9;t=999' }),
    {},
    { end: 'retry', ms: 42_000 },
  ],
  [
    'of the limit that was reached',
    status(429, { ratelimit: '"minute";r=5;t=42, "month";r=0;t=80' }, ['month']),
    {},
    { end: 'retry', ms: 80_000 },
  ],
  ['a 429 that says nothing', status(429), {}, { end: 'retry', ms: 1500 }],
] as const)('%s', (_, outcome, change, expected) => {
  expect(decideRetry(outcome as Outcome, { ...context, ...change })).toEqual(expected);
});

const OUTCOMES: readonly Outcome[] = [
  status(503),
  status(503, { 'retry-after': '2' }),
  status(429),
  status(429, { 'retry-after': '0' }),
  { broken: 'reset' },
];

test('no wait is shorter than the previous wait, and each is bounded, whatever the jitter', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...OUTCOMES),
      fc.array(fc.double({ min: 0, max: 0.999, noNaN: true })),
      (outcome, jitters) => {
        let previous = 0;
        for (const [attempt, jitter] of jitters.entries()) {
          const unbounded = { ...context, attempt, previousWait: previous, jitter, retries: 1000, maxWait: 1e9 };
          const decision = decideRetry(outcome, unbounded);
          if (decision.end !== 'retry') throw new Error(decision.end);
          expect(decision.ms).toBeGreaterThanOrEqual(previous);
          expect(decision.ms).toBeLessThanOrEqual(32_000);
          if ('status' in outcome && outcome.status === 429) expect(decision.ms).toBeGreaterThanOrEqual(1000);
          previous = decision.ms;
        }
      },
    ),
  );
});
