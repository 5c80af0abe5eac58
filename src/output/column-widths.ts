/** Which columns of a table fit, and how wide each is. */
import type { Column } from './blocks.ts';
import { DASH } from './cells.ts';
import { displayWidth } from './text-width.ts';

export const GAP = 2;

export interface ColumnPlan {
  /** Indexes of the columns shown, in order. */
  readonly shown: readonly number[];
  /** Widths parallel to `shown`. */
  readonly widths: readonly number[];
  /** Indexes of the columns left out because all their cells are empty. */
  readonly empty: readonly number[];
}

/** Below this even a column of text is unreadable. */
const NARROWEST = 6;

/**
 * @param rows the texts of each row, parallel to the columns; none for a section
 * @param available columns of the terminal, or null for as much as it takes
 */
export function planColumns(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  available: number | null,
): ColumnPlan {
  const header = columns.map((column) => headerWidth(column, available !== null));
  const natural = header.map((width, index) =>
    rows.reduce((widest, row) => Math.max(widest, displayWidth(row[index] ?? '')), width),
  );
  const least = natural.map((width, index) =>
    Math.min(width, Math.max(columns[index]?.shrinkTo ?? width, header[index] ?? 0)),
  );
  let shown = columns.map((_, index) => index);
  if (available === null) return { shown, widths: natural, empty: [] };
  const room = (): number => available - GAP * (shown.length - 1);
  // Empty columns go before any other.
  const tight = total(shown, natural) > room();
  const empty = tight ? shown.filter((index) => index > 0 && isEmpty(rows, index)) : [];
  shown = shown.filter((index) => !empty.includes(index));
  while (shown.length > 1 && total(shown, least) > room()) {
    const dropped = firstToDrop(columns, shown);
    shown = shown.filter((index) => index !== dropped);
  }
  return { shown, widths: shrink(natural, least, shown, room()), empty };
}

/** @param mayWrap false in a pipe, where the header stays on one line */
function headerWidth({ title, subtitle, wrapTitle = false }: Column, mayWrap: boolean): number {
  const lines = [...(wrapTitle && mayWrap ? title.split(' ') : [title]), ...(subtitle === undefined ? [] : [subtitle])];
  return Math.max(...lines.map(displayWidth));
}

const isEmpty = (rows: readonly (readonly string[])[], index: number): boolean =>
  rows.every((row) => ['', DASH].includes((row[index] ?? '').trim()));

const total = (shown: readonly number[], widths: readonly number[]): number =>
  shown.reduce((sum, index) => sum + (widths[index] ?? 0), 0);

/** The column of the highest `drop` number; without any number the rightmost. The first always stays. */
function firstToDrop(columns: readonly Column[], shown: readonly number[]): number {
  const [, ...others] = shown;
  let dropped = others.at(-1) ?? 0;
  let highest = 0;
  for (const index of others) {
    const drop = columns[index]?.drop ?? 0;
    if (drop > 0 && drop >= highest) [dropped, highest] = [index, drop];
  }
  return dropped;
}

/** Natural widths where there is room; else the widest of those that may shrink do so first. */
function shrink(
  natural: readonly number[],
  leastOf: readonly number[],
  shown: readonly number[],
  room: number,
): number[] {
  const widths = shown.map((index) => natural[index] ?? 0);
  const least = shown.map((index) => leastOf[index] ?? 0);
  let excess = widths.reduce((sum, width) => sum + width, 0) - room;
  while (excess > 0) {
    let widest = -1;
    for (const [index, width] of widths.entries()) {
      if (width > (least[index] ?? 0) && (widest < 0 || width > (widths[widest] ?? 0))) widest = index;
    }
    if (widest < 0) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
    excess -= 1;
  }
  // A single column left that is still too wide is cut rather than wrapped.
  if (widths.length === 1 && (widths[0] ?? 0) > room) return [Math.max(NARROWEST, room)];
  return widths;
}
