/** Reads structures in the compact protocol of Thrift: https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md. */
import { FIELD_TYPE } from './format.ts';

/** Footers nest six deep, with the logical types of other writers. */
const MAX_DEPTH = 16;
/** Thrift numbers fields with 16 bits. */
const MAX_FIELD_ID = 32_767;
/** A whole number of 64 bits, seven in each byte. */
const MAX_NUMBER_BYTES = 10;
/** Lists of so many or more have their length in bytes of its own. */
const LONG_LIST = 15;

/** Each step reads at least one byte, and none goes back or past the end. Throws an Error if the bytes are not such a structure. */
export class ThriftReader {
  readonly #bytes: Uint8Array;
  #depth = 0;
  at: number;

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes;
    this.at = at;
  }

  /** Reads a structure. @param read reads the value of a field, or returns false to have it skipped */
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

  /** Reads a list of structures. @param read reads one */
  structs(read: () => void): void {
    const { type, length } = this.#list();
    if (type !== FIELD_TYPE.struct) throw new Error(`a list has items of type ${type}`);
    for (let left = length; left > 0; left -= 1) read();
  }

  /** A whole number. Beyond 53 bits it is not exact. */
  number(): number {
    const number = this.#unsigned();
    // Zigzag: the sign last.
    return number % 2 === 0 ? number / 2 : -(number + 1) / 2;
  }

  #skip(type: number, inList: boolean): void {
    const { true: yes, false: no, byte, i16, i32, i64, double, binary, list, struct } = FIELD_TYPE;
    // The type of a boolean field is its value; in a list each has a byte.
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

  /** Seven bits a byte, the lowest first. */
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
