/**
 * Reads page headers written by fin or by other Parquet writers:
 * https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift.
 */
import { FIELD_TYPES, PAGE_HEADER_FIELD_IDS } from '../format/thrift-struct.ts';
import { ThriftReader } from './thrift-reader.ts';

export interface PageHeader {
  /**
   * Bytes of the page after its header, including definition levels: `size` when unpacked, `compressedSize` as stored.
   */
  readonly size: number;
  readonly compressedSize: number;
  /** Offset of the page's content, after its header. */
  readonly pageOffset: number;
  /** Number of values of a dictionary page; null for other pages. */
  readonly dictionaryValueCount: number | null;
  /** The header of a data page (version 2); null for other pages. */
  readonly data: DataPageHeader | null;
}

interface DataPageHeader {
  readonly rows: number;
  readonly nulls: number;
  /** The encoding's number in Parquet; fin writes only the encodings in `ENCODING_NUMBERS`. */
  readonly encoding: number;
  readonly levelsSize: number;
}

/** Integer fields of a structure, by field id; -1 for missing fields. An array, because it is fast to create. */
type NumberByFieldId = number[];

/** Returns an array for the field ids 1 to 5. Fields with higher ids are not needed. */
const createEmptyNumbers = (): NumberByFieldId => [-1, -1, -1, -1, -1, -1];

/** Reads a page header. Throws an Error if the bytes at `offset` are not a page header. */
export function readPageHeader(bytes: Uint8Array, offset: number): PageHeader {
  const reader = new ThriftReader(bytes, offset);
  const numbers = createEmptyNumbers();
  const ids: { dictionary?: NumberByFieldId; data?: NumberByFieldId } = {};
  try {
    reader.readStruct((id, type) => {
      if (type !== FIELD_TYPES.struct) return storeNumber(reader, numbers, id, type);
      const fields = createEmptyNumbers();
      if (id === PAGE_HEADER_FIELD_IDS.dictionary) ids.dictionary = fields;
      else if (id === PAGE_HEADER_FIELD_IDS.dataV2) ids.data = fields;
      reader.readStruct((field, type) => storeNumber(reader, fields, field, type));
      return true;
    });
  } catch (cause) {
    throw new Error(`a page header cannot be read: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
  const { dictionary, data } = ids;
  return {
    size: requireNumber(numbers, 2),
    compressedSize: requireNumber(numbers, 3),
    pageOffset: reader.position,
    dictionaryValueCount: dictionary === undefined ? null : requireNumber(dictionary, 1),
    data:
      data === undefined
        ? null
        : {
            rows: requireNumber(data, 1),
            nulls: requireNumber(data, 2),
            encoding: requireNumber(data, 4),
            levelsSize: requireNumber(data, 5),
          },
  };
}

/** Reads an integer field into `fields`; returns false for fields of other types, and for unneeded fields. */
function storeNumber(reader: ThriftReader, fields: NumberByFieldId, id: number, type: number): boolean {
  if (type !== FIELD_TYPES.i32 || id >= fields.length) return false;
  fields[id] = reader.readNumber();
  return true;
}

function requireNumber(fields: NumberByFieldId, id: number): number {
  const value = fields[id] ?? -1;
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw new Error(`a page header has no valid number in field ${id}`);
}
