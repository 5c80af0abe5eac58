/** Finds and reads the tagged reports among the public files before companies are derived. */
import type { ListedFile } from '../../edgar/files/list-files.ts';
import type { SkippedRows } from '../../edgar/files/skipped-rows.ts';
import { groupReportSources, type ReportFile, type SetFile } from '../../edgar/reports/find-reports.ts';
import { pushTo } from '../../platform/collections.ts';
import type { Results } from '../build-task.ts';
import { type Slice, SliceIndex } from '../tasks/slices.ts';
import {
  type FindReportsTask,
  fileName,
  outsideRelease,
  type ReportsTask,
  type StatementSetTask,
} from './read-reports.ts';

interface ReadingOptions {
  readonly skipped: SkippedRows;
  readonly problems: string[];
  readonly results: Results;
}

/** The reports among the public files, before any is read. */
export interface FoundReports {
  readonly reports: readonly ReportFile[];
  readonly sets: readonly SetFile[];
  /** The files that have the reports. */
  readonly files: readonly ListedFile[];
}

export interface CollectedReports {
  /** The reports of each company, as `stored-report.ts` writes them: documents first, then statement sets. */
  readonly slices: ReadonlyMap<number, readonly Slice[]>;
  /** Names of the files that were read; a release lists its sources. */
  readonly files: readonly ListedFile[];
}

/**
 * Finds the files with reports. Counts and names an unreadable file; never stops the build.
 * @param all files of the directory
 */
export async function findReportFiles(
  all: readonly ListedFile[],
  { skipped, problems, results }: ReadingOptions,
): Promise<FoundReports> {
  const reports: ReportFile[] = [];
  const sets: SetFile[] = [];
  const files: ListedFile[] = [];
  const tasks = groupReportSources(all).map((group): FindReportsTask => ({ kind: 'list of reports', files: group }));
  for await (const found of results(tasks)) {
    skipped.addAll(found.skipped);
    problems.push(...found.problems);
    reports.push(...found.reports);
    sets.push(...found.sets);
    files.push(...found.files);
  }
  return { reports, sets, files };
}

/** @param ciks companies whose reports are read; other companies' reports are counted */
export async function collectReports(
  { reports, sets, files }: FoundReports,
  ciks: readonly number[],
  { skipped, problems, results }: ReadingOptions,
): Promise<CollectedReports> {
  const inRelease = new Set(ciks);
  const byCompany = new Map<number, ReportFile[]>();
  for (const report of reports) {
    if (inRelease.has(report.cik)) pushTo(byCompany, report.cik, report);
    else skipped.add(outsideRelease(placeOf(report)));
  }
  const documents = [...byCompany].map(([cik, own]): ReportsTask => ({ kind: 'reports', cik, reports: own }));
  const statements = sets.map(({ file }): StatementSetTask => ({ kind: 'statement set', files: [file], ciks }));
  const slices = new SliceIndex();
  for await (const read of results<ReportsTask | StatementSetTask>([...documents, ...statements])) {
    skipped.addAll(read.skipped);
    problems.push(...read.problems);
    slices.add(read.output);
  }
  return { slices: new Map(slices.groups.map((cik) => [Number(cik), slices.of(cik)])), files };
}

function placeOf({ archive, path }: ReportFile): string {
  return archive === null ? fileName(path) : `${fileName(archive)}: ${path}`;
}
