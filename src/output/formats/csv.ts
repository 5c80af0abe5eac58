/** CSV as in RFC 4180 (https://www.rfc-editor.org/rfc/rfc4180): always a header, lines ended by CR LF. */
import { isDecimal } from '../../contract/decimal-text.ts';
import type { Value } from '../rows.ts';
import { sanitize } from '../sanitize.ts';
import { type AnswerWriter, type Sink, writeLines } from './answer-writer.ts';

/** One header, from the first answer: the others answer the same question, so they have the same columns. */
export function csvWriter({ write, isTerminal }: Sink): AnswerWriter {
  let begun = false;
  return {
    answer: (answer) => {
      const rows = answer.rows();
      if (!begun && rows.columns.length > 0) write(csvLine(rows.columns));
      begun = true;
      const safe = (value: Value): Value => (isTerminal && typeof value === 'string' ? sanitize(value) : value);
      writeLines(write, rows, (values) => csvLine(values.map(safe)));
    },
    failed: () => undefined,
    end: () => undefined,
  };
}

export function csvLine(values: readonly Value[]): string {
  return `${values.map(csvCell).join(',')}\r\n`;
}

function csvCell(value: Value): string {
  if (value === null) return '';
  const text = typeof value === 'string' ? withoutFormula(value) : String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A spreadsheet would run text with such a beginning as a formula; an apostrophe makes it text. Numbers stay as they are. */
function withoutFormula(text: string): string {
  return /^[=+\-@\t\r]/.test(text) && !isDecimal(text) ? `'${text}` : text;
}
