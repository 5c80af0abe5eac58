/** The part of a build that any thread can do: a batch of companies in, encoded rows out. */

import type { PublicFiles } from '../../edgar/files/public-files.ts';
import { openPublicFiles } from '../../edgar/files/public-files.ts';
import type { TickerRow } from '../../edgar/filings/tickers.ts';
import type { ScreenFigures } from '../../figures/metrics/screen.ts';
import type { CountedCover } from '../../figures/shares/cover-shares.ts';
import type { Split } from '../../figures/shares/splits.ts';
import type { Company } from '../schema/companies.ts';
import { RAW_CONCEPTS } from '../schema/raw-concepts.ts';
import { REPORTED_VALUES } from '../schema/reported-values.ts';
import type { Cell, Table } from '../schema/table.ts';
import { toColumns } from '../schema/table.ts';
import { hashColumns } from '../store/content-hash.ts';
import type { EncodedRowGroup } from '../store/row-group.ts';
import { encodeRowGroup, ROW_GROUP_ROWS } from '../store/row-group.ts';
import type { CompanyFindings } from './company-checks.ts';
import type { CompanyPart, SecurityClaim, SecurityQuotes } from './company-part.ts';
import { readCompany } from './company-part.ts';
import { laterDay, latestFilingDay } from './filing-days.ts';

/** What all tasks of a build have in common. */
export interface BuildSource {
  readonly path: string;
}

export type BuildTask =
  | {
      readonly kind: 'days';
      readonly ciks: readonly number[];
      /** Whether to look at the facts of companies that have a list of filings. */
      readonly thorough: boolean;
    }
  | {
      readonly kind: 'companies';
      readonly ciks: readonly number[];
      /** The rows of the ticker lists that name one of these. */
      readonly tickers: readonly TickerRow[];
      readonly releaseDate: string;
      /** Share counts that the covers of these companies' reports state. */
      readonly covers: readonly { readonly cik: number; readonly cover: CountedCover }[];
      /** What the market says of these companies' securities; none of a company without prices. */
      readonly quotes: readonly SecurityQuotes[];
    };

/** The tables that grow with the number of facts, and are encoded where the facts are read. */
export const LARGE_TABLES = [REPORTED_VALUES, RAW_CONCEPTS] as const;

/** One company as the writer of the small tables needs it. */
export interface CompanyResult {
  readonly company: Company;
  readonly securities: readonly SecurityClaim[];
  readonly screen: ScreenFigures | null;
  readonly splits: readonly Split[];
  readonly coveredKeys: readonly string[];
  readonly findings: CompanyFindings;
  /** The hash of its rows in each of the large tables, and how many these are. */
  readonly large: readonly { readonly hash: string; readonly rows: number }[];
  readonly conceptFacts: number;
}

export interface BatchResult {
  /** Latest filing day; of a task for companies only of facts that were set aside because they are later than the release. */
  readonly latest: string | null;
  readonly companies: readonly CompanyResult[];
  /** Parallel to the large tables. */
  readonly groups: readonly (readonly EncodedRowGroup[])[];
  readonly factRows: number;
  readonly bytes: number;
  readonly skipped: readonly Readonly<Record<string, number>>[];
  readonly problems: readonly string[];
}

const NOTHING: BatchResult = {
  latest: null,
  companies: [],
  groups: [],
  factRows: 0,
  bytes: 0,
  skipped: [],
  problems: [],
};

/** One thread's hands: the source it has open, and the doing of a task. */
export class TaskRunner {
  readonly #source: BuildSource;
  #files: Promise<PublicFiles> | undefined;

  constructor(source: BuildSource) {
    this.#source = source;
  }

  async run(task: BuildTask): Promise<BatchResult> {
    this.#files ??= openPublicFiles(this.#source.path);
    const files = await this.#files;
    return task.kind === 'days' ? daysOf(files, task) : companiesOf(files, task);
  }

  async close(): Promise<void> {
    (await this.#files?.catch(() => undefined))?.close();
  }
}

async function daysOf(files: PublicFiles, { ciks, thorough }: BuildTask & { kind: 'days' }): Promise<BatchResult> {
  let latest: string | null = null;
  for (const cik of ciks) latest = laterDay(latest, await latestFilingDay(files, cik, thorough, latest));
  return { ...NOTHING, latest };
}

async function companiesOf(files: PublicFiles, task: BuildTask & { kind: 'companies' }): Promise<BatchResult> {
  const stacks = LARGE_TABLES.map((table) => new GroupStack(table as Table));
  const companies: CompanyResult[] = [];
  const skipped: Readonly<Record<string, number>>[] = [];
  const problems: string[] = [];
  let latest: string | null = null;
  let factRows = 0;
  let bytes = 0;
  for (const cik of task.ciks) {
    const tickers = task.tickers.filter((row) => row.cik === cik);
    const quotes = task.quotes.filter((quote) => quote.cik === cik);
    const covers = task.covers.flatMap((one) => (one.cik === cik ? [one.cover] : []));
    const reading = await readCompany(files, cik, tickers, task.releaseDate, quotes, covers);
    skipped.push(reading.skipped);
    problems.push(...reading.problems);
    latest = laterDay(latest, reading.filedLater);
    factRows += reading.factRows;
    bytes += reading.bytes;
    if (reading.part !== null) companies.push(stack(reading.part, stacks));
  }
  const groups = stacks.map((one) => one.done());
  return { latest, companies, groups, factRows, bytes, skipped, problems };
}

/** Puts a company's rows on the stacks of the large tables and keeps the rest of it. */
function stack({ company, securities, figures, findings }: CompanyPart, stacks: readonly GroupStack[]): CompanyResult {
  const { cik } = company;
  const rows = [figures.reportedValues, figures.rawConcepts];
  return {
    company,
    securities,
    screen: figures.screen,
    splits: figures.splits,
    coveredKeys: figures.coveredKeys,
    findings,
    large: stacks.map((one, index) => one.add(cik, rows[index] ?? [])),
    conceptFacts: figures.rawConcepts.reduce((sum, { factCount }) => sum + factCount, 0),
  };
}

/** Gathers whole companies into row groups; one that would overfill a group begins its own. */
class GroupStack {
  readonly #table: Table;
  readonly #groups: EncodedRowGroup[] = [];
  /** The columns of each company gathered. */
  #parts: Cell[][][] = [];
  #ciks: number[] = [];
  #rows = 0;

  constructor(table: Table) {
    this.#table = table;
  }

  add(cik: number, rows: readonly unknown[]): { hash: string; rows: number } {
    const columns = toColumns(this.#table, rows, cik);
    if (rows.length > 0) {
      if (this.#ciks.length > 0 && this.#rows + rows.length > ROW_GROUP_ROWS) this.#close();
      this.#parts.push(columns);
      this.#ciks.push(cik);
      this.#rows += rows.length;
    }
    return { hash: hashColumns(columns), rows: rows.length };
  }

  done(): readonly EncodedRowGroup[] {
    if (this.#ciks.length > 0) this.#close();
    return this.#groups;
  }

  #close(): void {
    // Not flatMap, which goes cell by cell and takes twenty times as long.
    const none: Cell[] = [];
    const columns = this.#table.columns.map((_, index) => none.concat(...this.#parts.map((part) => part[index] ?? [])));
    this.#groups.push(encodeRowGroup(this.#table, columns, this.#ciks));
    this.#parts = [];
    this.#ciks = [];
    this.#rows = 0;
  }
}
