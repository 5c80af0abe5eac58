/** A table as texts of the right width: which columns are shown, how wide, and what becomes of longer cells. */
import type { Cell, Column, TableBlock, TableRow, Tone } from './blocks.ts';
import { type Shown, showCell } from './cells.ts';
import { layOut } from './layout.ts';
import { type Paint, unpainted } from './tones.ts';
import { cutMiddle, displayWidth, pad, truncate, wrap } from './width.ts';

export interface FitOptions {
  /** Columns of the terminal, or null where nothing is to be cut. */
  readonly width: number | null;
  readonly exact: boolean;
  readonly header: boolean;
  readonly paint?: Paint;
}

/** Lines of texts that have their widths already; a section runs across. */
export interface FittedTable {
  readonly header: readonly (readonly string[])[] | null;
  /** What may be drawn under the header. */
  readonly rule: readonly string[];
  readonly rows: readonly (readonly string[] | { readonly section: string })[];
  readonly widths: readonly number[];
  /** Indexes of the columns there was room for, and of those left out because nothing stands in them. */
  readonly shown: readonly number[];
  readonly empty: readonly number[];
}

export function fitTable(
  { columns, rows }: TableBlock,
  { width, exact, header, paint = unpainted }: FitOptions,
): FittedTable {
  const texts = pointUnderPoint(
    rows,
    rows.map((row) => showRow(row, exact)),
  );
  const { shown, widths, empty } = layOut(columns, texts.map(cellsOf), width);
  const places = shown.map((index, position) => ({
    index,
    column: columns[index] ?? { key: '', title: '' },
    width: widths[position] ?? 0,
    last: position === shown.length - 1,
  }));
  type Place = (typeof places)[number];
  const put = (cell: Shown, { column, width: wide, last }: Place): string => {
    const text = pad(cell.text, wide, column.align ?? 'left');
    // Trailing spaces help nobody.
    return paint(last ? text.trimEnd() : text, cell);
  };
  const heading = (tone: Tone, textOf: (column: Column) => string): string[] =>
    places.map((place) => put({ text: truncate(textOf(place.column), place.width), tone, link: null }, place));
  const linesOfRow = (cells: readonly Shown[]): string[][] => {
    const stacks = places.map(({ index, column, width: wide }) => linesOf(cells[index] ?? NOTHING, column, wide));
    const height = Math.max(...stacks.map(({ length }) => length));
    return Array.from({ length: height }, (_, line) =>
      places.map((place, position) => put(stacks[position]?.[line] ?? NOTHING, place)),
    );
  };
  const under = columns.some((column) => column.under !== undefined);
  return {
    header: header
      ? [heading('strong', ({ title }) => title), ...(under ? [heading('quiet', ({ under: text = '' }) => text)] : [])]
      : null,
    rule: widths.map((wide) => paint('─'.repeat(wide), { tone: 'quiet', link: null })),
    rows: texts.flatMap<FittedTable['rows'][number]>((row) =>
      'section' in row ? { section: paint(row.section, { tone: 'strong', link: null }) } : linesOfRow(row.cells),
    ),
    widths,
    shown,
    empty,
  };
}

const NOTHING: Shown = { text: '', tone: 'plain', link: null };

type ShownRow = { readonly cells: readonly Shown[] } | { readonly section: string };

const cellsOf = (row: ShownRow): readonly string[] => ('section' in row ? [] : row.cells.map(({ text }) => text));

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

/** A cell in as many lines as it may take, none wider than its column. */
function linesOf(cell: Shown, { wrapped = false, cut = 'end' }: Column, width: number): readonly Shown[] {
  if (displayWidth(cell.text) <= width) return [cell];
  const shorten = cut === 'middle' ? cutMiddle : truncate;
  const texts = wrapped ? wrap(cell.text, width) : [cell.text];
  return texts.map((text) => ({ ...cell, text: shorten(text, width) }));
}

/** In a column of nothing but prices the digits stand under each other, however many places each has. */
function pointUnderPoint(rows: readonly TableRow[], shown: readonly ShownRow[]): readonly ShownRow[] {
  const columns = Math.max(0, ...rows.map((row) => ('section' in row ? 0 : row.length)));
  const ends = Array.from({ length: columns }, (_, index) => {
    const cells = rows.flatMap((row) => ('section' in row ? [] : [row[index] ?? null]));
    const prices = cells.every((cell) => cell === null || (isFigure(cell) && cell.measure === 'per_share'));
    return prices ? Math.max(0, ...shown.map((row) => ('section' in row ? 0 : endOf(row.cells[index])))) : 0;
  });
  if (ends.every((end) => end === 0)) return shown;
  return shown.map((row) =>
    'section' in row
      ? row
      : {
          cells: row.cells.map((cell, index) => ({
            ...cell,
            text: cell.text + ' '.repeat(Math.max(0, (ends[index] ?? 0) - endOf(cell))),
          })),
        },
  );
}

const isFigure = (cell: Cell): cell is Extract<Cell, { readonly measure: unknown }> =>
  typeof cell === 'object' && cell !== null && 'measure' in cell;

/** How many characters stand behind the whole digits. */
const endOf = (cell: Shown | undefined): number =>
  cell === undefined ? 0 : cell.text.length - (/^[-+]?[\d,]*/.exec(cell.text)?.[0].length ?? 0);
