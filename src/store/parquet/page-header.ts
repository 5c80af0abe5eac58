/** Headers of pages, as `page-writer.ts` writes them and other writers may: https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift. */
import { FIELD_TYPE, PAGE_FIELD } from './format.ts';

export interface PageHeader {
  /** Bytes of the page behind its header, with its definition levels: unpacked, and as stored. */
  readonly size: number;
  readonly packedSize: number;
  /** Where the page begins. */
  readonly pageAt: number;
  /** How many values a dictionary has; null of another page. */
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

/** What a structure holds by the number of the field: whole numbers and structures. */
type Fields = (number | Fields | undefined)[];

/** @throws where the bytes are no header */
export function readPageHeader(bytes: Uint8Array, at: number): PageHeader {
  const reader = new FieldReader(bytes, at);
  const header = reader.readStruct();
  const { [PAGE_FIELD.dictionary]: dictionary, [PAGE_FIELD.dataV2]: data } = header;
  return {
    size: numberOf(header, 2),
    packedSize: numberOf(header, 3),
    pageAt: reader.at,
    dictionary: Array.isArray(dictionary) ? numberOf(dictionary, 1) : null,
    data: Array.isArray(data)
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
  const number = fields[id];
  if (typeof number !== 'number' || number < 0) throw new Error(`a page header has no field ${id}`);
  return number;
}

class FieldReader {
  readonly #bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  readStruct(): Fields {
    const fields: Fields = [];
    let id = 0;
    for (let head = this.#byte(); head !== FIELD_TYPE.stop; head = this.#byte()) {
      id = head >> 4 === 0 ? this.#number() : id + (head >> 4);
      const value = this.#readField(head & 15);
      if (value !== undefined) fields[id] = value;
    }
    return fields;
  }

  /** Undefined of what no header of ours needs. */
  #readField(type: number): number | Fields | undefined {
    switch (type) {
      case FIELD_TYPE.true:
      case FIELD_TYPE.false:
        return undefined;
      case FIELD_TYPE.byte:
        this.at += 1;
        return undefined;
      case FIELD_TYPE.i16:
      case FIELD_TYPE.i32:
      case FIELD_TYPE.i64:
        return this.#number();
      case FIELD_TYPE.double:
        this.at += 8;
        return undefined;
      case FIELD_TYPE.binary:
        this.at += this.#unsigned();
        return undefined;
      case FIELD_TYPE.struct:
        return this.readStruct();
      default:
        throw new Error(`a page header has a field of type ${type}`);
    }
  }

  /** Zigzag: the sign last. */
  #number(): number {
    const number = this.#unsigned();
    return (number >>> 1) ^ -(number & 1);
  }

  /** Seven bits a byte, the lowest first. */
  #unsigned(): number {
    let number = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = this.#byte();
      number |= (byte & 127) << shift;
      if (byte < 128) return number;
    }
  }

  #byte(): number {
    const byte = this.#bytes[this.at];
    if (byte === undefined) throw new Error('a page header ends too late');
    this.at += 1;
    return byte;
  }
}
