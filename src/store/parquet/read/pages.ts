/** Finds the pages of column chunks by their headers, and unpacks them. */
import { gunzipSync } from 'node:zlib';
import type { CellType, Column } from '../../schema/table.ts';
import { ENCODING } from '../format.ts';
import { type PageHeader, readPageHeader } from './page-header.ts';

/** Minimum output buffer that Node.js accepts. */
const MIN_CHUNK_BYTES = 64;

/** A column chunk in memory, as stored. */
export interface StoredChunk {
  readonly bytes: Uint8Array;
  readonly column: Pick<Column, 'name' | 'type' | 'nullable'>;
}

/** A range of consecutive rows of a column chunk. */
export interface DataPage {
  /** Number of its first row in the chunk. */
  readonly from: number;
  readonly rows: number;
  /** Number of rows with a value, and which rows these are: definition levels of one bit. */
  readonly count: number;
  readonly levels: Uint8Array;
  /** The encoding's number in `ENCODING`. */
  readonly encoding: number;
  readonly content: Buffer;
}

/** The distinct values of a column chunk. */
export interface DictionaryPage {
  readonly count: number;
  readonly content: Buffer;
}

/** The pages of a chunk that have the requested rows. */
export interface ChunkPages extends Pick<StoredChunk, 'column'> {
  /** Null also if no row has a value. */
  readonly dictionary: DictionaryPage | null;
  readonly data: readonly DataPage[];
}

interface Packed {
  readonly packed: Uint8Array;
  /** Size of the unpacked content according to the header. */
  readonly size: number;
  content: Buffer;
}

/** Number of rows of column chunks, and maximum unpacked bytes of all their pages. */
export interface PagesSize {
  readonly rows: number;
  readonly maxContent: number;
}

const EMPTY = Buffer.alloc(0);

/**
 * Reads the pages of chunks. Throws if a chunk contains another number of rows than `rows`, a null in a column that
 * allows none, or anything that fin does not write.
 * @param maxContent maximum unpacked bytes of all pages together
 * @param isWanted whether any row of a range (end exclusive) is needed; default: all are
 */
export function readPages(
  chunks: readonly StoredChunk[],
  { rows, maxContent }: PagesSize,
  isWanted: (from: number, to: number) => boolean = () => true,
): ChunkPages[] {
  const packed: Packed[] = [];
  const pages = chunks.map((chunk) => {
    const { dictionary, data } = findPages(chunk, rows);
    const wanted = data.filter((page) => isWanted(page.from, page.from + page.rows));
    const filled = wanted.filter(({ count }) => count > 0);
    const used = filled.length > 0 ? dictionary : null;
    if (used !== null) packed.push(used);
    packed.push(...filled);
    return { column: chunk.column, dictionary: used, data: wanted };
  });
  if (packed.length > 0) unpack(packed, maxContent);
  return pages;
}

/** Minimum number of bits of a plain value. */
const MIN_BITS: Readonly<Record<CellType, number>> = { boolean: 1, integer: 32, text: 32 };

function findPages({ bytes, column: { name, type, nullable } }: StoredChunk, rows: number) {
  const checkRoom = (values: number, size: number) => {
    if (values * MIN_BITS[type] > 8 * size)
      throw new Error(`column ${name} has a page of ${values} values in ${size} bytes`);
  };
  let dictionary: (DictionaryPage & Packed) | null = null;
  const data: (DataPage & Packed)[] = [];
  let [at, from] = [0, 0];
  while (at < bytes.length) {
    const header = readPageHeader(bytes, at);
    at = header.pageAt + header.packedSize;
    if (at > bytes.length) throw new Error(`column ${name} has a page that ends too late`);
    const page = bytes.subarray(header.pageAt, at);
    if (header.dictionary !== null) {
      if (dictionary !== null) throw new Error(`column ${name} has two dictionaries`);
      checkRoom(header.dictionary, header.size);
      dictionary = { count: header.dictionary, packed: page, size: header.size, content: EMPTY };
    } else if (header.data === null) throw new Error(`column ${name} has a page of an unknown kind`);
    else {
      const { rows: own, nulls, encoding, levelsSize } = header.data;
      checkRows(header.data, name, rows - from);
      if (levelsSize > Math.min(header.size, header.packedSize))
        throw new Error(`column ${name} has levels that end too late`);
      if (encoding === ENCODING.plain) checkRoom(own - nulls, header.size - levelsSize);
      if (nulls > 0 && !nullable) throw new Error(`column ${name} has ${nulls} rows without a value`);
      const levels = page.subarray(0, levelsSize);
      const stored = { packed: page.subarray(levelsSize), size: header.size - levelsSize, content: EMPTY };
      data.push({ from, rows: own, count: own - nulls, levels, encoding, ...stored });
      from += own;
    }
  }
  if (from !== rows) throw new Error(`column ${name} has ${from} rows instead of ${rows}`);
  return { dictionary, data };
}

function checkRows({ rows, nulls }: NonNullable<PageHeader['data']>, name: string, left: number): void {
  if (rows === 0 || rows > left) throw new Error(`column ${name} has a page of ${rows} rows where ${left} are left`);
  if (nulls > rows) throw new Error(`column ${name} has a page of ${rows} rows with ${nulls} nulls`);
}

/**
 * Unpacks all at once: gzip unpacks adjacent members as one, while a stream per page costs Node.js more than most
 * pages. Allocates the room that headers declare: the default takes sixteen kilobytes even for the smallest page.
 */
function unpack(pages: readonly Packed[], maxContent: number): void {
  const size = pages.reduce((sum, page) => sum + page.size, 0);
  if (size > maxContent) throw new Error(`pages hold ${size} bytes, more than the ${maxContent} that they may`);
  const chunkSize = Math.max(size + 1, MIN_CHUNK_BYTES);
  const packed = Buffer.concat(pages.map((page) => page.packed));
  const contents = gunzipSync(packed, { maxOutputLength: chunkSize, chunkSize });
  if (contents.length !== size) throw new Error(`pages hold ${contents.length} bytes instead of ${size}`);
  let from = 0;
  for (const page of pages) {
    page.content = contents.subarray(from, from + page.size);
    from += page.size;
  }
}
