/** Converts tables of a view to spreadsheet cells; figures become numbers. */
import type { CellObject, Row } from 'write-excel-file/node';
import type { Block, Cell, FigureCell, TableBlock } from '../../result/blocks.ts';
import { selectMarks } from '../text/legend.ts';
import { makeBoldCell, makeDayOrTextCell, makeNumberCell, makeTextCell, widenColumns } from './spreadsheet-cells.ts';
import { makeFormulas } from './spreadsheet-formulas.ts';

interface TableSheet {
  readonly rows: readonly Row[];
  readonly widths: readonly number[];
  /**
   * Number of rows to freeze while scrolling: the rows up to the table header, inclusive. 0 without a table, or with
   * several tables.
   */
  readonly headRows: number;
  /** Formulas by cell address, without the leading equals sign. */
  readonly formulas: ReadonlyMap<string, string>;
}

/** Places blocks below each other on one sheet, with an empty row after each table and each legend. Omits charts. */
export function makeTableSheet(blocks: readonly Block[]): TableSheet {
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
      for (const row of [...head, ...body.filter((cells) => cells.length > 1)]) widenColumns(widths, row);
      rows.push(...head);
      heads = heads === 0 ? rows.length : -1;
      for (const [address, formula] of makeFormulas(block, rows.length)) formulas.set(address, formula);
      rows.push(...body, [], ...makeLegend(block), []);
    }
  }
  return { rows, widths, headRows: Math.max(0, heads), formulas };
}

function makeHeaderRows({ columns }: TableBlock): CellObject[][] {
  const cells = columns.map(({ title, align }) => ({ ...makeBoldCell(title), ...makeAlignment(align) }));
  if (columns.every(({ subtitle }) => subtitle === undefined)) return [cells];
  const below = columns.map(({ subtitle = '', align }) => ({
    ...makeDayOrTextCell(subtitle),
    ...makeAlignment(align),
  }));
  return [cells, below];
}

const makeAlignment = (align: 'left' | 'right' = 'left') => ({ align });

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
  if (typeof cell === 'string') return makeDayOrTextCell(cell);
  if (typeof cell === 'number') return { value: cell, type: Number, format: '0' };
  if ('figure' in cell) return makeFigureCell(cell);
  return cell.tone === 'strong' ? makeBoldCell(cell.text) : makeDayOrTextCell(cell.text);
}

/** Returns a figure as a number. The mark is part of the number format, so that Excel can compute with the cell. */
function makeFigureCell({ figure, measure, mark = '', tone }: FigureCell): CellObject {
  if (figure === null) return {};
  const { format, ...cell } = makeNumberCell(figure, measure);
  const marked = `${format}${mark.trim() === '' ? '' : `"${mark.trim()}"`}`;
  const withFormat = { ...cell, format: `${marked};[Red]-${marked}` };
  return tone === 'strong' ? { ...withFormat, fontWeight: 'bold' } : withFormat;
}
