/** Encodes a column of typed rows, one column chunk at a time. */
import { snappyCompress } from 'hyparquet-writer/src/snappy.js';
import type { ColumnType, ParquetColumn, StoredValue } from '../store/parquet/format/column-type.ts';
import { DECIMAL_BYTES } from '../store/parquet/format/column-type.ts';
import { type ColumnChunk, PageWriter, writeColumn } from '../store/parquet/write/page-writer.ts';
import type { Cell, ValueType } from '../store/schema/columns.ts';
import { isExact, toStoredValue } from './typed-value.ts';

/** A column of a typed table's file. */
export interface FileColumn {
  readonly name: string;
  readonly type: ValueType;
  /** Number of decimal places of a DECIMAL. */
  readonly scale: number;
  readonly nullable: boolean;
  /** Name of the typed table's column that the values come from. */
  readonly source: string;
  /** Whether this is a remainder column: it has, as text, the values that do not fit the type of the source column. */
  readonly isRemainder: boolean;
}

/** Returns the column of the Parquet file: its name, stored type, nullability and scale. */
export const toParquetColumn = ({ name, type, scale, nullable, isRemainder }: FileColumn): ParquetColumn => ({
  name,
  type: isRemainder ? 'text' : type === 'integer' ? 'int64' : type,
  nullable,
  scale,
});

/** The cells of one column, with few duplicates, and for each row the index of its cell. */
export interface IndexedCells {
  readonly cells: readonly Cell[];
  readonly indices: Uint32Array;
}

export type EncodedChunk = ColumnChunk & { readonly bytes: Uint8Array<ArrayBuffer> };

/** Marks a cell without an index in the current chunk. */
const NO_VALUE_INDEX = -1;

export class ChunkEncoder {
  readonly #parquetColumn: ParquetColumn;
  readonly #storedValues: readonly (StoredValue | null)[];
  /** The index of each source cell in the values of the current chunk. */
  readonly #valueIndexes: Int32Array;

  /** Throws an Error that names the column if a stored value differs from its text. */
  constructor(
    private readonly column: FileColumn,
    private readonly source: IndexedCells,
  ) {
    this.#parquetColumn = toParquetColumn(column);
    this.#storedValues = source.cells.map((cell) => toStoredCell(cell, column));
    this.#valueIndexes = new Int32Array(source.cells.length);
  }

  /**
   * Encodes rows as a column chunk. Throws an Error that names the column if a required value is missing.
   * @param rows row numbers of the source, in the order to write
   */
  encode(rows: Uint32Array): EncodedChunk {
    const { name, nullable } = this.column;
    const { levels, ...indexedValues } = this.#indexValues(rows);
    const nulls = rows.length - indexedValues.indices.length;
    if (nulls > 0 && !nullable) throw new Error(`The column ${name} has no value in ${nulls} of ${rows.length} rows.`);
    const { type } = this.#parquetColumn;
    const values = isSmallerWithDictionary(type, indexedValues) ? indexedValues : toPlainValues(indexedValues);
    const writer = new PageWriter(snappyCompress);
    const chunk = writeColumn(writer, type, { rows: rows.length, levels: nullable ? levels : null, ...values }, true);
    return { ...chunk, bytes: writer.bytes() };
  }

  /** Returns the distinct values of these rows, the index of each row's value, and whether each row has a value. */
  #indexValues(rows: Uint32Array): IndexedValues & { readonly levels: Uint8Array } {
    const indexes = this.#valueIndexes.fill(NO_VALUE_INDEX);
    const values: StoredValue[] = [];
    const indices = new Uint32Array(rows.length);
    const levels = new Uint8Array(rows.length);
    let count = 0;
    for (let index = 0; index < rows.length; index += 1) {
      const cellIndex = this.#cellIndexOf(rows, index);
      const value = this.#storedValues[cellIndex] as StoredValue | null;
      if (value === null) continue;
      if (indexes[cellIndex] === NO_VALUE_INDEX) indexes[cellIndex] = values.push(value) - 1;
      indices[count] = indexes[cellIndex] as number;
      count += 1;
      levels[index] = 1;
    }
    return { values, indices: indices.subarray(0, count), levels };
  }

  #cellIndexOf(rows: Uint32Array, position: number): number {
    const cellIndex = this.source.indices[rows[position] as number];
    if (cellIndex === undefined || cellIndex >= this.#storedValues.length)
      throw new RangeError(`a row of the column ${this.column.source} refers to a cell that does not exist`);
    return cellIndex;
  }
}

/**
 * Returns the stored form of a cell; null for an empty cell. A typed column also stores null for a value that does not
 * fit the type, and a remainder column for a value that fits. Throws an Error if the stored form would differ from the
 * cell.
 */
function toStoredCell(cell: Cell, { name, type, scale, isRemainder }: FileColumn): StoredValue | null {
  const value = toStoredValue(cell, type, scale);
  if (isRemainder) return cell !== null && value === null ? String(cell) : null;
  if (value === null || isExact(value, cell, type, scale)) return value;
  throw new Error(`The typed column ${name} would store ${value} for the value ${cell}.`);
}

/** Bytes of the length field before each text. */
const LENGTH_FIELD_BYTES = 4;
const VALUE_BYTES_BY_TYPE = { int32: 4, date: 4, int64: 8, timestamp: 8, decimal: DECIMAL_BYTES };

/** Distinct values, and for each row with a value the index of its value. */
interface IndexedValues {
  readonly values: readonly StoredValue[];
  readonly indices: Uint32Array;
}

const toPlainValues = ({ values, indices }: IndexedValues) => ({
  values: Array.from(indices, (index) => values[index] as StoredValue),
  indices: null,
});

/**
 * Whether a dictionary with indices takes less than half the bytes of plain values. Booleans have no dictionary,
 * because some readers do not support RLE runs of booleans.
 */
function isSmallerWithDictionary(type: ColumnType, { values, indices }: IndexedValues): boolean {
  if (type === 'boolean') return false;
  const indexSize = (indices.length * Math.log2(values.length + 1)) / 8;
  const sizes = Uint32Array.from(values, (value) =>
    type === 'text' ? LENGTH_FIELD_BYTES + String(value).length : VALUE_BYTES_BY_TYPE[type],
  );
  let dictionary = 0;
  let plain = 0;
  for (let index = 0; index < sizes.length; index += 1) dictionary += sizes[index] as number;
  for (let index = 0; index < indices.length; index += 1) plain += sizes[indices[index] as number] as number;
  return 2 * (dictionary + indexSize) < plain;
}
