/** Prints the report of a utility command in the format asked for. */
import { chooseBlocks, chooseRows } from '../output/choose-fields.ts';
import type { RenderedAnswer } from '../output/formats/answer-writer.ts';
import type { GlobalOptions } from './command-line/global-options.ts';
import type { Io } from './io.ts';
import { openAnswerWriter, openOutput } from './pipeline/answer-output.ts';
import type { Report } from './utilities/utility.ts';

export async function printReport(report: Report, globals: GlobalOptions, io: Io): Promise<void> {
  const output = openOutput(io, false);
  const writer = await openAnswerWriter({ ...globals, drawing: null }, io, false, output.write);
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
  writer.answer(chosen);
  writer.end();
  await output.flush();
}
