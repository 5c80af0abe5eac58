/** Locates and unpacks the pages of column chunks. */

import { gunzipSync } from 'node:zlib';
import type { CellType, Column } from '../../schema/columns.ts';
import { ENCODING_NUMBERS, FIELD_TYPES, PAGE_HEADER_FIELD_IDS, ThriftReader } from '../format/thrift.ts';

/** Minimum `chunkSize` that zlib accepts. */
const MIN_ZLIB_CHUNK_BYTES = 64;

/** The compressed bytes of a column chunk, in memory. */
export interface StoredChunk {
  readonly bytes: Uint8Array;
  readonly column: Pick<Column, 'name' | 'type' | 'nullable'>;
}

/** A data page: the cells of consecutive rows of a column chunk. */
export interface DataPage {
  /** Index of the page's first row within the chunk. */
  readonly firstRow: number;
  readonly rows: number;
  /** Number of rows with a value. */
  readonly count: number;
  /** Definition levels (one bit per row), which mark the rows with a value. */
  readonly levels: Uint8Array;
  /** The encoding's number in `ENCODING_NUMBERS`. */
  readonly encoding: number;
  readonly content: Buffer;
}

/** A dictionary page: the distinct values of a column chunk. */
export interface DictionaryPage {
  readonly count: number;
  readonly content: Buffer;
}

/** The data pages of a chunk, and the dictionary that they use. */
export interface ChunkPages extends Pick<StoredChunk, 'column'> {
  /** Null if the chunk has no dictionary, or if no page in `data` has values. */
  readonly dictionary: DictionaryPage | null;
  readonly data: readonly DataPage[];
}

interface CompressedPage {
  readonly compressed: Uint8Array;
  /** Uncompressed size in bytes, as declared by the header. */
  readonly size: number;
  content: Buffer;
}

export interface ContentLimits {
  /** Number of rows of each chunk. */
  readonly rows: number;
  /** Maximum number of unpacked bytes of all pages of all chunks together. */
  readonly maxContentBytes: number;
}

const NO_CONTENT = Buffer.alloc(0);

export interface GroupChunks {
  readonly chunks: readonly StoredChunk[];
  readonly size: ContentLimits;
}

/** Row groups are unpacked together up to this number of unpacked bytes. A larger row group is unpacked alone. */
const MAX_UNPACKED_TOGETHER_BYTES = 8 * 1024 * 1024;

/**
 * Returns the unpacked pages of the chunks of each row group. Throws if a chunk is damaged, for example if a row is
 * missing, if a required column has a null, or if a page has an unsupported type.
 */
export function readPagesOfGroups(groups: readonly GroupChunks[]): ChunkPages[][] {
  let waitingPages: CompressedPage[] = [];
  let bytes = 0;
  const pagesOfGroups = groups.map((group) => {
    const { pages, compressedPages } = locateGroupPages(group);
    const size = sumUnpackedSizes(compressedPages);
    if (bytes + size > MAX_UNPACKED_TOGETHER_BYTES) {
      unpackPages(waitingPages);
      [waitingPages, bytes] = [[], 0];
    }
    waitingPages.push(...compressedPages);
    bytes += size;
    return pages;
  });
  unpackPages(waitingPages);
  return pagesOfGroups;
}

/** Returns the pages of the chunks. Pages have no content until `compressedPages` are unpacked. */
function locateGroupPages({ chunks, size: { rows, maxContentBytes } }: GroupChunks) {
  const compressedPages: CompressedPage[] = [];
  const pages = chunks.map((chunk): ChunkPages => {
    const { dictionary, data } = findChunkPages(chunk, rows);
    const pagesWithValues = data.filter(({ count }) => count > 0);
    const usedDictionary = pagesWithValues.length > 0 ? dictionary : null;
    if (usedDictionary !== null) compressedPages.push(usedDictionary);
    compressedPages.push(...pagesWithValues);
    return { column: chunk.column, dictionary: usedDictionary, data };
  });
  const size = sumUnpackedSizes(compressedPages);
  if (size > maxContentBytes)
    throw new Error(`the pages of a row group have ${size} bytes, more than the allowed ${maxContentBytes}`);
  return { pages, compressedPages };
}

/** Minimum number of bits of a plain value, by type. */
const MIN_VALUE_BITS_BY_TYPE: Readonly<Record<CellType, number>> = { boolean: 1, integer: 32, text: 32 };

function findChunkPages({ bytes, column: { name, type, nullable } }: StoredChunk, rowCount: number) {
  const requireRoom = (count: number, size: number) => {
    if (count * MIN_VALUE_BITS_BY_TYPE[type] > 8 * size)
      throw new Error(`column ${name} has a page that states ${count} values in ${size} bytes, too many for its size`);
  };
  let dictionary: (DictionaryPage & CompressedPage) | null = null;
  const dataPages: (DataPage & CompressedPage)[] = [];
  let [offset, firstRow] = [0, 0];
  while (offset < bytes.length) {
    const header = readPageHeader(bytes, offset);
    offset = header.pageOffset + header.compressedSize;
    if (offset > bytes.length) throw new Error(`column ${name} has a page that is longer than the column`);
    const page = bytes.subarray(header.pageOffset, offset);
    if (header.dictionaryValueCount !== null) {
      if (dictionary !== null) throw new Error(`column ${name} has two dictionaries`);
      requireRoom(header.dictionaryValueCount, header.size);
      dictionary = { count: header.dictionaryValueCount, compressed: page, size: header.size, content: NO_CONTENT };
    } else if (header.data === null) throw new Error(`column ${name} has a page of an unsupported type`);
    else {
      const { rows: pageRows, nulls, encoding, levelsSize: start } = header.data;
      checkRowCounts(header.data, name, rowCount - firstRow);
      if (start > Math.min(header.size, header.compressedSize))
        throw new Error(`column ${name} has definition levels that are longer than their page`);
      if (encoding === ENCODING_NUMBERS.plain) requireRoom(pageRows - nulls, header.size - start);
      if (nulls > 0 && !nullable)
        throw new Error(`column ${name} requires a value in every row; nulls in a page: ${nulls}`);
      const levels = page.subarray(0, start);
      const compressed = { compressed: page.subarray(start), size: header.size - start, content: NO_CONTENT };
      dataPages.push({ firstRow, rows: pageRows, count: pageRows - nulls, levels, encoding, ...compressed });
      firstRow += pageRows;
    }
  }
  if (firstRow !== rowCount) throw new Error(`column ${name} has ${firstRow} rows instead of ${rowCount}`);
  return { dictionary, data: dataPages };
}

function checkRowCounts({ rows, nulls }: NonNullable<PageHeader['data']>, name: string, unreadRows: number): void {
  if (rows === 0 || rows > unreadRows)
    throw new Error(`column ${name} has a page of ${rows} rows (rows left to read: ${unreadRows})`);
  if (nulls > rows) throw new Error(`column ${name} has a page of ${rows} rows with ${nulls} nulls`);
}

/**
 * Unpacks all pages in one call, because creating a stream takes Node.js longer than unpacking a page. Gzip permits
 * this: pages are concatenated as members of one file. The output buffer has the declared size, because Node's default
 * is 16 KB even for the smallest page.
 */
function unpackPages(pages: readonly CompressedPage[]): void {
  if (pages.length === 0) return;
  const size = sumUnpackedSizes(pages);
  const chunkSize = Math.max(size + 1, MIN_ZLIB_CHUNK_BYTES);
  const compressed = Buffer.concat(pages.map((page) => page.compressed));
  const contents = gunzipSync(compressed, { maxOutputLength: chunkSize, chunkSize });
  if (contents.length !== size) throw new Error(`pages unpack to ${contents.length} bytes instead of ${size}`);
  let start = 0;
  for (const page of pages) {
    page.content = contents.subarray(start, start + page.size);
    start += page.size;
  }
}

const sumUnpackedSizes = (pages: readonly CompressedPage[]): number => pages.reduce((sum, { size }) => sum + size, 0);

type PageHeader = ReturnType<typeof readPageHeader>;

/** Integer fields of a structure, by field id; -1 for missing fields. An array, because it is fast to create. */
type NumberByFieldId = number[];

/** Returns an array for the field ids 1 to 5. Fields with higher ids are not needed. */
const createEmptyNumbers = (): NumberByFieldId => [-1, -1, -1, -1, -1, -1];

/**
 * Reads a page header, of fin or of another Parquet writer. Throws an Error if the bytes at `offset` are not a page header
 * (https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift).
 */
export function readPageHeader(bytes: Uint8Array, offset: number) {
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
    /** Number of bytes of the page after its header, including definition levels, when unpacked. */
    size: requireNumber(numbers, 2),
    /** Number of these bytes as stored. */
    compressedSize: requireNumber(numbers, 3),
    /** Offset of the page's content, after its header. */
    pageOffset: reader.position,
    /** Number of values of a dictionary page; null for other pages. */
    dictionaryValueCount: dictionary === undefined ? null : requireNumber(dictionary, 1),
    /** The header of a data page (version 2); null for other pages. */
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
