/** Tests releases of financial statement data sets without company facts, submissions and ticker lists. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildRelease } from '../../../src/building/build.ts';
import { openRelease, type ReleaseReader } from '../../../src/store/reader.ts';
import { COMPANIES } from '../../../src/store/schema/companies.ts';
import { FILINGS } from '../../../src/store/schema/filings.ts';
import { REPORTED_VALUES } from '../../../src/store/schema/reported-values.ts';
import { makeZip } from '../../edgar/make-zip.ts';
import { makeFolder } from '../../store/public-source.ts';

const GENZYME = 732485;
const ROSS = 745732;
const HEINZ = 46640;

const SUBMISSION_COLUMNS = 'adsh cik name sic form period fy fp filed accepted instance';
const NUMBER_COLUMNS = 'adsh tag version ddate qtrs uom segments coreg value footnote';

interface Report {
  readonly cik: number;
  readonly accession: string;
  /** Cells of `sub`, from `name`. */
  readonly submission: string;
  /** Cells of `num`: tag, end, quarters and value. */
  readonly numbers: readonly string[];
}

const GENZYME_REPORT: Report = {
  cik: GENZYME,
  accession: '0001047469-10-005032',
  submission: 'GENZYME CORP|2836|10-Q|20100331|2010|Q1|20100510|2010-05-10 14:44:00.0|genz-20100331.xml',
  numbers: [
    'Revenues|20100331|1|1074473000.0000',
    'Revenues|20090331|1|1148871000.0000',
    'NetCashProvidedByUsedInOperatingActivities|20100331|1|126464000.0000',
    'Assets|20100331|0|9854795000.0000',
    'Assets|20091231|0|10060724000.0000',
  ],
};
const ROSS_REPORT: Report = {
  cik: ROSS,
  accession: '0001206774-10-001420',
  // The time of acceptance contradicts the filing date.
  submission: 'ROSS STORES INC|5651|10-Q|20100430|2010|Q1|20100609|2010-07-09 06:01:00.0|rost-20100501.xml',
  numbers: [
    'SalesRevenueNet|20100430|1|1934778000.0000',
    'Assets|20100430|0|2882607000.0000',
    'Assets|20100131|0|2768633000.0000',
  ],
};

/** The fiscal year ended on Wednesday, 28 April 2010; it began on 30 April 2009, and the year before on 1 May 2008. */
const HEINZ_REPORT: Report = {
  cik: HEINZ,
  accession: '0000950123-10-058787',
  submission: 'HEINZ H J CO|2030|10-K|20100430|2010|FY|20100617|2010-06-17 09:13:00.0|hnz-20100428.xml',
  numbers: [
    'NetIncomeLoss|20100430|4|864892000.0000',
    'NetIncomeLoss|20090430|4|923072000.0000',
    'Assets|20100430|0|10075711000.0000',
    'Assets|20090430|0|9664184000.0000',
  ],
};

async function writeSet(path: string, reports: readonly Report[]): Promise<void> {
  const submissions = reports.map(({ accession, cik, submission }) => [accession, cik, ...submission.split('|')]);
  const numbers = reports.flatMap(({ accession, numbers }) =>
    numbers.map((line) => {
      const [tag, end, quarters, value] = line.split('|');
      return [accession, tag, 'us-gaap/2009', end, quarters, 'USD', '', '', value, ''];
    }),
  );
  const formatTable = (columns: string, rows: readonly (readonly unknown[])[]) =>
    [columns.split(' '), ...rows].map((cells) => `${cells.join('\t')}\n`).join('');
  await makeZip(path, {
    'sub.txt': formatTable(SUBMISSION_COLUMNS, submissions),
    'num.txt': formatTable(NUMBER_COLUMNS, numbers),
  });
}

async function build(sourceDirectory: string): Promise<ReleaseReader & { readonly date: string }> {
  const home = await makeFolder('home');
  const { directory, date, checkResults } = await buildRelease({ sourceDirectory, home, workerScript: null });
  expect(checkResults.filter(({ passed }) => !passed)).toEqual([]);
  return Object.assign(openRelease(directory ?? ''), { date });
}

const readFigures = async (release: ReleaseReader, cik: number) =>
  (await release.rowsOf(REPORTED_VALUES, cik)).map((row) =>
    [row.metricKey, row.start, row.end, row.fiscalYear, row.fiscalPeriod, row.value, row.source].join(' '),
  );

test('a release of one set has the companies, filings and figures of its reports, without tickers and company facts', async () => {
  const source = await makeFolder('source');
  await writeSet(join(source, '2010q2.zip'), [GENZYME_REPORT, ROSS_REPORT, HEINZ_REPORT]);
  const release = await build(source);
  expect(release.date).toBe('2010-06-17');
  expect(await release.rowsOf(COMPANIES, GENZYME)).toMatchObject([
    { entityName: 'GENZYME CORP', sic: '2836', filingCount: 1, lastReport: '2010-05-10' },
  ]);
  expect(await release.rowsOf(FILINGS, GENZYME)).toMatchObject([
    {
      accession: '0001047469-10-005032',
      form: '10-Q',
      acceptedAt: '2010-05-10T14:44:00-04:00',
      reportDate: '2010-03-31',
      fiscalYear: 2010,
      fiscalPeriod: 'Q1',
    },
  ]);
  expect(await readFigures(release, GENZYME)).toEqual([
    'assets  2009-12-31 2009 FY 10060724000 data_set',
    'assets  2010-03-31 2010 Q1 9854795000 data_set',
    'operating_cash_flow 2010-01-01 2010-03-31 2010 Q1 126464000 data_set',
    'revenue 2009-01-01 2009-03-31 2009 Q1 1148871000 data_set',
    'revenue 2010-01-01 2010-03-31 2010 Q1 1074473000 data_set',
  ]);
  expect(await release.rowsOf(FILINGS, ROSS)).toMatchObject([{ acceptedAt: null, reportDate: '2010-05-01' }]);
  expect(await readFigures(release, ROSS)).toEqual([
    'assets  2010-01-30 2009 FY 2768633000 data_set_inferred_dates',
    'assets  2010-05-01 2010 Q1 2882607000 data_set',
    'revenue 2010-01-31 2010-05-01 2010 Q1 1934778000 data_set_inferred_dates',
  ]);
  await release.close();
});

test('a company of a set without a ticker of today is in the release, next to listed companies', async () => {
  const source = await makeFolder('source');
  await writeSet(join(source, '2010q2.zip'), [GENZYME_REPORT, ROSS_REPORT, HEINZ_REPORT]);
  writeFileSync(join(source, 'company_tickers.json'), '{"0":{"cik_str":745732,"ticker":"ROST","title":"Ross Stores"}}');
  const release = await build(source);
  expect((await release.securities()).map(({ cik, ticker }) => [cik, ticker])).toEqual([
    [HEINZ, 'CIK0000046640'],
    [GENZYME, 'CIK0000732485'],
    [ROSS, 'ROST'],
  ]);
  await release.close();
});

test('the zip of a set with one report is a source of its own', async () => {
  const source = join(await makeFolder('source'), 'one-report.zip');
  await writeSet(source, [HEINZ_REPORT]);
  const release = await build(source);
  expect(await readFigures(release, HEINZ)).toEqual([
    'assets  2009-04-29 2009 FY 9664184000 data_set_inferred_dates',
    'assets  2010-04-28 2010 FY 10075711000 data_set',
    'consolidated_net_income 2008-05-01 2009-04-29 2009 FY 923072000 data_set_inferred_dates',
    'consolidated_net_income 2009-04-30 2010-04-28 2010 FY 864892000 data_set_inferred_dates',
    'net_income 2008-05-01 2009-04-29 2009 FY 923072000 data_set_inferred_dates',
    'net_income 2009-04-30 2010-04-28 2010 FY 864892000 data_set_inferred_dates',
  ]);
  await release.close();
});

test('a release of one quarterly report has no core metrics of a year, and is published', async () => {
  const source = join(await makeFolder('source'), 'one-report.zip');
  await writeSet(source, [GENZYME_REPORT]);
  const release = await build(source);
  const figures = await readFigures(release, GENZYME);
  expect(figures.filter((text) => text.startsWith('revenue'))).toHaveLength(2);
  await release.close();
});

test('a directory without any filings is refused, with the files that a release needs', async () => {
  const source = await makeFolder('source');
  await makeZip(join(source, 'other.zip'), { 'sub.txt': 'adsh\n' });
  await expect(build(source)).rejects.toMatchObject({
    message: expect.stringMatching(/no company facts, no submissions and no financial statement data set/),
  });
});
