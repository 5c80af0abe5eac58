/**
 * A table of an answer: its columns, each defined once, and its records. Flat rows for programs, tables for terminals,
 * spreadsheets and texts for assistants are derived from it.
 */
import { isDecimal } from '../contract/decimal-text.ts';
import type { Measure } from '../contract/statements/formula.ts';
import type { Cell, Column as LaidOutColumn, TableBlock, TableRow, Tone } from './blocks.ts';
import { findColumnLabel } from './labels.ts';
import { type FlatRows, type FlatValue, map, readOwnValue } from './rows.ts';

/** Layout of a column in views; see `blocks.ts`. */
type ColumnLayout = Pick<LaidOutColumn, 'align' | 'shrinkTo' | 'cut' | 'drop' | 'wrapsTitle' | 'wrapped'>;

interface ColumnForm<Row> extends ColumnLayout {
  /** Name of the column in rows. If `value` is absent, also the name of the record's field that the column shows. */
  readonly key: string;
  /** Heading in views; by default the label of the key. */
  readonly label?: string;
  /** Returns the exact value. Null for a column that exists only in views, such as two fields combined in one cell. */
  readonly value?: ((record: Row) => FlatValue) | null;
  /** Returns the cell shown in views; by default the value formatted by its measure. */
  readonly cell?: (record: Row) => Cell;
  /** Measure of the column's figures, such as money or shares. */
  readonly measure?: Measure;
  readonly tone?: Tone;
  /** Whether the column has prices or figures derived from prices, so that the attribution must be shown. */
  readonly priced?: boolean;
}

/** A column whose key is a field of the record, or which has a value or cell of its own. */
export type Column<Row> = ColumnForm<Row> &
  (
    | { readonly key: keyof Row & string }
    | { readonly value: ((record: Row) => FlatValue) | null }
    | { readonly cell: (record: Row) => Cell }
  );

export interface Table<Row = unknown> {
  /** Name of the table in `--rows`. */
  readonly name: string;
  /** Heading in a view with several tables. */
  readonly title?: string;
  /** Columns in the order in which programs get them. */
  readonly columns: readonly Column<Row>[];
  /** Keys of the columns that views show, in order; by default all. Empty for a table that only provides rows. */
  readonly shownKeys?: readonly string[];
  /** Yields records. Called again for each output, so that memory never has a second copy of a long answer. */
  readonly records: () => Iterable<Row>;
  /** Returns the section heading to show above a record; null if the record does not begin a section. */
  readonly section?: (record: Row, previousRecord: Row | undefined) => string | readonly Cell[] | null;
  readonly legend?: readonly (readonly [mark: string, meaning: string])[];
  /** Whether a narrow terminal shows every column; see `blocks.ts`. */
  readonly keepsColumns?: true;
  /** Whether the records describe the complete list, whichever page of it was requested, as totals do. */
  readonly coversAllPages?: true;
}

/** Erases the type of the records, which only the table's own columns need. */
export const makeTable = <Row>(entry: Table<Row>): Table => entry as unknown as Table;

/** Returns columns that show fields with these names unchanged. */
export const makeFieldColumns = <Key extends string>(...keys: readonly Key[]): readonly { readonly key: Key }[] =>
  keys.map((key) => ({ key }));

/** Returns columns that show fields of a record's own object, named by both: `owner_cik` shows the field `cik` of `owner`. */
export const makeNestedColumns = <Name extends string, Key extends string>(name: Name, ...keys: readonly Key[]) =>
  keys.map((key) => ({
    key: `${name}_${key}`,
    value: (record: { readonly [N in Name]?: { readonly [K in Key]?: unknown } | null }): FlatValue =>
      (record[name]?.[key] ?? null) as FlatValue,
  }));

const hasValue = ({ value }: ColumnForm<unknown>): boolean => value !== null;

const readCellValue = ({ key, value }: ColumnForm<unknown>, record: unknown): FlatValue =>
  value == null ? readOwnValue(record as object, key) : value(record);

/** Returns the records as rows with exact figures; column names are the keys. */
export function makeRows({ columns, records }: Table): FlatRows {
  const valueColumns = columns.filter(hasValue);
  return {
    columns: valueColumns.map(({ key }) => key),
    rows: map(records(), (record) => {
      const values: FlatValue[] = [];
      for (const column of valueColumns) values.push(readCellValue(column, record));
      return values;
    }),
  };
}

/**
 * Returns the records as a table for views; the table has no rows, and is not drawn, if it has no columns or records.
 */
export function toTableBlock({ columns, shownKeys, records, section, ...tableOptions }: Table): TableBlock {
  const visible =
    shownKeys === undefined ? columns : shownKeys.flatMap((key) => columns.find((column) => column.key === key) ?? []);
  const rows: TableRow[] = [];
  let previous: unknown;
  const all = visible.length === 0 ? [] : [...records()];
  for (const record of all) {
    const heading = section?.(record, previous) ?? null;
    if (heading !== null) rows.push({ section: heading });
    previous = record;
    rows.push(visible.map((column) => makeCell(column, record)));
  }
  const { name: _, title: __, ...displayOptions } = tableOptions;
  return { kind: 'table', columns: visible.map((column) => layOutColumn(column, all)), rows, ...displayOptions };
}

function makeCell(column: ColumnForm<unknown>, record: unknown): Cell {
  if (column.cell !== undefined) return column.cell(record);
  const value = readCellValue(column, record);
  const { measure, tone } = column;
  if (measure !== undefined && (value === null || typeof value === 'string')) return { figure: value, measure };
  const text = typeof value === 'boolean' ? String(value) : value;
  return tone === undefined || text === null ? text : { text: String(text), tone };
}

/** Returns the measure of a record's figure in a column; null if it is unknown. */
export function findCellMeasure(column: Column<unknown>, record: unknown): Measure | null {
  if (column.measure !== undefined) return column.measure;
  const cell = column.cell?.(record) ?? null;
  return typeof cell === 'object' && cell !== null && 'figure' in cell ? cell.measure : null;
}

/** Default minimum width to which text columns shrink on a narrow terminal. */
const MIN_TEXT_WIDTH = 12;

/** Lays out a column: figures are right-aligned; dates and accession numbers are never cut. */
function layOutColumn(column: ColumnForm<unknown>, records: readonly unknown[]): LaidOutColumn {
  const { label, value, cell, measure, tone: _, priced: __, ...layout } = column;
  const plain = cell === undefined && value !== null && layout.shrinkTo === undefined && layout.align === undefined;
  const derived = measure !== undefined ? { align: 'right' as const } : plain ? deriveLayout(column, records) : {};
  return { ...derived, ...layout, title: label ?? findColumnLabel(layout.key) };
}

/** Matches dates and accession numbers, of which a part would be meaningless. */
const FIXED_PATTERN = /^(?:\d{4}-\d{2}-\d{2}|\d{10}-\d{2}-\d{6})$/;

function deriveLayout(column: ColumnForm<unknown>, records: readonly unknown[]): ColumnLayout {
  const every = (test: (value: FlatValue) => boolean): boolean =>
    records.every((record) => {
      const value = readCellValue(column, record);
      return value === null || test(value);
    });
  if (every((value) => isDecimal(String(value)))) return { align: 'right', wrapsTitle: true };
  const { key } = column;
  const drop = key === 'source_url' ? { drop: 2 } : key.endsWith('accession_number') ? { drop: 1 } : {};
  return { ...(every((value) => FIXED_PATTERN.test(String(value))) ? {} : { shrinkTo: MIN_TEXT_WIDTH }), ...drop };
}
