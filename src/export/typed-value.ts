/**
 * Converts cells of typed tables from text to DECIMAL, DATE or TIMESTAMP without losing a digit, and checks converted
 * values. A text that does not fit its type (an invalid date, a figure of forty digits) has no typed value.
 */
import { compareDecimals, isDecimal, shiftDecimal } from '../contract/decimal-text.ts';
import { toDay, toDayNumber } from '../platform/dates.ts';
import { DECIMAL_PRECISION, type StoredValue } from '../store/parquet/format/column-type.ts';
import type { Cell, ValueType } from '../store/schema/columns.ts';

/** Maximum number of decimal places, so that 20 of 38 digits remain before the decimal point. */
const MAX_SCALE_DIGITS = 18;

const DAY_MS = 86_400_000;
/** Integers of at most 18 digits, which fit into 64 bits. */
const INTEGER_PATTERN = /^-?(?:0|[1-9]\d{0,17})$/;
const DAY_PATTERN = /^(?!00)\d{4}-\d{2}-\d{2}$/;
const TIMESTAMP_PATTERN = /^\d{4}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,6})?(?:Z|[+-]\d{2}:\d{2})$/;

/**
 * Measures the cells of a column: for decimals the digits before and after the point, and whether all cells fit the
 * type.
 */
export class ColumnMeasurer {
  #scale = 0;
  #wholeDigits = 0;
  #fitsAllCells = true;

  constructor(private readonly type: ValueType) {}

  add(cell: Cell): void {
    if (cell === null) return;
    if (this.type !== 'decimal') this.#fitsAllCells &&= toStoredValue(cell, this.type, 0) !== null;
    else if (typeof cell !== 'string' || !isDecimal(cell)) this.#fitsAllCells = false;
    else {
      const { whole, fraction } = countDigits(cell);
      this.#wholeDigits = Math.max(this.#wholeDigits, whole);
      if (fraction > MAX_SCALE_DIGITS) this.#fitsAllCells = false;
      else if (whole <= DECIMAL_PRECISION - MAX_SCALE_DIGITS) this.#scale = Math.max(this.#scale, fraction);
    }
  }

  get measured(): ColumnMeasure {
    return { scale: this.#scale, wholeDigits: this.#wholeDigits, fitsAllCells: this.#fitsAllCells };
  }
}

/** Measurements of the cells of a column in one span. */
export interface ColumnMeasure {
  /** Maximum number of decimal places, without trailing zeros. */
  readonly scale: number;
  readonly wholeDigits: number;
  readonly fitsAllCells: boolean;
}

/**
 * Combines the measures of a column's spans: the decimal places that the column needs, and whether all cells fit the
 * type.
 */
export function combineMeasures(measures: readonly ColumnMeasure[]) {
  const scale = Math.max(0, ...measures.map((measure) => measure.scale));
  const max = DECIMAL_PRECISION - scale;
  const fits = measures.every(({ wholeDigits, fitsAllCells }) => fitsAllCells && wholeDigits <= max);
  return { scale, fitsAllCells: fits };
}

/** Returns the stored value; null for an empty cell, and for a text that does not fit the type. */
export function toStoredValue(cell: Cell, type: ValueType, scale: number): StoredValue | null {
  if (cell === null) return null;
  if (type === 'integer') return typeof cell === 'number' || INTEGER_PATTERN.test(String(cell)) ? BigInt(cell) : null;
  if (typeof cell !== 'string') return cell;
  switch (type) {
    case 'decimal':
      return toUnscaledInteger(cell, scale);
    case 'date':
      return parseDay(cell);
    case 'timestamp':
      return parseTimestamp(cell);
    default:
      return cell;
  }
}

/**
 * Whether a stored value equals its text. Works independently of the conversion: decimals are compared as text, days
 * and times by JavaScript's own calendar.
 */
export function isExact(value: StoredValue, cell: Cell, type: ValueType, scale: number): boolean {
  if (type === 'decimal' && typeof cell === 'string') {
    const digits = String(value);
    // A fast path, because most figures are reported as integers.
    if (digits === cell + ZEROS.slice(0, scale)) return true;
    return compareDecimals(digits, shiftDecimal(cell, scale)) === 0;
  }
  if (type === 'date') return new Date(Number(value) * DAY_MS).toISOString().slice(0, 10) === cell;
  if (type === 'timestamp') return typeof value === 'bigint' && BigInt(Date.parse(String(cell))) === value / 1000n;
  return type === 'integer' ? String(value) === String(cell) : value === cell;
}

/** Returns the unscaled integer of a DECIMAL; null if the text is not a decimal or has too many digits. */
function toUnscaledInteger(text: string, scale: number): bigint | null {
  if (!isDecimal(text)) return null;
  const { pointIndex: point, whole, fraction } = countDigits(text);
  if (fraction > scale || whole > DECIMAL_PRECISION - scale) return null;
  return BigInt(text.slice(0, point) + text.slice(point + 1, point + 1 + fraction) + ZEROS.slice(0, scale - fraction));
}

const ZEROS = '0'.repeat(MAX_SCALE_DIGITS);
const ZERO_CODE = 0x30;
const MINUS_CODE = 0x2d;

/**
 * Returns the index of the decimal point, or the length of a text without one, and the numbers of digits before it
 * without leading zeros (`whole`) and after it without trailing zeros (`fraction`).
 */
function countDigits(text: string) {
  const index = text.indexOf('.');
  const point = index < 0 ? text.length : index;
  let start = text.charCodeAt(0) === MINUS_CODE ? 1 : 0;
  while (start < point - 1 && text.charCodeAt(start) === ZERO_CODE) start += 1;
  let end = text.length;
  while (end > point + 1 && text.charCodeAt(end - 1) === ZERO_CODE) end -= 1;
  return { pointIndex: point, whole: point - start, fraction: Math.max(0, end - point - 1) };
}

/** Returns days since 1970; null for an invalid date. */
function parseDay(text: string): number | null {
  const number = DAY_PATTERN.test(text) ? toDayNumber(text) : null;
  return number !== null && toDay(number) === text ? number : null;
}

/** Returns microseconds since 1970 in UTC; null for an invalid time or a time without a UTC offset. */
function parseTimestamp(text: string): bigint | null {
  const dayNumber = TIMESTAMP_PATTERN.test(text) ? parseDay(text.slice(0, 10)) : null;
  if (dayNumber === null) return null;
  const isUtc = text.endsWith('Z');
  const start = text.length - (isUtc ? 1 : 6);
  const offset = isUtc ? 0 : parseDigits(text, start + 1, start + 3) * 60 + parseDigits(text, start + 4, start + 6);
  const minutes = parseDigits(text, 11, 13) * 60 + parseDigits(text, 14, 16) - (text[start] === '-' ? -offset : offset);
  const micros = BigInt(dayNumber * 86_400 + minutes * 60 + parseDigits(text, 17, 19)) * 1_000_000n;
  // Up to six decimal places of a second may precede the offset.
  return start === 19 ? micros : micros + BigInt(text.slice(20, start).padEnd(6, '0'));
}

function parseDigits(text: string, start: number, end: number): number {
  let value = 0;
  for (let index = start; index < end; index += 1) value = value * 10 + text.charCodeAt(index) - ZERO_CODE;
  return value;
}
