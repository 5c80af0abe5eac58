/** Where answers go: the writer of the format asked for, and the stream, pager or file behind it. */
import type { AnswerWriter, Write } from '../../output/formats/answer-writer.ts';
import { csvWriter } from '../../output/formats/csv.ts';
import { jsonWriter } from '../../output/formats/json.ts';
import { ndjsonWriter } from '../../output/formats/ndjson.ts';
import { writeAtomically } from '../../platform/atomic-write.ts';
import { systemFailure } from '../../platform/system-error.ts';
import type { GlobalOptions } from '../command-line/global-options.ts';
import type { Io, OutputTarget } from '../io.ts';
import type { Drawing } from './drawing.ts';

/** How answers are shown. */
export interface Presentation extends Pick<GlobalOptions, 'format' | 'fields' | 'exact' | 'header' | 'quiet'> {
  readonly drawing: Drawing | null;
}

export interface AnswerOutput {
  write(text: string): void;
  /** Logs a line that belongs to the answer: below it, where that is buffered. */
  log(line: string): void;
  /** Writes what is buffered. */
  flush(): Promise<void>;
}

/** @param buffered whether nothing may be written before `flush`; a terminal's pager must have all of it too */
export function openOutput(target: OutputTarget, buffered: boolean): AnswerOutput {
  if (!buffered && !target.pages) return { write: target.print, log: target.log, flush: async () => undefined };
  const [texts, lines]: [string[], string[]] = [[], []];
  return {
    write: (text) => {
      texts.push(text);
    },
    log: (line) => {
      lines.push(line);
    },
    async flush() {
      if (target.pages) await target.page(texts.join(''));
      else for (const text of texts) target.print(text);
      for (const line of lines) target.log(line);
      texts.length = 0;
      lines.length = 0;
    },
  };
}

/** Stdout and its pager, or the file of a picture in its place. */
export function outputTarget({ drawing, quiet }: Presentation, io: Io): OutputTarget {
  const file = drawing?.file ?? null;
  if (file === null) return io;
  const print = (text: string): void => {
    try {
      writeAtomically(file, text, { mode: 0o666, makeDirectory: false });
    } catch (cause) {
      const advice = 'Its directory must exist, and you must be allowed to write to it.';
      throw systemFailure('usage', `${file} cannot be written`, cause, advice);
    }
    if (!quiet) io.log(`Written: ${file}`);
  };
  return { print, log: io.log, page: io.page, pages: false };
}

/** Only a table or a picture loads the code of tables and charts. */
export async function openAnswerWriter(
  { format, exact, header, drawing }: Presentation,
  io: Io,
  several: boolean,
  write: Write,
): Promise<AnswerWriter> {
  if (drawing !== null && drawing.form !== 'chart') {
    const { documentWriter } = await import('../../output/formats/document-writer.ts');
    return documentWriter(drawing.form, write);
  }
  const sink = { write, isTerminal: io.outIsTerminal };
  switch (format) {
    case 'json':
      return jsonWriter(sink, several);
    case 'ndjson':
      return ndjsonWriter(sink);
    case 'csv':
      return csvWriter(sink);
    case 'table': {
      const { tableWriter } = await import('../../output/formats/table-writer.ts');
      return tableWriter(sink, { width: io.width, exact, header, colors: io.colors, charts: drawing !== null });
    }
  }
}
