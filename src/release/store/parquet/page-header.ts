/** Headers of pages, as `page-writer.ts` writes them and other writers may: https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift. */

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

/** Types of fields: https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md. */
const TYPE = { stop: 0, true: 1, false: 2, byte: 3, i16: 4, i32: 5, i64: 6, double: 7, binary: 8, struct: 12 } as const;

/** The numbers of a structure by their field, those of structures in it by `WITHIN` times its field plus their own. */
const WITHIN = 16;
const DICTIONARY = 7 * WITHIN;
const DATA_V2 = 8 * WITHIN;

/** @throws where the bytes are no header */
export function readPageHeader(bytes: Uint8Array, at: number): PageHeader {
  const fields = new FieldReader(bytes, at);
  fields.readStruct(0);
  const field = (id: number): number => {
    const number = fields.numbers[id];
    if (number === undefined || number < 0) throw new Error(`a page header has no field ${id}`);
    return number;
  };
  const isData = fields.numbers[DATA_V2 + 1] !== undefined;
  return {
    size: field(2),
    packedSize: field(3),
    pageAt: fields.at,
    dictionary: fields.numbers[DICTIONARY + 1] ?? null,
    data: isData
      ? {
          rows: field(DATA_V2 + 1),
          nulls: field(DATA_V2 + 2),
          encoding: field(DATA_V2 + 4),
          levelsSize: field(DATA_V2 + 5),
        }
      : null,
  };
}

class FieldReader {
  readonly numbers: (number | undefined)[] = new Array(DATA_V2 + WITHIN).fill(undefined);
  readonly #bytes: Uint8Array;
  at: number;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.at = at;
  }

  /** @param first where its numbers are put, behind this one */
  readStruct(first: number): void {
    let id = 0;
    for (let head = this.#byte(); head !== TYPE.stop; head = this.#byte()) {
      id = head >> 4 === 0 ? this.#number() : id + (head >> 4);
      this.#readField(head & 15, first + id);
    }
  }

  #readField(type: number, place: number): void {
    switch (type) {
      case TYPE.true:
      case TYPE.false:
        return;
      case TYPE.byte:
        this.at += 1;
        return;
      case TYPE.i16:
      case TYPE.i32:
      case TYPE.i64:
        this.numbers[place] = this.#number();
        return;
      case TYPE.double:
        this.at += 8;
        return;
      case TYPE.binary:
        this.at += this.#unsigned();
        return;
      case TYPE.struct:
        this.readStruct(place * WITHIN);
        return;
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
