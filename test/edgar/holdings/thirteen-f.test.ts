import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openArchive } from '../../../src/edgar/files/archive.ts';
import { SkippedRowCounts } from '../../../src/edgar/files/skipped-rows.ts';
import {
  isThirteenFDataSet,
  readThirteenFReports,
  readThirteenFRows,
  type ThirteenFRow,
} from '../../../src/edgar/holdings/thirteen-f-data-set.ts';
import {
  readInformationTable,
  readThirteenFCover,
  readThirteenFSubmission,
} from '../../../src/edgar/holdings/thirteen-f-documents.ts';
import { readThirteenFs } from '../../../src/edgar/holdings/thirteen-f-files.ts';
import type { HoldingLine, TableRow, ThirteenFReport } from '../../../src/edgar/holdings/thirteen-f-report.ts';
import { getPublicFilePath, testWithPublicFile } from '../../public-files.ts';
import { makeZip } from '../make-zip.ts';

async function readMember(name: string): Promise<string> {
  const archive = await openArchive(getPublicFilePath('13f.zip'));
  try {
    return String(await archive.read(name));
  } finally {
    archive.close();
  }
}

const listLines = (rows: readonly TableRow[]): readonly HoldingLine[] => rows.filter((row) => typeof row !== 'string');

const UNKNOWN_IDENTITY = { accession: null, filed: null };

testWithPublicFile('13f.zip', "the cover page of Baupost's report for the first quarter of 2026 is read", async () => {
  expect(readThirteenFCover(await readMember('baupost_2026q1_primary_doc.xml'), UNKNOWN_IDENTITY)).toEqual({
    accession: null,
    filed: null,
    cik: 1061768,
    managerName: 'BAUPOST GROUP LLC/MA',
    form: '13F-HR',
    period: '2026-03-31',
    amendment: null,
    otherManagerCount: 0,
    reportedBy: [],
    entryTotal: 22,
    valueTotal: '5115380',
  });
});

testWithPublicFile(
  '13f.zip',
  "Berkshire's amendment for the first quarter of 2025 is read as adding holdings",
  async () => {
    const name = 'berkshire_2025q1_new_holdings_amendment_primary_doc.xml';
    const identity = { accession: '0000950123-25-008361', filed: '2025-08-14' };
    expect(readThirteenFCover(await readMember(name), identity)).toMatchObject({
      ...identity,
      cik: 1067983,
      form: '13F-HR/A',
      period: '2025-03-31',
      amendment: { number: 1, type: 'new_holdings' },
      otherManagerCount: 2,
      entryTotal: 4,
      valueTotal: '1106550356',
    });
  },
);

testWithPublicFile(
  '13f.zip',
  'an information table is read with any XML prefix, and has the number of lines that its cover page states',
  async () => {
    const skippedRows = new SkippedRowCounts();
    const baupostLines = readInformationTable(await readMember('baupost_2026q1_infotable.xml'), skippedRows);
    expect(baupostLines).toHaveLength(22);
    expect(baupostLines[0]).toEqual({
      issuer: 'ALPHABET INC',
      titleOfClass: 'CAP STK CL C',
      cusip: '02079K107',
      value: '338819',
      amount: '1181131',
      amountType: 'SH',
      putCall: '',
    });
    const optionRows = readInformationTable(await readMember('sa-2025-q4-informationtable.xml'), skippedRows);
    expect(optionRows).toHaveLength(29);
    expect(new Set(listLines(optionRows).map((row) => row.putCall))).toContain('Call');
    expect(readInformationTable(await readMember('BRK_B_13f_ancient.xml'), skippedRows)).toHaveLength(179);
    expect(skippedRows.getCounts()).toEqual({});
  },
);

testWithPublicFile('13f.zip', 'a full submission has its accession number and filing date', async () => {
  const skipped = new SkippedRowCounts();
  const argusSubmission = readThirteenFSubmission(await readMember('0000007195-21-000001.txt'), skipped);
  expect(argusSubmission).toMatchObject({
    report: {
      accession: '0000007195-21-000001',
      filed: '2021-01-27',
      cik: 7195,
      managerName: "ARGUS INVESTORS' COUNSEL, INC.",
      period: '2020-12-31',
      entryTotal: 73,
      valueTotal: '228040',
    },
  });
  if (typeof argusSubmission !== 'string') expect(argusSubmission.rows).toHaveLength(73);
  // The older feed has its header in tags without end tags or line breaks.
  const acornSubmission = readThirteenFSubmission(await readMember('0001951757-25-000093.nc'), skipped);
  expect(acornSubmission).toMatchObject({
    report: { accession: '0001951757-25-000093', filed: '2025-01-22', cik: 1994827, period: '2024-12-31' },
  });
  if (typeof acornSubmission !== 'string') expect(acornSubmission.rows).toHaveLength(77);
  const noticeSubmission = readThirteenFSubmission(await readMember('0001178913-25-000237.txt'), skipped);
  expect(noticeSubmission).toMatchObject({ report: { form: '13F-NT', filed: '2025-01-28' }, rows: null });
  // An index page, which was saved in place of the submission, has no documents.
  expect(readThirteenFSubmission(await readMember('0001924152-24-000002.txt'), skipped)).toMatch(
    /without a cover page/,
  );
});

test('an unreadable line is counted, and the other lines are read', () => {
  const makeInfoTableElement = (
    cusip: string,
    amount: string,
    type: string,
  ) => `<infoTable><nameOfIssuer>X</nameOfIssuer>
    <titleOfClass>COM</titleOfClass><cusip>${cusip}</cusip><value>1</value><shrsOrPrnAmt><sshPrnamt>${amount}</sshPrnamt>
    <sshPrnamtType>${type}</sshPrnamtType></shrsOrPrnAmt></infoTable>`;
  const skipped = new SkippedRowCounts();
  const infoTableElements = [
    makeInfoTableElement('37833100', '5', 'SH'),
    makeInfoTableElement('', '5', 'SH'),
    makeInfoTableElement('037833100', 'x', 'SH'),
    makeInfoTableElement('037833100', '5', 'ZZ'),
  ];
  const rows = readInformationTable(`<informationTable>${infoTableElements.join('')}</informationTable>`, skipped);
  expect(listLines(rows).map((row) => row.cusip)).toEqual(['037833100']);
  expect(rows.filter((row) => row === 'unreadable')).toHaveLength(3);
  expect(skipped.getCounts()).toEqual({
    'a 13F position whose amount type is unknown': 1,
    'a 13F position without a valid CUSIP': 1,
    'a 13F position without a valid value or amount (shares or principal)': 1,
  });
});

test.each([
  ['NONE', '000000000', '0', '0', 'placeholder'],
  ['N/A', 'N/A', '0', '0', 'placeholder'],
  ['No holdings to report', '999999999', '0', '0.00', 'placeholder'],
  ['NO REPORTABLE 13F SECURITIES', '123456789', '0', '0', 'placeholder'],
  ['', 'NONE', '00', '0', 'placeholder'],
  // A real security without an amount is a position, and an amount without a CUSIP is an error.
  ['APPLE INC', '037833100', '0', '0', 'line'],
  ['NONE', '000000000', '0', '5', 'unreadable'],
  ['NONE', '999999999', '5', '5', 'line'],
  ['NONE', '000000000', '', '', 'unreadable'],
])(
  'a row with the issuer %j, the CUSIP %j, the value %j and the amount %j is read as %s',
  (issuer, cusip, value, amount, kind) => {
    const table = `<informationTable><infoTable><nameOfIssuer>${issuer}</nameOfIssuer><titleOfClass>COM</titleOfClass>
    <cusip>${cusip}</cusip><value>${value}</value><shrsOrPrnAmt><sshPrnamt>${amount}</sshPrnamt>
    <sshPrnamtType>SH</sshPrnamtType></shrsOrPrnAmt></infoTable></informationTable>`;
    const [row] = readInformationTable(table, new SkippedRowCounts());
    expect(typeof row === 'string' ? row : 'line').toBe(kind);
  },
);

test('the cover page of a notice names the managers that report the positions', () => {
  const cover = `<edgarSubmission><headerData><submissionType>13F-NT</submissionType><filerInfo>
    <filer><credentials><cik>0001727574</cik></credentials></filer><periodOfReport>12-31-2024</periodOfReport></filerInfo>
    </headerData><formData><coverPage><reportType>13F NOTICE</reportType><otherManagersInfo>
    <otherManager><cik>0001415912</cik><form13FFileNumber>028-17312</form13FFileNumber><name>Migdal  Insurance</name></otherManager>
    <otherManager><form13FFileNumber>028-00001</form13FFileNumber><name>Without a CIK</name></otherManager>
    <otherManager><form13FFileNumber>028-00002</form13FFileNumber></otherManager>
    </otherManagersInfo></coverPage></formData></edgarSubmission>`;
  expect(readThirteenFCover(cover, UNKNOWN_IDENTITY)).toMatchObject({
    reportedBy: [
      { cik: 1415912, name: 'Migdal Insurance' },
      { cik: null, name: 'Without a CIK' },
    ],
  });
});

test('each folder of a zip is a report, which counts once if its complete submission is also present', async () => {
  const cover = `<edgarSubmission><headerData><submissionType>13F-HR</submissionType><filerInfo>
    <filer><credentials><cik>0000000007</cik></credentials></filer><periodOfReport>12-31-2023</periodOfReport></filerInfo>
    </headerData></edgarSubmission>`;
  const table = `<informationTable><infoTable><nameOfIssuer>APPLE INC</nameOfIssuer><titleOfClass>COM</titleOfClass>
    <cusip>037833100</cusip><value>192530</value><shrsOrPrnAmt><sshPrnamt>1000</sshPrnamt>
    <sshPrnamtType>SH</sshPrnamtType></shrsOrPrnAmt></infoTable></informationTable>`;
  const makeDocument = (type: string, xml: string) =>
    `<DOCUMENT>\n<TYPE>${type}\n<TEXT>\n<XML>\n${xml}\n</XML>\n</TEXT>\n</DOCUMENT>\n`;
  const path = join(await mkdtemp(join(tmpdir(), 'fin-13f-')), '13f.zip');
  await makeZip(path, {
    '0000000007-24-000001/primary_doc.xml': cover,
    '0000000007-24-000001/infotable.xml': table,
    '000000000724000002/primary_doc.xml': cover,
    '000000000724000002/infotable.xml': table,
    'full/0000000007-24-000001.txt': `<SEC-DOCUMENT>0000000007-24-000001.txt : 20240214\n<SEC-HEADER>
ACCESSION NUMBER:\t0000000007-24-000001\nFILED AS OF DATE:\t20240214\n</SEC-HEADER>
${makeDocument('13F-HR', cover)}${makeDocument('INFORMATION TABLE', table)}</SEC-DOCUMENT>`,
  });
  const handlerCalls: string[] = [];
  await readThirteenFs(
    [{ name: '13f.zip', path, bytes: 1 }],
    {
      onReport: (key, { filed }) => handlerCalls.push(`report ${key} ${filed}`),
      onRow: (key, row) => handlerCalls.push(`line ${key} ${typeof row === 'string' ? row : row.cusip}`),
      onEmptyTable: (key) => handlerCalls.push(`empty table ${key}`),
      onProblem: (text) => handlerCalls.push(text),
    },
    new SkippedRowCounts(),
  );
  expect(handlerCalls).toEqual([
    'report 0000000007-24-000001 2024-02-14',
    'line 0000000007-24-000001 037833100',
    'report 0000000007-24-000002 null',
    'line 0000000007-24-000002 037833100',
  ]);
});

/** The SEC publishes no small data set, so the test writes one in the same format. */
test('the tables of a quarterly data set are joined by accession number, and bad rows are counted', async () => {
  const path = join(await mkdtemp(join(tmpdir(), 'fin-13f-')), '2025q2_form13f.zip');
  await makeZip(path, {
    'set/SUBMISSION.tsv':
      'ACCESSION_NUMBER\tFILING_DATE\tSUBMISSIONTYPE\tCIK\tPERIODOFREPORT\n' +
      '0000950123-25-008361\t14-AUG-2025\t13F-HR/A\t1067983\t31-MAR-2025\n' +
      '0000950123-25-005701\t15-MAY-2025\t13F-HR\t0001067983\t31-MAR-2025\n',
    'set/COVERPAGE.tsv':
      'ACCESSION_NUMBER\tREPORTCALENDARORQUARTER\tISAMENDMENT\tAMENDMENTNO\tAMENDMENTTYPE\tFILINGMANAGER_NAME\n' +
      '0000950123-25-008361\t31-MAR-2025\tY\t1\tNEW HOLDINGS\tBerkshire Hathaway Inc\n' +
      '0000950123-25-005701\t31-MAR-2025\t\t\t\tBerkshire Hathaway Inc\n' +
      '0000000000-25-000001\t31-MAR-2025\t\t\t\tNobody\n',
    'set/SUMMARYPAGE.tsv':
      'ACCESSION_NUMBER\tOTHERINCLUDEDMANAGERSCOUNT\tTABLEENTRYTOTAL\tTABLEVALUETOTAL\n' +
      '0000950123-25-008361\t2\t4\t1106550356\n',
    'set/OTHERMANAGER.tsv':
      'ACCESSION_NUMBER\tOTHERMANAGER_SK\tCIK\tFORM13FFILENUMBER\tNAME\n' +
      '0000950123-25-005701\t1\t0000000011\t028-00011\tOther Manager\n',
    'set/INFOTABLE.tsv':
      'ACCESSION_NUMBER\tINFOTABLE_SK\tNAMEOFISSUER\tTITLEOFCLASS\tCUSIP\tFIGI\tVALUE\tSSHPRNAMT\tSSHPRNAMTTYPE\tPUTCALL\n' +
      '0000950123-25-005701\t1\tAPPLE INC\tCOM\t37833100\t\t66639000000\t300000000\tSH\t\n' +
      '0000950123-25-005701\t2\tAPPLE INC\tCOM\t037833100\t\tn\t1\tSH\t\n',
  });
  const archive = await openArchive(path);
  const skipped = new SkippedRowCounts();
  expect(isThirteenFDataSet(archive)).toBe(true);
  const reports: readonly ThirteenFReport[] = await readThirteenFReports(archive, skipped);
  const rows: ThirteenFRow[] = [];
  for await (const batch of readThirteenFRows(archive, skipped)) rows.push(...batch);
  archive.close();
  expect(
    reports.map(({ accession, filed, cik, amendment, entryTotal }) => [accession, filed, cik, amendment, entryTotal]),
  ).toEqual([
    ['0000950123-25-008361', '2025-08-14', 1067983, { number: 1, type: 'new_holdings' }, 4],
    ['0000950123-25-005701', '2025-05-15', 1067983, null, null],
  ]);
  expect(reports.map(({ reportedBy }) => reportedBy)).toEqual([[], [{ cik: 11, name: 'Other Manager' }]]);
  expect(rows).toMatchObject([
    { accession: '0000950123-25-005701', row: { cusip: '037833100', amount: '300000000' } },
    { accession: '0000950123-25-005701', row: 'unreadable' },
  ]);
  expect(skipped.getCounts()).toEqual({
    'a 13F cover page without a row in the table of submissions': 1,
    'a 13F position without a valid value or amount (shares or principal)': 1,
  });
});
