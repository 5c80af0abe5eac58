/** Converts the cells of a view to sanitized text with a tone. */

import type { Cell, Tone } from '../../result/blocks.ts';
import { abbreviate } from './format-values.ts';
import { sanitize } from './sanitize.ts';

export interface StyledText {
  readonly text: string;
  readonly tone: Tone;
  readonly link: string | null;
}

/** Placeholder for a missing value. */
export const DASH = '–';

const MISSING_VALUE: StyledText = { text: DASH, tone: 'quiet', link: null };

export function renderCell(cell: Cell, isExact: boolean): StyledText {
  if (cell === null || cell === undefined) return MISSING_VALUE;
  if (typeof cell === 'string') return { text: sanitize(cell), tone: 'plain', link: null };
  if (typeof cell === 'number') return { text: String(cell), tone: 'plain', link: null };
  if ('text' in cell) return { text: sanitize(cell.text), tone: cell.tone ?? 'plain', link: cell.link ?? null };
  const { figure, measure, signed = false, mark = '', tone = 'plain' } = cell;
  if (typeof figure !== 'string') return { ...MISSING_VALUE, text: MISSING_VALUE.text + mark };
  const text = sanitize(isExact ? figure : abbreviate(figure, measure));
  const isNegative = figure.startsWith('-');
  if (!signed) return { text: text + mark, tone: isNegative ? 'down' : tone, link: null };
  const isZero = !/[1-9]/.test(figure);
  const direction = isZero ? 'plain' : isNegative ? 'down' : 'up';
  return { text: (isNegative || isZero ? text : `+${text}`) + mark, tone: direction, link: null };
}
