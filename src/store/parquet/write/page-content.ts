/** The content of pages: values in Parquet's plain encoding, and small integers in RLE runs. */
import { type ColumnType, DECIMAL_BYTES, type StoredValue } from '../column-type.ts';

/** Returns values in Parquet's plain encoding, one after the other. */
export function plainContent(values: readonly StoredValue[], type: ColumnType): Uint8Array {
  switch (type) {
    case 'text':
      return texts(values as readonly string[]);
    case 'boolean':
      return flags(values as readonly boolean[]);
    case 'int32':
    case 'date':
      return new Uint8Array(Int32Array.from(values as readonly number[]).buffer);
    case 'int64':
    case 'timestamp':
      return new Uint8Array(BigInt64Array.from(values as readonly bigint[]).buffer);
    case 'decimal':
      return decimals(values as readonly bigint[]);
  }
}

/** The encoded lengths of texts of up to 127 characters: each is a character of ASCII. */
const LENGTHS = Array.from({ length: 128 }, (_, length) => String.fromCharCode(length, 0, 0, 0));
const NOT_ASCII = '\u0080';

/**
 * Encodes texts, each after its length; ASCII texts in one conversion, which is several times faster than one by one.
 */
function texts(values: readonly string[]): Uint8Array {
  const whole = values.map((text) => `${LENGTHS[text.length] ?? NOT_ASCII}${text}`).join('');
  if (Buffer.byteLength(whole) === whole.length) return Buffer.from(whole, 'latin1');
  return Buffer.concat(
    values.flatMap((text) => {
      const bytes = Buffer.from(text);
      return [new Uint8Array(Uint32Array.of(bytes.length).buffer), bytes];
    }),
  );
}

/** Encodes booleans with one bit each: not every reader supports RLE runs of them. */
function flags(values: readonly boolean[]): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(values.length / 8));
  values.forEach((value, at) => {
    if (value) bytes[at >> 3] = (bytes[at >> 3] as number) | (1 << (at & 7));
  });
  return bytes;
}

const LOW_BITS = 64n;

/** Encodes two's complement, highest byte first. */
function decimals(values: readonly bigint[]): Uint8Array {
  const view = new DataView(new ArrayBuffer(values.length * DECIMAL_BYTES));
  let at = 0;
  for (const value of values) {
    view.setBigInt64(at, value >> LOW_BITS);
    view.setBigUint64(at + 8, BigInt.asUintN(64, value));
    at += DECIMAL_BYTES;
  }
  return new Uint8Array(view.buffer);
}

/** Encodes indices as RLE runs, after their bit width. */
export function indexRuns(indices: Uint32Array, values: number): Uint8Array {
  const width = 32 - Math.clz32(values - 1);
  return Buffer.concat([Uint8Array.of(width), runsOf(indices, width)]);
}

const GROUP = 8;
/** Maximum size of a run's header, in bytes. */
const HEAD = 5;

/**
 * Encodes numbers of `width` bits with Parquet's RLE and bit-packing hybrid: a number that occurs eight or more times
 * in a row is written once, after its count. See https://parquet.apache.org/docs/file-format/data-pages/encodings/.
 */
export function runsOf(numbers: Uint8Array | Uint32Array, width: number): Uint8Array {
  const groups = Math.ceil(numbers.length / GROUP);
  const bytes = new Uint8Array(groups * (width + 2 * HEAD) + HEAD);
  let at = 0;
  const head = (value: number) => {
    let rest = value;
    for (; rest > 127; rest >>>= 7) bytes[at++] = rest | 128;
    bytes[at++] = rest;
  };
  const pack = (from: number, to: number) => {
    if (from === to) return;
    const count = Math.ceil((to - from) / GROUP);
    head((count << 1) | 1);
    let [bits, used] = [0, 0];
    for (let index = from; index < from + count * GROUP; index++) {
      bits |= (numbers[index] ?? 0) << used;
      for (used += width; used >= 8; used -= 8) {
        bytes[at++] = bits;
        bits >>>= 8;
      }
    }
  };
  let packed = 0;
  for (let from = 0; from < numbers.length; ) {
    const number = numbers[from] as number;
    let to = from + 1;
    while (to < numbers.length && numbers[to] === number) to += 1;
    if (to - from < GROUP) {
      from += GROUP;
      continue;
    }
    pack(packed, from);
    head((to - from) << 1);
    for (let bits = 0; bits < width; bits += 8) bytes[at++] = number >>> bits;
    from = packed = to;
  }
  pack(packed, numbers.length);
  return bytes.subarray(0, at);
}
