/**
 * Formats with one line per row: CSV, TSV and NDJSON. CSV follows RFC 4180 (https://www.rfc-editor.org/rfc/rfc4180), with
 * an optional header and CR LF line endings.
 */
import { isDecimal } from '../../contract/decimal-text.ts';
import { makeFlatRows } from '../../result/result.ts';
import type { FlatRows, FlatValue } from '../../result/rows.ts';
import { sanitize, sanitizeJson } from '../text/sanitize.ts';
import type { Renderer, RenderTarget } from './renderer.ts';

type RowFormat = (row: readonly FlatValue[]) => string;

const MIN_CHUNK_LENGTH = 65_536;

/**
 * Writes one line per row. Lines are joined into chunks, because one write per row would take longer than formatting
 * the rows.
 */
function writeLines({ write }: RenderTarget, rows: FlatRows['rows'], format: RowFormat): void {
  let chunk = '';
  for (const row of rows) {
    chunk += format(row);
    if (chunk.length >= MIN_CHUNK_LENGTH) {
      write(chunk);
      chunk = '';
    }
  }
  if (chunk !== '') write(chunk);
}

/**
 * Returns a renderer of a header and one line per row. All results have the same columns, so the first result's header
 * is used.
 */
function createDelimitedRenderer(target: RenderTarget, format: RowFormat): Renderer {
  let begun = false;
  return {
    answer: (result) => {
      const { columns, rows } = makeFlatRows(result);
      const clean = (value: FlatValue) => (target.isTerminal && typeof value === 'string' ? sanitize(value) : value);
      if (target.header && !begun && columns.length > 0) target.write(format(columns.map(clean)));
      begun = true;
      writeLines(target, rows, (values) => format(values.map(clean)));
    },
  };
}

export const createCsvRenderer = (target: RenderTarget): Renderer => createDelimitedRenderer(target, formatCsvLine);

export const formatCsvLine = (values: readonly FlatValue[]): string => `${values.map(formatCsvCell).join(',')}\r\n`;

/** TSV has no quoting, so tabs and line breaks in text become spaces. */
export const createTsvRenderer = (target: RenderTarget): Renderer =>
  createDelimitedRenderer(target, (values) => `${values.map(formatTsvCell).join('\t')}\n`);

const formatTsvCell = (value: FlatValue): string =>
  value === null ? '' : (typeof value === 'string' ? disableFormula(value) : String(value)).replace(/[\t\r\n]+/g, ' ');

function formatCsvCell(value: FlatValue): string {
  if (value === null) return '';
  const text = typeof value === 'string' ? disableFormula(value) : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Puts an apostrophe before text that a spreadsheet would run as a formula, including text with full-width signs.
 * Numbers are unchanged.
 */
const disableFormula = (text: string): string =>
  /^[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n]/.test(text) && !isDecimal(text) ? `'${text}` : text;

/** NDJSON: one JSON object per line. Decimals are strings in responses and remain strings. */
export const createNdjsonRenderer = (target: RenderTarget): Renderer => ({
  answer: (result) => {
    const { columns, rows } = makeFlatRows(result);
    const formatLine = createLineFormatter(columns);
    writeLines(target, rows, (values) => {
      const text = formatLine(values);
      return target.isTerminal ? sanitizeJson(text) : text;
    });
  },
});

function createLineFormatter(columns: readonly string[]): RowFormat {
  const prefixes = columns.map((name, index) => `${index === 0 ? '' : ','}${JSON.stringify(name)}:`);
  // Caches the previous row's cells, because many cells are equal in the next row (a company's name, for example).
  const previous: FlatValue[] = [];
  const cells: string[] = [];
  return (values) => {
    const entries = prefixes.reduce((text, name, index) => {
      const value = values[index] ?? null;
      if (value !== previous[index]) {
        previous[index] = value;
        cells[index] = name + encodeValue(value);
      }
      return text + cells[index];
    }, '');
    return `{${entries}}\n`;
  };
}

/** Matches text that is encoded by JSON.stringify: text with characters that need escapes, and any non-ASCII text. */
const ESCAPED_CHARACTER_PATTERN = /[^ !#-[\]-~]/;

/** Encodes a value as JSON. Text without escapes is only quoted, because `JSON.stringify` is slower. */
function encodeValue(value: FlatValue): string {
  if (typeof value !== 'string') return String(value);
  return ESCAPED_CHARACTER_PATTERN.test(value) ? JSON.stringify(value) : `"${value}"`;
}
