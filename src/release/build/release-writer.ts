/** Writes the tables of one release: the large ones as companies come in, then the families', the small ones at the end. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { present } from '../../figures/present.ts';
import { syncFiles } from '../../platform/atomic-write.ts';
import { systemFailure } from '../../platform/system-error.ts';
import { COMPANIES, SECURITIES } from '../schema/companies.ts';
import { FORMER_NAMES } from '../schema/former-names.ts';
import { INSIDER_DAYS } from '../schema/insiders.ts';
import { CORE_TABLES } from '../schema/layout.ts';
import {
  LISTINGS_BY_COMPANY,
  LISTINGS_BY_NAME,
  LISTINGS_BY_TICKER,
  listingRows,
  listingsOf,
} from '../schema/listings.ts';
import { SPLITS } from '../schema/reported-values.ts';
import { COVERAGE, SCREEN } from '../schema/screen.ts';
import type { Table } from '../schema/table.ts';
import { hashTables } from '../store/content-hash.ts';
import type { Check, TableFile } from '../store/manifest.ts';
import type { TablePart } from '../store/table-part.ts';
import { type FinishedTable, TableSink, TableWriter } from '../store/table-writer.ts';
import type { Results } from './build-task.ts';
import type { CompaniesResult } from './company-batch.ts';
import { mergeFindings, NO_FINDINGS } from './company-checks.ts';
import { type CompanyResult, LARGE_TABLES } from './company-task.ts';
import { addCovered } from './coverage.ts';
import type { Family, FamilyContext } from './family.ts';
import { TABLES_OF_INSIDERS } from './recent-insiders.ts';
import { type CheckInput, checkRelease } from './release-checks.ts';
import { smallTables } from './small-tables.ts';
import { type WholeTable, wholeTable } from './whole-table.ts';

export interface Written {
  readonly contentHash: string;
  readonly tables: Readonly<Record<string, TableFile>>;
  readonly checks: readonly Check[];
  readonly companies: number;
  /** Tickers that more than one company claims. */
  readonly contested: number;
  /** Companies that are not in the screen because all their figures are older than was asked for. */
  readonly outdated: number;
}

/** What a build gives every family alike. */
export type BuildContext = Pick<
  FamilyContext,
  'from' | 'reports' | 'market' | 'lists' | 'date' | 'skipped' | 'problems' | 'signal' | 'results'
>;

export class ReleaseWriter {
  readonly #directory: string;
  readonly #results: CompanyResult[] = [];
  readonly #coverage = new Map<string, number>();
  #findings = NO_FINDINGS;
  /** By name. */
  readonly #sinks = new Map<string, TableSink<unknown>>();
  readonly #finished: FinishedTable[] = [];
  readonly #checks: Check[] = [];
  readonly #omitted: string[] = [];

  /** @param families whose tables may come in parts */
  constructor(directory: string, families: readonly Family[]) {
    this.#directory = directory;
    for (const table of [...Object.values(LARGE_TABLES), ...families.flatMap((family) => family.tables)]) {
      this.#sinks.set(table.name, new TableSink<unknown>(directory, table as Table));
    }
  }

  /** Companies come in order of cik. */
  append({ companies, findings, covered, parts }: CompaniesResult): void {
    for (const part of parts) this.put(part);
    this.#results.push(...companies);
    this.#findings = mergeFindings(this.#findings, findings);
    addCovered(this.#coverage, covered);
  }

  /** Puts a part after what its table has. */
  put(part: TablePart): void {
    this.#sinkOf(part.table).append(part);
  }

  /** Builds each family's tables, its own companies and securities before it. */
  async build(
    families: readonly Family[],
    companyOfTicker: ReadonlyMap<string, number>,
    context: BuildContext,
  ): Promise<void> {
    const { companies, securities } = smallTables(this.#results, this.#coverage, companyOfTicker);
    for (const family of families) {
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
      const scratch = join(this.#directory, `.scratch-${family.name}`);
      const made = { companies, securities, scratch, sink, append, omit };
      this.#checks.push(...(await family.build({ ...context, ...made })));
      await rm(scratch, { recursive: true, force: true });
      this.#omitted.push(...omitted);
      for (const name of own) {
        if (omitted.has(name)) this.#sinkOf(name).omit();
        else this.#finished.push(this.#sinkOf(name).finish());
      }
      context.signal?.throwIfAborted();
    }
  }

  /** Writes what is left, reads all of it back, and makes the checks. */
  async finish(
    companyOfTicker: ReadonlyMap<string, number>,
    {
      screenSince,
      ...compared
    }: Pick<CheckInput, 'date' | 'today' | 'before' | 'allowLoss'> & { readonly screenSince: string | null },
    results: Results,
  ): Promise<Written> {
    const small = smallTables(this.#results, this.#coverage, companyOfTicker, screenSince);
    const listings = listingRows(listingsOf(small.companies, small.securities), small.formerNames);
    const core = [
      this.#writeWhole(
        COMPANIES,
        this.#results.map(({ company, filings }) => ({ ...company, ...filings })),
      ),
      this.#writeWhole(SECURITIES, small.securities),
      this.#sinkOf(LARGE_TABLES.reportedValues.name).finish(),
      this.#writeWhole(SPLITS, small.splits),
      this.#sinkOf(LARGE_TABLES.rawConcepts.name).finish(),
      this.#writeWhole(SCREEN, small.screen),
      this.#writeWhole(COVERAGE, small.coverage),
    ];
    const others = [
      this.#writeWhole(FORMER_NAMES, small.formerNames),
      this.#sinkOf(LARGE_TABLES.latestFigures.name).finish(),
      this.#writeWhole(LISTINGS_BY_TICKER, listings.byTicker),
      this.#writeWhole(LISTINGS_BY_COMPANY, listings.byCompany),
      this.#writeWhole(LISTINGS_BY_NAME, listings.byName),
    ];
    const finished = [...core, ...others, ...this.#finished, ...(await this.#copies(results))];
    const missing = CORE_TABLES.find(({ name }) => !core.some(({ table }) => table.name === name));
    if (missing !== undefined) throw new Error(`the release was written without ${missing.name}`);
    const [counts] = await Promise.all([this.#readBack(finished, results), this.#sync(finished)]);
    const made = { results: this.#results, findings: this.#findings, tables: small };
    return {
      contentHash: hashTables(finished.map(({ table, file }) => [table.name, file.content])),
      tables: Object.fromEntries(finished.map(({ table, file }) => [table.name, file])),
      checks: [...checkRelease({ ...made, counts, omitted: this.#omitted, ...compared }), ...this.#checks],
      companies: small.companies.length,
      contested: small.contested,
      outdated: small.outdated,
    };
  }

  async #readBack(finished: readonly FinishedTable[], results: Results): Promise<CheckInput['counts']> {
    const tasks = finished.map(
      ({ table, file }) => ({ kind: 'read back', path: this.#directory, table, file }) as const,
    );
    const counts: CheckInput['counts'][number][] = [];
    for await (const { rows } of results(tasks)) {
      const { table, rows: made } = present(finished[counts.length]);
      counts.push({ table: table.name, made, readBack: rows });
    }
    return counts;
  }

  async #sync(finished: readonly FinishedTable[]): Promise<void> {
    const names = finished.flatMap(({ file }) => [file.file, ...(file.index === undefined ? [] : [file.index.file])]);
    try {
      await syncFiles(names.map((name) => join(this.#directory, name)));
    } catch (cause) {
      throw systemFailure('data', `The release files in ${this.#directory} cannot be written`, cause);
    }
  }

  /** Tables whose rows stand in finished ones too, in another order. */
  async #copies(results: Results): Promise<FinishedTable[]> {
    const made = new Map(this.#finished.map((one) => [one.table.name, one]));
    if (!made.has(INSIDER_DAYS.name)) return [];
    const from = TABLES_OF_INSIDERS.map(({ name }) => present(made.get(name)).file);
    const copies: FinishedTable[] = [];
    for await (const { whole } of results([{ kind: 'recent insiders', path: this.#directory, from }])) {
      copies.push(...whole.map((one) => this.#write(one)));
    }
    return copies;
  }

  /** Closes what is open; for the end of a build, whatever it was. */
  abandon(): void {
    for (const sink of this.#sinks.values()) sink.abandon();
  }

  #sinkOf(name: string): TableSink<unknown> {
    const sink = this.#sinks.get(name);
    if (sink === undefined) throw new Error(`no table ${name} is made in parts`);
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
