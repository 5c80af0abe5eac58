/** Makes results that have only rows, and targets that pass the output to a function. */
import type { RenderTarget } from '../../src/render/formats/renderer.ts';
import type { Result } from '../../src/result/result.ts';
import type { FlatRows } from '../../src/result/rows.ts';
import { makeTable } from '../../src/result/table.ts';

export const makeResultOfRows = ({ columns, rows }: FlatRows, changes: Partial<Result> = {}): Result => ({
  ...{ title: null, facts: [], notices: [], meta: {}, document: () => [] },
  tables: [
    makeTable<FlatRows['rows'] extends Iterable<infer Row> ? Row : never>({
      name: 'rows',
      columns: columns.map((key, index) => ({ key, value: (row) => row[index] ?? null })),
      records: () => rows,
    }),
  ],
  ...changes,
});

export const makeTarget = (write: (text: string) => void, changes: Partial<RenderTarget> = {}): RenderTarget => ({
  write: (content) => write(String(content)),
  ...{
    isTerminal: false,
    width: null,
    colors: false,
    header: true,
    exact: false,
    hasSeveralInputs: false,
    showsDefaultCharts: true,
  },
  ...changes,
});
