/**
 * CSV and TSV. CSV follows RFC 4180 (https://www.rfc-editor.org/rfc/rfc4180): with an optional header, and lines that
 * end in CR LF.
 */
import { isDecimal } from '../../contract/decimal-text.ts';
import type { Value } from '../../result/rows.ts';
import { delimitedRenderer, type Renderer, type RenderTarget } from '../renderer.ts';

export const csvRenderer = (target: RenderTarget): Renderer => delimitedRenderer(target, csvLine);

export function csvLine(values: readonly Value[]): string {
  return `${values.map(csvCell).join(',')}\r\n`;
}

/** Tab-separated values have no quotes, so a tab or line break in a text becomes a space. */
export const tsvRenderer = (target: RenderTarget): Renderer =>
  delimitedRenderer(target, (values) => `${values.map(tsvCell).join('\t')}\n`);

const tsvCell = (value: Value): string =>
  value === null ? '' : (typeof value === 'string' ? withoutFormula(value) : String(value)).replace(/[\t\r\n]+/g, ' ');

function csvCell(value: Value): string {
  if (value === null) return '';
  const text = typeof value === 'string' ? withoutFormula(value) : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/**
 * Spreadsheets run text with such a beginning as a formula, full-width signs included; an apostrophe makes it text.
 * Numbers are unchanged.
 */
function withoutFormula(text: string): string {
  return /^[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n]/.test(text) && !isDecimal(text) ? `'${text}` : text;
}
