/**
 * Reads structures in Thrift's compact protocol:
 * https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md.
 */
import { FIELD_TYPES } from '../format/thrift-struct.ts';

/** Maximum nesting depth; footers of other writers need up to six levels. */
const MAX_DEPTH = 16;
/** Maximum field id: Thrift's field ids are signed 16-bit integers. */
const MAX_FIELD_ID = 32_767;
/** Maximum size of a varint of 64 bits. */
const MAX_VARINT_BYTES = 10;
/** Minimum length of lists that store their length in a separate integer. */
const MIN_LONG_LIST_LENGTH = 15;

/**
 * Reads untrusted bytes. Each step consumes at least one byte, so reading always ends. Throws an Error if the bytes are
 * not a valid structure.
 */
export class ThriftReader {
  readonly #bytes: Uint8Array;
  #depth = 0;
  position: number;

  constructor(bytes: Uint8Array, position = 0) {
    this.#bytes = bytes;
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
    for (let left = length; left > 0; left -= 1) readItem();
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
    for (let left = length; left > 0; left -= 1) this.#skip(type, true);
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
    if (length > this.#bytes.length - this.position)
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
    const byte = this.#bytes[this.position];
    if (byte === undefined) throw new Error('its metadata ends too early');
    this.position += 1;
    return byte;
  }
}
