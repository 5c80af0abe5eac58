/**
 * Writes one typed table: large row groups with bounds of every column, each compared with the text it was made from
 * before the next is begun.
 */
import type { AsyncBuffer, DecodedArray, SchemaElement, Statistics } from 'hyparquet';
import { parquetRead } from 'hyparquet';
import { ByteWriter, ParquetWriter } from 'hyparquet-writer';
import type { Cell } from '../schema/table.ts';
import { OutputFile } from '../store/table-writer.ts';
import { fromBytes, isExact, PRECISION, type StoredValue, toStored, type ValueType } from './typed-value.ts';

export interface FileColumn {
  readonly name: string;
  readonly type: ValueType;
  /** Digits after the point, of a decimal. */
  readonly scale: number;
  readonly nullable: boolean;
  /** The column of the sources that it is made from. */
  readonly source: string;
  /** Whether it has the text of what the typed column of this source cannot hold, and nothing else. */
  readonly isRemainder: boolean;
}

/** The cells of one column over many rows: each different one once, and the index of the one that each row has. */
export interface ColumnSource {
  readonly cells: readonly Cell[];
  readonly indices: Uint32Array;
}

export type Sources = ReadonlyMap<string, ColumnSource>;

export interface TypedFileOptions {
  readonly path: string;
  readonly columns: readonly FileColumn[];
  readonly sortedBy: string | null;
  readonly metadata: Readonly<Record<string, string>>;
}

/** Accession numbers and keys of metrics are bounds in full. */
const BOUND_BYTES = 64;

export class TypedFile {
  readonly #file: OutputFile;
  readonly #columns: readonly FileColumn[];
  readonly #sortedBy: number;
  readonly #buffer = new ByteWriter();
  readonly #parquet: ParquetWriter;
  #rowGroups = 0;

  constructor({ path, columns, sortedBy, metadata }: TypedFileOptions) {
    this.#file = new OutputFile(path);
    this.#columns = columns;
    this.#sortedBy = columns.findIndex(({ name }) => name === sortedBy);
    this.#parquet = new ParquetWriter({
      writer: this.#buffer,
      schema: schemaOf(columns, storedElement),
      codec: 'SNAPPY',
      statisticsTruncateLength: BOUND_BYTES,
      kvMetadata: Object.entries(metadata).map(([key, value]) => ({ key, value })),
      createdBy: 'fin-filings',
    });
    this.#drain();
  }

  /**
   * Appends a row group. Throws an Error that names the column where what was written does not read back as its source.
   * @param rows which rows of the sources, in the order in which they are written
   */
  async append(sources: Sources, rows: Uint32Array): Promise<void> {
    const data = this.#columns.map((column) => storedValues(column, sources, rows));
    this.#parquet.write({
      columnData: this.#columns.map(({ name }, at) => ({ name, data: data[at] ?? [], offsetIndex: false })),
      rowGroupSize: Number.MAX_SAFE_INTEGER,
    });
    const group = this.#parquet.row_groups.at(-1);
    if (group === undefined) throw new Error(`a row group of ${this.#file.path} was not written`);
    for (const [at, { type, isRemainder }] of this.#columns.entries()) {
      const meta = group.columns[at]?.meta_data;
      if (meta !== undefined && type === 'decimal' && !isRemainder) meta.statistics = decimalBounds(data[at] ?? []);
    }
    if (this.#sortedBy >= 0) {
      group.sorting_columns = [{ column_idx: this.#sortedBy, descending: false, nulls_first: false }];
    }
    await this.#compare(sources, rows);
    this.#drain();
    this.#rowGroups += 1;
  }

  finish(): { bytes: number; sha256: string; rows: number; rowGroups: number } {
    // Values are encoded as they are stored; only the footer says what they mean.
    this.#parquet.schema = schemaOf(this.#columns, typedElement);
    this.#parquet.finish();
    this.#drain();
    return { ...this.#file.close(), rows: Number(this.#parquet.num_rows), rowGroups: this.#rowGroups };
  }

  /** Closes the file as it is. */
  abandon(): void {
    this.#file.abandon();
  }

  /** Decodes the row group in the buffer, with another library than encoded it, and compares every value. */
  async #compare(sources: Sources, rows: Uint32Array): Promise<void> {
    const bytes = this.#buffer.getBytes();
    const start = this.#file.length;
    const file: AsyncBuffer = {
      byteLength: start + bytes.length,
      slice: (from, to = start + bytes.length) => bytes.slice(from - start, to - start).buffer,
    };
    const decoded = new Map<string, DecodedArray[]>(this.#columns.map(({ name }) => [name, []]));
    const metadata = {
      version: 2,
      schema: this.#parquet.schema,
      num_rows: BigInt(rows.length),
      row_groups: this.#parquet.row_groups.slice(-1),
      metadata_length: 0,
    };
    await parquetRead({ file, metadata, onChunk: (chunk) => decoded.get(chunk.columnName)?.push(chunk.columnData) });
    for (const column of this.#columns) {
      const fault = firstFault(column, sources, rows, decoded.get(column.name) ?? []);
      if (fault !== null) throw new Error(`${this.#file.path}, column ${column.name}: ${fault}`);
    }
  }

  #drain(): void {
    this.#file.write(this.#buffer.getBytes());
    this.#buffer.index = 0;
  }
}

function sourceOf(sources: Sources, name: string): ColumnSource {
  const source = sources.get(name);
  if (source === undefined) throw new Error(`there is no source of the column ${name}`);
  return source;
}

function storedValue({ type, scale, isRemainder }: FileColumn, cell: Cell): StoredValue | null {
  const value = toStored(cell, type, scale);
  if (!isRemainder) return value;
  return cell !== null && value === null ? String(cell) : null;
}

function storedValues(column: FileColumn, sources: Sources, rows: Uint32Array): (StoredValue | null)[] {
  const { cells, indices } = sourceOf(sources, column.source);
  const known: (StoredValue | null | undefined)[] = new Array(cells.length);
  const values: (StoredValue | null)[] = new Array(rows.length);
  for (let at = 0; at < rows.length; at += 1) {
    const index = indices[rows[at] ?? -1] ?? -1;
    let value = known[index];
    if (value === undefined) {
      const cell = cells[index];
      if (cell === undefined) throw new RangeError(`row ${rows[at]} has no ${column.source}`);
      value = storedValue(column, cell);
      if (value === null && !column.nullable) throw new Error(`row ${rows[at]} has no ${column.name}`);
      known[index] = value;
    }
    values[at] = value;
  }
  return values;
}

/** The writer compares bytes without their sign. */
function decimalBounds(values: readonly (StoredValue | null)[]): Statistics {
  let nulls = 0n;
  const present = new Set<Uint8Array>();
  for (const value of values) {
    if (value === null) nulls += 1n;
    else if (value instanceof Uint8Array) present.add(value);
  }
  let bounds: { min_value: bigint; max_value: bigint } | undefined;
  for (const bytes of present) {
    const value = fromBytes(bytes);
    if (bounds === undefined) bounds = { min_value: value, max_value: value };
    else if (value < bounds.min_value) bounds.min_value = value;
    else if (value > bounds.max_value) bounds.max_value = value;
  }
  return { null_count: nulls, ...bounds };
}

/** What is wrong with the first value that does not say what its source says, or null. */
function firstFault(
  column: FileColumn,
  sources: Sources,
  rows: Uint32Array,
  decoded: readonly DecodedArray[],
): string | null {
  const { cells, indices } = sourceOf(sources, column.source);
  // Equal values are decoded to one object: each is compared with a cell once.
  const known: unknown[] = new Array(cells.length);
  let at = 0;
  for (const chunk of decoded) {
    for (const value of chunk) {
      const index = indices[rows[at] ?? -1] ?? -1;
      if (value === undefined || known[index] !== value) {
        const cell = cells[index];
        if (cell === undefined) return `there are more than ${rows.length} values`;
        if (!saysTheSame(column, value, cell)) return `${String(cell)} was written as ${String(value)}`;
        known[index] = value;
      }
      at += 1;
    }
  }
  return at === rows.length ? null : `there are ${at} values instead of ${rows.length}`;
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

function schemaOf(columns: readonly FileColumn[], element: (column: FileColumn) => SchemaElement): SchemaElement[] {
  return [{ name: 'root', num_children: columns.length }, ...columns.map(element)];
}

const STORED: Readonly<Record<ValueType, Omit<SchemaElement, 'name'>>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  integer: { type: 'INT64' },
  boolean: { type: 'BOOLEAN' },
  decimal: { type: 'FIXED_LEN_BYTE_ARRAY', type_length: 16 },
  date: { type: 'INT32' },
  timestamp: { type: 'INT64' },
};

/** How values are stored, without what they mean: the writer takes them as they are. */
function storedElement({ name, type, nullable, isRemainder }: FileColumn): SchemaElement {
  return { name, ...STORED[isRemainder ? 'text' : type], repetition_type: nullable ? 'OPTIONAL' : 'REQUIRED' };
}

/** With what they mean, in the words of old readers and new. */
function typedElement(column: FileColumn): SchemaElement {
  const element = storedElement(column);
  if (column.isRemainder || column.type === 'text') return { ...element, logical_type: { type: 'STRING' } };
  switch (column.type) {
    case 'decimal': {
      const digits = { precision: PRECISION, scale: column.scale };
      return { ...element, converted_type: 'DECIMAL', ...digits, logical_type: { type: 'DECIMAL', ...digits } };
    }
    case 'date':
      return { ...element, converted_type: 'DATE', logical_type: { type: 'DATE' } };
    case 'timestamp':
      return {
        ...element,
        converted_type: 'TIMESTAMP_MICROS',
        logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
      };
    default:
      return element;
  }
}
