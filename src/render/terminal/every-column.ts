/** Draws every column of a table, however narrow the terminal: rows and columns exchanged, or in several tables. */
import type { Cell, Column, TableBlock } from '../../result/blocks.ts';
import { type DrawnTable, drawTable, type TableOptions } from './table.ts';

/**
 * Draws the table whole if it fits; else with rows and columns exchanged if that fits; else as tables one below the
 * other, each with the first column and as many others as fit.
 */
export function drawEveryColumn(block: TableBlock, options: TableOptions): DrawnTable {
  const drawnTable = drawTable(block, options);
  if (drawnTable.droppedColumns.length === 0) return drawnTable;
  const exchangedTable = exchangeRowsAndColumns(block);
  const turnedTable = exchangedTable === null ? null : drawTable(exchangedTable, options);
  const text = turnedTable?.droppedColumns.length === 0 ? turnedTable.text : drawInParts(block, drawnTable, options);
  // The legend explains marks by the columns of the table, all of which are visible.
  const allColumns = block.columns.map((column, index) => ({ column, index, width: 0 }));
  return { text, shownColumns: allColumns, droppedColumns: [], emptyColumns: [] };
}

/** @param drawnTable the table as far as its columns fit */
function drawInParts(block: TableBlock, drawnTable: DrawnTable, options: TableOptions): string {
  const { text, droppedColumns, shownColumns } = drawnTable;
  // The first column alone: nothing else fits, not even by itself.
  if (droppedColumns.length === 0 || shownColumns.length === 1) return text;
  const remainingIndices = [0, ...droppedColumns.map((column) => block.columns.indexOf(column))];
  const remainingTable = withColumns(block, remainingIndices);
  return `${text}\n${drawInParts(remainingTable, drawTable(remainingTable, options), options)}`;
}

const withColumns = (block: TableBlock, indices: readonly number[]): TableBlock => ({
  ...block,
  columns: indices.flatMap((index) => block.columns[index] ?? []),
  rows: block.rows.map((row) => ('section' in row ? row : indices.map((index) => row[index] ?? null))),
});

/** A line per column, and a column per row; null if two rows have one label. Leaves out headings, which labels imply. */
function exchangeRowsAndColumns(block: TableBlock): TableBlock | null {
  const [, ...columns] = block.columns;
  const rows = block.rows.flatMap((row) => ('section' in row ? [] : [row]));
  const labels = rows.map(([label = null]) => textOf(label).trim());
  if (new Set(labels).size < labels.length) return null;
  const hasSubtitles = columns.some(({ subtitle }) => subtitle !== undefined);
  return {
    ...block,
    columns: [
      { key: 'column', title: '' },
      ...(hasSubtitles ? [{ key: 'subtitle', title: '' }] : []),
      ...labels.map((title): Column => ({ key: title, title, align: 'right', wrapTitle: true })),
    ],
    rows: columns.map(({ title, subtitle = '' }, index) => [
      title,
      ...(hasSubtitles ? [{ text: subtitle, tone: 'quiet' } as const] : []),
      ...rows.map((row) => row[index + 1] ?? null),
    ]),
  };
}

const textOf = (cell: Cell): string =>
  cell !== null && typeof cell === 'object' ? ('text' in cell ? cell.text : '') : String(cell ?? '');
