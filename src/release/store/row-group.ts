/** One row group as bytes: encoded wherever there is a free core, and put into a file by the one that writes it. */
import { crc32, gzipSync } from 'node:zlib';
import type { CompressionCodec, Encoding, RowGroup, SchemaElement, Statistics } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { Cell, CellType, Column, Table } from '../schema/table.ts';

/** About as many rows as a row group holds: one company is read fast, and compression still has enough to go on. */
export const ROW_GROUP_ROWS = 2000;

/** The bytes that open and close a Parquet file. */
export const MAGIC = Buffer.from('PAR1');

/** Every reader of Parquet has gzip, and so has every Node. */
const CODEC: CompressionCodec = 'GZIP';
/** What gzip may add to what it cannot make smaller. */
const GZIP_ROOM = 64;
/** A seventh of the processor time less than the usual 6, and half a percent more bytes; 4 takes three percent more. */
const GZIP_LEVEL = 5;

/** So many cells of a column tell whether it has a dictionary: where a value stands in two of them, on average. */
const SAMPLE = 128;
const LEAST_RECURRENCE = 2;
const UTF8 = new TextEncoder();

/** However large: a column chunk is read whole. */
const ONE_PAGE = 0;

/** Columns whose bounds a query can skip row groups by. Bounds of the rest would only fatten the footer. */
const BOUNDED = new Set(['cik', 'metric_key', 'ticker', 'end_date', 'filed_at']);

/** In the index of a table without a key. */
const NO_KEY = 0;

export interface EncodedRowGroup {
  readonly firstKey: number;
  readonly lastKey: number;
  readonly rows: number;
  /** The column chunks, one after the other. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly chunks: readonly EncodedChunk[];
}

export interface EncodedChunk {
  readonly length: number;
  readonly crc32: number;
  /** Its length before it was compressed. */
  readonly uncompressed: number;
  /** Where its rows begin, behind the dictionary; 0 where there is none. */
  readonly rowsAt: number;
  /** Of a column that queries can skip row groups by, and that has values. */
  readonly bounds: Bounds | null;
}

interface Bounds {
  readonly nulls: number;
  readonly least: string | number;
  readonly most: string | number;
}

/** @param keys those of the rows, ascending; none of a table without a key */
export function encodeRowGroup(
  table: Table,
  columns: readonly (readonly Cell[])[],
  keys: readonly number[],
): EncodedRowGroup {
  const writer = new ByteWriter();
  const compressors = { [CODEC]: pageCompressor() };
  const parquet = new ParquetWriter({ writer, schema: schemaOf(table), codec: CODEC, compressors });
  const columnData = table.columns.map(({ name, type }, index) => {
    const cells = columns[index];
    if (cells === undefined) throw new Error(`a row group of ${table.name} has no column ${name}`);
    return { name, ...encodingOf(cells, type), statistics: BOUNDED.has(name), offsetIndex: false };
  });
  parquet.write({ columnData, rowGroupSize: Number.MAX_SAFE_INTEGER, pageSize: ONE_PAGE });
  const [written] = parquet.row_groups;
  if (written === undefined) throw new Error(`a row group of ${table.name} has no rows`);
  const bytes = writer.getBytes().slice(MAGIC.length);
  const [firstKey = NO_KEY] = keys;
  if ((table.key === null) !== (keys.length === 0)) throw new Error(`a row group of ${table.name} has the wrong keys`);
  return {
    firstKey,
    lastKey: keys.at(-1) ?? NO_KEY,
    rows: Number(written.num_rows),
    bytes,
    chunks: chunksOf(bytes, written),
  };
}

/** Compresses the pages of a row group. Those of a value and of the same value as filed are mostly equal, and done once. */
function pageCompressor(): (page: Uint8Array) => Uint8Array {
  const done = new Map<number, { readonly page: Uint8Array; readonly compressed: Uint8Array }>();
  return (page) => {
    const same = done.get(page.length);
    if (same !== undefined && Buffer.compare(same.page, page) === 0) return same.compressed;
    // With room enough at once: the default takes sixteen kilobytes for the smallest page.
    const compressed = gzipSync(page, { level: GZIP_LEVEL, chunkSize: page.length + GZIP_ROOM });
    done.set(page.length, { page, compressed });
    return compressed;
  };
}

type WritableCells = Cell[] | (Uint8Array | null)[];

/** Cells as they are written fastest: with a dictionary where values recur, else one after the other. */
function encodingOf(cells: readonly Cell[], type: CellType): { data: WritableCells; encoding: Encoding } {
  const data = cells as Cell[];
  if (type === 'boolean') return { data, encoding: 'RLE' };
  if (isRecurrent(cells)) return { data, encoding: 'RLE_DICTIONARY' };
  return { data: type === 'text' ? bytesOf(data) : data, encoding: 'PLAIN' };
}

function isRecurrent(cells: readonly Cell[]): boolean {
  const sample: Cell[] = [];
  const step = Math.ceil(cells.length / SAMPLE);
  for (let at = 0; at < cells.length; at += step) {
    const cell = cells[at] as Cell;
    if (cell !== null) sample.push(cell);
  }
  return sample.length > 0 && new Set(sample).size * LEAST_RECURRENCE <= sample.length;
}

/** The texts as bytes, converted all at once where each letter is one byte: one by one takes several times as long. */
function bytesOf(cells: Cell[]): WritableCells {
  const whole = cells.join('');
  const bytes = UTF8.encode(whole);
  if (bytes.length !== whole.length) return cells;
  let end = 0;
  return cells.map((cell) => {
    if (typeof cell !== 'string') return null;
    const from = end;
    end += cell.length;
    return bytes.subarray(from, end);
  });
}

function schemaOf(table: Table): SchemaElement[] {
  return [{ name: 'root', num_children: table.columns.length }, ...table.columns.map(elementOf)];
}

function elementOf({ name, type, nullable }: Column): SchemaElement {
  const repetition_type = nullable ? 'OPTIONAL' : 'REQUIRED';
  if (type === 'integer') return { name, type: 'INT32', repetition_type };
  if (type === 'boolean') return { name, type: 'BOOLEAN', repetition_type };
  return { name, type: 'BYTE_ARRAY', converted_type: 'UTF8', repetition_type };
}

function chunksOf(bytes: Uint8Array, { columns }: RowGroup): EncodedChunk[] {
  let offset = 0;
  return columns.map(({ meta_data, file_offset }) => {
    if (meta_data === undefined) throw new Error('a column chunk was written without its metadata');
    const length = Number(meta_data.total_compressed_size);
    const chunk = bytes.subarray(offset, offset + length);
    offset += length;
    return {
      length,
      crc32: crc32(chunk),
      uncompressed: Number(meta_data.total_uncompressed_size),
      rowsAt: Number(meta_data.data_page_offset - file_offset),
      bounds: meta_data.statistics === undefined ? null : boundsOf(meta_data.statistics),
    };
  });
}

function boundsOf({ null_count, min_value, max_value }: Statistics): Bounds | null {
  const [least, most] = [boundOf(min_value), boundOf(max_value)];
  return least === null || most === null ? null : { nulls: Number(null_count), least, most };
}

function boundOf(value: unknown): string | number | null {
  if (value instanceof Uint8Array) return Buffer.from(value).toString();
  return typeof value === 'string' || typeof value === 'number' ? value : null;
}
