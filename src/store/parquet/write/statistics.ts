/** Computes minimum and maximum of a column chunk, which readers use to skip row groups. */
import type { ColumnType, StoredValue } from '../format/column-type.ts';
import { encodePlainValues } from './page-content.ts';

export interface Bounds {
  readonly min: StoredValue;
  readonly max: StoredValue;
}

/** Matches characters that sort differently in UTF-16 and UTF-8: surrogates, and characters above the surrogates. */
const UNORDERED_PATTERN = /[\ud800-\uffff]/;

/**
 * Returns the minimum and maximum in the order that readers use, which for texts is by UTF-8 bytes; null if `values` is
 * empty.
 */
export function findBounds(values: readonly StoredValue[]): Bounds | null {
  const [first] = values;
  if (first === undefined) return null;
  const sameOrder = typeof first !== 'string' || !values.some((value) => UNORDERED_PATTERN.test(String(value)));
  const precedes = sameOrder ? precedesByCodeUnits : precedesByBytes;
  let [min, max] = [first, first];
  for (const value of values) {
    if (precedes(value, min)) min = value;
    if (precedes(max, value)) max = value;
  }
  return { min, max };
}

const precedesByCodeUnits = (a: StoredValue, b: StoredValue) => a < b;
const precedesByBytes = (a: StoredValue, b: StoredValue) =>
  Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b))) < 0;

/** An encoded minimum or maximum, as stored in a footer. */
interface EncodedBound {
  readonly bytes: Uint8Array;
  readonly isExact: boolean;
}

/** Maximum size in bytes of a text bound, enough for accession numbers and metric keys. */
const MAX_BOUND_BYTES = 64;
const LAST_CODE_POINT = 0x10ffff;
const SURROGATE_NEIGHBORS = { before: 0xd7ff, after: 0xe000 };

/** Returns the encoded lower bound; a long text is truncated to its first characters. */
export function encodeLowerBound(value: StoredValue, type: ColumnType): EncodedBound {
  if (typeof value !== 'string') return { bytes: encodePlainValues([value], type), isExact: true };
  const start = takePrefix(value);
  return start === null ? { bytes: Buffer.from(value), isExact: true } : { bytes: Buffer.from(start), isExact: false };
}

/** Returns the encoded upper bound. A long text is replaced by a shorter text that sorts later. */
export function encodeUpperBound(value: StoredValue, type: ColumnType): EncodedBound {
  const prefix = typeof value === 'string' ? takePrefix(value) : null;
  if (prefix === null) return encodeLowerBound(value, type);
  const letters = [...prefix];
  for (let last = letters.pop(); last !== undefined; last = letters.pop()) {
    const codePoint = last.codePointAt(0) ?? LAST_CODE_POINT;
    if (codePoint === LAST_CODE_POINT) continue;
    const next = codePoint === SURROGATE_NEIGHBORS.before ? SURROGATE_NEIGHBORS.after : codePoint + 1;
    return { bytes: Buffer.from(letters.join('') + String.fromCodePoint(next)), isExact: false };
  }
  return { bytes: Buffer.from(String(value)), isExact: true };
}

/** Returns the first characters of a text that exceeds MAX_BOUND_BYTES; null for shorter texts. */
function takePrefix(text: string): string | null {
  if (text.length * 3 <= MAX_BOUND_BYTES) return null;
  const bytes = Buffer.from(text);
  if (bytes.length <= MAX_BOUND_BYTES) return null;
  let prefixEnd = MAX_BOUND_BYTES;
  while (((bytes[prefixEnd] as number) & 0xc0) === 0x80) prefixEnd -= 1;
  return bytes.toString('utf8', 0, prefixEnd);
}
