/**
 * The cells of typed tables: how text becomes a DECIMAL, DATE or TIMESTAMP without a digit lost, and how it is read back.
 * What a type cannot hold (a day that no calendar has, a figure of forty digits) has no typed value.
 */
import { compareDecimals, isDecimal, shiftDecimal } from '../../contract/decimal-text.ts';
import type { Cell } from '../schema/table.ts';

export type ValueType = 'text' | 'integer' | 'boolean' | 'decimal' | 'date' | 'timestamp';

/** A value as Parquet stores it: a DATE as days since 1970, a TIMESTAMP as microseconds, a DECIMAL as 16 bytes. */
export type StoredValue = string | number | bigint | boolean | Uint8Array;

/** The digits of a DECIMAL: as many as any of DuckDB, Arrow, Spark and Trino holds. */
export const PRECISION = 38;
/** A column has at most so many digits after the point, so that twenty remain before it. */
const LARGEST_SCALE = 18;

const DAY_MS = 86_400_000;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^(\d{4}-\d{2}-\d{2})T(\d{2}):(\d{2}):(\d{2})(?:\.(\d{1,6}))?(Z|([+-])(\d{2}):(\d{2}))$/;
const LOW_BITS = (1n << 64n) - 1n;

/** What the cells of a text column need of a type: the digits after the point, and whether it can hold them all. */
export class ColumnFit {
  readonly #type: ValueType;
  #scale = 0;
  #whole = 0;
  #all = true;

  constructor(type: ValueType) {
    this.#type = type;
  }

  add(cell: Cell): void {
    if (cell === null) return;
    if (this.#type !== 'decimal') this.#all &&= toStored(cell, this.#type, 0) !== null;
    else if (typeof cell !== 'string' || !isDecimal(cell)) this.#all = false;
    else {
      const { whole, fraction } = digitsOf(cell);
      this.#whole = Math.max(this.#whole, whole.length);
      if (fraction.length > LARGEST_SCALE) this.#all = false;
      else if (whole.length <= PRECISION - LARGEST_SCALE) this.#scale = Math.max(this.#scale, fraction.length);
    }
  }

  /** Of a decimal, the most that a cell has, once zeros at the end are dropped. */
  get scale(): number {
    return this.#scale;
  }

  get holdsAll(): boolean {
    return this.#all && this.#whole <= PRECISION - this.#scale;
  }
}

/** The stored value; null for none, and where the type does not hold the text. */
export function toStored(cell: Cell, type: ValueType, scale: number): StoredValue | null {
  if (cell === null) return null;
  if (type === 'integer') return typeof cell === 'number' ? BigInt(cell) : null;
  if (typeof cell !== 'string') return cell;
  switch (type) {
    case 'decimal': {
      const value = unscaled(cell, scale);
      return value === null ? null : toBytes(value);
    }
    case 'date':
      return daysOf(cell);
    case 'timestamp':
      return microsecondsOf(cell);
    default:
      return cell;
  }
}

/**
 * Whether a stored value is exactly what the text says. Computed from the stored value, so that it does not repeat the
 * conversion: the decimal is written out, the day and the moment are formatted by the platform's own calendar.
 */
export function isExact(stored: StoredValue, cell: Cell, type: ValueType, scale: number): boolean {
  if (type === 'decimal' && stored instanceof Uint8Array && typeof cell === 'string') {
    return compareDecimals(shiftDecimal(String(fromBytes(stored)), -scale), cell) === 0;
  }
  if (type === 'date') return new Date(Number(stored) * DAY_MS).toISOString().slice(0, 10) === cell;
  if (type === 'timestamp') return BigInt(Date.parse(String(cell))) === BigInt(String(stored)) / 1000n;
  return type === 'integer' ? String(stored) === String(cell) : stored === cell;
}

/** The whole number that a DECIMAL of this scale is stored as; null where it has more digits. */
export function unscaled(text: string, scale: number): bigint | null {
  if (!isDecimal(text)) return null;
  const { negative, whole, fraction } = digitsOf(text);
  if (fraction.length > scale || whole.length > PRECISION - scale) return null;
  const magnitude = BigInt(whole + fraction.padEnd(scale, '0'));
  return negative ? -magnitude : magnitude;
}

function digitsOf(text: string): { negative: boolean; whole: string; fraction: string } {
  const negative = text.startsWith('-');
  const [whole = '', fraction = ''] = (negative ? text.slice(1) : text).split('.');
  return { negative, whole: whole.replace(/^0+(?=\d)/, ''), fraction: fraction.replace(/0+$/, '') };
}

/** Two's complement, the highest byte first. */
function toBytes(value: bigint): Uint8Array {
  const view = new DataView(new ArrayBuffer(16));
  view.setBigInt64(0, value >> 64n);
  view.setBigUint64(8, value & LOW_BITS);
  return new Uint8Array(view.buffer);
}

export function fromBytes(bytes: Uint8Array): bigint {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return (view.getBigInt64(0) << 64n) | view.getBigUint64(8);
}

/** Days since 1970; null for what is no day of the calendar. */
function daysOf(text: string): number | null {
  if (!DAY.test(text)) return null;
  const [year, month, day] = [Number(text.slice(0, 4)), Number(text.slice(5, 7)), Number(text.slice(8))];
  const time = Date.UTC(year, month - 1, day);
  const date = new Date(time);
  // The platform counts 31 February on into March, and takes years below 100 for those of 1900.
  const exists = date.getUTCDate() === day && date.getUTCMonth() === month - 1 && date.getUTCFullYear() === year;
  return exists ? time / DAY_MS : null;
}

/** Microseconds since 1970 in UTC; null without an offset, or for what is no moment. */
function microsecondsOf(text: string): bigint | null {
  const [, day, hour, minute, second, fraction = '', , sign, offsetHour = '0', offsetMinute = '0'] =
    MOMENT.exec(text) ?? [];
  const days = day === undefined ? null : daysOf(day);
  if (days === null || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return null;
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === '-' ? -1 : 1);
  const seconds = days * 86_400 + Number(hour) * 3600 + (Number(minute) - offset) * 60 + Number(second);
  return BigInt(seconds) * 1_000_000n + BigInt(fraction.padEnd(6, '0'));
}
