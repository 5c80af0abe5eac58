import { join } from 'node:path';
import { expect, test } from 'vitest';
import { listDocumentFiles } from '../../../src/edgar/fetch/fetch-files.ts';
import { SEC_SITE } from '../../../src/http/sec/site.ts';
import { writeAtomically } from '../../../src/platform/files/atomic-write.ts';
import { makeTemporaryFolder } from '../../clean-up.ts';

test("the forms' own documents are found in the lists of filings, by their exact forms", async () => {
  const folder = makeTemporaryFolder('documents');
  const recent = {
    accessionNumber: ['0000000012-24-000003', '0000000012-24-000002', '0000000012-24-000001', '0000000012-99-000001'],
    filingDate: ['2024-03-03', '2024-03-02', '2024-03-01', '1999-03-01'],
    form: ['10-K/A', '10-K', '10-K', '10-K'],
    primaryDocument: ['a.htm', '../b.htm', 'c.htm', ''],
  };
  writeAtomically(
    join(folder, 'submissions/CIK0000000012.json'),
    JSON.stringify({ cik: '12', filings: { recent, files: [] } }),
  );
  const files = await listDocumentFiles([12, 13], ['10-K'], SEC_SITE, folder);
  expect(files.map(({ url, file }) => [url, file])).toEqual([
    [
      'https://www.sec.gov/Archives/edgar/data/12/000000001224000001/c.htm',
      'filing-documents/0000000012-24-000001_c.htm',
    ],
    [
      'https://www.sec.gov/Archives/edgar/data/12/000000001299000001/0000000012-99-000001.txt',
      'filing-documents/0000000012-99-000001_0000000012-99-000001.txt',
    ],
  ]);
});
