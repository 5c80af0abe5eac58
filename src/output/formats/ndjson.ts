/** NDJSON: one JSON object a line. Decimals are strings on the wire and stay strings. */
import type { Value } from '../rows.ts';
import { sanitizeJson } from '../sanitize.ts';
import { type AnswerWriter, type Sink, writeLines } from './answer-writer.ts';

export function ndjsonWriter({ write, isTerminal }: Sink): AnswerWriter {
  return {
    answer: (answer) => {
      const rows = answer.rows();
      const lineOf = ndjsonLines(rows.columns);
      writeLines(write, rows, (values) => {
        const text = lineOf(values);
        return isTerminal ? sanitizeJson(text) : text;
      });
    },
    failed: () => undefined,
    end: () => undefined,
  };
}

function ndjsonLines(columns: readonly string[]): (values: readonly Value[]) => string {
  const names = columns.map((name, index) => `${index === 0 ? '' : ','}${JSON.stringify(name)}:`);
  // Many cells are those of the row before, such as a company's name.
  const last: Value[] = [];
  const texts: string[] = [];
  return (values) => {
    const entries = names.reduce((text, name, index) => {
      const value = values[index] ?? null;
      if (value !== last[index]) {
        last[index] = value;
        texts[index] = name + cellOf(value);
      }
      return text + texts[index];
    }, '');
    return `{${entries}}\n`;
  };
}

/** What may not be in a JSON text as it is; of other letters than ASCII some may. */
const ESCAPED = /[^ !#-[\]-~]/;

/** Most cells are in JSON as they are: `JSON.stringify` takes longer. */
function cellOf(value: Value): string {
  if (typeof value !== 'string') return String(value);
  return ESCAPED.test(value) ? JSON.stringify(value) : `"${value}"`;
}
