/** A short run of `npm run bench:crowd -- --strict`. */
import { expect, test } from 'vitest';
import { runStrictCrowd } from '../bench/strict-crowd.mjs';

test('many processes, a third of them killed, get answers from a service that restarts and has lower limits than stated', async () => {
  const setup = { count: 40, atOnce: 12, killed: 1 / 3, quota: 10, allowed: 8, seconds: 1, outage: 300 };
  const { correctCount, killedCount, faults, counts, damage } = await runStrictCrowd(setup);
  expect(faults).toEqual([]);
  expect(correctCount).toBe(40 - killedCount);
  expect(killedCount).toBeGreaterThan(0);
  expect(counts.mostRunning).toBeLessThanOrEqual(4);
  expect(damage).toEqual([]);
});
