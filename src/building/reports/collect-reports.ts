/** Finds and reads tagged reports before companies are derived. */
import type { ListedFile } from '../../edgar/files/list-files.ts';
import { groupReportSources, type ReportFile, type StatementSetFile } from '../../edgar/reports/report-files.ts';
import { pushTo } from '../../platform/collections.ts';
import { addReport, type ReadingLog } from '../tasks/reading.ts';
import { SliceIndex } from '../tasks/slices.ts';
import type { RunTasks } from '../tasks/task.ts';
import type { FindReportsTask, ReportsTask, StatementSetTask } from './read-reports.ts';
import { describeOutsideReport, formatReportName } from './read-reports.ts';

interface ReadingOptions extends ReadingLog {
  readonly runTasks: RunTasks;
}

/** Tagged reports among the public files, not yet read. */
export type ReportSources = Awaited<ReturnType<typeof findReportSources>>;

export type CollectedReports = Awaited<ReturnType<typeof collectReports>>;

/**
 * Finds the files that contain reports. Counts and reports unreadable files; never fails the build.
 * @param listedFiles all files of the sources
 */
export async function findReportSources(listedFiles: readonly ListedFile[], { runTasks, ...log }: ReadingOptions) {
  const reports: ReportFile[] = [];
  const sets: StatementSetFile[] = [];
  const files: ListedFile[] = [];
  const tasks = groupReportSources(listedFiles).map((files): FindReportsTask => ({ kind: 'list of reports', files }));
  for await (const result of runTasks(tasks)) {
    addReport(log, result);
    reports.push(...result.reports);
    sets.push(...result.sets);
    files.push(...result.files);
  }
  return { reports, sets, files };
}

/** Returns the number of reports by the name of their zip or file; for a statement set, its number of filers. */
export function countReports(files: readonly ListedFile[], { reports, sets }: Pick<ReportSources, 'reports' | 'sets'>) {
  const counts = new Map<string, number>();
  for (const { archive, path } of reports) {
    const source = archive ?? path;
    counts.set(source, (counts.get(source) ?? 0) + 1);
  }
  for (const { file, ciks } of sets) counts.set(file.path, ciks.length);
  return Object.fromEntries(files.map(({ name, path }) => [name, counts.get(path) ?? 0]));
}

/**
 * Reads the reports of the companies.
 * @param ciks companies whose reports are read; reports of other companies are only counted
 */
export async function collectReports(
  { reports, sets, files }: ReportSources,
  ciks: readonly number[],
  { skipped, problems, runTasks }: ReadingOptions,
) {
  const releaseCiks = new Set(ciks);
  const byCik = new Map<number, ReportFile[]>();
  for (const report of reports) {
    if (releaseCiks.has(report.cik)) pushTo(byCik, report.cik, report);
    else skipped.add(describeOutsideReport(formatReportName(report)));
  }
  const documents = [...byCik].map(([cik, reports]): ReportsTask => ({ kind: 'reports', cik, reports }));
  const statements = sets.map(({ file }): StatementSetTask => ({ kind: 'statement set', files: [file], ciks }));
  const slices = new SliceIndex();
  for await (const result of runTasks<ReportsTask | StatementSetTask>([...documents, ...statements])) {
    addReport({ skipped, problems }, result);
    slices.add(result.output);
  }
  return { slices: new Map(slices.groups.map((cik) => [Number(cik), slices.getSlices(cik)])), files };
}
