/**
 * Cells of spreadsheets: texts, days as dates, and figures as numbers with the format of their measure; and the tables of
 * a view as cells.
 */
import type { CellObject } from 'write-excel-file/node';
import { isDay } from '../../contract/identifiers.ts';
import type { Measure } from '../../contract/statements/formula.ts';
import { toDayNumber } from '../../platform/dates.ts';
import type { Block, Cell, FigureCell, TableBlock } from '../../result/blocks.ts';
import { selectMarks } from '../text/cells.ts';
import { sanitize } from '../text/sanitize.ts';
import { makeFormulas } from './spreadsheet-formulas.ts';

/** Excel's maximum number of characters in a cell. */
const MAX_CELL_LENGTH = 32_767;

const cut = (text: string): string => sanitize(text).slice(0, MAX_CELL_LENGTH);

export const makeTextCell = (text: string): CellObject => ({ value: cut(text), type: String });
export const makeBoldCell = (text: string): CellObject => ({ ...makeTextCell(text), fontWeight: 'bold' });

/** Number that Excel stores for 1970-01-01: it counts days from the end of 1899. */
const EPOCH_SERIAL = 25_569;
/** Excel takes 1900 for a leap year, so that its earlier days are off by one. */
const FIRST_DAY = '1900-03-01';

export const makeDayCell = (text: string): CellObject =>
  isDay(text) && text >= FIRST_DAY
    ? { value: toDayNumber(text) + EPOCH_SERIAL, type: Number, format: DAY_FORMAT }
    : makeTextCell(text);

const DAY_FORMAT = 'yyyy-mm-dd';

/**
 * Returns a figure as a numeric cell, so that Excel can compute with it. Excel keeps 15 digits of a number.
 * @param measure null if unknown
 */
export const makeNumberCell = (figure: string, measure: Measure | null) =>
  ({ value: Number(figure), type: Number, format: findFormat(figure, measure) }) as const;

function findFormat(figure: string, measure: Measure | null): string {
  if (measure === 'fraction') return '0.0%';
  if (measure === 'multiple' || measure === 'per_share') return '#,##0.00##';
  if (!figure.includes('.')) return '#,##0';
  return measure === 'money' ? '#,##0.00' : 'General';
}

/** Minimum and maximum width of a column, in characters. */
const [MIN_COLUMN_WIDTH, MAX_COLUMN_WIDTH] = [8, 48];

/** Widens columns so that they show the cells of a row. */
export function widen(widths: number[], row: readonly CellObject[]): void {
  for (const [index, cell] of row.entries())
    widths[index] = Math.min(MAX_COLUMN_WIDTH, Math.max(widths[index] ?? MIN_COLUMN_WIDTH, measureWidth(cell)));
}

function measureWidth({ value, format }: CellObject): number {
  if (format === DAY_FORMAT) return DAY_FORMAT.length + 2;
  const text = `${value ?? ''}`;
  if (typeof value !== 'number') return text.length + 2;
  if (format?.includes('%') === true) return 8;
  const [digits = ''] = text.split('.');
  return digits.length + Math.floor(digits.length / 3) + (text.includes('.') ? 5 : 0) + 2;
}

/**
 * Places blocks below each other on one sheet, with an empty row after each table and each legend. Omits charts. Also
 * returns the formulas by cell address, without the leading equals sign, and the number of rows to freeze while scrolling:
 * the rows up to the table header, inclusive; 0 without a table, or with several tables.
 */
export function makeTableSheet(blocks: readonly Block[]) {
  const rows: CellObject[][] = [];
  const widths: number[] = [];
  const formulas = new Map<string, string>();
  let heads = 0;
  for (const block of blocks) {
    if (block.kind === 'title') rows.push([makeBoldCell(block.text)]);
    else if (block.kind === 'note') rows.push([makeTextCell(block.text)]);
    else if (block.kind === 'fields')
      for (const [label, cell] of block.entries) rows.push([makeBoldCell(label), makeCell(cell)]);
    else if (block.kind === 'table') {
      const [head, body] = [makeHeaderRows(block), makeRows(block)];
      for (const row of [...head, ...body.filter((cells) => cells.length > 1)]) widen(widths, row);
      rows.push(...head);
      heads = heads === 0 ? rows.length : -1;
      for (const [address, formula] of makeFormulas(block, rows.length)) formulas.set(address, formula);
      rows.push(...body, [], ...makeLegend(block), []);
    }
  }
  return { rows, widths, headRows: Math.max(0, heads), formulas };
}

function makeHeaderRows({ columns }: TableBlock): CellObject[][] {
  const cells = columns.map(({ title, align = 'left' }) => ({ ...makeBoldCell(title), align }));
  if (columns.every(({ subtitle }) => subtitle === undefined)) return [cells];
  return [cells, columns.map(({ subtitle = '', align = 'left' }) => ({ ...makeDayCell(subtitle), align }))];
}

const makeRows = ({ rows, columns }: TableBlock): CellObject[][] =>
  rows.map((row) => {
    if (!('section' in row)) return columns.map((_, index) => makeCell(row[index] ?? null));
    return typeof row.section === 'string' ? [makeBoldCell(row.section)] : row.section.map(makeCell);
  });

function makeLegend(block: TableBlock): CellObject[][] {
  const shown = block.columns.map((column, index) => ({ column, index }));
  return selectMarks(block, shown).map(([mark, meaning]) => [makeTextCell(`${mark} ${meaning}`)]);
}

function makeCell(cell: Cell): CellObject {
  if (cell === null) return {};
  if (typeof cell === 'string') return makeDayCell(cell);
  if (typeof cell === 'number') return { value: cell, type: Number, format: '0' };
  if ('figure' in cell) return makeFigureCell(cell);
  return cell.tone === 'strong' ? makeBoldCell(cell.text) : makeDayCell(cell.text);
}

/** Returns a figure as a number. The mark is part of the number format, so that Excel can compute with the cell. */
function makeFigureCell({ figure, measure, mark = '', tone }: FigureCell): CellObject {
  if (figure === null) return {};
  const { format, ...cell } = makeNumberCell(figure, measure);
  const marked = `${format}${mark.trim() === '' ? '' : `"${mark.trim()}"`}`;
  const withFormat = { ...cell, format: `${marked};[Red]-${marked}` };
  return tone === 'strong' ? { ...withFormat, fontWeight: 'bold' } : withFormat;
}
