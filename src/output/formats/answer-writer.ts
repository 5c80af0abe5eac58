/**
 * The four forms of an answer. An emitter takes answers one by one, in the order of what was asked,
 * and writes each as soon as it has it: nothing is collected.
 */
import type { Block } from '../blocks.ts';
import type { Rows } from '../rows.ts';
import { sanitize, sanitizeJson } from '../sanitize.ts';
import { csvLine } from './csv.ts';
import { ndjsonLine } from './ndjson.ts';

/** One answer, each form made only when it is the one to be written. */
export interface RenderedAnswer {
  /** The document, the service's own where it is one answer, without a last line break; in pieces where it is long. */
  readonly text: () => Iterable<string>;
  readonly rows: () => Rows;
  readonly view: () => readonly Block[];
}

export interface AnswerWriter {
  answer(part: RenderedAnswer): void;
  /** One of several that has no answer; it keeps its place where the form has places. */
  failed(input: string, problem: object): void;
  end(): void;
}

export type Write = (text: string) => void;

export interface Sink {
  readonly write: Write;
  readonly isTerminal: boolean;
}

/** One document: the envelope to the byte, or an array of them where several were asked for. */
export function jsonWriter({ write, isTerminal }: Sink, several: boolean): AnswerWriter {
  const safe = (text: string): string => (isTerminal ? sanitizeJson(text) : text);
  if (!several) {
    return {
      answer: ({ text }) => {
        for (const piece of text()) write(safe(piece));
        write('\n');
      },
      failed: () => undefined,
      end: () => undefined,
    };
  }
  let count = 0;
  const item = (text: Iterable<string>): void => {
    write(count === 0 ? '[\n' : ',\n');
    for (const piece of text) write(safe(piece));
    count += 1;
  };
  return {
    answer: ({ text }) => item(text()),
    failed: (input, problem) => item([JSON.stringify({ input, problem })]),
    end: () => write(count === 0 ? '[]\n' : '\n]\n'),
  };
}

export function ndjsonWriter({ write, isTerminal }: Sink): AnswerWriter {
  return {
    answer: ({ rows }) => {
      const { columns, rows: lines } = rows();
      const line = (values: Rows['rows'] extends Iterable<infer Row> ? Row : never): string => {
        const text = ndjsonLine(columns, values);
        return isTerminal ? sanitizeJson(text) : text;
      };
      writeLines(write, lines, line);
    },
    failed: () => undefined,
    end: () => undefined,
  };
}

/** One header, from the first answer; those after it have the same columns, since they answer the same question. */
export function csvWriter({ write, isTerminal }: Sink): AnswerWriter {
  let begun = false;
  return {
    answer: ({ rows }) => {
      const { columns, rows: lines } = rows();
      if (!begun && columns.length > 0) write(csvLine(columns));
      begun = true;
      writeLines(write, lines, (values) =>
        csvLine(isTerminal ? values.map((value) => (typeof value === 'string' ? sanitize(value) : value)) : values),
      );
    },
    failed: () => undefined,
    end: () => undefined,
  };
}

const CHUNK = 65_536;

/** Lines in chunks: a write for each would take longer than making them, one for all would hold them twice. */
function writeLines<Row>(write: Write, rows: Iterable<Row>, line: (row: Row) => string): void {
  let chunk = '';
  for (const row of rows) {
    chunk += line(row);
    if (chunk.length >= CHUNK) {
      write(chunk);
      chunk = '';
    }
  }
  if (chunk !== '') write(chunk);
}
