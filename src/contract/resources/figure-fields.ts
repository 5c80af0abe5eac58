/** The fields of resources that are figures: an item number (2.02) or a CUSIP looks like a figure, but is not one. */
import { RESOURCES } from './index.ts';
import { Decimal } from './scalars.ts';

interface Schema {
  readonly pattern?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

const PATTERN = (Decimal as Schema).pattern;

/** A list of figures has the plural name: `values` becomes `value` in a row. */
const FIGURE_FIELDS: ReadonlySet<string> = new Set(
  Object.values(RESOURCES as Readonly<Record<string, Schema>>).flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([name, schema]) =>
      (schema.pattern ?? schema.items?.pattern) === PATTERN ? [name, name.replace(/s$/, '')] : [],
    ),
  ),
);

/** Whether a column of rows is a figure, by its own name or after the prefix `price_`. */
export const isFigureField = (column: string): boolean => FIGURE_FIELDS.has(column.replace(/^price_/, ''));
