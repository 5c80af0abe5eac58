import { expect, test } from 'vitest';
import { deriveCompanyFigures } from '../../../src/figures/company.ts';
import type { Quote } from '../../../src/figures/prices/price-observations.ts';
import { buildQuotedStates, type RowEvent } from '../../../src/figures/screen/quoted-states.ts';
import type { Split } from '../../../src/figures/shares/splits.ts';
import { makeFact } from '../filed-facts.ts';

const makeQuote = (day: string, priceInDollars: string): Quote => ({ day, price: priceInDollars, source: 'fails' });

/** Apple's 4:1 split on 2020-08-31, which its annual report of 2020-10-30 proves. */
const SPLIT: Split = {
  ...{ ratio: '4', effective: '2020-08-31', accession: '0000320193-20-000096' },
  ...{ after: '2020-07-31', until: '2020-10-30', proven: '2020-10-30' },
};
const PRICES = [
  makeQuote('2020-07-31', '425.04'),
  makeQuote('2020-08-27', '500.04'),
  makeQuote('2020-08-28', '500.04'),
  makeQuote('2020-08-31', '124.81'),
  makeQuote('2020-09-15', '115.36'),
  makeQuote('2020-11-02', '108.77'),
];
const makeCoverFact = (end: string, value: string, filed: string, form: string) =>
  makeFact({
    ...{ taxonomy: 'dei', concept: 'EntityCommonStockSharesOutstanding', unit: 'shares', start: null },
    ...{ end, value, filed, form, accession: `0000320193-20-${filed.slice(5).replace('-', '00')}` },
  });
const SHARE_COUNTS = deriveCompanyFigures(
  [
    makeCoverFact('2020-07-17', '4275634000', '2020-07-31', '10-Q'),
    makeCoverFact('2020-10-16', '17001802000', '2020-10-30', '10-K'),
  ],
  [],
  { releaseDate: '2021-01-01' },
).reportedValues;
/**
 * Earnings per share are from the report of 2019, and from 2020-10-30 on from the report of 2020. Dividends are
 * missing.
 */
const ROW_EVENTS: readonly RowEvent[] = [
  { day: '2019-10-31', hasRow: true, adjustmentDays: ['2019-10-31', null] },
  { day: '2020-10-30', hasRow: true, adjustmentDays: ['2020-10-30', null] },
];

const states = buildQuotedStates(ROW_EVENTS, { daily: PRICES, shareCountApplies: true }, SHARE_COUNTS, [SPLIT]);
/** Returns the last state in the month of `day`, up to that day. */
const findState = (day: string, quotedStates = states) =>
  quotedStates.findLast((state) => state.day <= day && state.day.slice(0, 7) === day.slice(0, 7));

test('the price of a day is the last price by that day, and at most 180 days old', () => {
  expect(findState('2020-08-30')).toMatchObject({ priceDay: '2020-08-28', price: '500.04', shares: '4275634000' });
  expect(findState('2020-07-30')).toBe(undefined);
  expect(findState('2021-04-30')?.priceDay).toBe('2020-11-02');
  expect(findState('2021-05-31')?.priceDay).toBe('2020-11-02');
  expect(findState('2021-06-01')).toBe(undefined);
});

test('while prices show a split that no filing has proven, the state has a price, but no share count and no ratios', () => {
  expect(findState('2020-09-20')).toMatchObject({ price: '115.36', shares: null, ratios: [null, null] });
  // Once a filing proves the split, the share count for the last price before that filing includes it.
  expect(findState('2020-10-31')).toMatchObject({ priceDay: '2020-09-15', shares: '17102536000' });
  expect(findState('2020-11-05')).toMatchObject({
    shares: '17001802000',
    ratios: [{ newShares: '1', oldShares: '1' }, null],
  });
});

test('an amount per share that was reported before a split has the ratio of the split', () => {
  const rowEventsBeforeReport = ROW_EVENTS.slice(0, 1);
  const statesBeforeReport = buildQuotedStates(
    rowEventsBeforeReport,
    { daily: PRICES, shareCountApplies: true },
    SHARE_COUNTS,
    [SPLIT],
  );
  expect(findState('2020-11-05', statesBeforeReport)?.ratios).toEqual([{ newShares: '4', oldShares: '1' }, null]);
});

test('without a screener row or a price there is no state, and prices of receipts have no share count', () => {
  expect(buildQuotedStates([], { daily: PRICES, shareCountApplies: true }, SHARE_COUNTS, [])).toEqual([]);
  expect(buildQuotedStates(ROW_EVENTS, { daily: [], shareCountApplies: true }, SHARE_COUNTS, [])).toEqual([]);
  const depositaryReceiptStates = buildQuotedStates(
    ROW_EVENTS,
    { daily: PRICES, shareCountApplies: false },
    SHARE_COUNTS,
    [SPLIT],
  );
  expect(depositaryReceiptStates.every(({ shares }) => shares === null)).toBe(true);
  const rowEventsWithEnd = [...ROW_EVENTS, { day: '2020-11-20', hasRow: false, adjustmentDays: [null, null] }];
  const statesWithEnd = buildQuotedStates(rowEventsWithEnd, { daily: PRICES, shareCountApplies: true }, SHARE_COUNTS, [
    SPLIT,
  ]);
  expect(findState('2020-12-31', statesWithEnd)).toBe(undefined);
});
