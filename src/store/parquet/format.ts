/**
 * Numbers of Parquet's enumerations, and structures in the compact protocol of Thrift, which they are written in:
 * https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift.
 */

/** The bytes that open and close a Parquet file. */
export const MAGIC = Buffer.from('PAR1');
export const CODEC = { snappy: 1, gzip: 2 } as const;
export const ENCODING = { plain: 0, rle: 3, rleDictionary: 8 } as const;
export const PAGE_TYPE = { dictionary: 2, dataV2: 3 } as const;

/** The field of a page header with the data of the page's kind. */
export const PAGE_FIELD = { dictionary: 7, dataV2: 8 } as const;

/** Types of fields: https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md. */
export const FIELD_TYPE = {
  stop: 0,
  true: 1,
  false: 2,
  byte: 3,
  i16: 4,
  i32: 5,
  i64: 6,
  double: 7,
  binary: 8,
  list: 9,
  struct: 12,
} as const;

/** Lists of this length or more store it in a separate byte. */
const LONG_LIST = 15;

/** Initial buffer size; enough for most structures. */
const USUAL = 64;

/** Fields of a structure, in ascending order of their numbers. */
export class Struct {
  #bytes = new Uint8Array(USUAL);
  #length = 0;
  #last = 0;

  int(id: number, value: number): this {
    return this.#field(id, FIELD_TYPE.i32).#signed(value);
  }

  long(id: number, value: number): this {
    return this.#field(id, FIELD_TYPE.i64).#signed(value);
  }

  flag(id: number, value: boolean): this {
    return this.#field(id, value ? FIELD_TYPE.true : FIELD_TYPE.false);
  }

  binary(id: number, bytes: Uint8Array): this {
    return this.#field(id, FIELD_TYPE.binary).#sized(bytes);
  }

  text(id: number, text: string): this {
    return this.binary(id, Buffer.from(text));
  }

  struct(id: number, struct: Struct): this {
    return this.#field(id, FIELD_TYPE.struct).#append(struct.end());
  }

  /** Writes the header of a list; its items follow. */
  list(id: number, type: number, length: number): this {
    this.#field(id, FIELD_TYPE.list);
    this.#put((Math.min(length, LONG_LIST) << 4) | type);
    return length < LONG_LIST ? this : this.#unsigned(length);
  }

  ints(id: number, values: readonly number[]): this {
    this.list(id, FIELD_TYPE.i32, values.length);
    for (const value of values) this.#signed(value);
    return this;
  }

  texts(id: number, texts: readonly string[]): this {
    this.list(id, FIELD_TYPE.binary, texts.length);
    for (const text of texts) this.#sized(Buffer.from(text));
    return this;
  }

  structs(id: number, structs: readonly Struct[]): this {
    this.list(id, FIELD_TYPE.struct, structs.length);
    for (const struct of structs) this.#append(struct.end());
    return this;
  }

  /** Returns the bytes so far and clears them. */
  take(): Uint8Array {
    const bytes = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    return bytes;
  }

  end(): Uint8Array {
    this.#put(FIELD_TYPE.stop);
    return this.take();
  }

  #field(id: number, type: number): this {
    this.#put(((id - this.#last) << 4) | type);
    this.#last = id;
    return this;
  }

  #put(byte: number): void {
    this.#makeRoom(1);
    this.#bytes[this.#length++] = byte;
  }

  #append(bytes: Uint8Array): this {
    this.#makeRoom(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
    return this;
  }

  #makeRoom(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#bytes.length) return;
    const bytes = new Uint8Array(2 * needed);
    bytes.set(this.#bytes);
    this.#bytes = bytes;
  }

  #sized(bytes: Uint8Array): this {
    return this.#unsigned(bytes.length).#append(bytes);
  }

  /** Writes a zigzag number: the sign comes last, so that small numbers are short. */
  #signed(value: number): this {
    return this.#unsigned(value < 0 ? -2 * value - 1 : 2 * value);
  }

  /** Writes a safe integer with seven bits per byte, lowest first. */
  #unsigned(value: number): this {
    let rest = value;
    for (; rest > 127; rest = Math.floor(rest / 128)) this.#put((rest % 128) | 128);
    this.#put(rest);
    return this;
  }
}
