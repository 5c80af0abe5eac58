/** One table of a release as a typed table: read row group by row group, sorted in spans, written in large row groups. */
import { join } from 'node:path';
import { compareText } from '../../contract/compare-text.ts';
import type { Cell, Column } from '../schema/table.ts';
import { openTable } from '../store/local-table.ts';
import type { TableFile } from '../store/manifest.ts';
import type { ColumnCells } from '../store/parquet/column-chunk.ts';
import type { ScannedRowGroup, TableReader } from '../store/table-reader.ts';
import { type ColumnSource, type FileColumn, TypedFile } from './typed-file.ts';
import type { TypedColumn, TypedTable } from './typed-tables.ts';
import { ColumnFit, PRECISION, type ValueType } from './typed-value.ts';

/** As many rows as engines read at once: DuckDB gives each core a row group of 122,880. */
const ROW_GROUP_ROWS = 1 << 17;
/** So many rows are sorted at once; this bounds the memory. */
const SPAN_ROWS = 1 << 19;
/** The end of the name of the column that has what its typed column cannot hold. */
const REMAINDER = '_text';

const SQL_TYPES: Readonly<Record<Exclude<ValueType, 'decimal'>, string>> = {
  text: 'VARCHAR',
  integer: 'BIGINT',
  boolean: 'BOOLEAN',
  date: 'DATE',
  timestamp: 'TIMESTAMP WITH TIME ZONE',
};

export interface WrittenColumn {
  readonly name: string;
  /** As SQL calls it, such as DECIMAL(38,4). */
  readonly type: string;
  readonly nullable: boolean;
  readonly about: string;
}

export interface WrittenTable {
  readonly file: string;
  readonly rows: number;
  readonly rowGroups: number;
  readonly bytes: number;
  readonly sha256: string;
  readonly columns: readonly WrittenColumn[];
}

export interface WriteOptions {
  /** The directory of the release, and the one that is written to. */
  readonly release: string;
  readonly directory: string;
  readonly stamp: string;
  readonly signal?: AbortSignal | undefined;
  readonly onRows?: (done: number, total: number) => void;
}

/** Throws a data Failure where the table of the release is damaged, and what `signal` was aborted with. */
export async function writeTypedTable(
  table: TypedTable,
  entry: TableFile,
  { release, directory, stamp, signal, onRows }: WriteOptions,
): Promise<WrittenTable> {
  const reader = openTable(release, table.source, entry);
  try {
    const columns = await fileColumns(table, reader);
    const described = describe(table, columns);
    const file = `${table.name}.parquet`;
    const writer = new TypedFile({
      path: join(directory, file),
      columns,
      sortedBy: table.sortedBy,
      metadata: {
        'fin.release': stamp,
        'fin.about': table.about,
        'fin.order': table.order,
        'fin.columns': JSON.stringify(Object.fromEntries(described.map(({ name, about }) => [name, about]))),
      },
    });
    try {
      let span = new Span(table);
      let done = 0;
      for await (const group of reader.scan()) {
        signal?.throwIfAborted();
        span.append(group);
        done += group.rows;
        onRows?.(done, reader.rows);
        if (span.rows < SPAN_ROWS) continue;
        await span.writeTo(writer);
        span = new Span(table);
      }
      await span.writeTo(writer);
      return { file, ...writer.finish(), columns: described };
    } finally {
      writer.abandon();
    }
  } finally {
    reader.close();
  }
}

/** The columns of the file. What a type cannot hold is known once all cells have been looked at. */
async function fileColumns({ source, columns }: TypedTable, reader: TableReader<unknown>): Promise<FileColumn[]> {
  const inFile: FileColumn[] = [];
  for (const column of columns) {
    const { name, type, from } = column;
    const stored = source.columns.find((one) => one.name === from);
    if (stored === undefined && from !== null) throw new Error(`the table ${source.name} has no column ${from}`);
    const plain = { name, type, source: name, scale: 0, nullable: stored?.nullable ?? true, isRemainder: false };
    if (stored === undefined || !mayNotHold(column, stored)) inFile.push(plain);
    else {
      const fit = await fitOf(reader, stored.name, type);
      inFile.push({ ...plain, scale: fit.scale, nullable: plain.nullable || !fit.holdsAll });
      if (!fit.holdsAll) {
        inFile.push({ ...plain, name: name + REMAINDER, scale: fit.scale, nullable: true, isRemainder: true });
      }
    }
  }
  return inFile;
}

const mayNotHold = ({ type }: TypedColumn, stored: Column) => stored.type === 'text' && type !== 'text';

async function fitOf(reader: TableReader<unknown>, name: string, type: ValueType): Promise<ColumnFit> {
  const fit = new ColumnFit(type);
  for await (const { dictionary } of reader.scanColumn(name)) for (const cell of dictionary) fit.add(cell);
  return fit;
}

function describe({ columns }: TypedTable, inFile: readonly FileColumn[]): WrittenColumn[] {
  return inFile.map(({ name, type, scale, nullable, source, isRemainder }) => ({
    name,
    type: isRemainder ? SQL_TYPES.text : sqlType(type, scale),
    nullable,
    about: isRemainder
      ? `Text of what ${source} cannot hold, which is null there; else null`
      : (columns.find((column) => column.name === name)?.about ?? ''),
  }));
}

/** @param scale digits after the point; a letter where it differs by release */
export function sqlType(type: ValueType, scale: number | 'n'): string {
  return type === 'decimal' ? `DECIMAL(${PRECISION},${scale})` : SQL_TYPES[type];
}

/** Rows that are sorted together. */
class Span {
  readonly #table: TypedTable;
  readonly #columns: readonly { readonly column: TypedColumn; readonly cells: CellColumn }[];
  rows = 0;

  constructor(table: TypedTable) {
    this.#table = table;
    this.#columns = table.columns.map((column) => ({ column, cells: new CellColumn(column.type) }));
  }

  append(group: ScannedRowGroup<unknown>): void {
    const expanded = this.#table.expand?.(group);
    for (const { column, cells } of this.#columns) {
      const computed = expanded?.computed[column.name];
      if (computed !== undefined) cells.appendCells(computed, this.rows);
      else if (column.from !== null) cells.appendRows(group.cells(column.from), expanded?.rows ?? null, this.rows);
      else throw new Error(`${this.#table.name} does not compute ${column.name}`);
    }
    this.rows += expanded?.rows.length ?? group.rows;
  }

  /** In row groups of about one size. */
  async writeTo(file: TypedFile): Promise<void> {
    const order = this.#order();
    const sources = new Map(this.#columns.map(({ column, cells }) => [column.name, cells]));
    const size = Math.ceil(this.rows / Math.ceil(this.rows / ROW_GROUP_ROWS));
    for (let from = 0; from < this.rows; from += size) await file.append(sources, order.subarray(from, from + size));
  }

  #order(): Uint32Array {
    const sorted = this.#columns.find(({ column }) => column.name === this.#table.sortedBy)?.cells;
    if (sorted === undefined) return Uint32Array.from({ length: this.rows }, (_, row) => row);
    const { cells, indices } = sorted;
    const distinct = [...new Set(cells)].sort((a, b) => compareText(String(a), String(b)));
    const rankOf = new Map(distinct.map((cell, rank) => [cell, rank]));
    const ranks = Float64Array.from(cells, (cell) => rankOf.get(cell) ?? 0);
    // Rank and row in one number: sorted without a comparison function, and rows of one rank keep their order.
    const keys = Float64Array.from(
      { length: this.rows },
      (_, row) => (ranks[indices[row] ?? 0] ?? 0) * this.rows + row,
    );
    return Uint32Array.from(keys.sort(), (key) => key % this.rows);
  }
}

/** One column of a span: its cells, and which of them each row has. */
class CellColumn implements ColumnSource {
  readonly cells: Cell[] = [];
  indices = new Uint32Array(ROW_GROUP_ROWS);
  /** Of a type that text is converted to, so that equal cells are converted once. */
  readonly #known: Map<Cell, number> | null;

  constructor(type: ValueType) {
    this.#known = type === 'text' ? null : new Map();
  }

  appendCells(cells: readonly Cell[], at: number): void {
    this.#reserve(at + cells.length);
    for (const [index, cell] of cells.entries()) this.indices[at + index] = this.#place(cell);
  }

  /** @param rows which rows of the row group; null for all */
  appendRows({ dictionary, indices }: ColumnCells, rows: readonly number[] | null, at: number): void {
    const count = rows === null ? indices.length : rows.length;
    this.#reserve(at + count);
    const places = Uint32Array.from(dictionary, (cell) => this.#place(cell));
    for (let index = 0; index < count; index += 1) {
      const place = places[indices[rows === null ? index : (rows[index] ?? -1)] ?? -1];
      if (place === undefined) throw new RangeError(`row ${rows?.[index] ?? index} has no cell`);
      this.indices[at + index] = place;
    }
  }

  #place(cell: Cell): number {
    const known = this.#known?.get(cell);
    if (known !== undefined) return known;
    const place = this.cells.push(cell) - 1;
    this.#known?.set(cell, place);
    return place;
  }

  #reserve(rows: number): void {
    if (rows <= this.indices.length) return;
    const larger = new Uint32Array(Math.max(rows, this.indices.length * 2));
    larger.set(this.indices);
    this.indices = larger;
  }
}
