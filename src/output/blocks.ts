/**
 * How a person sees an answer, as data: a command says what stands where, a printer decides how wide,
 * how exact and in which colours.
 */
import type { Decimal } from '../contract/decimal-text.ts';
import type { Measure } from '../contract/figures.ts';
import type { Chart } from './chart/chart.ts';

/** `up` and `down` mark the sign of a change, `quiet` what matters less, `strong` what matters most, `warn` what to doubt. */
export type Tone = 'plain' | 'up' | 'down' | 'quiet' | 'strong' | 'warn';

/** A figure: the printer abbreviates it, unless exact figures were asked for. Null is a figure not on file. */
export interface FigureCell {
  readonly figure: Decimal | null;
  readonly measure: Measure;
  /** Shows a plus sign too, and colours by sign: for changes. */
  readonly signed?: boolean;
  /** Short text right behind the figure, such as a mark of a legend. */
  readonly mark?: string;
}

export interface TextCell {
  readonly text: string;
  readonly tone?: Tone;
  /** What of the text stands in the table's legend. */
  readonly mark?: string;
  /** An https address the text leads to, on terminals that follow links. */
  readonly link?: string;
}

/** Text is foreign unless proven otherwise: printers make it harmless. Null is shown as a dash. */
export type Cell = FigureCell | TextCell | string | number | null;

export interface Column {
  /** The name of the field, as `--fields` takes it. */
  readonly key: string;
  readonly title: string;
  /** A second line of the header. */
  readonly subtitle?: string;
  readonly align?: 'left' | 'right';
  /** What of the title stands in the table's legend. */
  readonly mark?: string;
  /** On a narrow terminal this text may be shortened, down to so many columns; its header never is. */
  readonly shrinkTo?: number;
  /** Where it is shortened: names that differ in their ends lose their middle. */
  readonly cut?: 'end' | 'middle';
  /** Goes on beneath itself, between words, before anything is cut. */
  readonly wrapped?: boolean;
  /** On a narrow terminal columns of the highest number go first; without it a column stays. */
  readonly drop?: number;
}

export interface TableBlock {
  readonly kind: 'table';
  readonly columns: readonly Column[];
  readonly rows: readonly TableRow[];
  /** What the columns that do not fit are called in the note that says so; "columns" without it. */
  readonly columnNoun?: string;
  /** What the marks of cells and titles mean; a mark of which none is shown is not explained. */
  readonly legend?: readonly (readonly [mark: string, meaning: string])[];
}

/** Cells parallel to the table's columns, or a line across them that heads a section. */
export type TableRow = readonly Cell[] | { readonly section: string | readonly Cell[] };

/** One thing with its fields, label beside value. */
export interface FieldsBlock {
  readonly kind: 'fields';
  readonly entries: readonly (readonly [label: string, value: Cell])[];
}

export interface LineBlock {
  readonly kind: 'title' | 'note';
  readonly text: string;
}

/** Drawn on a terminal, or where it was asked for; elsewhere a table says the same exactly. */
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
