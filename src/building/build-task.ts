/** The tasks that workers of a build run, by kind: what each does, and the key under which its result is cached. */

import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { identifyFile } from '../edgar/files/identify-file.ts';
import type { ListedFile } from '../edgar/files/list-files.ts';
import type { PublicFiles } from '../edgar/files/public-files.ts';
import { openPublicFiles } from '../edgar/files/public-files.ts';
import type { FoundReports } from '../edgar/reports/find-reports.ts';
import { ReportReader } from '../edgar/reports/report-reader.ts';
import type { TablePart } from '../store/table-part.ts';
import { type CompaniesResult, type CompaniesTask, companiesOf, holdOn, tasksOf } from './companies/company-batch.ts';
import {
  type CompanyTask,
  type CompanyTaskResult,
  companyOf,
  holdsOn,
  isRepeatable,
} from './companies/company-task.ts';
import { type FilingDaysPart, type FilingDaysTask, filingDaysOf } from './filings/filing-days.ts';
import { type FilingPlacesTask, filingPlacesOf } from './filings/filing-places.ts';
import { type FilingsTask, ownersIn, type ReadFiles, readFilings } from './filings/read-filings.ts';
import { type ScreenMonthsPart, type ScreenMonthsTask, screenMonthsOf } from './history/screen-months.ts';
import {
  type PricesPart,
  type PricesTask,
  priceTablesOf,
  type QuotesPart,
  type QuotesTask,
  quotesOf,
} from './market/company-prices.ts';
import { type FilePrices, type FilePricesTask, filePricesOf } from './market/file-prices.ts';
import { type ManagersPart, type ManagersTask, managersOf } from './market/managers.ts';
import { type MarketFiles, type MarketFilesTask, marketFilesOf } from './market/market-files.ts';
import { type HoldersTask, holdersOf } from './market/security-holders.ts';
import {
  type FindReportsTask,
  foundReportsOf,
  type ReadReports,
  type ReportsTask,
  readReports,
  readStatements,
  type StatementSetTask,
} from './reports/read-reports.ts';
import { type DaysResult, type DaysTask, daysOf } from './sources/latest-filing-day.ts';
import { type ReadBackTask, readBack } from './tables/read-back.ts';
import { type RecentInsiders, type RecentInsidersTask, recentInsidersOf } from './tables/recent-insiders.ts';
import { type FileHash, type FileHashTask, hashOfFile } from './tasks/file-hash.ts';
import { FinishedParts, type PartsPlace, touch } from './tasks/finished-parts.ts';
import { DamagedSlice, describeTask, isThere, isWhole, SliceWriter } from './tasks/slices.ts';

/** What all tasks of a build have in common. */
export interface BuildSource {
  readonly path: string;
  /** Directory for the files that tasks write for later tasks. */
  readonly scratch: string;
  /** Where cached task results are stored; null to run every task again. */
  readonly parts: PartsPlace | null;
  /**
   * Whether to verify the output files of cached tasks when they are found; otherwise each slice is verified when it
   * is read.
   */
  readonly checked: boolean;
}

/** The task and the result of each kind. */
interface Kinds {
  days: { readonly task: DaysTask; readonly result: DaysResult };
  company: { readonly task: CompanyTask; readonly result: CompanyTaskResult };
  companies: { readonly task: CompaniesTask; readonly result: CompaniesResult };
  'filing days': { readonly task: FilingDaysTask; readonly result: FilingDaysPart };
  'filing places': { readonly task: FilingPlacesTask; readonly result: PartsResult };
  'screen months': { readonly task: ScreenMonthsTask; readonly result: ScreenMonthsPart };
  filings: { readonly task: FilingsTask; readonly result: ReadFiles };
  'market files': { readonly task: MarketFilesTask; readonly result: MarketFiles };
  'prices of a file': { readonly task: FilePricesTask; readonly result: FilePrices };
  managers: { readonly task: ManagersTask; readonly result: ManagersPart };
  quotes: { readonly task: QuotesTask; readonly result: QuotesPart };
  prices: { readonly task: PricesTask; readonly result: PricesPart };
  holders: { readonly task: HoldersTask; readonly result: PartsResult };
  'list of reports': { readonly task: FindReportsTask; readonly result: FoundReports };
  reports: { readonly task: ReportsTask; readonly result: ReadReports };
  'statement set': { readonly task: StatementSetTask; readonly result: ReadReports };
  'recent insiders': { readonly task: RecentInsidersTask; readonly result: RecentInsiders };
  'read back': { readonly task: ReadBackTask; readonly result: { readonly rows: number } };
  'hash of a file': { readonly task: FileHashTask; readonly result: FileHash };
}

export type BuildTask = Kinds[keyof Kinds]['task'];
export type ResultOf<Task extends BuildTask> = Kinds[Task['kind']]['result'];

/** Runs tasks in parallel and yields their results in the order of the tasks. */
export type Results = <Task extends BuildTask>(tasks: Iterable<Task>) => AsyncGenerator<ResultOf<Task>>;

interface PartsResult {
  readonly parts: readonly TablePart[];
}

/** Returned instead of a result when the output file of an earlier task is damaged. */
export interface Damaged {
  readonly damaged: string;
}

/** What a worker provides to its tasks. */
interface Workplace {
  readonly files: PublicFiles;
  readonly reports: ReportReader;
  /** Opens the output file of the task, for later tasks. */
  readonly newOutput: () => SliceWriter;
  /** Runs another task, or returns its cached result. */
  readonly run: <Task extends BuildTask>(task: Task) => Promise<ResultOf<Task>>;
}

/**
 * Strings and tasks that the cache key is computed from. The results of these tasks stay cached as long as the result
 * made from them.
 */
type Inputs = readonly (string | BuildTask)[];

interface TaskKind<Task, Result> {
  readonly make: (task: Task, at: Workplace) => Promise<Result>;
  /**
   * Returns everything that the result depends on, other than the program; null for a task that has to read the bytes
   * itself.
   */
  readonly inputs: ((task: Task, files: PublicFiles) => Inputs | Promise<Inputs>) | null;
  /** Whether the result, which has no problems, may be cached for later builds. Default: always. */
  readonly isRepeatable?: (result: Result) => boolean;
  /** Whether a cached result is valid for this task, whose date is not part of the key. Default: always. */
  readonly holds?: (task: Task, result: Result) => boolean;
}

const described = (task: BuildTask) => [describeTask(task)];

const ofItsFiles = async (task: BuildTask & { readonly files: readonly ListedFile[] }) => [
  describeTask(task),
  ...(await Promise.all(task.files.map(identified))),
];

const KINDS: { readonly [Kind in keyof Kinds]: TaskKind<Kinds[Kind]['task'], Kinds[Kind]['result']> } = {
  days: {
    make: (task, { files }) => daysOf(task, files),
    inputs: async ({ today: _, ...task }, files) => [describeTask(task), ...(await identities(task.ciks, files))],
    isRepeatable: ({ untilToday }) => !untilToday,
  },
  company: {
    make: (task, { files }) => companyOf(task, files),
    inputs: async ({ today: _, releaseDate: __, ...task }, files) => {
      const ciks = new Set([task.company.cik, ...ownersIn(task.company)]);
      return [describeTask(task), ...(await identities(ciks, files))];
    },
    isRepeatable,
    holds: ({ releaseDate }, result) => holdsOn(releaseDate, result),
  },
  companies: {
    make: (task, { run, newOutput }) => companiesOf(task, run, newOutput()),
    inputs: tasksOf,
    isRepeatable,
    holds: ({ releaseDate }, result) => holdOn(releaseDate, result),
  },
  'filing days': { make: filingDaysOf, inputs: described },
  'filing places': { make: filingPlacesOf, inputs: described },
  'screen months': { make: screenMonthsOf, inputs: described },
  filings: { make: (task, { newOutput }) => readFilings(task, newOutput()), inputs: ofItsFiles },
  'market files': { make: (task, { newOutput }) => marketFilesOf(task, newOutput()), inputs: ofItsFiles },
  'prices of a file': { make: (task, { newOutput }) => filePricesOf(task, newOutput()), inputs: ofItsFiles },
  managers: { make: (task, { newOutput }) => managersOf(task, newOutput()), inputs: described },
  quotes: { make: (task, { newOutput }) => quotesOf(task, newOutput()), inputs: described },
  prices: { make: priceTablesOf, inputs: described },
  holders: { make: holdersOf, inputs: described },
  'list of reports': { make: foundReportsOf, inputs: ofItsFiles },
  reports: { make: (task, { reports, newOutput }) => readReports(task, reports, newOutput()), inputs: described },
  'statement set': { make: (task, { newOutput }) => readStatements(task, newOutput()), inputs: ofItsFiles },
  'recent insiders': { make: recentInsidersOf, inputs: described },
  'read back': { make: readBack, inputs: null },
  'hash of a file': { make: hashOfFile, inputs: null },
};

/** The definition of a task's kind. The cast is safe: the definition was looked up by the task's own kind. */
const kindOf = (task: BuildTask) => KINDS[task.kind] as TaskKind<BuildTask, ResultOf<BuildTask>>;

/** Runs tasks one at a time and opens the public files once for all of them. */
export class TaskRunner {
  readonly #source: BuildSource;
  readonly #parts: FinishedParts | null;
  readonly #reports = new ReportReader();
  #files: Promise<PublicFiles> | undefined;

  constructor(source: BuildSource) {
    this.#source = source;
    this.#parts = source.parts === null ? null : new FinishedParts(source.parts);
  }

  async run<Task extends BuildTask>(task: Task): Promise<ResultOf<Task> | Damaged> {
    try {
      return await this.#do(task);
    } catch (cause) {
      if (!(cause instanceof DamagedSlice)) throw cause;
      return { damaged: cause.path };
    }
  }

  async #do<Task extends BuildTask>(task: Task): Promise<ResultOf<Task>> {
    this.#files ??= openPublicFiles(this.#source.path);
    const files = await this.#files;
    const { make, isRepeatable = () => true, holds = () => true } = kindOf(task);
    const newOutput = () => new SliceWriter(join(this.#source.scratch, randomUUID()));
    const run: Workplace['run'] = (other) => this.#do(other);
    const made = async () => (await make(task, { files, reports: this.#reports, newOutput, run })) as ResultOf<Task>;
    const parts = this.#parts;
    const keys = parts === null ? null : await keysOf(task, files, parts);
    if (parts === null || keys === null) return made();
    const known = parts.read(keys.own) as ResultOf<Task> | null;
    if (known !== null && holds(task, known) && hasItsFile(known, this.#source.checked)) {
      for (const key of keys.others) parts.use(key);
      return known;
    }
    const result = await made();
    const hasProblems = 'problems' in result && result.problems.length > 0;
    return hasProblems || !isRepeatable(result) ? result : (keep(keys.own, result, parts) as ResultOf<Task>);
  }

  async close(): Promise<void> {
    (await this.#files?.catch(() => undefined))?.close();
    await this.#reports.close();
  }
}

/** The cache keys of a task's result and of the results it was made from; null for a task that is not cached. */
async function keysOf(
  task: BuildTask,
  files: PublicFiles,
  parts: FinishedParts,
): Promise<{ readonly own: string; readonly others: readonly string[] } | null> {
  const inputs = await kindOf(task).inputs?.(task, files);
  if (inputs === undefined) return null;
  const others: string[] = [];
  const texts: string[] = [];
  for (const input of inputs) {
    const other = typeof input === 'string' ? null : await keysOf(input, files, parts);
    if (other !== null) others.push(other.own);
    texts.push(typeof input === 'string' ? input : (other?.own ?? randomUUID()));
  }
  return { own: parts.keyOf(texts), others };
}

/** Caches a result and moves its output file into the cache. */
function keep(key: string, result: ResultOf<BuildTask>, parts: FinishedParts): ResultOf<BuildTask> {
  let kept = result;
  if ('output' in result) {
    if (!parts.take(key, result.output.path)) return result;
    kept = { ...result, output: { ...result.output, path: parts.leftBy(key) } };
  }
  parts.keep(key, kept);
  return kept;
}

/**
 * Whether the output file of a cached result exists.
 * @param checked also compares the file's bytes with their hashes
 */
function hasItsFile(known: ResultOf<BuildTask>, checked: boolean): boolean {
  if (!('output' in known)) return true;
  try {
    touch(known.output.path);
    return isThere(known.output) && (!checked || isWhole(known.output));
  } catch {
    return false;
  }
}

/**
 * Returns a value that identifies the content of a file. It is different every time for an unreadable file, which may
 * be readable next time.
 */
const identified = (file: ListedFile): Promise<string> => identifyFile(file).catch(() => randomUUID());

async function identities(ciks: Iterable<number>, files: PublicFiles): Promise<string[]> {
  const found: string[] = [];
  // A file that is unreadable now may be readable next time.
  for (const cik of ciks) found.push(...(await files.identify(cik).catch(() => [randomUUID()])));
  return found;
}
