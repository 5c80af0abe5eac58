/** The part of a build that any thread can do: a batch of companies in, encoded rows out. */

import type { StatedFiling } from '../../edgar/facts/company-facts.ts';
import type { PublicFiles } from '../../edgar/files/public-files.ts';
import { openPublicFiles } from '../../edgar/files/public-files.ts';
import type { FormerName } from '../../edgar/filings/submissions.ts';
import type { TickerRow } from '../../edgar/filings/tickers.ts';
import type { ScreenFigures } from '../../figures/metrics/screen.ts';
import type { CountedCover } from '../../figures/shares/cover-shares.ts';
import type { Split } from '../../figures/shares/splits.ts';
import type { Company } from '../schema/companies.ts';
import { LATEST_FIGURES } from '../schema/latest-figures.ts';
import { RAW_CONCEPTS, REPORTED_VALUES } from '../schema/reported-values.ts';
import { type Cell, type Table, toColumns } from '../schema/table.ts';
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
      readonly today: string;
    }
  | {
      readonly kind: 'companies';
      readonly ciks: readonly number[];
      /** The rows of the ticker lists that name one of these. */
      readonly tickers: readonly TickerRow[];
      readonly releaseDate: string;
      /** Nothing can have been filed after it. */
      readonly today: string;
      /** Share counts that the covers of these companies' reports state. */
      readonly covers: readonly { readonly cik: number; readonly cover: CountedCover }[];
      /** The prices of these companies' securities; none of a company without prices. */
      readonly quotes: readonly SecurityQuotes[];
    };

/** The tables that grow with the number of facts, and are encoded where the facts are read; by what holds their rows. */
export const LARGE_TABLES = {
  reportedValues: REPORTED_VALUES,
  latestFigures: LATEST_FIGURES,
  rawConcepts: RAW_CONCEPTS,
} as const;

export type LargeTable = keyof typeof LARGE_TABLES;
export type OfLargeTables<T> = Readonly<Record<LargeTable, T>>;

export const ofLargeTables = <T>(make: (name: LargeTable) => T): OfLargeTables<T> => ({
  reportedValues: make('reportedValues'),
  latestFigures: make('latestFigures'),
  rawConcepts: make('rawConcepts'),
});

/** One company as the writer of the small tables needs it. */
export interface CompanyResult {
  readonly company: Company;
  readonly securities: readonly SecurityClaim[];
  readonly formerNames: readonly FormerName[];
  readonly screen: ScreenFigures | null;
  readonly splits: readonly Split[];
  readonly coveredKeys: readonly string[];
  readonly findings: CompanyFindings;
  /** Filings that figures were read from and the company's list lacks. */
  readonly unlisted: readonly StatedFiling[];
  /** The hash of its rows in each of the large tables, and how many these are. */
  readonly large: OfLargeTables<{ readonly hash: string; readonly rows: number }>;
  readonly conceptFacts: number;
}

export interface BatchResult {
  /** Latest filing day; of a task for companies only of facts that were skipped because they are later than the release. */
  readonly latest: string | null;
  readonly companies: readonly CompanyResult[];
  readonly rowGroups: OfLargeTables<readonly EncodedRowGroup[]>;
  readonly factRows: number;
  readonly bytes: number;
  readonly skipped: readonly Readonly<Record<string, number>>[];
  readonly problems: readonly string[];
}

const NOTHING: BatchResult = {
  latest: null,
  companies: [],
  rowGroups: ofLargeTables(() => []),
  factRows: 0,
  bytes: 0,
  skipped: [],
  problems: [],
};

/** Does tasks one at a time, with the public files opened once. */
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

async function daysOf(
  files: PublicFiles,
  { ciks, thorough, today }: BuildTask & { kind: 'days' },
): Promise<BatchResult> {
  let latest: string | null = null;
  for (const cik of ciks)
    latest = laterDay(latest, await latestFilingDay(files, cik, { thorough, since: latest, today }));
  return { ...NOTHING, latest };
}

async function companiesOf(files: PublicFiles, task: BuildTask & { kind: 'companies' }): Promise<BatchResult> {
  const buffers = ofLargeTables((name) => new RowGroupBuffer(LARGE_TABLES[name]));
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
    const reading = await readCompany(files, cik, tickers, task, quotes, covers);
    skipped.push(reading.skipped);
    problems.push(...reading.problems);
    latest = laterDay(latest, reading.filedLater);
    factRows += reading.factRows;
    bytes += reading.bytes;
    if (reading.part !== null) companies.push(keep(reading.part, buffers));
  }
  const rowGroups = ofLargeTables((name) => buffers[name].done());
  return { latest, companies, rowGroups, factRows, bytes, skipped, problems };
}

/** Puts a company's rows of the large tables into their buffers; returns the rest of it. */
function keep(
  { company, securities, formerNames, figures, findings, unlisted }: CompanyPart,
  buffers: OfLargeTables<RowGroupBuffer>,
): CompanyResult {
  return {
    company,
    securities,
    formerNames,
    screen: figures.screen,
    splits: figures.splits,
    coveredKeys: figures.coveredKeys,
    findings,
    unlisted,
    large: ofLargeTables((name) => buffers[name].add(company.cik, figures[name])),
    conceptFacts: figures.rawConcepts.reduce((sum, { factCount }) => sum + factCount, 0),
  };
}

/** Gathers whole companies into row groups; one that would overfill a group begins its own. */
class RowGroupBuffer {
  readonly #table: Table;
  readonly #groups: EncodedRowGroup[] = [];
  /** Of each column, the cells of each company gathered. */
  #columns: Cell[][][];
  #ciks: number[] = [];
  #rows = 0;

  constructor(table: Table) {
    this.#table = table;
    this.#columns = table.columns.map(() => []);
  }

  add(cik: number, rows: readonly unknown[]): { hash: string; rows: number } {
    const columns = toColumns(this.#table, rows, cik);
    if (rows.length > 0) {
      if (this.#ciks.length > 0 && this.#rows + rows.length > ROW_GROUP_ROWS) this.#close();
      for (const [index, cells] of columns.entries()) this.#columns[index]?.push(cells);
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
    // Not flat, which goes cell by cell and takes twenty times as long.
    const none: Cell[] = [];
    const columns = this.#columns.map((companies) => none.concat(...companies));
    this.#groups.push(encodeRowGroup(this.#table, columns, this.#ciks));
    this.#columns = this.#table.columns.map(() => []);
    this.#ciks = [];
    this.#rows = 0;
  }
}
