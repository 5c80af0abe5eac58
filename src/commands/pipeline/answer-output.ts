/** Where an answer goes while it is made: straight out, or held until it is known whether and how it is to be shown. */
import type { OutputTarget } from '../io.ts';

export interface AnswerOutput {
  write(text: string): void;
  /** A line on stderr that goes with the answer: under it, where it is held. */
  log(line: string): void;
  /** Writes what is held; what was written straight out is out already. */
  flush(): Promise<void>;
}

/** @param withheld whether nothing may be written before `flush`; a terminal's pager must see all of it too */
export function openOutput(io: OutputTarget, withheld: boolean): AnswerOutput {
  if (!withheld && !io.pages) return { write: io.print, log: io.log, flush: async () => undefined };
  const [texts, lines]: [string[], string[]] = [[], []];
  return {
    write: (text) => {
      texts.push(text);
    },
    log: (line) => {
      lines.push(line);
    },
    async flush() {
      if (io.pages) await io.page(texts.join(''));
      else for (const text of texts) io.print(text);
      for (const line of lines) io.log(line);
      texts.length = 0;
      lines.length = 0;
    },
  };
}
