/**
 * Draws tables with cli-table3, in the column widths that `column-widths.ts` plans. Cells are cut and wrapped before
 * cli-table3 receives them. On a narrow terminal, a table that keeps its columns has rows and columns exchanged, or is
 * divided into several tables.
 */
import CliTable from 'cli-table3';
import type { Cell, Column, TableBlock, TableRow, Tone } from '../../result/blocks.ts';
import { renderCell, type StyledText } from '../text/cells.ts';
import { cutMiddle, truncate, wrap, wrapAndBreakWords } from '../text/text-width.ts';
import { type Paint, paintPlain } from './colors.ts';
import { COLUMN_GAP, type ColumnPlan, type PlannedColumn, planColumns } from './column-widths.ts';

export interface TableOptions {
  /** Width of the terminal in columns; null for unlimited width. */
  readonly width: number | null;
  readonly exact: boolean;
  readonly header: boolean;
  /** Whether to draw a line under the header. */
  readonly ruled?: boolean;
  readonly paint?: Paint;
}

/** The drawn table, with line breaks and without trailing spaces, and the plan of its columns. */
export type DrawnTable = ColumnPlan & { readonly text: string };

const BORDERLESS_CHARS = {
  ...{ top: '', 'top-mid': '', 'top-left': '', 'top-right': '' },
  ...{ bottom: '', 'bottom-mid': '', 'bottom-left': '', 'bottom-right': '' },
  ...{ left: '', 'left-mid': '', mid: '', 'mid-mid': '', right: '', 'right-mid': '' },
  middle: ' '.repeat(COLUMN_GAP),
};

/**
 * Number of rows that are drawn at a time. The time of cli-table3 is quadratic in the lines of a table, so a table is
 * drawn as many small tables; because the widths are fixed, these look like a single table.
 */
const ROWS_PER_DRAWING = 16;

/**
 * A truncation mark that is never visible, because fin itself cuts cells. Its length saves time: cli-table3 cuts each
 * cell to ten columns for a debug message, which is cheaper with a mark of ten columns.
 */
const HIDDEN_TRUNCATION_MARK = '…'.repeat(10);

type CellLines = readonly string[];
type Rows = readonly (readonly CellLines[])[];

export function drawTable({ columns, rows }: TableBlock, options: TableOptions): DrawnTable {
  const { width, exact, header, ruled = false, paint = paintPlain } = options;
  const unaligned = rows.map((row) => renderRow(row, exact));
  const rendered = alignPrices(rows, unaligned);
  const plan = planColumns(columns, rendered.flatMap(texts), width);
  const { shownColumns: shown } = plan;
  const rule = shown.map((column) => [paint('─'.repeat(column.width), { tone: 'quiet', link: null })]);
  const heads = header ? [shown.map((column) => paintHeader(column, paint)), ...(ruled ? [rule] : [])] : [];
  let text = drawRows(heads, shown, 'bottom');
  let pending: CellLines[][] = [];
  for (const row of rendered) {
    if ('section' in row || pending.length === ROWS_PER_DRAWING) {
      text += drawRows(pending, shown);
      pending = [];
    }
    if ('section' in row) text += paintHeading(row.section, width, paint);
    else pending.push(shown.map((column) => paintCell(row.cells[column.index] ?? EMPTY_TEXT, column, paint)));
  }
  return { ...plan, text: text + drawRows(pending, shown) };
}

/**
 * Draws all rows of a column as one cell, because cli-table3 takes longer for many cells than for one cell with many
 * lines.
 */
function drawRows(rows: Rows, columns: readonly PlannedColumn[], align: 'top' | 'bottom' = 'top'): string {
  if (rows.length === 0) return '';
  const table = new CliTable({
    chars: BORDERLESS_CHARS,
    truncate: HIDDEN_TRUNCATION_MARK,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [], compact: true },
    colWidths: columns.map(({ width }) => width),
    colAligns: columns.map(({ column }) => column.align ?? 'left'),
  });
  const equalHeightRows = rows.map((row) => padToEqualHeight(row, align));
  table.push(columns.map((_, index) => equalHeightRows.flatMap((row) => row[index] ?? []).join('\n')));
  // Uses no regular expression, which would take quadratic time in long runs of spaces within lines.
  const lines = table.toString().split('\n');
  return lines.map((line) => `${line.trimEnd()}\n`).join('');
}

function padToEqualHeight(row: readonly CellLines[], align: 'top' | 'bottom'): readonly CellLines[] {
  const height = Math.max(...row.map((lines) => lines.length));
  return row.map((lines) => {
    const blank = Array<string>(height - lines.length).fill('');
    return align === 'top' ? [...lines, ...blank] : [...blank, ...lines];
  });
}

/** Returns the lines of a heading of a table or section, which spans all columns. */
export const paintHeading = (section: string, width: number | null, paint: Paint): string =>
  paintLines(wrap(section, width), 'strong', paint);

/** Returns the lines painted in a tone, each with a line break. */
export const paintLines = (lines: readonly string[], tone: Tone, paint: Paint): string =>
  lines.map((line) => `${paint(line, { tone, link: null })}\n`).join('');

/** Returns a header's lines: the title (cut only if the table has a single column) and the subtitle. */
function paintHeader({ column, width }: PlannedColumn, paint: Paint): CellLines {
  const { title, subtitle, wrapsTitle = false } = column;
  const titleLines = wrapsTitle ? wrap(title, width) : [title];
  const lines = titleLines.map((line) => paint(truncate(line, width), { tone: 'strong', link: null }));
  if (subtitle !== undefined) lines.push(paint(truncate(subtitle, width), { tone: 'quiet', link: null }));
  return lines;
}

function paintCell(cell: StyledText, { column, width }: PlannedColumn, paint: Paint): CellLines {
  const lines = wrapCell(cell.text, column.wrapped, width);
  const cutText = column.cut === 'middle' ? cutMiddle : truncate;
  return lines.map((line) => paint(cutText(line, width), cell));
}

function wrapCell(text: string, wrapMode: Column['wrapped'], width: number): CellLines {
  if (wrapMode === undefined) return [text];
  if (wrapMode === 'anywhere') return wrapAndBreakWords(text, width);
  const indent = /^ */.exec(text)?.[0] ?? '';
  return wrap(text.slice(indent.length), width - indent.length).map((line) => indent + line);
}

const EMPTY_TEXT: StyledText = { text: '', tone: 'plain', link: null };

type RenderedRow = { readonly cells: readonly StyledText[] } | { readonly section: string };

const texts = (row: RenderedRow): readonly string[][] => ('section' in row ? [] : [row.cells.map(({ text }) => text)]);

function renderRow(row: TableRow, isExact: boolean): RenderedRow {
  if (!('section' in row)) return { cells: row.map((cell) => renderCell(cell, isExact)) };
  const cells = typeof row.section === 'string' ? [row.section] : row.section;
  return { section: cells.map((cell) => renderCell(cell, isExact).text).join(' ') };
}

/** Aligns prices at the decimal point, in columns that contain only prices. */
function alignPrices(rows: readonly TableRow[], rendered: readonly RenderedRow[]): readonly RenderedRow[] {
  const count = rows.reduce((maxCells, row) => Math.max(maxCells, 'section' in row ? 0 : row.length), 0);
  /** The longest decimal part in each column of prices; 0 for other columns. */
  const lengths = Array.from({ length: count }, (_, index) => {
    if (!rows.every((row) => 'section' in row || isPerShareOrEmpty(row[index] ?? null))) return 0;
    const parts = rendered.map((row) => ('section' in row ? 0 : measureDecimalPart(row.cells[index])));
    return parts.reduce((a, b) => Math.max(a, b), 0);
  });
  const padCell = (cell: StyledText, index: number): StyledText => {
    const length = lengths[index] ?? 0;
    return length === 0 ? cell : { ...cell, text: cell.text + ' '.repeat(length - measureDecimalPart(cell)) };
  };
  return rendered.map((row) => ('section' in row ? row : { cells: row.cells.map(padCell) }));
}

const isPerShareOrEmpty = (cell: Cell): boolean =>
  cell === null || (typeof cell === 'object' && 'measure' in cell && cell.measure === 'per_share');

/** Returns the number of characters from the decimal point to the end of the cell: point, decimals and suffix. */
const measureDecimalPart = (cell: StyledText | undefined): number =>
  cell === undefined ? 0 : cell.text.replace(/^[-+]?[\d,]*/, '').length;

/**
 * Draws the table in the first form that fits: as one table, with rows and columns exchanged, or as several tables that
 * all begin with the first column.
 */
export function drawEveryColumn(block: TableBlock, options: TableOptions): DrawnTable {
  const drawn = drawTable(block, options);
  if (drawn.droppedColumns.length === 0) return drawn;
  const table = exchangeRowsAndColumns(block);
  const exchanged = table === null ? null : drawTable(table, options);
  const text = exchanged?.droppedColumns.length === 0 ? exchanged.text : drawSeveralTables(block, drawn, options);
  // The legend explains the marks of all columns, because the text shows nearly all: only empty columns, and columns
  // wider than the terminal, are missing.
  const all = block.columns.map((column, index) => ({ column, index, width: 0 }));
  return { text, shownColumns: all, droppedColumns: [], emptyColumns: [] };
}

/**
 * Draws the columns that did not fit as further tables.
 * @param drawn the columns that fit
 */
function drawSeveralTables(block: TableBlock, drawn: DrawnTable, options: TableOptions): string {
  const { text, droppedColumns, shownColumns } = drawn;
  // Stops if no further column fits next to the first one.
  if (droppedColumns.length === 0 || shownColumns.length === 1) return text;
  const indices = [0, ...droppedColumns.map((column) => block.columns.indexOf(column))];
  const rest = selectColumns(block, indices);
  return `${text}\n${drawSeveralTables(rest, drawTable(rest, options), options)}`;
}

const selectColumns = (block: TableBlock, indices: readonly number[]): TableBlock => ({
  ...block,
  columns: indices.flatMap((index) => block.columns[index] ?? []),
  rows: block.rows.map((row) => ('section' in row ? row : indices.map((index) => row[index] ?? null))),
});

/** Exchanges rows and columns. Returns null if two rows have the same label. Omits section headings. */
function exchangeRowsAndColumns(block: TableBlock): TableBlock | null {
  const [, ...columns] = block.columns;
  const rows = block.rows.flatMap((row) => ('section' in row ? [] : [row]));
  const labels = rows.map(([label = null]) => toText(label).trim());
  if (new Set(labels).size < labels.length) return null;
  const hasSubtitles = columns.some(({ subtitle }) => subtitle !== undefined);
  return {
    ...block,
    columns: [
      { key: 'column', title: '' },
      ...(hasSubtitles ? [{ key: 'subtitle', title: '' }] : []),
      ...labels.map((title): Column => ({ key: title, title, align: 'right', wrapsTitle: true })),
    ],
    rows: columns.map(({ title, subtitle = '' }, index) => [
      title,
      ...(hasSubtitles ? [{ text: subtitle, tone: 'quiet' } as const] : []),
      ...rows.map((row) => row[index + 1] ?? null),
    ]),
  };
}

const toText = (cell: Cell): string =>
  cell !== null && typeof cell === 'object' ? ('text' in cell ? cell.text : '') : String(cell ?? '');
