/** What an answer is before anybody looks at it: tables, notices and what they are of. Renderers show it; nothing else does. */
import { Failure } from '../contract/failure.ts';
import { didYouMean } from '../contract/nearest.ts';
import type { Meta } from '../contract/resources/envelope.ts';
import type { Call } from '../contract/text.ts';
import { type Block, type Cell, chartBlock, fields, note, title } from './blocks.ts';
import type { Chart } from './chart.ts';
import type { Notice } from './notice.ts';
import { map, type Rows } from './rows.ts';
import { gridOf, rowsOf, type Table } from './table.ts';

/** What is known beside the rows, such as a total. */
export type Fact = readonly [label: string, value: Cell];

export interface Result {
  /** What it is of; null where the rows say so. */
  readonly title: string | null;
  readonly facts: readonly Fact[];
  /** In the order in which people read them. */
  readonly tables: readonly [Table, ...Table[]];
  /** The table that rows for programs are made from, by name; by default the first. */
  readonly rows?: string;
  readonly notices: readonly Notice[];
  readonly meta: Partial<Meta>;
  /** The document of JSON, in pieces, without a last line break. */
  readonly document: () => Iterable<string>;
  readonly charts?: Charts;
  /** Lays it out for people in place of its tables, such as years side by side. */
  readonly layout?: (surface: Surface) => readonly Block[];
  /** Whether a spreadsheet has the layout too, before the rows. */
  readonly hasSheet?: boolean;
  /** Notes under the tables. */
  readonly notes?: readonly string[];
  /** How many rows there are, and the call for more; null where a page is not counted, or is whole. */
  readonly total?: number | null;
  readonly more?: Call | null;
  /** The sentence that must stand with columns of the price feed, and its terms; null where it is not known. */
  readonly attribution?: string | null;
  /** The exit code of a command that has something to show although some of it failed. */
  readonly exitCode?: number;
}

export interface Charts {
  /** Whether a terminal draws them above the tables unasked. */
  readonly usual: boolean;
  readonly draw: () => readonly Chart[];
  /** Notes under the charts, such as what their marks mean. */
  readonly notes?: () => readonly string[];
}

/** Where a layout is shown. */
export interface Surface {
  /** Columns of a terminal; null where nothing may be cut. */
  readonly width: number | null;
}

const COMPLETE: Surface = { width: null };

/** Blocks as people read them: title, facts, charts, tables, notes. */
export function viewOf(result: Result, surface: Surface = COMPLETE): readonly Block[] {
  const { layout, facts, tables, charts, notes = [] } = result;
  if (layout !== undefined) return withAttribution(result, [...layout(surface), ...notes.map(note)]);
  const grids = tables
    .map((one) => ({ heading: one.title, grid: gridOf(one) }))
    .filter(({ grid }) => grid.rows.length > 0);
  return withAttribution(result, [
    ...titleOf(result),
    ...(facts.length === 0 ? [] : [fields(facts)]),
    ...(charts?.usual === true ? charts.draw().map(chartBlock) : []),
    ...grids.flatMap(({ heading, grid }) => [...(heading === undefined ? [] : [title(heading)]), grid]),
    ...notes.map(note),
  ]);
}

/** The charts of a result in place of its tables. */
export function chartsOf(result: Result): readonly Block[] {
  const { facts, charts } = result;
  const drawn = charts?.draw() ?? [];
  return withAttribution(result, [
    ...titleOf(result),
    ...(facts.length === 0 || charts?.usual !== true ? [] : [fields(facts)]),
    ...(drawn.length === 0 ? [note('No values to draw.')] : drawn.map(chartBlock)),
    ...(charts?.notes?.() ?? []).map(note),
  ]);
}

const titleOf = (result: Result): Block[] => (result.title === null ? [] : [title(result.title)]);

const withAttribution = (result: Result, blocks: readonly Block[]): readonly Block[] =>
  result.attribution != null && isPriced(result) ? [...blocks, note(result.attribution)] : blocks;

/** The table that rows are made from. */
export const mainTable = ({ tables, rows }: Pick<Result, 'tables' | 'rows'>): Table =>
  tables.find(({ name }) => name === rows) ?? tables[0];

const ATTRIBUTION = 'attribution';

/** Whether what is shown comes from the price feed. */
export const isPriced = (result: Pick<Result, 'tables' | 'rows'>): boolean =>
  mainTable(result).columns.some(({ priced }) => priced === true);

/** The rows for programs: those of the first table, with the attribution in the last column of prices. */
export function flatRows(result: Result): Rows {
  const { columns, rows } = rowsOf(mainTable(result));
  const { attribution = null } = result;
  if (!isPriced(result) || columns.includes(ATTRIBUTION)) return { columns, rows };
  return { columns: [...columns, ATTRIBUTION], rows: map(rows, (row) => [...row, attribution]) };
}

/** The figures among the columns of rows: numbers of a spreadsheet. */
export const figureKeys = (result: Result): ReadonlySet<string> =>
  new Set(mainTable(result).columns.flatMap(({ key, measure }) => (measure === undefined ? [] : [key])));

/** The result with another of its tables alone. Throws an Error for a name of none: options list them all. */
export function chooseTable(result: Result, name: string): Result {
  const chosen = result.tables.find((one) => one.name === name);
  if (chosen === undefined) throw new Error(`no table ${name}`);
  const { shown: _, title: __, ...whole } = chosen;
  return alone(result, whole);
}

/** The result with these columns alone, in their order. Throws a usage Failure naming an unknown one. */
export function chooseFields(result: Result, names: readonly string[]): Result {
  const { title: _, ...first } = mainTable(result);
  const known = [...first.columns.map(({ key }) => key), ...(isPriced(result) ? [ATTRIBUTION] : [])];
  const columns = names.map((name) => {
    const column = first.columns.find(({ key }) => key === name);
    if (column !== undefined) return column;
    if (name === ATTRIBUTION && isPriced(result))
      return { key: ATTRIBUTION, value: () => result.attribution ?? null, priced: true };
    throw unknownField(name, known);
  });
  const { section: __, ...rest } = first;
  return alone(result, { ...rest, columns, shown: names });
}

function alone({ charts: _, layout: __, rows: ___, ...result }: Result, only: Table): Result {
  return { ...result, title: null, facts: [], notes: [], tables: [only], hasSheet: false };
}

function unknownField(name: string, known: readonly string[]): Failure {
  return new Failure('usage', `Unknown column ${JSON.stringify(name)} in --fields.${didYouMean(name, known)}`, {
    hint: `Columns: ${known.join(', ')}`,
  });
}
