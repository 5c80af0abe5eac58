/** Reads structures in the compact protocol of Thrift: https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md. */
import { FIELD_TYPE } from '../format.ts';

/** Maximum depth of structures; footers of other writers with logical types need six. */
const MAX_DEPTH = 16;
/** Thrift numbers fields with 16 bits. */
const MAX_FIELD_ID = 32_767;
/** Size of a 64-bit integer with seven bits per byte. */
const MAX_NUMBER_BYTES = 10;
/** Lists of this length or more store it in a separate byte. */
const LONG_LIST = 15;

/**
 * Every step reads at least one byte; none goes backwards or past the end. Throws an Error if the bytes are not a
 * valid structure.
 */
export class ThriftReader {
  readonly #bytes: Uint8Array;
  #depth = 0;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  /**
   * Reads a structure.
   * @param read reads the value of a field, or returns false to skip it
   */
  struct(read: (id: number, type: number) => boolean): void {
    this.#enter();
    let id = 0;
    for (let head = this.#byte(); head !== FIELD_TYPE.stop; head = this.#byte()) {
      id = head >> 4 === 0 ? this.number() : id + (head >> 4);
      if (id < 1 || id > MAX_FIELD_ID) throw new Error('a field has no number');
      const type = head & 15;
      if (!read(id, type)) this.#skip(type, false);
    }
    this.#depth -= 1;
  }

  /**
   * Reads a list of structures.
   * @param read reads one structure
   */
  structs(read: () => void): void {
    const { type, length } = this.#list();
    if (type !== FIELD_TYPE.struct) throw new Error(`a list has items of type ${type}`);
    for (let left = length; left > 0; left -= 1) read();
  }

  /** Reads an integer. Not exact above 53 bits. */
  number(): number {
    const number = this.#unsigned();
    // Zigzag encoding: the sign is the last bit.
    return number % 2 === 0 ? number / 2 : -(number + 1) / 2;
  }

  #skip(type: number, inList: boolean): void {
    const { true: yes, false: no, byte, i16, i32, i64, double, binary, list, struct } = FIELD_TYPE;
    // A boolean field's type is its value; in a list each boolean has a byte.
    if (type === yes || type === no) this.#pass(inList ? 1 : 0);
    else if (type === byte) this.#pass(1);
    else if (type === i16 || type === i32 || type === i64) this.#unsigned();
    else if (type === double) this.#pass(8);
    else if (type === binary) {
      const length = this.#unsigned();
      this.#pass(length);
    } else if (type === list) this.#skipList();
    else if (type === struct) this.struct(() => false);
    else throw new Error(`a field is of type ${type}`);
  }

  #skipList(): void {
    this.#enter();
    const { type, length } = this.#list();
    for (let left = length; left > 0; left -= 1) this.#skip(type, true);
    this.#depth -= 1;
  }

  #list(): { readonly type: number; readonly length: number } {
    const head = this.#byte();
    return { type: head & 15, length: head >> 4 < LONG_LIST ? head >> 4 : this.#unsigned() };
  }

  #enter(): void {
    this.#depth += 1;
    if (this.#depth > MAX_DEPTH) throw new Error('structures are nested too deep');
  }

  #pass(length: number): void {
    if (length > this.#bytes.length - this.at) throw new Error('it ends too late');
    this.at += length;
  }

  /** Reads seven bits per byte, lowest first. */
  #unsigned(): number {
    let [number, factor] = [0, 1];
    for (let count = 1; count <= MAX_NUMBER_BYTES; count += 1) {
      const byte = this.#byte();
      number += (byte & 127) * factor;
      if (byte < 128) return number;
      factor *= 128;
    }
    throw new Error('a number has no end');
  }

  #byte(): number {
    const byte = this.#bytes[this.at];
    if (byte === undefined) throw new Error('it ends too early');
    this.at += 1;
    return byte;
  }
}
