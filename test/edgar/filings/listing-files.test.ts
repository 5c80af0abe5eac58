import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SkippedRowCounts } from '../../../src/edgar/files/skipped-rows.ts';
import { mayContainIndexes, readFilingIndexes } from '../../../src/edgar/filings/listing-files.ts';
import { isOwnershipFile } from '../../../src/edgar/insiders/ownership-files.ts';
import { makeZip } from '../make-zip.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fin-listing-'));
});
afterAll(() => rm(folder, { recursive: true }));

test.each([
  'form.20200318.idx',
  '2020/QTR1/master.idx',
  'index.zip',
  'datasets/master_2025_QTR4.zip',
  'folders/0001045810-26-000024-index.htm',
])('%s may contain filing indexes', (name) => {
  expect(mayContainIndexes(name)).toBe(true);
});

test.each([
  'companyfacts.zip',
  'submissions.zip',
  '2024q3_form345.zip',
  '01jan2024-29feb2024_form13f.zip',
  'index.htm',
])('%s cannot contain filing indexes', (name) => {
  expect(mayContainIndexes(name)).toBe(false);
});

test('ownership filings are found in data sets, in a zip of their own and in a folder', () => {
  const names = [
    'datasets/2024q3_form345.zip',
    'ownership.zip',
    'ownership/a/doc4.xml',
    'instances/doc4.xml',
    'form345.txt',
  ];
  expect(names.filter(isOwnershipFile)).toEqual(names.slice(0, 3));
});

const MASTER_INDEX = `CIK|Company Name|Form Type|Date Filed|File Name
--------------------------------------------------------------------------------
320193|Apple Inc.|10-K|2025-10-31|edgar/data/320193/0000320193-25-000079.txt
`;
const INDEX_PAGE = `<div id="formName"><strong>Form 10-K</strong></div><div>0000320193-25-000079</div>
<div class="infoHead">Accepted</div><div class="info">2025-10-31 06:01:26</div>`;

test('index rows and filing pages are read the same from unzipped files and from zips, and other texts are counted', async () => {
  const members = {
    'a/master.idx': MASTER_INDEX,
    'b/0000320193-25-000079-index.htm': INDEX_PAGE,
    'c/readme.md': '',
    'd/x.txt': 'x',
  };
  await makeZip(join(folder, 'index.zip'), members);
  await writeFile(join(folder, 'master.20251031.idx'), MASTER_INDEX);
  await writeFile(join(folder, '0000320193-25-000079-index.htm'), INDEX_PAGE);
  const handledValues: string[] = [];
  const skipped = new SkippedRowCounts();
  for (const name of ['index.zip', 'master.20251031.idx', '0000320193-25-000079-index.htm']) {
    const path = join(folder, name);
    const indexHandler = {
      onRow: (row: { form: string }) => handledValues.push(row.form),
      onPage: (page: { acceptedEastern: string | null }) => handledValues.push(String(page.acceptedEastern)),
    };
    await readFilingIndexes({ name, path, bytes: (await stat(path)).size }, indexHandler, skipped);
  }
  expect(handledValues).toEqual(['10-K', '2025-10-31T06:01:26', '10-K', '2025-10-31T06:01:26']);
  expect(skipped.getCounts()).toEqual({ 'a filing index without its header': 1 });
});
