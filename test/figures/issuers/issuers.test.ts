import { expect, test } from 'vitest';
import { CusipEvidence, type ListedSecurity } from '../../../src/figures/issuers/cusip-map.ts';
import { issuerKey, namesAgree } from '../../../src/figures/issuers/issuer-name.ts';
import { classesTradeApart, securityKind } from '../../../src/figures/issuers/share-class.ts';

test.each([
  ['Apple Inc.', 'APPLE INC'],
  ['Boeing Co/The', 'BOEING CO'],
  ['BANK OF AMERICA CORP /DE/', 'Bank of America Corp.'],
  ['AT&T INC.', 'AT&T Inc'],
  ['AMAZON COM INC', 'Amazon.com, Inc.'],
  ['The Walt Disney Company', 'WALT DISNEY CO'],
])('%s and %s are one issuer', (a, b) => {
  expect(issuerKey(a)).toBe(issuerKey(b));
});

test('a name agrees with an abbreviation of it, not with one that shares only common words', () => {
  expect(namesAgree('INTERNATIONAL BUSINESS MACHINES CORP', 'INTERNATIONAL BUSINESS MACHS')).toBe(true);
  expect(namesAgree('SUNation Energy, Inc.', 'SUNEDISON INC')).toBe(false);
  expect(namesAgree('American Express Co', 'AMERICAN AIRLS GROUP INC')).toBe(false);
  expect(namesAgree('General Electric Co', 'GENERAL MILLS INC')).toBe(false);
});

test.each([
  ['GOOGL', ['ALPHABET INC CAP STK CL A'], 'share'],
  ['BRK-B', [], 'share'],
  ['BAC-PL', [], 'other'],
  ['BACPL', ['BANK AMER CORP 7.25%CNV PFD L'], 'other'],
  ['TSM', ['SPONSORED ADS'], 'receipt'],
  ['ASMLF', ['ORD'], 'other'],
  ['HTZWW', [], 'other'],
  ['NVDA', ['NVIDIA CORP'], 'share'],
  ['MSTLW', [], 'other'],
] as const)('%s is a %s', (ticker, titles, kind) => {
  expect(securityKind(ticker, titles)).toBe(kind);
});

const untitled = (...tickers: readonly string[]) => tickers.map((ticker) => ({ ticker, titles: [] }));

test('classes trade apart where several tickers are ordinary shares', () => {
  const alphabet = [
    { ticker: 'GOOGL', titles: ['CAP STK CL A'] },
    { ticker: 'GOOG', titles: ['CAP STK CL C'] },
  ];
  expect(classesTradeApart(alphabet)).toBe(true);
  expect(classesTradeApart(untitled('UAA', 'UA'))).toBe(true);
  expect(classesTradeApart(untitled('BRK-A', 'BRK-B'))).toBe(true);
  expect(classesTradeApart(untitled('BA', 'BA-PA'))).toBe(false);
  expect(classesTradeApart(untitled('T', 'TBB', 'T-PA', 'T-PC'))).toBe(false);
  expect(classesTradeApart(untitled('JPM', 'AMJB', 'VYLD', 'JPM-PC'))).toBe(false);
  expect(classesTradeApart(untitled('TMUS', 'TMUSI', 'TMUSL', 'TMUSZ'))).toBe(false);
  expect(classesTradeApart(untitled('ASML', 'ASMLF'))).toBe(false);
});

function listed(cik: number, ticker: string, ...names: readonly string[]): ListedSecurity {
  return { cik, ticker, tickerNormalized: ticker, isPrimary: true, names };
}

test('a CUSIP is mapped by its last symbol, where a name agrees', () => {
  const evidence = new CusipEvidence();
  // Meta kept its CUSIP when it changed its symbol; another fund had the symbol META before.
  evidence.addSymbol('30303M102', 'FB', '2021-06-01', 'FACEBOOK INC CLASS A');
  evidence.addSymbol('30303M102', 'META', '2022-12-01', 'META PLATFORMS INC CLASS A');
  evidence.addSymbol('53656F417', 'META', '2021-07-01', 'LISTED FD TR ROUNDHILL BALL');
  evidence.addSymbol('084670702', 'BRKB', '2022-12-01', 'BERKSHIRE HATHAWAY INC CL B');
  const map = evidence.map([
    listed(1326801, 'META', 'Meta Platforms, Inc.'),
    listed(1067983, 'BRK-B', 'BERKSHIRE HATHAWAY INC'),
  ]);
  expect(Object.fromEntries(map)).toEqual({
    '30303M102': { cik: 1326801, tickerNormalized: 'META' },
    '084670702': { cik: 1067983, tickerNormalized: 'BRK-B' },
  });
});

test('without a symbol the very name decides, of a share and of a company with one class', () => {
  const evidence = new CusipEvidence();
  evidence.addIssuer('36828A101', 'GE VERNOVA INC', 'COM');
  evidence.addSymbol('02079K305', 'GOOGL', '2022-12-01', 'ALPHABET INC CAP STK CL A');
  evidence.addIssuer('02079K107', 'ALPHABET INC', 'CAP STK CL C');
  evidence.addIssuer('595112AX8', 'MICRON TECHNOLOGY INC', 'NOTE 3.000%11/1');
  const map = evidence.map([
    listed(1996810, 'GEV', 'GE Vernova Inc.'),
    listed(1652044, 'GOOGL', 'Alphabet Inc.'),
    listed(1652044, 'GOOG', 'Alphabet Inc.'),
    listed(723125, 'MU', 'MICRON TECHNOLOGY INC'),
  ]);
  expect([...map.keys()]).toEqual(['02079K305', '36828A101']);
});
