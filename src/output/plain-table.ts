/** Aligned columns with nothing drawn between: for pipes, and for tables too long to draw. */

import { GAP } from './column-widths.ts';
import type { FittedTable } from './table.ts';

/** @param ruled whether there is a line under the header */
export function drawPlain({ header, rule, rows }: FittedTable, ruled = false): string {
  const gap = ' '.repeat(GAP);
  const head = header === null ? [] : [...header, ...(ruled ? [rule] : [])];
  const lines = [...head, ...rows].map((row) => ('section' in row ? row.section : row.join(gap)));
  return `${lines.join('\n')}\n`;
}
