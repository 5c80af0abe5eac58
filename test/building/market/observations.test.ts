import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makePricesGroup, ObservationWriter, readPriceRows } from '../../../src/building/market/observations.ts';
import { SliceIndex, SliceWriter } from '../../../src/building/tasks/slices.ts';
import { makeTemporaryFolder } from '../../clean-up.ts';

/** Returns the prices that remain of prices in fails-to-deliver files, in order of day. */
function readFailsPrices(observations: readonly (readonly [day: string, price: string])[]) {
  const writer = new SliceWriter(join(makeTemporaryFolder('observations'), 'output'));
  const priceWriter = new ObservationWriter(writer, []);
  for (const [day, price] of observations)
    priceWriter.add({ cik: 314808, tickerNormalized: 'VAL' }, 'fails', day, price);
  const slices = new SliceIndex();
  slices.add(writer.finish());
  return [...readPriceRows({ slices: slices.getSlices(makePricesGroup('last')), lastDay: null })].flatMap(([, rows]) =>
    rows.map(({ day, price }) => [day, price]),
  );
}

test('the cent that fails-to-deliver files state before the first trade is no price, other than the cents of a penny stock', () => {
  const firstTrades = [
    ['2021-05-04', '22.00'],
    ['2021-05-05', '22.10'],
  ] as const;
  expect(readFailsPrices([['2021-04-29', '0.01'], ['2021-04-30', '0.01'], ...firstTrades])).toEqual(firstTrades);
  const pennyPrices = [
    ['2021-04-29', '0.01'],
    ['2021-04-30', '0.02'],
    ['2021-06-30', '0.01'],
    ['2022-06-30', '5.00'],
  ] as const;
  expect(readFailsPrices(pennyPrices)).toEqual(pennyPrices);
});
