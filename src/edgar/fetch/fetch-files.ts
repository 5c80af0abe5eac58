/**
 * Fetches all requested files in stages, because some files name others: ticker lists contain the CIKs, and a company's
 * main file of submissions names its continuation pages.
 */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Site } from '../../http/sec/site.ts';
import { parseJson, parseObject } from '../../platform/json-object.ts';
import { runWorkers } from '../../platform/workers/gate.ts';
import { isFileName } from '../filings/filing-page.ts';
import { readSubmissions } from '../filings/submissions.ts';
import { readTickers, type TickerRow } from '../filings/tickers.ts';
import type { FetchOutcome } from './download.ts';
import { download, type FetchContext } from './download.ts';
import { type FileRecord, listRecords, removeFetchedFile, removeStaleRecordFiles } from './file-records.ts';
import { removeStalePartialFiles } from './partial-file.ts';
import { computeLastDays, fetchReportIdsOfDays, findCompanyReports, listDailyIndexFiles } from './recent-reports.ts';
import type { FileFamily, RemoteFile } from './remote-files.ts';
import * as remote from './remote-files.ts';

export interface FetchReport {
  readonly outcomes: readonly FetchOutcome[];
  /** Requested companies that the SEC's lists do not contain. */
  readonly unknown: readonly string[];
  /** Tickers in the SEC's lists, for suggestions. */
  readonly tickers: readonly string[];
}

export interface FetchRequest {
  readonly site: Site;
  /** Tickers and CIKs, as entered by the user. */
  readonly companies: readonly string[];
  readonly includesBulkFiles: boolean;
  /** Families of data sets, each with the number of most recent periods to fetch. */
  readonly families: readonly { readonly family: FileFamily; readonly count: number }[];
  /** Number of days, ending with `today`, whose reports are fetched; 0 for no reports. */
  readonly reportDays: number;
  /** Forms whose documents are fetched, of the given companies; by default none. */
  readonly documentForms?: readonly string[];
  readonly today: Date;
  /** Maximum size of a zip; null for the default of each file. */
  readonly maxZipBytes: number | null;
}

/**
 * Maximum number of companies, or of reports, fetched in parallel. Bulk zips and data sets are fetched sequentially.
 */
const MAX_CONCURRENT_DOWNLOADS = 4;

/** Fetches the requested files. Throws the errors of `download`; files fetched before an error are kept. */
export async function fetchFiles(request: FetchRequest, context: FetchContext): Promise<FetchReport> {
  const { site, today } = request;
  const outcomes: FetchOutcome[] = [];
  const { maxZipBytes } = request;
  const downloadFile: DownloadFile = async (file) => {
    const maxBytes = file.kind === 'zip' && maxZipBytes !== null ? maxZipBytes : file.maxBytes;
    const outcome = await download({ ...file, maxBytes }, site, context);
    outcomes.push(outcome);
    context.report({ type: 'done', outcome });
    return outcome;
  };
  const { directory } = context;
  const announce = (count: number) => context.report({ type: 'planned', files: count });
  const fetching: Fetching = { site, directory, download: downloadFile, announce };

  await removeStalePartialFiles(directory);
  await removeStaleRecordFiles(directory);
  const tickers = remote.listTickerFiles(site);
  announce(tickers.length);
  for (const file of tickers) await downloadFile(file);
  const rows = await readTickerLists(directory);
  const { ciks, unknownInputs } = remote.findCiks(request.companies, rows);

  const bulk = request.includesBulkFiles ? remote.listBulkFiles(site) : [];
  const periodCount = request.families.reduce((sum, { count }) => sum + count, 0);
  announce(bulk.length + periodCount + 2 * ciks.length);
  for (const file of bulk) {
    if ((await downloadFile(file)).state === 'fetched') await removeReplacedFiles(directory, file.file);
  }
  await runWorkers(MAX_CONCURRENT_DOWNLOADS, ciks, (cik) => fetchCompany(cik, fetching));
  if (request.reportDays > 0) {
    const lists = await fetchReports(request, ciks, rows, fetching);
    for (const list of lists) markDamaged(outcomes, list);
  }
  const { documentForms = [] } = request;
  if (documentForms.length > 0) {
    const documents = await listDocumentFiles(ciks, documentForms, site, directory);
    announce(documents.length);
    await runWorkers(MAX_CONCURRENT_DOWNLOADS, documents, async (file) => void (await downloadFile(file)));
  }
  for (const { family, count } of request.families) await fetchLatestPeriods(family, count, today, fetching);
  return { outcomes, unknown: unknownInputs, tickers: rows.map(({ ticker }) => ticker) };
}

const COMPANY_FILE_PATTERN = /^(?:companyfacts|submissions)\/CIK(\d{10})\.json$/;

/** Number of days whose reports an update fetches: enough for a long weekend and a few missed nightly updates. */
const REFRESH_REPORT_DAYS = 7;

/**
 * Returns a request that updates the fetched files: the same companies and bulk files, and the same number of most
 * recent periods per family.
 */
export function makeRefreshRequest(records: readonly FileRecord[], families: readonly FileFamily[]) {
  const paths = records.map(({ file }) => file);
  const ciks = paths.flatMap((file) => COMPANY_FILE_PATTERN.exec(file)?.[1] ?? []);
  return {
    companies: [...new Set(ciks)],
    includesBulkFiles: paths.includes('companyfacts.zip') || paths.includes('submissions.zip'),
    reportDays: paths.some((file) => file.startsWith('reports/')) ? REFRESH_REPORT_DAYS : 0,
    families: families.flatMap((family) => {
      const count = paths.filter((file) => file.startsWith(`${family.folder}/`)).length;
      return count === 0 ? [] : [{ family, count }];
    }),
  };
}

type DownloadFile = (file: RemoteFile) => Promise<FetchOutcome>;

interface Fetching {
  readonly site: Site;
  readonly directory: string;
  readonly download: DownloadFile;
  /** Called with the number of additional files that will be fetched. */
  readonly announce: (files: number) => void;
}

/** Marks a file that the site did not send again, but that is damaged on disk, as failed. */
function markDamaged(outcomes: FetchOutcome[], { file, url }: RemoteFile): void {
  const index = outcomes.findIndex((outcome) => outcome.file === file);
  if (outcomes[index]?.state === 'failed') return;
  const problem = 'the file on disk cannot be read as JSON; remove it, and fetch it again';
  outcomes[index] = { file, url, state: 'failed', bytes: null, sha256: null, problem };
}

async function fetchCompany(cik: number, { site, directory, download, announce }: Fetching) {
  await download(remote.makeFactsFile(site, cik));
  const file = remote.makeSubmissionsFile(site, cik);
  const { state } = await download(file);
  if (state !== 'fetched' && state !== 'unchanged') return;
  const pages = remote.listSubmissionsPages(site, cik, parseObject(await readFile(join(directory, file.file), 'utf8')));
  announce(pages.length);
  for (const page of pages) await download(page);
}

/**
 * Fetches the last days' reports of the requested companies, and of all listed companies if bulk files are requested.
 * Returns the companies' lists of filings that are not JSON.
 */
async function fetchReports(
  { today, reportDays, includesBulkFiles }: FetchRequest,
  ciks: readonly number[],
  rows: readonly TickerRow[],
  { site, directory, download, announce }: Fetching,
): Promise<readonly RemoteFile[]> {
  const dayRange = computeLastDays(today, reportDays);
  const indexes = includesBulkFiles ? listDailyIndexFiles(dayRange, site) : [];
  announce(indexes.length);
  const listedCiks = new Set(rows.map(({ cik }) => cik));
  const { reports: companyReports, unreadableLists } = await findCompanyReports(ciks, dayRange, site, directory);
  const reports = [...companyReports, ...(await fetchReportIdsOfDays(indexes, listedCiks, directory, download))];
  const reportsToFetch = [...new Map(reports.map((report) => [report.accession, report])).values()];
  announce(reportsToFetch.length);
  await runWorkers(MAX_CONCURRENT_DOWNLOADS, reportsToFetch, async ({ cik, accession }) => {
    await download(remote.makeReportFile(site, cik, accession));
  });
  return unreadableLists;
}

/** Fetches the most recent `count` periods, latest first. Periods that are not yet published do not count. */
async function fetchLatestPeriods(family: FileFamily, count: number, today: Date, fetching: Fetching) {
  const { site, download, announce } = fetching;
  const end = family.firstPeriodBack + family.maxMissingPeriods + count;
  let foundCount = 0;
  for (let back: number = family.firstPeriodBack; foundCount < count && back < end; back += 1) {
    const file = family.makeFile(site, today, back);
    if (file === null) return;
    const { state } = await download(file);
    if (state === 'absent' && foundCount === 0) announce(1);
    else foundCount += 1;
  }
}

/**
 * Removes fetched files of single companies after a newer zip with all companies was fetched: a build would prefer the
 * older single files.
 */
async function removeReplacedFiles(directory: string, zipName: string): Promise<void> {
  const folder = remote.REPLACED_FOLDER_BY_ZIP[zipName];
  if (folder === undefined) return;
  for (const { file } of await listRecords(directory))
    if (file.startsWith(folder)) await removeFetchedFile(directory, file);
}

/** Returns the rows of the ticker lists in the directory; ignores a list that is missing or not JSON. */
async function readTickerLists(folder: string): Promise<readonly TickerRow[]> {
  const readList = async (file: string) => parseJson(await readFile(join(folder, file), 'utf8'));
  const [withoutExchange, withExchange] = await Promise.all(
    [remote.TICKERS_FILE, remote.TICKERS_WITH_EXCHANGE_FILE].map((file) => readList(file).catch(() => null)),
  );
  return readTickers(withoutExchange, withExchange).rows;
}

/** Returns the documents of all filings of some forms, by the companies' lists of filings in the directory. */
export async function listDocumentFiles(ciks: readonly number[], forms: readonly string[], site: Site, folder: string) {
  const files: RemoteFile[] = [];
  const readText = (file: string) => readFile(join(folder, file), 'utf8').catch(() => null);
  for (const cik of ciks) {
    const main = await readText(remote.makeSubmissionsFile(site, cik).file);
    const pages = remote.listSubmissionsPages(site, cik, parseObject(main ?? '{}'));
    const texts = await Promise.all(pages.map(({ file }) => readText(file)));
    const pageTexts = texts.filter((text) => text !== null);
    const { filings } = readSubmissions(main, pageTexts);
    for (const { form, accession, primaryDocument } of filings) {
      const name = primaryDocument ?? `${accession}.txt`;
      if (forms.includes(form) && isFileName(name)) files.push(remote.makeDocumentFile(site, cik, accession, name));
    }
  }
  return files;
}
