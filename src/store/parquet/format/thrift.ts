/**
 * Enumerations of Parquet, and a writer and a reader of its metadata structures in Thrift's compact protocol:
 * https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift.
 */

/** The first and last four bytes of a Parquet file. */
export const PARQUET_MAGIC = Buffer.from('PAR1');
export const CODEC_NUMBERS = { snappy: 1, gzip: 2 } as const;
export const ENCODING_NUMBERS = { plain: 0, rle: 3, rleDictionary: 8 } as const;
export const PAGE_TYPE_NUMBERS = { dictionary: 2, dataV2: 3 } as const;

/** Ids of the PageHeader fields that contain the header of each page type. */
export const PAGE_HEADER_FIELD_IDS = { dictionary: 7, dataV2: 8 } as const;

/**
 * Field types of the compact protocol:
 * https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md.
 */
export const FIELD_TYPES = {
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

/** Lists of this length or more store their length in an integer after the header byte. */
const MIN_LONG_LIST_LENGTH = 15;

/** Initial buffer size, which is enough for most structures. */
const INITIAL_BUFFER_BYTES = 64;

/** A Thrift structure that is encoded while fields are added, in ascending order of their ids. */
export class ThriftStruct {
  #bytes = new Uint8Array(INITIAL_BUFFER_BYTES);
  #length = 0;
  #lastFieldId = 0;

  int(id: number, value: number): this {
    return this.#writeFieldHeader(id, FIELD_TYPES.i32).#writeSigned(value);
  }

  long(id: number, value: number): this {
    return this.#writeFieldHeader(id, FIELD_TYPES.i64).#writeSigned(value);
  }

  flag(id: number, isTrue: boolean): this {
    return this.#writeFieldHeader(id, isTrue ? FIELD_TYPES.true : FIELD_TYPES.false);
  }

  binary(id: number, bytes: Uint8Array): this {
    return this.#writeFieldHeader(id, FIELD_TYPES.binary).#writeSized(bytes);
  }

  text(id: number, text: string): this {
    return this.binary(id, Buffer.from(text));
  }

  struct(id: number, struct: ThriftStruct): this {
    return this.#writeFieldHeader(id, FIELD_TYPES.struct).#append(struct.finish());
  }

  /** Adds the header of a list; the caller adds the items. */
  list(id: number, type: number, length: number): this {
    this.#writeFieldHeader(id, FIELD_TYPES.list);
    this.#writeByte((Math.min(length, MIN_LONG_LIST_LENGTH) << 4) | type);
    return length < MIN_LONG_LIST_LENGTH ? this : this.#writeUnsigned(length);
  }

  ints(id: number, values: readonly number[]): this {
    this.list(id, FIELD_TYPES.i32, values.length);
    for (const value of values) this.#writeSigned(value);
    return this;
  }

  texts(id: number, texts: readonly string[]): this {
    this.list(id, FIELD_TYPES.binary, texts.length);
    for (const text of texts) this.#writeSized(Buffer.from(text));
    return this;
  }

  structs(id: number, structs: readonly ThriftStruct[]): this {
    this.list(id, FIELD_TYPES.struct, structs.length);
    for (const struct of structs) this.#append(struct.finish());
    return this;
  }

  /** Returns the encoded bytes and empties the buffer. */
  takeBytes(): Uint8Array {
    const bytes = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    return bytes;
  }

  finish(): Uint8Array {
    this.#writeByte(FIELD_TYPES.stop);
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

  #ensureRoom(byteCount: number): void {
    const minLength = this.#length + byteCount;
    if (minLength <= this.#bytes.length) return;
    const bytes = new Uint8Array(2 * minLength);
    bytes.set(this.#bytes);
    this.#bytes = bytes;
  }

  #writeSized(bytes: Uint8Array): this {
    return this.#writeUnsigned(bytes.length).#append(bytes);
  }

  /** Adds a zigzag integer: the sign is the lowest bit, so that small negative numbers are short. */
  #writeSigned(value: number): this {
    return this.#writeUnsigned(value < 0 ? -2 * value - 1 : 2 * value);
  }

  /** Adds a non-negative integer as a varint: seven bits per byte, lowest first. */
  #writeUnsigned(value: number): this {
    let remainder = value;
    for (; remainder > 127; remainder = Math.floor(remainder / 128)) this.#writeByte((remainder % 128) | 128);
    this.#writeByte(remainder);
    return this;
  }
}

/** Maximum nesting depth; footers of other writers need up to six levels. */
const MAX_DEPTH = 16;
/** Maximum field id: Thrift's field ids are signed 16-bit integers. */
const MAX_FIELD_ID = 32_767;
/** Maximum size of a varint of 64 bits. */
const MAX_VARINT_BYTES = 10;

/**
 * Reads untrusted bytes. Each step consumes at least one byte, so reading always ends. Throws an Error if the bytes are
 * not a valid structure.
 */
export class ThriftReader {
  #depth = 0;
  position: number;

  constructor(
    private readonly bytes: Uint8Array,
    position = 0,
  ) {
    this.position = position;
  }

  /**
   * Reads a structure.
   * @param readField reads the value of a field, or returns false to skip the field
   */
  readStruct(readField: (id: number, type: number) => boolean): void {
    this.#enterNested();
    let fieldId = 0;
    for (let header = this.#readByte(); header !== FIELD_TYPES.stop; header = this.#readByte()) {
      fieldId = header >> 4 === 0 ? this.readNumber() : fieldId + (header >> 4);
      if (fieldId < 1 || fieldId > MAX_FIELD_ID) throw new Error('a metadata field has an invalid id');
      const type = header & 15;
      if (!readField(fieldId, type)) this.#skip(type, false);
    }
    this.#depth -= 1;
  }

  /**
   * Reads a list of structures.
   * @param readItem reads one structure
   */
  readStructs(readItem: () => void): void {
    const { type, length } = this.#readListHeader();
    if (type !== FIELD_TYPES.struct) throw new Error(`a metadata list has items of the unsupported type ${type}`);
    for (let count = length; count > 0; count -= 1) readItem();
  }

  /** Reads an integer, which is exact up to 53 bits. */
  readNumber(): number {
    const number = this.#readUnsigned();
    // Zigzag encoding: the lowest bit is the sign.
    return number % 2 === 0 ? number / 2 : -(number + 1) / 2;
  }

  #skip(type: number, isInList: boolean): void {
    const { true: trueType, false: falseType, byte, i16, i32, i64, double, binary, list, struct } = FIELD_TYPES;
    // A boolean field is encoded in the field's type; in a list, each boolean takes one byte.
    if (type === trueType || type === falseType) this.#skipBytes(isInList ? 1 : 0);
    else if (type === byte) this.#skipBytes(1);
    else if (type === i16 || type === i32 || type === i64) this.#readUnsigned();
    else if (type === double) this.#skipBytes(8);
    else if (type === binary) {
      const length = this.#readUnsigned();
      this.#skipBytes(length);
    } else if (type === list) this.#skipList();
    else if (type === struct) this.readStruct(() => false);
    else throw new Error(`a metadata field has the unsupported type ${type}`);
  }

  #skipList(): void {
    this.#enterNested();
    const { type, length } = this.#readListHeader();
    for (let count = length; count > 0; count -= 1) this.#skip(type, true);
    this.#depth -= 1;
  }

  #readListHeader(): { readonly type: number; readonly length: number } {
    const header = this.#readByte();
    return { type: header & 15, length: header >> 4 < MIN_LONG_LIST_LENGTH ? header >> 4 : this.#readUnsigned() };
  }

  #enterNested(): void {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new Error('its structures are nested too deeply');
  }

  #skipBytes(length: number): void {
    if (length > this.bytes.length - this.position)
      throw new Error('a metadata field is longer than the bytes that remain');
    this.position += length;
  }

  /** Reads a varint: seven bits per byte, lowest first. */
  #readUnsigned(): number {
    let [value, factor] = [0, 1];
    for (let count = 1; count <= MAX_VARINT_BYTES; count += 1) {
      const byte = this.#readByte();
      value += (byte & 127) * factor;
      if (byte < 128) return value;
      factor *= 128;
    }
    throw new Error(`a number in its metadata has more than ${MAX_VARINT_BYTES} bytes`);
  }

  #readByte(): number {
    const byte = this.bytes[this.position];
    if (byte === undefined) throw new Error('its metadata ends too early');
    this.position += 1;
    return byte;
  }
}
