/**
 * Describes the tables of a release. Column names are snake_case for DuckDB, pandas and Polars. Figures and dates are
 * text: no numeric type preserves the digits as filed, and filers write invalid dates. Counts and identifiers (a CIK, a
 * rank, a year) are 32-bit integers.
 */

import { type Cell, type CellType, type Column, day, integer, text } from './columns.ts';

/** The typed table that `fin data analytics` writes from a table of the release. */
export interface TypedForm {
  /** Default: the name of the table. */
  readonly name?: string;
  readonly about: string;
  /** The order of rows, as text for the schema page. */
  readonly order: string;
  /** The column that sorts the rows of a span (see `export/typed-span.ts`); default: rows stay in the stored order. */
  readonly sortedBy?: string;
}

export interface Table<Row = unknown> {
  readonly name: string;
  readonly columns: readonly Column[];
  /**
   * The integer field by which rows are sorted and looked up. Null for a table that is only read completely. All rows
   * with the same key are in one row group, except in tables that are only read by ranges of keys.
   */
  readonly key: string | null;
  /** Approximate number of rows of a row group, if requests need fewer rows than usual. */
  readonly groupRows?: number;
  /** The typed table that `fin data analytics` writes from this table; undefined if the command skips this table. */
  readonly typed?: TypedForm;
  /** Never set; only gives the type `Table` its row type. */
  readonly row?: Row;
}

type CellTypeOf<Value> = Value extends string
  ? 'text'
  : Value extends number
    ? 'integer'
    : Value extends boolean
      ? 'boolean'
      : never;

/** The columns of a table with these rows: one per field, with the field's type; nullable if the field is nullable. */
type ColumnOf<Row> = {
  [Field in keyof Row & string]: Column<
    Field,
    CellTypeOf<NonNullable<Row[Field]>>,
    null extends Row[Field] ? true : false
  >;
}[keyof Row & string];

type KeyOf<Row> = { [Field in keyof Row & string]: Row[Field] extends number ? Field : never }[keyof Row & string];

type CompleteColumns<Row, Columns extends readonly Column[]> =
  Exclude<keyof Row & string, Columns[number]['field']> extends never
    ? unknown
    : { readonly fieldWithoutColumn: Exclude<keyof Row & string, Columns[number]['field']> };

/** The row that columns store: a field for each column, with the type of the column's cells. */
type StoredRow<Columns extends readonly Column[]> = {
  readonly [Item in Columns[number] as Item['field']]:
    | NonNullable<Item['cell']>
    | (Item['nullable'] extends true ? null : never);
};

interface Definition<Row, Columns> extends Pick<Table, 'name' | 'groupRows' | 'typed'> {
  readonly key: KeyOf<Row> | null;
  readonly columns: Columns;
}

/** Declares a table whose rows have exactly the fields that its columns store; see `RowOf`. */
export const declareTable = <const Columns extends readonly Column[]>(
  definition: Definition<StoredRow<Columns>, Columns>,
): Table<StoredRow<Columns>> => definition;

export type RowOf<T> = T extends Table<infer Row> ? Row : never;

/**
 * Declares a table of rows whose type is declared elsewhere: `defineTable<Row>()({ … })`. Does not compile unless
 * columns and fields of `Row` match one to one.
 */
export const defineTable =
  <Row>() =>
  <const Columns extends readonly ColumnOf<Row>[]>(
    definition: Definition<Row, Columns & CompleteColumns<Row, Columns>>,
  ): Table<Row> =>
    definition;

export const CIK_COLUMN = integer('cik', 'Central Index Key of the company');
export const TICKER_COLUMN = text(
  'ticker_normalized',
  'Ticker in capitals, with dots and slashes written as dashes: BRK-B',
);
export const ACCESSION_COLUMN = text('accession_number', 'Accession number of the filing', { field: 'accession' });
export const FORM_COLUMN = text('form', 'Form type of the filing, such as 10-K');
export const FILED_COLUMN = day('filed_at', 'Date the filing was filed', { field: 'filed' });

export type WithCik<Row> = Row & { readonly cik: number };

/** Returns the row's key. Throws if the table has no key, or the row's key is not an integer. */
export function requireKey<Row>({ name, key }: Table<Row>, row: Row): number {
  const rowKey = key === null ? undefined : readField(row, key);
  if (typeof rowKey !== 'number') throw new TypeError(`A row of ${name} has no ${key ?? 'key'}.`);
  return rowKey;
}

/**
 * Converts rows to columns of cells, in the table's column order. Throws if a cell's type does not match its column;
 * the error names table, column and key.
 * @param cik the company of all rows, if the rows have no `cik` field
 */
export const toColumns = <Row>(table: Table<Row>, rows: readonly Row[], cik?: number): Cell[][] =>
  table.columns.map((column) => {
    if (column.field === CIK_COLUMN.field && cik !== undefined) return rows.map(() => cik);
    const hasType = TYPE_CHECK_BY_CELL_TYPE[column.type];
    return rows.map((row) => {
      const cell = readField(row, column.field);
      if (cell === undefined || !(cell === null ? column.nullable : hasType(cell)))
        throw makeWrongCellError(table, column, row, cik);
      return cell;
    });
  });

const TYPE_CHECK_BY_CELL_TYPE: Readonly<Record<CellType, (cell: Cell) => boolean>> = {
  text: (cell) => typeof cell === 'string',
  integer: (cell) => typeof cell === 'number' && (cell | 0) === cell,
  boolean: (cell) => typeof cell === 'boolean',
};

function makeWrongCellError<Row>(table: Table<Row>, { name, field, type }: Column, row: Row, cik?: number): TypeError {
  const key = cik ?? (table.key === null ? undefined : readField(row, table.key));
  const place = key === undefined ? '' : ` in a row of ${table.key} ${key}`;
  const cell = readField(row, field);
  const fault = cell === null || cell === undefined ? 'no value' : `${JSON.stringify(cell)} instead of ${type}`;
  return new TypeError(`The column ${name} of ${table.name} has ${fault}${place}.`);
}

const readField = (row: unknown, field: string): Cell | undefined => (row as Readonly<Record<string, Cell>>)[field];
