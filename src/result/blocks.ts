/** A view as data: a command decides the order of parts; the printer decides widths, digits and colours. */
import type { Decimal } from '../contract/decimal-text.ts';
import type { Measure } from '../contract/figures/formula.ts';
import type { Chart } from './chart.ts';

/** `up` and `down` show the sign of a change, `quiet` and `strong` the importance, `warn` a warning. */
export type Tone = 'plain' | 'up' | 'down' | 'quiet' | 'strong' | 'warn';

/** A figure, which the printer abbreviates without `--exact`. Null for a figure that was not reported. */
export interface FigureCell {
  readonly figure: Decimal | null;
  readonly measure: Measure;
  /** Shows a plus sign too, and colours by sign; for changes. */
  readonly signed?: boolean;
  /** A short text after the figure, such as a mark of the legend. */
  readonly mark?: string;
  /** The tone of a figure that is not negative; negative ones are `down`. */
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
  /** The field's name in `--fields`. */
  readonly key: string;
  readonly title: string;
  /** Breaks the title between words, so that it is no wider than the cells or its longest word. */
  readonly wrapTitle?: boolean;
  /** A line below the title. */
  readonly subtitle?: string;
  readonly align?: 'left' | 'right';
  /** The part of the title that the table's legend explains. */
  readonly mark?: string;
  /** Minimum width to which cells may be cut on a narrow terminal; the header is not cut. */
  readonly shrinkTo?: number;
  /** Position at which cells are cut: `middle` for names that differ at their ends. */
  readonly cut?: 'end' | 'middle';
  /** Wraps cells between words before any are cut. */
  readonly wrapped?: boolean;
  /** On a narrow terminal, columns with the highest number are dropped first; one without a number stays. */
  readonly drop?: number;
}

export interface TableBlock {
  readonly kind: 'table';
  readonly columns: readonly Column[];
  readonly rows: readonly TableRow[];
  /** The noun for dropped columns in the note; default: "columns". */
  readonly columnNoun?: string;
  /**
   * Whether every column is shown on a narrow terminal: with rows and columns exchanged where that fits, else in further
   * tables below.
   */
  readonly keepsColumns?: true;
  /** The meaning of marks in cells and titles; only visible marks are explained. */
  readonly legend?: readonly (readonly [mark: string, meaning: string])[];
  /** Whether the legend explains the letters K, M, B and T that are visible. */
  readonly explainsScales?: boolean;
}

/** Cells parallel to the table's columns, or a heading across them. */
export type TableRow = readonly Cell[] | { readonly section: string | readonly Cell[] };

/** Labels next to values. */
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
export const noteBlock = (text: string): Block => ({ kind: 'note', text });
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
export const signedFigure = (value: Decimal | null | undefined, measure: Measure): FigureCell => ({
  ...figure(value, measure),
  signed: true,
});
export const quietCell = (text: string | null | undefined): Cell => (text == null ? null : { text, tone: 'quiet' });
