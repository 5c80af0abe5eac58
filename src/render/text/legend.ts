/** The legend of a table: explains marks and the letters (K, M, B, T) of abbreviated figures. */
import type { Cell, Column, TableBlock } from '../../result/blocks.ts';
import { abbreviate } from './format-values.ts';

/** The visible columns, with the index of the column's cell in each row. */
type ShownColumns = readonly { readonly column: Column; readonly index: number }[];

/**
 * @param shownColumns the visible columns; only their marks are explained
 * @param isExact whether figures have all digits, so that no letters occur
 * @param explainedScales explanations that earlier tables have already printed, such as `M million`; extended by this
 * table's
 */
export function makeLegendEntries(
  block: TableBlock,
  shownColumns: ShownColumns,
  isExact: boolean,
  explainedScales: Set<string>,
): string[] {
  const scaleText = isExact ? null : describeShownScales(block, shownColumns);
  const markTexts = selectShownMarks(block, shownColumns).map((entry) => entry.join(' '));
  if (scaleText === null || explainedScales.has(scaleText)) return markTexts;
  explainedScales.add(scaleText);
  return [...markTexts, scaleText];
}

export function selectShownMarks(
  { rows, legend = [] }: TableBlock,
  shownColumns: ShownColumns,
): NonNullable<TableBlock['legend']> {
  if (legend.length === 0) return [];
  const shownMarks = [
    ...shownColumns.map(({ column }) => column.mark),
    ...rows.flatMap((row) => ('section' in row ? [] : shownColumns.map(({ index }) => findMark(row[index])))),
  ];
  return legend.filter(([mark]) => shownMarks.some((text) => text?.includes(mark)));
}

const findMark = (cell: Cell | undefined): string | undefined =>
  typeof cell === 'object' && cell !== null ? cell.mark : undefined;

const SCALE_NAMES = { K: 'thousand', M: 'million', B: 'billion', T: 'trillion' } as const;

/**
 * Returns the meanings of the letters in the shown figures, such as `M million, B billion`; null if there are no
 * letters, or if the table's legend does not explain them.
 */
function describeShownScales({ rows, explainsScales = false }: TableBlock, shownColumns: ShownColumns): string | null {
  if (!explainsScales) return null;
  const lastCharacters = new Set(
    rows.flatMap((row) =>
      'section' in row ? [] : shownColumns.map(({ index }) => findLastCharacter(row[index] ?? null)),
    ),
  );
  const usedScales = Object.entries(SCALE_NAMES).filter(([letter]) => lastCharacters.has(letter));
  return usedScales.length === 0 ? null : usedScales.map((entry) => entry.join(' ')).join(', ');
}

const findLastCharacter = (cell: Cell): string =>
  cell !== null && typeof cell === 'object' && 'figure' in cell && cell.figure !== null
    ? abbreviate(cell.figure, cell.measure).slice(-1)
    : '';
