/** Serializes a report as a JSON line, for the task that derives its company and matches the report with its filing. */

import type { Fact } from '../../edgar/facts/fact-row.ts';
import type { StatementSetFact, StatementSetReport } from '../../edgar/facts/statement-set.ts';
import { isPeriodicReportForm } from '../../edgar/filings/forms.ts';
import type { FilingRecord } from '../../edgar/filings/submissions.ts';
import type { FiledReport, TaggedReport } from '../../edgar/reports/xbrl-report.ts';
import { findFiling, type ReportSource } from '../../figures/filings/report-filing.ts';
import { addExactDates } from '../../figures/filings/statement-set-dates.ts';
import type { ReadingLog } from '../tasks/reading.ts';
import { readSlices, type Slice } from '../tasks/slices.ts';

/** A report document, with the labels of its members. */
interface StoredDocument {
  /** The file's name, for messages. */
  readonly name: string;
  readonly report: TaggedReport;
  readonly source: ReportSource;
  readonly labels: readonly (readonly [name: string, label: string])[];
}

/** A report document, or a filing's facts from a statement set. */
export type StoredReport = StoredDocument | { readonly set: StatementSetReport };

/**
 * A fact of a statement set as an array: with millions of facts per quarter, property names would take most of the
 * text.
 */
type StatementFactRow = readonly [
  concept: string,
  unit: string,
  value: string,
  roundedEnd: string,
  quarters: number,
  decimals?: number | null,
  exact?: readonly [start: string | null, end: string] | null,
  dimensions?: StatementSetFact['dimensions'],
];

type StoredLine =
  | StoredDocument
  | { readonly set: Omit<StatementSetReport, 'facts'>; readonly rows: readonly StatementFactRow[] };

export const serializeReport = (report: StoredReport): string =>
  `${JSON.stringify('set' in report ? toStoredLine(report.set) : report)}\n`;

/**
 * Parses reports, one per line. If several lines have statement set facts of the same filing, they become one report.
 */
export function parseStoredReports(text: string): StoredReport[] {
  const reports: StoredReport[] = [];
  const factsByAccession = new Map<string, StatementSetFact[]>();
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const parsed = JSON.parse(line) as StoredLine;
    if (!('rows' in parsed)) {
      reports.push(parsed);
      continue;
    }
    const facts = parsed.rows.map(toFact);
    const existing = factsByAccession.get(parsed.set.accession);
    if (existing !== undefined) existing.push(...facts);
    else {
      factsByAccession.set(parsed.set.accession, facts);
      reports.push({ set: { ...parsed.set, facts } });
    }
  }
  return reports;
}

const toStoredLine = ({ facts, ...set }: StatementSetReport): StoredLine => ({ set, rows: facts.map(toRow) });

function toRow(fact: StatementSetFact): StatementFactRow {
  const { concept, unit, value, roundedEnd, quarters, decimals, exactDates, dimensions } = fact;
  const row = [concept, unit, value, roundedEnd, quarters] as const;
  if (decimals === null && exactDates === null && dimensions.length === 0) return row;
  const pair = exactDates === null ? null : ([exactDates.start, exactDates.end] as const);
  return dimensions.length === 0 ? [...row, decimals, pair] : [...row, decimals, pair, dimensions];
}

function toFact(row: StatementFactRow): StatementSetFact {
  const [concept, unit, value, roundedEnd, quarters, decimals = null, exact = null, dimensions = []] = row;
  const exactDates = exact && { start: exact[0], end: exact[1] };
  return { concept, unit, value, roundedEnd, quarters, decimals, dimensions, exactDates };
}

interface CompanyRecords {
  readonly cik: number;
  readonly facts: readonly Fact[];
  /** Filings from the company's list, indexes and index pages. */
  readonly filings: readonly FilingRecord[];
}

/**
 * Returns the company's reports with their filings, documents first. Counts reports of unknown filings, and adds a
 * problem for each.
 */
export function matchReports(
  slices: readonly Slice[],
  company: CompanyRecords,
  { skipped, problems }: ReadingLog,
): FiledReport[] {
  if (slices.length === 0) return [];
  const { cik, facts, filings } = company;
  const storedReports = parseStoredReports(readSlices(slices));
  const ends = listPeriodEnds(storedReports, filings);
  return storedReports.flatMap((stored): FiledReport[] => {
    if ('set' in stored) {
      const filingFacts = facts.filter(({ accession }) => accession === stored.set.accession);
      const report = addExactDates(stored.set, { filingPeriods: filingFacts, periodEnds: ends });
      skipped.addAll(report.skipped);
      return [report];
    }
    const filing = findFiling(stored.report, stored.source, filings, facts);
    if (typeof filing !== 'string') return [{ ...stored.report, ...filing, cik, labels: new Map(stored.labels) }];
    skipped.add('a report of an unknown filing');
    problems.push(`${stored.name}: a report of an unknown filing, because CIK ${cik} has ${filing}`);
    return [];
  });
}

/** Returns the period ends of the company's annual and interim reports. */
function listPeriodEnds(storedReports: readonly StoredReport[], filings: readonly FilingRecord[]): readonly string[] {
  const forms = [
    ...storedReports.map((stored) => ('set' in stored ? stored.set : stored.report)),
    ...filings.map(({ form, reportDate }) => ({ form, periodEnd: reportDate })),
  ];
  return forms.flatMap(({ form, periodEnd }) =>
    form !== null && isPeriodicReportForm(form) && periodEnd !== null ? [periodEnd] : [],
  );
}
