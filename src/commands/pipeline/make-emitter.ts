/** The emitter of the form asked for. Only a table brings the code of tables. */
import type { AnswerWriter, Write } from '../../output/formats/answer-writer.ts';
import { csvWriter } from '../../output/formats/csv.ts';
import { jsonWriter } from '../../output/formats/json.ts';
import { ndjsonWriter } from '../../output/formats/ndjson.ts';
import type { GlobalOptions } from '../command-line/global-options.ts';
import type { Io } from '../io.ts';

export async function makeEmitter(
  { format, exact, header, drawing }: GlobalOptions,
  io: Io,
  several: boolean,
  write: Write,
): Promise<AnswerWriter> {
  if (drawing !== undefined && drawing.form !== 'chart') {
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
      return tableWriter(sink, { width: io.width, exact, header, colors: io.colors, charts: drawing !== undefined });
    }
  }
}
