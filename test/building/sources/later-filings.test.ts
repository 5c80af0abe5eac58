import { expect, test } from 'vitest';
import { ADOBE_FORM, writeOwnershipForm } from '../../edgar/insiders/ownership-form.ts';
import { buildFrom, WIDGETS_CIK, writeWidgetsSource } from './small-source.ts';

const MANAGER_CIK = 9600031;
const CUSIP = '694011106';

/** Returns a full submission of a Form 13F with one position, as EDGAR publishes it. */
const makeThirteenF = (accession: string, form: string, filed: string) => `<SEC-DOCUMENT>${accession}.txt
<SEC-HEADER>
<ACCEPTANCE-DATETIME>${filed}120000
ACCESSION NUMBER:		${accession}
CONFORMED SUBMISSION TYPE:	${form}
FILED AS OF DATE:		${filed}
</SEC-HEADER>
<DOCUMENT>
<TYPE>${form}
<FILENAME>primary_doc.xml
<TEXT>
<XML>
<edgarSubmission xmlns="http://www.sec.gov/edgar/thirteenffiler">
<headerData><submissionType>${form}</submissionType><filerInfo><filer><credentials><cik>${MANAGER_CIK}</cik></credentials></filer>
<periodOfReport>12-31-2024</periodOfReport></filerInfo></headerData>
<formData><coverPage><reportCalendarOrQuarter>12-31-2024</reportCalendarOrQuarter><isAmendment>${form.endsWith('/A')}</isAmendment>
${form.endsWith('/A') ? '<amendmentInfo><amendmentType>RESTATEMENT</amendmentType></amendmentInfo>' : ''}
<filingManager><name>PATIENT CAPITAL LP</name></filingManager></coverPage>
<summaryPage><tableEntryTotal>1</tableEntryTotal><tableValueTotal>1000000</tableValueTotal></summaryPage></formData>
</edgarSubmission>
</XML>
</TEXT>
</DOCUMENT>
<DOCUMENT>
<TYPE>INFORMATION TABLE
<FILENAME>table.xml
<TEXT>
<XML>
<informationTable xmlns="http://www.sec.gov/edgar/document/thirteenf/informationtable"><infoTable>
<nameOfIssuer>PAPER WIDGETS INC</nameOfIssuer><titleOfClass>COM</titleOfClass><cusip>${CUSIP}</cusip><value>1000000</value>
<shrsOrPrnAmt><sshPrnamt>50000</sshPrnamt><sshPrnamtType>SH</sshPrnamtType></shrsOrPrnAmt>
<votingAuthority><Sole>50000</Sole><Shared>0</Shared><None>0</None></votingAuthority></infoTable></informationTable>
</XML>
</TEXT>
</DOCUMENT>
`;

const makeIndex = (rows: readonly string[]) =>
  ['CIK|Company Name|Form Type|Date Filed|Filename', '-'.repeat(80), ...rows, ''].join('\n');

test('every filing and price after the date of the release is omitted, and counted by kind', async () => {
  const laterAccession = '0009400021-25-000009';
  const source = await writeWidgetsSource({
    '13f/a.txt': makeThirteenF('0009600031-25-000001', '13F-HR', '20250210'),
    '13f/b.txt': makeThirteenF('0009600031-25-000002', '13F-HR/A', '20250510'),
    '13f/c.txt': makeThirteenF('0009600031-25-000003', '13F-NT', '20250511'),
    'cnsfails202503a.txt': [
      'SETTLEMENT DATE|CUSIP|SYMBOL|QUANTITY (FAILS)|DESCRIPTION|PRICE',
      `20250212|${CUSIP}|PWID|100|PAPER WIDGETS INC COM|20.10`,
      `20250325|${CUSIP}|PWID|100|PAPER WIDGETS INC COM|20.30`,
      '',
    ].join('\n'),
    // The form states no filing date; only the index does. Its trades were before the date of the release.
    [`ownership/${laterAccession}/form4.xml`]: writeOwnershipForm({
      ...ADOBE_FORM,
      issuer: WIDGETS_CIK,
      period: '2025-02-18',
      rows: ADOBE_FORM.rows.map((row) => ({ ...row, day: '2025-02-18' })),
    }),
    'master.20250303.idx': makeIndex([
      `${WIDGETS_CIK}|PAPER WIDGETS INC|4|2025-03-03|edgar/data/${WIDGETS_CIK}/${laterAccession}.txt`,
      `${WIDGETS_CIK}|PAPER WIDGETS INC|8-K|2025-03-03|edgar/data/${WIDGETS_CIK}/0009400021-25-000010.txt`,
    ]),
  });
  const report = await buildFrom(source);
  expect(report).toMatchObject({ date: '2025-02-20', publication: 'published' });
  expect(report.skipped).toMatchObject({
    'a 13F report (13F-HR/A) filed after the date of the release': 1,
    'a 13F report (13F-NT) filed after the date of the release': 1,
    'a price of a day after the date of the release': 1,
    'a filing in an index, filed after the date of the release': 2,
    'an ownership filing filed after the date of the release': 1,
  });
  expect(report.rows).toMatchObject({ filings: 1, insider_filings: 0, holder_reports: 1, prices: 2 });
});
