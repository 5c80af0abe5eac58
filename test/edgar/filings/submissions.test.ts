import { expect, test } from 'vitest';
import { normalizeTicker } from '../../../src/contract/identifiers.ts';
import { describeCompany, selectFormerNames } from '../../../src/edgar/filings/listed-company.ts';
import { readSubmissions } from '../../../src/edgar/filings/submissions.ts';
import { readTickers } from '../../../src/edgar/filings/tickers.ts';

const FILING_TABLE = {
  accessionNumber: ['0000320193-25-000079', '000032019325000077'],
  filingDate: ['2025-10-31', '2025-10-30'],
  reportDate: ['2025-09-27', ''],
  acceptanceDateTime: ['2025-10-31T06:01:26.000Z', '2025-10-30T16:30:12.000Z'],
  form: ['10-K', '8-K'],
  items: ['', '2.02, 9.01'],
  primaryDocument: ['aapl-20250927.htm', ''],
};
const MAIN_FILE = {
  cik: '0000320193',
  name: 'Apple Inc.',
  sic: '3571',
  tickers: ['AAPL'],
  exchanges: ['Nasdaq'],
  filings: { recent: FILING_TABLE, files: [] },
};

test('each filing is listed once, latest first, with all fields of the list', () => {
  const continuationPage = {
    ...FILING_TABLE,
    accessionNumber: ['0000320193-25-000079', '0000320193-94-000002'],
    filingDate: ['2025-10-31', '1994-01-26'],
  };
  const { filer, filings, skipped } = readSubmissions(JSON.stringify(MAIN_FILE), [JSON.stringify(continuationPage)]);
  expect(filer).toMatchObject({
    name: 'Apple Inc.',
    sic: '3571',
    tickers: [{ ticker: 'AAPL', exchange: 'Nasdaq' }],
  });
  expect(filings.map((filing) => filing.accession)).toEqual([
    '0000320193-25-000079',
    '0000320193-25-000077',
    '0000320193-94-000002',
  ]);
  expect(filings[1]).toEqual({
    accession: '0000320193-25-000077',
    form: '8-K',
    filed: '2025-10-30',
    reportDate: null,
    accepted: '2025-10-30T16:30:12.000Z',
    primaryDocument: null,
    items: ['2.02', '9.01'],
  });
  expect(skipped).toEqual({});
});

test('copies of a list with renamed fields, in a wrapper or with one object per filing give the same filings', () => {
  const expectedSubmissions = readSubmissions(JSON.stringify(MAIN_FILE));
  const tableWithRenamedColumns = Object.fromEntries(
    Object.entries(FILING_TABLE).map(([name, column]) => [
      name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
      column,
    ]),
  );
  const rows = FILING_TABLE.form.map((_, index) =>
    Object.fromEntries(Object.entries(FILING_TABLE).map(([name, column]) => [name, column[index]])),
  );
  const layoutVariants = [
    { ...MAIN_FILE, sic: undefined, SIC: '3571', filings: { recent: tableWithRenamedColumns } },
    { data: MAIN_FILE },
    { ...MAIN_FILE, filings: { recent: rows } },
    { ...MAIN_FILE, filings: rows },
  ];
  for (const layoutVariant of layoutVariants)
    expect(readSubmissions(JSON.stringify(layoutVariant))).toEqual(expectedSubmissions);
});

test('a bad filing is skipped, and an empty file has no filer', () => {
  const invalidTable = {
    ...FILING_TABLE,
    accessionNumber: ['x', '0000320193-25-000077'],
    filingDate: ['2025-10-31', 'soon'],
  };
  expect(readSubmissions(JSON.stringify({ filings: { recent: invalidTable } }))).toMatchObject({
    filings: [],
    skipped: {
      'a listed filing without a valid accession number': 1,
      'a listed filing without a valid filing date': 1,
    },
  });
  for (const mainFile of [null, '{}', '[]', '{"filings":null}'])
    expect(readSubmissions(mainFile)).toMatchObject({ filer: { name: null }, filings: [] });
});

test('a filing with an impossible date is skipped', () => {
  const impossibleDays = ['2024-02-30', '2024-13-01'];
  expect(
    readSubmissions(JSON.stringify({ filings: { recent: { ...FILING_TABLE, filingDate: impossibleDays } } })),
  ).toMatchObject({
    filings: [],
    skipped: { 'a listed filing without a valid filing date': 2 },
  });
});

test('two ticker lists are combined, and the list with exchanges takes precedence', () => {
  const listWithoutExchange = {
    0: { cik_str: 320193, ticker: 'AAPL', title: 'Apple Inc.' },
    1: { cik_str: 2012383, ticker: 'BLK', title: 'BlackRock, Inc.' },
    2: { cik_str: 1364742, ticker: 'GONE', title: 'Gone' },
    3: { ticker: 'NOBODY' },
  };
  const listWithExchange = {
    fields: ['cik', 'name', 'ticker', 'exchange'],
    data: [[320193, 'Apple Inc.', 'AAPL', 'Nasdaq'], [7, 'New Co', 'GONE', null], 'x'],
  };
  expect(readTickers(listWithoutExchange, listWithExchange)).toEqual({
    rows: [
      { cik: 320193, ticker: 'AAPL', exchange: 'Nasdaq', title: 'Apple Inc.' },
      { cik: 7, ticker: 'GONE', exchange: null, title: 'New Co' },
      { cik: 2012383, ticker: 'BLK', exchange: null, title: 'BlackRock, Inc.' },
    ],
    skipped: { 'a row without a valid CIK or ticker, in a ticker list': 2 },
  });
  expect(readTickers(null, null)).toEqual({ rows: [], skipped: {} });
  // A row with a long ticker is skipped, and a long title is ignored, because the release repeats these texts in each
  // row about the company.
  const rowsWithLongTexts = [
    { cik: 1, ticker: 'x'.repeat(50_000) },
    { cik: 2, ticker: 'B', title: 'x'.repeat(501) },
  ];
  expect(readTickers(rowsWithLongTexts, null)).toEqual({
    rows: [{ cik: 2, ticker: 'B', exchange: null, title: null }],
    skipped: { 'a row without a valid CIK or ticker, in a ticker list': 1 },
  });
});

test("a company's name is from its submissions, else from the ticker lists, else from its facts", () => {
  const { filer } = readSubmissions(
    JSON.stringify({
      ...MAIN_FILE,
      cik: 1,
      name: 'Bank of  Somewhere\u00a0Corp',
      tickers: ['BS-PA', 'BS'],
      exchanges: ['NYSE', null],
    }),
  );
  const REPORTED = { name: 'Somewhere Finance LLC', sic: '6021' };
  const tickerRows = [
    { cik: 1, ticker: 'BS', exchange: 'NYSE', title: 'BANK OF SOMEWHERE' },
    { cik: 1, ticker: 'BS.PB', exchange: null, title: 'BANK OF SOMEWHERE' },
    { cik: 2, ticker: 'XX', exchange: null, title: 'Other' },
  ];
  expect(describeCompany(1, filer, tickerRows, REPORTED)).toEqual({
    cik: 1,
    sic: '3571',
    industry: null,
    entityName: 'Bank of Somewhere Corp',
    securities: [
      { ticker: 'BS', tickerNormalized: 'BS', exchange: 'NYSE', isPrimary: false },
      { ticker: 'BS.PB', tickerNormalized: 'BS-PB', exchange: null, isPrimary: false },
      { ticker: 'BS-PA', tickerNormalized: 'BS-PA', exchange: 'NYSE', isPrimary: true },
    ],
  });
  expect(describeCompany(1, null, tickerRows, REPORTED).entityName).toBe('BANK OF SOMEWHERE');
  expect(describeCompany(3, null, tickerRows, REPORTED)).toMatchObject({
    entityName: 'Somewhere Finance LLC',
    sic: '6021',
  });
  expect(describeCompany(3, null, tickerRows, { name: null, sic: null })).toEqual({
    cik: 3,
    sic: null,
    industry: null,
    entityName: 'CIK 3',
    securities: [],
  });
});

test('all spellings of a ticker are normalized to one', () => {
  for (const ticker of ['BRK.B', 'BRK/B', 'brk b', ' BRK-B ']) expect(normalizeTicker(ticker)).toBe('BRK-B');
});

test('former names have their dates; another spelling of the current name is not a former name', () => {
  const { filer } = readSubmissions(
    JSON.stringify({
      cik: '320193',
      name: 'Apple Inc.',
      formerNames: [
        { name: 'APPLE INC', from: '2007-01-10T05:00:00.000Z', to: '2019-08-05T04:00:00.000Z' },
        { name: 'APPLE  COMPUTER INC', from: '1994-01-26T05:00:00.000Z', to: '2007-01-04T05:00:00.000Z' },
        { name: 'Apple Computer, Inc.', from: null },
        'no entry',
      ],
    }),
  );
  expect(selectFormerNames(filer, 'Apple Inc.')).toEqual([
    { name: 'APPLE COMPUTER INC', from: '1994-01-26', to: '2007-01-04' },
  ]);
});

test('consecutive spellings of a former name are joined with their days, and a name used twice is listed twice', () => {
  const formerNames = [
    ['Anthem, Inc.', '2014-12-02', '2022-06-24'],
    ['WELLPOINT, INC', '2010-01-06', '2014-11-12'],
    ['WELLPOINT INC', '2004-11-30', '2009-12-21'],
    ['ANTHEM INC', '2001-12-17', '2004-11-30'],
  ].map(([name, from, to]) => ({ name, from: `${from}T05:00:00.000Z`, to: `${to}T05:00:00.000Z` }));
  const { filer } = readSubmissions(JSON.stringify({ cik: '1156039', name: 'Elevance Health, Inc.', formerNames }));
  expect(selectFormerNames(filer, 'Elevance Health, Inc.')).toEqual([
    { name: 'Anthem, Inc.', from: '2014-12-02', to: '2022-06-24' },
    { name: 'WELLPOINT, INC', from: '2004-11-30', to: '2014-11-12' },
    { name: 'ANTHEM INC', from: '2001-12-17', to: '2004-11-30' },
  ]);
});

test.each([
  ['3571', '3571'],
  ['100', '0100'],
  ['0000', null],
  ['', null],
  ['35A1', null],
])('the industry code %j is read as %j', (sic, expected) => {
  expect(readSubmissions(JSON.stringify({ ...MAIN_FILE, sic })).filer.sic).toBe(expected);
});
