/**
 * A view as data: titles, tables, charts and notes. Commands choose the blocks and their order; renderers choose
 * widths, digits and colours.
 */
import type { Decimal } from '../contract/decimal-text.ts';
import type { Measure } from '../contract/statements/formula.ts';

/** `up` and `down`: the sign of a change; `quiet` and `strong`: the importance; `warn`: a warning. */
export type Tone = 'plain' | 'up' | 'down' | 'quiet' | 'strong' | 'warn';

/** A figure, which printers abbreviate except with `--exact`. `figure` is null if the figure was not reported. */
export interface FigureCell {
  readonly figure: Decimal | null;
  readonly measure: Measure;
  /** Whether the figure is a change: shown with a plus or minus sign, and coloured by it. */
  readonly signed?: boolean;
  /** Short text after the figure, such as a mark that the legend explains. */
  readonly mark?: string;
  /** Tone of a figure that is not negative; negative figures are `down`. Ignored if `signed` is set. */
  readonly tone?: Tone;
}

interface TextCell {
  readonly text: string;
  readonly tone?: Tone;
  /** The part of the text that is a mark and is explained in the legend. */
  readonly mark?: string;
  /** An https address to which the text links, on terminals that support links. */
  readonly link?: string;
}

/** Text is untrusted, so printers sanitize it. Null is shown as a dash. */
export type Cell = FigureCell | TextCell | string | number | null;

export interface Column {
  /** Name of the column in `--fields`. */
  readonly key: string;
  readonly title: string;
  /**
   * Whether the title wraps between words. The column is then only as wide as its longest cell, or the longest word of
   * the title.
   */
  readonly wrapsTitle?: boolean;
  /** A second line below the title. */
  readonly subtitle?: string;
  readonly align?: 'left' | 'right';
  /** The part of the title that is a mark and is explained in the legend. */
  readonly mark?: string;
  /** Minimum width to which cells may be cut on a narrow terminal. The header is not cut. */
  readonly shrinkTo?: number;
  /** Position where long cells are cut: `middle` for names that differ at their ends. */
  readonly cut?: 'end' | 'middle';
  /**
   * Whether cells wrap between words; only words that are too long are then cut. With `anywhere`, such words wrap too,
   * and nothing is cut.
   */
  readonly wrapped?: true | 'anywhere';
  /**
   * Priority for dropping the column on a narrow terminal, highest first. Columns without a priority are dropped last,
   * from the right; the first column always stays.
   */
  readonly drop?: number;
}

export interface TableBlock {
  readonly kind: 'table';
  readonly columns: readonly Column[];
  readonly rows: readonly TableRow[];
  /** Noun for columns in the note about dropped columns; by default "columns". */
  readonly columnNoun?: string;
  /**
   * Whether all columns are shown even on a narrow terminal: with rows and columns exchanged if that fits, otherwise
   * divided into several tables.
   */
  readonly keepsColumns?: true;
  /** Meanings of marks in cells and titles; only visible marks are explained. */
  readonly legend?: readonly (readonly [mark: string, meaning: string])[];
  /** What the rows of a statement show, one period in each column, so that a spreadsheet can compute with the rows. */
  readonly lines?: ReadonlyMap<TableRow, TableLine>;
  /** Whether the legend explains the letters K, M, B and T of abbreviated figures. */
  readonly explainsScales?: boolean;
}

/** Cells parallel to the table's columns, or a heading that spans all columns. */
export type TableRow = readonly Cell[] | { readonly section: string | readonly Cell[] };

/** The figure of a row, its growth from an earlier column, or its fraction of another figure of the column. */
export type TableLine =
  | { readonly of: 'figure' | 'growth'; readonly key: string }
  | { readonly of: 'share'; readonly key: string; readonly base: string | undefined };

export interface FieldsBlock {
  readonly kind: 'fields';
  readonly entries: readonly (readonly [label: string, value: Cell])[];
}

/** A chart, drawn on a terminal or on request; elsewhere a table shows the same values. */
export type ChartBlock = { readonly kind: 'chart'; readonly chart: Chart };

/** Text of a document, with line breaks; `getMarkdown` returns the same text, escaped. */
export interface TextBlock {
  readonly kind: 'text';
  readonly text: string;
  readonly getMarkdown: () => string;
}

export type Block =
  | TableBlock
  | FieldsBlock
  | TextBlock
  | { readonly kind: 'title' | 'note'; readonly text: string }
  | ChartBlock;

export const makeTitleBlock = (text: string): Block => ({ kind: 'title', text });
export const makeNoteBlock = (text: string): Block => ({ kind: 'note', text });
export const makeFieldsBlock = (entries: FieldsBlock['entries']): Block => ({ kind: 'fields', entries });
export const makeChartBlock = (chart: Chart): Block => ({ kind: 'chart', chart });
export const makeTableBlock = (columns: readonly Column[], rows: readonly TableRow[]): TableBlock => {
  return { kind: 'table', columns, rows };
};

/** The style of a column whose name is known; a text is its title. */
type ColumnStyle = string | Omit<Column, 'key'>;

export const alignRight = (title: string): ColumnStyle => ({ title, align: 'right' });

/** Returns a table with one row for each record: the record's fields with the names of the columns. */
export function makeRecordTable<Key extends string>(
  styles: Readonly<Record<Key, ColumnStyle>>,
  records: readonly Readonly<Record<NoInfer<Key>, Cell>>[],
): TableBlock {
  const columns = (Object.entries(styles) as [Key, ColumnStyle][]).map(([key, style]) => {
    return { key, ...(typeof style === 'string' ? { title: style } : style) };
  });
  const rows = records.map((record) => columns.map(({ key }) => record[key]));
  return makeTableBlock(columns, rows);
}

type Figure = Decimal | null | undefined;

export const makeFigureCell = (value: Figure, measure: Measure): FigureCell => ({ figure: value ?? null, measure });
export const makeSignedCell = (value: Figure, measure: Measure) => ({
  ...makeFigureCell(value, measure),
  signed: true,
});
export const makeQuietCell = (text: string | null | undefined): Cell => (text == null ? null : { text, tone: 'quiet' });

/** A case whose figures differ: its subject, and the command that shows the figures. */
type WorstCase = { readonly subject: string; readonly command: string };

/** Returns a table of the relations whose figures differ, with cases of each relation. */
export const makeWorstTable = (title: string, relations: readonly { name: string; worst: readonly WorstCase[] }[]) =>
  makeTableBlock(
    [{ key: 'worst', title, shrinkTo: 40 }],
    relations.flatMap(({ name, worst }): TableRow[] => [
      { section: [name] },
      ...worst.flatMap(({ subject, command }) => [[subject], [makeQuietCell(`  ${command}`)]]),
    ]),
  );

export type ChartPoint = { readonly day: string; readonly value: Decimal };

/** An event on a certain day, such as a split. */
export type ChartMark = { readonly day: string; readonly label: string };

/** A time series of daily figures. */
export interface LineChart {
  readonly kind: 'line';
  readonly title: string;
  /** Runs of consecutive trading days, earliest first. Points of a run are connected by lines; gaps separate runs. */
  readonly runs: readonly (readonly ChartPoint[])[];
  readonly marks: readonly ChartMark[];
  readonly measure: Measure;
}

/** Figures by period, in one or several series on one scale. */
export interface BarChart {
  readonly kind: 'bars';
  readonly title: string;
  /** Names of the periods, earliest first. */
  readonly periods: readonly string[];
  readonly series: readonly BarSeries[];
  readonly measure: Measure;
  /**
   * Shows several series in one plot: `beside` for bars next to each other, `stacked` for parts of a total. By default
   * each series has its own plot, on a common scale.
   */
  readonly together?: 'beside' | 'stacked';
}

export interface BarSeries {
  /** Name of the series; empty if the chart's title names it. */
  readonly label: string;
  /**
   * Index of the colour in a chart with several series; by default the index of the series. Charts of one answer use
   * it to give a member one colour everywhere.
   */
  readonly colour?: number;
  /** Values parallel to the periods; null for a figure that was not reported. */
  readonly values: readonly (Decimal | null)[];
}

export type Chart = LineChart | BarChart;
