/**
 * Reads the cells of one column chunk. Synchronous: a chunk is a few kilobytes, already in memory.
 *
 * Our tables are flat, so pages are put together here: the general way, for lists in lists, costs a
 * one-shot command more than all the rest of a chunk.
 */
import { gunzipSync } from 'node:zlib';
import { parquetHeader } from 'hyparquet/src/column.js';
import { convert, convertWithDictionary, DEFAULT_PARSERS } from 'hyparquet/src/convert.js';
import { decompressPage, readDataPageV2 } from 'hyparquet/src/datapage.js';
import { readPlain } from 'hyparquet/src/plain.js';
import type { ColumnDecoder } from 'hyparquet/src/types.js';
import type { Cell, Column } from './layout.ts';
import { CODEC, elementOf } from './parquet-schema.ts';

/** Ten times what the largest page of a full release holds; a damaged size must not exhaust the memory. */
const LARGEST_PAGE = 256 * 1024 * 1024;

const COMPRESSORS = { GZIP: (bytes: Uint8Array) => gunzipSync(bytes, { maxOutputLength: LARGEST_PAGE }) };

/** Short texts decode many times faster from one buffer over the whole page than by TextDecoder, one by one. */
let page: Buffer<ArrayBufferLike> = Buffer.alloc(0);
function stringFromBytes({ buffer, byteOffset, byteLength }: Uint8Array): string {
  if (page.buffer !== buffer) page = Buffer.from(buffer);
  return page.toString('utf8', byteOffset, byteOffset + byteLength);
}

const PARSERS = { ...DEFAULT_PARSERS, stringFromBytes };
const ROOT = { children: [], count: 0, element: { name: 'root' }, path: [] };

function decoderOf(column: Column): ColumnDecoder & { readonly type: NonNullable<ColumnDecoder['type']> } {
  const element = elementOf(column);
  return {
    pathInSchema: [column.name],
    type: element.type ?? 'BYTE_ARRAY',
    element,
    schemaPath: [ROOT, { children: [], count: 1, element, path: [column.name] }],
    codec: CODEC,
    parsers: PARSERS,
    compressors: COMPRESSORS,
  };
}

/** Exactly `rows` cells; throws when the bytes hold anything else. */
export function readChunk(bytes: Uint8Array, column: Column, rows: number): Cell[] {
  const decoder = decoderOf(column);
  const reader = { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 };
  const cells: Cell[] = [];
  let dictionary: Parameters<typeof convertWithDictionary>[1];
  while (reader.offset < bytes.length && cells.length <= rows) {
    const header = parquetHeader(reader);
    const content = bytes.subarray(reader.offset, reader.offset + header.compressed_page_size);
    reader.offset += header.compressed_page_size;
    const { dictionary_page_header: words, data_page_header_v2: data } = header;
    if (words !== undefined) {
      const plain = decompressPage(content, header.uncompressed_page_size, CODEC, COMPRESSORS);
      const view = new DataView(plain.buffer, plain.byteOffset, plain.byteLength);
      dictionary = convert(readPlain({ view, offset: 0 }, decoder.type, words.num_values, undefined), decoder);
    } else if (data !== undefined) {
      const { definitionLevels, dataPage } = readDataPageV2(content, header, decoder);
      const values = convertWithDictionary(dataPage, dictionary, data.encoding, decoder);
      if (definitionLevels === undefined) for (const value of values) cells.push(value);
      else scatter([...values], definitionLevels, cells);
    } else throw new Error(`column ${column.name} has a page of an unknown kind`);
  }
  if (cells.length !== rows) throw new Error(`column ${column.name} has ${cells.length} rows instead of ${rows}`);
  return cells;
}

/** Values go where the level says that there is one; null elsewhere. */
function scatter(values: readonly Cell[], levels: readonly number[], cells: Cell[]): void {
  let next = 0;
  for (const level of levels) cells.push(level === 0 ? null : (values[next++] ?? null));
}
