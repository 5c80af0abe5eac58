/**
 * Draws all columns of a table on a narrow terminal: with rows and columns exchanged, or divided into several tables.
 */
import type { Cell, Column, TableBlock } from '../../result/blocks.ts';
import { type DrawnTable, drawTable, type TableOptions } from './draw-table.ts';

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
