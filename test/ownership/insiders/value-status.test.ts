import { expect, test } from 'vitest';
import { createClosingPriceFinder, isCommonEquity, judgeTrade } from '../../../src/ownership/insiders/value-status.ts';
import { makeTrade } from './filing.ts';

test.each([
  'Common Stock',
  'common',
  'Class A Common Stock, par value $0.0001 per share',
  'Common Shares (2330.TW)',
  'Class C Capital Stock',
  'Class C Google Stock Units',
  'American Depositary Shares (TSM)',
  'Comm Stock-$.16-2/3 value',
  'Common Stock (and associated Preferred Stock Purchase Rights)',
  'Common Stock and Preferred Share Purchase Rights',
  'Class B Convertible Common Stock',
  'Subordinate Voting Shares',
  'Units of Limited Partnership Interest',
  'Common Stock (see note 1)',
  'Registered Shares',
  'Restricted Stock',
  '',
])('a security named %s is common equity', (title) => {
  expect(isCommonEquity(title)).toBe(true);
});

test.each([
  'Series B Preferred Stock',
  'Series D Redeemable Convertible Preferred Stock',
  'Series C Depositary Shares',
  'Depositary Shares (Preferred Stock, Series C)',
  'UMH Properties, Inc. (Preferred D)',
  '7.40% Series R Senior Secured Notes due January 20, 2034',
  'Class B Common Stock Warrant (Right to buy)',
  'Option to Buy (Common Stock)',
  'Convertible Note',
  'Variable Rate MuniFund Term Preferred Shares',
  'Subscription Rights',
  'Phantom Stock Units',
])('a security named %s is not common equity', (title) => {
  expect(isCommonEquity(title)).toBe(false);
  expect(judgeTrade(makeTrade({ securityTitle: title }), { filed: null, close: null })).toBe('not_equity');
});

test('a trade counts with its filed value, unless its price, shares or day is missing or impossible', () => {
  const judge = (
    fields: Parameters<typeof makeTrade>[0],
    filedDay: string | null = '2026-04-22',
    closingPrice: string | null = null,
  ) => judgeTrade(makeTrade(fields), { filed: filedDay, close: closingPrice });
  expect(judge({})).toBe('counted');
  expect(judge({ price: null })).toBe('suspect');
  expect(judge({ price: '0' })).toBe('suspect');
  expect(judge({ price: '0.00' })).toBe('suspect');
  expect(judge({ shares: '-100' })).toBe('suspect');
  expect(judge({ day: null })).toBe('suspect');
  expect(judge({ day: '2026-04-23' })).toBe('suspect');
  expect(judge({ day: '2026-04-23' }, null)).toBe('counted');
  expect(judge({ day: '0216-04-20' })).toBe('suspect');
});

test('a mistyped price is detected by the closing price of the day, or because no share costs that much', () => {
  // A real error: REEMF traded at about 0.24 a share on 10 March 2026.
  expect(judgeTrade(makeTrade({ day: '2026-03-10', price: '24035774.40' }), { filed: '2026-03-12', close: null })).toBe(
    'suspect',
  );
  // Another real error: XOS traded at about 5 a share on 11 May 2026.
  expect(judgeTrade(makeTrade({ day: '2026-05-11', price: '1500000.00' }), { filed: '2026-05-13', close: '5' })).toBe(
    'suspect',
  );
  expect(judgeTrade(makeTrade({ price: '50' }), { filed: '2026-05-13', close: '5' })).toBe('counted');
  expect(judgeTrade(makeTrade({ price: '50.01' }), { filed: '2026-05-13', close: '5' })).toBe('suspect');
  // Berkshire's class A trades at about 800,000 a share.
  expect(judgeTrade(makeTrade({ price: '756200' }), { filed: '2026-05-13', close: null })).toBe('counted');
});

/** Closing prices of Tesla around its 5:1 split of 31 August 2020; one day has two prices. */
const TESLA_PRICES = [
  { day: '2020-08-28', price: '2213.40' },
  { day: '2020-08-31', price: '498.32' },
  { day: '2020-08-31', price: '498.30' },
];

test('the closing price is that of the day, or of the nearest day within a week', () => {
  const findClose = createClosingPriceFinder(TESLA_PRICES);
  expect(findClose('2020-08-28')).toBe('2213.40');
  expect(findClose('2020-08-21')).toBe('2213.40');
  expect(findClose('2020-09-07')).toBe('498.32');
  expect(findClose('2020-08-20')).toBeNull();
  expect(findClose('2020-09-08')).toBeNull();
  expect(createClosingPriceFinder([])('2020-08-28')).toBeNull();
});

test('the higher of the nearest closing prices is used, so that a split does not make a correct price look wrong', () => {
  expect(createClosingPriceFinder(TESLA_PRICES)('2020-08-29')).toBe('2213.40');
});

test('a trade of more shares than exist, or worth more than all of them, is suspect', () => {
  const judge = (fields: Parameters<typeof makeTrade>[0], close: string | null) =>
    judgeTrade(makeTrade(fields), { filed: null, close, limit: { total: '1000', ofClass: '400' } });
  expect(judge({ shares: '400' }, null)).toBe('counted');
  expect(judge({ shares: '400.5' }, null)).toBe('suspect');
  // 400 shares at 26 dollars cost more than 1,000 shares at 10 dollars.
  expect(judge({ shares: '400', price: '25' }, '10')).toBe('counted');
  expect(judge({ shares: '400', price: '26' }, '10')).toBe('suspect');
  expect(judge({ shares: '400', price: '26' }, null)).toBe('counted');
});

test.each([
  ['The price is per ADS; each ADS represents 40 ordinary shares.', 'Ordinary Shares', 'suspect'],
  ['Represents the price paid per American Depositary Share.', 'Class A ordinary shares', 'suspect'],
  ['The price is per ADS.', 'American Depositary Shares', 'counted'],
  ['The price is per ADS; each ADS represents one ordinary share.', 'Ordinary Shares', 'counted'],
  ['Each ADS represents 40 ordinary shares.', 'Ordinary Shares', 'counted'],
  ['The price is reported in Canadian dollars.', 'Common Shares', 'suspect'],
  ['The purchase price was paid in NIS.', 'Common Shares', 'suspect'],
  ['The price in Canadian dollars was converted at the exchange rate of the day.', 'Common Shares', 'counted'],
  ['Bought as ADSs, each of which represents 20 shares, at a price of $6.90 per ADS.', 'Ordinary Shares', 'suspect'],
  ['The purchase price was RMB 6.90 per share.', 'Ordinary Shares', 'suspect'],
  ['Reported in Canadian dollars.', 'Common Shares', 'suspect'],
  ['The weighted average price was C$10.25.', 'Common Shares', 'suspect'],
  ['The price is €10.25 per share.', 'Common Shares', 'suspect'],
  ['The purchase price was RMB 6.90, or $0.95.', 'Ordinary Shares', 'counted'],
  ['The price was US$6.90 per share.', 'Ordinary Shares', 'counted'],
  ['The price of C$10 is $7.30 in US dollars.', 'Common Shares', 'counted'],
  ['The price is a weighted average of prices from $9.90 to $10.10.', 'Common Stock', 'counted'],
])('with the footnote "%s" a trade of %s is %s', (text, securityTitle, status) => {
  const judge = (footnoteIds: readonly string[]) =>
    judgeTrade(makeTrade({ securityTitle, footnoteIds }), {
      ...{ filed: null, close: null },
      footnotes: [{ id: 'F1', text }],
    });
  expect(judge(['F1'])).toBe(status);
  expect(judge(['F2'])).toBe('counted');
});
