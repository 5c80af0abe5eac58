/** What a chart becomes before it stands in a picture or on a page. */
import type { Decimal } from '../../contract/decimal-text.ts';
import type { Content } from './markup.ts';

export interface Plot {
  readonly height: number;
  /** What the picture shows, in words. */
  readonly description: string;
  readonly content: Content;
  /** The same, to read. */
  readonly table: ValueTable;
}

export interface ValueTable {
  readonly head: readonly string[];
  readonly rows: readonly { readonly name: string; readonly values: readonly (Decimal | null)[] }[];
}
