/** The result of a question before it is rendered: subject, tables, charts and notices. */
import { failUsage } from '../contract/failure.ts';
import { didYouMean } from '../contract/nearest.ts';
import type { Meta } from '../contract/resources/envelope.ts';
import type { Chart } from './blocks.ts';
import { type Block, type Cell, makeChartBlock, makeFieldsBlock, makeNoteBlock, makeTitleBlock } from './blocks.ts';
import type { Notice } from './notice.ts';
import { type FlatRows, map } from './rows.ts';
import { makeRows, type Table, toTableBlock } from './table.ts';

/** Label and value of a datum outside the rows, such as a total. */
export type LabelledValue = readonly [label: string, value: Cell];

export interface Result {
  /** The subject of the result; null if the rows name the subject. */
  readonly title: string | null;
  readonly facts: readonly LabelledValue[];
  /** Tables in reading order. */
  readonly tables: readonly [Table, ...Table[]];
  /** Name of the table from which programs get rows; by default the first table. */
  readonly rows?: string;
  readonly notices: readonly Notice[];
  readonly meta: Partial<Meta>;
  /** The JSON document in pieces, without a final line break. */
  readonly document: () => Iterable<string>;
  readonly charts?: Charts;
  /** Returns blocks that views show instead of the tables, such as a statement with years side by side. */
  readonly layout?: (surface: DisplaySize) => readonly Block[];
  /** Whether a spreadsheet also has a sheet with the view that a terminal shows, before the sheet of rows. */
  readonly hasSheet?: boolean;
  /** Notes after the tables. */
  readonly notes?: readonly string[];
  /** Total number of rows; null if unknown. */
  readonly total?: number | null;
  /** What the question changes to show the next rows; null if no rows remain or they cannot be requested. */
  readonly more?: NextRowsParameter | null;
  /** The attribution that must be shown with prices, and the address of its terms; null if unknown. */
  readonly attribution?: string | null;
}

/** The parameter of a question that shows the next rows; without an offset, all rows up to the maximum limit. */
export type NextRowsParameter = { readonly offset: number } | { readonly limit: number };

interface Charts {
  /** Whether a terminal shows the charts above the tables by default. */
  readonly isShownByDefault: boolean;
  readonly draw: () => readonly Chart[];
  /** Notes after the charts, such as the meaning of their marks. */
  readonly notes?: () => readonly string[];
}

/** The size of the terminal or document on which a layout is shown: its width in columns; null for unlimited width. */
type DisplaySize = { readonly width: number | null };

/** Returns the blocks of a result in reading order: its own layout, or title, facts, charts and tables; then notes. */
export function makeView(result: Result, surface: DisplaySize = { width: null }): readonly Block[] {
  const { layout, facts, tables, charts, notes = [] } = result;
  if (layout !== undefined) return addAttribution(result, [...layout(surface), ...notes.map(makeNoteBlock)]);
  const grids = tables
    .map((table) => ({ heading: table.title, grid: toTableBlock(table) }))
    .filter(({ grid }) => grid.rows.length > 0);
  return addAttribution(result, [
    ...makeTitleBlocks(result),
    ...(facts.length === 0 ? [] : [makeFieldsBlock(facts)]),
    ...(charts?.isShownByDefault === true ? charts.draw().map(makeChartBlock) : []),
    ...grids.flatMap(({ heading, grid }) => [...(heading === undefined ? [] : [makeTitleBlock(heading)]), grid]),
    ...notes.map(makeNoteBlock),
  ]);
}

/** Returns the charts of a result instead of its tables. */
export function makeChartView(result: Result): readonly Block[] {
  const { facts, charts } = result;
  const drawn = charts?.draw() ?? [];
  return addAttribution(result, [
    ...makeTitleBlocks(result),
    ...(facts.length === 0 || charts?.isShownByDefault !== true ? [] : [makeFieldsBlock(facts)]),
    ...(drawn.length === 0 ? [makeNoteBlock('The answer has no values for a chart.')] : drawn.map(makeChartBlock)),
    ...(charts?.notes?.() ?? []).map(makeNoteBlock),
  ]);
}

const makeTitleBlocks = (result: Result): Block[] => (result.title === null ? [] : [makeTitleBlock(result.title)]);

const addAttribution = (result: Result, blocks: readonly Block[]): readonly Block[] =>
  result.attribution != null && hasPrices(result) ? [...blocks, makeNoteBlock(result.attribution)] : blocks;

/** Returns the table from which programs get rows. */
export const findMainTable = ({ tables, rows }: Pick<Result, 'tables' | 'rows'>): Table =>
  tables.find(({ name }) => name === rows) ?? tables[0];

const ATTRIBUTION_COLUMN = 'attribution';

/** Whether the main table has a column of prices or of figures derived from them. */
export const hasPrices = (result: Pick<Result, 'tables' | 'rows'>): boolean =>
  findMainTable(result).columns.some(({ priced }) => priced === true);

/**
 * Returns the main table's rows for programs. If the table has prices, adds a last column `attribution`, unless
 * `--fields` has already placed it.
 */
export function makeFlatRows(result: Result): FlatRows {
  const { columns, rows } = makeRows(findMainTable(result));
  const { attribution = null } = result;
  if (!hasPrices(result) || columns.includes(ATTRIBUTION_COLUMN)) return { columns, rows };
  return { columns: [...columns, ATTRIBUTION_COLUMN], rows: map(rows, (row) => [...row, attribution]) };
}

/**
 * Returns the result with only the named table. An unknown name is a defect here, because the user's choice was checked
 * before.
 */
export function keepOnlyTable(result: Result, name: string): Result {
  const chosen = result.tables.find((table) => table.name === name);
  if (chosen === undefined) throw new Error(`no table ${name}`);
  const { shownKeys: _, title: __, ...table } = chosen;
  return makeOneTableResult(result, table);
}

/**
 * Returns the result with only the named columns, in the order of the names. Throws a usage Failure for an unknown
 * name.
 */
export function keepOnlyColumns(result: Result, names: readonly string[]): Result {
  const { title: _, section: __, ...table } = findMainTable(result);
  const attribution = { key: ATTRIBUTION_COLUMN, value: () => result.attribution ?? null, priced: true };
  const known = hasPrices(result) ? [...table.columns, attribution] : table.columns;
  const fields = known.map(({ key }) => key);
  const columns = names.map((name) => {
    const column = known.find(({ key }) => key === name);
    if (column !== undefined) return column;
    const text = `Unknown column ${JSON.stringify(name)} in --fields.${didYouMean(name, fields)}`;
    return failUsage(text, `Columns: ${fields.join(', ')}`);
  });
  return makeOneTableResult(result, { ...table, columns, shownKeys: names });
}

const makeOneTableResult = ({ charts: _, layout: __, rows: ___, ...result }: Result, table: Table): Result => ({
  ...result,
  title: null,
  facts: [],
  notes: [],
  tables: [table],
  hasSheet: false,
});
