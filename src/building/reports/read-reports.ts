/** Tasks that read tagged reports and statement sets, and write the needed facts by company. */

import { readStatementSet, type StatementSetReport } from '../../edgar/facts/statement-set.ts';
import { type Archive, useArchive } from '../../edgar/files/archive.ts';
import type { ListedFile } from '../../edgar/files/list-files.ts';
import { SkippedRowCounts } from '../../edgar/files/skipped-rows.ts';
import type { FoundReports, ReportFile, ReportReader } from '../../edgar/reports/report-files.ts';
import type { TaggedFact } from '../../edgar/reports/xbrl-report.ts';
import { isConceptUsed } from '../../figures/company.ts';
import { isConceptNameMapped } from '../../figures/metrics/concepts.ts';
import { isBreakdownFact, mayBelongToBreakdown } from '../../figures/segments/breakdowns.ts';
import { canBelongToMeasure } from '../../figures/segments/measures.ts';
import { COVER_COUNT_NAME, isCoverCount } from '../../figures/shares/cover-shares.ts';
import { SPLIT_CONCEPTS } from '../../figures/shares/splits.ts';
import { type ReadingReport, readOrReport } from '../tasks/reading.ts';
import type { SliceWriter, TaskOutput } from '../tasks/slices.ts';
import type { Task } from '../tasks/task.ts';
import { serializeReport } from './stored-report.ts';

export interface FindReportsTask extends Task<FoundReports> {
  readonly kind: 'list of reports';
  readonly files: readonly ListedFile[];
}

export interface ReportsTask extends Task<ReportsResult> {
  readonly kind: 'reports';
  readonly cik: number;
  readonly reports: readonly ReportFile[];
}

export interface StatementSetTask extends Task<ReportsResult> {
  readonly kind: 'statement set';
  readonly files: readonly [ListedFile];
  /** CIKs of companies whose reports are read. */
  readonly ciks: readonly number[];
}

interface ReportsResult extends ReadingReport {
  /** Reports by company, one per line. */
  readonly output: TaskOutput;
}

export async function readReports({ cik, reports }: ReportsTask, reader: ReportReader, output: SliceWriter) {
  const log = { skipped: new SkippedRowCounts(), problems: [] };
  for (const file of reports) {
    const name = file.archive === null ? file.path : `${file.archive}: ${file.path}`;
    await readOrReport(name, 'a report that cannot be read', log, async () => {
      const { report, labels } = await reader.read(file);
      log.skipped.addAll(report.skipped);
      const stored = {
        name: formatReportName(file),
        report: { ...report, cover: [], facts: report.facts.filter(isFactUsed) },
        source: { document: getFileName(file.path), accession: file.accession },
        labels: [...labels].filter(([label]) => /(?:Member|Domain)$/.test(label)),
      };
      output.addWholeText(String(cik), serializeReport(stored));
    });
  }
  return { output: output.finish(), skipped: log.skipped.getCounts(), problems: log.problems };
}

export async function readStatements({ files, ciks }: StatementSetTask, output: SliceWriter): Promise<ReportsResult> {
  const [{ path, name }] = files;
  const releaseCiks = new Set(ciks);
  const log = { skipped: new SkippedRowCounts(), problems: [] };
  const filter = {
    wantsCompany: (cik: number) => {
      const isWanted = releaseCiks.has(cik);
      if (!isWanted) log.skipped.add(describeOutsideReport(getFileName(name)));
      return isWanted;
    },
    wantsTag: (tag: string) => isConceptNameMapped(tag) || SPLIT_CONCEPTS.has(tag) || canBelongToMeasure(tag),
    wantsDimensions: (dimensions: TaggedFact['dimensions']) =>
      mayBelongToBreakdown(dimensions) || isCoverCount(`dei:${COVER_COUNT_NAME}`, dimensions),
    wantsFact: (concept: string, dimensions: TaggedFact['dimensions']) => isFactUsed({ concept, dimensions }),
  };
  await readOrReport(name, 'a financial statement data set that cannot be read', log, async () => {
    const store = (set: StatementSetReport) => output.addWholeText(String(set.cik), serializeReport({ set }));
    const read = (archive: Archive) => readStatementSet(archive, filter, store);
    log.skipped.addAll(await useArchive(path, undefined, 'path', read));
  });
  return { output: output.finish(), skipped: log.skipped.getCounts(), problems: log.problems };
}

/** The reason under which reports of companies outside the release are counted. */
export const describeOutsideReport = (path: string) => `a report of a company that is not in the release (${path})`;

/** Returns a report's name for messages, with the name of its zip. */
export const formatReportName = ({ archive, path }: Pick<ReportFile, 'archive' | 'path'>): string =>
  archive === null ? getFileName(path) : `${getFileName(archive)}: ${path}`;

/** Returns the last component of a path. Paths in zips may use either separator. */
const getFileName = (path: string): string => path.slice(path.search(/[^\\/]*$/));

/** Whether a fact is used for figures, segments or share counts. Most of a report's thousands of facts are not. */
function isFactUsed({ concept, dimensions }: Pick<TaggedFact, 'concept' | 'dimensions'>): boolean {
  if (isBreakdownFact(concept, dimensions) || isCoverCount(concept, dimensions)) return true;
  const colon = concept.indexOf(':');
  return dimensions.length === 0 && isConceptUsed(concept.slice(0, colon), concept.slice(colon + 1));
}
