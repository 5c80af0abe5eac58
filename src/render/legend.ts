/** What a table's legend explains: the marks that are shown, and the letters of abbreviated figures. */
import type { Cell, TableBlock } from '../result/blocks.ts';
import { abbreviate } from './format-values.ts';
import type { PlannedColumn } from './terminal/column-widths.ts';

type Shown = readonly Pick<PlannedColumn, 'column' | 'index'>[];

/**
 * What the legend of a table says, an entry each.
 * @param shown the columns that are drawn: marks of dropped ones are not explained
 * @param exact whether figures have every digit, and so no letters
 * @param said explanations of letters that stand above already; those of this table are added
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

/** `M million, B billion`: the letters of the figures that are shown; null where none is abbreviated. */
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
