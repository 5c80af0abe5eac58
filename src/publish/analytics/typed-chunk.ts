/** Encodes one column of typed rows, a column chunk at a time, and compares each with the text it was made from. */
import type { ColumnChunk, Statistics } from 'hyparquet';
import { compareText } from '../../contract/compare-text.ts';
import type { Cell } from '../../store/schema/table.ts';
import { decodeChunk } from './decode-chunk.ts';
import { encodeChunk, type IndexedValues } from './encode-chunk.ts';
import { type FileColumn, type StoredElement, storedElement } from './file-column.ts';
import { isExact, type StoredValue, toStored } from './typed-value.ts';

/** The cells of one column over many rows, hardly one twice, and the index of the one that each row has. */
export interface ColumnSource {
  readonly cells: readonly Cell[];
  readonly indices: Uint32Array;
}

export interface EncodedChunk {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Its entry of a footer, with offsets as if a file began with it. */
  readonly footer: ColumnChunk;
}

/** No index. */
const NONE = -1;

export class ChunkEncoder {
  readonly #column: FileColumn;
  readonly #element: StoredElement;
  readonly #source: ColumnSource;
  /** What each cell is stored as. */
  readonly #stored: readonly (StoredValue | null)[];
  /** Of each cell, its index in the chunk that is encoded or compared. */
  readonly #places: Int32Array;

  /** Throws an Error that names the column where a stored value would not be exactly what its text says. */
  constructor(column: FileColumn, source: ColumnSource) {
    this.#column = column;
    this.#element = storedElement(column);
    this.#source = source;
    this.#stored = source.cells.map((cell) => convert(cell, column));
    this.#places = new Int32Array(source.cells.length);
  }

  /**
   * Throws an Error that names the column where what was written does not read back as its source.
   * @param rows which rows of the source, in the order in which they are written
   */
  encode(rows: Uint32Array): EncodedChunk {
    const { name, nullable } = this.#column;
    const { levels, ...values } = this.#index(rows);
    const nulls = rows.length - values.indices.length;
    if (nulls > 0 && !nullable) throw new Error(`${nulls} rows have no ${name}`);
    const { bytes, ...described } = encodeChunk(this.#element, values, levels);
    this.verify(bytes, rows);
    const statistics = { null_count: BigInt(nulls), ...boundsOf(values.dictionary) };
    return { bytes, footer: { file_offset: 0n, meta_data: { ...described, path_in_schema: [name], statistics } } };
  }

  /** The values of some rows, and of each row whether it has one. */
  #index(rows: Uint32Array): IndexedValues & { readonly levels: Uint8Array } {
    const places = this.#places.fill(NONE);
    const dictionary: StoredValue[] = [];
    const indices = new Uint32Array(rows.length);
    const levels = new Uint8Array(rows.length);
    let present = 0;
    for (let at = 0; at < rows.length; at += 1) {
      const cell = this.#cellOf(rows, at);
      const value = this.#stored[cell] as StoredValue | null;
      if (value === null) continue;
      if (places[cell] === NONE) places[cell] = dictionary.push(value) - 1;
      indices[present] = places[cell] as number;
      present += 1;
      levels[at] = 1;
    }
    return { dictionary, indices: indices.subarray(0, present), levels };
  }

  /** The index of the cell that a row has. */
  #cellOf(rows: Uint32Array, at: number): number {
    const cell = this.#source.indices[rows[at] as number];
    if (cell === undefined || cell >= this.#stored.length) throw new RangeError(`a row has no ${this.#column.source}`);
    return cell;
  }

  /**
   * Compares every value, as another library than wrote it decodes it, with that of its row; equal pairs of them once.
   * Throws an Error that names the column where one differs.
   */
  verify(bytes: Uint8Array<ArrayBuffer>, rows: Uint32Array): void {
    const { levels, indices, count, valueAt } = decodeChunk(this.#element, bytes);
    const places = this.#places.fill(NONE);
    let present = 0;
    for (let at = 0; at < rows.length; at += 1) {
      const cell = this.#cellOf(rows, at);
      const isNull = levels !== undefined && levels[at] === 0;
      const place = isNull ? NONE : indices === null ? present : (indices[present] as number);
      if (!isNull) present += 1;
      if (!isNull && places[cell] === place) continue;
      const value = isNull ? null : valueAt(place);
      if (value !== this.#stored[cell]) throw this.#wrong(`${this.#source.cells[cell]} was written as ${value}`);
      places[cell] = place;
    }
    const written = levels?.length ?? count;
    if (written !== rows.length || present !== count)
      throw this.#wrong(`there are ${written} rows with ${count} values instead of ${rows.length}`);
  }

  #wrong(fault: string): Error {
    return new Error(`The typed column ${this.#column.name} was not written right: ${fault}.`);
  }
}

/** What a cell is stored as; null for none, and where the column does not hold it. */
function convert(cell: Cell, { name, type, scale, isRemainder }: FileColumn): StoredValue | null {
  const value = toStored(cell, type, scale);
  if (isRemainder) return cell !== null && value === null ? String(cell) : null;
  if (value === null || isExact(value, cell, type, scale)) return value;
  throw new Error(`The typed column ${name} would have ${value} for ${cell}.`);
}

/** The least and the greatest value; none of no values. */
function boundsOf(values: readonly StoredValue[]): Pick<Statistics, 'min_value' | 'max_value'> {
  const [first] = values;
  if (first === undefined) return {};
  const isText = typeof first === 'string';
  const compare = isText ? compareBytes : (a: StoredValue, b: StoredValue) => (a < b ? -1 : a > b ? 1 : 0);
  let [least, greatest] = [first, first];
  for (const value of values) {
    if (compare(value, least) < 0) least = value;
    else if (compare(value, greatest) > 0) greatest = value;
  }
  return { min_value: least, max_value: greatest };
}

const SURROGATE = /[\ud800-\udfff]/;

/** In the order of UTF-8, from which that of UTF-16 differs where a text has surrogates. */
function compareBytes(one: StoredValue, other: StoredValue): number {
  const [a, b] = [String(one), String(other)];
  return SURROGATE.test(a) || SURROGATE.test(b) ? Buffer.compare(Buffer.from(a), Buffer.from(b)) : compareText(a, b);
}
