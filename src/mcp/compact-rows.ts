/** Rows of an answer in as few words as they need: what all have in common, and which filings they are from, once. */
import type { Rows, Value } from '../output/rows.ts';
import { sanitize } from '../output/sanitize.ts';

/** Left out: internal ids, and what another column says. */
const OMITTED = new Set([
  'metric_value_id',
  'raw_fact_id',
  'raw_ingestion_run_id',
  'source_payload_id',
  'security_id',
  'metric_label',
  'ticker_normalized',
  'security_coverage_state',
  'company_coverage_state',
  'read_from_revision_rank',
  'source_url',
  'attribution',
]);

/** The columns that name a filing, under each of their names. */
const FILING = [
  ['accession_number', 'form', 'filed_at'],
  ['read_from_accession_number', 'read_from_form', 'read_from_filed_at'],
];

/** The page of a filing at the SEC, which its accession number says as well. */
const INDEX_PAGE = /https:\/\/www\.sec\.gov\/Archives\/\S+\/(\d{10}-\d{2}-\d{6})-index\.html?/g;

/** A longer text, such as a footnote, is cut. */
const CELL_MAX = 300;

type Row = readonly Value[];

export interface CompactRows {
  readonly columns: readonly string[];
  /** A line for each row. */
  readonly lines: readonly string[];
  /** What every row has, as label and text; of one row all it has. */
  readonly shared: readonly (readonly [label: string, text: string])[];
  /** For each row the filing that it refers to as `#1`; empty where rows name their filings themselves. */
  readonly filings: readonly (string | null)[];
}

export function compactRows({ columns, rows }: Rows): CompactRows {
  const all = [...rows];
  const kept = columns.map((name, index) => ({ name, index })).filter(({ name }) => !OMITTED.has(name));
  const values = ({ index }: { index: number }): Value[] => all.map((row) => row[index] ?? null);
  const filled = kept.filter((column) => values(column).some((value) => value !== null && value !== ''));
  const isShared = (column: { index: number }): boolean => new Set(values(column)).size === 1;
  const shared = filled.filter(isShared);
  const varied = filled.filter((column) => !isShared(column));
  const legend = filingLegend(varied, all);
  const own = legend === null ? varied : varied.filter(({ name }) => !legend.columns.includes(name));
  return {
    columns: [...own.map(({ name }) => name), ...(legend === null ? [] : ['filing'])],
    lines: all.map((row, at) =>
      line([...own.map(({ index }) => row[index] ?? null), ...(legend === null ? [] : [legend.marks[at] ?? null])]),
    ),
    shared: shared.map(({ name, index }) => [name, cellText(all[0]?.[index] ?? null)]),
    filings: legend === null ? all.map(() => null) : legend.entries,
  };
}

interface FilingLegend {
  readonly columns: readonly string[];
  readonly marks: readonly string[];
  readonly entries: readonly string[];
}

/** Null where no column names filings, or most rows have one of their own. */
function filingLegend(columns: readonly { name: string; index: number }[], rows: readonly Row[]): FilingLegend | null {
  for (const names of FILING) {
    const found = names.map((name) => columns.find((column) => column.name === name));
    const [accession] = found;
    if (accession === undefined) continue;
    const texts = rows.map((row) => found.map((column) => (column && row[column.index]) ?? null));
    const distinct = [...new Set(texts.map(([number]) => number))];
    if (distinct.length * 2 > rows.length || distinct.includes(null)) return null;
    const marks = texts.map(([number]) => `#${distinct.indexOf(number ?? null) + 1}`);
    const entries = texts.map(
      (parts, at) =>
        `${marks[at]} ${parts
          .filter((part) => part !== null)
          .map(cellText)
          .join(' ')}`,
    );
    return { columns: names, marks, entries };
  }
  return null;
}

/** The values of a row, quoted as in https://www.rfc-editor.org/rfc/rfc4180. */
export const line = (values: readonly Value[]): string =>
  values
    .map(cellText)
    .map((text) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text))
    .join(',');

/** Untrusted text on one line, without control characters and unable to end the block that it stands in. */
export function cellText(value: Value): string {
  if (value === null) return '';
  const text = dataText(String(value)).replace(INDEX_PAGE, '$1');
  return text.length > CELL_MAX ? `${text.slice(0, CELL_MAX)}… (cut)` : text;
}

export const dataText = (text: string): string => sanitize(text).replaceAll('<', '&lt;');
