/**
 * The footer of a Parquet file, which readers other than fin need to locate row groups. The entry of each row group is
 * encoded when it is added, because objects take a hundred times as much memory: gigabytes for a full release.
 */

import { type ParquetColumn, PHYSICAL_TYPE_NUMBERS, toSchemaElement } from '../format/column-type.ts';
import { CODEC_NUMBERS, ENCODING_NUMBERS, FIELD_TYPES, PARQUET_MAGIC, ThriftStruct } from '../format/thrift.ts';
import { encodeLowerBound, encodeUpperBound } from './page-content.ts';
import type { ColumnChunk } from './page-writer.ts';

const PARQUET_VERSION = 2;
const CREATED_BY = 'fin-filings';

export interface FileDescription {
  readonly columns: readonly ParquetColumn[];
  readonly codec: keyof typeof CODEC_NUMBERS;
  /** Name of the column by which rows are sorted within each row group. */
  readonly sortedBy?: string | null;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** The footer's data about a row group; chunks are in the order of the columns. */
export interface RowGroupEntry {
  readonly rows: number;
  readonly chunks: readonly ColumnChunk[];
}

export class Footer {
  readonly #encodedGroups: Uint8Array[] = [];
  rows = 0;

  constructor(private readonly description: FileDescription) {}

  get rowGroupCount(): number {
    return this.#encodedGroups.length;
  }

  /**
   * Adds a row group.
   * @param offset byte offset of the row group in the file
   */
  add({ chunks, rows }: RowGroupEntry, offset: number): void {
    const structs: ThriftStruct[] = [];
    let [start, unpackedBytes] = [offset, 0];
    for (const [index, chunk] of chunks.entries()) {
      structs.push(new ThriftStruct().long(2, start).struct(3, this.#columnMetadata(index, chunk, rows, start)));
      start += chunk.length;
      unpackedBytes += chunk.uncompressedBytes;
    }
    const group = new ThriftStruct().structs(1, structs).long(2, unpackedBytes).long(3, rows);
    const sortColumn = this.description.columns.findIndex(({ name }) => name === this.description.sortedBy);
    if (sortColumn >= 0) group.structs(4, [new ThriftStruct().int(1, sortColumn).flag(2, false).flag(3, false)]);
    this.#encodedGroups.push(group.long(6, start - offset).finish());
    this.rows += rows;
  }

  /** Yields the footer and the final magic bytes, in pieces. */
  *pieces(): Generator<Uint8Array> {
    const { columns, metadata = {} } = this.description;
    const root = new ThriftStruct().text(4, 'root').int(5, columns.length);
    const footer = new ThriftStruct()
      .int(1, PARQUET_VERSION)
      .structs(2, [root, ...columns.map(toSchemaElement)])
      .long(3, this.rows);
    let length = 0;
    const add = (piece: Uint8Array) => {
      length += piece.length;
      return piece;
    };
    yield add(footer.list(4, FIELD_TYPES.struct, this.#encodedGroups.length).takeBytes());
    for (const group of this.#encodedGroups) yield add(group);
    const pairs = Object.entries(metadata).map(([key, value]) => new ThriftStruct().text(1, key).text(2, value));
    if (pairs.length > 0) footer.structs(5, pairs);
    // Declares that the minimum and maximum of a column follow the default order of its type: for text, the order of
    // bytes.
    const orders = columns.map(() => new ThriftStruct().struct(1, new ThriftStruct()));
    yield add(footer.text(6, CREATED_BY).structs(7, orders).finish());
    yield Buffer.concat([new Uint8Array(Uint32Array.of(length).buffer), PARQUET_MAGIC]);
  }

  #columnMetadata(
    index: number,
    { length, uncompressedBytes, dataPageOffset, statistics }: ColumnChunk,
    rowCount: number,
    offset: number,
  ): ThriftStruct {
    const { columns, codec } = this.description;
    const column = columns[index];
    if (column === undefined) throw new RangeError(`the file has no column ${index}`);
    const { plain, rleDictionary } = ENCODING_NUMBERS;
    const encodings = dataPageOffset > 0 ? [plain, rleDictionary] : [plain];
    const metadata = new ThriftStruct()
      .int(1, PHYSICAL_TYPE_NUMBERS[column.type])
      .ints(2, encodings)
      .texts(3, [column.name])
      .int(4, CODEC_NUMBERS[codec])
      .long(5, rowCount)
      .long(6, uncompressedBytes)
      .long(7, length)
      .long(9, offset + dataPageOffset);
    if (dataPageOffset > 0) metadata.long(11, offset);
    return statistics === null ? metadata : metadata.struct(12, encodeStatistics(statistics, column));
  }
}

function encodeStatistics({ nulls, bounds }: NonNullable<ColumnChunk['statistics']>, { type }: ParquetColumn) {
  const statistics = new ThriftStruct().long(3, nulls);
  if (bounds === null) return statistics;
  const [max, min] = [encodeUpperBound(bounds.max, type), encodeLowerBound(bounds.min, type)];
  statistics.binary(5, max.bytes).binary(6, min.bytes);
  if (!max.isExact) statistics.flag(7, false);
  return min.isExact ? statistics : statistics.flag(8, false);
}
