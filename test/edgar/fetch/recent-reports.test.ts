/** Reports of the last days, fetched as the SEC publishes them: a zip for each filing. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { buildRelease } from '../../../src/building/build.ts';
import { fetchFiles } from '../../../src/edgar/fetch/fetch-files.ts';
import { openArchive } from '../../../src/edgar/files/archive.ts';
import { makeMirrorSite } from '../../../src/http/sec/site.ts';
import { openRelease } from '../../../src/store/reader.ts';
import { REPORTED_VALUES } from '../../../src/store/schema/reported-values.ts';
import { getPublicFilePath, testWithPublicFile } from '../../public-files.ts';
import { makeFolder } from '../../store/public-source.ts';
import { makeRandomZip, setUpDownloads } from './fetching.ts';

const ACCESSION = '0000320193-25-000057';
const ZIP_PATH = `/Archives/edgar/data/320193/000032019325000057/${ACCESSION}-xbrl.zip`;
const STORED_ZIP_PATH = `reports/${ACCESSION}-xbrl.zip`;
const FACTS_PATH = '/api/xbrl/companyfacts/CIK0000320193.json';
const REQUEST_OPTIONS = { includesBulkFiles: false, families: [], maxZipBytes: null };

const toJsonBytes = (value: unknown) => Buffer.from(JSON.stringify(value));
const TICKERS_FILE = toJsonBytes({ 0: { cik_str: 320193, ticker: 'AAPL', title: 'Apple Inc.' } });

/** Returns a list of filings. A row has the accession number, the filing day, the form and the document. */
function makeSubmissions(...rows: readonly (readonly [string, string, string, string])[]): Buffer {
  const readColumn = (index: number) => rows.map((row) => row[index]);
  const recent = {
    ...{
      accessionNumber: readColumn(0),
      filingDate: readColumn(1),
      form: readColumn(2),
      primaryDocument: readColumn(3),
    },
    ...{ reportDate: rows.map(() => '2025-03-29'), acceptanceDateTime: rows.map(() => ''), items: rows.map(() => '') },
  };
  return toJsonBytes({
    cik: '320193',
    name: 'Apple Inc.',
    tickers: ['AAPL'],
    exchanges: ['Nasdaq'],
    filings: { recent },
  });
}

const SUBMISSIONS_FILE = makeSubmissions(
  [ACCESSION, '2025-05-02', '10-Q', 'aapl-20250329.htm'],
  ['0000320193-25-000055', '2025-05-01', '8-K', 'aapl-20250501.htm'],
  ['0000320193-25-000008', '2025-01-31', '10-Q', 'aapl-20241228.htm'],
);

const makeSiteFiles = (facts: unknown, zip: Buffer) => ({
  '/files/company_tickers.json': TICKERS_FILE,
  '/submissions/CIK0000320193.json': SUBMISSIONS_FILE,
  [FACTS_PATH]: toJsonBytes(facts),
  [ZIP_PATH]: zip,
});

test('a 10-Q of the requested days is fetched once, but no 8-K and no older 10-Q', async () => {
  const zip = await makeRandomZip(1000);
  const { site: siteServer, context, read } = await setUpDownloads(makeSiteFiles({ cik: 320193, facts: {} }, zip));
  const request = {
    ...REQUEST_OPTIONS,
    site: makeMirrorSite(siteServer.url),
    companies: ['AAPL'],
    today: new Date('2025-05-03T01:00Z'),
  };
  const findReportState = ({ outcomes }: Awaited<ReturnType<typeof fetchFiles>>) =>
    outcomes.find(({ file }) => file === STORED_ZIP_PATH)?.state;
  expect(findReportState(await fetchFiles({ ...request, reportDays: 1 }, context))).toBeUndefined();
  expect(findReportState(await fetchFiles({ ...request, reportDays: 2 }, context))).toBe('fetched');
  expect(read(STORED_ZIP_PATH).equals(zip)).toBe(true);
  expect(findReportState(await fetchFiles({ ...request, reportDays: 7 }, context))).toBe('unchanged');
  // Neither the current report (8-K) nor the older 10-Q was requested. The third run did not request the 10-Q again,
  // because filings never change.
  expect(siteServer.requests.map(({ path }) => path).filter((path) => path.endsWith('-xbrl.zip'))).toEqual([ZIP_PATH]);
});

test('a list of filings that is damaged on disk and missing at the site is reported, and other companies are fetched', async () => {
  const zip = await makeRandomZip(1000);
  const microsoftSubmissionsPath = '/submissions/CIK0000789019.json';
  const { site: siteServer, context } = await setUpDownloads({
    ...makeSiteFiles({ cik: 320193, facts: {} }, zip),
    [microsoftSubmissionsPath]: toJsonBytes({ cik: '789019' }),
  });
  const request = {
    ...{ ...REQUEST_OPTIONS, site: makeMirrorSite(siteServer.url), companies: ['789019', 'AAPL'] },
    ...{ today: new Date('2025-05-03T01:00Z'), reportDays: 2 },
  };
  await fetchFiles({ ...request, reportDays: 0 }, context);
  writeFileSync(join(context.directory, microsoftSubmissionsPath), '{"cik":"789019","fil');
  siteServer.files.delete(microsoftSubmissionsPath);
  const { outcomes } = await fetchFiles(request, context);
  expect(outcomes.filter(({ file }) => `/${file}` === microsoftSubmissionsPath)).toMatchObject([
    { state: 'failed', problem: expect.stringMatching(/^the file on disk cannot be read as JSON; /) },
  ]);
  expect(outcomes.find(({ file }) => file === STORED_ZIP_PATH)?.state).toBe('fetched');
});

test('with the bulk files, the daily indexes list the reports to fetch, limited to companies with a ticker', async () => {
  const zip = await makeRandomZip(1000);
  const dailyIndex = [
    'CIK|Company Name|Form Type|Date Filed|File Name',
    '-----------------------------------------------',
    `320193|Apple Inc.|10-Q|20250502|edgar/data/320193/${ACCESSION}.txt`,
    '320193|Apple Inc.|8-K|20250502|edgar/data/320193/0000320193-25-000056.txt',
    '1000|UNLISTED CO|10-Q|20250502|edgar/data/1000/0000001000-25-000001.txt',
  ].join('\n');
  const indexPath = '/Archives/edgar/daily-index/2025/QTR2/master.20250502.idx';
  const bulkFolder = '/Archives/edgar/daily-index';
  const { site: siteServer, context } = await setUpDownloads({
    ...makeSiteFiles({ cik: 320193, facts: {} }, zip),
    ...{ [indexPath]: Buffer.from(dailyIndex) },
    ...{ [`${bulkFolder}/xbrl/companyfacts.zip`]: zip, [`${bulkFolder}/bulkdata/submissions.zip`]: zip },
  });
  const { outcomes } = await fetchFiles(
    {
      ...{ ...REQUEST_OPTIONS, site: makeMirrorSite(siteServer.url), companies: [], includesBulkFiles: true },
      ...{ today: new Date('2025-05-04T12:00Z'), reportDays: 4 },
    },
    context,
  );
  const filesWithStates = outcomes.map(({ file, state }) => `${file} ${state}`);
  // From Thursday to Sunday: weekends have no daily index, and Thursday's index is missing on this site.
  expect(filesWithStates.filter((text) => /^(?:daily-index|reports)/.test(text))).toEqual([
    'daily-index/master.20250501.idx absent',
    'daily-index/master.20250502.idx fetched',
    `${STORED_ZIP_PATH} fetched`,
  ]);
});

type RowsByUnit = Record<string, { filed: string; accn: string }[]>;

/** Returns Apple's company facts as of a day. */
async function readFactsAsOf(day: string) {
  const archive = await openArchive(getPublicFilePath('companyfacts.zip'), undefined, 'path');
  const facts = JSON.parse((await archive.read('CIK0000320193.json')).toString());
  archive.close();
  for (const concepts of Object.values<Record<string, { units: RowsByUnit }>>(facts.facts)) {
    for (const { units } of Object.values(concepts)) {
      for (const [unit, rows] of Object.entries(units)) units[unit] = rows.filter(({ filed }) => filed <= day);
    }
  }
  return facts;
}

testWithPublicFile(
  'filings.zip',
  "a report filed today is in tonight's release, and tomorrow's release does not repeat its facts",
  async () => {
    const archive = await openArchive(getPublicFilePath('filings.zip'), undefined, 'path');
    const zip = await archive.read(`000032019325000057/${ACCESSION}-xbrl.zip`);
    archive.close();
    const {
      site: siteServer,
      context,
      directory,
    } = await setUpDownloads(makeSiteFiles(await readFactsAsOf('2025-05-01'), zip));
    const home = await makeFolder('releases');
    const buildValues = async () => {
      await fetchFiles(
        {
          ...{ ...REQUEST_OPTIONS, site: makeMirrorSite(siteServer.url), companies: ['AAPL'] },
          ...{ today: new Date('2025-05-02T23:00Z'), reportDays: 1 },
        },
        context,
      );
      const buildResult = await buildRelease({ sourceDirectory: directory, home, workerScript: null });
      const release = openRelease(buildResult.directory ?? '');
      const rows = await release.rowsOf(REPORTED_VALUES, 320193);
      const values = rows.map(
        ({ metricKey, start, end, value, rank, kind, accession, source }) =>
          ({
            key: `${metricKey} ${start} ${end} ${Number(value)} ${rank} ${kind} ${accession}`,
            accession,
            source,
          }) as const,
      );
      await release.close();
      return values;
    };
    const valuesTonight = await buildValues();
    const filingValues = valuesTonight.filter(({ accession }) => accession === ACCESSION);
    expect(filingValues.length).toBeGreaterThan(100);
    for (const { accession, source } of valuesTonight) expect(source).toBe(accession === ACCESSION ? 'inline' : null);
    siteServer.files.set(FACTS_PATH, toJsonBytes(await readFactsAsOf('2025-05-02')));
    const valuesTomorrow = await buildValues();
    expect(valuesTomorrow.every(({ source }) => source === null)).toBe(true);
    expect(valuesTomorrow.map(({ key }) => key)).toEqual(valuesTonight.map(({ key }) => key));
  },
);
