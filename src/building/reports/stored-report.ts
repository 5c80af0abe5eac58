/** Serializes a report as a JSON line, for the task that derives its company. */
import type { StatementSetFact, StatementSetReport } from '../../edgar/facts/statement-set.ts';
import type { TaggedReport } from '../../edgar/reports/xbrl-report.ts';
import type { ReportSource } from '../../figures/filings/report-filing.ts';

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
