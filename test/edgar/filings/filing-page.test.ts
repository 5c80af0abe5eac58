import { expect, test } from 'vitest';
import { openArchive } from '../../../src/edgar/files/archive.ts';
import { readFilingPage } from '../../../src/edgar/filings/filing-page.ts';
import { expectOfFiles, getPublicFilePath, testWithPublicFile } from '../../public-files.ts';

/** NVIDIA's current report of 6 March 2026, with the structure of the original page. */
const INDEX_PAGE = `<div id="formName"><strong>Form 8-K</strong> - Current report: </div>
<div id="secNum">SEC Accession No. 0001045810-26-000024</div>
<div class="infoHead">Filing Date</div>
<div class="info">2026-03-06</div>
<div class="infoHead">Accepted</div> <div class="info">2026-03-06 16:11:25</div>
<div class="infoHead">Period of Report</div><div class="info">2026-03-02</div>
<div class="infoHead">Items</div><div class="info">Item 5.02: Departure of Directors<br />Item 9.01: Exhibits<br /></div>
<table class="tableFile" summary="Document Format Files"><tr><th scope="col">Seq</th></tr>
<tr><td scope="row">1</td><td>8-K</td><td><a href="/ix?doc=/Archives/a/nvda-20260302.htm">nvda-20260302.htm</a> &nbsp;<span>iXBRL</span></td><td>8-K</td><td>31103</td></tr>
<tr class="evenRow"><td>2</td><td>EX-10.1 R&amp;D</td><td><a href="/x">formxex101xfy27variablecom.htm</a></td><td>EX-10.1</td><td>1</td></tr>
<tr><td>&nbsp;</td><td>Complete submission text file</td><td><a href="/t">0001045810-26-000024.txt</a></td><td>&nbsp;</td></tr>
<tr><td>3</td><td>trap</td><td><a href="/t">../../key</a></td><td>EX-99</td></tr></table>
<a href="/cgi-bin/browse-edgar?CIK=0001045810&amp;action=getcompany">all filings</a>`;

test("a filing's page gives the type of each document and the time of acceptance", () => {
  expect(readFilingPage(INDEX_PAGE)).toEqual({
    accession: '0001045810-26-000024',
    form: '8-K',
    filed: '2026-03-06',
    acceptedEastern: '2026-03-06T16:11:25',
    period: '2026-03-02',
    items: ['5.02', '9.01'],
    ciks: [1045810],
    documents: [
      { name: 'nvda-20260302.htm', kind: '8-K' },
      { name: 'formxex101xfy27variablecom.htm', kind: 'EX-10.1' },
      { name: '0001045810-26-000024.txt', kind: '' },
    ],
  });
  const pageWithImpossibleTime = INDEX_PAGE.replace('2026-03-06 16:11:25', '2026-02-31 16:11:25');
  expect(readFilingPage(pageWithImpossibleTime)).toMatchObject({ filed: '2026-03-06', acceptedEastern: null });
  expect(readFilingPage('<html>not found</html>')).toMatch(/without an accession/);
});

test('of a form in XML, only the file in the folder is listed, not its display as HTML', () => {
  const [head] = INDEX_PAGE.replace('Form 8-K', 'Form 4').split('<tr><th');
  const address = '/Archives/edgar/data/1300650/000095014222003095';
  const page = `${head}<tr><td>1</td><td>OWNERSHIP DOCUMENT</td><td><a href="${address}/xslF345X03/es_4-davis.xml">es_4-davis.html</a></td><td>4</td><td>&nbsp;</td></tr>
<tr><td>1</td><td>OWNERSHIP DOCUMENT</td><td><a href="${address}/es_4-davis.xml">es_4-davis.xml</a></td><td>4</td><td>5763</td></tr></table>`;
  expect(readFilingPage(page)).toMatchObject({ form: '4', documents: [{ name: 'es_4-davis.xml', kind: '4' }] });
});

test('a page of tags without an end, or of spaces, is read in linear time', () => {
  // In quadratic time, pages of this length would take longer than the timeout of the test.
  const [start] = INDEX_PAGE.split('<tr class');
  for (const part of ['<table class="tableFile"', '<table class="tableFile">', '<tr ', '<td><a ', '<'])
    expect(readFilingPage(start + part.repeat(200_000))).toMatchObject({ form: '8-K' });
  expect(readFilingPage(`id="formName"><strong>${' '.repeat(1_000_000)}`)).toMatch(/without an accession/);
});

testWithPublicFile('index.zip', 'real filing pages from 1998 to 2026 are read completely', async () => {
  const archive = await openArchive(getPublicFilePath('index.zip'), undefined, 'path');
  const pageNames = archive.names.filter((name) => name.endsWith('.htm'));
  for (const name of pageNames) {
    const page = readFilingPage((await archive.read(name)).toString('utf8'));
    if (typeof page === 'string') throw new Error(`${name}: ${page}`);
    expect(name).toContain(page.accession);
    expect(page.filed, name).not.toBeNull();
    expect(page.acceptedEastern, name).not.toBeNull();
    expect(page.ciks.length, name).toBeGreaterThan(0);
    expect(page.documents.length, name).toBeGreaterThan(0);
  }
  archive.close();
  expect(pageNames.length).toBe(expectOfFiles(60, 7));
});
