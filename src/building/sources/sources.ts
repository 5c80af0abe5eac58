/** What a build is made from: the files opened, the ticker lists read, and the companies that may be in the release. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../contract/failure.ts';
import type { PublicFiles } from '../../edgar/files/public-files.ts';
import { openPublicFiles } from '../../edgar/files/public-files.ts';
import type { SkippedRows } from '../../edgar/files/skipped-rows.ts';
import type { Tickers } from '../../edgar/filings/tickers.ts';
import { readTickers } from '../../edgar/filings/tickers.ts';
import { assertDefined } from '../../platform/assert-defined.ts';
import type { Manifest } from '../../store/manifest.ts';
import type { Results } from '../build-task.ts';
import type { FoundReports } from '../reports/collect-reports.ts';
import type { FileHashTask } from '../tasks/file-hash.ts';

/** CIKs are 32-bit integers in the tables; the filing system has assigned a thousandth of that range. */
const MAX_CIK = 2 ** 31 - 1;

/** Throws a data Failure when there is nothing to read. */
export async function openFiles(path: string): Promise<PublicFiles> {
  try {
    return await openPublicFiles(path);
  } catch (cause) {
    throw new Failure(
      'data',
      `The sources cannot be read: ${cause instanceof Error ? cause.message : String(cause)}.`,
      {
        hint: 'Give a directory with companyfacts.zip, submissions.zip and company_tickers.json, as the SEC publishes them.',
        cause,
      },
    );
  }
}

/** A list that cannot be read is counted and named, and leaves no tickers. */
export async function listTickers(files: PublicFiles, skipped: SkippedRows, problems: string[]): Promise<Tickers> {
  try {
    const { plain, withExchange } = await files.tickers();
    const tickers = readTickers(plain, withExchange);
    skipped.addAll(tickers.skipped);
    return tickers;
  } catch (cause) {
    skipped.add('a ticker list that cannot be read');
    problems.push(`the ticker lists: ${cause instanceof Error ? cause.message : String(cause)}`);
    return { rows: [], skipped: {} };
  }
}

/** Companies beyond those with files of their own. */
interface OtherSources {
  /** Companies whose insiders' trades are in forms among the sources. */
  readonly issuers: ReadonlySet<number>;
  readonly reports: Pick<FoundReports, 'reports' | 'sets'>;
}

/**
 * Companies with facts or a report's document, and listed filers: by the ticker lists, or where there are none by what
 * filers say themselves. A listed company with nothing but trades of its insiders, or rows in a statement set, is one too.
 */
export function candidates(
  files: PublicFiles,
  { rows }: Tickers,
  { issuers, reports }: OtherSources,
  skipped: SkippedRows,
): number[] {
  const listed = new Set(rows.map(({ cik }) => cik));
  const filers = [
    ...files.submissionCiks.filter((cik) => rows.length === 0 || listed.has(cik)),
    ...[...issuers, ...reports.sets.flatMap(({ ciks }) => ciks)].filter((cik) => listed.has(cik)),
  ];
  const documented = reports.reports.map(({ cik }) => cik);
  const ciks = [...new Set([...files.factCiks, ...documented, ...filers])].sort((a, b) => a - b);
  skipped.add('a file of a CIK beyond those assigned', ciks.filter((cik) => cik > MAX_CIK).length);
  return ciks.filter((cik) => cik <= MAX_CIK);
}

/** Each file's size and hash, so that anyone can tell whether theirs are the same. */
export async function describeSources(
  path: string,
  files: PublicFiles['files'],
  results: Results,
): Promise<Manifest['sources']> {
  const isFile = statSync(path).isFile();
  const tasks = files.map(
    ({ name }): FileHashTask => ({ kind: 'hash of a file', path: isFile ? path : join(path, name) }),
  );
  const described: { name: string; bytes: number; sha256: string }[] = [];
  for await (const { sha256 } of results(tasks)) {
    const { name, bytes } = assertDefined(files[described.length]);
    described.push({ name, bytes, sha256 });
  }
  return described.sort((a, b) => (a.name < b.name ? -1 : 1));
}
