/** Aligned columns with nothing drawn between: for pipes, and for tables too long to draw. */
import { GAP } from './layout.ts';
import type { FittedTable } from './print.ts';

export function drawPlain({ header, rows }: FittedTable): string {
  const gap = ' '.repeat(GAP);
  const lines = rows.map((row) => ('section' in row ? row.section : row.join(gap)));
  if (header !== null) lines.unshift(header.join(gap));
  return `${lines.join('\n')}\n`;
}
