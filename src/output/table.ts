/** A table as texts of the right width: which columns are shown, how wide, and what becomes of longer cells. */
import type { Cell, Column, TableBlock, TableRow, Tone } from './blocks.ts';
import { renderCell, type StyledText } from './cells.ts';
import { planColumns } from './column-widths.ts';
import { cutMiddle, displayWidth, pad, truncate, wrap } from './text-width.ts';
import { type Paint, unpainted } from './tones.ts';

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

/** Where the cells of a column stand in a line. */
interface Place {
  readonly index: number;
  readonly column: Column;
  readonly width: number;
  readonly last: boolean;
}

export function fitTable(
  { columns, rows }: TableBlock,
  { width, exact, header, paint = unpainted }: FitOptions,
): FittedTable {
  const texts = pointUnderPoint(
    rows,
    rows.map((row) => showRow(row, exact)),
  );
  const { shown, widths, empty } = planColumns(columns, texts.map(cellsOf), width);
  const places = shown.map(
    (index, position): Place => ({
      index,
      column: columns[index] ?? { key: '', title: '' },
      width: widths[position] ?? 0,
      last: position === shown.length - 1,
    }),
  );
  const put = (cell: StyledText, { column, width: wide, last }: Place): string => {
    const text = pad(cell.text, wide, column.align ?? 'left');
    // Trailing spaces help nobody.
    return paint(last ? text.trimEnd() : text, cell);
  };
  const heading = (tone: Tone, textOf: (column: Column) => string): string[] =>
    places.map((place) => put({ text: truncate(textOf(place.column), place.width), tone, link: null }, place));
  const linesOfRow = (cells: readonly StyledText[]): string[][] => {
    const stacks = places.map((place) => stack(cells[place.index] ?? NOTHING, place));
    const height = Math.max(...stacks.map(({ length }) => length));
    return Array.from({ length: height }, (_, line) =>
      places.map((place, position) => put(stacks[position]?.[line] ?? NOTHING, place)),
    );
  };
  const under = columns.some((column) => column.subtitle !== undefined);
  return {
    header: header
      ? [
          heading('strong', ({ title }) => title),
          ...(under ? [heading('quiet', ({ subtitle: text = '' }) => text)] : []),
        ]
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

const NOTHING: StyledText = { text: '', tone: 'plain', link: null };

type ShownRow = { readonly cells: readonly StyledText[] } | { readonly section: string };

const cellsOf = (row: ShownRow): readonly string[] => ('section' in row ? [] : row.cells.map(({ text }) => text));

const showRow = (row: TableRow, exact: boolean): ShownRow =>
  'section' in row
    ? {
        section: sectionCells(row.section)
          .map((cell) => renderCell(cell, exact).text)
          .join(' '),
      }
    : { cells: row.map((cell) => renderCell(cell, exact)) };

const sectionCells = (section: string | readonly Cell[]): readonly Cell[] =>
  typeof section === 'string' ? [section] : section;

/** A cell on one line, no wider than its column. */
function shorten(cell: StyledText, { column, width }: Place): StyledText {
  if (displayWidth(cell.text) <= width) return cell;
  return { ...cell, text: column.cut === 'middle' ? cutMiddle(cell.text, width) : truncate(cell.text, width) };
}

/** A cell in as many lines as it may take. */
const stack = (cell: StyledText, place: Place): readonly StyledText[] =>
  (place.column.wrapped === true ? wrap(cell.text, place.width) : [cell.text]).map((text) =>
    shorten({ ...cell, text }, place),
  );

/** In a column of nothing but prices the digits stand under each other, however many places each has. */
function pointUnderPoint(rows: readonly TableRow[], shown: readonly ShownRow[]): readonly ShownRow[] {
  const columns = rows.reduce((most, row) => Math.max(most, 'section' in row ? 0 : row.length), 0);
  const ends = Array.from({ length: columns }, (_, index) =>
    rows.every((row) => 'section' in row || isPrice(row[index] ?? null))
      ? shown.reduce((longest, row) => Math.max(longest, 'section' in row ? 0 : endOf(row.cells[index])), 0)
      : 0,
  );
  if (ends.every((end) => end === 0)) return shown;
  const padded = (cell: StyledText, end: number): StyledText =>
    end === 0 ? cell : { ...cell, text: cell.text + ' '.repeat(Math.max(0, end - endOf(cell))) };
  return shown.map((row) =>
    'section' in row ? row : { cells: row.cells.map((cell, index) => padded(cell, ends[index] ?? 0)) },
  );
}

const isPrice = (cell: Cell): boolean =>
  cell === null || (typeof cell === 'object' && 'measure' in cell && cell.measure === 'per_share');

/** How many characters stand behind the whole digits. */
const endOf = (cell: StyledText | undefined): number =>
  cell === undefined ? 0 : cell.text.length - (/^[-+]?[\d,]*/.exec(cell.text)?.[0].length ?? 0);
