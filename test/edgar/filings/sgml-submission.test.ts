import { expect, test } from 'vitest';
import { openArchive } from '../../../src/edgar/files/archive.ts';
import { readSgmlSubmission } from '../../../src/edgar/filings/sgml-submission.ts';
import { readOwnershipDocument } from '../../../src/edgar/insiders/ownership-document.ts';
import { expectOfFiles, getPublicFilePath, testWithPublicFile } from '../../public-files.ts';

/** Lam Research's amended Form 4 of January 2025. */
const LABELLED_SUBMISSION = `<SEC-DOCUMENT>0000707549-25-000004.txt : 20250121
<SEC-HEADER>0000707549-25-000004.hdr.sgml : 20250121
<ACCEPTANCE-DATETIME>20250121132357
ACCESSION NUMBER:\t\t0000707549-25-000004
CONFORMED SUBMISSION TYPE:\t4/A
CONFORMED PERIOD OF REPORT:\t20241104
FILED AS OF DATE:\t\t20250121

REPORTING-OWNER:
\tOWNER DATA:
\t\tCENTRAL INDEX KEY:\t\t\t0001779037
ISSUER:
\tCOMPANY DATA:
\t\tCENTRAL INDEX KEY:\t\t\t0000707549
</SEC-HEADER>
<DOCUMENT>
<TYPE>4/A
<SEQUENCE>1
<FILENAME>wk-form4a_1737483830.xml
<DESCRIPTION>FORM 4/A
<TEXT>
<XML>
<a/>
</XML>
</TEXT>
</DOCUMENT>
<DOCUMENT>
<TYPE>EX-24
<SEQUENCE>2
<FILENAME>poa.htm
<TEXT>
Power of attorney
</TEXT>
</DOCUMENT>
</SEC-DOCUMENT>
`;

test('the header of a full submission has filers, form and acceptance time, which is New York time', () => {
  expect(readSgmlSubmission(LABELLED_SUBMISSION)).toEqual({
    accession: '0000707549-25-000004',
    form: '4/A',
    filed: '2025-01-21',
    acceptedEastern: '2025-01-21T13:23:57',
    period: '2024-11-04',
    ciks: [1779037, 707549],
    documents: [
      { type: '4/A', fileName: 'wk-form4a_1737483830.xml', body: '<a/>' },
      { type: 'EX-24', fileName: 'poa.htm', body: 'Power of attorney' },
    ],
  });
});

test('a header with tags, as in the feed, gives the same fields', () => {
  const text = `<SUBMISSION>\n<ACCESSION-NUMBER>0000002488-24-000005\n<TYPE>4\n<PERIOD>20240115\n<FILING-DATE>20240117
<REPORTING-OWNER>\n<CIK>0001674334\n<ISSUER>\n<CIK>0000002488\n<DOCUMENT>\n<TYPE>4\n<FILENAME>a.xml\n<TEXT>\nx`;
  expect(readSgmlSubmission(text)).toMatchObject({
    accession: '0000002488-24-000005',
    form: '4',
    filed: '2024-01-17',
    acceptedEastern: null,
    period: '2024-01-15',
    ciks: [1674334, 2488],
    documents: [{ type: '4', fileName: 'a.xml', body: 'x' }],
  });
});

test('a header with very many blank lines or spaces is read in linear time', () => {
  // In quadratic time, a text of this length would take longer than the timeout of the test.
  for (const blank of ['\n', ' ', '<TYPE>a '])
    expect(readSgmlSubmission(`ACCESSION NUMBER: x${blank.repeat(1_000_000)}.\n`)).toMatch(/without a valid accession/);
});

test('a text that is not a submission is refused with a reason', () => {
  expect(readSgmlSubmission('<html>')).toMatch(/without a valid accession/);
});

testWithPublicFile('ownership.zip', 'the forms in real full submissions are read', async () => {
  const archive = await openArchive(getPublicFilePath('ownership.zip'), undefined, 'path');
  const names = archive.names.filter((name) => name.startsWith('full-submission/'));
  for (const name of names) {
    const submission = readSgmlSubmission((await archive.read(name)).toString('utf8'));
    if (typeof submission === 'string') throw new Error(`${name}: ${submission}`);
    expect(name).toContain(submission.accession);
    expect(submission.filed, name).not.toBeNull();
    const formDocument = submission.documents.find((document) => document.type === submission.form);
    const filing = readOwnershipDocument(formDocument?.body ?? '');
    if (typeof filing === 'string') throw new Error(`${name}: ${filing}`);
    expect(submission.ciks, name).toContain(filing.issuerCik);
  }
  archive.close();
  expect(names.length).toBe(expectOfFiles(58, 6));
});
