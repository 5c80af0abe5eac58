/** Writes the tables of one release: the large ones as batches come in, then the families', the small ones at the end. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { COMPANIES, SECURITIES } from '../schema/companies.ts';
import { COVERAGE } from '../schema/coverage.ts';
import { CORE_TABLES } from '../schema/layout.ts';
import { SCREEN } from '../schema/screen.ts';
import { SPLITS } from '../schema/splits.ts';
import { keyOf, type Table, toColumns } from '../schema/table.ts';
import { hashColumns, hashTables, TableHash } from '../store/content-hash.ts';
import type { Check, TableFile } from '../store/manifest.ts';
import { encodeRowGroup, ROW_GROUP_ROWS } from '../store/row-group.ts';
import { TableReader } from '../store/table-reader.ts';
import type { FinishedTable } from '../store/table-sink.ts';
import { TableSink } from '../store/table-sink.ts';
import { TableWriter } from '../store/table-writer.ts';
import type { BatchResult, CompanyResult } from './build-task.ts';
import { LARGE_TABLES } from './build-task.ts';
import type { Family, FamilyContext } from './family.ts';
import { checkRelease } from './release-checks.ts';
import { smallTables } from './small-tables.ts';

export interface Written {
  readonly contentHash: string;
  readonly tables: Readonly<Record<string, TableFile>>;
  readonly checks: readonly Check[];
  /** Tickers that more than one company claims. */
  readonly contested: number;
}

/** What a build gives every family alike. */
export type BuildContext = Pick<
  FamilyContext,
  'from' | 'reports' | 'market' | 'date' | 'skipped' | 'problems' | 'signal' | 'withoutFootnotes'
>;

export class ReleaseWriter {
  readonly #directory: string;
  readonly #large: readonly { readonly table: Table; readonly writer: TableWriter; readonly hash: TableHash }[];
  readonly #results: CompanyResult[] = [];
  readonly #open: TableSink<unknown>[] = [];
  readonly #sunk: FinishedTable[] = [];
  readonly #checks: Check[] = [];

  constructor(directory: string) {
    this.#directory = directory;
    this.#large = LARGE_TABLES.map((table) => ({
      table: table as Table,
      writer: new TableWriter(directory, table as Table),
      hash: new TableHash(),
    }));
  }

  /** Batches come in order of cik. */
  append({ companies, groups }: BatchResult): void {
    for (const [index, { writer, hash }] of this.#large.entries()) {
      for (const group of groups[index] ?? []) writer.append(group);
      for (const { company, large } of companies) hash.add(company.cik, large[index]?.hash ?? '');
    }
    this.#results.push(...companies);
  }

  /** Builds each family's tables, its own companies and securities before it. */
  async build(families: readonly Family[], holders: ReadonlyMap<string, number>, context: BuildContext): Promise<void> {
    const { companies, securities } = smallTables(this.#results, holders);
    for (const family of families) {
      const sinks = family.tables.map((table) => ({ table, sink: new TableSink(this.#directory, table) }));
      this.#open.push(...sinks.map(({ sink }) => sink));
      const sink = <Row>(wanted: Table<Row>) => {
        const found = sinks.find(({ table }) => table.name === wanted.name)?.sink;
        if (found === undefined) throw new Error(`the family ${family.name} has no table ${wanted.name}`);
        return found as TableSink<unknown> as TableSink<Row>;
      };
      const omitted = new Set<string>();
      const omit = (tables: readonly Table[]) => {
        for (const { name } of tables) omitted.add(name);
      };
      const scratch = join(this.#directory, `.scratch-${family.name}`);
      this.#checks.push(...(await family.build({ ...context, companies, securities, scratch, sink, omit })));
      await rm(scratch, { recursive: true, force: true });
      for (const { table, sink: done } of sinks) {
        if (omitted.has(table.name)) done.omit();
        else this.#sunk.push(done.finish());
      }
      context.signal?.throwIfAborted();
    }
  }

  /** Writes what is left, reads all of it back, and makes the checks. */
  finish(holders: ReadonlyMap<string, number>, date: string, today: string): Written {
    const small = smallTables(this.#results, holders);
    const rows: readonly (readonly [Table, readonly unknown[]])[] = [
      [COMPANIES as Table, small.companies],
      [SECURITIES as Table, small.securities],
      [SPLITS as Table, small.splits],
      [SCREEN as Table, small.screen],
      [COVERAGE as Table, small.coverage],
    ];
    const tables = new Map(this.#large.map(({ table, writer }) => [table.name, writer.finish()]));
    const hashes = new Map(this.#large.map(({ table, hash }) => [table.name, hash.digest()]));
    for (const { table, file, hash } of this.#sunk) {
      tables.set(table.name, file);
      hashes.set(table.name, hash);
    }
    for (const [table, list] of rows) {
      tables.set(table.name, writeTable(this.#directory, table, list));
      hashes.set(table.name, hashColumns(toColumns(table, list)));
    }
    const made = new Map<string, number>([
      ...rows.map(([table, list]) => [table.name, list.length] as const),
      ...this.#large.map(({ table }, index) => [table.name, sumOf(this.#results, index)] as const),
      ...this.#sunk.map(({ table, rows: count }) => [table.name, count] as const),
    ]);
    const all = [...CORE_TABLES, ...this.#sunk.map(({ table }) => table)];
    const counts = all.map((table) => ({
      table: table.name,
      made: made.get(table.name) ?? 0,
      readBack: countRows(this.#directory, table, tables.get(table.name)),
    }));
    return {
      contentHash: hashTables(all.map(({ name }) => [name, hashes.get(name) ?? ''])),
      tables: Object.fromEntries(all.flatMap(({ name }) => [[name, tables.get(name)]])) as Record<string, TableFile>,
      checks: [...checkRelease({ results: this.#results, tables: small, counts, date, today }), ...this.#checks],
      contested: small.contested,
    };
  }

  /** Closes what is open; for the end of a build, whatever it was. */
  abandon(): void {
    for (const { writer } of this.#large) writer.abandon();
    for (const sink of this.#open) sink.abandon();
  }
}

/** Tables with a key in small row groups, so that the rows of one key are read fast; the others in one, as they are read whole. */
function writeTable(directory: string, table: Table, rows: readonly unknown[]): TableFile {
  const writer = new TableWriter(directory, table);
  const keys = table.key === null ? null : rows.map((row) => keyOf(table, row));
  const size = keys === null ? Math.max(rows.length, 1) : ROW_GROUP_ROWS;
  for (let from = 0; from < rows.length; ) {
    let to = Math.min(from + size, rows.length);
    while (keys !== null && to < rows.length && keys[to] === keys[to - 1]) to += 1;
    writer.append(encodeRowGroup(table, toColumns(table, rows.slice(from, to)), keys?.slice(from, to) ?? []));
    from = to;
  }
  return writer.finish();
}

const sumOf = (results: readonly CompanyResult[], table: number): number =>
  results.reduce((sum, { large }) => sum + (large[table]?.rows ?? 0), 0);

/** Reads the first column of every row group: a file that cannot be read is found before it is published. */
function countRows(directory: string, table: Table, entry: TableFile | undefined): number {
  const [column] = table.columns;
  if (entry === undefined || column === undefined) return -1;
  const reader = new TableReader(directory, table, entry);
  try {
    return reader.column(column.name).length;
  } finally {
    reader.close();
  }
}
