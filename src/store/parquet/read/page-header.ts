/**
 * Reads page headers of `page-writer.ts` and of other writers:
 * https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift.
 */
import { FIELD_TYPE, PAGE_HEADER_FIELD_IDS } from '../format.ts';
import { ThriftReader } from './thrift-reader.ts';

export interface PageHeader {
  /** Bytes after the page's header, including definition levels: unpacked, and as stored. */
  readonly size: number;
  readonly compressedSize: number;
  /** Position of the page. */
  readonly pageOffset: number;
  /** Number of values of a dictionary page; null for other pages. */
  readonly dictionaryValueCount: number | null;
  /** The header of a data page of version 2; null for other pages. */
  readonly data: DataPageHeader | null;
}

interface DataPageHeader {
  readonly rows: number;
  readonly nulls: number;
  /** The encoding's number in `ENCODING_NUMBERS`, or one that fin does not write. */
  readonly encoding: number;
  readonly levelsSize: number;
}

/** Integers by field number. */
type NumberByFieldId = Map<number, number>;

/** @throws if the bytes from `offset` on are not a page header */
export function readPageHeader(bytes: Uint8Array, offset: number): PageHeader {
  const reader = new ThriftReader(bytes, offset);
  const header: NumberByFieldId = new Map();
  const fieldsByPageType = new Map<number, NumberByFieldId>();
  try {
    reader.readStruct((id, type) => {
      if (type !== FIELD_TYPE.struct) return readNumber(reader, header, id, type);
      const fields: NumberByFieldId = new Map();
      fieldsByPageType.set(id, fields);
      reader.readStruct((field, type) => readNumber(reader, fields, field, type));
      return true;
    });
  } catch (cause) {
    throw new Error(`a page header cannot be read: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
  const [dictionary, data] = [
    fieldsByPageType.get(PAGE_HEADER_FIELD_IDS.dictionary),
    fieldsByPageType.get(PAGE_HEADER_FIELD_IDS.dataV2),
  ];
  return {
    size: numberOf(header, 2),
    compressedSize: numberOf(header, 3),
    pageOffset: reader.position,
    dictionaryValueCount: dictionary === undefined ? null : numberOf(dictionary, 1),
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
function readNumber(reader: ThriftReader, target: NumberByFieldId, id: number, type: number): boolean {
  if (type !== FIELD_TYPE.i32) return false;
  target.set(id, reader.readNumber());
  return true;
}

function numberOf(fields: NumberByFieldId, id: number): number {
  const number = fields.get(id) ?? -1;
  if (Number.isSafeInteger(number) && number >= 0) return number;
  throw new Error(`a page header has no field ${id}`);
}
