import { expect, test } from 'vitest';
import {
  collectSymbols,
  findLastSymbolByCik,
  type IssuerSymbol,
} from '../../../src/ownership/issuers/issuer-symbols.ts';

/** Counts the symbols of an issuer. For each symbol, `daysBySymbol` has the filing dates of the forms that state it. */
const countSymbols = (daysBySymbol: Readonly<Record<string, readonly string[]>>): IssuerSymbol[] =>
  collectSymbols(
    Object.entries(daysBySymbol).flatMap(([issuerSymbol, days]) => days.map((filed) => ({ issuerSymbol, filed }))),
  );

function findSymbols(
  issuers: Readonly<Record<number, Readonly<Record<string, readonly string[]>>>>,
  listedTickers: string[],
) {
  const issuerList = Object.entries(issuers).map(([cik, daysBySymbol]) => ({
    cik: Number(cik),
    issuerSymbols: countSymbols(daysBySymbol),
  }));
  return Object.fromEntries(findLastSymbolByCik(issuerList, listedTickers));
}

test('forms are counted by symbol; a form without a date or symbol is not counted', () => {
  expect(
    collectSymbols([
      { issuerSymbol: 'SCTY', filed: '2016-11-23' },
      { issuerSymbol: 'SCTY', filed: '2015-03-02' },
      { issuerSymbol: 'TSLA', filed: null },
      { issuerSymbol: null, filed: '2016-11-25' },
    ]),
  ).toEqual([{ symbol: 'SCTY', lastDay: '2016-11-23', forms: 2 }]);
});

test('the last symbol that two forms state is proven; a single other form may have a typing error', () => {
  const daysBySymbolOfRenamedIssuer = { CMLS: ['2012-01-03', '2013-05-01'], CMLSQ: ['2017-12-01', '2018-02-01'] };
  const daysBySymbolWithTypo = { LNKD: ['2016-03-01', '2016-11-01'], LNDK: ['2016-12-08'] };
  expect(
    findSymbols({ 1: daysBySymbolOfRenamedIssuer, 2: daysBySymbolWithTypo, 3: { XOG: ['2020-06-16'] } }, []),
  ).toEqual({
    1: 'CMLSQ',
    2: 'LNKD',
    3: 'XOG',
  });
});

test('if single forms state different symbols, none of them is proven', () => {
  expect(findSymbols({ 1: { YHOO: ['2016-03-01'], AABA: ['2018-03-01'] }, 2: {} }, [])).toEqual({});
});

test('an issuer without a ticker gets no symbol if its last symbol is now the ticker of another company', () => {
  const issuers = { 1: { OLD: ['2010-01-04', '2011-01-04'], 'BF-B': ['2012-01-04', '2013-01-04'] } };
  expect(findSymbols(issuers, [])).toEqual({ 1: 'BF-B' });
  expect(findSymbols(issuers, ['BF-B'])).toEqual({});
  expect(findSymbols(issuers, ['BFB'])).toEqual({});
});

test('if several companies had a symbol, the last of them keeps it, or none if they used it until the same day', () => {
  const daysBySymbolOfFirstIssuer = { HTZ: ['2015-01-05', '2016-06-30'] };
  const makeLaterDaysBySymbol = (lastDay: string) => ({ HTZ: ['2016-08-01', lastDay] });
  expect(findSymbols({ 1: daysBySymbolOfFirstIssuer, 2: makeLaterDaysBySymbol('2019-01-02') }, [])).toEqual({
    2: 'HTZ',
  });
  expect(findSymbols({ 1: daysBySymbolOfFirstIssuer, 2: { HTZ: ['2012-01-03', '2016-06-30'] } }, [])).toEqual({});
});
