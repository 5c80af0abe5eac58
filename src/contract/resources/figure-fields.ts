/**
 * Determines which fields of resources are figures. Some fields look like decimals but are not, such as item numbers
 * (2.02) and CUSIPs.
 */
import { RESOURCES } from './index.ts';
import { Decimal } from './scalars.ts';

interface Schema {
  readonly pattern?: string;
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
}

const PATTERN = (Decimal as Schema).pattern;

/** A list of figures has a plural name, and each row has the singular: `values` becomes `value`. */
const FIGURE_FIELDS: ReadonlySet<string> = new Set(
  Object.values(RESOURCES as Readonly<Record<string, Schema>>).flatMap(({ properties = {} }) =>
    Object.entries(properties).flatMap(([name, schema]) =>
      (schema.pattern ?? schema.items?.pattern) === PATTERN ? [name, name.replace(/s$/, '')] : [],
    ),
  ),
);

/** Whether a column of rows contains figures; a prefix `price_` is ignored. */
export const isFigureField = (column: string): boolean => FIGURE_FIELDS.has(column.replace(/^price_/, ''));
