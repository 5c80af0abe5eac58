import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { listFiles } from '../../../src/edgar/files/list-files.ts';
import { findReports, ReportReader } from '../../../src/edgar/reports/report-files.ts';
import { expectOfFiles, getPublicFilePath, testWithPublicFile } from '../../public-files.ts';
import { makeZip } from '../make-zip.ts';

const NAMESPACES = 'xmlns:ix="http://www.xbrl.org/2013/inlineXBRL" xmlns:g="http://fasb.org/us-gaap/2024"';
const CONTEXT_AND_UNIT = `<x:context id="y"><x:entity><x:identifier scheme="http://www.sec.gov/CIK">0000051143</x:identifier></x:entity>
  <x:period><x:instant>2024-12-31</x:instant></x:period></x:context><x:unit id="u"><x:measure>USD</x:measure></x:unit>`;
const REPORT = `<html ${NAMESPACES} xmlns:x="http://www.xbrl.org/2003/instance">${CONTEXT_AND_UNIT}</html>`;
const EXHIBIT = `<html ${NAMESPACES}><ix:nonFraction name="g:Assets" contextRef="y" unitRef="u" id="a">7</ix:nonFraction></html>`;
const FOLDER = 'filings/0000051143-25-000015';

let root = '';
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'fin-reports-'));
  const files: Readonly<Record<string, string>> = {
    [`${FOLDER}/ibm-20241231.htm`]: REPORT,
    [`${FOLDER}/ibm-20241231_lab.xml`]: '<linkbase/>',
    [`${FOLDER}/ibm-20241231xex13.htm`]: EXHIBIT,
    [`${FOLDER}/exhibit31.htm`]: REPORT,
    [`${FOLDER}/R2.htm`]: REPORT,
    'instances/letter.htm': '<html>no tags</html>',
    'elsewhere/report.htm': REPORT,
    'readme.txt': 'x',
  };
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
  await mkdir(join(root, 'datasets'));
  await makeZip(join(root, 'datasets', '2024q4_notes.zip'), { 'sub.tsv': 'adsh\n', 'num.tsv': 'adsh\n' });
  await makeZip(join(root, 'datasets', '2024q4_form345.zip'), { 'SUBMISSION.tsv': 'x\n' });
  await writeFile(join(root, 'datasets', '2025q1_financial-statements.zip'), 'cut');
  await writeFile(join(root, 'instances.zip'), 'not a zip');
});
afterAll(() => rm(root, { recursive: true }));

test('reports are found in their folders, with labels, accession number, and exhibits that share contexts', async () => {
  const { reports, sets, files, skipped, problems } = await findReports(await listFiles(root));
  const joinFilingPath = (name: string) => join(root, FOLDER, name);
  expect(reports).toEqual([
    {
      ...{ cik: 51143, archive: null, accession: '0000051143-25-000015' },
      ...{
        path: joinFilingPath('ibm-20241231.htm'),
        labels: joinFilingPath('ibm-20241231_lab.xml'),
        companions: [joinFilingPath('ibm-20241231xex13.htm')],
      },
      identity: expect.stringContaining('_lab.xml '),
    },
    {
      ...{ cik: 51143, archive: null, accession: '0000051143-25-000015' },
      ...{
        path: joinFilingPath('ibm-20241231xex13.htm'),
        labels: null,
        companions: [joinFilingPath('ibm-20241231.htm')],
      },
      identity: expect.not.stringContaining('_lab.xml '),
    },
  ]);
  expect(sets.map(({ file }) => file.name)).toEqual(['datasets/2024q4_notes.zip']);
  expect(files.map(({ name }) => name).sort()).toEqual([
    'datasets/2024q4_notes.zip',
    `${FOLDER}/ibm-20241231.htm`,
    `${FOLDER}/ibm-20241231_lab.xml`,
    `${FOLDER}/ibm-20241231xex13.htm`,
  ]);
  expect(skipped).toEqual({
    'a financial statement data set that cannot be read': 1,
    'an unreadable zip of reports': 1,
  });
  expect(problems).toEqual([
    expect.stringMatching(/^datasets\/2025q1_financial-statements\.zip: /),
    expect.stringMatching(/^instances\.zip: /),
  ]);
});

test("a change of a document that is read with a report changes the report's identity", async () => {
  const readIdentities = async () => (await findReports(await listFiles(root))).reports.map(({ identity }) => identity);
  const [report, exhibit] = await readIdentities();
  expect(await readIdentities()).toEqual([report, exhibit]);
  await writeFile(join(root, FOLDER, 'ibm-20241231_lab.xml'), '<linkbase />');
  const [changedReport, sameExhibit] = await readIdentities();
  expect(changedReport).not.toBe(report);
  expect(sameExhibit).toBe(exhibit);
  await writeFile(join(root, FOLDER, 'ibm-20241231_lab.xml'), '<linkbase/>');
});

test('an exhibit is read with the report that defines its contexts', async () => {
  const { reports } = await findReports(await listFiles(root));
  const exhibit = reports.find(({ path }) => path.endsWith('ex13.htm'));
  if (exhibit === undefined) throw new Error('no exhibit');
  const reader = new ReportReader();
  const { report } = await reader.read(exhibit);
  await reader.close();
  expect(report.facts).toMatchObject([{ concept: 'us-gaap:Assets', unit: 'USD', end: '2024-12-31', value: '7' }]);
});

testWithPublicFile(
  'instances.zip',
  'each public report is found once, and so are the quarterly data sets',
  async () => {
    const { reports, sets } = await findReports(await listFiles(getPublicFilePath('')));
    expect(reports).toHaveLength(expectOfFiles(61, 10));
    expect(new Set(reports.map(({ cik }) => cik)).size).toBe(expectOfFiles(32, 7));
    expect(reports.filter(({ accession }) => accession === '0000320193-25-000057')).toHaveLength(2);
    expect(reports.filter(({ labels }) => labels !== null)).toHaveLength(expectOfFiles(3, 2));
    expect(sets.map(({ file }) => file.name)).toEqual(
      expect.arrayContaining(['datasets/2010q2_financial-statements.zip', 'datasets/notes-2019q2-netflix.zip']),
    );
  },
);
