/**
 * A table of an answer: its columns, each written once, and its records. Flat rows for programs, the table that people
 * read, a spreadsheet and an assistant's text are made from it.
 */
import { isDecimal } from '../contract/decimal-text.ts';
import type { Measure } from '../contract/figures/formula.ts';
import type { Cell, Column as LaidOutColumn, TableBlock, TableRow, Tone } from './blocks.ts';
import { columnLabel } from './labels.ts';
import { map, ownValue, type Rows, type Value } from './rows.ts';

/** How a view lays a column out; see `blocks.ts`. */
type Layout = Pick<LaidOutColumn, 'align' | 'shrinkTo' | 'cut' | 'drop' | 'wrapTitle' | 'wrapped'>;

export interface Column<Record> extends Layout {
  /** Its name in rows, and the field of the record that it shows unless `value` says otherwise. */
  readonly key: string;
  /** Heads the column in a view; by default the label of the key. */
  readonly label?: string;
  /** The exact value; null for a column that only views have, such as two fields in one. */
  readonly value?: ((record: Record) => Value) | null;
  /** What a view shows; by default the value in its measure. */
  readonly cell?: (record: Record) => Cell;
  /** How the figures of the column are measured. */
  readonly measure?: Measure;
  readonly tone?: Tone;
  /** Whether it comes from the price feed: the attribution is shown with it. */
  readonly priced?: boolean;
}

export interface Table<Record = unknown> {
  /** As `--rows` takes it. */
  readonly name: string;
  /** Heads the table where a view shows several. */
  readonly title?: string;
  /** In the order of rows for programs. */
  readonly columns: readonly Column<Record>[];
  /** The columns that views show, in their order; all by default, and none for a table that only rows are made from. */
  readonly shown?: readonly string[];
  /** Read again for each surface; a long answer is never in memory twice. */
  readonly records: () => Iterable<Record>;
  /** The line above a record in a view, where one begins a section. */
  readonly section?: (record: Record, before: Record | undefined) => string | readonly Cell[] | null;
  readonly legend?: readonly (readonly [mark: string, meaning: string])[];
  /** What a note about columns without room calls them; "columns" by default. */
  readonly columnNoun?: string;
  readonly explainsScales?: boolean;
}

/** Forgets the type of the records, which only the table's own columns know. */
export const table = <Record>(definition: Table<Record>): Table => definition as unknown as Table;

/** Columns of fields of these names, which need no more. */
export const fieldColumns = (...keys: readonly string[]): readonly Column<unknown>[] => keys.map((key) => ({ key }));

const hasValue = <Record>({ value }: Column<Record>): boolean => value !== null;

const cellValue = <Record>({ key, value }: Column<Record>, record: Record): Value =>
  value == null ? ownValue(record as object, key) : value(record);

/** The records as rows under the keys of their columns, every figure exact. */
export function rowsOf({ columns, records }: Table): Rows {
  const flat = columns.filter(hasValue);
  return {
    columns: flat.map(({ key }) => key),
    rows: map(records(), (record) => {
      const values: Value[] = [];
      for (const column of flat) values.push(cellValue(column, record));
      return values;
    }),
  };
}

/** The records as people read them; without columns or records an empty table, which is not drawn. */
export function gridOf({ columns, shown, records, section, ...rest }: Table): TableBlock {
  const laidOut = shown === undefined ? columns : shown.flatMap((key) => columns.find((one) => one.key === key) ?? []);
  const rows: TableRow[] = [];
  let before: unknown;
  const every = laidOut.length === 0 ? [] : [...records()];
  for (const record of every) {
    const heading = section?.(record, before) ?? null;
    if (heading !== null) rows.push({ section: heading });
    before = record;
    rows.push(laidOut.map((column) => cellOf(column, record)));
  }
  const { name: _, title: __, ...legend } = rest;
  return { kind: 'table', columns: laidOut.map((column) => columnOf(column, every)), rows, ...legend };
}

function cellOf(column: Column<unknown>, record: unknown): Cell {
  if (column.cell !== undefined) return column.cell(record);
  const value = cellValue(column, record);
  const { measure, tone } = column;
  if (measure !== undefined && (value === null || typeof value === 'string')) return { figure: value, measure };
  const text = typeof value === 'boolean' ? String(value) : value;
  return tone === undefined || text === null ? text : { text: String(text), tone };
}

/** Width that is left to texts on a narrow terminal, where a column states none. */
const SHRUNK = 12;

/** Figures stand under figures; days and accession numbers are shown whole or not at all. */
function columnOf(column: Column<unknown>, records: readonly unknown[]): LaidOutColumn {
  const { label, value, cell, measure, tone: _, priced: __, ...layout } = column;
  const isPlain = cell === undefined && value !== null && layout.shrinkTo === undefined && layout.align === undefined;
  const derived = measure !== undefined ? { align: 'right' as const } : isPlain ? derivedLayout(column, records) : {};
  return { ...derived, ...layout, title: label ?? columnLabel(layout.key) };
}

/** A part of a day or of an accession number says nothing. */
const WHOLE = /^(?:\d{4}-\d{2}-\d{2}|\d{10}-\d{2}-\d{6})$/;

function derivedLayout(column: Column<unknown>, records: readonly unknown[]): Layout {
  const all = (test: (value: Value) => boolean): boolean =>
    records.every((record) => {
      const value = cellValue(column, record);
      return value === null || test(value);
    });
  if (all((value) => isDecimal(String(value)))) return { align: 'right', wrapTitle: true };
  const { key } = column;
  const drop = key === 'source_url' ? { drop: 2 } : key.endsWith('accession_number') ? { drop: 1 } : {};
  return { ...(all((value) => WHOLE.test(String(value))) ? {} : { shrinkTo: SHRUNK }), ...drop };
}
