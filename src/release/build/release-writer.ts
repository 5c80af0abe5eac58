/** Writes the tables of one release: the large ones as batches come in, then the families', the small ones at the end. */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { entryOf } from '../../figures/groups.ts';
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
import { keyOf, type Table, toColumns } from '../schema/table.ts';
import { hashColumns, hashTables } from '../store/content-hash.ts';
import { openTable } from '../store/local-table.ts';
import type { Check, TableFile } from '../store/manifest.ts';
import { encodeRowGroup, ROW_GROUP_ROWS } from '../store/row-group.ts';
import type { TablePart } from '../store/table-part.ts';
import type { TableReader } from '../store/table-reader.ts';
import { type FinishedTable, TableSink, TableWriter } from '../store/table-writer.ts';
import type { BatchResult, CompanyResult } from './build-task.ts';
import { LARGE_TABLES } from './build-task.ts';
import type { Family, FamilyContext } from './family.ts';
import { recentInsiders } from './recent-insiders.ts';
import { type CheckInput, checkRelease } from './release-checks.ts';
import { smallTables } from './small-tables.ts';

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

  /** Batches come in order of cik. */
  append({ companies, parts }: BatchResult): void {
    for (const part of parts) this.put(part);
    this.#results.push(...companies);
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
    const { companies, securities } = smallTables(this.#results, companyOfTicker);
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
  ): Promise<Written> {
    const small = smallTables(this.#results, companyOfTicker, screenSince);
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
    const finished = [...core, ...others, ...this.#finished, ...(await this.#copies())];
    const missing = CORE_TABLES.find(({ name }) => !core.some(({ table }) => table.name === name));
    if (missing !== undefined) throw new Error(`the release was written without ${missing.name}`);
    const counts = await Promise.all(
      finished.map(async ({ table, file, rows }) => ({
        table: table.name,
        made: rows,
        readBack: await countRows(this.#directory, table, file),
      })),
    );
    return {
      contentHash: hashTables(finished.map(({ table, hash }) => [table.name, hash])),
      tables: Object.fromEntries(finished.map(({ table, file, hash }) => [table.name, { ...file, content: hash }])),
      checks: [
        ...checkRelease({ results: this.#results, tables: small, counts, omitted: this.#omitted, ...compared }),
        ...this.#checks,
      ],
      companies: small.companies.length,
      contested: small.contested,
      outdated: small.outdated,
    };
  }

  /** Tables whose rows stand in finished ones too, in another order. */
  async #copies(): Promise<FinishedTable[]> {
    const made = new Map(this.#finished.map((one) => [one.table.name, one]));
    if (!made.has(INSIDER_DAYS.name)) return [];
    const open = new Map<string, TableReader<unknown>>();
    const reader = <Row>(table: Table<Row>) =>
      entryOf(open, table.name, () => {
        const file = made.get(table.name)?.file;
        if (file === undefined) throw new Error(`there is no table ${table.name} to read`);
        return openTable(this.#directory, table as Table, file);
      }) as TableReader<Row>;
    try {
      const copies = await recentInsiders({
        allOf: (table) => reader(table).all(),
        rowsOf: (table, key) => reader(table).rowsOf(key),
      });
      return copies.map(({ table, rows }) => this.#writeWhole(table, rows));
    } finally {
      for (const table of open.values()) table.close();
    }
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

  /** Tables with a key in small row groups, so that the rows of one key are read fast; the others in one, as they are read whole. */
  #writeWhole<Row>(table: Table<Row>, rows: readonly Row[]): FinishedTable {
    const writer = new TableWriter(this.#directory, table);
    const keys = table.key === null ? null : rows.map((row) => keyOf(table, row));
    const size = keys === null ? Math.max(rows.length, 1) : (table.groupRows ?? ROW_GROUP_ROWS);
    for (let from = 0; from < rows.length; ) {
      let to = Math.min(from + size, rows.length);
      while (keys !== null && to < rows.length && keys[to] === keys[to - 1]) to += 1;
      const part = toColumns(table, rows.slice(from, to));
      writer.append(encodeRowGroup(table, part, keys === null ? [] : keys.slice(from, to)));
      from = to;
    }
    return { table, file: writer.finish(), hash: hashColumns(toColumns(table, rows)), rows: rows.length };
  }
}

/** Reads the first column of every row group: a file that cannot be read is found before it is published. */
async function countRows(directory: string, table: Table, file: TableFile): Promise<number> {
  const [column] = table.columns;
  if (column === undefined) throw new Error(`${table.name} has no columns`);
  const reader = openTable(directory, table, file);
  try {
    return (await reader.column(column.name)).length;
  } finally {
    reader.close();
  }
}
