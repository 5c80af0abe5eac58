import { expect, test } from 'vitest';
import { CusipEvidence, type ListedSecurity } from '../../../src/ownership/issuers/cusip-map.ts';
import { doNamesAgree, makeIssuerNameKey } from '../../../src/ownership/issuers/issuer-name.ts';
import { areClassesSeparate, detectSecurityKind } from '../../../src/ownership/issuers/share-class.ts';

const SPELLINGS = [
  ['Apple Inc.', 'APPLE INC'],
  ['Boeing Co/The', 'BOEING CO'],
  ['BANK OF AMERICA CORP /DE/', 'Bank of America Corp.'],
  ['AT&T INC.', 'AT&T Inc'],
  ['AMAZON COM INC', 'Amazon.com, Inc.'],
  ['The Walt Disney Company', 'WALT DISNEY CO'],
] as const;

test.each(SPELLINGS)('%s and %s are the same issuer, and differ from the others', (a, b) => {
  const key = makeIssuerNameKey(a);
  expect(makeIssuerNameKey(b)).toBe(key);
  expect(SPELLINGS.filter(([name]) => makeIssuerNameKey(name) === key)).toEqual([[a, b]]);
});

/** Returns the number of occurrences of each title. */
const countTitles = (...titles: readonly string[]): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const title of titles) counts.set(title, (counts.get(title) ?? 0) + 1);
  return counts;
};

test('a name matches its abbreviation, not a name that shares only common words', () => {
  expect(doNamesAgree('INTERNATIONAL BUSINESS MACHINES CORP', 'INTERNATIONAL BUSINESS MACHS')).toBe(true);
  expect(doNamesAgree('SUNation Energy, Inc.', 'SUNEDISON INC')).toBe(false);
  expect(doNamesAgree('American Express Co', 'AMERICAN AIRLS GROUP INC')).toBe(false);
  expect(doNamesAgree('General Electric Co', 'GENERAL MILLS INC')).toBe(false);
});

test('a name without distinctive words matches a longer or abbreviated name that begins with all of its words', () => {
  expect(doNamesAgree('AMERICAN INTERNATIONAL GROUP, INC.', 'AMERICAN INTL GROUP INC COM ST')).toBe(true);
  expect(doNamesAgree('PG&E Corp', 'PG&E CORPORATION (HOLDING CO.)')).toBe(true);
  expect(doNamesAgree('AMERICAN PUBLIC EDUCATION INC', 'AMERICAN PUB ED INC COM STK (D')).toBe(true);
  expect(doNamesAgree('Coterra Energy Inc.', 'CONTURA ENERGY INC COM')).toBe(false);
  expect(doNamesAgree('Gen Digital Inc.', 'GENESIS HEALTHCARE INC CL A CO')).toBe(false);
  expect(doNamesAgree('First Bank', 'FIRST BANCORP P R')).toBe(false);
  expect(doNamesAgree('Energy Corp', 'ENERGY TRANSFER LP')).toBe(false);
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
] as const)('the kind of security %s with the titles %j is %s', (ticker, titles, kind) => {
  expect(detectSecurityKind(ticker, countTitles(...titles))).toBe(kind);
});

const makeTickersWithoutTitles = (...tickers: readonly string[]) =>
  tickers.map((ticker) => ({ ticker, titles: countTitles() }));

test('share classes are separate if several tickers are ordinary shares', () => {
  const alphabetSecurities = [
    { ticker: 'GOOGL', titles: countTitles('CAP STK CL A') },
    { ticker: 'GOOG', titles: countTitles('CAP STK CL C') },
  ];
  expect(areClassesSeparate(alphabetSecurities)).toBe(true);
  expect(areClassesSeparate(makeTickersWithoutTitles('UAA', 'UA'))).toBe(true);
  expect(areClassesSeparate(makeTickersWithoutTitles('BRK-A', 'BRK-B'))).toBe(true);
  expect(areClassesSeparate(makeTickersWithoutTitles('BA', 'BA-PA'))).toBe(false);
  expect(areClassesSeparate(makeTickersWithoutTitles('T', 'TBB', 'T-PA', 'T-PC'))).toBe(false);
  expect(areClassesSeparate(makeTickersWithoutTitles('JPM', 'AMJB', 'VYLD', 'JPM-PC'))).toBe(false);
  expect(areClassesSeparate(makeTickersWithoutTitles('TMUS', 'TMUSI', 'TMUSL', 'TMUSZ'))).toBe(false);
  expect(areClassesSeparate(makeTickersWithoutTitles('ASML', 'ASMLF'))).toBe(false);
});

function makeListedSecurity(cik: number, ticker: string, ...names: readonly string[]): ListedSecurity {
  return { cik, ticker, tickerNormalized: ticker, isPrimary: true, names };
}

test('a CUSIP is mapped by its last symbol if the name matches', () => {
  const evidence = new CusipEvidence();
  // Meta kept its CUSIP when its symbol changed; a fund had the symbol META before.
  evidence.addSymbol('30303M102', 'FB', '2021-06-01', 'FACEBOOK INC CLASS A');
  evidence.addSymbol('30303M102', 'META', '2022-12-01', 'META PLATFORMS INC CLASS A');
  evidence.addSymbol('53656F417', 'META', '2021-07-01', 'LISTED FD TR ROUNDHILL BALL');
  evidence.addSymbol('084670702', 'BRKB', '2022-12-01', 'BERKSHIRE HATHAWAY INC CL B');
  const securityByCusip = evidence.mapCusips([
    makeListedSecurity(1326801, 'META', 'Meta Platforms, Inc.'),
    makeListedSecurity(1067983, 'BRK-B', 'BERKSHIRE HATHAWAY INC'),
  ]);
  expect(Object.fromEntries(securityByCusip)).toEqual({
    '30303M102': { cik: 1326801, tickerNormalized: 'META' },
    '084670702': { cik: 1067983, tickerNormalized: 'BRK-B' },
  });
});

test("a former ticker is a symbol that the CUSIP of a company had before the company's current ticker", () => {
  const evidence = new CusipEvidence();
  evidence.addSymbol('30303M102', 'FB', '2020-12-01', 'FACEBOOK INC CL A COM STK (DE)');
  evidence.addSymbol('30303M102', 'META', '2022-12-01', 'META PLATFORMS, INC. CLASS A C');
  evidence.addSymbol('30303M102', 'FB', '2021-06-14', 'FACEBOOK INC CL A COM STK (DE)');
  evidence.addSymbol('084670702', 'BRKB', '2020-12-01', 'BERKSHIRE HATHAWAY INC CL B');
  // BRK.B is another spelling of the company's own symbol, and KHC now belongs to another company, so neither symbol is
  // a former ticker.
  evidence.addSymbol('084670702', 'BRK.B', '2021-12-01', 'BERKSHIRE HATHAWAY INC CL B');
  evidence.addSymbol('084670702', 'KHC', '2020-01-01', 'BERKSHIRE HATHAWAY INC CL B');
  const securities = [
    makeListedSecurity(1326801, 'META', 'Meta Platforms, Inc.'),
    makeListedSecurity(1067983, 'BRK-B', 'BERKSHIRE HATHAWAY INC'),
    makeListedSecurity(1637459, 'KHC', 'Kraft Heinz Co'),
  ];
  expect(evidence.listFormerTickers(evidence.mapCusips(securities), securities)).toEqual([
    { cik: 1326801, tickerNormalized: 'META', symbol: 'FB', firstDay: '2020-12-01', lastDay: '2021-06-14' },
  ]);
});

test('without a symbol a CUSIP is mapped by the exact name, if it is a share and the company has one class', () => {
  const evidence = new CusipEvidence();
  evidence.addIssuer('36828A101', 'GE VERNOVA INC', 'COM');
  evidence.addSymbol('02079K305', 'GOOGL', '2022-12-01', 'ALPHABET INC CAP STK CL A');
  evidence.addIssuer('02079K107', 'ALPHABET INC', 'CAP STK CL C');
  evidence.addIssuer('595112AX8', 'MICRON TECHNOLOGY INC', 'NOTE 3.000%11/1');
  const listedSecurityByCusip = evidence.mapCusips([
    makeListedSecurity(1996810, 'GEV', 'GE Vernova Inc.'),
    makeListedSecurity(1652044, 'GOOGL', 'Alphabet Inc.'),
    makeListedSecurity(1652044, 'GOOG', 'Alphabet Inc.'),
    makeListedSecurity(723125, 'MU', 'MICRON TECHNOLOGY INC'),
  ]);
  expect([...listedSecurityByCusip.keys()]).toEqual(['02079K305', '36828A101']);
});

test('the kind of a security follows most of its titles, not a single title', () => {
  expect(detectSecurityKind('SHOP', countTitles('SUB VTG SHS'))).toBe('share');
  expect(detectSecurityKind('SHOP', countTitles('CL A', 'CL A SUB VTG SHS', 'NOTE 0.125%11/0', 'COM'))).toBe('share');
  expect(detectSecurityKind('HTZWW', countTitles('*W EXP 06/30/205', '*W EXP 06/30/205', 'COM'))).toBe('other');
  // If the titles are evenly divided, the form of the ticker decides.
  expect(detectSecurityKind('HTZ', countTitles('COM', '*W EXP 06/30/205'))).toBe('share');
  expect(detectSecurityKind('HTZWW', countTitles('COM', '*W EXP 06/30/205'))).toBe('other');
  expect(detectSecurityKind('ET', countTitles('COM UT LTD PTN'))).toBe('share');
});

test('a note whose ticker is that of the share plus letters is not a separate share class', () => {
  expect(areClassesSeparate(makeTickersWithoutTitles('TWO', 'TWOD'))).toBe(false);
  const goldmanSecurity = { ticker: 'GS', titles: countTitles('COM') };
  expect(
    areClassesSeparate([goldmanSecurity, { ticker: 'GSCE', titles: countTitles('GOLDMAN SACHS GRP INC INDEX LK') }]),
  ).toBe(false);
});

test('names with separated initials, and companies named after their symbol, match names in lists of fails to deliver', () => {
  expect(doNamesAgree('AAR CORP', 'A A R CORP')).toBe(true);
  const evidence = new CusipEvidence();
  evidence.addSymbol('000361105', 'AIR', '2022-12-01', 'A A R CORP');
  evidence.addSymbol('75513E101', 'RTX', '2022-12-01', 'RAYTHEON TECHNOLOGIES CORP (DE');
  // COR was the symbol of another company before.
  evidence.addSymbol('21870Q105', 'COR', '2020-12-01', 'CORESITE REALTY CORPORATION CO');
  const mappedSecurityByCusip = evidence.mapCusips([
    makeListedSecurity(1750, 'AIR', 'AAR CORP'),
    makeListedSecurity(101829, 'RTX', 'RTX Corp'),
    makeListedSecurity(1140859, 'COR', 'Cencora, Inc.'),
  ]);
  expect([...mappedSecurityByCusip.keys()]).toEqual(['000361105', '75513E101']);
});

test("a warrant listed under the share's symbol is not mapped to the share", () => {
  const evidence = new CusipEvidence();
  evidence.addSymbol('42806J700', 'HTZ', '2022-12-01', 'HERTZ GLOBAL HLDGS INC NEW COM');
  evidence.addSymbol('42806J148', 'HTZ', '2022-12-02', 'HERTZ GLOBAL HLDGS INC WT EXP');
  const hertzSecurity = makeListedSecurity(1657853, 'HTZ', 'HERTZ GLOBAL HOLDINGS, INC');
  expect([...evidence.mapCusips([hertzSecurity]).keys()]).toEqual(['42806J700']);
});

test('words of a company name are not taken for a share class', () => {
  const evidence = new CusipEvidence();
  evidence.addSymbol('909218109', 'UNT', '2021-01-04', 'UNIT CORP');
  const unitCorpSecurities = [makeListedSecurity(798949, 'UNT', 'UNIT CORP')];
  const titlesByTicker = evidence.collectTitlesByTicker(evidence.mapCusips(unitCorpSecurities), unitCorpSecurities);
  expect(detectSecurityKind('UNTCW', titlesByTicker.get('UNT') ?? countTitles())).toBe('other');
  expect(detectSecurityKind('UNT', titlesByTicker.get('UNT') ?? countTitles('NOTE'))).toBe('share');
});

test("warrants and units of a predecessor are not mapped to the share, whether or not the files have the share's own symbol", () => {
  // Aurora Innovation was Reinvent Technology Partners Y in 2021; files give its share, units and warrants the same
  // name.
  const predecessorName = 'REINVENT TECHNOLOGY PARTNERS Y';
  const auroraSecurities = [
    makeListedSecurity(1828108, 'AUR', 'Aurora Innovation, Inc.', 'Reinvent Technology Partners Y'),
  ];
  const evidence = new CusipEvidence();
  evidence.addSymbol('G7484L114', 'RTPYU', '2021-05-06', predecessorName);
  evidence.addSymbol('G7484L122', 'RTPYW', '2021-05-12', predecessorName);
  expect([...evidence.mapCusips(auroraSecurities).keys()]).toEqual([]);
  evidence.addSymbol('G7484L106', 'RTPY', '2021-05-13', predecessorName);
  expect([...evidence.mapCusips(auroraSecurities).keys()]).toEqual(['G7484L106']);
  // A share whose ticker has three letters, with its units and warrants.
  const evidenceOfUnits = new CusipEvidence();
  for (const [cusip, symbol] of [
    ['000000106', 'ABC'],
    ['000000114', 'ABCU'],
    ['000000122', 'ABCWS'],
  ] as const)
    evidenceOfUnits.addSymbol(cusip, symbol, '2021-05-06', predecessorName);
  expect([...evidenceOfUnits.mapCusips(auroraSecurities).keys()]).toEqual(['000000106']);
});

test('the CUSIP of a share changes between the last day of the old and the first day of the new one', () => {
  const widgets: ListedSecurity = {
    cik: 5,
    ticker: 'WIDG',
    tickerNormalized: 'WIDG',
    isPrimary: true,
    names: ['WIDGETS INC'],
  };
  const findChanges = (addSightings: (evidence: CusipEvidence) => void) => {
    const evidence = new CusipEvidence();
    addSightings(evidence);
    return evidence.findCusipChanges(evidence.mapCusips([widgets]), [widgets]).get('WIDG');
  };
  const name = 'WIDGETS INC COM';
  expect(
    findChanges((evidence) => {
      evidence.addSymbol('94040W105', 'WIDG', '2025-01-02', name);
      evidence.addSymbol('94040W105', 'WIDG', '2025-03-06', name);
      // A manager that still reports the old CUSIP does not extend its use.
      evidence.addIssuer('94040W105', 'WIDGETS INC', 'COM', '2025-06-30');
      evidence.addSymbol('94040W204', 'WIDG', '2025-03-10', name);
      evidence.addSymbol('94040W204', 'WIDG', '2025-04-10', name);
    }),
  ).toEqual([{ oldCusip: '94040W105', after: '2025-03-06', until: '2025-03-10' }]);
  // The old CUSIP is only in holdings, so that no symbol maps it.
  expect(
    findChanges((evidence) => {
      evidence.addIssuer('94040W105', 'WIDGETS INC', 'COM', '2024-12-31');
      evidence.addIssuer('94040WAB1', 'WIDGETS INC', 'NOTE 4.000% 5/0', '2024-09-30');
      evidence.addSymbol('94040W204', 'WIDG', '2025-03-10', name);
    }),
  ).toEqual([{ oldCusip: '94040W105', after: '2024-12-31', until: '2025-03-10' }]);
  // Failed deliveries of the old CUSIP are settled for some days after the change.
  expect(
    findChanges((evidence) => {
      evidence.addSymbol('94040W105', 'WIDG', '2025-01-02', name);
      evidence.addSymbol('94040W105', 'WIDG', '2025-03-14', name);
      evidence.addSymbol('94040W204', 'WIDG', '2025-03-10', name);
      evidence.addSymbol('94040W204', 'WIDG', '2025-04-10', name);
    }),
  ).toEqual([{ oldCusip: '94040W105', after: '2025-01-24', until: '2025-03-10' }]);
  // Two CUSIPs in use at the same time, and CUSIPs that are years apart, are no change.
  for (const last of ['2025-12-31', '2022-01-03']) {
    expect(
      findChanges((evidence) => {
        evidence.addSymbol('94040W105', 'WIDG', '2022-01-02', name);
        evidence.addSymbol('94040W105', 'WIDG', last, name);
        evidence.addSymbol('94040W204', 'WIDG', '2025-03-10', name);
        evidence.addSymbol('94040W204', 'WIDG', '2026-04-10', name);
      }),
    ).toEqual([]);
  }
});
