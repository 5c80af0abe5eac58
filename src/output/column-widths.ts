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
  /** Indexes of the columns that were left out because nothing stands in them. */
  readonly empty: readonly number[];
}

/** Below this even a text column says nothing. */
const NARROWEST = 6;

/**
 * @param rows the texts of each row, parallel to the columns; of a section none
 * @param available columns of the terminal, or null for as much as it takes
 */
export function planColumns(
  columns: readonly Column[],
  rows: readonly (readonly string[])[],
  available: number | null,
): ColumnPlan {
  const header = columns.map(({ title, subtitle: under = '' }) => Math.max(displayWidth(title), displayWidth(under)));
  const natural = header.map((width, index) =>
    rows.reduce((widest, row) => Math.max(widest, displayWidth(row[index] ?? '')), width),
  );
  const least = natural.map((width, index) =>
    Math.min(width, Math.max(columns[index]?.shrinkTo ?? width, header[index] ?? 0)),
  );
  let shown = columns.map((_, index) => index);
  if (available === null) return { shown, widths: natural, empty: [] };
  const room = (): number => available - GAP * (shown.length - 1);
  // What tells nothing gives way before anything else has to.
  const tight = total(shown, natural) > room();
  const empty = tight ? shown.filter((index) => index > 0 && isEmpty(rows, index)) : [];
  shown = shown.filter((index) => !empty.includes(index));
  while (shown.length > 1 && total(shown, least) > room()) {
    const victim = lastToGo(columns, shown);
    shown = shown.filter((index) => index !== victim);
  }
  return { shown, widths: share(natural, least, shown, room()), empty };
}

const isEmpty = (rows: readonly (readonly string[])[], index: number): boolean =>
  rows.every((row) => ['', DASH].includes((row[index] ?? '').trim()));

const total = (shown: readonly number[], widths: readonly number[]): number =>
  shown.reduce((sum, index) => sum + (widths[index] ?? 0), 0);

/** The column of the highest `drop` number; when none may go, the rightmost. The first always stays. */
function lastToGo(columns: readonly Column[], shown: readonly number[]): number {
  const [, ...others] = shown;
  let victim = others.at(-1) ?? 0;
  let highest = 0;
  for (const index of others) {
    const drop = columns[index]?.drop ?? 0;
    if (drop > 0 && drop >= highest) [victim, highest] = [index, drop];
  }
  return victim;
}

/** Natural widths where there is room; else the widest of those that may shrink give way first. */
function share(
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
