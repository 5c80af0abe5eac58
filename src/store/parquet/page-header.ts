/** Headers of pages, as `page-writer.ts` writes them and other writers may: https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift. */
import { FIELD_TYPE, PAGE_FIELD } from './format.ts';
import { ThriftReader } from './thrift-reader.ts';

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

/** Whole numbers by the number of their field. */
type Numbers = Map<number, number>;

/** @throws if the bytes from `at` on are not a header */
export function readPageHeader(bytes: Uint8Array, at: number): PageHeader {
  const reader = new ThriftReader(bytes, at);
  const header: Numbers = new Map();
  const kinds = new Map<number, Numbers>();
  try {
    reader.struct((id, type) => {
      if (type !== FIELD_TYPE.struct) return readNumber(reader, header, id, type);
      const fields: Numbers = new Map();
      kinds.set(id, fields);
      reader.struct((field, of) => readNumber(reader, fields, field, of));
      return true;
    });
  } catch (cause) {
    throw new Error(`a page header cannot be read: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
  const [dictionary, data] = [kinds.get(PAGE_FIELD.dictionary), kinds.get(PAGE_FIELD.dataV2)];
  return {
    size: numberOf(header, 2),
    packedSize: numberOf(header, 3),
    pageAt: reader.at,
    dictionary: dictionary === undefined ? null : numberOf(dictionary, 1),
    data:
      data === undefined
        ? null
        : {
            rows: numberOf(data, 1),
            nulls: numberOf(data, 2),
            encoding: numberOf(data, 4),
            levelsSize: numberOf(data, 5),
          },
  };
}

/** False for a field that is not a whole number. */
function readNumber(reader: ThriftReader, to: Numbers, id: number, type: number): boolean {
  if (type !== FIELD_TYPE.i32) return false;
  to.set(id, reader.number());
  return true;
}

function numberOf(fields: Numbers, id: number): number {
  const number = fields.get(id) ?? -1;
  if (Number.isSafeInteger(number) && number >= 0) return number;
  throw new Error(`a page header has no field ${id}`);
}
