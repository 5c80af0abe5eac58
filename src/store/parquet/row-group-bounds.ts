/** Where the row groups of a Parquet file begin and end, by its footer; nothing else of the footer is kept. */
import { FIELD_TYPE } from './format.ts';
import { ThriftReader } from './thrift-reader.ts';

/** Numbers of fields: of the file, of a row group, of a column chunk, and of its description. */
const FIELD = { rowGroups: 4, columns: 1, metadata: 3, storedBytes: 7, dataPage: 9, dictionaryPage: 11 } as const;

/**
 * Offsets of the beginnings and ends of row groups, in the order of the footer.
 * @param footer without the length and the signature that follow it. Throws an Error if it cannot be read.
 */
export function rowGroupBounds(footer: Uint8Array): number[] {
  const reader = new ThriftReader(footer);
  const bounds: number[] = [];
  reader.struct((id, type) => {
    if (id !== FIELD.rowGroups || type !== FIELD_TYPE.list) return false;
    reader.structs(() => {
      let [start, end] = [Number.POSITIVE_INFINITY, 0];
      readChunks(reader, (from, length) => {
        start = Math.min(start, from);
        end = Math.max(end, from + length);
      });
      if (end > start) bounds.push(start, end);
    });
    return true;
  });
  return bounds;
}

/** Reads a row group, and calls back with where each of its column chunks is. */
function readChunks(reader: ThriftReader, found: (from: number, length: number) => void): void {
  reader.struct((id, type) => {
    if (id !== FIELD.columns || type !== FIELD_TYPE.list) return false;
    reader.structs(() => {
      reader.struct((field, of) => {
        if (field !== FIELD.metadata || of !== FIELD_TYPE.struct) return false;
        let [length, data, dictionary] = [0, 0, 0];
        reader.struct((entry, kind) => {
          if (kind !== FIELD_TYPE.i64) return false;
          const number = reader.number();
          if (entry === FIELD.storedBytes) length = number;
          else if (entry === FIELD.dataPage) data = number;
          else if (entry === FIELD.dictionaryPage) dictionary = number;
          return true;
        });
        found(dictionary === 0 ? data : dictionary, length);
        return true;
      });
    });
    return true;
  });
}
