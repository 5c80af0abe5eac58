/** The emitter of the form asked for. Only a table brings the code of tables. */
import { csvEmitter, type Emitter, jsonEmitter, ndjsonEmitter, type Write } from '../../output/emitter.ts';
import type { Globals } from '../globals.ts';
import type { Io } from '../io.ts';

export async function makeEmitter(
  { format, exact, header, drawing }: Globals,
  io: Io,
  several: boolean,
  write: Write,
): Promise<Emitter> {
  if (drawing !== undefined && drawing.form !== 'chart') {
    const { pictureEmitter } = await import('../../output/chart/picture-emitter.ts');
    return pictureEmitter(drawing.form, write);
  }
  const sink = { write, isTerminal: io.outIsTerminal };
  switch (format) {
    case 'json':
      return jsonEmitter(sink, several);
    case 'ndjson':
      return ndjsonEmitter(sink);
    case 'csv':
      return csvEmitter(sink);
    case 'table': {
      const { tableEmitter } = await import('../../output/table-emitter.ts');
      return tableEmitter(sink, { width: io.width, exact, header, colors: io.colors, charts: drawing !== undefined });
    }
  }
}
