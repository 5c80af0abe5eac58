/** Reads the offsets of row groups from the footer of a Parquet file. */
import { FIELD_TYPES, ThriftReader } from '../format/thrift.ts';

/** Thrift field ids of the footer's structures: file, row group, column chunk, and column metadata. */
const FIELD_IDS = { rowGroups: 4, columns: 1, metadata: 3, storedBytes: 7, dataPage: 9, dictionaryPage: 11 } as const;

/**
 * Returns the start and end offsets of all row groups, in the order of the footer. Throws an Error if the footer is
 * unreadable.
 * @param footer without the length and magic bytes that follow it
 */
export function parseRowGroupBounds(footer: Uint8Array): number[] {
  const reader = new ThriftReader(footer);
  const bounds: number[] = [];
  reader.readStruct((id, type) => {
    if (id !== FIELD_IDS.rowGroups || type !== FIELD_TYPES.list) return false;
    reader.readStructs(() => {
      let [start, end] = [Number.POSITIVE_INFINITY, 0];
      readChunks(reader, (offset, length) => {
        start = Math.min(start, offset);
        end = Math.max(end, offset + length);
      });
      if (end > start) bounds.push(start, end);
    });
    return true;
  });
  return bounds;
}

/** Reads a row group, and passes the position of each column chunk to `onChunk`. */
function readChunks(reader: ThriftReader, onChunk: (start: number, length: number) => void): void {
  reader.readStruct((id, type) => {
    if (id !== FIELD_IDS.columns || type !== FIELD_TYPES.list) return false;
    reader.readStructs(() => {
      reader.readStruct((field, type) => {
        if (field !== FIELD_IDS.metadata || type !== FIELD_TYPES.struct) return false;
        let [bytes, data, dictionary] = [0, 0, 0];
        reader.readStruct((fieldId, fieldType) => {
          if (fieldType !== FIELD_TYPES.i64) return false;
          const value = reader.readNumber();
          if (fieldId === FIELD_IDS.storedBytes) bytes = value;
          else if (fieldId === FIELD_IDS.dataPage) data = value;
          else if (fieldId === FIELD_IDS.dictionaryPage) dictionary = value;
          return true;
        });
        onChunk(dictionary === 0 ? data : dictionary, bytes);
        return true;
      });
    });
    return true;
  });
}
