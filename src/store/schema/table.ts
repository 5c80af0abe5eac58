/**
 * Describes the tables of a release: each column stores one field of the row.
 * Names are plain snake_case, so that DuckDB, pandas and Polars can use them. Figures are text, because no numeric
 * type is exact to the digit as filed. Days are text too: filers write invalid dates, ISO text sorts like dates, and
 * a cast converts it. Counts and identifiers (a CIK, a rank, a year) are 32-bit integers.
 */

export type Cell = string | number | boolean | null;
export type CellType = 'text' | 'integer' | 'boolean';

export interface Column<
  Field extends string = string,
  Type extends CellType = CellType,
  Nullable extends boolean = boolean,
> {
  readonly name: string;
  /** The field of a row that the column stores. */
  readonly field: Field;
  readonly type: Type;
  readonly nullable: Nullable;
  /** Value of the column in releases that lack it, if not null. */
  readonly absent?: Exclude<Cell, null>;
}

export interface Table<Row = unknown> {
  readonly name: string;
  readonly columns: readonly Column[];
  /**
   * The integer field that rows are sorted and found by; all rows of a key are in one row group. Null for a table
   * that is read whole.
   */
  readonly key: string | null;
  /** Approximate number of rows of a row group, if questions need fewer rows than of most tables. */
  readonly groupRows?: number;
  /** Never set: it only holds the type of a row. */
  readonly row?: Row;
}

type CellTypeOf<Value> = Value extends string
  ? 'text'
  : Value extends number
    ? 'integer'
    : Value extends boolean
      ? 'boolean'
      : never;

/** The columns that a table of such rows may have: one per field, with its type, nullable if the field is. */
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

/**
 * Declares a table: `table<Row>()({ … })`. Does not compile if a column has no field in `Row`, or a field has no
 * column.
 */
export function table<Row>() {
  return <const Columns extends readonly ColumnOf<Row>[]>(definition: {
    readonly name: string;
    readonly key: KeyOf<Row> | null;
    readonly groupRows?: number;
    readonly columns: Columns & CompleteColumns<Row, Columns>;
  }): Table<Row> => definition;
}

interface AbsentOption<Value> {
  /** Value of the column in releases that lack it. */
  readonly absent?: Value;
}

export const text = <Field extends string>(
  name: string,
  field: Field,
  options: AbsentOption<string> = {},
): Column<Field, 'text', false> => ({ name, field, type: 'text', nullable: false, ...options });

export const textOrNull = <Field extends string>(name: string, field: Field): Column<Field, 'text', true> => ({
  name,
  field,
  type: 'text',
  nullable: true,
});

export const integer = <Field extends string>(
  name: string,
  field: Field,
  options: AbsentOption<number> = {},
): Column<Field, 'integer', false> => ({ name, field, type: 'integer', nullable: false, ...options });

export const integerOrNull = <Field extends string>(name: string, field: Field): Column<Field, 'integer', true> => ({
  name,
  field,
  type: 'integer',
  nullable: true,
});

export const flag = <Field extends string>(
  name: string,
  field: Field,
  options: AbsentOption<boolean> = {},
): Column<Field, 'boolean', false> => ({ name, field, type: 'boolean', nullable: false, ...options });

export const flagOrNull = <Field extends string>(name: string, field: Field): Column<Field, 'boolean', true> => ({
  name,
  field,
  type: 'boolean',
  nullable: true,
});

export const CIK_COLUMN = integer('cik', 'cik');

export type WithCik<Row> = Row & { readonly cik: number };

/** Returns the integer that a row is found by. Throws if the table has no key, or the row lacks that integer. */
export function keyOf<Row>({ name, key }: Table<Row>, row: Row): number {
  const value = key === null ? undefined : fieldOf(row, key);
  if (typeof value !== 'number') throw new TypeError(`A row of ${name} has no ${key ?? 'key'}.`);
  return value;
}

/**
 * Returns rows as columns of cells, in the table's order of columns. Throws if a cell does not match its column; the
 * message names table, column and key.
 * @param cik the company of all rows, if they do not name it themselves
 */
export function toColumns<Row>(table: Table<Row>, rows: readonly Row[], cik?: number): Cell[][] {
  return table.columns.map((column) => {
    if (column.field === CIK_COLUMN.field && cik !== undefined) return rows.map(() => cik);
    const isOfType = TYPE_CHECKS[column.type];
    return rows.map((row) => {
      const cell = fieldOf(row, column.field);
      if (cell === undefined || !(cell === null ? column.nullable : isOfType(cell))) {
        throw wrongCellError(table, column, row, cik);
      }
      return cell;
    });
  });
}

const TYPE_CHECKS: Readonly<Record<CellType, (cell: Cell) => boolean>> = {
  text: (cell) => typeof cell === 'string',
  integer: (cell) => typeof cell === 'number' && (cell | 0) === cell,
  boolean: (cell) => typeof cell === 'boolean',
};

function wrongCellError<Row>(table: Table<Row>, { name, field, type }: Column, row: Row, cik?: number): TypeError {
  const key = cik ?? (table.key === null ? undefined : fieldOf(row, table.key));
  const rowDescription = key === undefined ? '' : ` in a row of ${table.key} ${key}`;
  const cell = fieldOf(row, field);
  const problem = cell === null || cell === undefined ? 'no value' : `${JSON.stringify(cell)} instead of ${type}`;
  return new TypeError(`The column ${name} of ${table.name} has ${problem}${rowDescription}.`);
}

const fieldOf = (row: unknown, field: string): Cell | undefined => (row as Readonly<Record<string, Cell>>)[field];
