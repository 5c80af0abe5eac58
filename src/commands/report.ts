/** Reports of utility commands, printed in the format asked for. */

import type { Block } from '../output/blocks.ts';
import { chooseBlocks, chooseRows } from '../output/choose-fields.ts';
import type { RenderedAnswer } from '../output/formats/answer-writer.ts';
import type { Rows } from '../output/rows.ts';
import type { GlobalOptions } from './command-line/global-options.ts';
import type { Io } from './io.ts';
import { openAnswerWriter, openOutput } from './pipeline/answer-output.ts';
import type { Drawing } from './pipeline/question-options.ts';

/** What a utility command, or `--plan`, shows. */
export interface Report {
  /** The document for `--json`, of plain JSON values. */
  readonly json: unknown;
  readonly rows: Rows;
  readonly view: readonly Block[];
  /** The exit code, where it is not 0 although the command has something to show. */
  readonly exitCode?: number;
  /** What it is of, such as its release, as labels and texts: for spreadsheets. */
  readonly about?: readonly (readonly [label: string, text: string])[];
}

/** @param drawing a spreadsheet in place of what is printed; null for none */
export async function printReport(
  report: Report,
  globals: GlobalOptions,
  io: Io,
  drawing: Drawing | null = null,
): Promise<void> {
  const output = openOutput(io, false);
  const writer = await openAnswerWriter({ ...globals, drawing }, io, false, output.write);
  const whole: RenderedAnswer = {
    text: () => [JSON.stringify(report.json, null, 2)],
    rows: () => report.rows,
    view: () => report.view,
    about: () => report.about ?? [],
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
