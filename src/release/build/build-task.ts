/** The parts of a build that any thread can do: public files or spilled lines in, encoded rows out. */

import { hash, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { identifyFile } from '../../edgar/files/identify-file.ts';
import type { ListedFile } from '../../edgar/files/list-files.ts';
import type { PublicFiles } from '../../edgar/files/public-files.ts';
import { openPublicFiles } from '../../edgar/files/public-files.ts';
import type { FormerName } from '../../edgar/filings/submissions.ts';
import type { TickerRow } from '../../edgar/filings/tickers.ts';
import { type ReportListing, ReportReader } from '../../edgar/reports/report-files.ts';
import { lastDayOf, type ScreenFigures } from '../../figures/metrics/screen.ts';
import type { CountedCover } from '../../figures/shares/cover-shares.ts';
import type { Split } from '../../figures/shares/splits.ts';
import type { Company, FilingCount } from '../schema/companies.ts';
import { LATEST_FIGURES } from '../schema/latest-figures.ts';
import { RAW_CONCEPTS, REPORTED_VALUES } from '../schema/reported-values.ts';
import type { Table } from '../schema/table.ts';
import { PartSink, type TablePart } from '../store/table-part.ts';
import { type CompanyFindings, mergeFindings, NO_FINDINGS } from './company-checks.ts';
import type { CompanyPart, SecurityClaim } from './company-part.ts';
import { readCompany } from './company-part.ts';
import { addCounts, coveredBy } from './coverage.ts';
import { type FileHash, type FileHashTask, hashOfFile } from './file-hash.ts';
import { laterDay, latestFilingDay } from './filing-days.ts';
import { type FilingDaysPart, type FilingDaysTask, filingDaysOf } from './filings/filing-days.ts';
import { FilingListMaker, type FilingLists, type FilingSources } from './filings/filing-lists.ts';
import { type FilingPlacesTask, filingPlacesOf } from './filings/filing-places.ts';
import { type FilingsTask, type ReadFiles, readFilings } from './filings/read-filings.ts';
import { FinishedParts, type PartsPlace, touch } from './finished-parts.ts';
import {
  type PricesPart,
  type PricesTask,
  priceTablesOf,
  type QuotesPart,
  type QuotesTask,
  quotesOf,
  readCompanyPrices,
} from './market/company-prices.ts';
import { type FilePrices, type FilePricesTask, filePricesOf } from './market/file-prices.ts';
import { type ManagersPart, type ManagersTask, managersOf } from './market/managers.ts';
import { type MarketFiles, type MarketFilesTask, marketFilesOf } from './market/market-files.ts';
import { type HoldersTask, holdersOf } from './market/security-holders.ts';
import { type ReadBackTask, readBack } from './read-back.ts';
import { type RecentInsiders, type RecentInsidersTask, recentInsidersOf } from './recent-insiders.ts';
import { type SegmentsPart, type SegmentsTask, segmentsOf } from './segments/company-segments.ts';
import {
  type ReadReports,
  type ReportListingTask,
  type ReportsTask,
  readReports,
  readStatements,
  reportListingOf,
  type StatementSetTask,
} from './segments/read-reports.ts';
import { describeTask, isWhole, type Slice, SliceWriter } from './slices.ts';

/** What all tasks of a build have in common. */
export interface BuildSource {
  readonly path: string;
  /** A directory for what tasks leave for each other. */
  readonly scratch: string;
  /** Where finished parts are kept and found; null where all is made anew. */
  readonly parts: PartsPlace | null;
}

/** Finds the latest filing day of some companies. */
export interface DaysTask {
  readonly kind: 'days';
  readonly ciks: readonly number[];
  /** Whether to look at the facts of companies that have a list of filings. */
  readonly thorough: boolean;
  readonly today: string;
}

/** Derives some companies. */
export interface CompaniesTask {
  readonly kind: 'companies';
  /** In order. */
  readonly companies: readonly CompanyInput[];
  readonly releaseDate: string;
  /** Nothing can have been filed after it. */
  readonly today: string;
  readonly withoutFootnotes: boolean;
}

/** What is known of a company beside its own files. */
export interface CompanyInput extends Omit<FilingSources, 'closes'> {
  /** The rows of the ticker lists that name it. */
  readonly tickers: readonly TickerRow[];
  /** Share counts that the covers of its reports state. */
  readonly covers: readonly CountedCover[];
  /** Its prices; null of a company without prices. */
  readonly market: Slice | null;
}

interface Kinds {
  days: { readonly task: DaysTask; readonly result: DaysResult };
  companies: { readonly task: CompaniesTask; readonly result: BatchResult };
  'filing days': { readonly task: FilingDaysTask; readonly result: FilingDaysPart };
  'filing places': { readonly task: FilingPlacesTask; readonly result: PartsResult };
  filings: { readonly task: FilingsTask; readonly result: ReadFiles };
  'market files': { readonly task: MarketFilesTask; readonly result: MarketFiles };
  'prices of a file': { readonly task: FilePricesTask; readonly result: FilePrices };
  managers: { readonly task: ManagersTask; readonly result: ManagersPart };
  quotes: { readonly task: QuotesTask; readonly result: QuotesPart };
  prices: { readonly task: PricesTask; readonly result: PricesPart };
  holders: { readonly task: HoldersTask; readonly result: PartsResult };
  'list of reports': { readonly task: ReportListingTask; readonly result: ReportListing };
  reports: { readonly task: ReportsTask; readonly result: ReadReports };
  'statement set': { readonly task: StatementSetTask; readonly result: ReadReports };
  segments: { readonly task: SegmentsTask; readonly result: SegmentsPart };
  'recent insiders': { readonly task: RecentInsidersTask; readonly result: RecentInsiders };
  'read back': { readonly task: ReadBackTask; readonly result: { readonly rows: number } };
  'hash of a file': { readonly task: FileHashTask; readonly result: FileHash };
}

export type BuildTask = Kinds[keyof Kinds]['task'];
export type ResultOf<Task extends BuildTask> = Kinds[Task['kind']]['result'];

/** The results of tasks in their order, done side by side. */
export type Results = <Task extends BuildTask>(tasks: Iterable<Task>) => AsyncGenerator<ResultOf<Task>>;

interface PartsResult {
  readonly parts: readonly TablePart[];
}

export interface DaysResult {
  readonly latest: string | null;
  /** Whether later days were left out. */
  readonly untilToday: boolean;
  /** How many companies were looked at. */
  readonly asked: number;
}

const LAST_DAY = '9999-12-31';

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

const LARGE = Object.keys(LARGE_TABLES) as LargeTable[];

/** One company as the writer of the small tables needs it. */
export interface CompanyResult {
  readonly company: Company;
  readonly securities: readonly SecurityClaim[];
  readonly formerNames: readonly FormerName[];
  readonly screen: ScreenFigures | null;
  readonly splits: readonly Split[];
  /** What its profile says of its filings: the table of filings may have more than its own list. */
  readonly filings: FilingCount;
  readonly conceptFacts: number;
}

export interface BatchResult extends PartsResult {
  readonly releaseDate: string;
  /** The latest day of facts that were skipped because they are later than the release. */
  readonly filedLater: string | null;
  /** How many companies were looked at, of which some may have nothing. */
  readonly asked: number;
  readonly companies: readonly CompanyResult[];
  readonly findings: CompanyFindings;
  /** How many of the companies have figures of a metric or ratio. */
  readonly coverage: ReadonlyMap<string, number>;
  readonly lists: FilingLists;
  readonly factRows: number;
  readonly bytes: number;
  readonly skipped: readonly Readonly<Record<string, number>>[];
  readonly problems: readonly string[];
}

/** Does tasks one at a time, with the public files opened once. */
export class TaskRunner {
  readonly #source: BuildSource;
  readonly #parts: FinishedParts | null;
  readonly #reports = new ReportReader();
  #files: Promise<PublicFiles> | undefined;

  constructor(source: BuildSource) {
    this.#source = source;
    this.#parts = source.parts === null ? null : new FinishedParts(source.parts);
  }

  async run<Task extends BuildTask>(task: Task): Promise<ResultOf<Task>> {
    this.#files ??= openPublicFiles(this.#source.path);
    const files = await this.#files;
    const inputs = this.#parts === null ? null : await inputsOf(task, files);
    if (this.#parts === null || inputs === null) return (await this.#make(task, files)) as ResultOf<Task>;
    const key = this.#parts.keyOf(inputs);
    const known = this.#parts.read(key) as ResultOf<BuildTask> | null;
    if (known !== null && holdsFor(task, known) && hasItsFile(known)) return known as ResultOf<Task>;
    const result = await this.#make(task, files);
    return (isRepeatable(result) ? keep(key, result, this.#parts) : result) as ResultOf<Task>;
  }

  async close(): Promise<void> {
    (await this.#files?.catch(() => undefined))?.close();
    await this.#reports.close();
  }

  #make(task: BuildTask, files: PublicFiles): Promise<ResultOf<BuildTask>> {
    return resultOf(task, files, this.#reports, () => new SliceWriter(join(this.#source.scratch, randomUUID())));
  }
}

/** The result, whose file is where it is kept. */
function keep(key: string, result: ResultOf<BuildTask>, parts: FinishedParts): ResultOf<BuildTask> {
  let kept = result;
  if ('left' in result) {
    if (!parts.take(key, result.left.path)) return result;
    kept = { ...result, left: { ...result.left, path: parts.leftBy(key) } };
  }
  parts.keep(key, kept);
  return kept;
}

/** Whether the file that a kept result's task left is there, as it was. */
function hasItsFile(known: ResultOf<BuildTask>): boolean {
  if (!('left' in known)) return true;
  try {
    touch(known.left.path);
    return isWhole(known.left);
  } catch {
    return false;
  }
}

/** Everything that a task's result is made from, beside the program; null of one that is to read the bytes themselves. */
async function inputsOf(task: BuildTask, files: PublicFiles): Promise<readonly string[] | null> {
  switch (task.kind) {
    case 'read back':
    case 'hash of a file':
      return null;
    case 'days': {
      // Results that depend on today are not kept.
      const { today: _, ...rest } = task;
      return [describeTask(rest), ...(await identities(task.ciks, files))];
    }
    case 'companies': {
      const { today: _, releaseDate: __, ...rest } = task;
      // A form that names no filing is looked for in the lists of its owners.
      const owners = task.companies.flatMap(({ owned }) => owned.flatMap(({ filing }) => filing.owners));
      const ciks = new Set([...task.companies, ...owners].map(({ cik }) => cik));
      return [describeTask(rest), ...(await identities(ciks, files))];
    }
    case 'filing days': {
      const { paths, ...rest } = task;
      return [describeTask(rest), ...(await Promise.all(paths.map(hashOf)))];
    }
    case 'filing places':
      return [describeTask(task), await hashOf(task.path)];
    case 'segments': {
      const { date: _, ...rest } = task;
      return [describeTask(rest), ...(await identities([task.cik], files))];
    }
    case 'filings':
    case 'market files':
    case 'prices of a file':
    case 'list of reports':
    case 'statement set':
      return [describeTask(task), ...(await Promise.all(task.files.map(identified)))];
    default:
      return [describeTask(task)];
  }
}

async function hashOf(path: string): Promise<string> {
  return hash('sha256', await readFile(path), 'hex');
}

/** What tells a file's content; of one that cannot be read nothing, as it may be read the next time. */
const identified = (file: ListedFile): Promise<string> => identifyFile(file).catch(() => randomUUID());

async function identities(ciks: Iterable<number>, files: PublicFiles): Promise<string[]> {
  const found: string[] = [];
  // A file that cannot be read now may be read the next time.
  for (const cik of ciks) found.push(...(await files.identify(cik).catch(() => [randomUUID()])));
  return found;
}

/**
 * Whether a later build with the same inputs may take a result as it is: not where it depends on today, a file could not be
 * read, or something was later than the release and may not be later than the next one.
 */
function isRepeatable(result: ResultOf<BuildTask>): boolean {
  if ('untilToday' in result) return !result.untilToday;
  if ('problems' in result && result.problems.length > 0) return false;
  if ('hasLater' in result) return !result.hasLater;
  if (!('companies' in result)) return true;
  const { filedLater, findings, lists } = result;
  return filedLater === null && !lists.hasLater && findings.future.failed === 0;
}

/** Whether a kept result is that of the release's date: nothing in it is later, and its screen shows nothing that is too old by now. */
function holdsFor(task: BuildTask, result: ResultOf<BuildTask>): boolean {
  if (task.kind === 'segments') return 'releaseDate' in result && task.date >= result.releaseDate;
  if (task.kind !== 'companies' || !('companies' in result)) return true;
  return (
    task.releaseDate >= result.releaseDate &&
    result.companies.every(({ screen }) => {
      const last = screen === null ? null : lastDayOf(screen);
      return last === null || last >= task.releaseDate;
    })
  );
}

/** @param left opens the file that a task leaves for later ones */
function resultOf(
  task: BuildTask,
  files: PublicFiles,
  reports: ReportReader,
  left: () => SliceWriter,
): Promise<ResultOf<BuildTask>> {
  switch (task.kind) {
    case 'days':
      return daysOf(task, files);
    case 'companies':
      return companiesOf(task, files);
    case 'filing days':
      return filingDaysOf(task);
    case 'filing places':
      return filingPlacesOf(task);
    case 'filings':
      return readFilings(task, left());
    case 'market files':
      return marketFilesOf(task, left());
    case 'prices of a file':
      return filePricesOf(task, left());
    case 'managers':
      return managersOf(task, left());
    case 'quotes':
      return quotesOf(task, left());
    case 'prices':
      return priceTablesOf(task);
    case 'holders':
      return holdersOf(task);
    case 'list of reports':
      return reportListingOf(task);
    case 'reports':
      return readReports(task, reports, left());
    case 'statement set':
      return readStatements(task, left());
    case 'segments':
      return segmentsOf(task, files);
    case 'recent insiders':
      return recentInsidersOf(task);
    case 'read back':
      return readBack(task);
    case 'hash of a file':
      return hashOfFile(task);
  }
}

/** Nearly always nothing was filed after today, and the result is the same on any later day. */
async function daysOf(task: DaysTask, files: PublicFiles): Promise<DaysResult> {
  const latest = await latestOf({ ...task, today: LAST_DAY }, files);
  const asked = task.ciks.length;
  if (latest === null || latest <= task.today) return { latest, untilToday: false, asked };
  return { latest: await latestOf(task, files), untilToday: true, asked };
}

async function latestOf({ ciks, thorough, today }: DaysTask, files: PublicFiles): Promise<string | null> {
  let latest: string | null = null;
  for (const cik of ciks)
    latest = laterDay(latest, await latestFilingDay(files, cik, { thorough, since: latest, today }));
  return latest;
}

async function companiesOf(task: CompaniesTask, files: PublicFiles): Promise<BatchResult> {
  const sinks = ofLargeTables((name) => new PartSink<unknown>(LARGE_TABLES[name] as Table, { complete: true }));
  const lists = new FilingListMaker(files, { date: task.releaseDate, withoutFootnotes: task.withoutFootnotes });
  const companies: CompanyResult[] = [];
  const coverage = new Map<string, number>();
  let findings = NO_FINDINGS;
  const skipped: Readonly<Record<string, number>>[] = [];
  const problems: string[] = [];
  let filedLater: string | null = null;
  let factRows = 0;
  let bytes = 0;
  for (const sources of task.companies) {
    const { cik, tickers, covers } = sources;
    const { quotes, closes } = readCompanyPrices(sources.market);
    const reading = await readCompany(files, cik, tickers, task, quotes, covers);
    const { part } = reading;
    skipped.push(reading.skipped);
    problems.push(...reading.problems);
    filedLater = laterDay(filedLater, reading.filedLater);
    factRows += reading.factRows;
    bytes += reading.bytes;
    if (part === null) continue;
    findings = mergeFindings(findings, part.findings);
    for (const key of coveredBy(part.figures)) addCounts(coverage, [[key, 1]]);
    for (const name of LARGE) sinks[name].add(cik, part.figures[name]);
    const { filings: list, unlisted, figures } = part;
    const values = figures.reportedValues;
    companies.push(resultOfPart(part, await lists.add({ ...sources, closes }, { list, unlisted, values })));
  }
  const made = lists.done();
  const parts = [...LARGE.map((name) => sinks[name].done()), ...made.parts];
  const asked = task.companies.length;
  const { releaseDate } = task;
  return {
    releaseDate,
    filedLater,
    asked,
    companies,
    findings,
    coverage,
    parts,
    lists: { ...made, parts: [] },
    factRows,
    bytes,
    skipped,
    problems,
  };
}

function resultOfPart({ company, securities, formerNames, figures }: CompanyPart, filings: FilingCount): CompanyResult {
  return {
    company,
    securities,
    formerNames,
    screen: figures.screen,
    splits: figures.splits,
    filings,
    conceptFacts: figures.rawConcepts.reduce((sum, { factCount }) => sum + factCount, 0),
  };
}
