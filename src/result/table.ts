/**
 * A table of an answer: its columns, each defined once, and its records. Flat rows, the table for people, a
 * spreadsheet and an assistant's text are made from it.
 */
import { isDecimal } from '../contract/decimal-text.ts';
import type { Measure } from '../contract/figures/formula.ts';
import type { Cell, Column as LaidOutColumn, TableBlock, TableRow, Tone } from './blocks.ts';
import { columnLabel } from './labels.ts';
import { map, ownValue, type Rows, type Value } from './rows.ts';

/** The layout of a column in a view; see `blocks.ts`. */
type ColumnLayout = Pick<LaidOutColumn, 'align' | 'shrinkTo' | 'cut' | 'drop' | 'wrapTitle' | 'wrapped'>;

export interface Column<Record> extends ColumnLayout {
  /** The column's name in rows, and, without `value`, the field of the record that it shows. */
  readonly key: string;
  /** The heading in a view; default: the key's label. */
  readonly label?: string;
  /** Returns the exact value; null for a column that only views have, such as two fields in one. */
  readonly value?: ((record: Record) => Value) | null;
  /** Returns the cell of a view; default: the value in its measure. */
  readonly cell?: (record: Record) => Cell;
  /** The measure of the column's figures. */
  readonly measure?: Measure;
  readonly tone?: Tone;
  /** Whether it shows prices or figures derived from them, so that the attribution is needed. */
  readonly priced?: boolean;
}

export interface Table<Record = unknown> {
  /** The table's name in `--rows`. */
  readonly name: string;
  /** The heading in a view of several tables. */
  readonly title?: string;
  /** In the order of rows for programs. */
  readonly columns: readonly Column<Record>[];
  /** The columns of views, in their order; default: all. Empty for a table that is only a source of rows. */
  readonly shown?: readonly string[];
  /** Yields records; called again for each surface, so that a long answer is never in memory twice. */
  readonly records: () => Iterable<Record>;
  /** Returns the line above a record that begins a section in a view. */
  readonly section?: (record: Record, previousRecord: Record | undefined) => string | readonly Cell[] | null;
  readonly legend?: readonly (readonly [mark: string, meaning: string])[];
  /** The noun for columns without space in the note; default: "columns". */
  readonly columnNoun?: string;
  readonly explainsScales?: boolean;
}

/** Drops the type of the records, which only the table's own columns know. */
export const makeTable = <Record>(definition: Table<Record>): Table => definition as unknown as Table;

/** Returns plain columns of fields with these names. */
export const fieldColumns = (...keys: readonly string[]): readonly Column<unknown>[] => keys.map((key) => ({ key }));

const hasValue = <Record>({ value }: Column<Record>): boolean => value !== null;

const cellValue = <Record>({ key, value }: Column<Record>, record: Record): Value =>
  value == null ? ownValue(record as object, key) : value(record);

/** Returns records as rows with exact figures; the column names are the keys. */
export function rowsOf({ columns, records }: Table): Rows {
  const flatColumns = columns.filter(hasValue);
  return {
    columns: flatColumns.map(({ key }) => key),
    rows: map(records(), (record) => {
      const values: Value[] = [];
      for (const column of flatColumns) values.push(cellValue(column, record));
      return values;
    }),
  };
}

/** Returns records for people. Without columns or records the table is empty, and not drawn. */
export function gridOf({ columns, shown, records, section, ...rest }: Table): TableBlock {
  const laidOut =
    shown === undefined ? columns : shown.flatMap((key) => columns.find((column) => column.key === key) ?? []);
  const rows: TableRow[] = [];
  let previousRecord: unknown;
  const everyRecord = laidOut.length === 0 ? [] : [...records()];
  for (const record of everyRecord) {
    const heading = section?.(record, previousRecord) ?? null;
    if (heading !== null) rows.push({ section: heading });
    previousRecord = record;
    rows.push(laidOut.map((column) => cellOf(column, record)));
  }
  const { name: _, title: __, ...legend } = rest;
  return { kind: 'table', columns: laidOut.map((column) => columnOf(column, everyRecord)), rows, ...legend };
}

function cellOf(column: Column<unknown>, record: unknown): Cell {
  if (column.cell !== undefined) return column.cell(record);
  const value = cellValue(column, record);
  const { measure, tone } = column;
  if (measure !== undefined && (value === null || typeof value === 'string')) return { figure: value, measure };
  const text = typeof value === 'boolean' ? String(value) : value;
  return tone === undefined || text === null ? text : { text: String(text), tone };
}

/** Default minimum width of texts on a narrow terminal. */
const SHRUNK = 12;

/** Aligns figures; shows days and accession numbers completely or not at all. */
function columnOf(column: Column<unknown>, records: readonly unknown[]): LaidOutColumn {
  const { label, value, cell, measure, tone: _, priced: __, ...layout } = column;
  const isPlain = cell === undefined && value !== null && layout.shrinkTo === undefined && layout.align === undefined;
  const derived = measure !== undefined ? { align: 'right' as const } : isPlain ? derivedLayout(column, records) : {};
  return { ...derived, ...layout, title: label ?? columnLabel(layout.key) };
}

/** Matches days and accession numbers, whose parts are meaningless. */
const WHOLE_PATTERN = /^(?:\d{4}-\d{2}-\d{2}|\d{10}-\d{2}-\d{6})$/;

function derivedLayout(column: Column<unknown>, records: readonly unknown[]): ColumnLayout {
  const areAll = (test: (value: Value) => boolean): boolean =>
    records.every((record) => {
      const value = cellValue(column, record);
      return value === null || test(value);
    });
  if (areAll((value) => isDecimal(String(value)))) return { align: 'right', wrapTitle: true };
  const { key } = column;
  const dropPriority = key === 'source_url' ? { drop: 2 } : key.endsWith('accession_number') ? { drop: 1 } : {};
  return { ...(areAll((value) => WHOLE_PATTERN.test(String(value))) ? {} : { shrinkTo: SHRUNK }), ...dropPriority };
}
