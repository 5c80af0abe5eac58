/** The rows of one company's tagged reports: which were read, the breakdowns they state, and where facts stand in them. */

import { compareText } from '../../contract/compare-text.ts';
import { readCompanyFacts } from '../../edgar/facts/company-facts.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import type { PublicFiles } from '../../edgar/files/public-files.ts';
import { problemOf, SkippedRows } from '../../edgar/files/skipped-rows.ts';
import { type FilingRecord, readSubmissions } from '../../edgar/filings/submissions.ts';
import type { FiledReport } from '../../edgar/reports/tagged-report.ts';
import { acceptedAt, clockOf } from '../../figures/filings/acceptance.ts';
import { type FactLocation, locator, type MatchQuality } from '../../figures/filings/fact-location.ts';
import { conceptName, isMapped, mappingsOf } from '../../figures/metrics/concepts.ts';
import { fiscalCalendar } from '../../figures/periods/fiscal-calendar.ts';
import { segmentSeries } from '../../figures/segments/series.ts';
import { pushTo } from '../../platform/collections.ts';
import {
  FACT_LOCATIONS,
  type LocationRow,
  SEGMENTS,
  segmentRows,
  TAGGED_REPORTS,
  type TaggedReportRow,
} from '../../store/schema/segments.ts';
import { PartSink, type TablePart } from '../../store/table-part.ts';
import { readSlices, type Slice } from '../tasks/slices.ts';
import { type CompanyFile, filedReports, onePerFiling } from './company-reports.ts';
import type { StoredReport } from './read-reports.ts';
import { SegmentChecks, type SegmentCounts } from './segment-checks.ts';

export interface SegmentsTask {
  readonly kind: 'segments';
  readonly cik: number;
  /** Its reports, as they were left. */
  readonly reports: readonly Slice[];
  /** The release's date. */
  readonly date: string;
}

export interface SegmentsPart {
  readonly parts: readonly TablePart[];
  readonly counts: SegmentCounts;
  readonly releaseDate: string;
  /** Whether something was left out because it is later than the release. */
  readonly hasLater: boolean;
  readonly skipped: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
}

export async function segmentsOf(task: SegmentsTask, files: PublicFiles): Promise<SegmentsPart> {
  const { cik, date } = task;
  const skipped = new SkippedRows();
  const problems: string[] = [];
  const { hasLater, ...company } = await readFacts(files, task, problems);
  const lines = readSlices(task.reports).split('\n');
  const stored = lines.flatMap((line) => (line === '' ? [] : [JSON.parse(line) as StoredReport]));
  const known = filedReports(stored, company, skipped);
  const all = known.filter(({ filed }) => filed <= date);
  const reports = onePerFiling(all);
  const rows = segmentRows(segmentSeries(reports, calendarOf(company)));
  const checks = new SegmentChecks();
  checks.add(cik, rows, date);
  const counts = checks.counts();
  const sinks = {
    reports: new PartSink(TAGGED_REPORTS),
    segments: new PartSink(SEGMENTS),
    locations: new PartSink(FACT_LOCATIONS),
  };
  sinks.reports.add(
    cik,
    reportRows(reports, company.filings).map((row) => ({ cik, ...row })),
  );
  sinks.segments.add(
    cik,
    rows.map((row) => ({ cik, ...row })),
  );
  sinks.locations.add(
    cik,
    locationRows(company.facts, all).map((row) => ({ cik, ...row })),
  );
  return {
    parts: Object.values(sinks).map((sink) => sink.done()),
    counts,
    releaseDate: date,
    hasLater: hasLater || all.length < known.length || counts.future > 0,
    skipped: skipped.counts(),
    problems,
  };
}

/** A company's facts and filings; what cannot be read is counted where the company is derived. */
async function readFacts(
  files: PublicFiles,
  { cik, date }: SegmentsTask,
  problems: string[],
): Promise<CompanyFile & { readonly hasLater: boolean }> {
  let facts: readonly Fact[] = [];
  let filings: readonly FilingRecord[] = [];
  let hasLater = false;
  try {
    const bytes = await files.facts(cik);
    const all = bytes === null ? [] : readCompanyFacts(bytes).facts;
    facts = all.filter((fact) => fact.filed <= date);
    hasLater = facts.length < all.length;
    const { main, pages } = await files.submissions(cik);
    if (main !== null || pages.length > 0) filings = readSubmissions(main, pages).filings;
  } catch (cause) {
    problems.push(problemOf(`reports of CIK ${cik}`, cause));
  }
  return { cik, facts, filings, hasLater };
}

/** The calendar of the reported values, which is made from the same facts. */
function calendarOf({ facts, filings }: CompanyFile) {
  const mapped = facts.filter(
    ({ taxonomy, concept }) => taxonomy !== 'dei' && mappingsOf(taxonomy, concept).length > 0,
  );
  return fiscalCalendar(mapped, filings);
}

function reportRows(reports: readonly FiledReport[], filings: readonly FilingRecord[]): TaggedReportRow[] {
  const clock = clockOf(filings);
  const times = new Map(filings.map(({ accession, accepted }) => [accession, accepted]));
  return reports
    .map(({ accession, form, filed, kind }) => ({
      ...{ accession, form, filed, kind },
      acceptedAt: acceptedAt(times.get(accession) ?? null, clock),
    }))
    .sort((a, b) => compareText(a.filed, b.filed) || compareText(a.accession, b.accession));
}

/** Best first. */
const QUALITIES: readonly MatchQuality[] = ['unique', 'ambiguous', 'hidden_only', 'none'];

/**
 * Where the facts that metrics are read from stand in their documents. Of several documents of a filing the one that
 * shows a fact best counts.
 */
function locationRows(facts: readonly Fact[], reports: readonly FiledReport[]): LocationRow[] {
  const documents = new Map<string, ReturnType<typeof locator>[]>();
  for (const report of reports) {
    if (report.kind === 'data_set') continue;
    pushTo(documents, report.accession, locator(report));
  }
  const rows = new Map<string, LocationRow>();
  for (const { accession, taxonomy, concept: name, unit, start, end, value } of facts) {
    const concept = conceptName(taxonomy, name);
    const places = isMapped(concept) ? documents.get(accession) : undefined;
    const best = places
      ?.map((locate) => locate({ concept, unit, start, end, value }))
      .reduce((a, b) => (rank(b) < rank(a) ? b : a));
    if (best === undefined) continue;
    const { matchQuality, context, document, lineId } = best;
    rows.set(`${accession} ${concept} ${unit} ${start} ${end}`, {
      ...{ accession, concept, unit, start, end },
      ...{ matchQuality, context, document, lineId },
    });
  }
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

function rank({ matchQuality }: FactLocation): number {
  return QUALITIES.indexOf(matchQuality);
}
