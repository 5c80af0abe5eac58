/** NDJSON: one JSON object a line. Decimals are strings on the wire and stay strings. */
import type { Value } from '../rows.ts';
import { sanitizeJson } from '../sanitize.ts';
import { type AnswerWriter, type Sink, writeLines } from './answer-writer.ts';

export function ndjsonWriter({ write, isTerminal }: Sink): AnswerWriter {
  return {
    answer: (answer) => {
      const rows = answer.rows();
      writeLines(write, rows, (values) => {
        const text = ndjsonLine(rows.columns, values);
        return isTerminal ? sanitizeJson(text) : text;
      });
    },
    failed: () => undefined,
    end: () => undefined,
  };
}

function ndjsonLine(columns: readonly string[], values: readonly Value[]): string {
  const entries = columns.map((name, index) => `${JSON.stringify(name)}:${JSON.stringify(values[index] ?? null)}`);
  return `{${entries.join(',')}}\n`;
}
