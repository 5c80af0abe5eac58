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
  // The same in every line.
  const names = columns.map((name, index) => `${index === 0 ? '' : ','}${JSON.stringify(name)}:`);
  return (values) => {
    const entries = names.reduce((text, name, index) => text + name + cellOf(values[index] ?? null), '');
    return `{${entries}}\n`;
  };
}

/** What is no text is as JSON has it: `JSON.stringify` takes longer. */
const cellOf = (value: Value): string => (typeof value === 'string' ? JSON.stringify(value) : String(value));
