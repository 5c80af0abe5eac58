/** Encodes one column of typed rows, a column chunk at a time, and compares each with the text it was made from. */
import type { AsyncBuffer, ColumnChunk, DecodedArray, Statistics } from 'hyparquet';
import { parquetRead } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import { compareText } from '../../contract/compare-text.ts';
import type { Cell } from '../schema/table.ts';
import { MAGIC } from '../store/row-group.ts';
import { type FileColumn, schemaOf, storedElement } from './file-column.ts';
import { fromBytes, isExact, type StoredValue, toStored } from './typed-value.ts';

/** The cells of one column over many rows: some of them more than once, and the index of the one that each row has. */
export interface ColumnSource {
  readonly cells: readonly Cell[];
  readonly indices: Uint32Array;
}

export interface EncodedChunk {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Its entry of a footer, with offsets as if it followed the bytes that open a file. */
  readonly footer: ColumnChunk;
}

export class ChunkEncoder {
  readonly #column: FileColumn;
  readonly #source: ColumnSource;
  /** Of one chunk, so that they live as short as it does: what each cell is converted to, and what it was compared with. */
  readonly #stored: (StoredValue | null | undefined)[];
  readonly #compared: unknown[];

  constructor(column: FileColumn, source: ColumnSource) {
    this.#column = column;
    this.#source = source;
    this.#stored = new Array(source.cells.length);
    this.#compared = new Array(source.cells.length);
  }

  /**
   * Throws an Error that names the column where what was written does not read back as its source.
   * @param rows which rows of the source, in the order in which they are written
   */
  async encode(rows: Uint32Array): Promise<EncodedChunk> {
    const { name, nullable } = this.#column;
    this.#stored.fill(undefined);
    this.#compared.fill(undefined);
    const { values, distinct, nulls } = this.#values(rows);
    if (nulls > 0 && !nullable) throw new Error(`${nulls} rows have no ${name}`);
    const [first] = distinct;
    const isText = typeof first === 'string';
    // Days recur in other cells. Of the rest the writer finds a dictionary by itself, at the cost of looking for one.
    const isPlain = distinct.length > rows.length / 2 && (isText || first instanceof Uint8Array);
    const data = isPlain && isText ? bytesOf(values) : values;
    const writer = new ByteWriter();
    const parquet = new ParquetWriter({ writer, schema: schemaOf([this.#column], storedElement), codec: 'SNAPPY' });
    parquet.write({
      columnData: [{ name, data, offsetIndex: false, statistics: false, ...(isPlain ? { encoding: 'PLAIN' } : {}) }],
      rowGroupSize: Number.MAX_SAFE_INTEGER,
    });
    const footer = parquet.row_groups[0]?.columns[0];
    if (footer?.meta_data === undefined) throw new Error(`a column chunk of ${name} was not written`);
    footer.meta_data.statistics = { null_count: BigInt(nulls), ...boundsOf(distinct) };
    const bytes = writer.getBytes();
    await this.#compare(bytes, footer, rows);
    return { bytes: bytes.slice(MAGIC.length), footer };
  }

  #values(rows: Uint32Array): { values: (StoredValue | null)[]; distinct: StoredValue[]; nulls: number } {
    const { indices } = this.#source;
    const values: (StoredValue | null)[] = new Array(rows.length);
    const distinct: StoredValue[] = [];
    const isSeen = new Uint8Array(this.#stored.length);
    let nulls = 0;
    for (let at = 0; at < rows.length; at += 1) {
      const index = indices[rows[at] ?? -1] ?? -1;
      let value = this.#stored[index];
      if (value === undefined) {
        value = this.#convert(index);
        this.#stored[index] = value;
      }
      values[at] = value;
      if (value === null) nulls += 1;
      else if (isSeen[index] === 0) distinct.push(value);
      isSeen[index] = 1;
    }
    return { values, distinct, nulls };
  }

  #convert(index: number): StoredValue | null {
    const { type, scale, isRemainder } = this.#column;
    const cell = this.#cell(index);
    const value = toStored(cell, type, scale);
    if (!isRemainder) return value;
    return cell !== null && value === null ? String(cell) : null;
  }

  #cell(index: number): Cell {
    const cell = this.#source.cells[index];
    if (cell === undefined) throw new RangeError(`a row has no ${this.#column.source}`);
    return cell;
  }

  /** Decodes the chunk, with another library than encoded it, and compares every value. */
  async #compare(bytes: Uint8Array<ArrayBuffer>, footer: ColumnChunk, rows: Uint32Array): Promise<void> {
    const file: AsyncBuffer = {
      byteLength: bytes.length,
      slice: (from, to = bytes.length) => bytes.slice(from, to).buffer,
    };
    const metadata = {
      version: 2,
      schema: schemaOf([this.#column], storedElement),
      num_rows: BigInt(rows.length),
      row_groups: [{ columns: [footer], total_byte_size: BigInt(bytes.length), num_rows: BigInt(rows.length) }],
      metadata_length: 0,
    };
    const decoded: DecodedArray[] = [];
    await parquetRead({ file, metadata, onChunk: ({ columnData }) => decoded.push(columnData) });
    const fault = this.#firstFault(rows, decoded);
    if (fault !== null) throw new Error(`The typed column ${this.#column.name} was not written right: ${fault}.`);
  }

  /** What is wrong with the first value that does not say what its source says, or null. */
  #firstFault(rows: Uint32Array, decoded: readonly DecodedArray[]): string | null {
    const { indices } = this.#source;
    let at = 0;
    for (const chunk of decoded) {
      for (const value of chunk) {
        const index = indices[rows[at] ?? -1] ?? -1;
        // Equal values are decoded to one object.
        if (value === undefined || this.#compared[index] !== value) {
          const cell = this.#source.cells[index];
          if (cell === undefined) return `there are more than ${rows.length} values`;
          if (!saysTheSame(this.#column, value, cell)) return `${String(cell)} was written as ${String(value)}`;
          this.#compared[index] = value;
        }
        at += 1;
      }
    }
    return at === rows.length ? null : `there are ${at} values instead of ${rows.length}`;
  }
}

function saysTheSame(
  { type, scale, isRemainder }: FileColumn,
  value: StoredValue | null | undefined,
  cell: Cell,
): boolean {
  if (isRemainder) return cell !== null && toStored(cell, type, scale) === null ? value === cell : value == null;
  if (value === null || value === undefined) return cell === null || toStored(cell, type, scale) === null;
  return isExact(value, cell, type, scale);
}

/** Texts as bytes, converted all at once where each letter is one byte: one by one takes several times as long. */
function bytesOf(values: (StoredValue | null)[]): (StoredValue | null)[] {
  const whole = values.join('');
  const bytes = Buffer.from(whole);
  if (bytes.length !== whole.length) return values;
  let end = 0;
  return values.map((value) => {
    if (typeof value !== 'string') return null;
    end += value.length;
    return bytes.subarray(end - value.length, end);
  });
}

/** The least and the greatest value; none of no values. */
function boundsOf(values: readonly StoredValue[]): Pick<Statistics, 'min_value' | 'max_value'> {
  const [first] = values;
  if (first === undefined) return {};
  if (first instanceof Uint8Array) {
    // Their bytes have no order that readers know, so a DECIMAL is compared as the number it is.
    return extremes(
      values.map((value) => fromBytes(value as Uint8Array)),
      (a, b) => (a < b ? -1 : 1),
    );
  }
  if (typeof first === 'string') return extremes(values as string[], compareBytes);
  return extremes(values as (number | bigint | boolean)[], (a, b) => (a < b ? -1 : 1));
}

function extremes<Value>(values: readonly Value[], compare: (a: Value, b: Value) => number) {
  const [first] = values;
  let [least, greatest] = [first as Value, first as Value];
  for (const value of values) {
    if (compare(value, least) < 0) least = value;
    if (compare(value, greatest) > 0) greatest = value;
  }
  return { min_value: least, max_value: greatest };
}

const SURROGATE = /[\ud800-\udfff]/;

/** In the order of UTF-8, from which that of UTF-16 differs where a text has surrogates. */
function compareBytes(a: string, b: string): number {
  return SURROGATE.test(a) || SURROGATE.test(b) ? Buffer.compare(Buffer.from(a), Buffer.from(b)) : compareText(a, b);
}
