/** Writes tables as lines of text or Markdown: amounts with their signs, in as few columns as possible. */
import type { Block, Cell } from './block.ts';

/** The texts of the cells, by row. All rows have the same number of columns. */
type Grid = readonly (readonly string[])[];

const MAX_WIDTH = 80;
const MIN_LABEL_WIDTH = 20;
const GAP = '  ';
/** Maximum length of a marker before a paragraph, such as a bullet or number. */
const MAX_MARKER_LENGTH = 4;

/** Returns the rows in aligned columns of at most 80 characters. Rows of wider tables become `label: value, value`. */
export function textTable(rows: readonly Block[]): string {
  const grid = makeGrid(rows);
  const widths = computeColumnWidths(grid);
  const valuesWidth = widths.slice(1).reduce((sum, width) => sum + width + GAP.length, 0);
  const labelWidth = Math.min(widths[0] ?? 0, MAX_WIDTH - valuesWidth);
  if (labelWidth < Math.min(widths[0] ?? 0, MIN_LABEL_WIDTH)) return grid.map(formatLabelledLine).join('\n');
  return grid.flatMap((cells) => alignCells(cells, [labelWidth, ...widths.slice(1)])).join('\n');
}

/** Returns a Markdown table; `toMarkdown` escapes the text of a cell. */
export function markdownTable(rows: readonly Block[], toMarkdown: (text: string) => string): string {
  const grid = makeGrid(rows);
  const [head, ...body] = grid.map((cells) => `| ${cells.map(toMarkdown).join(' | ')} |`);
  return [head, `|${' --- |'.repeat(grid[0]?.length ?? 0)}`, ...body].join('\n');
}

/** Returns the cells, with `$` and `(` joined to the next amount, and `)` and `%` to the previous amount. */
function joinSigns(cells: readonly Cell[]): Cell[] {
  const joined: Cell[] = [];
  let prefix = '';
  let start: number | null = null;
  for (const cell of cells) {
    const last = joined.at(-1);
    if (/^[$\u20ac\u00a3\u00a5(]+$/.test(cell.text)) {
      prefix += cell.text;
      start ??= cell.column;
    } else if (/^[)%]+$/.test(cell.text) && last !== undefined && prefix === '')
      joined[joined.length - 1] = { ...last, text: last.text + cell.text };
    else {
      // The amount begins in the column of its sign, as the column's head does.
      joined.push({ ...cell, text: prefix + cell.text, column: start ?? cell.column });
      prefix = '';
      start = null;
    }
  }
  return joined;
}

/**
 * Merges neighboring columns if no row has text in two of them. A column extends as far as its widest cell, which is
 * often its heading: the heading spans the columns of the sign, the amount and the bracket.
 */
function makeGrid(rows: readonly Block[]): Grid {
  const joined = rows.map(({ cells }) => joinSigns(cells));
  const starts = [...new Set(joined.flatMap((cells) => cells.map(({ column }) => column)))].sort((a, b) => a - b);
  const groupOf = new Map<number, number>();
  let group = 0;
  let rowsOfGroup = new Set<number>();
  for (const start of starts) {
    const findRows = (test: (cell: Cell) => boolean) => joined.flatMap((cells, row) => (cells.some(test) ? [row] : []));
    const inRows = findRows(({ column }) => column === start);
    const spans = joined.flatMap((cells) => cells.flatMap(({ column, span }) => (column === start ? [span] : [])));
    const end = start + Math.max(...spans);
    if (findRows(({ column }) => column >= start && column < end).some((row) => rowsOfGroup.has(row))) {
      group++;
      rowsOfGroup = new Set();
    }
    for (const row of inRows) rowsOfGroup.add(row);
    groupOf.set(start, group);
  }
  return joined.map((cells) => {
    const texts = Array.from({ length: group + 1 }, () => '');
    for (const { column, text } of cells) texts[groupOf.get(column) ?? 0] = text;
    return texts;
  });
}

const computeColumnWidths = (grid: Grid): number[] =>
  (grid[0] ?? []).map((_, column) => Math.max(...grid.map((cells) => cells[column]?.length ?? 0)));

const formatLabelledLine = ([label = '', ...values]: readonly string[]): string => {
  const texts = values.filter((text) => text !== '');
  if (label === '' || texts.length === 0) return label + texts.join(', ');
  return `${label}${label.length <= MAX_MARKER_LENGTH && !/[a-z]{2}/i.test(label) ? '' : ':'} ${texts.join(', ')}`;
};

function alignCells(cells: readonly string[], widths: readonly number[]): string[] {
  const [labelWidth = 0, ...valueWidths] = widths;
  const labelLines = wrapText(cells[0] ?? '', labelWidth);
  const values = valueWidths.map((width, index) => GAP + (cells[index + 1] ?? '').padStart(width)).join('');
  return labelLines.map((label, index) =>
    (index === labelLines.length - 1 ? label.padEnd(labelWidth) + values : label).trimEnd(),
  );
}

/** Divides a text into lines of at most a width. A word that is longer than the width has a line of its own. */
function wrapText(text: string, width: number): string[] {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1) ?? '';
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(`  ${word}`);
  }
  return lines;
}
