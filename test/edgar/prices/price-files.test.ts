import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openArchive } from '../../../src/edgar/files/archive.ts';
import { SkippedRowCounts } from '../../../src/edgar/files/skipped-rows.ts';
import { hasFailsToDeliverHeader, readFails } from '../../../src/edgar/prices/fails-to-deliver.ts';
import { isNportDataSet, type NportHolding, readNportHoldings } from '../../../src/edgar/prices/nport-holdings.ts';
import { readVenueFile } from '../../../src/edgar/prices/venue-file.ts';
import { getPublicFilePath, testWithPublicFile } from '../../public-files.ts';
import { makeZip } from '../make-zip.ts';

async function readFailsToDeliverFile(zip: string) {
  const archive = await openArchive(getPublicFilePath(zip));
  const skippedRows = new SkippedRowCounts();
  const text = String(await archive.read(archive.names[0] ?? ''));
  archive.close();
  return { text, rows: [...readFails(text, skippedRows)], counts: skippedRows.getCounts() };
}

testWithPublicFile(
  'datasets/cnsfails202212a.zip',
  'the price in a fails-to-deliver file is the price of the previous trading day',
  async () => {
    const { text, rows, counts } = await readFailsToDeliverFile('datasets/cnsfails202212a.zip');
    expect(hasFailsToDeliverHeader(text)).toBe(true);
    expect(counts).toEqual({});
    // Apple closed at 148.03 on 30 November 2022. The file states this close in its rows for the next
    // settlement day, 1 December.
    expect(rows.find((row) => row.settlementDay === '2022-12-01' && row.symbol === 'AAPL')).toMatchObject({
      cusip: '037833100',
      price: '148.03',
    });
    expect(rows.some((row) => row.price === null)).toBe(true);
  },
);

test('the price is the last cell even if the description contains a bar, and a dot means no price', () => {
  const skipped = new SkippedRowCounts();
  const rows = [
    ...readFails(
      'SETTLEMENT DATE|CUSIP|SYMBOL|QUANTITY (FAILS)|DESCRIPTION|PRICE\r\n20221201|084670702|BRKB|5|BERKSHIRE HATHAWAY INC|B|318.60\r\n' +
        '20221201|000000001|ABCD|5|NOTHING|.\r\n20221301|000000001|ABCD|5|NO DAY|1\r\nTrailer record count 2\r\nTrailer total quantity of shares 10\r\n',
      skipped,
    ),
  ];
  expect(rows.map(({ symbol, description, price }) => [symbol, description, price])).toEqual([
    ['BRKB', 'BERKSHIRE HATHAWAY INC|B', '318.60'],
    ['ABCD', 'NOTHING', null],
  ]);
  expect(skipped.getCounts()).toEqual({
    'a fails-to-deliver file whose last line states a different number of rows': 1,
    'a fails-to-deliver row that cannot be read': 1,
  });
});

async function readHoldings(path: string): Promise<{ rows: NportHolding[]; counts: Readonly<Record<string, number>> }> {
  const archive = await openArchive(path);
  const skipped = new SkippedRowCounts();
  const rows: NportHolding[] = [];
  expect(isNportDataSet(archive)).toBe(true);
  for await (const batch of readNportHoldings(archive, skipped)) rows.push(...batch);
  archive.close();
  return { rows, counts: skipped.getCounts() };
}

testWithPublicFile(
  'datasets/2026q1_nport-parts.zip',
  'the holdings of Apple in the N-PORT parts have no CUSIP and no kind of security',
  async () => {
    const { rows } = await readHoldings(getPublicFilePath('datasets/2026q1_nport-parts.zip'));
    const appleRows = rows.filter((row) => /^apple inc\b/i.test(row.issuer) && row.reportDay === '2025-12-31');
    expect(appleRows.length).toBeGreaterThan(10);
    expect(appleRows.every((row) => row.isCommonStock === null && row.cusip === null)).toBe(true);
  },
);

test('only long positions in common stock and dollars are read from an N-PORT data set', async () => {
  const path = join(await mkdtemp(join(tmpdir(), 'fin-nport-')), '2026q1_nport.zip');
  const header =
    'ACCESSION_NUMBER\tHOLDING_ID\tISSUER_NAME\tISSUER_LEI\tISSUER_CUSIP\tBALANCE\tUNIT\tCURRENCY_CODE\tCURRENCY_VALUE\tPAYOFF_PROFILE\tASSET_CAT';
  const makeRow = (
    unit: string,
    currency: string,
    payoffProfile: string,
    assetCategory: string,
    accession = 'A',
    balance = '10',
  ) =>
    `${accession}\t1\tApple Inc.\tHWUPKR0MPOU8FGXBT394\t037833100\t${balance}\t${unit}\t${currency}\t2718.6\t${payoffProfile}\t${assetCategory}`;
  await makeZip(path, {
    'SUBMISSION.tsv': 'ACCESSION_NUMBER\tFILING_DATE\tREPORT_DATE\nA\t25-FEB-2026\t31-DEC-2025\n',
    'FUND_REPORTED_HOLDING.tsv': [
      header,
      makeRow('NS', 'USD', 'Long', 'EC'),
      makeRow('PA', 'USD', 'Long', 'DBT'),
      makeRow('NS', 'EUR', 'Long', 'EC'),
      makeRow('NS', 'USD', 'Short', 'EC'),
      makeRow('NS', 'USD', 'Long', 'EC', 'B'),
      makeRow('NS', 'USD', 'Long', 'EC', 'A', 'many'),
    ].join('\n'),
  });
  const { rows, counts } = await readHoldings(path);
  expect(rows).toEqual([
    {
      reportDay: '2025-12-31',
      issuer: 'Apple Inc.',
      cusip: '037833100',
      balance: '10',
      value: '2718.6',
      isCommonStock: true,
    },
  ]);
  expect(counts).toEqual({
    'an N-PORT holding without a valid number of shares or value': 1,
    'an N-PORT holding whose report is missing or has no valid date': 1,
  });
});

const VENUE_HEADER = `# attribution: Data provided for free by A Venue.
# url: https://venue.example/terms
day,symbol,last_sale,last_sale_at,official_close
`;

test('a venue file is read with the attribution that must be shown with its prices, and bad rows are counted', () => {
  const skipped = new SkippedRowCounts();
  const venueRowsText =
    '2026-06-30,aapl,201.12,2026-06-30T15:59:58-04:00,\n2026-06-30,AAPL,1,,\n2026-06-30,XX,,,\n2026-06-30,YY,1,noon,\nx\n';
  const venueFile = readVenueFile(VENUE_HEADER + venueRowsText, 'venue.csv', skipped);
  expect(venueFile.attribution).toEqual({
    text: 'Data provided for free by A Venue.',
    url: 'https://venue.example/terms',
  });
  expect(venueFile.rows).toEqual([
    {
      day: '2026-06-30',
      symbol: 'AAPL',
      lastSale: '201.12',
      lastSaleAt: '2026-06-30T15:59:58-04:00',
      officialClose: null,
    },
  ]);
  expect(skipped.getCounts()).toEqual({
    "an exchange's second price for the same day and symbol": 1,
    'a row of exchange prices that cannot be read': 1,
    'a row of exchange prices whose last_sale_at is not a date and time with a time zone': 1,
    'a row of exchange prices without a valid price': 1,
  });
});

test('a venue file without its attribution, terms or header is refused', () => {
  const makeVenueReader = (text: string) => () => readVenueFile(text, 'venue.csv', new SkippedRowCounts());
  expect(makeVenueReader(VENUE_HEADER.replace(/# attribution.*\n/, ''))).toThrow(
    'venue.csv: a line "# attribution: …" is missing',
  );
  expect(makeVenueReader(VENUE_HEADER.replace('https://', 'ftp://'))).toThrow(/# url/);
  expect(makeVenueReader(VENUE_HEADER.replace('day,', 'date,'))).toThrow(/header must be day,symbol/);
});
