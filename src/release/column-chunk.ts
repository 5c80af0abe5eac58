/** Reads the cells of one column chunk. Synchronous: a chunk is a few kilobytes, already in memory. */
import { gunzipSync } from 'node:zlib';
import { readColumn } from 'hyparquet/src/column.js';
import { DEFAULT_PARSERS } from 'hyparquet/src/convert.js';
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

/** Exactly `rows` cells; throws when the bytes hold anything else. */
export function readChunk(bytes: Uint8Array, column: Column, rows: number): Cell[] {
  const element = elementOf(column);
  const { data } = readColumn(
    { view: new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength), offset: 0 },
    { groupStart: 0, selectStart: 0, selectEnd: rows, groupRows: rows },
    {
      pathInSchema: [column.name],
      type: element.type ?? 'BYTE_ARRAY',
      element,
      schemaPath: [ROOT, { children: [], count: 1, element, path: [column.name] }],
      codec: CODEC,
      parsers: PARSERS,
      compressors: COMPRESSORS,
    },
  );
  // A chunk of ours is one page; a column without nulls needs no copy.
  const [first] = data;
  const cells = data.length === 1 && Array.isArray(first) ? (first as Cell[]) : data.flatMap((cells) => [...cells]);
  if (column.nullable) for (const [index, cell] of cells.entries()) if (cell === undefined) cells[index] = null;
  if (cells.length !== rows) throw new Error(`column ${column.name} has ${cells.length} rows instead of ${rows}`);
  return cells;
}
