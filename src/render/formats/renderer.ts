/** The interface of output formats. */

import { makeFlatRows, type Result } from '../../result/result.ts';
import type { FlatValue } from '../../result/rows.ts';
import { sanitize } from '../text/sanitize.ts';

/**
 * Receives results in the order of the inputs. Renderers of tables and rows write each result immediately, so that
 * memory use stays constant; renderers of SVG, HTML and Excel files write all results at the end.
 */
export interface Renderer {
  answer(result: Result): void;
  /**
   * Handles a failed input. JSON for several inputs has the problem in place of the answer; other formats ignore it.
   */
  addFailure(input: string, problem: object): void;
  /** Ends the output. Resolves when everything is written. */
  end(): void | Promise<void>;
}

export interface RenderTarget {
  readonly write: (content: string | Uint8Array) => void;
  /** Whether untrusted text must be sanitized for a terminal. */
  readonly isTerminal: boolean;
  /** Width of the terminal in columns; null without a terminal. */
  readonly width: number | null;
  readonly colors: boolean;
  /** Whether tables and rows start with a header. */
  readonly header: boolean;
  /** Whether figures are shown with all digits. */
  readonly exact: boolean;
  readonly hasSeveralInputs: boolean;
  /** Whether to draw the charts that some commands show on a terminal by default; false with `--no-chart`. */
  readonly showsDefaultCharts: boolean;
}

const MIN_CHUNK_LENGTH = 65_536;

/**
 * Writes one line per row. Lines are joined into chunks, because one write per row would take longer than formatting
 * the rows.
 */
export function writeLines(
  { write }: Pick<RenderTarget, 'write'>,
  rows: Iterable<readonly FlatValue[]>,
  format: (row: readonly FlatValue[]) => string,
): void {
  let chunk = '';
  for (const row of rows) {
    chunk += format(row);
    if (chunk.length >= MIN_CHUNK_LENGTH) {
      write(chunk);
      chunk = '';
    }
  }
  if (chunk !== '') write(chunk);
}

/**
 * Returns a renderer of a header and one line per row. All results have the same columns, so the first result's header
 * is used.
 */
export function createDelimitedRenderer(target: RenderTarget, format: (row: readonly FlatValue[]) => string): Renderer {
  let begun = false;
  return {
    answer: (result) => {
      const { columns, rows } = makeFlatRows(result);
      const sanitizeValue = (value: FlatValue): FlatValue =>
        target.isTerminal && typeof value === 'string' ? sanitize(value) : value;
      if (target.header && !begun && columns.length > 0) target.write(format(columns.map(sanitizeValue)));
      begun = true;
      writeLines(target, rows, (values) => format(values.map(sanitizeValue)));
    },
    addFailure: () => undefined,
    end: () => undefined,
  };
}
