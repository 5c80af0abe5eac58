/**
 * Encodes the contents of pages: values with Parquet's PLAIN encoding, and small integers with its RLE hybrid; and the
 * minimum and maximum of a column chunk, which readers use to skip row groups.
 */
import { type ColumnType, DECIMAL_BYTES, type StoredValue } from '../format/column-type.ts';

/** Returns the values in Parquet's PLAIN encoding, concatenated. */
export function encodePlainValues(values: readonly StoredValue[], type: ColumnType): Uint8Array {
  switch (type) {
    case 'text':
      return encodeTexts(values as readonly string[]);
    case 'boolean':
      return encodeFlags(values as readonly boolean[]);
    case 'int32':
    case 'date':
      return new Uint8Array(Int32Array.from(values as readonly number[]).buffer);
    case 'int64':
    case 'timestamp':
      return new Uint8Array(BigInt64Array.from(values as readonly bigint[]).buffer);
    case 'decimal':
      return encodeDecimals(values as readonly bigint[]);
  }
}

/**
 * Encoded lengths (four bytes, little-endian) of texts up to 127 characters. As each byte is also an ASCII character,
 * lengths and texts can be converted together.
 */
const PREFIX_BY_LENGTH = Array.from({ length: 128 }, (_, length) => String.fromCharCode(length, 0, 0, 0));
const NOT_ASCII_MARK = '\u0080';

/**
 * Encodes texts, each preceded by its length. Converts the texts together if all are short and ASCII, which is several
 * times faster than converting each text separately.
 */
function encodeTexts(values: readonly string[]): Uint8Array {
  const joinedText = values.map((text) => `${PREFIX_BY_LENGTH[text.length] ?? NOT_ASCII_MARK}${text}`).join('');
  if (Buffer.byteLength(joinedText) === joinedText.length) return Buffer.from(joinedText, 'latin1');
  return Buffer.concat(
    values.flatMap((text) => {
      const bytes = Buffer.from(text);
      return [new Uint8Array(Uint32Array.of(bytes.length).buffer), bytes];
    }),
  );
}

/** Encodes each boolean as one bit, because some readers do not support RLE runs of booleans. */
function encodeFlags(values: readonly boolean[]): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(values.length / 8));
  values.forEach((isTrue, index) => {
    if (isTrue) bytes[index >> 3] = (bytes[index >> 3] as number) | (1 << (index & 7));
  });
  return bytes;
}

const LOW_HALF_BITS = 64n;

/** Encodes decimals as big-endian two's complement. */
function encodeDecimals(values: readonly bigint[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(values.length * DECIMAL_BYTES));
  let offset = 0;
  for (const value of values) {
    view.setBigInt64(offset, value >> LOW_HALF_BITS);
    view.setBigUint64(offset + 8, BigInt.asUintN(64, value));
    offset += DECIMAL_BYTES;
  }
  return new Uint8Array(view.buffer);
}

/** Encodes dictionary indices: their bit width, then RLE runs. */
export function encodeIndices(indices: Uint32Array, count: number): Uint8Array {
  const width = 32 - Math.clz32(count - 1);
  return Buffer.concat([Uint8Array.of(width), encodeRuns(indices, width)]);
}

const NUMBERS_PER_GROUP = 8;
/** Maximum size in bytes of a run's header. */
const MAX_RUN_HEADER_BYTES = 5;

/**
 * Encodes numbers of `bitWidth` bits with Parquet's RLE and bit-packing hybrid: if all numbers of a group of eight are
 * equal, the number is written once, with the length of its run. Format:
 * https://parquet.apache.org/docs/file-format/data-pages/encodings/.
 */
export function encodeRuns(numbers: Uint8Array | Uint32Array, bitWidth: number): Uint8Array {
  const groups = Math.ceil(numbers.length / NUMBERS_PER_GROUP);
  const bytes = new Uint8Array(groups * (bitWidth + 2 * MAX_RUN_HEADER_BYTES) + MAX_RUN_HEADER_BYTES);
  let offset = 0;
  const writeHeader = (value: number) => {
    let remainder = value;
    for (; remainder > 127; remainder >>>= 7) bytes[offset++] = remainder | 128;
    bytes[offset++] = remainder;
  };
  const pack = (from: number, to: number) => {
    if (from === to) return;
    const groupCount = Math.ceil((to - from) / NUMBERS_PER_GROUP);
    writeHeader((groupCount << 1) | 1);
    let [bits, usedBits] = [0, 0];
    for (let index = from; index < from + groupCount * NUMBERS_PER_GROUP; index++) {
      bits |= (numbers[index] ?? 0) << usedBits;
      for (usedBits += bitWidth; usedBits >= 8; usedBits -= 8) {
        bytes[offset++] = bits;
        bits >>>= 8;
      }
    }
  };
  let packedStart = 0;
  for (let runStart = 0; runStart < numbers.length; ) {
    const number = numbers[runStart] as number;
    let runEnd = runStart + 1;
    while (runEnd < numbers.length && numbers[runEnd] === number) runEnd += 1;
    if (runEnd - runStart < NUMBERS_PER_GROUP) {
      runStart += NUMBERS_PER_GROUP;
      continue;
    }
    pack(packedStart, runStart);
    writeHeader((runEnd - runStart) << 1);
    for (let shift = 0; shift < bitWidth; shift += 8) bytes[offset++] = number >>> shift;
    runStart = packedStart = runEnd;
  }
  pack(packedStart, numbers.length);
  return bytes.subarray(0, offset);
}

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
  const [firstValue] = values;
  if (firstValue === undefined) return null;
  const hasSameOrder = typeof firstValue !== 'string' || !values.some((value) => UNORDERED_PATTERN.test(String(value)));
  const precedes = hasSameOrder ? precedesByCodeUnits : precedesByBytes;
  let [min, max] = [firstValue, firstValue];
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
  for (let lastLetter = letters.pop(); lastLetter !== undefined; lastLetter = letters.pop()) {
    const codePoint = lastLetter.codePointAt(0) ?? LAST_CODE_POINT;
    if (codePoint === LAST_CODE_POINT) continue;
    const nextCodePoint = codePoint === SURROGATE_NEIGHBORS.before ? SURROGATE_NEIGHBORS.after : codePoint + 1;
    return { bytes: Buffer.from(letters.join('') + String.fromCodePoint(nextCodePoint)), isExact: false };
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
