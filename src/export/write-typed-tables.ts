/**
 * Writes the typed tables of a release: worker threads first measure and then encode spans of their rows; this thread
 * writes the spans in order.
 */
import { join } from 'node:path';
import { pushTo } from '../platform/collections.ts';
import { findWorkerScript, type WorkerPool, withWorkers } from '../platform/workers/thread-pool.ts';
import { DECIMAL_PRECISION } from '../store/parquet/format/column-type.ts';
import { ParquetFile } from '../store/parquet-file.ts';
import type { TableFile } from '../store/releases/manifest.ts';
import type { ValueType } from '../store/schema/columns.ts';
import type { GroupRange } from '../store/table-reader.ts';
import { type FileColumn, toParquetColumn } from './typed-chunk.ts';
import { openSourceTable, type SourceRelease, type SpanResult, SpanRunner, type SpanTask } from './typed-span.ts';
import { mayNeedRemainderColumn, TYPED_TABLES, type TypedTable } from './typed-tables.ts';
import { type ColumnMeasure, combineMeasures } from './typed-value.ts';

/** Minimum number of rows in each span of a table except the last. */
const MIN_SPAN_ROWS = 1 << 19;
/** Number of finished spans per worker that may wait for an earlier span. */
const MAX_WAITING_SPANS_PER_WORKER = 1;
/**
 * Maximum heap of a worker: three times the memory of one column of a large span. All rows of a company are in one
 * span; a company may have 3.5 million.
 */
const MAX_WORKER_HEAP_MEGABYTES = 512;
/** Suffix of the column for values that do not fit the type of the typed column. */
const REMAINDER_SUFFIX = '_text';

const SQL_TYPES: Readonly<Record<Exclude<ValueType, 'decimal'>, string>> = {
  text: 'VARCHAR',
  integer: 'BIGINT',
  boolean: 'BOOLEAN',
  date: 'DATE',
  timestamp: 'TIMESTAMP WITH TIME ZONE',
};

interface WrittenColumn {
  readonly name: string;
  /** SQL type, such as DECIMAL(38,4). */
  readonly type: string;
  readonly nullable: boolean;
  readonly about: string;
}

export interface WrittenTable extends Pick<TableFile, 'file' | 'rows' | 'bytes' | 'sha256'> {
  readonly rowGroups: number;
  readonly columns: readonly WrittenColumn[];
}

interface WriteOptions {
  readonly directory: string;
  readonly stamp: string;
  /** Number of worker threads; default: the number of cores, at most eight. */
  readonly jobs?: number | undefined;
  /** The script of the worker threads; default: the bundled script. */
  readonly workerScript?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of source rows done; the number stays 0 while cells are measured. */
  readonly onRows?: (table: string, done: number) => void;
}

/** Row groups of the source whose rows are sorted together. */
interface Span {
  readonly table: TypedTable;
  readonly groups: GroupRange;
  readonly rows: number;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

type SpanWorkerPool = WorkerPool<SpanTask, SpanResult>;

/**
 * Returns the written tables by name; the number of jobs does not affect their bytes. Throws a data Failure if a
 * table of the release is damaged or a file cannot be written, and the signal's reason.
 */
export async function writeTypedTables(source: SourceRelease, options: WriteOptions) {
  const { jobs, workerScript, signal } = options;
  const spans: Span[] = [];
  for (const table of TYPED_TABLES)
    if (source.tables[table.source.name]) spans.push(...(await divideIntoSpans(source, table)));
  const script =
    workerScript === undefined ? findWorkerScript('export-typing-worker.cjs') : { source: workerScript, isCode: false };
  const settings = { script, data: source, jobs, heapMegabytes: MAX_WORKER_HEAP_MEGABYTES, signal };
  return withWorkers<SpanTask, SpanResult, Record<string, WrittenTable>>(
    { ...settings, createInThread: () => new SpanRunner(source), work: 'writing the typed tables' },
    async (workers) => writeSpans(spans, await determineColumns(spans, workers, options), workers, options),
  );
}

/**
 * Returns spans of complete row groups of the source, so that no company is divided; an empty table has one empty span.
 */
async function divideIntoSpans(source: SourceRelease, table: TypedTable): Promise<Span[]> {
  const reader = openSourceTable(source, table);
  const sizes = await reader.groupSizes().finally(() => reader.close());
  const spans: Omit<Span, 'isFirst' | 'isLast'>[] = [];
  let first = 0;
  let rows = 0;
  for (let end = 1; end <= sizes.length; end += 1) {
    rows += sizes[end - 1] ?? 0;
    if ((rows < MIN_SPAN_ROWS || table.changes !== undefined) && end < sizes.length) continue;
    spans.push({ table, groups: { first, end }, rows });
    first = end;
    rows = 0;
  }
  if (spans.length === 0) spans.push({ table, groups: { first: 0, end: 0 }, rows });
  return spans.map((span, index) => ({ ...span, isFirst: index === 0, isLast: index === spans.length - 1 }));
}

/** Yields the workers' results in the order of the spans. */
async function* runSpans(
  spans: readonly Span[],
  workers: SpanWorkerPool,
  signal: AbortSignal | undefined,
  columns: ReadonlyMap<string, readonly FileColumn[]> | null,
): AsyncGenerator<SpanResult & { readonly span: Span }> {
  const tasks = spans.map(({ table: { name: table }, groups }): SpanTask => {
    return { table, groups, columns: columns === null ? null : (columns.get(table) ?? []) };
  });
  let spanIndex = 0;
  for await (const result of workers.runInOrder(tasks, workers.size * MAX_WAITING_SPANS_PER_WORKER, signal))
    yield { ...result, span: spans[spanIndex++] as Span };
}

/**
 * Returns the columns of each table's file. First measures all cells of columns whose values may not fit their type,
 * because a single such value adds a column to the file.
 */
async function determineColumns(spans: readonly Span[], workers: SpanWorkerPool, { signal, onRows }: WriteOptions) {
  const byTable = new Map<string, Readonly<Record<string, ColumnMeasure>>[]>();
  const measured = spans.filter(({ table }) => table.columns.some((column) => mayNeedRemainderColumn(table, column)));
  for await (const { span, ...result } of runSpans(measured, workers, signal, null)) {
    if ('measured' in result) pushTo(byTable, span.table.name, result.measured);
    onRows?.(span.table.name, 0);
  }
  return new Map(spans.map(({ table }) => [table.name, toFileColumns(table, byTable.get(table.name) ?? [])]));
}

const toFileColumns = (table: TypedTable, bySpan: readonly Readonly<Record<string, ColumnMeasure>>[]): FileColumn[] =>
  table.columns.flatMap((column) => {
    const { name, type, sourceColumn } = column;
    const nullable = table.source.columns.find((stored) => stored.name === sourceColumn)?.nullable ?? true;
    const plain = { name, type, source: name, scale: 0, nullable, isRemainder: false };
    if (!mayNeedRemainderColumn(table, column)) return [plain];
    const { scale, fitsAllCells } = combineMeasures(bySpan.flatMap((measures) => measures[name] ?? []));
    if (fitsAllCells) return [{ ...plain, scale }];
    const remainder = { ...plain, name: name + REMAINDER_SUFFIX, scale, nullable: true, isRemainder: true };
    return [{ ...plain, scale, nullable: true }, remainder];
  });

async function writeSpans(
  spans: readonly Span[],
  columns: ReadonlyMap<string, readonly FileColumn[]>,
  workers: SpanWorkerPool,
  { directory, stamp, signal, onRows }: WriteOptions,
): Promise<Record<string, WrittenTable>> {
  const written: Record<string, WrittenTable> = {};
  let file: ParquetFile | null = null;
  let done = 0;
  try {
    for await (const { span, ...result } of runSpans(spans, workers, signal, columns)) {
      const { table, rows, isFirst, isLast } = span;
      const fileColumns = columns.get(table.name) ?? [];
      const described = describeColumns(table, fileColumns);
      const fileName = `${table.name}.parquet`;
      if (isFirst || file === null) {
        file = new ParquetFile(join(directory, fileName), {
          columns: fileColumns.map(toParquetColumn),
          codec: 'snappy',
          sortedBy: table.sortedBy,
          metadata: {
            'fin.release': stamp,
            'fin.about': table.about,
            'fin.order': table.order,
            'fin.columns': JSON.stringify(Object.fromEntries(described.map(({ name, about }) => [name, about]))),
          },
        });
        done = 0;
      }
      for (const group of 'encoded' in result ? result.encoded : [])
        file.append(
          group,
          group.chunks.map(({ bytes }) => bytes),
        );
      done += rows;
      onRows?.(table.name, done);
      if (isLast) {
        written[table.name] = {
          file: fileName,
          rows: file.rows,
          rowGroups: file.rowGroupCount,
          ...file.finish({ syncsToDisk: true }),
          columns: described,
        };
      }
    }
    return written;
  } finally {
    file?.abandon();
  }
}

const describeColumns = ({ columns }: TypedTable, stored: readonly FileColumn[]): WrittenColumn[] =>
  stored.map(({ name, type, scale, nullable, source, isRemainder }) => ({
    name,
    type: isRemainder ? SQL_TYPES.text : toSqlType(type, scale),
    nullable,
    about: isRemainder
      ? `Value of ${source} as text, if the value does not fit the type of that column; null otherwise`
      : (columns.find((column) => column.name === name)?.about ?? ''),
  }));

/** @param scale number of decimal places; `n` in descriptions of any release */
export const toSqlType = (type: ValueType, scale: number | 'n'): string =>
  type === 'decimal' ? `DECIMAL(${DECIMAL_PRECISION},${scale})` : SQL_TYPES[type];
