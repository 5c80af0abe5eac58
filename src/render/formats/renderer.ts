/** The interface of output formats. */

import type { Result } from '../../result/result.ts';

/**
 * Receives results in the order of the inputs. Renderers of tables and rows write each result immediately, so that
 * memory use stays constant; renderers of SVG, HTML and Excel files write all results at the end.
 */
export interface Renderer {
  answer(result: Result): void;
  /**
   * Handles a failed input. JSON for several inputs has the problem in place of the answer; other formats ignore it.
   */
  addFailure?(input: string, problem: object): void;
  /** Ends the output, for formats that write something at the end. Resolves when everything is written. */
  end?(): void | Promise<void>;
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
