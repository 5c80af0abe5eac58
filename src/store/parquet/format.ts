/**
 * Numbers of Parquet's enumerations, and structures in the compact protocol of Thrift, which they are written in:
 * https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift.
 */

/** The bytes that open and close a Parquet file. */
export const PARQUET_MAGIC = Buffer.from('PAR1');
export const CODEC_NUMBERS = { snappy: 1, gzip: 2 } as const;
export const ENCODING_NUMBERS = { plain: 0, rle: 3, rleDictionary: 8 } as const;
export const PAGE_TYPE_NUMBERS = { dictionary: 2, dataV2: 3 } as const;

/** The field of a page header with the data of the page's kind. */
export const PAGE_HEADER_FIELD_IDS = { dictionary: 7, dataV2: 8 } as const;

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
const LONG_LIST_MARK = 15;

/** Initial buffer size; enough for most structures. */
const INITIAL_BUFFER_BYTES = 64;

/** Fields of a structure, in ascending order of their numbers. */
export class ThriftStruct {
  #bytes = new Uint8Array(INITIAL_BUFFER_BYTES);
  #length = 0;
  #lastFieldId = 0;

  int(id: number, value: number): this {
    return this.#writeFieldHeader(id, FIELD_TYPE.i32).#writeSigned(value);
  }

  long(id: number, value: number): this {
    return this.#writeFieldHeader(id, FIELD_TYPE.i64).#writeSigned(value);
  }

  flag(id: number, value: boolean): this {
    return this.#writeFieldHeader(id, value ? FIELD_TYPE.true : FIELD_TYPE.false);
  }

  binary(id: number, bytes: Uint8Array): this {
    return this.#writeFieldHeader(id, FIELD_TYPE.binary).#writeSized(bytes);
  }

  text(id: number, text: string): this {
    return this.binary(id, Buffer.from(text));
  }

  struct(id: number, struct: ThriftStruct): this {
    return this.#writeFieldHeader(id, FIELD_TYPE.struct).#append(struct.finish());
  }

  /** Writes the header of a list; its items follow. */
  list(id: number, type: number, length: number): this {
    this.#writeFieldHeader(id, FIELD_TYPE.list);
    this.#writeByte((Math.min(length, LONG_LIST_MARK) << 4) | type);
    return length < LONG_LIST_MARK ? this : this.#writeUnsigned(length);
  }

  ints(id: number, values: readonly number[]): this {
    this.list(id, FIELD_TYPE.i32, values.length);
    for (const value of values) this.#writeSigned(value);
    return this;
  }

  texts(id: number, texts: readonly string[]): this {
    this.list(id, FIELD_TYPE.binary, texts.length);
    for (const text of texts) this.#writeSized(Buffer.from(text));
    return this;
  }

  structs(id: number, structs: readonly ThriftStruct[]): this {
    this.list(id, FIELD_TYPE.struct, structs.length);
    for (const struct of structs) this.#append(struct.finish());
    return this;
  }

  /** Returns the bytes so far and clears them. */
  takeBytes(): Uint8Array {
    const bytes = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    return bytes;
  }

  finish(): Uint8Array {
    this.#writeByte(FIELD_TYPE.stop);
    return this.takeBytes();
  }

  #writeFieldHeader(id: number, type: number): this {
    this.#writeByte(((id - this.#lastFieldId) << 4) | type);
    this.#lastFieldId = id;
    return this;
  }

  #writeByte(byte: number): void {
    this.#ensureRoom(1);
    this.#bytes[this.#length++] = byte;
  }

  #append(bytes: Uint8Array): this {
    this.#ensureRoom(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
    return this;
  }

  #ensureRoom(addedBytes: number): void {
    const needed = this.#length + addedBytes;
    if (needed <= this.#bytes.length) return;
    const bytes = new Uint8Array(2 * needed);
    bytes.set(this.#bytes);
    this.#bytes = bytes;
  }

  #writeSized(bytes: Uint8Array): this {
    return this.#writeUnsigned(bytes.length).#append(bytes);
  }

  /** Writes a zigzag number: the sign comes last, so that small numbers are short. */
  #writeSigned(value: number): this {
    return this.#writeUnsigned(value < 0 ? -2 * value - 1 : 2 * value);
  }

  /** Writes a safe integer with seven bits per byte, lowest first. */
  #writeUnsigned(value: number): this {
    let remaining = value;
    for (; remaining > 127; remaining = Math.floor(remaining / 128)) this.#writeByte((remaining % 128) | 128);
    this.#writeByte(remaining);
    return this;
  }
}
