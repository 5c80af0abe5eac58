/**
 * Reads page headers of `page-writer.ts` and of other writers:
 * https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift.
 */
import { FIELD_TYPE, PAGE_FIELD } from '../format.ts';
import { ThriftReader } from './thrift-reader.ts';

export interface PageHeader {
  /** Bytes after the page's header, including definition levels: unpacked, and as stored. */
  readonly size: number;
  readonly packedSize: number;
  /** Position of the page. */
  readonly pageAt: number;
  /** Number of values of a dictionary page; null for other pages. */
  readonly dictionary: number | null;
  /** The header of a data page of version 2; null for other pages. */
  readonly data: DataPageHeader | null;
}

interface DataPageHeader {
  readonly rows: number;
  readonly nulls: number;
  /** The encoding's number in `ENCODING`, or one that fin does not write. */
  readonly encoding: number;
  readonly levelsSize: number;
}

/** Integers by field number. */
type Numbers = Map<number, number>;

/** @throws if the bytes from `at` on are not a page header */
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

/** Returns false for a field that is not an integer. */
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
