import { expect, test } from 'vitest';
import { deriveCompany } from '../../../src/figures/company.ts';
import type { PriceObservation } from '../../../src/figures/prices/price-observations.ts';
import { chainsOf } from '../../../src/figures/revisions/revision-chain.ts';
import { marketOn } from '../../../src/figures/screen/past-market.ts';
import { pricedRow, screenStates } from '../../../src/figures/screen/screen-states.ts';
import type { Split } from '../../../src/figures/shares/splits.ts';
import { fact, filedFacts } from '../filed-facts.ts';

const price = (day: string, dollars: string): PriceObservation => ({
  ...{ day, price: dollars, source: 'fails', sample: 1, agreement: null, soldAt: null },
});

/** Apple's split of four for one on 2020-08-31, which its annual report of 2020-10-30 proves. */
const SPLIT: Split = {
  ...{ ratio: '4', effective: '2020-08-31', accession: '0000320193-20-000096' },
  ...{ after: '2020-07-31', until: '2020-10-30', proven: '2020-10-30' },
};
const PRICES = [
  price('2020-07-31', '425.04'),
  price('2020-08-27', '500.04'),
  price('2020-08-28', '500.04'),
  price('2020-08-31', '124.81'),
  price('2020-09-15', '115.36'),
  price('2020-11-02', '108.77'),
];
const cover = (end: string, value: string, filed: string, form: string) =>
  fact({
    ...{ taxonomy: 'dei', concept: 'EntityCommonStockSharesOutstanding', unit: 'shares', start: null },
    ...{ end, value, filed, form, accession: `0000320193-20-${filed.slice(5).replace('-', '00')}` },
  });
const COUNTS = deriveCompany(
  [cover('2020-07-17', '4275634000', '2020-07-31', '10-Q'), cover('2020-10-16', '17001802000', '2020-10-30', '10-K')],
  [],
  { releaseDate: '2021-01-01' },
).reportedValues;

const on = (day: string, splits: readonly Split[] = [SPLIT]) =>
  marketOn(day, { daily: PRICES, countApplies: true }, COUNTS, splits);

test('the price of a day is the last one up to it, at most 180 days old', () => {
  expect(on('2020-08-30').price).toEqual({ day: '2020-08-28', price: '500.04', marketCap: '2137988025360' });
  expect(on('2020-07-30').price).toBe(null);
  expect(on('2021-05-01').price?.day).toBe('2020-11-02');
  expect(on('2021-05-02').price).toBe(null);
});

test('a split that only prices show does not change the price until a filing proves it', () => {
  expect(on('2020-09-20').price).toEqual({ day: '2020-09-15', price: '115.36', marketCap: null });
  expect(on('2020-09-20').ratioBetween('2020-07-31', '2020-09-15')).toBe(null);
  // Proven, it is counted.
  expect(on('2020-11-05').price?.marketCap).toBe('1849286003540');
  expect(on('2020-11-05').ratioBetween('2020-07-31', '2020-11-02')).toEqual({ fresh: '4', old: '1' });
});

test("without a price the screener's row of a day is the stored state", () => {
  const { reportedValues, splits } = deriveCompany(filedFacts('cop-2009'), [], { releaseDate: '2026-08-20' });
  const chains = chainsOf(reportedValues);
  for (const { day, row } of screenStates(chains, splits))
    expect(pricedRow(day, chains, splits, { daily: [], countApplies: true })).toEqual(row);
});
