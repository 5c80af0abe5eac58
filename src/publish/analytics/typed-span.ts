/**
 * A span of a typed table: consecutive row groups of its source, whose rows are sorted together. Any thread can process
 * a span; reading and encoding columns one at a time keeps only one column in memory.
 */

import { getOrInsert } from '../../platform/collections.ts';
import { openTable } from '../../store/local-table.ts';
import type { TableFile } from '../../store/manifest.ts';
import type { Table } from '../../store/schema/table.ts';
import type { GroupRange, TableReader } from '../../store/table-reader.ts';
import type { FileColumn } from './file-column.ts';
import { orderOf, SpanRows } from './span-rows.ts';
import { ChunkEncoder, type EncodedChunk } from './typed-chunk.ts';
import { mayNeedRemainder, type OtherTables, type TypedTable, typedTable } from './typed-tables.ts';
import { ColumnFit, type ColumnMeasure } from './typed-value.ts';

/** Rows per row group, the unit that engines read in parallel. DuckDB's own row groups have 122,880 rows. */
const ROW_GROUP_ROWS = 1 << 17;

type RowOf<T> = T extends Table<infer Row> ? Row : never;

/** The data that all spans of a release share. */
export interface SpanSource {
  /** Directory of the release. */
  readonly release: string;
  readonly tables: Readonly<Record<string, TableFile>>;
}

export interface SpanTask {
  /** The name of the typed table. */
  readonly table: string;
  readonly groups: GroupRange;
  /** Columns of the file to encode; null to measure instead which types the cells need. */
  readonly columns: readonly FileColumn[] | null;
}

/** An encoded row group: one chunk per column of the file, in the same order. */
export interface EncodedRows {
  readonly rows: number;
  readonly chunks: readonly EncodedChunk[];
}

/**
 * The result of either measuring or encoding a span: measurements of the columns whose cells may not fit their type, or
 * the encoded rows.
 */
export type SpanResult =
  | { readonly measured: Readonly<Record<string, ColumnMeasure>> }
  | { readonly encoded: readonly EncodedRows[] };

export class SpanRunner {
  readonly #source: SpanSource;
  readonly #openReaders = new Map<string, TableReader<unknown>>();

  constructor(source: SpanSource) {
    this.#source = source;
  }

  /** Measures or encodes a span. Throws a data Failure if the release's table is damaged. */
  async run({ table: name, groups, columns }: SpanTask): Promise<SpanResult> {
    const table = typedTable(name);
    const reader = openSource(this.#source, table);
    try {
      if (columns === null) return { measured: await measureColumns(reader, table, groups) };
      return { encoded: await encodeColumns(reader, table, groups, columns, this.#readOtherTable) };
    } finally {
      reader.close();
    }
  }

  async close(): Promise<void> {
    for (const reader of this.#openReaders.values()) reader.close();
    this.#openReaders.clear();
  }

  readonly #readOtherTable: OtherTables = async (table, cik) => {
    const entry = this.#source.tables[table.name];
    if (entry === undefined) return [];
    const reader = getOrInsert(this.#openReaders, table.name, () => openTable(this.#source.release, table, entry));
    return (reader as TableReader<RowOf<typeof table>>).rowsOf(cik);
  };
}

export function openSource({ release, tables }: SpanSource, { source }: TypedTable): TableReader<unknown> {
  const entry = tables[source.name];
  if (entry === undefined) throw new RangeError(`the release has no table ${source.name}`);
  return openTable(release, source, entry);
}

async function measureColumns(reader: TableReader<unknown>, table: TypedTable, groups: GroupRange) {
  const measuredColumns: Record<string, ColumnMeasure> = {};
  for (const { name, type, sourceColumn } of table.columns.filter((column) => mayNeedRemainder(table, column))) {
    const fit = new ColumnFit(type);
    for await (const { dictionary } of reader.scanColumn(sourceColumn ?? name, groups)) {
      for (const cell of dictionary) if (cell !== table.changes?.emptyMark) fit.add(cell);
    }
    measuredColumns[name] = fit.measured;
  }
  return measuredColumns;
}

async function encodeColumns(
  reader: TableReader<unknown>,
  table: TypedTable,
  groups: GroupRange,
  columns: readonly FileColumn[],
  otherTables: OtherTables,
): Promise<EncodedRows[]> {
  const rows = await SpanRows.read(reader, table, groups, otherTables);
  const sortedSource = table.sortedBy === null ? null : await rows.column(table.sortedBy);
  const order = sortedSource === null ? null : orderOf(sortedSource);
  const size = Math.ceil(rows.count / Math.ceil(rows.count / ROW_GROUP_ROWS));
  const parts: Uint32Array[] = [];
  for (let start = 0; start < rows.count; start += size) {
    const end = Math.min(start + size, rows.count);
    parts.push(order?.subarray(start, end) ?? Uint32Array.from({ length: end - start }, (_, index) => start + index));
  }
  const encodedParts = parts.map((part) => ({ rows: part.length, chunks: [] as EncodedChunk[] }));
  for (const column of columns) {
    const isSorted = sortedSource !== null && column.source === table.sortedBy;
    const encoder = new ChunkEncoder(column, isSorted ? sortedSource : await rows.column(column.source));
    for (const [index, part] of parts.entries()) encodedParts[index]?.chunks.push(encoder.encode(part));
  }
  return encodedParts;
}
