/** Values one after the other as Parquet writes them plainly; what `readPlain` reads. */
import type { Cell, CellType } from '../../schema/table.ts';

const WORD = 4;

/** Throws on what the type does not hold. */
export function plainBytes(values: readonly Cell[], type: CellType): Uint8Array {
  if (type === 'boolean') return bitsOf(values);
  return type === 'integer' ? integersOf(values) : (asciiOf(values) ?? utf8Of(values));
}

/** About the bytes that an integer or text takes. */
export function plainSize(value: Cell): number {
  return typeof value === 'string' ? WORD + value.length : WORD;
}

function bitsOf(values: readonly Cell[]): Uint8Array {
  const bytes = new Uint8Array(Math.ceil(values.length / 8));
  for (const [index, value] of values.entries()) {
    if (value === true) bytes[index >> 3] = (bytes[index >> 3] ?? 0) | (1 << (index & 7));
  }
  return bytes;
}

function integersOf(values: readonly Cell[]): Uint8Array {
  const integers = new DataView(new ArrayBuffer(values.length * WORD));
  for (const [index, value] of values.entries()) {
    if (typeof value !== 'number' || (value | 0) !== value) throw new TypeError(`${value} is no 32-bit integer`);
    integers.setInt32(index * WORD, value, true);
  }
  return new Uint8Array(integers.buffer);
}

/** Each text behind its length. Nearly all of ours are ASCII, and writing them letter by letter spares an object for each. */
function asciiOf(values: readonly Cell[]): Uint8Array | null {
  const bytes = new DataView(new ArrayBuffer(values.reduce<number>((size, value) => size + plainSize(value), 0)));
  let at = 0;
  for (const value of values) {
    const text = textOf(value);
    bytes.setUint32(at, text.length, true);
    at += WORD;
    for (let index = 0; index < text.length; index += 1) {
      const code = text.charCodeAt(index);
      if (code > 127) return null;
      bytes.setUint8(at++, code);
    }
  }
  return new Uint8Array(bytes.buffer);
}

function utf8Of(values: readonly Cell[]): Uint8Array {
  const parts = values.flatMap((value) => {
    const text = Buffer.from(textOf(value));
    const length = Buffer.alloc(WORD);
    length.writeUInt32LE(text.length);
    return [length, text];
  });
  return Buffer.concat(parts);
}

function textOf(value: Cell | undefined): string {
  if (typeof value !== 'string') throw new TypeError(`${value} is no text`);
  return value;
}
