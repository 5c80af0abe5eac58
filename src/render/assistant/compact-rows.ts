/**
 * Compacts the rows of an answer: values that all rows share, repeated filings and repeated footnotes are written only
 * once.
 */
import type { FlatRows, FlatValue } from '../../result/rows.ts';
import { sanitize } from '../text/sanitize.ts';

/** Columns that are omitted because they contain internal ids or repeat other columns. */
const OMITTED_COLUMNS = new Set([
  ...['metric_value_id', 'raw_fact_id', 'raw_ingestion_run_id', 'source_payload_id', 'security_id', 'metric_label'],
  ...['ticker_normalized', 'security_coverage_state', 'company_coverage_state', 'read_from_revision_rank'],
  ...['source_url', 'footnote_ids', 'attribution'],
]);

/** Columns that identify a filing, by the different names that tables use. */
const FILING_COLUMN_GROUPS = [
  ['accession_number', 'form', 'filed_at'],
  ['read_from_accession_number', 'read_from_form', 'read_from_filed_at'],
];

/**
 * Maximum length in characters of a text that is written in every row. A longer text that recurs is written once, and
 * rows contain a short mark instead.
 */
const MAX_INLINE_TEXT_LENGTH = 60;

/** A filing's page at the SEC, which is shortened to the accession number in its address. */
const INDEX_PAGE_PATTERN = /https:\/\/www\.sec\.gov\/Archives\/\S+\/(\d{10}-\d{2}-\d{6})-index\.html?/g;

/** Maximum length in characters of a text such as a footnote; longer texts are truncated. */
const MAX_CELL_LENGTH = 300;

type Row = readonly FlatValue[];

export type CompactRows = ReturnType<typeof compactRows>;

type KeptColumn = { readonly name: string; readonly index: number };

/** @param maxLength maximum length of a cell in characters; longer ones are truncated */
export function compactRows({ columns, rows }: FlatRows, maxLength = MAX_CELL_LENGTH) {
  const allRows = [...rows];
  const kept = columns.map((name, index) => ({ name, index })).filter(({ name }) => !OMITTED_COLUMNS.has(name));
  const listValues = ({ index }: KeptColumn): FlatValue[] => allRows.map((row) => row[index] ?? null);
  const filled = kept.filter((column) => listValues(column).some((text) => text !== null && text !== ''));
  const isShared = (column: KeptColumn): boolean => new Set(listValues(column)).size === 1;
  const shared = filled.filter(isShared);
  const varying = filled.filter((column) => !isShared(column));
  const filingReferences = makeFilingReferences(varying, allRows);
  const inline = varying.filter(({ name }) => filingReferences?.columns.includes(name) !== true);
  const textReferences = inline.flatMap((column) => makeTextReferences(column, listValues(column)) ?? []);
  const references = [...(filingReferences === null ? [] : [filingReferences]), ...textReferences];
  const find = (column: KeptColumn, row: Row, position: number): FlatValue =>
    textReferences.find(({ columns: [name] }) => name === column.name)?.marks[position] ?? row[column.index] ?? null;
  const listLine = (row: Row, index: number): FlatValue[] => [
    ...inline.map((column) => find(column, row, index)),
    ...(filingReferences === null ? [] : [filingReferences.marks[index] ?? null]),
  ];
  return {
    columns: [...inline.map(({ name }) => name), ...(filingReferences === null ? [] : ['filing'])],
    /** One line of text per row. */
    lines: allRows.map((row, index) => joinValues(listLine(row, index), maxLength)),
    /** Label and text of each value that all rows share. A single row has only such values. */
    shared: shared.map(({ name, index }) => [name, formatCellText(allRows[0]?.[index] ?? null, maxLength)] as const),
    /** For each row, the legend entries that it references, such as `#1 0000320193-25-000079 10-K`. */
    legend: allRows.map((_, index) => references.flatMap(({ entries }) => entries[index] ?? [])),
  };
}

/**
 * Returns marks that replace the columns of filings, and each row's legend entry. Returns null if marks would not help: no column has filings, a row has no filing, or most
 * rows have different filings.
 */
function makeFilingReferences(columns: readonly KeptColumn[], rows: readonly Row[]) {
  for (const names of FILING_COLUMN_GROUPS) {
    const filingColumns = names.map((name) => columns.find((column) => column.name === name));
    const [accessionColumn] = filingColumns;
    if (accessionColumn === undefined) continue;
    const filingValues = rows.map((row) => filingColumns.map((column) => (column && row[column.index]) ?? null));
    const distinct = [...new Set(filingValues.map(([number]) => number))];
    if (distinct.length * 2 > rows.length || distinct.includes(null)) return null;
    const marks = filingValues.map(([number]) => `#${distinct.indexOf(number ?? null) + 1}`);
    const entries = filingValues.map((values, index) => {
      const texts = values.filter((text) => text !== null).map((text) => formatCellText(text));
      return `${marks[index]} ${texts.join(' ')}`;
    });
    return { columns: names, marks, entries };
  }
  return null;
}

/**
 * Returns marks for long texts that occur in several rows, such as footnotes, and each row's legend entry, null for a
 * row without a mark. Returns null if the column has no such texts.
 */
function makeTextReferences({ name }: KeptColumn, values: readonly FlatValue[]) {
  const isLong = (text: FlatValue): text is string => typeof text === 'string' && text.length > MAX_INLINE_TEXT_LENGTH;
  const texts = values.filter(isLong);
  const distinct = [...new Set(texts)];
  if (distinct.length === texts.length) return null;
  const format = (text: FlatValue): string | null => (isLong(text) ? `${name} ${distinct.indexOf(text) + 1}` : null);
  return {
    columns: [name],
    marks: values.map(format),
    entries: values.map((text) => (isLong(text) ? `${format(text)}: ${formatCellText(text)}` : null)),
  };
}

/** Joins the values of a row with commas, quoted as in https://www.rfc-editor.org/rfc/rfc4180. */
export const joinValues = (values: readonly FlatValue[], maxLength = MAX_CELL_LENGTH): string =>
  values
    .map((value) => formatCellText(value, maxLength))
    .map((text) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text))
    .join(',');

/** Returns untrusted text on one line, without control characters or characters that could end the data block. */
export function formatCellText(value: FlatValue, maxLength = MAX_CELL_LENGTH): string {
  if (value === null) return '';
  const text = escapeDataText(String(value)).replace(INDEX_PAGE_PATTERN, '$1');
  return text.length > maxLength ? `${text.slice(0, maxLength)}… (cut)` : text;
}

export const escapeDataText = (text: string): string => sanitize(text).replaceAll('<', '&lt;');
