/**
 * The footer of a Parquet file: what other readers find tables by.
 *
 * The entry of a row group is made when it is written, and kept as bytes. As objects, those of all row groups take a hundred
 * times as much memory: gigabytes for a full release.
 */

import { type EncodedChunk, type EncodedRowGroup, MAGIC } from '../row-group.ts';
import type { Table } from '../schema/table.ts';
import { ENCODING, FIELD_TYPE, GZIP, PHYSICAL_TYPE, REPETITION, Struct, UTF8 } from './format.ts';

const VERSION = 2;
const CREATED_BY = 'fin-filings';

export class Footer {
  readonly #table: Table;
  readonly #groups: Uint8Array[] = [];
  rows = 0;

  constructor(table: Table) {
    this.#table = table;
  }

  /** @param offset where the row group's bytes begin in the file */
  add({ chunks, rows }: Pick<EncodedRowGroup, 'chunks' | 'rows'>, offset: number): void {
    const columns: Struct[] = [];
    let [at, uncompressed] = [offset, 0];
    for (const [index, chunk] of chunks.entries()) {
      columns.push(new Struct().long(2, at).struct(3, this.#metadata(index, chunk, rows, at)));
      at += chunk.length;
      uncompressed += chunk.uncompressed;
    }
    const group = new Struct()
      .structs(1, columns)
      .long(2, uncompressed)
      .long(3, rows)
      .long(6, at - offset);
    this.#groups.push(group.end());
    this.rows += rows;
  }

  /** All that follows the last row group, piece by piece. */
  *pieces(): Generator<Uint8Array> {
    const { columns } = this.#table;
    const root = new Struct().text(4, 'root').int(5, columns.length);
    const elements = columns.map(({ name, type, nullable }) => {
      const element = new Struct()
        .int(1, PHYSICAL_TYPE[type])
        .int(3, nullable ? REPETITION.optional : REPETITION.required)
        .text(4, name);
      return type === 'text' ? element.int(6, UTF8) : element;
    });
    const footer = new Struct()
      .int(1, VERSION)
      .structs(2, [root, ...elements])
      .long(3, this.rows);
    let length = 0;
    const counted = (piece: Uint8Array) => {
      length += piece.length;
      return piece;
    };
    yield counted(footer.list(4, FIELD_TYPE.struct, this.#groups.length).take());
    for (const group of this.#groups) yield counted(group);
    // Bounds are in the order of the type: of texts, by their bytes.
    const byType = columns.map(() => new Struct().struct(1, new Struct()));
    yield counted(footer.text(6, CREATED_BY).structs(7, byType).end());
    yield Buffer.concat([new Uint8Array(Uint32Array.of(length).buffer), MAGIC]);
  }

  #metadata(index: number, { length, uncompressed, rowsAt, bounds }: EncodedChunk, rows: number, at: number): Struct {
    const column = this.#table.columns[index];
    if (column === undefined) throw new RangeError(`the table ${this.#table.name} has no column ${index}`);
    const { plain, rleDictionary } = ENCODING;
    const encodings = rowsAt > 0 ? [plain, rleDictionary] : [plain];
    const metadata = new Struct()
      .int(1, PHYSICAL_TYPE[column.type])
      .ints(2, encodings)
      .texts(3, [column.name])
      .int(4, GZIP)
      .long(5, rows)
      .long(6, uncompressed)
      .long(7, length)
      .long(9, at + rowsAt);
    if (rowsAt > 0) metadata.long(11, at);
    if (bounds === null) return metadata;
    const { nulls, least, most } = bounds;
    return metadata.struct(12, new Struct().long(3, nulls).binary(5, bytesOf(most)).binary(6, bytesOf(least)));
  }
}

/** A bound as its column stores it. */
function bytesOf(bound: string | number): Uint8Array {
  return typeof bound === 'string' ? Buffer.from(bound) : new Uint8Array(Int32Array.of(bound).buffer);
}
