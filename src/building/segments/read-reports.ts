/** Reads tagged reports, company by company, and statement sets; what breakdowns and fact locations need of them is left on disk. */
import type { StatedFiling } from '../../edgar/facts/company-facts.ts';
import type { StatementSetReport } from '../../edgar/facts/statement-set.ts';
import { readStatementSet } from '../../edgar/facts/statement-set.ts';
import { openArchive } from '../../edgar/files/archive.ts';
import type { ListedFile } from '../../edgar/files/list-files.ts';
import { problemOf, SkippedRows } from '../../edgar/files/skipped-rows.ts';
import {
  listReportFiles,
  type ReportFile,
  type ReportListing,
  type ReportReader,
} from '../../edgar/reports/report-files.ts';
import type { TaggedFact, TaggedReport } from '../../edgar/reports/tagged-report.ts';
import type { ReportSource } from '../../figures/filings/report-filing.ts';
import { isMapped } from '../../figures/metrics/concepts.ts';
import { isSegmentFact, isSegmentPlace } from '../../figures/segments/breakdowns.ts';
import { mayBeMeasure } from '../../figures/segments/measures.ts';
import { COVER_COUNT, type CountedCover, isClassCount } from '../../figures/shares/cover-shares.ts';
import type { Leavings, SliceWriter } from '../tasks/slices.ts';

/** A document with the labels of its members, or a filing's rows of a statement set. Figures are text, as everywhere. */
export type StoredReport =
  | {
      readonly report: TaggedReport;
      readonly source: ReportSource;
      readonly labels: readonly (readonly [string, string])[];
    }
  | { readonly set: StatementSetReport };

export interface ReportListingTask {
  readonly kind: 'list of reports';
  readonly files: readonly ListedFile[];
}

export const reportListingOf = ({ files }: ReportListingTask): Promise<ReportListing> => listReportFiles(files);

export interface ReportsTask {
  readonly kind: 'reports';
  readonly cik: number;
  readonly reports: readonly ReportFile[];
}

export interface StatementSetTask {
  readonly kind: 'statement set';
  readonly files: readonly [ListedFile];
  /** Companies whose reports are read. */
  readonly ciks: readonly number[];
}

export interface ReadReports {
  /** Share counts with their companies. */
  readonly covers: readonly (readonly [cik: number, cover: CountedCover])[];
  /** Filings of reports in statement sets, which name them. */
  readonly filings: readonly (readonly [cik: number, filing: StatedFiling])[];
  /** Reports by company, a line each. */
  readonly left: Leavings;
  readonly skipped: Readonly<Record<string, number>>;
  /** Files that could not be read, with the cause. */
  readonly problems: readonly string[];
}

export async function readReports(
  { cik, reports }: ReportsTask,
  reader: ReportReader,
  left: SliceWriter,
): Promise<ReadReports> {
  const found = new ReadingCollector(left);
  for (const file of reports) {
    const name = file.archive === null ? file.path : `${file.archive}: ${file.path}`;
    await found.attempt('a report that cannot be read', name, async () => {
      const { report, labels } = await reader.read(file);
      found.skipped.addAll(report.skipped);
      const source = { document: fileName(file.path), accession: file.accession };
      const { facts, ...rest } = report;
      found.count(cik, { ...rest, source, filing: null, facts: facts.filter(isCount) });
      const members = [...labels].filter(([label]) => /(?:Member|Domain)$/.test(label));
      found.store(cik, { report: { ...rest, cover: [], facts: facts.filter(isNeeded) }, source, labels: members });
    });
  }
  return found.done();
}

export async function readStatements(task: StatementSetTask, left: SliceWriter): Promise<ReadReports> {
  const [file] = task.files;
  const found = new ReadingCollector(left);
  await found.attempt('a statement set that cannot be read', file.name, async () => {
    for (const report of await readSet(file, new Set(task.ciks), found.skipped)) {
      found.count(report.cik, coverOf(report));
      const { accession, form, filed } = report;
      found.filings.push([report.cik, { accession, form, filed }]);
      if (report.facts.some(({ dimensions }) => dimensions.length > 0)) found.store(report.cik, { set: report });
    }
  });
  return found.done();
}

class ReadingCollector {
  readonly skipped = new SkippedRows();
  readonly filings: (readonly [number, StatedFiling])[] = [];
  readonly #covers: (readonly [number, CountedCover])[] = [];
  readonly #problems: string[] = [];
  readonly #left: SliceWriter;

  constructor(left: SliceWriter) {
    this.#left = left;
  }

  count(cik: number, cover: CountedCover): void {
    if (cover.facts.length > 0) this.#covers.push([cik, cover]);
  }

  store(cik: number, report: StoredReport): void {
    this.#left.add(String(cik), `${JSON.stringify(report)}\n`);
  }

  /** What fails is counted and named; it never stops a build. */
  async attempt(reason: string, name: string, read: () => Promise<void>): Promise<void> {
    try {
      await read();
    } catch (cause) {
      this.skipped.add(reason);
      this.#problems.push(problemOf(name, cause));
    }
  }

  done(): ReadReports {
    const { filings, skipped } = this;
    const left = this.#left.done();
    return { covers: this.#covers, filings, left, skipped: skipped.counts(), problems: this.#problems };
  }
}

/** How reports of companies beyond the release are counted. */
export const outside = (where: string): string => `a report of a company that is not in the release (${where})`;

async function readSet({ path, name }: ListedFile, wanted: ReadonlySet<number>, skipped: SkippedRows) {
  const archive = await openArchive(path, undefined, 'path');
  try {
    const set = await readStatementSet(archive, {
      wantsCompany: (cik) => {
        const isWanted = wanted.has(cik);
        if (!isWanted) skipped.add(outside(fileName(name)));
        return isWanted;
      },
      wantsTag: (tag) => mayBeMeasure(tag) || tag === COVER_COUNT,
      wantsDimensions: (dimensions) => isSegmentPlace(dimensions) || isClassCount(`dei:${COVER_COUNT}`, dimensions),
      wantsFact: (concept, dimensions) => isSegmentFact(concept, dimensions) || isClassCount(concept, dimensions),
    });
    skipped.addAll(set.skipped);
    return set.reports;
  } finally {
    archive.close();
  }
}

const isCount = ({ concept, dimensions }: TaggedFact): boolean => isClassCount(concept, dimensions);

/** Whether a fact belongs to a breakdown or is one that metrics are read from: few of a report's thousands. */
function isNeeded({ concept, dimensions }: TaggedFact): boolean {
  return isSegmentFact(concept, dimensions) || (dimensions.length === 0 && isMapped(concept));
}

/** The share counts of a set's report; only facts with exact dates count. */
function coverOf({ facts, roundedPeriod, ...filing }: StatementSetReport): CountedCover {
  const { accession, form, filed, focusYear, focusPeriod } = filing;
  return {
    ...{ kind: 'data_set', form, periodEnd: roundedPeriod, focusYear, focusPeriod },
    source: { document: '', accession },
    filing: { accession, form, filed, document: null },
    facts: facts.flatMap(({ exact, roundedEnd: _, quarters: __, ...fact }) =>
      exact === null || !isClassCount(fact.concept, fact.dimensions) ? [] : [{ ...fact, ...exact, place: null }],
    ),
  };
}

/** Members of zips may have either separator. */
export function fileName(path: string): string {
  return path.slice(path.search(/[^\\/]*$/));
}
