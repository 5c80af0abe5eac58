import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import type { BuildReport } from '../../../src/building/build.ts';
import { makeZip } from '../../edgar/make-zip.ts';
import { makeFactsJson, makeFolder, makeSubmissionsJson } from '../../store/public-source.ts';
import { buildFrom, WIDGETS, WIDGETS_CIK, writeFiles, writeWidgetsSource } from './small-source.ts';

const OTHER_FILES = { 'letters/one.json': '{}', 'letters/two.csv': 'a,b' };

let report: BuildReport;
beforeAll(async () => {
  const source = await writeWidgetsSource({
    'master.20250303.idx': '',
    'cnsfails202503a.txt': 'a|b\n1|2\n',
    'ownership/first/form.xml': '<letter/>',
    'ownership/second/form.xml': '<letter/>',
    'instances-2/report.htm': '<html>no tags</html>',
    'submissions/widgets.json': '{}',
    'files/company_tickers_exchange.json': '{"fields":["cik","ticker"],"data":[]}',
  });
  for (const name of ['13f.zip', 'ownership.zip', 'instances.zip', 'index.zip', '2025q1_nport.zip', 'other.zip'])
    await makeZip(join(source, name), OTHER_FILES);
  await makeZip(join(source, 'filings.zip'), {});
  await makeZip(join(source, '2025q1.zip'), {
    'sub.tsv': 'adsh\tcik\tname\tform\tperiod\tfy\tfp\tfiled\n',
    'num.tsv': 'adsh\n',
  });
  mkdirSync(join(source, 'empty'));
  report = await buildFrom(source);
});

test.each([
  [
    'submissions/',
    /its only file, widgets\.json, is not named as the SEC names them: CIK##########\.json.*; rename the files/,
  ],
  ['company_tickers_exchange.json', /lists no company/],
  ['master.20250303.idx', /the file is empty; it should contain indexes/],
  ['cnsfails202503a.txt', /the file does not contain rows of fails to deliver/],
  ['ownership/', /none of its 2 files, such as ownership\/first\/form\.xml, contains Forms 4 and 5/],
  ['instances-2/', /its only file, instances-2\/report\.htm, does not contain XBRL reports/],
  ['13f.zip', /none of its 2 files, such as letters\/one\.json, contains reports on Form 13F/],
  ['ownership.zip', /none of its 2 files, such as letters\/one\.json, contains Forms 4 and 5/],
  ['instances.zip', /none of its 2 files, such as letters\/one\.json, contains XBRL reports/],
  ['index.zip', /none of its 2 files, such as letters\/one\.json, contains indexes of filings/],
  ['2025q1_nport.zip', /none of its 2 files, such as letters\/one\.json, contains an N-PORT data set/],
  ['filings.zip', /the zip is empty; it should contain XBRL reports/],
  ['2025q1.zip', /none of its 2 files, such as sub\.tsv, contains rows of a financial statement data set/],
  ['other.zip', /neither its path nor its content is that of a known source/],
])('a build names %s, from which nothing was read, and the reason', (name, reason) => {
  const problems = report.problems.filter((problem) => problem.startsWith(`${name}: `));
  expect(problems).toEqual([expect.stringMatching(reason)]);
  expect(problems[0]).toMatch(/nothing was read from this source|the zip was not read/);
});

test('the release is published with all other files, and unread sources are counted', () => {
  expect(report).toMatchObject({ publication: 'published', companies: 1 });
  expect(report.skipped).toMatchObject({
    'a source from which nothing was read': 13,
    'a zip that is not a known source': 1,
  });
  expect(report.problems).toHaveLength(14);
});

test('a zip of company facts whose files have other names is reported, although submissions are read', async () => {
  const source = await writeWidgetsSource({ 'instances/report.xml': makeReportWithoutAccession() });
  rmSync(join(source, 'companyfacts.zip'));
  await makeZip(join(source, 'companyfacts.zip'), { 'facts/PWID.json': makeFactsJson(WIDGETS) });
  const { problems, companies, factRows } = await buildFrom(source);
  expect({ companies, factRows }).toEqual({ companies: 1, factRows: 0 });
  expect(problems).toContainEqual(
    expect.stringMatching(/^companyfacts\.zip: .*its only file, PWID\.json, is not named/),
  );
});

test('company facts without any fact are reported', async () => {
  const source = await writeWidgetsSource({ 'instances/report.xml': makeReportWithoutAccession() });
  rmSync(join(source, 'companyfacts.zip'));
  await makeZip(join(source, 'companyfacts.zip'), { 'CIK0009400021.json': '{}' });
  expect((await buildFrom(source)).problems).toContainEqual(expect.stringContaining('contains a fact'));
});

test('if nothing at all was read, the build fails with the reason, and publishes nothing', async () => {
  const source = await makeFolder('unread');
  await makeZip(join(source, 'companyfacts.zip'), {
    'facts/PWID.json': makeFactsJson(WIDGETS),
    'facts/OTHR.json': '{}',
  });
  await expect(buildFrom(source)).rejects.toMatchObject({
    kind: 'data',
    message: expect.stringMatching(/companyfacts\.zip in .*none of its 2 files, such as PWID\.json, is named/),
  });
});

test('if no company can be derived from the files, the build fails and publishes nothing', async () => {
  const source = await makeFolder('unlisted');
  await makeZip(join(source, 'submissions.zip'), {
    'CIK0009400021.json': makeSubmissionsJson({ ...WIDGETS, ticker: '' }),
  });
  await expect(buildFrom(source)).rejects.toMatchObject({
    kind: 'data',
    message: expect.stringContaining('contain no company that a release can include'),
  });
});

/** Returns an instance of the company's 10-K; only its content states company, form and period. */
function makeReportWithoutAccession(): string {
  const makeContext = (id: string, period: string) => `<context id="${id}"><entity>
<identifier scheme="http://www.sec.gov/CIK">${String(WIDGETS_CIK).padStart(10, '0')}</identifier></entity><period>${period}</period></context>`;
  return `
<?xml version="1.0"?>
<xbrl xmlns="http://www.xbrl.org/2003/instance" xmlns:iso4217="http://www.xbrl.org/2003/iso4217"
  xmlns:us-gaap="http://fasb.org/us-gaap/2024" xmlns:dei="http://xbrl.sec.gov/dei/2024">
${makeContext('y', '<startDate>2024-01-01</startDate><endDate>2024-12-31</endDate>')}
${makeContext('d', '<instant>2024-12-31</instant>')}
<unit id="usd"><measure>iso4217:USD</measure></unit>
<dei:DocumentType contextRef="y">10-K</dei:DocumentType>
<dei:EntityCentralIndexKey contextRef="y">${WIDGETS_CIK}</dei:EntityCentralIndexKey>
<us-gaap:Revenues contextRef="y" unitRef="usd" decimals="0">5000000</us-gaap:Revenues>
<us-gaap:NetIncomeLoss contextRef="y" unitRef="usd" decimals="0">700000</us-gaap:NetIncomeLoss>
<us-gaap:Assets contextRef="d" unitRef="usd" decimals="0">9000000</us-gaap:Assets>
</xbrl>`;
}

test('a report outside its folder has the filing that an index names, and the figures of a company without facts', async () => {
  const source = await makeFolder('indexed');
  writeFiles(source, {
    'instances-2/report.xml': makeReportWithoutAccession(),
    'companyfacts/CIK0009400099.json': makeFactsJson({ ...WIDGETS, cik: 9400099, name: 'OTHER CO' }),
  });
  const withoutIndex = await buildFrom(source);
  expect(withoutIndex.skipped).toMatchObject({ 'a report of an unknown filing': 1 });
  expect(withoutIndex.problems).toEqual([
    'report.xml: a report of an unknown filing, because CIK 9400021 has no filing of form 10-K for the period ending 2024-12-31 in the lists of filings, the indexes and company facts; add its submissions, or an index of the quarter in which it was filed',
  ]);
  writeFiles(source, {
    'master.20250220.idx': [
      'CIK|Company Name|Form Type|Date Filed|Filename',
      '-'.repeat(80),
      `${WIDGETS_CIK}|PAPER WIDGETS INC|10-K|2025-02-20|edgar/data/${WIDGETS_CIK}/0009400021-25-000001.txt`,
      '',
    ].join('\n'),
  });
  const withIndex = await buildFrom(source);
  expect(withIndex.problems).toEqual([]);
  expect(withIndex.rows).toMatchObject({ companies: 2, tagged_reports: 1 });
});
