/** The legend of a table: explains the marks, and the letters of abbreviated figures. */
import type { Cell, TableBlock } from '../result/blocks.ts';
import { abbreviate } from './format-values.ts';
import type { PlannedColumn } from './terminal/column-widths.ts';

type Shown = readonly Pick<PlannedColumn, 'column' | 'index'>[];

/**
 * Returns the legend's entries.
 * @param shown the visible columns: marks of dropped ones are not explained
 * @param exact whether figures have all digits, and so no letters
 * @param said explanations of letters that were already printed; this table's are added
 */
export function legendEntries(block: TableBlock, shown: Shown, exact: boolean, said: Set<string>): string[] {
  const scales = exact ? null : shownScales(block, shown);
  const marks = shownMarks(block, shown).map((entry) => entry.join(' '));
  if (scales === null || said.has(scales)) return marks;
  said.add(scales);
  return [...marks, scales];
}

export function shownMarks({ rows, legend = [] }: TableBlock, shown: Shown): NonNullable<TableBlock['legend']> {
  if (legend.length === 0) return [];
  const marks = [
    ...shown.map(({ column }) => column.mark),
    ...rows.flatMap((row) => ('section' in row ? [] : shown.map(({ index }) => markOf(row[index])))),
  ];
  return legend.filter(([mark]) => marks.some((text) => text?.includes(mark)));
}

const markOf = (cell: Cell | undefined): string | undefined =>
  typeof cell === 'object' && cell !== null ? cell.mark : undefined;

const SCALES = { K: 'thousand', M: 'million', B: 'billion', T: 'trillion' } as const;

/** Returns the letters of shown figures, such as `M million, B billion`; null if none is abbreviated. */
function shownScales({ rows, explainsScales = false }: TableBlock, shown: Shown): string | null {
  if (!explainsScales) return null;
  const letters = new Set(
    rows.flatMap((row) => ('section' in row ? [] : shown.map(({ index }) => scaleOf(row[index] ?? null)))),
  );
  const named = Object.entries(SCALES).filter(([letter]) => letters.has(letter));
  return named.length === 0 ? null : named.map((entry) => entry.join(' ')).join(', ');
}

const scaleOf = (cell: Cell): string =>
  cell !== null && typeof cell === 'object' && 'figure' in cell && cell.figure !== null
    ? abbreviate(cell.figure, cell.measure).slice(-1)
    : '';
