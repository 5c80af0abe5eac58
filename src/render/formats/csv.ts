/**
 * CSV and TSV. CSV follows RFC 4180 (https://www.rfc-editor.org/rfc/rfc4180), with an optional header and CR LF line
 * endings.
 */
import { isDecimal } from '../../contract/decimal-text.ts';
import type { FlatValue } from '../../result/rows.ts';
import { createDelimitedRenderer, type Renderer, type RenderTarget } from './renderer.ts';

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
