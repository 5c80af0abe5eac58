/** Reads the cells of one column chunk. Synchronous: a chunk is a few kilobytes, already in memory. */
import { gunzipSync } from 'node:zlib';
import { parquetHeader } from 'hyparquet/src/column.js';
import type { Cell, Column } from './layout.ts';
import { readPlain, readRuns, readValues } from './page-values.ts';

/** Ten times what the largest page of a full release holds; a damaged size must not exhaust the memory. */
const LARGEST_PAGE = 256 * 1024 * 1024;

const unzip = (bytes: Uint8Array): Buffer => gunzipSync(bytes, { maxOutputLength: LARGEST_PAGE });

/** Exactly `rows` cells; throws when the bytes hold anything else. */
export function readChunk(bytes: Uint8Array, column: Column, rows: number): Cell[] {
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
  let dictionary: readonly Cell[] | null = null;
  let cells: Cell[] = [];
  while (reader.offset < bytes.length) {
    const header = parquetHeader(reader);
    const page = bytes.subarray(reader.offset, reader.offset + header.compressed_page_size);
    reader.offset += header.compressed_page_size;
    const { dictionary_page_header: words, data_page_header_v2: data } = header;
    if (words !== undefined) dictionary = readPlain(unzip(page), column.type, words.num_values);
    else if (data === undefined) throw new Error(`column ${column.name} has a page of an unknown kind`);
    else {
      const { num_values: count, num_nulls: nulls, encoding, definition_levels_byte_length: levels } = data;
      if (cells.length + count > rows) throw new Error(`column ${column.name} has more than ${rows} rows`);
      const values = readValues(
        unzip(page.subarray(levels)),
        { encoding, type: column.type, count: count - nulls },
        dictionary,
      );
      const placed = nulls === 0 ? values : withNulls(values, readRuns(page, 0, 1, count));
      cells = cells.length === 0 ? placed : cells.concat(placed);
    }
  }
  if (cells.length !== rows) throw new Error(`column ${column.name} has ${cells.length} rows instead of ${rows}`);
  return cells;
}

/** A value where the level says that there is one, null elsewhere. */
function withNulls(values: readonly Cell[], levels: Uint32Array): Cell[] {
  const cells: Cell[] = [];
  let next = 0;
  for (const level of levels) cells.push(level === 0 ? null : (values[next++] ?? null));
  return cells;
}
