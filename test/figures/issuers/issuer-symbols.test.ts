import { expect, test } from 'vitest';
import { countIssuerSymbols, findLastSymbols, type IssuerSymbol } from '../../../src/figures/issuers/issuer-symbols.ts';

/** Symbols with the filing dates of the forms that state them. */
const stated = (forms: Readonly<Record<string, readonly string[]>>): IssuerSymbol[] =>
  countIssuerSymbols(
    Object.entries(forms).flatMap(([issuerSymbol, days]) => days.map((filed) => ({ issuerSymbol, filed }))),
  );

function lastSymbols(issuers: Readonly<Record<number, Readonly<Record<string, readonly string[]>>>>, others: string[]) {
  const list = Object.entries(issuers).map(([cik, forms]) => ({ cik: Number(cik), issuerSymbols: stated(forms) }));
  return Object.fromEntries(findLastSymbols(list, others));
}

test('forms are counted by symbol; a form without a date or symbol proves nothing', () => {
  expect(
    countIssuerSymbols([
      { issuerSymbol: 'SCTY', filed: '2016-11-23' },
      { issuerSymbol: 'SCTY', filed: '2015-03-02' },
      { issuerSymbol: 'TSLA', filed: null },
      { issuerSymbol: null, filed: '2016-11-25' },
    ]),
  ).toEqual([{ symbol: 'SCTY', lastDay: '2016-11-23', forms: 2 }]);
});

test('the last symbol that two forms state is proven; a single other form may have a typing error', () => {
  const renamed = { CMLS: ['2012-01-03', '2013-05-01'], CMLSQ: ['2017-12-01', '2018-02-01'] };
  const mistyped = { LNKD: ['2016-03-01', '2016-11-01'], LNDK: ['2016-12-08'] };
  expect(lastSymbols({ 1: renamed, 2: mistyped, 3: { XOG: ['2020-06-16'] } }, [])).toEqual({
    1: 'CMLSQ',
    2: 'LNKD',
    3: 'XOG',
  });
});

test('single forms that state different symbols prove none', () => {
  expect(lastSymbols({ 1: { YHOO: ['2016-03-01'], AABA: ['2018-03-01'] }, 2: {} }, [])).toEqual({});
});

test('a symbol that another company has now names no company without a ticker, nor does an earlier symbol', () => {
  const issuers = { 1: { OLD: ['2010-01-04', '2011-01-04'], 'BF-B': ['2012-01-04', '2013-01-04'] } };
  expect(lastSymbols(issuers, [])).toEqual({ 1: 'BF-B' });
  expect(lastSymbols(issuers, ['BF-B'])).toEqual({});
  expect(lastSymbols(issuers, ['BFB'])).toEqual({});
});

test('of several companies that had a symbol, the last one keeps it; none if both end on one day', () => {
  const first = { HTZ: ['2015-01-05', '2016-06-30'] };
  const days = (last: string) => ({ HTZ: ['2016-08-01', last] });
  expect(lastSymbols({ 1: first, 2: days('2019-01-02') }, [])).toEqual({ 2: 'HTZ' });
  expect(lastSymbols({ 1: first, 2: { HTZ: ['2012-01-03', '2016-06-30'] } }, [])).toEqual({});
});
