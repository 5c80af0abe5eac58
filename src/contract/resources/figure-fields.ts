/** Which fields of the resources are figures: an item number (2.02) or a CUSIP looks like one, and is none. */
import { RESOURCES } from './index.ts';
import { Decimal } from './scalars.ts';

interface Schema {
  readonly pattern?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

const PATTERN = (Decimal as Schema).pattern;

/** Lists of figures go by the name of one: a row has the `value` of `values`. */
const FIGURE_FIELDS: ReadonlySet<string> = new Set(
  Object.values(RESOURCES as Readonly<Record<string, Schema>>).flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([name, schema]) =>
      (schema.pattern ?? schema.items?.pattern) === PATTERN ? [name, name.replace(/s$/, '')] : [],
    ),
  ),
);

/** Whether a column of rows is a figure, under its own name or behind `price_`. */
export const isFigureField = (column: string): boolean => FIGURE_FIELDS.has(column.replace(/^price_/, ''));
