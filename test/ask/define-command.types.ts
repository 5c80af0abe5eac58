/**
 * Definitions of commands that the compiler must refuse. `tsc --noEmit` checks this file: it reports a
 * `@ts-expect-error` whose next line compiles. Vitest does not run the file.
 */
import { defineCommand } from '../../src/ask/command/command.ts';
import type { SecuritySearchHit } from '../../src/contract/resources/securities.ts';
import { makeFieldColumns, makeTable } from '../../src/result/table.ts';

const hits: readonly SecuritySearchHit[] = [];
const table = makeTable({ name: 'companies', columns: makeFieldColumns('ticker', 'cik'), records: () => hits });
const members = { examples: {}, result: () => ({ tables: [table] as const }) } as const;

export const accepted = [
  defineCommand({ operation: 'profile', args: [{ parameter: 'ticker' }], parameters: ['ticker'], ...members }),
  defineCommand({ operation: 'metrics', args: [{ parameter: 'tickers', own: 'Tickers to compare' }], ...members }),
  defineCommand({ operation: 'search', args: [], parameterHelp: { limit: 'Maximum number of rows' }, ...members }),
  makeTable({
    name: 'companies',
    columns: [{ key: 'ticker' }, { key: 'name', value: (hit) => hit.entity_name }, { key: 'link', cell: () => null }],
    records: () => hits,
  }),
];

export const refused = [
  // @ts-expect-error: the operation has no parameter of this name
  defineCommand({ operation: 'profile', args: [{ parameter: 'q' }], ...members }),
  // @ts-expect-error: an argument of another operation
  defineCommand({ operation: 'release', args: [{ parameter: 'ticker' }], ...members }),
  // @ts-expect-error: the operation has no parameter of this name
  defineCommand({ operation: 'profile', args: [], parameters: ['x'], ...members }),
  // @ts-expect-error: the operation has no parameter of this name
  defineCommand({ operation: 'profile', args: [], parameterHelp: { x: 'Help' }, ...members }),
  // @ts-expect-error: no row has the field
  makeTable({ name: 'companies', columns: makeFieldColumns('name'), records: () => hits }),
  // @ts-expect-error: no row has the second field
  makeTable({ name: 'companies', columns: makeFieldColumns('ticker', 'name'), records: () => hits }),
  makeTable<SecuritySearchHit>({
    name: 'companies',
    // @ts-expect-error: no row has the second field
    columns: [...makeFieldColumns('ticker', 'name'), { key: 'cik', align: 'right' }],
    records: () => hits,
  }),
  makeTable<SecuritySearchHit>({
    name: 'companies',
    // @ts-expect-error: no row has the field, and the column has no value or cell of its own
    columns: [{ key: 'name', align: 'right' }],
    records: () => hits,
  }),
  makeTable({
    name: 'companies',
    // @ts-expect-error: no row has the second field
    columns: [{ key: 'ticker' }, { key: 'name', measure: 'money' }],
    records: () => hits,
  }),
  defineCommand({
    operation: 'search',
    args: [],
    examples: {},
    result: ({ items }) => ({
      // @ts-expect-error: no row of the operation has the field
      tables: [makeTable({ name: 'companies', columns: makeFieldColumns('ticker', 'name'), records: items })],
    }),
  }),
];
