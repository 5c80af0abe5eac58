/**
 * The footer of a Parquet file, which other readers use to find row groups.
 * The entry of a row group is made when the row group is written, and stored as bytes. As objects, the entries of a
 * full release would take a hundred times the memory: gigabytes.
 */

import { type ParquetColumn, PHYSICAL_TYPE, schemaElement } from '../column-type.ts';
import { CODEC, ENCODING, FIELD_TYPE, MAGIC, Struct } from '../format.ts';
import { lowerBound, upperBound } from './statistics.ts';
import type { ColumnChunk } from './write-column.ts';

const VERSION = 2;
const CREATED_BY = 'fin-filings';

export interface FileDescription {
  readonly columns: readonly ParquetColumn[];
  readonly codec: keyof typeof CODEC;
  /** The column that the rows of each row group are sorted by. */
  readonly sortedBy?: string | null;
  readonly metadata?: Readonly<Record<string, string>>;
}

/** A row group: its column chunks in the order of the columns. */
export interface RowGroupEntry {
  readonly rows: number;
  readonly chunks: readonly ColumnChunk[];
}

export class Footer {
  readonly #file: FileDescription;
  readonly #groups: Uint8Array[] = [];
  rows = 0;

  constructor(file: FileDescription) {
    this.#file = file;
  }

  get rowGroups(): number {
    return this.#groups.length;
  }

  /** @param offset the row group's offset in the file, in bytes */
  add({ chunks, rows }: RowGroupEntry, offset: number): void {
    const columns: Struct[] = [];
    let [at, uncompressed] = [offset, 0];
    for (const [index, chunk] of chunks.entries()) {
      columns.push(new Struct().long(2, at).struct(3, this.#metadata(index, chunk, rows, at)));
      at += chunk.length;
      uncompressed += chunk.uncompressed;
    }
    const group = new Struct().structs(1, columns).long(2, uncompressed).long(3, rows);
    const sortedBy = this.#file.columns.findIndex(({ name }) => name === this.#file.sortedBy);
    if (sortedBy >= 0) group.structs(4, [new Struct().int(1, sortedBy).flag(2, false).flag(3, false)]);
    this.#groups.push(group.long(6, at - offset).end());
    this.rows += rows;
  }

  /** Yields everything that follows the last row group, piece by piece. */
  *pieces(): Generator<Uint8Array> {
    const { columns, metadata = {} } = this.#file;
    const root = new Struct().text(4, 'root').int(5, columns.length);
    const footer = new Struct()
      .int(1, VERSION)
      .structs(2, [root, ...columns.map(schemaElement)])
      .long(3, this.rows);
    let length = 0;
    const counted = (piece: Uint8Array) => {
      length += piece.length;
      return piece;
    };
    yield counted(footer.list(4, FIELD_TYPE.struct, this.#groups.length).take());
    for (const group of this.#groups) yield counted(group);
    const pairs = Object.entries(metadata).map(([key, value]) => new Struct().text(1, key).text(2, value));
    if (pairs.length > 0) footer.structs(5, pairs);
    // Declares that bounds are in the type's own order: texts by bytes.
    const byType = columns.map(() => new Struct().struct(1, new Struct()));
    yield counted(footer.text(6, CREATED_BY).structs(7, byType).end());
    yield Buffer.concat([new Uint8Array(Uint32Array.of(length).buffer), MAGIC]);
  }

  #metadata(
    index: number,
    { length, uncompressed, rowsAt, statistics }: ColumnChunk,
    rows: number,
    at: number,
  ): Struct {
    const { columns, codec } = this.#file;
    const column = columns[index];
    if (column === undefined) throw new RangeError(`the file has no column ${index}`);
    const { plain, rleDictionary } = ENCODING;
    const encodings = rowsAt > 0 ? [plain, rleDictionary] : [plain];
    const metadata = new Struct()
      .int(1, PHYSICAL_TYPE[column.type])
      .ints(2, encodings)
      .texts(3, [column.name])
      .int(4, CODEC[codec])
      .long(5, rows)
      .long(6, uncompressed)
      .long(7, length)
      .long(9, at + rowsAt);
    if (rowsAt > 0) metadata.long(11, at);
    return statistics === null ? metadata : metadata.struct(12, statisticsOf(statistics, column));
  }
}

function statisticsOf({ nulls, bounds }: NonNullable<ColumnChunk['statistics']>, { type }: ParquetColumn): Struct {
  const statistics = new Struct().long(3, nulls);
  if (bounds === null) return statistics;
  const [greatest, least] = [upperBound(bounds.greatest, type), lowerBound(bounds.least, type)];
  statistics.binary(5, greatest.bytes).binary(6, least.bytes);
  if (!greatest.isExact) statistics.flag(7, false);
  return least.isExact ? statistics : statistics.flag(8, false);
}
