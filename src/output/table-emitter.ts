/** Answers for people. Loaded only when a table is asked for. */
import type { Emitter, Sink } from './emitter.ts';
import { type PrintOptions, printBlocks } from './print.ts';

export interface TableOptions {
  readonly width: number | null;
  readonly exact: boolean;
  readonly header: boolean;
  readonly colors: boolean;
  /** Draws charts even where there is no terminal. */
  readonly charts?: boolean;
}

export async function tableEmitter({ write, isTerminal }: Sink, options: TableOptions): Promise<Emitter> {
  const { width, exact, header, colors, charts = false } = options;
  const print: PrintOptions = {
    width,
    exact,
    header,
    charts: isTerminal || charts,
    ...(colors ? { paint: (await import('./paint.ts')).painter() } : {}),
    ...(isTerminal ? { draw: (await import('./terminal-table.ts')).drawTerminal } : {}),
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
