import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openArchive } from '../../../src/edgar/files/archive.ts';
import { SkippedRowCounts } from '../../../src/edgar/files/skipped-rows.ts';
import { readInsiderDataSet } from '../../../src/edgar/insiders/insider-data-set.ts';
import { type OwnershipDocument, readOwnershipDocument } from '../../../src/edgar/insiders/ownership-document.ts';
import { expectOfFiles, getPublicFilePath, testWithPublicFile } from '../../public-files.ts';
import { makeZip } from '../make-zip.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fin-345-'));
});
afterAll(() => rm(folder, { recursive: true }));

const toTsv = (...rows: readonly (readonly string[])[]): string => rows.map((row) => `${row.join('\t')}\n`).join('');

/** An amendment of Lam Research as in a data set, with added rows, reordered columns and one unknown column. */
const DATA_SET_MEMBERS = {
  'SUBMISSION.tsv': toTsv(
    [
      'ACCESSION_NUMBER',
      'DOCUMENT_TYPE',
      'FILING_DATE',
      'PERIOD_OF_REPORT',
      'DATE_OF_ORIG_SUB',
      'ISSUERCIK',
      'ISSUERTRADINGSYMBOL',
      'NEW',
      'AFF10B5ONE',
    ],
    [
      '0000707549-25-000004',
      '4/A',
      '21-JAN-2025',
      '04-NOV-2024',
      '04-NOV-2024',
      '0000707549',
      'NASDAQ: LRCX',
      '',
      'true',
    ],
    ['0001493152-24-038908', '3', '30-SEP-2024', '27-SEP-2024', '', '0000707549', '', '', ''],
    ['0000000000-24-000001', '4', '30-SEP-2024', '27-SEP-2024', '', '0000000007', '', '', ''],
    ['0000707549-25-000005', '4', 'yesterday', '', '', '0000707549', '', '', ''],
  ),
  'REPORTINGOWNER.tsv': toTsv(
    ['ACCESSION_NUMBER', 'RPTOWNERCIK', 'RPTOWNERNAME', 'RPTOWNER_RELATIONSHIP', 'RPTOWNER_TITLE', 'RPTOWNER_TXT'],
    ['0000707549-25-000004', '0001779037', 'Ahmed Sohail U', 'Director,TenPercentOwner', '', ''],
    ['0000707549-25-000004', '0000000009', 'A Trust', 'TenPercentOwner,Other', '', 'Trustee'],
  ),
  'NONDERIV_TRANS.tsv': toTsv(
    [
      ...['ACCESSION_NUMBER', 'NONDERIV_TRANS_SK', 'SECURITY_TITLE', 'TRANS_DATE', 'TRANS_CODE', 'TRANS_SHARES'],
      ...['TRANS_SHARES_FN', 'TRANS_PRICEPERSHARE', 'TRANS_PRICEPERSHARE_FN', 'TRANS_ACQUIRED_DISP_CD'],
      ...['SHRS_OWND_FOLWNG_TRANS', 'DIRECT_INDIRECT_OWNERSHIP'],
    ],
    [
      '0000707549-25-000004',
      '12',
      'Common Stock',
      '05-NOV-2024',
      'S',
      '1000.0',
      'F2',
      '72.80',
      'F1,F2',
      'D',
      '90.5',
      'D',
    ],
    ['0000707549-25-000004', '11', 'Common Stock', '04-NOV-2024', 'G', '3690.0', '', '0.0', '', 'D', '1090.5', 'D'],
    ['0000707549-25-000004', '13', 'Common Stock', '05-NOV-2024', 'P', '10.0', '', '', '', 'A', '100.5', 'I'],
  ),
  'FOOTNOTES.tsv': toTsv(
    ['ACCESSION_NUMBER', 'FOOTNOTE_ID', 'FOOTNOTE_TXT'],
    ['0000707549-25-000004', 'F10', 'ten'],
    ['0000707549-25-000004', 'F2', 'two'],
    ['0000000000-24-000001', 'F1', 'not wanted'],
  ),
};

async function writeAndReadDataSet(
  name: string,
  members: Readonly<Record<string, string>>,
  isWantedCik = (cik: number) => cik > 7,
) {
  const path = join(folder, `${name}.zip`);
  await makeZip(path, members);
  const archive = await openArchive(path);
  const skippedRows = new SkippedRowCounts();
  try {
    return { filings: await readInsiderDataSet(archive, isWantedCik, skippedRows), skipped: skippedRows.getCounts() };
  } finally {
    archive.close();
  }
}

test('the four tables are joined to filings, in document order, without padding', async () => {
  const { filings, skipped } = await writeAndReadDataSet('set', DATA_SET_MEMBERS);
  expect(filings).toHaveLength(1);
  expect(filings[0]).toMatchObject({
    accession: '0000707549-25-000004',
    form: '4/A',
    issuerCik: 707549,
    issuerSymbol: 'LRCX',
    filed: '2025-01-21',
    periodOfReport: '2024-11-04',
    originalFiled: '2024-11-04',
    aff10b5One: true,
    owners: [
      { cik: 1779037, isDirector: true, isOfficer: false, isTenPercentOwner: true, isOther: false },
      { cik: 9, isDirector: false, isTenPercentOwner: true, isOther: true, otherText: 'Trustee' },
    ],
    trades: [
      {
        ordinal: 2,
        code: 'S',
        day: '2024-11-05',
        shares: '1000',
        price: '72.8',
        ownedFollowing: '90.5',
        footnoteIds: ['F2', 'F1'],
      },
      { ordinal: 3, code: 'P', shares: '10', price: null, directIndirect: 'I', footnoteIds: [] },
    ],
    footnotes: [
      { id: 'F2', text: 'two' },
      { id: 'F10', text: 'ten' },
    ],
  });
  expect(skipped).toEqual({ 'an ownership filing without a valid accession number, issuer CIK or filing date': 1 });
});

test('without a 10b5-1 column, as in older data sets, the field is unknown, not "no"', async () => {
  const submissionTable = DATA_SET_MEMBERS['SUBMISSION.tsv'].replaceAll(/\t[^\t\n]*\n/g, '\n');
  const { filings } = await writeAndReadDataSet('older', { ...DATA_SET_MEMBERS, 'SUBMISSION.tsv': submissionTable });
  expect(filings[0]?.aff10b5One).toBeNull();
});

test('an error names the table that a data set lacks, and the required column that a table lacks', async () => {
  const { 'NONDERIV_TRANS.tsv': trades, ...otherTables } = DATA_SET_MEMBERS;
  await expect(writeAndReadDataSet('without', otherTables)).rejects.toThrow('the table NONDERIV_TRANS is missing');
  const tablesWithRenamedColumn = { ...otherTables, 'NONDERIV_TRANS.tsv': trades.replace('TRANS_CODE', 'CODE') };
  await expect(writeAndReadDataSet('renamed', tablesWithRenamedColumn)).rejects.toThrow(
    'the header has no column TRANS_CODE',
  );
});

testWithPublicFile(
  'ownership.zip',
  'real forms written as tables of a data set are read back unchanged, except for decimals after the second',
  async () => {
    const archive = await openArchive(getPublicFilePath('ownership.zip'), undefined, 'path');
    const formByAccession = new Map<string, OwnershipDocument>();
    for (const name of archive.names) {
      const accessionMatch = /(\d{10})(\d{2})(\d{6})\//.exec(name) ?? /(\d{10})-(\d{2})-(\d{6})\.xml/.exec(name);
      if (accessionMatch === null) continue;
      const form = readOwnershipDocument((await archive.read(name)).toString('utf8'));
      if (typeof form !== 'string') formByAccession.set(accessionMatch.slice(1).join('-'), form);
    }
    archive.close();
    expect(formByAccession.size).toBeGreaterThan(expectOfFiles(300, 8));
    const { filings } = await writeAndReadDataSet('real', makeMembers(formByAccession), () => true);
    expect(filings).toHaveLength(formByAccession.size);
    let symbolCount = 0;
    for (const filing of filings) {
      const form = formByAccession.get(filing.accession);
      expect(filing.issuerSymbol).toBe(form?.issuerSymbol);
      if (filing.issuerSymbol !== null) symbolCount += 1;
      expect(filing.owners.map(({ cik, name, isTenPercentOwner }) => [cik, name, isTenPercentOwner])).toEqual(
        form?.owners.map(({ cik, name, isTenPercentOwner }) => [cik, name, isTenPercentOwner]),
      );
      expect(
        filing.trades.map((trade) => [trade.code, trade.day, trade.shares, trade.price, trade.footnoteIds]),
      ).toEqual(
        form?.trades.map((trade) => [
          trade.code,
          trade.day,
          truncateFigure(trade.shares),
          truncateFigure(trade.price),
          trade.footnoteIds,
        ]),
      );
      expect(filing.footnotes).toEqual(form?.footnotes);
    }
    expect(symbolCount).toBeGreaterThan(expectOfFiles(300, 8));
  },
);

testWithPublicFile(
  'datasets/2024q3_form345.zip',
  'the set of 2024 Q3 lacks three tables: the error names the first, and the filings are still listed',
  async () => {
    const archive = await openArchive(getPublicFilePath('datasets/2024q3_form345.zip'));
    const listedFilings: unknown[] = [];
    const readPromise = readInsiderDataSet(
      archive,
      (cik) => cik === 1967680,
      new SkippedRowCounts(),
      (row) => listedFilings.push(row),
    );
    await expect(readPromise).rejects.toThrow('the table REPORTINGOWNER is missing');
    archive.close();
    expect(listedFilings).toContainEqual({
      ...{ accession: '0001967680-24-000113', form: '4', filed: '2024-07-31' },
      cik: 1967680,
    });
  },
);

/** Returns a figure as in data sets: with at most two decimals, without trailing zeros. */
function truncateFigure(figure: string | null): string | null {
  const [wholeDigits = '', fractionDigits = ''] = figure?.split('.') ?? [];
  if (figure === null) return null;
  const truncatedFraction = fractionDigits.slice(0, 2).replace(/0+$/, '');
  return truncatedFraction === '' ? wholeDigits : `${wholeDigits}.${truncatedFraction}`;
}

function makeMembers(forms: ReadonlyMap<string, OwnershipDocument>): Record<string, string> {
  const formEntries = [...forms];
  const formatDay = (day: string | null) => {
    const [year = '', month = '', dayOfMonth = ''] = day?.split('-') ?? [];
    const monthName = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'][
      Number(month) - 1
    ];
    return day === null ? '' : `${dayOfMonth}-${monthName}-${year}`;
  };
  return {
    'SUBMISSION.tsv': toTsv(
      [
        'ACCESSION_NUMBER',
        'FILING_DATE',
        'PERIOD_OF_REPORT',
        'DATE_OF_ORIG_SUB',
        'DOCUMENT_TYPE',
        'ISSUERCIK',
        'ISSUERTRADINGSYMBOL',
      ],
      ...formEntries.map(([accession, form]) => [
        ...[
          accession,
          formatDay(form.periodOfReport ?? '2026-01-02'),
          formatDay(form.periodOfReport),
          formatDay(form.originalFiled),
        ],
        ...[form.form, String(form.issuerCik).padStart(10, '0'), form.issuerSymbol ?? 'NONE'],
      ]),
    ),
    'REPORTINGOWNER.tsv': toTsv(
      ['ACCESSION_NUMBER', 'RPTOWNERCIK', 'RPTOWNERNAME', 'RPTOWNER_RELATIONSHIP', 'RPTOWNER_TITLE'],
      ...formEntries.flatMap(([accession, { owners }]) =>
        owners.map((owner) => [
          ...[accession, String(owner.cik), owner.name],
          owner.isTenPercentOwner ? 'Director,TenPercentOwner' : 'Officer,TenPercentOwnerOther',
          owner.officerTitle ?? '',
        ]),
      ),
    ),
    'NONDERIV_TRANS.tsv': toTsv(
      [
        ...['ACCESSION_NUMBER', 'NONDERIV_TRANS_SK', 'SECURITY_TITLE', 'TRANS_DATE', 'TRANS_CODE', 'TRANS_SHARES'],
        ...['TRANS_PRICEPERSHARE', 'TRANS_ACQUIRED_DISP_CD', 'SECURITY_TITLE_FN'],
      ],
      ...formEntries.flatMap(([accession, { trades }]) =>
        trades.map((trade) => [
          ...[accession, String(trade.ordinal), trade.securityTitle, formatDay(trade.day), trade.code],
          ...[
            padFigure(truncateFigure(trade.shares)),
            padFigure(truncateFigure(trade.price)),
            trade.acquiredDisposed ?? '',
          ],
          trade.footnoteIds.join(','),
        ]),
      ),
    ),
    'FOOTNOTES.tsv': toTsv(
      ['ACCESSION_NUMBER', 'FOOTNOTE_ID', 'FOOTNOTE_TXT'],
      ...formEntries.flatMap(([accession, { footnotes }]) => footnotes.map(({ id, text }) => [accession, id, text])),
    ),
  };
}

const padFigure = (figure: string | null): string =>
  figure === null ? '' : figure.includes('.') ? figure : `${figure}.0`;
