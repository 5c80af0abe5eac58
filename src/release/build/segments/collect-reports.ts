/**
 * Reads the tagged reports among the public files before companies are derived, because their covers state share counts
 * that company facts lack. What breakdowns and fact locations need of them is kept on disk.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { StatedFiling } from '../../../edgar/facts/company-facts.ts';
import type { StatementSetReport } from '../../../edgar/facts/statement-set.ts';
import { readStatementSet } from '../../../edgar/facts/statement-set.ts';
import { openArchive } from '../../../edgar/files/archive.ts';
import { type ListedFile, listFiles } from '../../../edgar/files/list-files.ts';
import { problemOf, type SkippedRows } from '../../../edgar/files/skipped-rows.ts';
import { listReportFiles, ReportReader } from '../../../edgar/reports/report-files.ts';
import type { TaggedFact, TaggedReport } from '../../../edgar/reports/tagged-report.ts';
import type { ReportSource } from '../../../figures/filings/report-filing.ts';
import { pushTo } from '../../../figures/groups.ts';
import { isMapped } from '../../../figures/metrics/concepts.ts';
import { isSegmentFact, isSegmentPlace } from '../../../figures/segments/breakdowns.ts';
import { mayBeMeasure } from '../../../figures/segments/measures.ts';
import { COVER_COUNT, type CountedCover, isClassCount } from '../../../figures/shares/cover-shares.ts';
import { makeDirectory } from '../../../platform/directories.ts';

export interface CollectOptions {
  readonly from: string;
  /** Companies whose reports are read. */
  readonly ciks: readonly number[];
  readonly scratch: string;
  readonly skipped: SkippedRows;
  readonly problems: string[];
  readonly signal: AbortSignal | undefined;
}

export interface CollectedReports {
  readonly store: ReportStore;
  /** Share counts by company. */
  readonly covers: ReadonlyMap<number, readonly CountedCover[]>;
  /** The filings of reports in statement sets, which name them, by company. */
  readonly filings: ReadonlyMap<number, readonly StatedFiling[]>;
  /** The files that were read: a release lists its sources. */
  readonly files: readonly ListedFile[];
}

/** A file that cannot be read is counted and named; it never stops a build. */
export async function collectReports(options: CollectOptions): Promise<CollectedReports> {
  const { ciks, scratch, skipped, signal } = options;
  const listing = await listReportFiles(await listFiles(options.from), signal);
  skipped.addAll(listing.skipped);
  options.problems.push(...listing.problems);
  const wanted = new Set(ciks);
  const store = new ReportStore(scratch);
  const covers = new Map<number, CountedCover[]>();
  const filings = new Map<number, StatedFiling[]>();
  const count = (cik: number, cover: CountedCover) => {
    if (cover.facts.length > 0) pushTo(covers, cik, cover);
  };
  const skip = (reason: string, name: string, cause: unknown) => {
    skipped.add(reason);
    options.problems.push(problemOf(name, cause));
  };
  const reader = new ReportReader();
  try {
    for (const file of listing.reports) {
      signal?.throwIfAborted();
      if (!wanted.has(file.cik)) {
        const where = file.archive === null ? fileName(file.path) : `${fileName(file.archive)}: ${file.path}`;
        skipped.add(outside(where));
        continue;
      }
      try {
        const { report, labels } = await reader.read(file);
        skipped.addAll(report.skipped);
        const source = { document: fileName(file.path), accession: file.accession };
        const { facts, ...rest } = report;
        count(file.cik, { ...rest, source, filing: null, facts: facts.filter(isCount) });
        const members = [...labels].filter(([name]) => /(?:Member|Domain)$/.test(name));
        store.add(file.cik, { report: { ...rest, cover: [], facts: facts.filter(isNeeded) }, source, labels: members });
      } catch (cause) {
        skip(
          'a report that cannot be read',
          file.archive === null ? file.path : `${file.archive}: ${file.path}`,
          cause,
        );
      }
    }
  } finally {
    await reader.close();
  }
  for (const { path, name } of listing.sets) {
    signal?.throwIfAborted();
    try {
      for (const report of await readSet(path, fileName(name), wanted, skipped)) {
        count(report.cik, coverOf(report));
        const { accession, form, filed } = report;
        pushTo(filings, report.cik, { accession, form, filed });
        if (report.facts.some(({ dimensions }) => dimensions.length > 0)) store.add(report.cik, { set: report });
      }
    } catch (cause) {
      skip('a statement set that cannot be read', name, cause);
    }
  }
  return { store, covers, filings, files: listing.files };
}

const outside = (where: string): string => `a report of a company that is not in the release (${where})`;

async function readSet(path: string, name: string, wanted: ReadonlySet<number>, skipped: SkippedRows) {
  const archive = await openArchive(path, undefined, 'path');
  try {
    const set = await readStatementSet(archive, {
      wantsCompany: (cik) => {
        const isWanted = wanted.has(cik);
        if (!isWanted) skipped.add(outside(name));
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
function fileName(path: string): string {
  return path.slice(path.search(/[^\\/]*$/));
}

/** A document with the labels of its members, or a filing's rows of a statement set. Figures are text, as everywhere. */
export type StoredReport =
  | {
      readonly report: TaggedReport;
      readonly source: ReportSource;
      readonly labels: readonly (readonly [string, string])[];
    }
  | { readonly set: StatementSetReport };

/** Keeps reports on disk by company: all of them together are larger than memory. */
export class ReportStore {
  readonly #directory: string;
  readonly #ciks = new Set<number>();

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Companies with reports here. */
  get ciks(): ReadonlySet<number> {
    return this.#ciks;
  }

  add(cik: number, report: StoredReport): void {
    if (this.#ciks.size === 0) makeDirectory(this.#directory);
    this.#ciks.add(cik);
    appendFileSync(this.#path(cik), `${JSON.stringify(report)}\n`);
  }

  /** One company's reports, in the order in which they were added. */
  of(cik: number): StoredReport[] {
    const path = this.#path(cik);
    if (!existsSync(path)) return [];
    const lines = readFileSync(path, 'utf8').split('\n');
    return lines.flatMap((line) => (line === '' ? [] : [JSON.parse(line) as StoredReport]));
  }

  async remove(): Promise<void> {
    await rm(this.#directory, { recursive: true, force: true });
  }

  #path(cik: number): string {
    return join(this.#directory, `${cik}.ndjson`);
  }
}
