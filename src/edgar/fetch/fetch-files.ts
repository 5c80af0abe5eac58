/** Fetches all files of a request in stages: ticker lists name the companies, and companies' files name their pages. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { FetchOutcome, FetchReport } from '../../contract/release-work.ts';
import { runWorkers } from '../../platform/workers/run-workers.ts';
import { readTickers, type TickerRow } from '../filings/tickers.ts';
import { download, type FetchContext } from './download.ts';
import { type FileRecord, listRecords, removeFetched } from './file-records.ts';
import { sweepPartialFiles } from './partial-file.ts';
import type { FileFamily } from './remote-files.ts';
import * as remote from './remote-files.ts';
import type { RemoteFile, Site } from './site.ts';

export interface FetchRequest {
  readonly site: Site;
  /** Tickers and CIKs, as typed. */
  readonly companies: readonly string[];
  readonly bulk: boolean;
  /** The number of newest periods to fetch, by family. */
  readonly families: readonly { readonly family: FileFamily; readonly count: number }[];
  readonly today: Date;
  /** Maximum size of a zip; null for each kind's default. */
  readonly largestZip: number | null;
}

/** Number of small files fetched in parallel; large files are fetched one at a time. */
const WORKERS = 4;

/** Throws as `download`; files fetched before the error are kept. */
export async function fetchFiles(request: FetchRequest, context: FetchContext): Promise<FetchReport> {
  const { site, today } = request;
  const outcomes: FetchOutcome[] = [];
  const fetch: Fetch = async (file) => {
    const outcome = await download(sized(file), site, context);
    outcomes.push(outcome);
    context.report({ type: 'done', outcome });
    return outcome;
  };
  const { largestZip } = request;
  const sized = (file: RemoteFile) =>
    file.kind === 'zip' && largestZip !== null ? { ...file, maxBytes: largestZip } : file;
  const plan: Plan = (files) => context.report({ type: 'planned', files });

  await sweepPartialFiles(context.directory);
  const lists = remote.tickerFiles(site);
  plan(lists.length);
  for (const file of lists) await fetch(file);
  const rows = await readLists(context.directory);
  const { ciks, unknown } = remote.findCompanies(request.companies, rows);

  const bulk = request.bulk ? remote.bulkFiles(site) : [];
  const periods = request.families.reduce((sum, { count }) => sum + count, 0);
  plan(bulk.length + periods + 2 * ciks.length);
  for (const file of bulk) {
    if ((await fetch(file)).state === 'fetched') await removeReplaced(context.directory, file.file);
  }
  await runWorkers(WORKERS, ciks, (cik) => fetchCompany(cik, site, context.directory, fetch, plan));
  for (const { family, count } of request.families) await fetchFamily(family, count, site, today, fetch, plan);
  return { outcomes, unknown, tickers: rows.map(({ ticker }) => ticker) };
}

const COMPANY_FILE = /^(?:companyfacts|submissions)\/CIK(\d{10})\.json$/;

/** Returns the request that updates all files fetched before. */
export function refreshRequest(
  records: readonly FileRecord[],
  families: readonly FileFamily[],
): Pick<FetchRequest, 'companies' | 'bulk' | 'families'> {
  const files = records.map(({ file }) => file);
  const ciks = files.flatMap((file) => COMPANY_FILE.exec(file)?.[1] ?? []);
  return {
    companies: [...new Set(ciks)],
    bulk: files.includes('companyfacts.zip') || files.includes('submissions.zip'),
    families: families.flatMap((family) => {
      const count = files.filter((file) => file.startsWith(`${family.folder}/`)).length;
      return count === 0 ? [] : [{ family, count }];
    }),
  };
}

type Fetch = (file: RemoteFile) => Promise<FetchOutcome>;
/** Announces a number of additional files. */
type Plan = (files: number) => void;

async function fetchCompany(cik: number, site: Site, directory: string, fetch: Fetch, plan: Plan): Promise<void> {
  await fetch(remote.factsFile(site, cik));
  const main = remote.submissionsFile(site, cik);
  const { state } = await fetch(main);
  if (state !== 'fetched' && state !== 'unchanged') return;
  const pages = remote.pageFiles(site, cik, parse(await readFile(join(directory, main.file), 'utf8')));
  plan(pages.length);
  for (const page of pages) await fetch(page);
}

/** Fetches from the newest possible period backwards; periods not yet published do not count. */
async function fetchFamily(family: FileFamily, count: number, site: Site, today: Date, fetch: Fetch, plan: Plan) {
  let found = 0;
  for (let back = family.first; found < count && back < family.first + family.lag + count; back += 1) {
    const file = family.fileOf(site, today, back);
    if (file === null) return;
    const { state } = await fetch(file);
    if (state === 'absent' && found === 0) plan(1);
    else found += 1;
  }
}

/** Removes a company's single file, which would be read instead of the newer zip. Removes only fetched files. */
async function removeReplaced(directory: string, zip: string): Promise<void> {
  const folder = remote.REPLACED_BY[zip];
  if (folder === undefined) return;
  for (const { file } of await listRecords(directory))
    if (file.startsWith(folder)) await removeFetched(directory, file);
}

async function readLists(directory: string): Promise<readonly TickerRow[]> {
  const text = (file: string) => readFile(join(directory, file), 'utf8').catch(() => null);
  try {
    return readTickers(await text(remote.TICKERS_FILE), await text(remote.EXCHANGES_FILE)).rows;
  } catch {
    return [];
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
