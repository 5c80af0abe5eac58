/** Reads the start and end of the row groups of a Parquet file from its footer. */
import { FIELD_TYPE } from '../format.ts';
import { ThriftReader } from './thrift-reader.ts';

/** Field numbers: of the file, of a row group, of a column chunk, and of its metadata. */
const FIELD_IDS = { rowGroups: 4, columns: 1, metadata: 3, storedBytes: 7, dataPage: 9, dictionaryPage: 11 } as const;

/**
 * Returns the offsets of the starts and ends of row groups, in the order of the footer.
 * @param footer without the length and magic bytes after it. Throws an Error if it is unreadable.
 */
export function rowGroupBounds(footer: Uint8Array): number[] {
  const reader = new ThriftReader(footer);
  const bounds: number[] = [];
  reader.readStruct((id, type) => {
    if (id !== FIELD_IDS.rowGroups || type !== FIELD_TYPE.list) return false;
    reader.readStructs(() => {
      let [start, end] = [Number.POSITIVE_INFINITY, 0];
      readChunks(reader, (chunkStart, length) => {
        start = Math.min(start, chunkStart);
        end = Math.max(end, chunkStart + length);
      });
      if (end > start) bounds.push(start, end);
    });
    return true;
  });
  return bounds;
}

/** Reads a row group and calls back with the place of each of its column chunks. */
function readChunks(reader: ThriftReader, onChunk: (start: number, length: number) => void): void {
  reader.readStruct((id, type) => {
    if (id !== FIELD_IDS.columns || type !== FIELD_TYPE.list) return false;
    reader.readStructs(() => {
      reader.readStruct((field, type) => {
        if (field !== FIELD_IDS.metadata || type !== FIELD_TYPE.struct) return false;
        let [length, data, dictionary] = [0, 0, 0];
        reader.readStruct((entry, kind) => {
          if (kind !== FIELD_TYPE.i64) return false;
          const number = reader.readNumber();
          if (entry === FIELD_IDS.storedBytes) length = number;
          else if (entry === FIELD_IDS.dataPage) data = number;
          else if (entry === FIELD_IDS.dictionaryPage) dictionary = number;
          return true;
        });
        onChunk(dictionary === 0 ? data : dictionary, length);
        return true;
      });
    });
    return true;
  });
}
