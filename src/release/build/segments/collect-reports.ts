/**
 * Reads the tagged reports among the public files, once, before the companies are derived: their covers state
 * share counts that company facts leave out. What breakdowns and places need of them waits on disk.
 */

import type { StatementSetReport } from '../../../edgar/facts/statement-set.ts';
import { readStatementSet } from '../../../edgar/facts/statement-set.ts';
import { openArchive } from '../../../edgar/files/archive.ts';
import { type ListedFile, listFiles } from '../../../edgar/files/list-files.ts';
import type { SkippedRows } from '../../../edgar/files/skipped-rows.ts';
import { listReportFiles, ReportReader } from '../../../edgar/reports/report-files.ts';
import type { Dimension, TaggedFact } from '../../../edgar/reports/tagged-report.ts';
import { MAPPINGS_BY_CONCEPT } from '../../../figures/metrics/mappings.ts';
import { trackedDimensions } from '../../../figures/segments/axes.ts';
import { isSegmentFact } from '../../../figures/segments/breakdowns.ts';
import { mayBeMeasure } from '../../../figures/segments/measures.ts';
import { COVER_COUNT, type CountedCover, isClassCount } from '../../../figures/shares/cover-shares.ts';
import { ReportStore } from './report-store.ts';

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
  /** Files that were read, for the release's account of its sources. */
  readonly files: readonly ListedFile[];
}

/** A file that cannot be read is counted and named; it never stops a build. */
export async function collectReports(options: CollectOptions): Promise<CollectedReports> {
  const { ciks, scratch, skipped, signal } = options;
  const listing = await listReportFiles(await listFiles(options.from), signal);
  addAll(skipped, listing.skipped);
  const wanted = new Set(ciks);
  const store = new ReportStore(scratch);
  const covers = new Map<number, CountedCover[]>();
  const count = (cik: number, cover: CountedCover) => {
    if (cover.facts.length > 0) covers.set(cik, [...(covers.get(cik) ?? []), cover]);
  };
  const reader = new ReportReader();
  try {
    for (const file of listing.reports.filter(({ cik }) => wanted.has(cik))) {
      signal?.throwIfAborted();
      try {
        const { report, labels } = await reader.read(file);
        addAll(skipped, report.skipped);
        const source = { document: file.path.split(/[\\/]/).at(-1) ?? file.path, accession: file.accession };
        const { facts, ...rest } = report;
        count(file.cik, { ...rest, source, filing: null, facts: facts.filter(isCount) });
        const members = [...labels].filter(([name]) => /(?:Member|Domain)$/.test(name));
        store.add(file.cik, { report: { ...rest, cover: [], facts: facts.filter(isNeeded) }, source, labels: members });
      } catch (cause) {
        note(options, 'a report that cannot be read', cause);
      }
    }
  } finally {
    await reader.close();
  }
  for (const path of listing.sets) {
    signal?.throwIfAborted();
    try {
      for (const report of await readSet(path, wanted, skipped)) {
        count(report.cik, coverOf(report));
        if (report.facts.some(({ dimensions }) => dimensions.length > 0)) store.add(report.cik, { set: report });
      }
    } catch (cause) {
      note(options, 'a statement set that cannot be read', cause);
    }
  }
  return { store, covers, files: listing.files };
}

async function readSet(path: string, wanted: ReadonlySet<number>, skipped: SkippedRows) {
  const archive = await openArchive(path, undefined, 'path');
  try {
    const set = await readStatementSet(archive, {
      wantsCompany: (cik) => wanted.has(cik),
      wantsTag: (tag) => mayBeMeasure(tag) || tag === COVER_COUNT,
      wantsDimensions: (dimensions) => isTracked(dimensions) || isClassCount(`dei:${COVER_COUNT}`, dimensions),
      wantsFact: (concept, dimensions) => isSegmentFact(concept, dimensions) || isClassCount(concept, dimensions),
    });
    addAll(skipped, set.skipped);
    return set.reports;
  } finally {
    archive.close();
  }
}

const isTracked = (dimensions: readonly Dimension[]): boolean => trackedDimensions(dimensions) !== null;

const isCount = ({ concept, dimensions }: TaggedFact): boolean => isClassCount(concept, dimensions);

/** Of a report's thousands of facts: those of breakdowns, and those that metrics are read from. */
function isNeeded({ concept, dimensions }: TaggedFact): boolean {
  return isSegmentFact(concept, dimensions) || (dimensions.length === 0 && MAPPINGS_BY_CONCEPT.has(concept));
}

/** A set says which filing a count comes from; only a day that is exact is a day. */
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

function note({ skipped, problems }: CollectOptions, what: string, cause: unknown): void {
  skipped.add(what);
  problems.push(`${what}: ${cause instanceof Error ? cause.message : String(cause)}`);
}

function addAll(skipped: SkippedRows, counts: Readonly<Record<string, number>>): void {
  for (const [reason, number] of Object.entries(counts)) skipped.add(reason, number);
}
