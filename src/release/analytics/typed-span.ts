/**
 * A span of a typed table: row groups of its source side by side, whose rows are sorted together. Any thread can do one: it reads
 * and encodes a column at a time, so that the memory is that of one column.
 */
import { compareText } from '../../contract/compare-text.ts';
import type { Cell } from '../schema/table.ts';
import { openTable } from '../store/local-table.ts';
import type { TableFile } from '../store/manifest.ts';
import type { GroupRange, TableReader } from '../store/table-reader.ts';
import type { FileColumn } from './file-column.ts';
import { ChunkEncoder, type ColumnSource, type EncodedChunk } from './typed-chunk.ts';
import type { EncodedRows } from './typed-file.ts';
import { type Expanded, mayNotHold, type TypedTable, typedTable } from './typed-tables.ts';
import { ColumnFit, type Measured } from './typed-value.ts';

/** As many rows as engines read at once: DuckDB gives each core a row group of 122,880. */
const ROW_GROUP_ROWS = 1 << 17;

/** What all spans of a release have in common. */
export interface SpanSource {
  /** The directory of the release, and its tables. */
  readonly release: string;
  readonly tables: Readonly<Record<string, TableFile>>;
}

export interface SpanTask {
  /** The name of the typed table. */
  readonly table: string;
  readonly groups: GroupRange;
  /** Those of the file, to encode; null to measure what its cells need. */
  readonly columns: readonly FileColumn[] | null;
}

/** Of each column that may not hold all of its cells, what these need; or the rows. */
export type SpanResult =
  | { readonly measured: Readonly<Record<string, Measured>> }
  | { readonly encoded: readonly EncodedRows[] };

export class SpanRunner {
  readonly #source: SpanSource;

  constructor(source: SpanSource) {
    this.#source = source;
  }

  /** Throws a data Failure where the table of the release is damaged. */
  async run({ table: name, groups, columns }: SpanTask): Promise<SpanResult> {
    const table = typedTable(name);
    const reader = openSource(this.#source, table);
    try {
      if (columns === null) return { measured: await measure(reader, table, groups) };
      return { encoded: await encode(reader, table, groups, columns) };
    } finally {
      reader.close();
    }
  }

  async close(): Promise<void> {}
}

export function openSource({ release, tables }: SpanSource, { source }: TypedTable): TableReader<unknown> {
  const entry = tables[source.name];
  if (entry === undefined) throw new RangeError(`the release has no table ${source.name}`);
  return openTable(release, source, entry);
}

async function measure(reader: TableReader<unknown>, table: TypedTable, groups: GroupRange) {
  const measured: Record<string, Measured> = {};
  for (const { name, type, from } of table.columns.filter((column) => mayNotHold(table, column))) {
    const fit = new ColumnFit(type);
    for await (const { dictionary } of reader.scanColumn(from ?? name, groups)) {
      for (const cell of dictionary) fit.add(cell);
    }
    measured[name] = fit.measured;
  }
  return measured;
}

async function encode(
  reader: TableReader<unknown>,
  table: TypedTable,
  groups: GroupRange,
  columns: readonly FileColumn[],
): Promise<EncodedRows[]> {
  const rows = await SpanRows.read(reader, table, groups);
  const order = table.sortedBy === null ? null : orderOf(await rows.column(table.sortedBy));
  const size = Math.ceil(rows.count / Math.ceil(rows.count / ROW_GROUP_ROWS));
  const parts: Uint32Array[] = [];
  for (let from = 0; from < rows.count; from += size) {
    const to = Math.min(from + size, rows.count);
    parts.push(order?.subarray(from, to) ?? Uint32Array.from({ length: to - from }, (_, at) => from + at));
  }
  const encoded = parts.map((part) => ({ rows: part.length, chunks: [] as EncodedChunk[] }));
  for (const column of columns) {
    const encoder = new ChunkEncoder(column, await rows.column(column.source));
    for (const [at, part] of parts.entries()) encoded[at]?.chunks.push(await encoder.encode(part));
  }
  return encoded;
}

/** The rows of a span in the order of the source. */
class SpanRows {
  readonly #reader: TableReader<unknown>;
  readonly #table: TypedTable;
  readonly #groups: GroupRange;
  /** Of each row group, where a row of it is not one row of the table. */
  readonly #expanded: readonly Expanded[] | null;
  readonly count: number;

  private constructor(
    reader: TableReader<unknown>,
    table: TypedTable,
    groups: GroupRange,
    expanded: readonly Expanded[] | null,
    count: number,
  ) {
    this.#reader = reader;
    this.#table = table;
    this.#groups = groups;
    this.#expanded = expanded;
    this.count = count;
  }

  static async read(reader: TableReader<unknown>, table: TypedTable, groups: GroupRange): Promise<SpanRows> {
    const sizes = (await reader.groupSizes()).slice(groups.first, groups.end);
    if (table.expand === undefined) return new SpanRows(reader, table, groups, null, sum(sizes));
    const expanded: Expanded[] = [];
    for await (const group of reader.scan(groups)) expanded.push(table.expand(group));
    return new SpanRows(reader, table, groups, expanded, sum(expanded.map(({ rows }) => rows.length)));
  }

  /** One column of all rows. */
  async column(name: string): Promise<ColumnSource> {
    const cells: Cell[] = [];
    const indices = new Uint32Array(this.count);
    let at = 0;
    const computed = this.#expanded?.map((group) => group.computed[name]);
    if (computed?.[0] !== undefined) {
      for (const cell of computed.flatMap((own) => own ?? [])) {
        indices[at] = at;
        at = cells.push(cell);
      }
      return { cells, indices };
    }
    const from = this.#table.columns.find((column) => column.name === name)?.from ?? null;
    if (from === null) throw new Error(`${this.#table.name} has no source of ${name}`);
    let group = 0;
    for await (const { dictionary, indices: own } of this.#reader.scanColumn(from, this.#groups)) {
      const first = cells.length;
      for (const cell of dictionary) cells.push(cell);
      const rows = this.#expanded?.[group]?.rows;
      const count = rows?.length ?? own.length;
      for (let row = 0; row < count; row += 1)
        indices[at + row] = first + numberAt(own, rows === undefined ? row : numberAt(rows, row));
      at += count;
      group += 1;
    }
    return { cells, indices };
  }
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0);

/** The rows in order of their cells; those of equal cells keep their order. */
function orderOf({ cells, indices }: ColumnSource): Uint32Array {
  const distinct = [...new Set(cells)].sort((a, b) => compareText(String(a), String(b)));
  const rankOf = new Map(distinct.map((cell, rank) => [cell, rank]));
  const ranks = cells.map((cell) => rankOf.get(cell) as number);
  const counts = new Uint32Array(distinct.length);
  for (const index of indices) {
    const rank = numberAt(ranks, index);
    counts[rank] = numberAt(counts, rank) + 1;
  }
  let first = 0;
  const places = counts.map((count) => {
    first += count;
    return first - count;
  });
  const order = new Uint32Array(indices.length);
  for (let row = 0; row < indices.length; row += 1) {
    const rank = numberAt(ranks, numberAt(indices, row));
    const place = numberAt(places, rank);
    order[place] = row;
    places[rank] = place + 1;
  }
  return order;
}

function numberAt(numbers: ArrayLike<number>, at: number): number {
  const number = numbers[at];
  if (number === undefined) throw new RangeError(`there is no number ${at} of ${numbers.length}`);
  return number;
}
