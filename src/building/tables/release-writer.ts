/**
 * Writes the tables of a release: large tables while companies are derived, then the families' tables and the small
 * tables.
 */

import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { assertDefined } from '../../platform/collections.ts';
import { syncFiles } from '../../platform/files/atomic-write.ts';
import { makeSystemFailure } from '../../platform/files/system-error.ts';
import { hashTables } from '../../store/releases/manifest.ts';
import { COMPANIES, FORMER_NAMES, SECURITIES } from '../../store/schema/companies.ts';
import type { Table } from '../../store/schema/declare-table.ts';
import { INSIDER_DAYS } from '../../store/schema/insiders.ts';
import { CORE_TABLES } from '../../store/schema/layout.ts';
import {
  BRANDS,
  joinListings,
  LISTINGS_BY_COMPANY,
  LISTINGS_BY_NAME,
  LISTINGS_BY_TICKER,
  toListingRows,
} from '../../store/schema/listings.ts';
import { EVIDENCE, SPLITS } from '../../store/schema/reported-values.ts';
import { COVERAGE, SCREEN } from '../../store/schema/screen.ts';
import { encodeWholeTable, type TablePart, type WholeTable } from '../../store/table-part.ts';
import { type FinishedTable, TableSink } from '../../store/table-writer.ts';
import type { CompaniesResult } from '../companies/company-batch.ts';
import { listDecisions, mergeFindings, NO_FINDINGS } from '../companies/company-checks.ts';
import { type CompanyResult, LARGE_TABLES, toEvidenceRow } from '../companies/company-task.ts';
import type { FamilyContext, TableFamily } from '../families/family.ts';
import type { BuildInputs } from '../sources/build-inputs.ts';
import { addEach } from '../tasks/reading.ts';
import type { BuildWorkers, RunTasks } from '../tasks/task.ts';
import type { ReadBackTask } from './read-back.ts';
import { RECENT_SOURCES, type RecentInsidersTask } from './recent-insiders.ts';
import { type CheckInput, checkRelease } from './release-checks.ts';
import { makeSmallTables, type SmallTables } from './small-tables.ts';

/** The context of families without the fields that differ by family. */
type BuildContext = Omit<
  FamilyContext,
  'companies' | 'securities' | 'findings' | 'sinkOf' | 'appendPart' | 'runTasks' | 'omitTables'
> &
  Pick<BuildInputs, 'cikByTicker'>;

/**
 * Settings of the final checks. Companies whose figures all end before `screenSince` are omitted from the screener;
 * null omits none.
 */
type FinishOptions = Pick<CheckInput, 'today' | 'previousRelease' | 'allowsLoss'> & { screenSince: string | null };

/** A finished table, and the number of rows read back from its files. */
type VerifiedTable = FinishedTable & { readonly rowsReadBack: number };

export class ReleaseWriter {
  readonly #results: CompanyResult[] = [];
  readonly #companyCountByKey = new Map<string, number>();
  #findings = NO_FINDINGS;
  /** Sinks of large tables and families' tables, by table name. */
  readonly #sinkByTableName = new Map<string, TableSink<unknown>>();

  /** @param families families whose tables may be written in parts */
  constructor(
    private readonly directory: string,
    private readonly families: readonly TableFamily[],
  ) {
    for (const table of [...Object.values(LARGE_TABLES), ...families.flatMap((family) => family.tables)])
      this.#sinkByTableName.set(table.name, new TableSink<unknown>(directory, table as Table));
  }

  /** Adds a batch of companies. Batches must be in order of CIK. */
  append({ companies, findings, coveredCounts, parts }: CompaniesResult): void {
    for (const part of parts) this.appendPart(part);
    this.#results.push(...companies);
    this.#findings = mergeFindings(this.#findings, findings);
    addEach(this.#companyCountByKey, coveredCounts);
  }

  appendPart(part: TablePart): void {
    this.#findSink(part.table).append(part);
  }

  /**
   * Makes the families' tables and the small tables in parallel. When the tables of a family, or the tables of
   * companies, are finished, reads them back and syncs them to disk. Then runs the checks.
   */
  async finish(context: BuildContext, { screenSince, ...checkOptions }: FinishOptions, workers: BuildWorkers) {
    const small = makeSmallTables(this.#results, this.#companyCountByKey, context, screenSince);
    const [familyTables, companyTables] = await workers.awaitAll([
      workers.awaitAll(this.families.map((family) => this.#writeFamily(family, small, context, workers))),
      this.#writeCompanyTables(small, workers),
    ]);
    for (const { problems } of familyTables) context.problems.push(...problems);
    const outputs = [
      ...companyTables,
      ...familyTables.flatMap(({ tables }) => tables),
      ...familyTables.flatMap(({ copiedTables }) => copiedTables),
    ];
    const missing = CORE_TABLES.find(({ name }) => !companyTables.some(({ table }) => table.name === name));
    if (missing !== undefined) throw new Error(`the release was written without ${missing.name}`);
    const checkInput = {
      ...{ results: this.#results, findings: this.#findings, tables: small, date: context.date, ...checkOptions },
      omittedTables: familyTables.flatMap(({ omittedTables }) => omittedTables),
      counts: outputs.map(({ table, rows, rowsReadBack }) => ({ table: table.name, writtenRows: rows, rowsReadBack })),
    };
    return {
      contentHash: hashTables(outputs.map(({ table, file }) => [table.name, file.content])),
      tables: Object.fromEntries(outputs.map(({ table, file }) => [table.name, file])),
      checks: [...checkRelease(checkInput), ...familyTables.flatMap(({ checks }) => checks)],
      evidence: listDecisions(this.#findings),
      companyCount: small.companies.length,
      contestedTickers: small.contestedTickers,
      outdatedScreenRows: small.outdatedScreenRows,
    };
  }

  /** Finishes the tables of companies; the large tables were written while companies were derived. */
  async #writeCompanyTables(small: SmallTables, { runTasks }: BuildWorkers): Promise<VerifiedTable[]> {
    const { companies, securities, formerNames } = small;
    const listings = toListingRows(joinListings(companies, securities), formerNames);
    const writers = [
      () => this.#writeWhole(COMPANIES, companies),
      () => this.#writeWhole(SECURITIES, securities),
      () => this.#findSink(LARGE_TABLES.reportedValues.name).finish(),
      () => this.#writeWhole(SPLITS, small.splits),
      () => this.#findSink(LARGE_TABLES.rawConcepts.name).finish(),
      () => this.#writeWhole(SCREEN, small.screen),
      () => this.#writeWhole(COVERAGE, small.coverage),
      () => this.#writeWhole(FORMER_NAMES, formerNames),
      () => this.#findSink(LARGE_TABLES.latestFigures.name).finish(),
      () => this.#writeWhole(LISTINGS_BY_TICKER, listings.byTicker),
      () => this.#writeWhole(LISTINGS_BY_COMPANY, listings.byCompany),
      () => this.#writeWhole(LISTINGS_BY_NAME, listings.byName),
      () => this.#writeWhole(BRANDS, small.brands),
      () => this.#writeWhole(EVIDENCE, this.#results.map(toEvidenceRow)),
    ];
    const tables: FinishedTable[] = [];
    for (const write of writers) {
      tables.push(write());
      // Gives the event loop a turn, so that idle workers get their next task.
      await setImmediate();
    }
    return this.#readBack(tables, runTasks);
  }

  async #writeFamily(family: TableFamily, small: SmallTables, context: BuildContext, workers: BuildWorkers) {
    const { companies, securities } = small;
    const { runTasks } = workers;
    const names = new Set(family.tables.map(({ name }) => name));
    const findFamilySink = (name: string) => {
      if (!names.has(name)) throw new Error(`the family ${family.name} has no table ${name}`);
      return this.#findSink(name);
    };
    const findSink = <Row>({ name }: Table<Row>) => findFamilySink(name) as TableSink<Row>;
    const appendPart = (part: TablePart) => findFamilySink(part.table).append(part);
    const omitted = new Set<string>();
    const omitTables = (tables: readonly Table[]) => {
      for (const { name } of tables) omitted.add(name);
    };
    const problems: string[] = [];
    const parts = { problems, runTasks, companies, securities, findings: this.#findings };
    const checks = await family.build({ ...context, ...parts, sinkOf: findSink, appendPart, omitTables });
    const finishedTables: FinishedTable[] = [];
    for (const name of names) {
      if (omitted.has(name)) this.#findSink(name).omit();
      else finishedTables.push(this.#findSink(name).finish());
    }
    const [tables, copies] = await workers.awaitAll([
      this.#readBack(finishedTables, runTasks),
      this.#writeRecentInsiders(finishedTables, runTasks).then((tables) => this.#readBack(tables, runTasks)),
    ]);
    return { tables, copiedTables: copies, omittedTables: [...omitted], checks, problems };
  }

  /** Syncs tables to disk, reads each table back, and adds the number of rows that were read. */
  async #readBack(tables: readonly FinishedTable[], runTasks: RunTasks): Promise<VerifiedTable[]> {
    const synced = this.#sync(tables);
    // Prevents an unhandled rejection before `synced` is awaited below.
    synced.catch(() => undefined);
    const tasks = tables.map(
      ({ table, file }): ReadBackTask => ({ kind: 'read back', path: this.directory, table, file }),
    );
    const verified: VerifiedTable[] = [];
    for await (const { rows: count } of runTasks(tasks))
      verified.push({ ...assertDefined(tables[verified.length]), rowsReadBack: count });
    await synced;
    return verified;
  }

  async #sync(tables: readonly FinishedTable[]): Promise<void> {
    const names = tables.flatMap(({ file }) => [file.file, ...(file.index === undefined ? [] : [file.index.file])]);
    try {
      await syncFiles(names.map((name) => join(this.directory, name)));
    } catch (cause) {
      throw makeSystemFailure('data', `The release files in ${this.directory} cannot be written`, cause);
    }
  }

  /** Makes the tables of recent insider filings, which repeat rows of finished tables, sorted by filing date. */
  async #writeRecentInsiders(tables: readonly FinishedTable[], runTasks: RunTasks): Promise<FinishedTable[]> {
    const byName = new Map(tables.map((table) => [table.table.name, table]));
    if (!byName.has(INSIDER_DAYS.name)) return [];
    const tableFiles = RECENT_SOURCES.map(({ name }) => assertDefined(byName.get(name)).file);
    const copies: FinishedTable[] = [];
    const task: RecentInsidersTask = { kind: 'recent insiders', path: this.directory, tableFiles };
    for await (const { wholeTables } of runTasks([task]))
      copies.push(...wholeTables.map((wholeTable) => this.#writeEncoded(wholeTable)));
    return copies;
  }

  /** Closes open files. Must be called at the end of every build, successful or not. */
  abandon(): void {
    for (const sink of this.#sinkByTableName.values()) sink.abandon();
  }

  #findSink(name: string): TableSink<unknown> {
    const sink = this.#sinkByTableName.get(name);
    if (sink === undefined) throw new Error(`no sink was created for the table ${name}`);
    return sink;
  }

  #writeWhole<Row>(table: Table<Row>, rows: readonly Row[]): FinishedTable {
    return this.#writeEncoded(encodeWholeTable(table, rows));
  }

  #writeEncoded({ table, part }: WholeTable): FinishedTable {
    const sink = new TableSink(this.directory, table);
    sink.append(part);
    return sink.finish();
  }
}
