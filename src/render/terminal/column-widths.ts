/** Decides which columns of a table fit on the terminal, and how wide each column is. */

import { sumNumbers } from '../../platform/collections.ts';
import type { Column } from '../../result/blocks.ts';
import { DASH } from '../text/cells.ts';
import { measureWidth } from '../text/text-width.ts';

export const COLUMN_GAP = 2;

export interface PlannedColumn {
  /** Index of the column's cell in each row. */
  readonly index: number;
  readonly column: Column;
  readonly width: number;
}

export interface ColumnPlan {
  readonly shownColumns: readonly PlannedColumn[];
  /** Columns dropped because the terminal is too narrow. */
  readonly droppedColumns: readonly Column[];
  /** Columns not shown because all their cells are empty. */
  readonly emptyColumns: readonly Column[];
}

/** Minimum width of the last remaining column. */
const MIN_COLUMN_WIDTH = 6;

type Rows = readonly (readonly string[])[];
type CandidateColumn = ReturnType<typeof measureColumn>;

/**
 * Chooses the visible columns and their widths.
 * @param rows texts of each row, parallel to the columns
 * @param availableWidth width of the terminal in columns; null for no limit
 */
export function planColumns(columns: readonly Column[], rows: Rows, availableWidth: number | null): ColumnPlan {
  const candidates = columns.map((column, index) => measureColumn(column, index, rows, availableWidth !== null));
  if (availableWidth === null) return { shownColumns: candidates, droppedColumns: [], emptyColumns: [] };
  const fitsWidth = (shown: readonly CandidateColumn[], getWidth: (candidate: CandidateColumn) => number): boolean =>
    sumNumbers(shown.map(getWidth)) + COLUMN_GAP * (shown.length - 1) <= availableWidth;
  // Empty columns are removed before any other column is dropped.
  const empty = fitsWidth(candidates, ({ width }) => width) ? [] : candidates.slice(1).filter(({ isEmpty }) => isEmpty);
  let shown = candidates.filter((column) => !empty.includes(column));
  while (shown.length > 1 && !fitsWidth(shown, ({ minWidth }) => minWidth)) {
    const dropped = selectColumnToDrop(shown);
    shown = shown.filter((column) => column !== dropped);
  }
  const droppedCandidates = candidates.filter((column) => !shown.includes(column) && !empty.includes(column));
  return {
    shownColumns: shrinkColumns(shown, availableWidth - COLUMN_GAP * (shown.length - 1)),
    droppedColumns: droppedCandidates.map(({ column }) => column),
    emptyColumns: empty.map(({ column }) => column),
  };
}

function measureColumn(column: Column, index: number, rows: Rows, mayWrap: boolean) {
  const texts = rows.map((row) => row[index] ?? '');
  const headerWidth = measureHeader(column, mayWrap);
  const width = texts.reduce((widest, text) => Math.max(widest, measureWidth(text)), headerWidth);
  return {
    index,
    column,
    width,
    minWidth: Math.min(width, Math.max(column.shrinkTo ?? width, headerWidth)),
    isEmpty: texts.every((text) => ['', DASH].includes(text.trim())),
  };
}

/** @param mayWrap false for a pipe, where the header stays on one line */
function measureHeader({ title, subtitle, wrapsTitle = false }: Column, mayWrap: boolean): number {
  const titles = wrapsTitle && mayWrap ? title.split(' ') : [title];
  return Math.max(...[...titles, subtitle ?? ''].map(measureWidth));
}

/**
 * Returns the column to drop first: the column with the highest `drop` number, or the rightmost column if no column has
 * a number. The first column is never dropped.
 */
function selectColumnToDrop([, ...others]: readonly CandidateColumn[]): CandidateColumn {
  const droppable = others.filter(({ column }) => column.drop !== undefined);
  return (droppable.length > 0 ? droppable : others).reduce((highest, column) =>
    (column.column.drop ?? 0) >= (highest.column.drop ?? 0) ? column : highest,
  );
}

/**
 * Returns natural widths if they fit; otherwise repeatedly reduces the width of the widest column that can still
 * shrink.
 */
function shrinkColumns(shown: readonly CandidateColumn[], availableWidth: number): PlannedColumn[] {
  const [firstCandidate, ...otherCandidates] = shown;
  if (firstCandidate !== undefined && otherCandidates.length === 0 && firstCandidate.minWidth > availableWidth)
    return [{ ...firstCandidate, width: Math.max(MIN_COLUMN_WIDTH, availableWidth) }];
  const planned = shown.map(({ index, column, width, minWidth }) => ({ index, column, width, least: minWidth }));
  for (let excess = sumNumbers(planned.map(({ width }) => width)) - availableWidth; excess > 0; excess -= 1) {
    const [first, ...others] = planned.filter(({ width, least }) => width > least);
    if (first === undefined) break;
    const widestColumn = others.reduce((widest, column) => (column.width > widest.width ? column : widest), first);
    widestColumn.width -= 1;
  }
  return planned;
}
