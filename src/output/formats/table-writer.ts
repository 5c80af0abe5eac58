/** Tables and other blocks for people. Loaded on demand. */
import { type PrintOptions, printBlocks } from '../print-blocks.ts';
import type { AnswerWriter, Sink } from './answer-writer.ts';

export interface TableWriterOptions {
  readonly width: number | null;
  readonly exact: boolean;
  readonly colors: boolean;
  /** Draws charts even where there is no terminal. */
  readonly charts?: boolean;
}

export async function tableWriter(sink: Sink, options: TableWriterOptions): Promise<AnswerWriter> {
  const { write, isTerminal, header } = sink;
  const { width, exact, colors, charts = false } = options;
  const print: PrintOptions = {
    width,
    exact,
    header,
    ruled: isTerminal,
    charts: isTerminal || charts,
    saidScales: new Set(),
    ...(colors ? { paint: (await import('../terminal/paint.ts')).painter() } : {}),
  };
  let first = true;
  return {
    answer: ({ view }) => {
      const text = printBlocks(view(), print);
      if (text === '') return;
      write(first ? text : `\n${text}`);
      first = false;
    },
    failed: () => undefined,
    end: () => undefined,
  };
}
