/** Reports of utility commands, printed in the format asked for. */

import type { Block } from '../output/blocks.ts';
import { chooseBlocks, chooseRows } from '../output/choose-fields.ts';
import type { RenderedAnswer } from '../output/formats/answer-writer.ts';
import type { Rows } from '../output/rows.ts';
import type { GlobalOptions } from './command-line/global-options.ts';
import type { Io } from './io.ts';
import { openAnswerWriter, openOutput } from './pipeline/answer-output.ts';

/** What a utility command, or `--plan`, shows. */
export interface Report {
  /** The document for `--json`, of plain JSON values. */
  readonly json: unknown;
  readonly rows: Rows;
  readonly view: readonly Block[];
  /** The exit code, where it is not 0 although the command has something to show. */
  readonly exitCode?: number;
}

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
  await writer.end();
  await output.flush();
}
