import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Dimension } from '../../../src/edgar/facts/fact-row.ts';
import { readFilers, readStatementSet, type StatementSetReport } from '../../../src/edgar/facts/statement-set.ts';
import { openArchive } from '../../../src/edgar/files/archive.ts';
import { isStatementSet } from '../../../src/edgar/files/delimited.ts';
import { getPublicFilePath, testWithPublicFile } from '../../public-files.ts';
import { makeZip } from '../make-zip.ts';

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fin-sets-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function readSet(path: string, ciks: readonly number[]) {
  const archive = await openArchive(path);
  const reports: StatementSetReport[] = [];
  const filter = {
    wantsCompany: (cik: number) => ciks.includes(cik),
    wantsTag: (tag: string) => tag !== 'Unwanted',
    wantsDimensions: (dimensions: readonly Dimension[]) => dimensions.every(({ axis }) => axis !== 'Unwanted'),
    wantsFact: () => true,
  };
  const skipped = await readStatementSet(archive, filter, (report) => reports.push(report));
  archive.close();
  return { reports, skipped };
}

const SUBMISSIONS_TABLE =
  'adsh\tcik\tform\tperiod\tfy\tfp\tfiled\tinstance\n0000000001-19-000001\t42\t10-K\t20190131\t2018\tFY\t20190329\tabc-20190202.xml\n';
const formatTsvLine = (...cells: readonly string[]) => `${cells.join('\t')}\n`;

test('in notes sets, dimensions are found by hash, dates are exact, padding is removed, and repeated facts count once', async () => {
  const path = join(folder, 'notes.zip');
  const columnNames = 'adsh tag version ddate qtrs uom dimh iprx value dimn coreg durp datp dcml'.split(' ');
  const yearRounding = '0.01095891 -2.0';
  // In these rows, a dash represents an empty cell.
  const rows = [
    `Revenues us-gaap/2018 20190131 4 USD 0x00000000 0 1234567000.0000 0 - ${yearRounding} -3`,
    `EarningsPerShareDiluted us-gaap/2018 20190131 4 USD/shares 0x00000000 0 2.3000 0 - ${yearRounding} 2`,
    `Revenues us-gaap/2018 20190131 4 USD 0x1 0 7.0000 2 - ${yearRounding} 32767`,
    `Revenues us-gaap/2018 20190131 4 USD 0x1 1 8.0000 2 - ${yearRounding} -6`,
    'Revenues us-gaap/2018 20190131 4 USD 0x2 0 9.0000 2 - 0 0 0',
    'Revenues us-gaap/2018 20190131 4 USD 0x3 0 9.0000 2 - 0 0 0',
    'Revenues us-gaap/2018 20190131 4 USD 0x00000000 0 9.0000 0 Subsidiary 0 0 0',
    'Unwanted us-gaap/2018 20190131 0 USD 0x00000000 0 nothing 0 - 0.0 0.0 1',
    'Own 0000000001-19-000001 20190131 0 USD 0x00000000 0 -0.5000 0 - 0.0 0.0 1',
    'Nil us-gaap/2018 20190131 0 USD 0x00000000 0 - 0 - 0.0 0.0 -32768',
  ].map((row) => formatTsvLine('0000000001-19-000001', ...row.split(' ').map((cell) => (cell === '-' ? '' : cell))));
  const dimensionRows = [
    '0x1\tProductOrService=Toys;BusinessSegments=Retail;\t0',
    '0x2\tProductOrService=Too\t1',
    '0x3\tUnwanted=X;\t0',
  ];
  await makeZip(path, {
    'sub.tsv': SUBMISSIONS_TABLE,
    'dim.tsv': `dimhash\tsegments\tsegt\n${dimensionRows.join('\n')}\n`,
    'num.tsv': formatTsvLine(...columnNames) + rows.join(''),
  });
  const { reports, skipped } = await readSet(path, [42]);
  expect(reports).toHaveLength(1);
  expect(reports[0]).toMatchObject({
    accession: '0000000001-19-000001',
    form: '10-K',
    filed: '2019-03-29',
    focusPeriod: 'FY',
    periodEnd: '2019-02-02',
  });
  expect(reports[0]?.facts).toMatchObject([
    {
      concept: 'us-gaap:Revenues',
      value: '1234567000',
      decimals: -3,
      dimensions: [],
      exactDates: { start: '2018-02-03', end: '2019-02-02' },
    },
    { unit: 'USD/shares', value: '2.30' },
    {
      value: '7',
      decimals: null,
      dimensions: [
        { axis: 'BusinessSegments', member: 'Retail' },
        { axis: 'ProductOrService', member: 'Toys' },
      ],
    },
    { concept: 'abc:Own', value: '-0.5', exactDates: { start: null, end: '2019-01-31' } },
  ]);
  expect(skipped).toEqual({
    'a tagged figure without a value (nil)': 1,
    'a value whose dimensions are truncated or missing': 1,
  });
});

test('a statement set without the segments column, as CSV with quotes, is read', async () => {
  const path = join(folder, 'copy.zip');
  await makeZip(path, {
    'sub.csv':
      'adsh,cik,name,form,filed,period,fy,fp,instance\n0000000001-19-000001,42,"TOYS, ""R"" THEM\nINC.",10-Q,20190329,20190131,,,\n',
    'num.csv':
      'adsh,tag,version,coreg,ddate,qtrs,uom,value,footnote\n0000000001-19-000001,Assets,us-gaap/2018,,20190131,0,USD,"12",\n',
  });
  const { reports } = await readSet(path, [42]);
  expect(reports[0]?.facts).toEqual([
    expect.objectContaining({
      concept: 'us-gaap:Assets',
      value: '12',
      quarters: 0,
      roundedEnd: '2019-01-31',
      exactDates: null,
    }),
  ]);
});

test('a zip without the tables is not a statement set, and an error names a missing column', async () => {
  const path = join(folder, 'other.zip');
  await makeZip(path, { 'sub.txt': SUBMISSIONS_TABLE, 'pre.txt': 'x\n' });
  const archive = await openArchive(path);
  expect(isStatementSet(archive)).toBe(false);
  expect(await readFilers(archive)).toEqual({ ciks: [42], filingDays: ['2019-03-29'] });
  archive.close();
  const brokenZipPath = join(folder, 'broken.zip');
  await makeZip(brokenZipPath, { 'sub.txt': SUBMISSIONS_TABLE, 'num.txt': 'adsh\ttag\tversion\tddate\tqtrs\tuom\n' });
  await expect(readSet(brokenZipPath, [42])).rejects.toThrow('the header has no column value');
});

testWithPublicFile(
  'datasets/2010q2_financial-statements.zip',
  "Adobe's gross profit by segment in its first quarter of 2010 is read",
  async () => {
    const { reports } = await readSet(getPublicFilePath('datasets/2010q2_financial-statements.zip'), [796343]);
    const adobeReport = reports.find((report) => report.accession === '0000796343-10-000008') ?? reports[0];
    const grossProfitFacts = adobeReport?.facts.filter(
      (fact) => fact.concept === 'us-gaap:GrossProfit' && fact.roundedEnd === '2010-02-28',
    );
    const findSegmentProfit = (name: string) =>
      grossProfitFacts?.find((fact) => fact.dimensions[0]?.member === name)?.value;
    expect(findSegmentProfit('CreativeSolutions')).toBe('409188000');
    expect(findSegmentProfit('PrintAndPublishing')).toBe('44270000');
    expect(grossProfitFacts?.find((fact) => fact.dimensions.length === 0)?.value).toBe('769332000');
  },
);

testWithPublicFile('datasets/notes-2019q2-netflix.zip', "Netflix's fiscal years have exact dates", async () => {
  const { reports } = await readSet(getPublicFilePath('datasets/notes-2019q2-netflix.zip'), [1065280]);
  const netflixReport = reports.find((report) => report.accession === '0001065280-19-000043');
  const revenueFacts = netflixReport?.facts.filter(
    (fact) => fact.concept === 'us-gaap:Revenues' && fact.quarters === 4,
  );
  expect(revenueFacts?.map((fact) => [fact.exactDates?.start, fact.exactDates?.end, fact.value])).toEqual(
    expect.arrayContaining([
      ['2016-01-01', '2016-12-31', '8830669000'],
      ['2017-01-01', '2017-12-31', '11692713000'],
      ['2018-01-01', '2018-12-31', '15794341000'],
    ]),
  );
});
