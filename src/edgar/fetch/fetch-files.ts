/** Fetches all that was ordered, stage by stage: ticker lists say who the companies are, and companies name their pages. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TickerRow } from '../filings/tickers.ts';
import { readTickers } from '../filings/tickers.ts';
import { download } from './download.ts';
import type { FileFamily } from './families.ts';
import { listRecords, removeFetched } from './file-records.ts';
import { sweepPartialFiles } from './partial-file.ts';
import * as plan from './plan.ts';
import type { Site } from './site.ts';
import type { FetchContext, Outcome, RemoteFile } from './types.ts';

export interface FetchRequest {
  readonly site: Site;
  /** Tickers and CIKs, as typed. */
  readonly companies: readonly string[];
  readonly bulk: boolean;
  /** How many of the newest periods of which family. */
  readonly families: readonly { readonly family: FileFamily; readonly count: number }[];
  readonly today: Date;
}

export interface FetchReport {
  readonly outcomes: readonly Outcome[];
  /** Of the companies ordered, those that no list knows. */
  readonly unknown: readonly string[];
  /** Tickers that are known, for suggestions. */
  readonly tickers: readonly string[];
}

/** Small files come side by side; a large one at a time. */
const LANES = 4;

/** Throws what `download` throws; what was fetched until then is kept. */
export async function fetchFiles(order: FetchRequest, tools: FetchContext): Promise<FetchReport> {
  const outcomes: Outcome[] = [];
  const take = (outcome: Outcome): Outcome => {
    outcomes.push(outcome);
    tools.report({ type: 'done', outcome });
    return outcome;
  };
  const one = async (step: RemoteFile) => take(await download(step, order.site, tools));
  const planned = (files: number) => tools.report({ type: 'planned', files });

  await sweepPartialFiles(tools.directory);
  const lists = plan.tickerFiles(order.site);
  planned(lists.length);
  for (const step of lists) await one(step);
  const rows = await readLists(tools.directory);
  const { ciks, unknown } = plan.findCompanies(order.companies, rows);

  const bulk = order.bulk ? plan.bulkFiles(order.site) : [];
  const wanted = order.families.reduce((sum, { count }) => sum + count, 0);
  planned(bulk.length + wanted + 2 * ciks.length);
  for (const step of bulk) {
    if ((await one(step)).state === 'fetched') await removeReplaced(tools.directory, step.file);
  }
  await inLanes(ciks, (cik) => fetchCompany(cik, order.site, tools, one, planned));
  for (const { family, count } of order.families) await fetchFamily(family, count, order, one, planned);
  return { outcomes, unknown, tickers: rows.map(({ ticker }) => ticker) };
}

type FetchOne = (step: RemoteFile) => Promise<Outcome>;
type Planned = (files: number) => void;

async function fetchCompany(
  cik: number,
  site: Site,
  tools: FetchContext,
  one: FetchOne,
  planned: Planned,
): Promise<void> {
  await one(plan.factsFile(site, cik));
  const main = plan.submissionsFile(site, cik);
  const { state } = await one(main);
  if (state !== 'fetched' && state !== 'unchanged') return;
  const pages = plan.pageFiles(site, cik, parse(await readFile(join(tools.directory, main.file), 'utf8')));
  planned(pages.length);
  for (const page of pages) await one(page);
}

/** Back from the newest period that can be there, over those that are not published yet. */
async function fetchFamily(family: FileFamily, count: number, order: FetchRequest, one: FetchOne, planned: Planned) {
  let found = 0;
  for (let back = family.first; found < count && back < family.first + family.lag + count; back += 1) {
    const step = family.fileOf(order.site, order.today, back);
    if (step === null) return;
    const { state } = await one(step);
    if (state === 'absent' && found === 0) planned(1);
    else found += 1;
  }
}

/** A company's older loose file would stand before the newer zip. Only what was fetched is removed. */
async function removeReplaced(directory: string, zip: string): Promise<void> {
  const folder = plan.REPLACED_BY[zip];
  if (folder === undefined) return;
  for (const { file } of await listRecords(directory))
    if (file.startsWith(folder)) await removeFetched(directory, file);
}

async function readLists(directory: string): Promise<readonly TickerRow[]> {
  const text = (file: string) => readFile(join(directory, file), 'utf8').catch(() => null);
  try {
    return readTickers(await text(plan.TICKERS_FILE), await text(plan.EXCHANGES_FILE)).rows;
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

/** All of them, so many at a time. The first failure ends the others at their next request. */
async function inLanes<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items[Symbol.iterator]();
  let failed = false;
  const lane = async () => {
    for (const item of rest) {
      if (failed) return;
      try {
        await work(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const lanes = await Promise.allSettled(Array.from({ length: LANES }, lane));
  const rejected = lanes.find((each) => each.status === 'rejected');
  if (rejected !== undefined) throw rejected.reason;
}
