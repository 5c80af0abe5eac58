/** Writes what a command reports of itself in the form asked for. */
import { chooseBlocks, chooseRows } from '../output/choose-fields.ts';
import type { RenderedAnswer } from '../output/formats/answer-writer.ts';
import type { GlobalOptions } from './command-line/global-options.ts';
import type { Io } from './io.ts';
import { openOutput } from './pipeline/answer-output.ts';
import { makeEmitter } from './pipeline/make-emitter.ts';
import type { Report } from './utility.ts';

export async function printReport(report: Report, globals: GlobalOptions, io: Io): Promise<void> {
  const outlet = openOutput(io, false);
  const emitter = await makeEmitter(globals, io, false, outlet.write);
  const whole: RenderedAnswer = {
    text: () => [JSON.stringify(report.json, null, 2)],
    rows: () => report.rows,
    view: () => report.view,
  };
  const { fields } = globals;
  const chosen: RenderedAnswer =
    fields === null
      ? whole
      : { ...whole, rows: () => chooseRows(report.rows, fields), view: () => chooseBlocks(whole, fields) };
  emitter.answer(chosen);
  emitter.end();
  await outlet.flush();
}
