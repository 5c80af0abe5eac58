/**
 * The footer of a Parquet file, in the compact protocol of Thrift: what other readers find tables by.
 * The structures are those of https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift.
 *
 * The entry of a row group is made when it is written, and kept as bytes. As objects, those of all row groups take a hundred
 * times as much memory: gigabytes for a full release.
 */
import type { CellType, Table } from '../../schema/table.ts';
import { type EncodedChunk, type EncodedRowGroup, MAGIC } from '../row-group.ts';

const VERSION = 2;
const CREATED_BY = 'fin-filings';

/** Numbers of Parquet's own enumerations. */
const PHYSICAL_TYPE: Readonly<Record<CellType, number>> = { boolean: 0, integer: 1, text: 6 };
const REQUIRED = 0;
const OPTIONAL = 1;
const UTF8 = 0;
const GZIP = 2;
const PLAIN = 0;
const RLE = 3;
const RLE_DICTIONARY = 8;

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
    this.#groups.push(Uint8Array.from(group.end()));
    this.rows += rows;
  }

  /** All that follows the last row group, piece by piece. */
  *pieces(): Generator<Uint8Array> {
    const { columns } = this.#table;
    const root = new Struct().text(4, 'root').int(5, columns.length);
    const elements = columns.map(({ name, type, nullable }) => {
      const element = new Struct()
        .int(1, PHYSICAL_TYPE[type])
        .int(3, nullable ? OPTIONAL : REQUIRED)
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
    yield counted(Uint8Array.from(footer.list(4, STRUCT, this.#groups.length).take()));
    for (const group of this.#groups) yield counted(group);
    // Bounds are in the order of the type: of texts, by their bytes.
    const byType = columns.map(() => new Struct().struct(1, new Struct()));
    yield counted(Uint8Array.from(footer.text(6, CREATED_BY).structs(7, byType).end()));
    yield Buffer.concat([new Uint8Array(Uint32Array.of(length).buffer), MAGIC]);
  }

  #metadata(index: number, { length, uncompressed, rowsAt, bounds }: EncodedChunk, rows: number, at: number): Struct {
    const column = this.#table.columns[index];
    if (column === undefined) throw new RangeError(`the table ${this.#table.name} has no column ${index}`);
    const encodings = rowsAt > 0 ? [PLAIN, RLE_DICTIONARY] : [column.type === 'boolean' ? RLE : PLAIN];
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

const I32 = 5;
const I64 = 6;
const BINARY = 8;
const LIST = 9;
const STRUCT = 12;
const STOP = 0;

/** Lists of so many or more have their length in bytes of its own. */
const LONG_LIST = 15;

/** Fields of a structure, their numbers ascending. */
class Struct {
  #bytes: number[] = [];
  #last = 0;

  int(id: number, value: number): this {
    return this.#field(id, I32).#signed(value);
  }

  long(id: number, value: number): this {
    return this.#field(id, I64).#signed(value);
  }

  binary(id: number, bytes: Uint8Array): this {
    return this.#field(id, BINARY).#sized(bytes);
  }

  text(id: number, text: string): this {
    return this.binary(id, Buffer.from(text));
  }

  struct(id: number, struct: Struct): this {
    return this.#field(id, STRUCT).#append(struct.end());
  }

  /** The head of a list, whose items follow. */
  list(id: number, type: number, length: number): this {
    this.#field(id, LIST);
    this.#bytes.push((Math.min(length, LONG_LIST) << 4) | type);
    return length < LONG_LIST ? this : this.#unsigned(length);
  }

  ints(id: number, values: readonly number[]): this {
    this.list(id, I32, values.length);
    for (const value of values) this.#signed(value);
    return this;
  }

  texts(id: number, texts: readonly string[]): this {
    this.list(id, BINARY, texts.length);
    for (const text of texts) this.#sized(Buffer.from(text));
    return this;
  }

  structs(id: number, structs: readonly Struct[]): this {
    this.list(id, STRUCT, structs.length);
    for (const struct of structs) this.#append(struct.end());
    return this;
  }

  /** What there is so far, which is then gone. */
  take(): number[] {
    const bytes = this.#bytes;
    this.#bytes = [];
    return bytes;
  }

  end(): number[] {
    this.#bytes.push(STOP);
    return this.take();
  }

  #field(id: number, type: number): this {
    this.#bytes.push(((id - this.#last) << 4) | type);
    this.#last = id;
    return this;
  }

  #append(bytes: Iterable<number>): this {
    for (const byte of bytes) this.#bytes.push(byte);
    return this;
  }

  #sized(bytes: Uint8Array): this {
    return this.#unsigned(bytes.length).#append(bytes);
  }

  /** Zigzag: the sign last, so that numbers near zero are short. */
  #signed(value: number): this {
    return this.#unsigned(value < 0 ? -2 * value - 1 : 2 * value);
  }

  /** Seven bits a byte, the lowest first; a whole number that is exact. */
  #unsigned(value: number): this {
    let rest = value;
    for (; rest > 127; rest = Math.floor(rest / 128)) this.#bytes.push((rest % 128) | 128);
    this.#bytes.push(rest);
    return this;
  }
}
