/** Tests that the values of a filing are the same from its report as from the company facts. */
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { buildRelease } from '../../../src/building/build.ts';
import { shiftDecimal } from '../../../src/contract/decimal-text.ts';
import { openArchive } from '../../../src/edgar/files/archive.ts';
import { openRelease, type ReleaseReader } from '../../../src/store/reader.ts';
import { RAW_CONCEPTS, REPORTED_VALUES } from '../../../src/store/schema/reported-values.ts';
import { makeFact } from '../../figures/filed-facts.ts';
import { getPublicFilePath, getSmallFilePath, testWithPublicFile } from '../../public-files.ts';
import { makeSubmissionsJson } from '../../store/public-source.ts';

const APPLE_CIK = 320193;
const REPORT_DAY = '2025-08-01';
const REPORT_FILE_NAME = 'aapl-10-q-2025-08-01.html';
const REPORT_ACCESSION = '0000320193-25-000073';

const WORKER_SCRIPT = join(import.meta.dirname, '../../../dist/building-workers-build-worker.cjs');

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fin-reports-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function readMember(zip: string, name: string): Promise<Buffer> {
  const archive = await openArchive(getPublicFilePath(zip), undefined, 'path');
  try {
    return await archive.read(name);
  } finally {
    archive.close();
  }
}

interface FactRow {
  readonly filed: string;
}
type RowsByUnit = Record<string, FactRow[]>;

const makeCikFileName = (cik: number) => `CIK${String(cik).padStart(10, '0')}.json`;

/** Returns the company's facts that were filed from `firstDay` to `factsDay`, as JSON. */
async function readFacts(cik: number, factsDay: string, firstDay = ''): Promise<string> {
  const facts = JSON.parse((await readMember('companyfacts.zip', makeCikFileName(cik))).toString());
  for (const concepts of Object.values<Record<string, { units: RowsByUnit }>>(facts.facts)) {
    for (const concept of Object.values(concepts)) {
      for (const [unit, rows] of Object.entries(concept.units)) {
        concept.units[unit] = rows.filter(({ filed }) => firstDay <= filed && filed <= factsDay);
      }
    }
  }
  return JSON.stringify(facts);
}

/** Writes the facts of {@link readFacts} to a new directory; returns its path. */
async function writeFactsFile(cik: number, factsDay: string, firstDay: string): Promise<string> {
  const source = await mkdtemp(join(folder, `${cik}-`));
  await mkdir(join(source, 'companyfacts'));
  await writeFile(join(source, 'companyfacts', makeCikFileName(cik)), await readFacts(cik, factsDay, firstDay));
  return source;
}

/** The first day of Apple's facts: facts of all years would take three times as long. */
const FIRST_DAY = '2020-01-01';

/**
 * Writes a directory with Apple's company facts as of `factsDay` and its list of filings as of {@link REPORT_DAY};
 * `withReport` adds its report of REPORT_DAY.
 */
async function writeAppleFiles(factsDay: string, { withReport }: { readonly withReport: boolean }): Promise<string> {
  const source = await writeFactsFile(APPLE_CIK, factsDay, FIRST_DAY);
  await mkdir(join(source, 'instances'));
  const submissions = JSON.parse((await readMember('submissions.zip', makeCikFileName(APPLE_CIK))).toString());
  const { recent } = submissions.filings;
  const rowInclusionFlags = recent.filingDate.map((day: string) => day <= REPORT_DAY);
  for (const [column, cells] of Object.entries<unknown[]>(recent)) {
    recent[column] = cells.filter((_, index) => rowInclusionFlags[index]);
  }
  await mkdir(join(source, 'submissions'));
  await writeFile(join(source, 'submissions', makeCikFileName(APPLE_CIK)), JSON.stringify(submissions));
  if (withReport) await addReport(source);
  return source;
}

const addReport = async (source: string) =>
  writeFile(join(source, 'instances', REPORT_FILE_NAME), await readMember('instances.zip', REPORT_FILE_NAME));

const buildApple = async (...filesArguments: Parameters<typeof writeAppleFiles>): Promise<ReleaseReader> =>
  build(await writeAppleFiles(...filesArguments));

async function build(source: string): Promise<ReleaseReader> {
  const { directory, checkResults } = await buildRelease({
    sourceDirectory: source,
    home: `${source}-releases`,
    workerScript: null,
  });
  expect(checkResults.filter(({ passed }) => !passed)).toEqual([]);
  return openRelease(directory ?? '');
}

/** Returns the columns of reported values that these tests compare. */
async function readValues(release: ReleaseReader, cik: number) {
  const rows = await release.rowsOf(REPORTED_VALUES, cik);
  return rows.map((row) => ({
    ...{ metricKey: row.metricKey, unit: row.unit, start: row.start, end: row.end, value: row.value },
    ...{ fiscalYear: row.fiscalYear, fiscalPeriod: row.fiscalPeriod, rank: row.rank, kind: row.kind },
    ...{ concept: row.concept, accession: row.accession, form: row.form, filed: row.filed, source: row.source },
  }));
}

testWithPublicFile(
  'instances.zip',
  'figures of a report are in the release before company facts contain the report, with the same values',
  async () => {
    const valuesBefore = await readValues(await buildApple('2025-07-31', { withReport: false }), APPLE_CIK);
    const valuesWithReport = await readValues(await buildApple('2025-07-31', { withReport: true }), APPLE_CIK);
    const valuesOfNextDay = await readValues(await buildApple(REPORT_DAY, { withReport: false }), APPLE_CIK);
    expect(valuesBefore.filter(({ accession }) => accession === REPORT_ACCESSION)).toEqual([]);
    expect(valuesWithReport.filter(({ accession }) => accession === REPORT_ACCESSION).length).toBeGreaterThan(100);
    for (const { accession, source } of valuesWithReport)
      expect(source).toBe(accession === REPORT_ACCESSION ? 'inline' : null);
    // Company facts omit trailing zeros: 1.4 for 1.40 dollars.
    const removeTrailingZeros = (value: string) => (value.includes('.') ? value.replace(/\.?0+$/, '') : value);
    expect(valuesWithReport.map((row) => ({ ...row, value: removeTrailingZeros(row.value), source: null }))).toEqual(
      valuesOfNextDay,
    );
  },
);

testWithPublicFile('instances.zip', 'facts that both a report and company facts contain are counted once', async () => {
  const [withoutReport, withReport] = [
    await buildApple(REPORT_DAY, { withReport: false }),
    await buildApple(REPORT_DAY, { withReport: true }),
  ];
  expect(await readValues(withReport, APPLE_CIK)).toEqual(await readValues(withoutReport, APPLE_CIK));
  const readFactCounts = async (release: ReleaseReader) =>
    (await release.rowsOf(RAW_CONCEPTS, APPLE_CIK)).map(({ concept, unit, factCount }) => [concept, unit, factCount]);
  expect(await readFactCounts(withReport)).toEqual(await readFactCounts(withoutReport));
});

testWithPublicFile(
  'instances.zip',
  'after a report is added, a build with cached results gives the same stamp as a build from scratch',
  async () => {
    const source = await writeAppleFiles('2025-07-31', { withReport: false });
    const buildAndGetStamp = async (resultCacheDirectory: string | null) => {
      const home = await mkdtemp(join(folder, 'home-'));
      return (
        await buildRelease({
          sourceDirectory: source,
          home,
          workerCount: 1,
          workerScript: WORKER_SCRIPT,
          resultCacheDirectory,
        })
      ).stamp;
    };
    const cacheDirectory = join(folder, 'parts');
    const firstStamp = await buildAndGetStamp(cacheDirectory);
    expect(await buildAndGetStamp(cacheDirectory)).toBe(firstStamp);
    await addReport(source);
    const secondStamp = await buildAndGetStamp(cacheDirectory);
    expect(secondStamp).not.toBe(firstStamp);
    expect(await buildAndGetStamp(null)).toBe(secondStamp);
  },
);

let dataSetsReleasePromise: Promise<ReleaseReader> | undefined;

/** Returns a release of two statement data sets, and early company facts of JPMorgan, Bank of America and Goldman Sachs. */
function getDataSetsRelease(): Promise<ReleaseReader> {
  dataSetsReleasePromise ??= (async () => {
    const source = join(folder, 'sets');
    for (const setName of ['2009q3', '2010q2']) {
      const zipPath = `datasets/${setName}_financial-statements.zip`;
      await mkdir(dirname(join(source, zipPath)), { recursive: true });
      await cp(getSmallFilePath(zipPath), join(source, zipPath));
    }
    await cp(getPublicFilePath('files'), join(source, 'files'), { recursive: true });
    await mkdir(join(source, 'companyfacts'));
    for (const cik of [19617, 70858, 886982])
      await writeFile(join(source, 'companyfacts', makeCikFileName(cik)), await readFacts(cik, '2012-12-31'));
    return build(source);
  })();
  return dataSetsReleasePromise;
}

const NETFLIX_CIK = 1065280;
const NETFLIX_FIRST_DAY = '2017-01-01';
const ANNUAL_REPORT_ACCESSION = '0001065280-19-000043';
const NOTES_DATA_SET_PATH = 'datasets/notes-2019q2-netflix.zip';

testWithPublicFile(
  NOTES_DATA_SET_PATH,
  'a notes data set gives all figures that company facts contain later, with the same exact dates',
  async () => {
    const source = await writeFactsFile(NETFLIX_CIK, '2018-12-31', NETFLIX_FIRST_DAY);
    await mkdir(join(source, 'datasets'));
    await cp(getPublicFilePath(NOTES_DATA_SET_PATH), join(source, NOTES_DATA_SET_PATH));
    // The filing date in the list of filings sets the release's date.
    const filing = { accession: ANNUAL_REPORT_ACCESSION, filed: '2019-01-29', start: '2018-01-01', end: '2018-12-31' };
    const netflixCompany = { cik: NETFLIX_CIK, name: 'NETFLIX INC', ticker: 'NFLX', facts: [makeFact(filing)] };
    await mkdir(join(source, 'submissions'));
    await writeFile(join(source, 'submissions', makeCikFileName(NETFLIX_CIK)), makeSubmissionsJson(netflixCompany));
    const readReportValues = async (release: ReleaseReader) =>
      (await readValues(release, NETFLIX_CIK)).filter(({ accession }) => accession === ANNUAL_REPORT_ACCESSION);
    const valuesFromNotes = await readReportValues(await build(source));
    const valuesFromFacts = await readReportValues(
      await build(await writeFactsFile(NETFLIX_CIK, '2019-01-29', NETFLIX_FIRST_DAY)),
    );
    const formatRow = ({
      metricKey,
      unit,
      start,
      end,
      fiscalYear,
      fiscalPeriod,
      value,
    }: (typeof valuesFromNotes)[number]) =>
      `${metricKey} ${unit} ${start} ${end} ${fiscalYear} ${fiscalPeriod} ${value}`;
    // The company facts of this test have only some concepts; the notes data set has all concepts of the report.
    expect(valuesFromFacts.length).toBeGreaterThan(40);
    expect(valuesFromNotes.map(formatRow)).toEqual(expect.arrayContaining(valuesFromFacts.map(formatRow)));
    expect(new Set(valuesFromNotes.map(({ source }) => source))).toEqual(new Set(['data_set']));
    const printedValues = {
      revenue: '15794341000',
      cost_of_revenue: '9967538000',
      operating_income: '1605226000',
      net_income: '1211242000',
      eps_diluted: '2.68',
      assets: '25974400000',
      liabilities: '20735635000',
    };
    for (const [key, value] of Object.entries(printedValues))
      expect(
        valuesFromNotes.filter((row) => row.metricKey === key && row.fiscalYear === 2018 && row.fiscalPeriod === 'FY'),
      ).toMatchObject([{ end: '2018-12-31', value }]);
  },
);

/** Millions of dollars, and dollars per share, as printed by the companies for the first quarter of 2010. */
const PRINTED_FIGURES: Readonly<Record<string, readonly [cik: number, figures: Readonly<Record<string, string>>]>> = {
  'JPMorgan Chase': [
    19617,
    {
      revenue: '27671',
      net_interest_income: '13710',
      provision_for_credit_losses: '7010',
      pretax_income: '4537',
      net_income: '3326',
      eps_diluted: '0.74',
      deposits: '925303',
      loans: '675613',
      assets: '2135796',
      stockholders_equity: '164721',
    },
  ],
  'Bank of America': [
    70858,
    {
      revenue: '31969',
      net_interest_income: '13749',
      provision_for_credit_losses: '9805',
      net_income: '3182',
      eps_diluted: '0.28',
      deposits: '976102',
      assets: '2338700',
      stockholders_equity: '229823',
    },
  ],
  Citigroup: [
    831001,
    {
      revenue: '25421',
      net_interest_income: '14561',
      provision_for_credit_losses: '8331',
      net_income: '4428',
      eps_diluted: '0.15',
      deposits: '827914',
      assets: '2002213',
      stockholders_equity: '151421',
    },
  ],
  'U.S. Bancorp': [
    36104,
    {
      noninterest_income: '1918',
      provision_for_credit_losses: '1310',
      net_income: '669',
      eps_diluted: '0.34',
      assets: '282428',
    },
  ],
  'Wells Fargo': [
    72971,
    {
      net_interest_income: '11147',
      provision_for_credit_losses: '5330',
      net_income: '2547',
      eps_diluted: '0.45',
      deposits: '804893',
      assets: '1223630',
      total_equity: '118154',
    },
  ],
  'Goldman Sachs': [
    886982,
    { net_income: '3456', eps_diluted: '5.59', deposits: '38431', assets: '880528', stockholders_equity: '72944' },
  ],
  'Vornado Realty Trust': [
    899689,
    { net_income: '214.552', eps_diluted: '1.09', operating_cash_flow: '288.048', assets: '20419.693' },
  ],
  MetLife: [1099219, { premiums_earned: '6854', revenue: '13190', net_income: '835', eps_diluted: '0.97' }],
  'Travelers Companies': [86312, { premiums_earned: '5230', revenue: '6119', eps_diluted: '1.25' }],
  Progressive: [80661, { premiums_earned: '3501.1', net_income: '295.6' }],
  Allstate: [899051, { premiums_earned: '6503', net_income: '120' }],
};

for (const [company, [cik, figures]] of Object.entries(PRINTED_FIGURES)) {
  testWithPublicFile(
    'datasets/2010q2_financial-statements.zip',
    `${company}: figures of the first quarter of 2010 are as printed`,
    async () => {
      const rows = (await readValues(await getDataSetsRelease(), cik)).filter(
        ({ end, start }) => end === '2010-03-31' && (start === null || start === '2010-01-01'),
      );
      const storedValues = Object.fromEntries(
        Object.keys(figures).map((key) => [key, rows.find(({ metricKey }) => metricKey === key)?.value]),
      );
      const toReportedUnits = ([key, printed]: [string, string]) =>
        [key, key.startsWith('eps_') ? printed : shiftDecimal(printed, 6)] as const;
      expect(storedValues).toEqual(Object.fromEntries(Object.entries(figures).map(toReportedUnits)));
    },
  );
}

testWithPublicFile(
  'datasets/2010q2_financial-statements.zip',
  'no filing has two values of one figure and period',
  async () => {
    const release = await getDataSetsRelease();
    for (const cik of [19617, 70858, 886982, 831001]) {
      const rows = await readValues(release, cik);
      const valueKeys = rows.map(
        ({ metricKey, unit, start, end, accession }) => `${metricKey} ${unit} ${start} ${end} ${accession}`,
      );
      expect(new Set(valueKeys).size).toBe(valueKeys.length);
      expect(new Set(rows.map(({ source }) => source))).toEqual(
        new Set(cik === 831001 ? ['data_set'] : [null, 'data_set']),
      );
    }
  },
);
