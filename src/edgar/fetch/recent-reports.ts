/**
 * Finds the annual and interim reports of recent days, whose figures may still be missing in company facts. For single
 * companies, reads their lists of filings, to which the SEC adds a report within seconds. For all companies, reads the
 * list of each day's filings, which the site publishes in the evening.
 */
import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Site } from '../../http/sec/site.ts';
import { addDays } from '../../platform/dates.ts';
import { SkippedRowCounts } from '../files/skipped-rows.ts';
import { readIndex } from '../filings/filing-index.ts';
import { isPeriodicReportForm } from '../filings/forms.ts';
import { type FilingRecord, readSubmissions } from '../filings/submissions.ts';
import type { FetchOutcome } from './download.ts';
import { makeDailyIndexFile, makeSubmissionsFile, type RemoteFile } from './remote-files.ts';

/** The company and accession number of a report. */
interface ReportId {
  readonly cik: number;
  readonly accession: string;
}

/** The days from `firstDay` to `lastDay`, both inclusive. */
type DayRange = ReturnType<typeof computeLastDays>;

/** Returns the `count` days that end on the day of `today`. */
export function computeLastDays(today: Date, count: number) {
  const lastDay = today.toISOString().slice(0, 10);
  return { firstDay: addDays(lastDay, 1 - count), lastDay };
}

/** Returns the reports of companies whose lists of filings are in the directory, and the lists that are not JSON. */
export async function findCompanyReports(
  ciks: readonly number[],
  { firstDay, lastDay }: DayRange,
  site: Site,
  folder: string,
): Promise<{ readonly reports: readonly ReportId[]; readonly unreadableLists: readonly RemoteFile[] }> {
  const reports: ReportId[] = [];
  const lists: RemoteFile[] = [];
  for (const cik of ciks) {
    const file = makeSubmissionsFile(site, cik);
    const text = await readFile(join(folder, file.file), 'utf8').catch(() => null);
    const filings = readFilings(text);
    if (filings === null) lists.push(file);
    for (const { form, filed, accession } of filings ?? [])
      if (filed >= firstDay && filed <= lastDay && isPeriodicReportForm(form)) reports.push({ cik, accession });
  }
  return { reports, unreadableLists: lists };
}

/** Returns the filings in a list; null if the list is not JSON. */
function readFilings(text: string | null): readonly FilingRecord[] | null {
  try {
    return readSubmissions(text).filings;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/**
 * Returns the daily lists of filings in the range, one per day from Monday to Friday. The site has no lists for
 * weekends.
 */
export function listDailyIndexFiles({ firstDay, lastDay }: DayRange, site: Site): readonly RemoteFile[] {
  const files: RemoteFile[] = [];
  for (let day = firstDay; day <= lastDay; day = addDays(day, 1))
    if (![0, 6].includes(new Date(day).getUTCDay())) files.push(makeDailyIndexFile(site, day));
  return files;
}

/** Fetches the lists of filings, and returns the annual and interim reports of the companies in `ciks`. */
export async function fetchReportIdsOfDays(
  files: readonly RemoteFile[],
  ciks: ReadonlySet<number>,
  folder: string,
  download: (file: RemoteFile) => Promise<FetchOutcome>,
): Promise<readonly ReportId[]> {
  const reports: ReportId[] = [];
  for (const file of files) {
    const { state } = await download(file);
    if (state !== 'fetched' && state !== 'unchanged') continue;
    const rows = readIndex(createReadStream(join(folder, file.file)), new SkippedRowCounts());
    for await (const { cik, form, accession } of rows)
      if (ciks.has(cik) && isPeriodicReportForm(form)) reports.push({ cik, accession });
  }
  return reports;
}
