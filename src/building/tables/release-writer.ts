/**
 * Writes the tables of one release: large tables while companies are derived, then the families' tables, then the
 * small ones.
 */
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { assertDefined } from '../../platform/assert-defined.ts';
import { syncFiles } from '../../platform/atomic-write.ts';
import { systemFailure } from '../../platform/system-error.ts';
import { hashTables } from '../../store/content-hash.ts';
import type { Check, TableFile } from '../../store/manifest.ts';
import { COMPANIES, SECURITIES } from '../../store/schema/companies.ts';
import { FORMER_NAMES } from '../../store/schema/former-names.ts';
import { INSIDER_DAYS } from '../../store/schema/insiders.ts';
import { CORE_TABLES } from '../../store/schema/layout.ts';
import {
  LISTINGS_BY_COMPANY,
  LISTINGS_BY_NAME,
  LISTINGS_BY_TICKER,
  listingRows,
  listingsOf,
} from '../../store/schema/listings.ts';
import { SPLITS } from '../../store/schema/reported-values.ts';
import { COVERAGE, SCREEN } from '../../store/schema/screen.ts';
import type { Table } from '../../store/schema/table.ts';
import type { TablePart } from '../../store/table-part.ts';
import { type FinishedTable, TableSink, TableWriter } from '../../store/table-writer.ts';
import type { Results } from '../build-task.ts';
import type { CompaniesResult } from '../companies/company-batch.ts';
import { mergeFindings, NO_FINDINGS } from '../companies/company-checks.ts';
import { type CompanyResult, LARGE_TABLES } from '../companies/company-task.ts';
import { addCovered } from '../companies/coverage.ts';
import type { Family, FamilyContext } from '../family.ts';
import type { BuildWorkers } from '../tasks/worker-pool.ts';
import { TABLES_OF_INSIDERS } from './recent-insiders.ts';
import { type CheckInput, checkRelease } from './release-checks.ts';
import { type SmallTables, smallTables } from './small-tables.ts';
import { type WholeTable, wholeTable } from './whole-table.ts';

export interface Written {
  readonly contentHash: string;
  readonly tables: Readonly<Record<string, TableFile>>;
  readonly checks: readonly Check[];
  readonly companies: number;
  /** Tickers that more than one company claims. */
  readonly contested: number;
  /** Number of companies left out of the screen because all their figures are too old. */
  readonly outdated: number;
}

/** The part of the families' context that all families share. */
export type BuildContext = Pick<FamilyContext, 'reports' | 'market' | 'lists' | 'segments' | 'date' | 'skipped'> & {
  /** The company that the ticker lists name, by normalized ticker. */
  readonly companyOfTicker: ReadonlyMap<string, number>;
  readonly problems: string[];
};

/** The release to compare with, and what may be missing in the new one. */
type Compared = Pick<CheckInput, 'today' | 'before' | 'allowLoss'> & { readonly screenSince: string | null };

/** A table on disk, and the number of rows read back from it. */
type ReadTable = FinishedTable & { readonly readBack: number };

interface FamilyTables {
  readonly tables: readonly ReadTable[];
  /** Tables that repeat the rows of others. */
  readonly copies: readonly ReadTable[];
  readonly omitted: readonly string[];
  readonly checks: readonly Check[];
  readonly problems: readonly string[];
}

export class ReleaseWriter {
  readonly #directory: string;
  readonly #results: CompanyResult[] = [];
  readonly #coverage = new Map<string, number>();
  #findings = NO_FINDINGS;
  /** Sinks by table name. */
  readonly #sinks = new Map<string, TableSink<unknown>>();

  /** @param families the families whose tables may be written in parts */
  constructor(directory: string, families: readonly Family[]) {
    this.#directory = directory;
    for (const table of [...Object.values(LARGE_TABLES), ...families.flatMap((family) => family.tables)]) {
      this.#sinks.set(table.name, new TableSink<unknown>(directory, table as Table));
    }
  }

  /** Companies must be appended in order of CIK. */
  append({ companies, findings, covered, parts }: CompaniesResult): void {
    for (const part of parts) this.put(part);
    this.#results.push(...companies);
    this.#findings = mergeFindings(this.#findings, findings);
    addCovered(this.#coverage, covered);
  }

  /** Appends a part to its table. */
  put(part: TablePart): void {
    this.#sinkOf(part.table).append(part);
  }

  /**
   * Makes the families' tables and the small tables in parallel; reads each back and syncs it to disk as soon as it
   * is written; then runs the checks.
   */
  async finish(
    families: readonly Family[],
    context: BuildContext,
    { screenSince, ...compared }: Compared,
    workers: BuildWorkers,
  ): Promise<Written> {
    const small = smallTables(this.#results, this.#coverage, context.companyOfTicker, context.date, screenSince);
    const [made, own] = await workers.all([
      workers.all(families.map((family) => this.#family(family, small, context, workers))),
      this.#companyTables(small, workers),
    ]);
    for (const { problems } of made) context.problems.push(...problems);
    const finished = [...own, ...made.flatMap(({ tables }) => tables), ...made.flatMap(({ copies }) => copies)];
    const missing = CORE_TABLES.find(({ name }) => !own.some(({ table }) => table.name === name));
    if (missing !== undefined) throw new Error(`the release was written without ${missing.name}`);
    const checked = {
      ...{ results: this.#results, findings: this.#findings, tables: small, date: context.date, ...compared },
      omitted: made.flatMap(({ omitted }) => omitted),
      counts: finished.map(({ table, rows, readBack }) => ({ table: table.name, made: rows, readBack })),
    };
    return {
      contentHash: hashTables(finished.map(({ table, file }) => [table.name, file.content])),
      tables: Object.fromEntries(finished.map(({ table, file }) => [table.name, file])),
      checks: [...checkRelease(checked), ...made.flatMap(({ checks }) => checks)],
      companies: small.companies.length,
      contested: small.contested,
      outdated: small.outdated,
    };
  }

  /** The tables of companies. The large ones were written while companies were derived. */
  async #companyTables(small: SmallTables, { results }: BuildWorkers): Promise<ReadTable[]> {
    const { companies, securities, formerNames } = small;
    const listings = listingRows(listingsOf(companies, securities), formerNames);
    const makers = [
      () => this.#writeWhole(COMPANIES, companies),
      () => this.#writeWhole(SECURITIES, securities),
      () => this.#sinkOf(LARGE_TABLES.reportedValues.name).finish(),
      () => this.#writeWhole(SPLITS, small.splits),
      () => this.#sinkOf(LARGE_TABLES.rawConcepts.name).finish(),
      () => this.#writeWhole(SCREEN, small.screen),
      () => this.#writeWhole(COVERAGE, small.coverage),
      () => this.#writeWhole(FORMER_NAMES, formerNames),
      () => this.#sinkOf(LARGE_TABLES.latestFigures.name).finish(),
      () => this.#writeWhole(LISTINGS_BY_TICKER, listings.byTicker),
      () => this.#writeWhole(LISTINGS_BY_COMPANY, listings.byCompany),
      () => this.#writeWhole(LISTINGS_BY_NAME, listings.byName),
    ];
    const finished: FinishedTable[] = [];
    for (const make of makers) {
      finished.push(make());
      // Lets workers that have finished a task start their next one.
      await setImmediate();
    }
    return this.#readBack(finished, results);
  }

  async #family(
    family: Family,
    { companies, securities }: SmallTables,
    context: BuildContext,
    workers: BuildWorkers,
  ): Promise<FamilyTables> {
    const { results } = workers;
    const own = new Set(family.tables.map(({ name }) => name));
    const sinkOf = (name: string) => {
      if (!own.has(name)) throw new Error(`the family ${family.name} has no table ${name}`);
      return this.#sinkOf(name);
    };
    const sink = <Row>({ name }: Table<Row>) => sinkOf(name) as TableSink<Row>;
    const append = (part: TablePart) => sinkOf(part.table).append(part);
    const omitted = new Set<string>();
    const omit = (tables: readonly Table[]) => {
      for (const { name } of tables) omitted.add(name);
    };
    const problems: string[] = [];
    const given = { problems, results, companies, securities, sink, append, omit };
    const checks = await family.build({ ...context, ...given });
    const finished: FinishedTable[] = [];
    for (const name of own) {
      if (omitted.has(name)) this.#sinkOf(name).omit();
      else finished.push(this.#sinkOf(name).finish());
    }
    const [tables, copies] = await workers.all([
      this.#readBack(finished, results),
      this.#copies(finished, results).then((made) => this.#readBack(made, results)),
    ]);
    return { tables, copies, omitted: [...omitted], checks, problems };
  }

  /** Syncs tables to disk and returns them with the number of rows read back. */
  async #readBack(finished: readonly FinishedTable[], results: Results): Promise<ReadTable[]> {
    const synced = this.#sync(finished);
    // Handles a rejection that comes before `synced` is awaited below.
    synced.catch(() => undefined);
    const tasks = finished.map(
      ({ table, file }) => ({ kind: 'read back', path: this.#directory, table, file }) as const,
    );
    const read: ReadTable[] = [];
    for await (const { rows: readBack } of results(tasks)) {
      read.push({ ...assertDefined(finished[read.length]), readBack });
    }
    await synced;
    return read;
  }

  async #sync(finished: readonly FinishedTable[]): Promise<void> {
    const names = finished.flatMap(({ file }) => [file.file, ...(file.index === undefined ? [] : [file.index.file])]);
    try {
      await syncFiles(names.map((name) => join(this.#directory, name)));
    } catch (cause) {
      throw systemFailure('data', `The release files in ${this.#directory} cannot be written`, cause);
    }
  }

  /** Makes the tables that repeat rows of finished tables in another order. */
  async #copies(finished: readonly FinishedTable[], results: Results): Promise<FinishedTable[]> {
    const made = new Map(finished.map((one) => [one.table.name, one]));
    if (!made.has(INSIDER_DAYS.name)) return [];
    const from = TABLES_OF_INSIDERS.map(({ name }) => assertDefined(made.get(name)).file);
    const copies: FinishedTable[] = [];
    for await (const { whole } of results([{ kind: 'recent insiders', path: this.#directory, from }])) {
      copies.push(...whole.map((one) => this.#write(one)));
    }
    return copies;
  }

  /** Closes open files. Call it at the end of a build, successful or not. */
  abandon(): void {
    for (const sink of this.#sinks.values()) sink.abandon();
  }

  #sinkOf(name: string): TableSink<unknown> {
    const sink = this.#sinks.get(name);
    if (sink === undefined) throw new Error(`the table ${name} is not made in parts`);
    return sink;
  }

  #writeWhole<Row>(table: Table<Row>, rows: readonly Row[]): FinishedTable {
    return this.#write(wholeTable(table, rows));
  }

  #write({ table, groups, rows }: WholeTable): FinishedTable {
    const writer = new TableWriter(this.#directory, table);
    for (const group of groups) writer.append(group);
    return { table, file: writer.finish(), rows };
  }
}
