/** A view as data: a command decides what stands where; the printer decides widths, digits and colours. */
import type { Decimal } from '../contract/decimal-text.ts';
import type { Measure } from '../contract/figures/formula.ts';
import type { Chart } from './chart.ts';

/** `up` and `down` are for the sign of a change, `quiet` and `strong` for what matters less and most, `warn` for warnings. */
export type Tone = 'plain' | 'up' | 'down' | 'quiet' | 'strong' | 'warn';

/** A figure: the printer abbreviates it unless `--exact` is given. Null is a figure that was not reported. */
export interface FigureCell {
  readonly figure: Decimal | null;
  readonly measure: Measure;
  /** Shows a plus sign too, and colours by sign: for changes. */
  readonly signed?: boolean;
  /** Short text right after the figure, such as a mark of the legend. */
  readonly mark?: string;
  /** Of a figure that is not below zero; negative ones are `down`. */
  readonly tone?: Tone;
}

export interface TextCell {
  readonly text: string;
  readonly tone?: Tone;
  /** The part of the text that the table's legend explains. */
  readonly mark?: string;
  /** An https address that the text links to, on terminals that support links. */
  readonly link?: string;
}

/** Text is untrusted: printers sanitize it. Null is shown as a dash. */
export type Cell = FigureCell | TextCell | string | number | null;

export interface Column {
  /** The name of the field, as `--fields` takes it. */
  readonly key: string;
  readonly title: string;
  /** Breaks the title between words, so that it takes no more width than the cells or its longest word. */
  readonly wrapTitle?: boolean;
  /** A line of the header under the title. */
  readonly subtitle?: string;
  readonly align?: 'left' | 'right';
  /** The part of the title that the table's legend explains. */
  readonly mark?: string;
  /** On a narrow terminal cells may be cut to this width; the header is not. */
  readonly shrinkTo?: number;
  /** Where a cell is cut: `middle` for names that differ at their ends. */
  readonly cut?: 'end' | 'middle';
  /** Wraps cells between words before anything is cut. */
  readonly wrapped?: boolean;
  /** On a narrow terminal columns of the highest number are dropped first; one without a number stays. */
  readonly drop?: number;
}

export interface TableBlock {
  readonly kind: 'table';
  readonly columns: readonly Column[];
  readonly rows: readonly TableRow[];
  /** What the note about dropped columns calls them; "columns" without it. */
  readonly columnNoun?: string;
  /** What the marks of cells and titles mean; only marks that are shown are explained. */
  readonly legend?: readonly (readonly [mark: string, meaning: string])[];
  /** Whether the legend says what K, M, B and T are, of those that are shown. */
  readonly explainsScales?: boolean;
}

/** Cells parallel to the table's columns, or a heading across them. */
export type TableRow = readonly Cell[] | { readonly section: string | readonly Cell[] };

/** Labels beside values. */
export interface FieldsBlock {
  readonly kind: 'fields';
  readonly entries: readonly (readonly [label: string, value: Cell])[];
}

export interface LineBlock {
  readonly kind: 'title' | 'note';
  readonly text: string;
}

/** Drawn on a terminal or on request; elsewhere a table has the same values. */
export interface ChartBlock {
  readonly kind: 'chart';
  readonly chart: Chart;
}

export type Block = TableBlock | FieldsBlock | LineBlock | ChartBlock;

export const title = (text: string): Block => ({ kind: 'title', text });
export const note = (text: string): Block => ({ kind: 'note', text });
export const fields = (entries: FieldsBlock['entries']): Block => ({ kind: 'fields', entries });
export const chartBlock = (chart: Chart): Block => ({ kind: 'chart', chart });
export const table = (columns: readonly Column[], rows: readonly TableRow[]): TableBlock => ({
  kind: 'table',
  columns,
  rows,
});

export const figure = (value: Decimal | null | undefined, measure: Measure): FigureCell => ({
  figure: value ?? null,
  measure,
});
export const change = (value: Decimal | null | undefined, measure: Measure): FigureCell => ({
  ...figure(value, measure),
  signed: true,
});
export const quiet = (text: string | null | undefined): Cell => (text == null ? null : { text, tone: 'quiet' });
