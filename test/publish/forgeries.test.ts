import { expect, test } from 'vitest';
import { type Forger, type Outcome, openForger } from './forgeries.ts';
import { makeDirectory, SAMPLE_RELEASE } from './releases.ts';

/** `test/bench/forgeries.mjs` tries 150 times as many forgeries, each within two seconds and half a gigabyte. */
const FORGERY_COUNT = 650;
/** Seeds of forgeries with contradictory tables, which once caused a defect. */
const CONTRADICTION_SEEDS = [4153, 5074];

test('reading a forged release succeeds or is refused, and never fails with another error', async () => {
  const forger: Forger = await openForger(SAMPLE_RELEASE, makeDirectory());
  const outcomeCounts = new Map<string, number>();
  const defects: unknown[] = [];
  for (const seed of [...Array(FORGERY_COUNT).keys(), ...CONTRADICTION_SEEDS]) {
    const { kind, subject, result, error }: Outcome = await forger.try(seed);
    outcomeCounts.set(`${kind} ${result}`, (outcomeCounts.get(`${kind} ${result}`) ?? 0) + 1);
    if (result === 'defect') defects.push([seed, kind, subject, error]);
  }
  expect(defects).toEqual([]);
  // For each kind, some forgeries are read and, except for footers, some are refused; otherwise all might be refused
  // for the same fault.
  for (const kind of new Set([...outcomeCounts.keys()].map((name) => name.replace(/ \w+$/, '')))) {
    expect(outcomeCounts.get(`${kind} read`) ?? 0, kind).toBeGreaterThan(0);
    if (kind !== 'footer') expect(outcomeCounts.get(`${kind} refused`) ?? 0, kind).toBeGreaterThan(0);
  }
}, 300_000);
