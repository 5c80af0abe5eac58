import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createEmbeddedCounters, openMonthFiles } from '../../../src/service/limits/embedded-counters.ts';
import type { Limits } from '../../../src/service/limits/limits.ts';
import { computeRetryAfterSeconds, makeLimitHeaders } from '../../../src/service/middleware/authentication.ts';
import { testNeeding } from '../../needs.ts';
import { makeDirectory } from '../http/running.ts';

const NOON = Date.UTC(2026, 10, 21, 12, 0, 0);
const limits: Limits = { minute: 3, month: 5, concurrent: 2, seconds: 60 };

test('a claim counts immediately, a refund takes it back, and a finish frees the slot', async () => {
  const counters = createEmbeddedCounters(makeDirectory(), () => NOON);
  const firstClaim = await counters.claim('a', limits);
  expect(firstClaim).toMatchObject({ violated: [], usage: { minute: 1, month: 1, concurrent: 1 } });
  const secondClaim = await counters.claim('a', limits);
  expect(secondClaim.usage).toEqual({ minute: 2, month: 2, concurrent: 2 });
  const thirdClaim = await counters.claim('a', limits);
  expect(thirdClaim).toMatchObject({ violated: ['concurrent'], usage: { minute: 2, month: 2, concurrent: 2 } });
  expect(await secondClaim.refund()).toEqual({ minute: 1, month: 1, concurrent: 2 });
  secondClaim.finish();
  await firstClaim.keep();
  firstClaim.finish();
  expect((await counters.claim('a', limits)).usage).toEqual({ minute: 2, month: 2, concurrent: 1 });
});

test("a refund after the end of a window does not reduce the next window's count", async () => {
  let now = NOON + 59_999;
  const counters = createEmbeddedCounters(makeDirectory(), () => now);
  const oldClaim = await counters.claim('a', limits);
  now += 1;
  await counters.claim('a', limits);
  expect(await oldClaim.refund()).toMatchObject({ minute: 1, month: 1 });
});

test('a minute that the limits file divides into windows is counted per window', async () => {
  let now = NOON + 4_999;
  const counters = createEmbeddedCounters(makeDirectory(), () => now);
  const limitsWithShortWindows = { ...limits, seconds: 5 };
  for (const _ of [1, 2, 3]) (await counters.claim('a', limitsWithShortWindows)).finish();
  expect(await counters.claim('a', limitsWithShortWindows)).toMatchObject({ violated: ['minute'] });
  expect(computeRetryAfterSeconds(['minute'], limitsWithShortWindows, now)).toBe(1);
  expect(makeLimitHeaders(limitsWithShortWindows, { minute: 3, month: 3, concurrent: 0 }, now)).toMatchObject({
    ratelimit: expect.stringContaining('"minute";r=0;t=1'),
    'ratelimit-policy': expect.stringContaining('"minute";q=3;w=5'),
  });
  now += 1;
  expect(await counters.claim('a', limitsWithShortWindows)).toMatchObject({
    violated: [],
    usage: { minute: 1, month: 4 },
  });
});

test('the count of the month survives the process, the counts of the minute and of running requests do not', async () => {
  const directory = makeDirectory();
  const firstCounters = createEmbeddedCounters(directory, () => NOON);
  for (let index = 0; index < 2; index += 1) await (await firstCounters.claim('a', limits)).keep();
  // The first process ended without closing its counters.
  const secondCounters = createEmbeddedCounters(directory, () => NOON);
  expect((await secondCounters.claim('a', limits)).usage).toEqual({ minute: 1, month: 3, concurrent: 1 });
});

test('counts of concurrent requests are on disk when "keep" resolves', async () => {
  const directory = makeDirectory();
  const wideLimits = { ...limits, minute: 1_000, month: 1_000, concurrent: 1_000 };
  const counters = createEmbeddedCounters(directory, () => NOON);
  const claims = await Promise.all(
    Array.from({ length: 90 }, (_, index) => counters.claim(`a${index % 3}`, wideLimits)),
  );
  await Promise.all(claims.map((claim) => claim.keep()));
  // The first process ended without closing its counters.
  const laterCounters = createEmbeddedCounters(directory, () => NOON);
  for (const account of ['a0', 'a1', 'a2'])
    expect((await laterCounters.claim(account, wideLimits)).usage.month).toBe(31);
});

test('counts of months before the previous month are removed', () => {
  const directory = makeDirectory();
  for (const month of ['2025-11', '2026-09', '2026-10', '2026-11']) {
    const monthFiles = openMonthFiles(directory, '2025-01');
    monthFiles.add('a', month);
    monthFiles.close();
  }
  openMonthFiles(directory, '2026-11').close();
  expect(readdirSync(directory).sort()).toEqual(['2026-10', '2026-11']);
  expect(readdirSync(join(directory, '2026-11'))).toEqual(['a']);
});

test('requests of more accounts than may have open files are all counted', () => {
  const files = openMonthFiles(makeDirectory(), '2026-11');
  const accounts = Array.from({ length: 600 }, (_, index) => `a${index}`);
  for (const account of [...accounts, ...accounts]) files.add(account, '2026-11');
  expect(accounts.every((account) => files.read(account, '2026-11') === 2)).toBe(true);
  files.close();
});

test('no order of events exceeds the limits', async () => {
  const anyStep = fc.record({
    wait: fc.constantFrom(0, 0, 0, 20_000, 61_000),
    end: fc.constantFrom('keep', 'refund', 'later'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(anyStep, { maxLength: 40 }), async (steps) => {
      let now = NOON;
      const counters = createEmbeddedCounters(makeDirectory(), () => now);
      const countedTimes: number[] = [];
      const openClaims: Awaited<ReturnType<typeof counters.claim>>[] = [];
      for (const { wait, end } of steps) {
        now += wait;
        const claim = await counters.claim('a', limits);
        if (claim.violated.length > 0) {
          if (claim.violated.includes('concurrent')) openClaims.shift()?.finish();
          continue;
        }
        openClaims.push(claim);
        if (end === 'later') countedTimes.push(now);
        else {
          if (end === 'keep') countedTimes.push(now);
          await claim[end]();
          openClaims.pop()?.finish();
        }
        if (openClaims.length > limits.concurrent || countedTimes.length > limits.month) return false;
        const minuteNumber = Math.floor(now / 60_000);
        if (countedTimes.filter((time) => Math.floor(time / 60_000) === minuteNumber).length > limits.minute)
          return false;
      }
      return true;
    }),
    { numRuns: 60 },
  );
});

testNeeding('/dev/full', existsSync('/dev/full'))(
  'a count that cannot be written does not block other accounts',
  async () => {
    const directory = makeDirectory();
    mkdirSync(join(directory, '2026-11'));
    symlinkSync('/dev/full', join(directory, '2026-11', 'full'));
    const counters = createEmbeddedCounters(directory, () => NOON);
    await expect((await counters.claim('full', limits)).keep()).rejects.toThrow('ENOSPC');
    expect((await counters.claim('other', limits)).usage).toEqual({ minute: 1, month: 1, concurrent: 1 });
  },
);
