/** Declares columns of tables: their names, cells, SQL types and descriptions. */

export type Cell = string | number | boolean | null;

interface CellByType {
  readonly text: string;
  readonly integer: number;
  readonly boolean: boolean;
}

export type CellType = keyof CellByType;
/** Types of columns in the typed tables. A decimal, date or timestamp is stored as text in a release. */
export type ValueType = CellType | 'decimal' | 'date' | 'timestamp';

export interface Column<
  Field extends string = string,
  Type extends CellType = CellType,
  Nullable extends boolean = boolean,
  Value extends Cell = Cell,
> {
  readonly name: string;
  /** The row's field that the column stores. */
  readonly field: Field;
  readonly type: Type;
  readonly nullable: Nullable;
  /** Value of every cell if the release lacks this column; default: null. */
  readonly absent?: Exclude<Cell, null>;
  /** Type of the column in the typed table; default: the stored type. */
  readonly valueType?: ValueType;
  /** Description of the column; undefined if the typed table does not have the column. */
  readonly about?: string | undefined;
  /** Name of the column in the typed table, if it differs. */
  readonly typedName?: string;
  /** Never set; only gives the column the type of its cells. */
  readonly cell?: Value;
}

type CamelCase<Name extends string> = Name extends `${infer Word}_${infer Rest}`
  ? `${Word}${Capitalize<CamelCase<Rest>>}`
  : Name;

/** The name of a column without the question mark of a nullable one. */
type PlainName<Name extends string> = Name extends `${infer Plain}?` ? Plain : Name;

type FieldOf<Name extends string, Options extends ColumnOptions> = Options extends { field: infer Field extends string }
  ? Field
  : CamelCase<PlainName<Name>>;

interface ColumnOptions extends Pick<Column, 'absent' | 'typedName'> {
  /** Default: the column's name in camel case. */
  readonly field?: string;
}

/**
 * Returns the function that declares columns of a type: name, description, options; see `Column`. A question mark after
 * the name declares a nullable column, as in a manifest.
 */
const declareColumns =
  <Type extends CellType>(type: Type, valueType: ValueType) =>
  <Name extends string, const Options extends ColumnOptions = object>(
    declaration: Name,
    second?: string | Options,
    options?: Options,
  ): Column<FieldOf<Name, Options>, Type, Name extends `${string}?` ? true : false, CellByType[Type]> => {
    const isDescribed = typeof second === 'string';
    const about = isDescribed ? second : undefined;
    const name = declaration.replace('?', '');
    const { field = toCamelCase(name), ...others }: ColumnOptions = (isDescribed ? options : second) ?? {};
    const nullable = (name !== declaration) as Name extends `${string}?` ? true : false;
    return { name, field: field as FieldOf<Name, Options>, type, nullable, valueType, about, ...others };
  };

const toCamelCase = (name: string) => name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

export const text = declareColumns('text', 'text');
export const decimal = declareColumns('text', 'decimal');
export const day = declareColumns('text', 'date');
export const timestamp = declareColumns('text', 'timestamp');
export const integer = declareColumns('integer', 'integer');
export const flag = declareColumns('boolean', 'boolean');

/** Narrows the type of a column's cells: `only<'P' | 'S'>()(text('code'))`. */
export const only =
  <Value extends Cell>() =>
  <Item extends Column>(column: Item) =>
    column as Item & { readonly cell?: Value };
