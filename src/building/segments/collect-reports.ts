/**
 * Reads the tagged reports among the public files before companies are derived, because their covers state share counts
 * that company facts lack.
 */
import type { StatedFiling } from '../../edgar/facts/company-facts.ts';
import type { ListedFile } from '../../edgar/files/list-files.ts';
import type { SkippedRows } from '../../edgar/files/skipped-rows.ts';
import { type ReportFile, reportSources } from '../../edgar/reports/report-files.ts';
import type { CountedCover } from '../../figures/shares/cover-shares.ts';
import { pushTo } from '../../platform/collections.ts';
import type { Results } from '../tasks/build-task.ts';
import { type Slice, SliceIndex } from '../tasks/slices.ts';
import {
  fileName,
  outside,
  type ReadReports,
  type ReportListingTask,
  type ReportsTask,
  type StatementSetTask,
} from './read-reports.ts';

export interface CollectOptions {
  /** Companies whose reports are read. */
  readonly ciks: readonly number[];
  readonly skipped: SkippedRows;
  readonly problems: string[];
  readonly results: Results;
}

export interface CollectedReports {
  /** The reports of each company, documents first, then those of statement sets. */
  readonly slices: ReadonlyMap<number, readonly Slice[]>;
  /** Share counts by company. */
  readonly covers: ReadonlyMap<number, readonly CountedCover[]>;
  /** The filings of reports in statement sets, which name them, by company. */
  readonly filings: ReadonlyMap<number, readonly StatedFiling[]>;
  /** The files that were read: a release lists its sources. */
  readonly files: readonly ListedFile[];
}

/**
 * A file that cannot be read is counted and named; it never stops a build.
 * @param all files of the directory
 */
export async function collectReports(all: readonly ListedFile[], options: CollectOptions): Promise<CollectedReports> {
  const { ciks, skipped, problems, results } = options;
  const wanted = new Set(ciks);
  const byCompany = new Map<number, ReportFile[]>();
  const sets: ListedFile[] = [];
  const used: ListedFile[] = [];
  const groups = reportSources(all);
  const listings = groups.map((files): ReportListingTask => ({ kind: 'list of reports', files }));
  for await (const listing of results(listings)) {
    skipped.addAll(listing.skipped);
    problems.push(...listing.problems);
    sets.push(...listing.sets);
    used.push(...listing.files);
    for (const file of listing.reports) {
      if (wanted.has(file.cik)) pushTo(byCompany, file.cik, file);
      else
        skipped.add(outside(file.archive === null ? fileName(file.path) : `${fileName(file.archive)}: ${file.path}`));
    }
  }

  const covers = new Map<number, CountedCover[]>();
  const filings = new Map<number, StatedFiling[]>();
  const left = new SliceIndex();
  const take = (read: ReadReports) => {
    skipped.addAll(read.skipped);
    problems.push(...read.problems);
    left.add(read.left);
    for (const [cik, cover] of read.covers) pushTo(covers, cik, cover);
    for (const [cik, filing] of read.filings) pushTo(filings, cik, filing);
  };
  const documents = [...byCompany].map(([cik, reports]): ReportsTask => ({ kind: 'reports', cik, reports }));
  for await (const read of results(documents)) take(read);
  const statements = sets.map((file): StatementSetTask => ({ kind: 'statement set', files: [file], ciks }));
  for await (const read of results(statements)) take(read);
  const slices = new Map(left.groups.map((cik) => [Number(cik), left.of(cik)]));
  return { slices, covers, filings, files: used };
}
