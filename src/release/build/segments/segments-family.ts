/** The tables of tagged reports, segments and fact locations. */

import { add, nearlyEqual } from '../../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../../contract/decimal-text.ts';
import { readCompanyFacts } from '../../../edgar/facts/company-facts.ts';
import type { Fact } from '../../../edgar/facts/fact-row.ts';
import { openPublicFiles, type PublicFiles } from '../../../edgar/files/public-files.ts';
import { problemOf } from '../../../edgar/files/skipped-rows.ts';
import { type FilingRecord, readSubmissions } from '../../../edgar/filings/submissions.ts';
import type { FiledReport } from '../../../edgar/reports/tagged-report.ts';
import { acceptedAt, clockOf } from '../../../figures/filings/acceptance.ts';
import { type FactLocation, locator, type MatchQuality } from '../../../figures/filings/fact-location.ts';
import { pushTo } from '../../../figures/groups.ts';
import { conceptName, isMapped, mappingsOf } from '../../../figures/metrics/concepts.ts';
import { fiscalCalendar } from '../../../figures/periods/fiscal-calendar.ts';
import { segmentSeries } from '../../../figures/segments/series.ts';
import { FAMILY_TABLES } from '../../schema/families.ts';
import {
  FACT_LOCATIONS,
  type LocationRow,
  SEGMENTS,
  type SegmentRow,
  segmentRows,
  TAGGED_REPORTS,
  type TaggedReportRow,
} from '../../schema/segments.ts';
import { compare } from '../../schema/table.ts';
import type { Check } from '../../store/manifest.ts';
import type { Family, FamilyContext } from '../family.ts';
import { type CompanyFile, filedReports, onePerFiling } from './company-reports.ts';

export const SEGMENTS_FAMILY: Family = {
  name: 'segments',
  tables: FAMILY_TABLES.segments,
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

/** Regions and products do not sell to each other, so a sum half again the revenue has subtotals among its members. */
const HALF: Decimal = '0.5';
/** The share of doubled breakdowns that is tolerated, because some filers tag them in ways of their own. */
const DOUBLED_SHARE = 0.05;

/** A period's revenue, and the sum of its members. */
interface Column {
  readonly total: string;
  sum: string;
}

/** Checks breakdowns before they are published. */
class SegmentChecks {
  #tested = 0;
  #whole = 0;
  #doubled = 0;
  #future = 0;
  #example: string | null = null;

  /** @param rows of one company, in the order of the table */
  add(cik: number, rows: readonly SegmentRow[], date: string): void {
    let column: Column | null = null;
    let first: SegmentRow | null = null;
    const close = () => {
      if (column !== null && first !== null) this.#judge(cik, first, column);
    };
    for (const row of rows) {
      if (row.end > date || row.filed > date) this.#future += 1;
      if (row.member === null) {
        close();
        first = row;
        column = row.measure === 'revenue' && row.value !== null ? { total: row.value, sum: '0' } : null;
      } else if (column !== null && row.value !== null) column.sum = add(column.sum, row.value);
    }
    close();
  }

  #judge(cik: number, { axis, end, unit }: SegmentRow, { total, sum }: Column): void {
    if (axis === 'segment' || compareDecimals(total, '0') <= 0) return;
    this.#tested += 1;
    if (nearlyEqual(sum, total, '0.005')) this.#whole += 1;
    else if (compareDecimals(sum, total) > 0 && !nearlyEqual(sum, total, HALF)) {
      this.#doubled += 1;
      this.#example ??= `CIK ${cik}, ${axis}, ${end} (${unit})`;
    }
  }

  checks(): Check[] {
    const example = this.#example === null ? '' : `, such as ${this.#example}`;
    return [
      {
        name: 'segments',
        passed: this.#doubled <= this.#tested * DOUBLED_SHARE && this.#future === 0,
        detail: `${this.#whole} of ${this.#tested} breakdowns of revenue by region or product add up to it; ${this.#doubled} to more than half again${example}; ${this.#future} figures lie in the future`,
      },
    ];
  }
}
