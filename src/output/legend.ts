/** The marks of a table that are shown, each with its meaning. */
import type { Cell, TableBlock } from './blocks.ts';
import type { PlannedColumn } from './column-widths.ts';

/** @param shown the columns that are drawn: marks of dropped ones are not explained */
export function shownMarks(
  { rows, legend = [] }: TableBlock,
  shown: readonly Pick<PlannedColumn, 'column' | 'index'>[],
): NonNullable<TableBlock['legend']> {
  if (legend.length === 0) return [];
  const marks = [
    ...shown.map(({ column }) => column.mark),
    ...rows.flatMap((row) => ('section' in row ? [] : shown.map(({ index }) => markOf(row[index])))),
  ];
  return legend.filter(([mark]) => marks.some((text) => text?.includes(mark)));
}

const markOf = (cell: Cell | undefined): string | undefined =>
  typeof cell === 'object' && cell !== null ? cell.mark : undefined;
