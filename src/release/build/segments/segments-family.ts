/** The tables of tagged reports, segments and fact locations. */
import { readCompanyFacts } from '../../../edgar/facts/company-facts.ts';
import type { Fact } from '../../../edgar/facts/fact-row.ts';
import { openPublicFiles, type PublicFiles } from '../../../edgar/files/public-files.ts';
import { problemOf } from '../../../edgar/files/skipped-rows.ts';
import type { FilingRecord } from '../../../edgar/filings/submissions.ts';
import { readSubmissions } from '../../../edgar/filings/submissions.ts';
import type { FiledReport } from '../../../edgar/reports/tagged-report.ts';
import { acceptedAt, clockOf } from '../../../figures/filings/acceptance.ts';
import { mappingsOf } from '../../../figures/metrics/concepts.ts';
import { fiscalCalendar } from '../../../figures/periods/fiscal-calendar.ts';
import { segmentSeries } from '../../../figures/segments/series.ts';
import { compare } from '../../schema/row-order.ts';
import { segmentRows } from '../../schema/segment-rows.ts';
import { FACT_LOCATIONS, SEGMENTS, TAGGED_REPORTS, type TaggedReportRow } from '../../schema/segments.ts';
import type { Family, FamilyContext } from '../family.ts';
import { type CompanyFile, filedReports, onePerFiling } from './company-reports.ts';
import { locationRows } from './location-rows.ts';
import { SegmentChecks } from './segment-checks.ts';

export const SEGMENTS_FAMILY: Family = {
  name: 'segments',
  tables: [TAGGED_REPORTS, SEGMENTS, FACT_LOCATIONS],
  build,
};

async function build(context: FamilyContext) {
  const { companies, date, skipped, signal } = context;
  const { store } = context.reports;
  if (context.reports.files.length === 0) context.omit(SEGMENTS_FAMILY.tables);
  const checks = new SegmentChecks();
  const files = await openPublicFiles(context.from);
  const sinks = {
    reports: context.sink(TAGGED_REPORTS),
    segments: context.sink(SEGMENTS),
    locations: context.sink(FACT_LOCATIONS),
  };
  try {
    for (const cik of companies.map((company) => company.cik).filter((one) => store.ciks.has(one))) {
      signal?.throwIfAborted();
      const company = await readCompany(files, cik, date, context);
      const all = filedReports(store.of(cik), company, skipped);
      const reports = onePerFiling(all);
      const rows = segmentRows(segmentSeries(reports, calendarOf(company)));
      checks.add(cik, rows, date);
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
    }
  } finally {
    files.close();
  }
  return checks.checks();
}

/** A company's facts and filings; what cannot be read is counted where the company is derived. */
async function readCompany(
  files: PublicFiles,
  cik: number,
  date: string,
  context: FamilyContext,
): Promise<CompanyFile> {
  let facts: readonly Fact[] = [];
  let filings: readonly FilingRecord[] = [];
  try {
    const bytes = await files.facts(cik);
    if (bytes !== null) facts = readCompanyFacts(bytes).facts.filter((fact) => fact.filed <= date);
    const { main, pages } = await files.submissions(cik);
    if (main !== null || pages.length > 0) filings = readSubmissions(main, pages).filings;
  } catch (cause) {
    context.problems.push(problemOf(`reports of CIK ${cik}`, cause));
  }
  return { cik, facts, filings, date };
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
    .sort((a, b) => compare(a.filed, b.filed) || compare(a.accession, b.accession));
}
