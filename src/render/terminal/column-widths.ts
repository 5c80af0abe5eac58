/** Decides which columns of a table fit, and how wide each is. */
import type { Column } from '../../result/blocks.ts';
import { DASH } from '../cells.ts';
import { displayWidth } from '../text-width.ts';

export const GAP = 2;

export interface PlannedColumn {
  /** Index of its cell in each row. */
  readonly index: number;
  readonly column: Column;
  readonly width: number;
}

export interface ColumnPlan {
  readonly shown: readonly PlannedColumn[];
  /** Left out because of missing space. */
  readonly dropped: readonly Column[];
  /** Left out because all their cells are empty. */
  readonly empty: readonly Column[];
}

/** Minimum width of the only remaining column. */
const NARROWEST = 6;

interface Candidate extends PlannedColumn {
  readonly least: number;
  readonly isEmpty: boolean;
}

/**
 * @param rows the texts of each row, parallel to the columns
 * @param available columns of the terminal; null for no limit
 */
export function planColumns(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  available: number | null,
): ColumnPlan {
  const candidates = columns.map((column, index) => measure(column, index, rows, available !== null));
  if (available === null) return { shown: candidates, dropped: [], empty: [] };
  const fits = (shownCandidates: readonly Candidate[], widthOf: (candidate: Candidate) => number): boolean =>
    sum(shownCandidates.map(widthOf)) + GAP * (shownCandidates.length - 1) <= available;
  // Empty columns are left out first.
  const emptyCandidates = fits(candidates, ({ width }) => width)
    ? []
    : candidates.slice(1).filter((candidate) => candidate.isEmpty);
  let shownCandidates = candidates.filter((candidate) => !emptyCandidates.includes(candidate));
  const dropped: Candidate[] = [];
  while (shownCandidates.length > 1 && !fits(shownCandidates, ({ least }) => least)) {
    const nextCandidate = firstToDrop(shownCandidates);
    dropped.push(nextCandidate);
    shownCandidates = shownCandidates.filter((candidate) => candidate !== nextCandidate);
  }
  return {
    shown: shrink(shownCandidates, available - GAP * (shownCandidates.length - 1)),
    dropped: dropped.sort((a, b) => a.index - b.index).map(({ column }) => column),
    empty: emptyCandidates.map(({ column }) => column),
  };
}

function measure(column: Column, index: number, rows: readonly (readonly string[])[], mayWrap: boolean): Candidate {
  const texts = rows.map((row) => row[index] ?? '');
  const header = headerWidth(column, mayWrap);
  const width = texts.reduce((widest, text) => Math.max(widest, displayWidth(text)), header);
  return {
    index,
    column,
    width,
    least: Math.min(width, Math.max(column.shrinkTo ?? width, header)),
    isEmpty: texts.every((text) => ['', DASH].includes(text.trim())),
  };
}

/** @param mayWrap false for a pipe, where the header stays on one line */
function headerWidth({ title, subtitle, wrapTitle = false }: Column, mayWrap: boolean): number {
  const lines = [...(wrapTitle && mayWrap ? title.split(' ') : [title]), ...(subtitle === undefined ? [] : [subtitle])];
  return Math.max(...lines.map(displayWidth));
}

/** Returns the column with the highest `drop` number, or else the rightmost. The first column always stays. */
function firstToDrop([, ...otherCandidates]: readonly Candidate[]): Candidate {
  const numberedCandidates = otherCandidates.filter(({ column }) => column.drop !== undefined);
  return (numberedCandidates.length > 0 ? numberedCandidates : otherCandidates).reduce((highest, candidate) =>
    (candidate.column.drop ?? 0) >= (highest.column.drop ?? 0) ? candidate : highest,
  );
}

/** Returns natural widths if they fit; otherwise shrinks the widest shrinkable columns first. */
function shrink(shownCandidates: readonly Candidate[], room: number): PlannedColumn[] {
  const [onlyCandidate, ...otherCandidates] = shownCandidates;
  if (onlyCandidate !== undefined && otherCandidates.length === 0 && onlyCandidate.least > room) {
    return [{ ...onlyCandidate, width: Math.max(NARROWEST, room) }];
  }
  const widths = shownCandidates.map(({ index, column, width, least }) => ({ index, column, width, least }));
  for (let excess = sum(widths.map(({ width }) => width)) - room; excess > 0; excess -= 1) {
    const [firstWidth, ...otherWidths] = widths.filter(({ width, least }) => width > least);
    if (firstWidth === undefined) break;
    const widest = otherWidths.reduce((wide, one) => (one.width > wide.width ? one : wide), firstWidth);
    widest.width -= 1;
  }
  return widths;
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
