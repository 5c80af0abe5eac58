/** What an output format is: an answer writer, and a file of this folder for each. */
import type { Block } from '../blocks.ts';
import type { Rows, Value } from '../rows.ts';
import { sanitize } from '../sanitize.ts';

/** One answer, each form made only when it is the one to be written. */
export interface RenderedAnswer {
  /** The JSON document, as the service sent it where it is one answer; in pieces, without a last line break. */
  readonly text: () => Iterable<string>;
  readonly rows: () => Rows;
  readonly view: () => readonly Block[];
  /** The tables that a spreadsheet has before its rows. */
  readonly sheet?: () => readonly Block[];
  /** What the answer is of, such as its release, as labels and texts. */
  readonly about?: () => readonly (readonly [label: string, text: string])[];
  /** The filings that its rows name, as a table. */
  readonly filings?: () => readonly Block[];
}

/** Takes answers in the order of the questions and writes each at once, so that memory stays constant. */
export interface AnswerWriter {
  answer(answer: RenderedAnswer): void;
  /** An input that failed; it keeps its place in formats that have places. */
  failed(input: string, problem: object): void;
  /** Settles when all is written. */
  end(): void | Promise<void>;
}

export type Write = (text: string) => void;

export interface Sink {
  readonly write: Write;
  /** Whether untrusted text must be sanitized for a terminal. */
  readonly isTerminal: boolean;
  /** Whether tables, and rows that have a header, begin with it. */
  readonly header: boolean;
}

const CHUNK = 65_536;

/** Writes a line for each row, in chunks: one write for each row would take longer than making it. */
export function writeLines(write: Write, { rows }: Rows, line: (row: readonly Value[]) => string): void {
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

/** A header and a line for each row. The header is the first answer's: all answer the same question, so have the same columns. */
export function delimitedWriter(
  { write, isTerminal, header }: Sink,
  line: (row: readonly Value[]) => string,
): AnswerWriter {
  let begun = false;
  return {
    answer: (answer) => {
      const rows = answer.rows();
      if (header && !begun && rows.columns.length > 0) write(line(rows.columns));
      begun = true;
      const safe = (value: Value): Value => (isTerminal && typeof value === 'string' ? sanitize(value) : value);
      writeLines(write, rows, (values) => line(values.map(safe)));
    },
    failed: () => undefined,
    end: () => undefined,
  };
}
