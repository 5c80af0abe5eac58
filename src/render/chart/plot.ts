/** A chart as SVG content, before it is placed in an SVG document or HTML page. */
import type { Decimal } from '../../contract/decimal-text.ts';
import type { MarkupContent } from './markup.ts';

export interface Plot {
  readonly height: number;
  /** Text alternative that describes the chart. */
  readonly description: string;
  readonly content: MarkupContent;
  readonly table: ValueTable;
}

export interface ValueTable {
  readonly head: readonly string[];
  readonly rows: readonly { readonly name: string; readonly values: readonly (Decimal | null)[] }[];
}
