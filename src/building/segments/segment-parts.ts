/**
 * Table rows made from one company's tagged reports: the reports, their breakdowns, and the locations of facts in
 * them.
 */

import { compareText } from '../../contract/compare-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import type { FilingRecord } from '../../edgar/filings/submissions.ts';
import type { FiledReport } from '../../edgar/reports/tagged-report.ts';
import { fiscalCalendar } from '../../figures/facts/fiscal-calendar.ts';
import { acceptedAt, clockOf } from '../../figures/filings/acceptance.ts';
import { type FactLocation, locator, type MatchQuality } from '../../figures/filings/fact-location.ts';
import { conceptName, isMapped, mappingsOf } from '../../figures/metrics/concepts.ts';
import { isSegmentFact } from '../../figures/segments/breakdowns.ts';
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
import type { Table } from '../../store/schema/table.ts';
import { PartSink, type TablePart } from '../../store/table-part.ts';
import { NO_SEGMENTS, SegmentChecks, type SegmentCounts } from './segment-checks.ts';

interface ReportingCompany {
  readonly cik: number;
  readonly reports: readonly FiledReport[];
  /** The facts that figures are read from. */
  readonly facts: readonly Fact[];
  /** The company's own list. */
  readonly filings: readonly FilingRecord[];
}

export interface SegmentParts {
  readonly parts: readonly TablePart[];
  readonly counts: SegmentCounts;
}

/** @param date the release's date, for the checks */
export function segmentPartsOf({ cik, reports: all, facts, filings }: ReportingCompany, date: string): SegmentParts {
  if (all.length === 0) return { parts: [], counts: NO_SEGMENTS };
  const reports = onePerFiling(all);
  const rows = segmentRows(segmentSeries(reports, calendarOf(facts, filings)));
  const checks = new SegmentChecks();
  checks.add(cik, rows, date);
  return {
    parts: [
      partOf(TAGGED_REPORTS, cik, reportRows(reports, filings)),
      partOf(SEGMENTS, cik, rows),
      partOf(FACT_LOCATIONS, cik, locationRows(facts, all)),
    ],
    counts: checks.counts(),
  };
}

function partOf<Row>(table: Table<Row & { readonly cik: number }>, cik: number, rows: readonly Row[]): TablePart {
  const sink = new PartSink(table);
  sink.add(
    cik,
    rows.map((row) => ({ cik, ...row })),
  );
  return sink.done();
}

const KINDS: readonly FiledReport['kind'][] = ['inline', 'instance', 'data_set'];

/**
 * One report per filing. A filing's report may come as its document, as the instance made from it, and in a set: the
 * one with the most facts of segments counts; if equal, first the document, then the instance.
 */
function onePerFiling(reports: readonly FiledReport[]): readonly FiledReport[] {
  const best = new Map<string, { report: FiledReport; parts: number }>();
  for (const report of reports) {
    const parts = report.facts.filter((fact) => isSegmentFact(fact.concept, fact.dimensions)).length;
    const known = best.get(report.accession);
    const better =
      known === undefined ||
      parts > known.parts ||
      (parts === known.parts && KINDS.indexOf(report.kind) < KINDS.indexOf(known.report.kind));
    if (better) best.set(report.accession, { report, parts });
  }
  return [...best.values()].map(({ report }) => report);
}

/** The fiscal calendar of the reported values, which are made from the same facts. */
function calendarOf(facts: readonly Fact[], filings: readonly FilingRecord[]) {
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
 * Locations of the facts that metrics are read from. If several documents of a filing contain a fact, the one with
 * the best match counts.
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
