/** Blocks as text: what stands on a terminal, or in a file when piped. */
import type { Block, Cell, ChartBlock, FieldsBlock, TableBlock, TableRow } from './blocks.ts';
import { type Shown, showCell } from './cells.ts';
import { chartText } from './chart/chart-text.ts';
import { harmless } from './foreign.ts';
import { type Layout, layOut } from './layout.ts';
import { drawPlain } from './plain-table.ts';
import { type Paint, unpainted } from './tones.ts';
import { displayWidth, pad, truncate, wrap } from './width.ts';

export interface PrintOptions {
  /** Columns of the terminal, or null where nothing is to be cut. */
  readonly width: number | null;
  readonly exact: boolean;
  readonly header: boolean;
  readonly paint?: Paint;
  /** Whether charts are drawn. */
  readonly charts?: boolean;
  /** Draws tables instead of the plain printer. */
  readonly draw?: DrawTable;
}

/** A table whose cells are texts of the right width already; a section runs across. */
export interface FittedTable {
  readonly header: readonly string[] | null;
  readonly rows: readonly (readonly string[] | { readonly section: string })[];
  readonly widths: readonly number[];
}

/** Of a chart on a terminal that does not say how wide it is. */
const DRAWN_WIDTH = 80;

/** Beside labels, however little is left of the line. */
const NARROWEST = 16;

export type DrawTable = (table: FittedTable) => string;

export function printBlocks(blocks: readonly Block[], options: PrintOptions): string {
  return blocks.map((block) => printBlock(block, options)).join('');
}

function printBlock(block: Block, options: PrintOptions): string {
  const { paint = unpainted } = options;
  switch (block.kind) {
    case 'title':
      return wrap(harmless(block.text), options.width)
        .map((line) => `${paint(line, { tone: 'strong', link: null })}\n`)
        .join('');
    case 'note':
      return printNote(block.text, options.width, paint);
    case 'fields':
      return printFields(block, options);
    case 'table':
      return printTable(block, options);
    case 'chart':
      return printChart(block, options);
  }
}

/**
 * Label beside value; a value longer than the line goes on beneath itself, and one that has no place to break, such
 * as an address, gets a line of its own.
 */
function printFields({ entries }: FieldsBlock, { width, exact, paint = unpainted }: PrintOptions): string {
  const labelWidth = Math.max(...entries.map(([label]) => displayWidth(label)));
  const room = width === null ? null : Math.max(NARROWEST, width - labelWidth - 2);
  return entries
    .flatMap(([label, cell]) => {
      const shown = showCell(cell, exact);
      const lines = wrap(shown.text, room);
      if (room !== null && lines.some((line) => displayWidth(line) > room)) {
        return [`${paint(label, { tone: 'quiet', link: null })}\n`, `${paint(shown.text, shown)}\n`];
      }
      return lines.map((text, index) => {
        const head = pad(index === 0 ? label : '', labelWidth, 'left');
        return `${paint(head, { tone: 'quiet', link: null })}  ${paint(text, shown)}\n`;
      });
    })
    .join('');
}

/** Where there is no terminal nothing is drawn unless it was asked for: dots are no text to work on. */
function printChart({ chart }: ChartBlock, { width, exact, charts = false, paint = unpainted }: PrintOptions): string {
  if (!charts) return '';
  const { lines, notes } = chartText(chart, width ?? DRAWN_WIDTH, exact);
  const heading = chart.title === '' || lines.length === 0 ? [] : [[{ text: chart.title, tone: 'strong' as const }]];
  const drawn = [...heading, ...lines].map((line) =>
    line.map(({ text, tone }) => paint(harmless(text), { tone, link: null })).join(''),
  );
  return drawn.map((line) => `${line}\n`).join('') + notes.map((text) => printNote(text, width, paint)).join('');
}

function printTable(block: TableBlock, options: PrintOptions): string {
  const { paint = unpainted, draw = drawPlain } = options;
  if (block.rows.length === 0) return '';
  const { columns } = block;
  const rows = block.rows.map((row) => showRow(row, options.exact));
  const natural = columns.map((column, index) =>
    Math.max(displayWidth(column.title), ...rows.map((row) => widthAt(row, index))),
  );
  const layout = layOut(columns, natural, options.width);
  const place = (shown: Shown, position: number): string => {
    const width = layout.widths[position] ?? 0;
    const { align = 'left' } = columns[layout.shown[position] ?? 0] ?? {};
    const text = truncate(shown.text, width);
    // The last column of a line is not padded: trailing spaces help nobody.
    const last = position === layout.shown.length - 1 && align === 'left';
    return paint(last ? text : pad(text, width, align), shown);
  };
  const header = layout.shown.map((index, position) =>
    place({ text: columns[index]?.title ?? '', tone: 'strong', link: null }, position),
  );
  const fitted = rows.map((row) =>
    'section' in row
      ? { section: paint(row.section, { tone: 'strong', link: null }) }
      : layout.shown.map((index, position) => place(row.cells[index] ?? showCell(null, false), position)),
  );
  const text = draw({ header: options.header ? header : null, rows: fitted, widths: layout.widths });
  return text + cutNote(block, layout, options.width, paint) + legendNote(block, layout, options.width, paint);
}

/** Past this many names, the first and the last say enough. */
const MANY = 6;

function printNote(text: string, width: number | null, paint: Paint): string {
  return wrap(harmless(text), width)
    .map((line) => `${paint(line, { tone: 'quiet', link: null })}\n`)
    .join('');
}

type ShownRow = { readonly cells: readonly Shown[] } | { readonly section: string };

const showRow = (row: TableRow, exact: boolean): ShownRow =>
  'section' in row
    ? {
        section: sectionCells(row.section)
          .map((cell) => showCell(cell, exact).text)
          .join(' '),
      }
    : { cells: row.map((cell) => showCell(cell, exact)) };

const sectionCells = (section: string | readonly Cell[]): readonly Cell[] =>
  typeof section === 'string' ? [section] : section;

const widthAt = (row: ShownRow, index: number): number =>
  'section' in row ? 0 : displayWidth(row.cells[index]?.text ?? '');

/** What does not fit is never dropped silently. */
function cutNote(
  { columns, columnsAre = 'columns' }: TableBlock,
  { shown }: Layout,
  width: number | null,
  paint: Paint,
): string {
  const missing = columns.filter((_, index) => !shown.includes(index));
  if (missing.length === 0) return '';
  const names = missing.map((column) => column.title.trim());
  const [first = '', last = ''] = [names[0], names.at(-1)];
  const named = names.length > MANY ? `${first} to ${last}` : names.join(', ');
  return printNote(
    `${missing.length} more ${missing.length === 1 ? columnsAre.replace(/s$/, '') : columnsAre} did not fit: ${named}`,
    width,
    paint,
  );
}

/** Only of marks that are there to be seen: what did not fit took its marks with it. */
function legendNote(
  { columns, rows, legend = [] }: TableBlock,
  { shown }: Layout,
  width: number | null,
  paint: Paint,
): string {
  const marks = [
    ...shown.map((index) => columns[index]?.mark),
    ...rows.flatMap((row) => ('section' in row ? [] : shown.map((index) => markOf(row[index])))),
  ];
  const seen = legend.filter(([mark]) => marks.some((text) => text?.includes(mark)));
  return seen.length === 0 ? '' : printNote(seen.map((entry) => entry.join(' ')).join('   '), width, paint);
}

const markOf = (cell: Cell | undefined): string | undefined =>
  typeof cell === 'object' && cell !== null ? cell.mark : undefined;
