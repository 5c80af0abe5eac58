/** Headers of pages, as `page-writer.ts` writes them and other writers may: https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift. */
import { FIELD_TYPE, PAGE_FIELD } from './format.ts';

export interface PageHeader {
  /** Bytes of the page after its header, with its definition levels: unpacked, and as stored. */
  readonly size: number;
  readonly packedSize: number;
  /** Where the page begins. */
  readonly pageAt: number;
  /** Number of values of a dictionary; null of another page. */
  readonly dictionary: number | null;
  /** Of a data page of version 2; else null. */
  readonly data: DataPageHeader | null;
}

interface DataPageHeader {
  readonly rows: number;
  readonly nulls: number;
  /** Its number in `ENCODING`, or that of one that fin does not write. */
  readonly encoding: number;
  readonly levelsSize: number;
}

/** Whole numbers and structures by the number of their field. */
type Fields = Map<number, number | Fields>;

/** Structures in a header are nested three deep. */
const MAX_DEPTH = 8;
/** Thrift numbers fields with 16 bits. */
const MAX_FIELD_ID = 32_767;
/** A whole number of 64 bits, seven in each byte. */
const MAX_NUMBER_BYTES = 10;

/** @throws if the bytes from `at` on are not a header */
export function readPageHeader(bytes: Uint8Array, at: number): PageHeader {
  const reader = new FieldReader(bytes, at);
  const header = reader.readStruct(0);
  const [dictionary, data] = [header.get(PAGE_FIELD.dictionary), header.get(PAGE_FIELD.dataV2)];
  return {
    size: numberOf(header, 2),
    packedSize: numberOf(header, 3),
    pageAt: reader.at,
    dictionary: dictionary instanceof Map ? numberOf(dictionary, 1) : null,
    data:
      data instanceof Map
        ? {
            rows: numberOf(data, 1),
            nulls: numberOf(data, 2),
            encoding: numberOf(data, 4),
            levelsSize: numberOf(data, 5),
          }
        : null,
  };
}

function numberOf(fields: Fields, id: number): number {
  const number = fields.get(id);
  if (typeof number === 'number' && Number.isSafeInteger(number) && number >= 0) return number;
  throw new Error(`a page header has no field ${id}`);
}

/** Each step reads at least one byte, and none goes back or past the end. */
class FieldReader {
  readonly #bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  readStruct(depth: number): Fields {
    if (depth > MAX_DEPTH) throw new Error('a page header is nested too deep');
    const fields: Fields = new Map();
    let id = 0;
    for (let head = this.#byte(); head !== FIELD_TYPE.stop; head = this.#byte()) {
      id = head >> 4 === 0 ? this.#number() : id + (head >> 4);
      if (id < 1 || id > MAX_FIELD_ID) throw new Error('a page header has a field without a number');
      const value = this.#readField(head & 15, depth);
      if (value !== undefined) fields.set(id, value);
    }
    return fields;
  }

  /** Undefined for types that no header of fin's needs. */
  #readField(type: number, depth: number): number | Fields | undefined {
    switch (type) {
      case FIELD_TYPE.true:
      case FIELD_TYPE.false:
        return undefined;
      case FIELD_TYPE.byte:
        return this.#skip(1);
      case FIELD_TYPE.i16:
      case FIELD_TYPE.i32:
      case FIELD_TYPE.i64:
        return this.#number();
      case FIELD_TYPE.double:
        return this.#skip(8);
      case FIELD_TYPE.binary:
        // A statement of its own: the length is read before the place that it is counted from is known.
        return this.#skip(this.#unsigned());
      case FIELD_TYPE.struct:
        return this.readStruct(depth + 1);
      default:
        throw new Error(`a page header has a field of type ${type}`);
    }
  }

  #skip(length: number): undefined {
    if (length > this.#bytes.length - this.at) throw new Error('a page header ends too late');
    this.at += length;
  }

  /** Zigzag: the sign last. */
  #number(): number {
    const number = this.#unsigned();
    return number % 2 === 0 ? number / 2 : -(number + 1) / 2;
  }

  /** Seven bits a byte, the lowest first. Beyond 53 bits inexact, which no field that is used may be. */
  #unsigned(): number {
    let [number, factor] = [0, 1];
    for (let count = 1; count <= MAX_NUMBER_BYTES; count += 1) {
      const byte = this.#byte();
      number += (byte & 127) * factor;
      if (byte < 128) return number;
      factor *= 128;
    }
    throw new Error('a page header has a number without an end');
  }

  #byte(): number {
    const byte = this.#bytes[this.at];
    if (byte === undefined) throw new Error('a page header ends too late');
    this.at += 1;
    return byte;
  }
}
