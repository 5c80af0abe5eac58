/** Reports of utility commands, printed in the format asked for. */
import type { Block } from '../result/blocks.ts';
import { chooseFields, type Result } from '../result/result.ts';
import type { Rows, Value } from '../result/rows.ts';
import { makeTable } from '../result/table.ts';
import type { GlobalOptions } from './command-line/global-options.ts';
import type { Io } from './io.ts';
import { openOutput, openRenderer } from './presentation.ts';

/** The output of a utility command, or of `--plan`. */
export interface Report {
  /** The document for `--json`, of plain JSON values. */
  readonly json: unknown;
  readonly rows: Rows;
  readonly view: readonly Block[];
  /** The exit code if it is not 0 although the command shows a report. */
  readonly exitCode?: number;
}

export async function printReport(report: Report, globals: GlobalOptions, io: Io): Promise<void> {
  // A user who has waited for a build must not also have to press a key.
  const output = openOutput({ ...io, pages: false }, false);
  const presentation = { ...globals, file: null, usualCharts: true };
  const renderer = await openRenderer(presentation, io, false, output);
  const { fields } = globals;
  const result = resultOf(report);
  renderer.answer(fields === null ? result : chooseFields(result, fields));
  await renderer.end();
  await output.flush();
}

/** Converts a report into a result. */
const resultOf = ({ json, rows, view }: Report): Result => ({
  ...{ title: null, facts: [], notices: [], meta: {} },
  tables: [
    makeTable({
      name: 'report',
      columns: rows.columns.map((key, index) => ({ key, value: (row: readonly Value[]) => row[index] ?? null })),
      records: () => rows.rows,
    }),
  ],
  layout: () => view,
  document: () => [JSON.stringify(json, null, 2)],
});
