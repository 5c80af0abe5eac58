/** From the cells of a view to texts with a tone. */

import type { Cell, Tone } from './blocks.ts';
import { abbreviate } from './figures.ts';
import { harmless } from './foreign.ts';

export interface Shown {
  readonly text: string;
  readonly tone: Tone;
  readonly link: string | null;
}

/** Stands for what is not on file. */
export const DASH = '–';

const MISSING: Shown = { text: DASH, tone: 'quiet', link: null };

export function showCell(cell: Cell, exact: boolean): Shown {
  if (cell === null || cell === undefined) return MISSING;
  if (typeof cell === 'string') return { text: harmless(cell), tone: 'plain', link: null };
  if (typeof cell === 'number') return { text: String(cell), tone: 'plain', link: null };
  if ('text' in cell) return { text: harmless(cell.text), tone: cell.tone ?? 'plain', link: cell.link ?? null };
  const { figure, measure, signed = false, mark = '' } = cell;
  if (typeof figure !== 'string') return { ...MISSING, text: MISSING.text + mark };
  const text = harmless(exact ? figure : abbreviate(figure, measure));
  if (!signed) return { text: text + mark, tone: 'plain', link: null };
  const negative = figure.startsWith('-');
  const zero = !/[1-9]/.test(figure);
  return {
    text: (negative || zero ? text : `+${text}`) + mark,
    tone: zero ? 'plain' : negative ? 'down' : 'up',
    link: null,
  };
}
