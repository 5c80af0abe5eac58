/** Prints the reports of utility commands in the requested format. */
import { keepOnlyColumns, type Result } from '../../result/result.ts';
import type { FlatValue } from '../../result/rows.ts';
import { makeTable } from '../../result/table.ts';
import type { GlobalOptionValues } from '../command-line/global-options.ts';
import type { Io } from '../command-line/io.ts';
import type { Report } from '../command-line/utility.ts';
import { openOutput, openRenderer } from './presentation.ts';

export async function printReport(report: Report, globals: GlobalOptionValues, io: Io): Promise<void> {
  // Uses no pager, because users who waited for a long build should not have to press a key to end the command.
  const output = openOutput({ ...io, pages: false }, false);
  const presentation = { ...globals, file: null, showsDefaultCharts: true };
  const renderer = await openRenderer(presentation, io, false, output);
  const { fields } = globals;
  const result = toResult(report);
  renderer.answer(fields === null ? result : keepOnlyColumns(result, fields));
  await renderer.end();
  await output.flush();
}

/** Converts a report to a result, so that the usual renderers print it. */
const toResult = ({ json, rows, view }: Report): Result => ({
  ...{ title: null, facts: [], notices: [], meta: {} },
  tables: [
    makeTable({
      name: 'report',
      columns: rows.columns.map((key, index) => ({ key, value: (row: readonly FlatValue[]) => row[index] ?? null })),
      records: () => rows.rows,
    }),
  ],
  layout: () => view,
  document: () => [JSON.stringify(json, null, 2)],
});
