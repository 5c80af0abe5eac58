/** Makes table rows from one company's tagged reports: the reports, their segments, and the locations of facts. */

import { compareText } from '../../contract/compare-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import type { FilingRecord } from '../../edgar/filings/submissions.ts';
import type { FiledReport } from '../../edgar/reports/xbrl-report.ts';
import type { CompanyFigures } from '../../figures/company.ts';
import { buildFiscalCalendar } from '../../figures/facts/fiscal-calendar.ts';
import { readAcceptanceTimes } from '../../figures/filings/acceptance.ts';
import { createFactLocator, type FactLocation, type MatchQuality } from '../../figures/filings/fact-location.ts';
import { isPrefixedConceptMapped, listMappingsOfConcept, prefixConcept } from '../../figures/metrics/concepts.ts';
import { appendOffset } from '../../figures/periods/new-york.ts';
import { isBreakdownFact } from '../../figures/segments/breakdowns.ts';
import { buildSegmentSeries } from '../../figures/segments/series.ts';
import { pushTo } from '../../platform/collections.ts';
import type { FactLocationRow, TaggedReportRow } from '../../store/schema/segments.ts';
import { FACT_LOCATIONS, SEGMENTS, TAGGED_REPORTS, toSegmentRows } from '../../store/schema/segments.ts';
import { encodePart } from '../../store/table-part.ts';
import { collectMemberNames, NO_MEMBER_NAMES } from './brand-rows.ts';
import { countSegments, NO_SEGMENT_COUNTS } from './segment-checks.ts';

/** The data of a company from which its rows are made. */
interface TaggedCompany {
  readonly reports: readonly FiledReport[];
  readonly facts: readonly Fact[];
  readonly filings: readonly FilingRecord[];
  readonly figures: Pick<CompanyFigures, 'rawConcepts'>;
}

/** @param date the release's date, for the checks */
export function makeSegmentParts(cik: number, company: TaggedCompany, date: string) {
  const { reports: allReports, facts, filings, figures } = company;
  if (allReports.length === 0) return { parts: [], counts: NO_SEGMENT_COUNTS, memberNames: NO_MEMBER_NAMES };
  const reports = selectOnePerFiling(allReports);
  const rows = toSegmentRows(buildSegmentSeries(reports, buildCalendarOfMappedFacts(facts, filings)));
  return {
    parts: [
      encodePart(TAGGED_REPORTS, cik, makeReportRows(reports, filings)),
      encodePart(SEGMENTS, cik, rows),
      encodePart(FACT_LOCATIONS, cik, makeLocationRows(facts, allReports)),
    ],
    counts: countSegments(cik, rows, date),
    memberNames: collectMemberNames(rows, figures.rawConcepts),
  };
}

const REPORT_KINDS_BEST_FIRST: readonly FiledReport['kind'][] = ['inline', 'instance', 'data_set'];

/**
 * Returns one report per filing: the version with the most segment facts. If versions have equally many, prefers the
 * document, then the instance made from the document, then the statement set.
 */
function selectOnePerFiling(reports: readonly FiledReport[]): readonly FiledReport[] {
  const bestReportByAccession = new Map<string, { report: FiledReport; segmentFactCount: number }>();
  for (const report of reports) {
    const count = report.facts.filter((fact) => isBreakdownFact(fact.concept, fact.dimensions)).length;
    const best = bestReportByAccession.get(report.accession);
    const isBetter =
      best === undefined ||
      count > best.segmentFactCount ||
      (count === best.segmentFactCount &&
        REPORT_KINDS_BEST_FIRST.indexOf(report.kind) < REPORT_KINDS_BEST_FIRST.indexOf(best.report.kind));
    if (isBetter) bestReportByAccession.set(report.accession, { report, segmentFactCount: count });
  }
  return [...bestReportByAccession.values()].map(({ report }) => report);
}

/** Returns the fiscal calendar of the company's reported values. */
function buildCalendarOfMappedFacts(facts: readonly Fact[], filings: readonly FilingRecord[]) {
  const mappedFacts = facts.filter(
    ({ taxonomy, concept }) => taxonomy !== 'dei' && listMappingsOfConcept(taxonomy, concept).length > 0,
  );
  return buildFiscalCalendar(mappedFacts, filings);
}

function makeReportRows(reports: readonly FiledReport[], filings: readonly FilingRecord[]): TaggedReportRow[] {
  const accepted = readAcceptanceTimes(filings);
  const times = new Map(filings.map(({ accession }, index) => [accession, accepted[index] ?? null]));
  return reports
    .map(({ accession, form, filed, kind }) => {
      const eastern = times.get(accession) ?? null;
      return { accession, form, filed, kind, acceptedAt: eastern === null ? null : appendOffset(eastern) };
    })
    .sort((a, b) => compareText(a.filed, b.filed) || compareText(a.accession, b.accession));
}

const QUALITIES_BEST_FIRST: readonly MatchQuality[] = ['unique', 'ambiguous', 'hidden_only', 'none'];

/**
 * Returns the locations of the facts from which metrics are read. If several documents of a filing contain a fact, the
 * best match is used.
 */
function makeLocationRows(facts: readonly Fact[], reports: readonly FiledReport[]): FactLocationRow[] {
  const locatorsByAccession = new Map<string, ReturnType<typeof createFactLocator>[]>();
  for (const report of reports) {
    if (report.kind === 'data_set') continue;
    pushTo(locatorsByAccession, report.accession, createFactLocator(report));
  }
  const rows = new Map<string, FactLocationRow>();
  for (const { accession, taxonomy, concept: name, unit, start, end, value, classCounts } of facts) {
    // The document states the count of each class, not their sum, and locations do not name classes.
    if (classCounts !== undefined) continue;
    const concept = prefixConcept(taxonomy, name);
    const locators = isPrefixedConceptMapped(concept) ? locatorsByAccession.get(accession) : undefined;
    const best = locators
      ?.map((locate) => locate({ concept, unit, start, end, value }))
      .reduce((a, b) => (getQualityRank(b) < getQualityRank(a) ? b : a));
    if (best === undefined) continue;
    rows.set(`${accession} ${concept} ${unit} ${start} ${end}`, { ...best, accession, concept, unit, start, end });
  }
  return [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
}

const getQualityRank = ({ matchQuality }: FactLocation): number => QUALITIES_BEST_FIRST.indexOf(matchQuality);
