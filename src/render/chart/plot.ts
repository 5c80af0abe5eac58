/** A chart as SVG, before it is placed in a document or on a page. */
import type { Decimal } from '../../contract/decimal-text.ts';
import type { Content } from './markup.ts';

export interface Plot {
  readonly height: number;
  /** Description of the chart as text. */
  readonly description: string;
  readonly content: Content;
  /** The same values as a table. */
  readonly table: ValueTable;
}

export interface ValueTable {
  readonly head: readonly string[];
  readonly rows: readonly { readonly name: string; readonly values: readonly (Decimal | null)[] }[];
}
