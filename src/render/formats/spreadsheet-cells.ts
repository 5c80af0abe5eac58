/** Cells of spreadsheets: texts, days as dates, and figures as numbers with the format of their measure. */
import type { CellObject } from 'write-excel-file/node';
import { isDay } from '../../contract/identifiers.ts';
import type { Measure } from '../../contract/statements/formula.ts';
import { toDayNumber } from '../../platform/dates.ts';
import { sanitize } from '../text/sanitize.ts';

/** Excel's maximum number of characters in a cell. */
const MAX_CELL_LENGTH = 32_767;

const cut = (text: string): string => sanitize(text).slice(0, MAX_CELL_LENGTH);

export const makeTextCell = (text: string): CellObject => ({ value: cut(text), type: String });
export const makeBoldCell = (text: string): CellObject => ({ ...makeTextCell(text), fontWeight: 'bold' });

/** Number that Excel stores for 1970-01-01: it counts days from the end of 1899. */
const EPOCH_SERIAL = 25_569;
/** Excel takes 1900 for a leap year, so that its earlier days are off by one. */
const FIRST_DAY = '1900-03-01';

export const makeDayOrTextCell = (text: string): CellObject =>
  isDay(text) && text >= FIRST_DAY
    ? { value: toDayNumber(text) + EPOCH_SERIAL, type: Number, format: DAY_FORMAT }
    : makeTextCell(text);

const DAY_FORMAT = 'yyyy-mm-dd';

/**
 * Returns a figure as a number, which Excel computes with; it has at most 15 digits.
 * @param measure null if unknown
 */
export const makeNumberCell = (figure: string, measure: Measure | null) =>
  ({ value: Number(figure), type: Number, format: findFormat(figure, measure) }) as const;

function findFormat(figure: string, measure: Measure | null): string {
  if (measure === 'fraction') return '0.0%';
  if (measure === 'multiple' || measure === 'per_share') return '#,##0.00##';
  if (!figure.includes('.')) return '#,##0';
  return measure === 'money' ? '#,##0.00' : 'General';
}

/** Minimum and maximum width of a column, in characters. */
const [MIN_COLUMN_WIDTH, MAX_COLUMN_WIDTH] = [8, 48];

/** Widens columns so that they show the cells of a row. */
export function widenColumns(widths: number[], row: readonly CellObject[]): void {
  for (const [index, cell] of row.entries())
    widths[index] = Math.min(MAX_COLUMN_WIDTH, Math.max(widths[index] ?? MIN_COLUMN_WIDTH, measureWidth(cell)));
}

function measureWidth({ value, format }: CellObject): number {
  if (format === DAY_FORMAT) return DAY_FORMAT.length + 2;
  const text = `${value ?? ''}`;
  if (typeof value !== 'number') return text.length + 2;
  if (format?.includes('%') === true) return 8;
  const [digits = ''] = text.split('.');
  return digits.length + Math.floor(digits.length / 3) + (text.includes('.') ? 5 : 0) + 2;
}
