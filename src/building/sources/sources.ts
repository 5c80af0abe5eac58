/** Opens the sources of a build, reads the ticker lists, and determines the companies that may be in the release. */

import { createHash } from 'node:crypto';
import { createReadStream, statSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../contract/failure.ts';
import type { ListedFile } from '../../edgar/files/list-files.ts';
import type { PublicFiles } from '../../edgar/files/public-files.ts';
import { openPublicFiles, TICKERS_AND_EXCHANGE_FILE_NAME, TICKERS_FILE_NAME } from '../../edgar/files/public-files.ts';
import { describeProblem, type SkippedRowCounts } from '../../edgar/files/skipped-rows.ts';
import { readTickers, type Tickers } from '../../edgar/filings/tickers.ts';
import { assertDefined } from '../../platform/collections.ts';
import { parseJson } from '../../platform/json-object.ts';
import type { ReportSources } from '../reports/collect-reports.ts';
import type { ReadingLog } from '../tasks/reading.ts';
import type { RunTasks, Task } from '../tasks/task.ts';

/** Maximum CIK that tables can store, as a 32-bit integer. The highest assigned CIK is about a thousandth of it. */
const MAX_CIK = 2 ** 31 - 1;

/** Opens the public files. Throws a data Failure if there are no files to read. */
export async function openSources(path: string): Promise<PublicFiles> {
  try {
    return await openPublicFiles(path);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Failure('data', `The source files cannot be read: ${reason}.`, {
      hint: 'Give a directory with companyfacts.zip, submissions.zip and company_tickers.json, or with financial statement data sets, as the SEC publishes them.',
      cause,
    });
  }
}

/** Reads the ticker lists. Skips an unreadable list, and counts and reports it. */
export async function readTickerLists(files: PublicFiles, log: ReadingLog): Promise<Tickers> {
  const { skipped, problems } = log;
  const readList = async (name: Parameters<PublicFiles['readTickerList']>[0]): Promise<unknown> => {
    try {
      const text = await files.readTickerList(name);
      const list = text === null ? null : parseJson(text);
      if (text !== null && readTickers(list, null).rows.length + readTickers(null, list).rows.length === 0) {
        skipped.add('a source from which nothing was read');
        problems.push(
          `${name}: nothing was read from this source, because it lists no company with a CIK and a ticker; replace or remove it`,
        );
      }
      return list;
    } catch (cause) {
      skipped.add('a ticker list that cannot be read');
      problems.push(describeProblem(name, cause));
      return null;
    }
  };
  const tickers = readTickers(await readList(TICKERS_FILE_NAME), await readList(TICKERS_AND_EXCHANGE_FILE_NAME));
  skipped.addAll(tickers.skipped);
  return tickers;
}

/**
 * Returns the CIKs of companies that may be in the release: all companies with facts, a report document or rows of a
 * statement set. Companies with only submissions or insider trades must be in the ticker lists. If there are no ticker
 * lists, all companies with submissions are included.
 * @param issuers CIKs of issuers whose ownership forms contain a purchase or sale
 */
export function findCandidateCiks(
  files: PublicFiles,
  { rows }: Tickers,
  issuers: ReadonlySet<number>,
  { reports, sets }: ReportSources,
  skipped: SkippedRowCounts,
): number[] {
  const tickerCiks = new Set(rows.map(({ cik }) => cik));
  const filers = [
    ...files.submissionCiks.filter((cik) => rows.length === 0 || tickerCiks.has(cik)),
    ...[...issuers].filter((cik) => tickerCiks.has(cik)),
  ];
  const reportCiks = [...reports.map(({ cik }) => cik), ...sets.flatMap(({ ciks }) => ciks)];
  const ciks = [...new Set([...files.factCiks, ...reportCiks, ...filers])].sort((a, b) => a - b);
  skipped.add('a file whose CIK is too large to exist', ciks.filter((cik) => cik > MAX_CIK).length);
  return ciks.filter((cik) => cik <= MAX_CIK);
}

/** Returns each file's size and hash, for the manifest. */
export async function hashSources(path: string, files: PublicFiles['files'], runTasks: RunTasks) {
  const single = statSync(path).isFile();
  const tasks = files.map(({ name }): HashTask => ({ kind: 'hash of a file', path: single ? path : join(path, name) }));
  const sources: { name: string; bytes: number; sha256: string }[] = [];
  for await (const { sha256 } of runTasks(tasks)) {
    const { name, bytes } = assertDefined(files[sources.length]);
    sources.push({ name, bytes, sha256 });
  }
  return sources.sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** For each file name, a text that changes if the file is written or replaced; null if the file is missing. */
export type FileStates = ReadonlyMap<string, string | null>;

export const readFileStates = (files: readonly ListedFile[]): FileStates =>
  new Map(files.map(({ name, path }) => [name, readFileState(path)]));

function readFileState(path: string): string | null {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? null : `${stats.ino} ${stats.size} ${stats.mtimeMs}`;
}

const COMPANY_FILE_PATTERN = /(?:^|\/)CIK\d{10}[^/]*\.json$/i;

/**
 * Throws a data Failure if a company's file, or a file named in `used`, was changed or removed since
 * `initial` was read, because the release would mix old and new content.
 */
export function requireUnchanged(listed: readonly ListedFile[], used: ReadonlySet<string>, initial: FileStates): void {
  const files = listed.filter(({ name }) => used.has(name) || COMPANY_FILE_PATTERN.test(name));
  for (const [name, state] of readFileStates(files)) {
    if (state === initial.get(name)) continue;
    const change = state === null ? 'removed' : 'changed';
    throw new Failure('data', `${name} was ${change} while the release was built, so nothing was published.`, {
      hint: 'Build again when no other program, such as fin data fetch, writes to the source files.',
    });
  }
}

export interface HashTask extends Task<{ readonly sha256: string }> {
  readonly kind: 'hash of a file';
  readonly path: string;
}

export async function hashFile({ path }: HashTask) {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk as Buffer);
  return { sha256: hash.digest('hex') };
}
