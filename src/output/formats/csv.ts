/** CSV after RFC 4180: a header always, lines ended by CR LF, figures with the digits they came with. */
import { isDecimal } from '../../contract/decimal-text.ts';
import type { Value } from '../rows.ts';

export function csvLine(values: readonly Value[]): string {
  return `${values.map(cell).join(',')}\r\n`;
}

function cell(value: Value): string {
  if (value === null) return '';
  const text = typeof value === 'string' ? safe(value) : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A spreadsheet would run text with such a beginning as a formula; an apostrophe makes it text. Figures stay as they are. */
function safe(text: string): string {
  return /^[=+\-@\t\r]/.test(text) && !isDecimal(text) ? `'${text}` : text;
}
