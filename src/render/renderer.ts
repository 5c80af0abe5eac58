/** What an output format is: a renderer of results, and a file for each. */

import type { Result } from '../result/result.ts';
import { flatRows } from '../result/result.ts';
import type { Value } from '../result/rows.ts';
import { sanitize } from './sanitize.ts';

/** Takes results in the order of the questions and writes each immediately, so that memory stays constant. */
export interface Renderer {
  answer(result: Result): void;
  /** An input that failed; it keeps its place in formats that have places. */
  failed(input: string, problem: object): void;
  /** Settles when all is written. */
  end(): void | Promise<void>;
}

export interface RenderTarget {
  readonly write: (content: string | Uint8Array) => void;
  /** Whether untrusted text must be sanitized for a terminal. */
  readonly isTerminal: boolean;
  /** Columns of the terminal, or null. */
  readonly width: number | null;
  readonly colors: boolean;
  /** Whether tables, and rows that have a header, begin with it. */
  readonly header: boolean;
  /** Whether figures keep every digit. */
  readonly exact: boolean;
  /** Whether the answer is of several inputs. */
  readonly several: boolean;
  /** Whether a terminal draws the charts that it shows unasked. */
  readonly usualCharts: boolean;
}

const CHUNK_LENGTH = 65_536;

/** Writes a line for each row, in chunks: one write for each row would take longer than making it. */
export function writeLines(
  { write }: Pick<RenderTarget, 'write'>,
  rows: Iterable<readonly Value[]>,
  line: (row: readonly Value[]) => string,
): void {
  let chunk = '';
  for (const row of rows) {
    chunk += line(row);
    if (chunk.length >= CHUNK_LENGTH) {
      write(chunk);
      chunk = '';
    }
  }
  if (chunk !== '') write(chunk);
}

/** A header and a line for each row. The header is the first result's: all answer one question, so have the same columns. */
export function delimitedRenderer(target: RenderTarget, line: (row: readonly Value[]) => string): Renderer {
  let begun = false;
  return {
    answer: (result) => {
      const { columns, rows } = flatRows(result);
      if (target.header && !begun && columns.length > 0) target.write(line(columns));
      begun = true;
      const safe = (value: Value): Value => (target.isTerminal && typeof value === 'string' ? sanitize(value) : value);
      writeLines(target, rows, (values) => line(values.map(safe)));
    },
    failed: () => undefined,
    end: () => undefined,
  };
}
