/** The interface of output formats: a renderer of results. */

import type { Result } from '../result/result.ts';
import { flatRows } from '../result/result.ts';
import type { Value } from '../result/rows.ts';
import { sanitize } from './sanitize.ts';

/** Receives results in the order of the questions and writes each immediately, so that memory stays constant. */
export interface Renderer {
  answer(result: Result): void;
  /** Handles a failed input, which keeps its place in formats with places. */
  addFailure(input: string, problem: object): void;
  /** Resolves when everything is written. */
  end(): void | Promise<void>;
}

export interface RenderTarget {
  readonly write: (content: string | Uint8Array) => void;
  /** Whether untrusted text must be sanitized for a terminal. */
  readonly isTerminal: boolean;
  /** Columns of the terminal, or null. */
  readonly width: number | null;
  readonly colors: boolean;
  /** Whether tables and rows begin with a header. */
  readonly header: boolean;
  /** Whether figures keep all digits. */
  readonly exact: boolean;
  /** Whether there are several inputs. */
  readonly several: boolean;
  /** Whether a terminal shows charts without an option. */
  readonly usualCharts: boolean;
}

const CHUNK_LENGTH = 65_536;

/** Writes a line per row, in chunks: one write per row would take longer than formatting it. */
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

/** Writes a header and a line per row. The header is that of the first result: all results have the same columns. */
export function delimitedRenderer(target: RenderTarget, line: (row: readonly Value[]) => string): Renderer {
  let hasBegun = false;
  return {
    answer: (result) => {
      const { columns, rows } = flatRows(result);
      if (target.header && !hasBegun && columns.length > 0) target.write(line(columns));
      hasBegun = true;
      const sanitizeValue = (value: Value): Value =>
        target.isTerminal && typeof value === 'string' ? sanitize(value) : value;
      writeLines(target, rows, (values) => line(values.map(sanitizeValue)));
    },
    addFailure: () => undefined,
    end: () => undefined,
  };
}
