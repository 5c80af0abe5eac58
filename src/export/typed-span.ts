/**
 * A span of a typed table: consecutive row groups of its source, whose rows are sorted together. Any thread can process
 * a span; reading and encoding columns one at a time keeps only one column in memory.
 */

import { getOrInsert } from '../platform/collections.ts';
import { openTable } from '../store/local-table.ts';
import type { TableFile } from '../store/releases/manifest.ts';
import type { Table } from '../store/schema/declare-table.ts';
import type { GroupRange, TableReader } from '../store/table-reader.ts';
import { SpanRows, sortRowNumbers } from './span-rows.ts';
import { ChunkEncoder, type EncodedChunk, type FileColumn } from './typed-chunk.ts';
import { findTypedTable, mayNeedRemainderColumn, type ReadOtherTable, type TypedTable } from './typed-tables.ts';
import { type ColumnMeasure, ColumnMeasurer } from './typed-value.ts';

/** Rows per row group, the unit that engines read in parallel. DuckDB's own row groups have 122,880 rows. */
const MAX_ROW_GROUP_ROWS = 1 << 17;

type RowOf<T> = T extends Table<infer Row> ? Row : never;

/** The data that all spans of a release share. */
export interface SourceRelease {
  /** Directory of the release. */
  readonly release: string;
  readonly tables: Readonly<Record<string, TableFile>>;
}

export interface SpanTask {
  /** The name of the typed table. */
  readonly table: string;
  readonly groups: GroupRange;
  /** Columns of the file to encode; null if the cells are only to be measured. */
  readonly columns: readonly FileColumn[] | null;
}

/** An encoded row group: one chunk per column of the file, in the same order. */
interface EncodedRows {
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
  readonly #openReaders = new Map<string, TableReader<unknown>>();

  constructor(private readonly source: SourceRelease) {}

  /** Measures or encodes a span. Throws a data Failure if the release's table is damaged. */
  async run({ table: name, groups, columns }: SpanTask): Promise<SpanResult> {
    const table = findTypedTable(name);
    const reader = openSourceTable(this.source, table);
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

  readonly #readOtherTable: ReadOtherTable = async (table, cik) => {
    const tableFile = this.source.tables[table.name];
    if (tableFile === undefined) return [];
    const reader = getOrInsert(this.#openReaders, table.name, () => openTable(this.source.release, table, tableFile));
    return (reader as TableReader<RowOf<typeof table>>).rowsOf(cik);
  };
}

export function openSourceTable({ release, tables }: SourceRelease, { source }: TypedTable): TableReader<unknown> {
  const tableFile = tables[source.name];
  if (tableFile === undefined) throw new RangeError(`the release has no table ${source.name}`);
  return openTable(release, source, tableFile);
}

async function measureColumns(reader: TableReader<unknown>, table: TypedTable, groups: GroupRange) {
  const measures: Record<string, ColumnMeasure> = {};
  for (const { name, type, sourceColumn } of table.columns.filter((column) => mayNeedRemainderColumn(table, column))) {
    const measurer = new ColumnMeasurer(type);
    for await (const { dictionary } of reader.scanColumn(sourceColumn ?? name, groups)) {
      for (const cell of dictionary) if (cell !== table.changes?.emptyMark) measurer.add(cell);
    }
    measures[name] = measurer.measured;
  }
  return measures;
}

async function encodeColumns(
  reader: TableReader<unknown>,
  table: TypedTable,
  groups: GroupRange,
  columns: readonly FileColumn[],
  readOther: ReadOtherTable,
): Promise<EncodedRows[]> {
  const span = await SpanRows.read(reader, table, groups, readOther);
  const sorting = table.sortedBy === null ? null : await span.readColumn(table.sortedBy);
  const sorted = sorting === null ? null : sortRowNumbers(sorting);
  const groupRows = Math.ceil(span.count / Math.ceil(span.count / MAX_ROW_GROUP_ROWS));
  const parts: Uint32Array[] = [];
  for (let start = 0; start < span.count; start += groupRows) {
    const end = Math.min(start + groupRows, span.count);
    parts.push(sorted?.subarray(start, end) ?? Uint32Array.from({ length: end - start }, (_, index) => start + index));
  }
  const encoded = parts.map((rows) => ({ rows: rows.length, chunks: [] as EncodedChunk[] }));
  for (const column of columns) {
    const isSorting = sorting !== null && column.source === table.sortedBy;
    const encoder = new ChunkEncoder(column, isSorting ? sorting : await span.readColumn(column.source));
    for (const [index, rows] of parts.entries()) encoded[index]?.chunks.push(encoder.encode(rows));
  }
  return encoded;
}
