/** Defines each kind of build task: the function that performs the task, and the inputs of its cache key. */

import { hash, randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { useArchive } from '../../edgar/files/archive.ts';
import { isZip, type ListedFile } from '../../edgar/files/list-files.ts';
import { openPublicFiles, type PublicFiles } from '../../edgar/files/public-files.ts';
import { findReports, ReportReader } from '../../edgar/reports/report-files.ts';
import { type CompaniesTask, deriveBatch, isBatchValidOn, makeCompanyTasks } from '../companies/company-batch.ts';
import { type CompanyTask, isResultReusable, isResultValidOn, performCompanyTask } from '../companies/company-task.ts';
import { type AccessionIndexTask, makeAccessionIndex } from '../filings/accession-index.ts';
import { type FilingDaysTask, makeFilingDays } from '../filings/filing-days.ts';
import { type FilingsTask, listOwnerCiks, readFilings } from '../filings/read-filings.ts';
import { makeScreenMonths, type ScreenMonthsTask } from '../history/screen-months.ts';
import { makePriceTables, makeQuotes, type PricesTask, type QuotesTask } from '../market/company-prices.ts';
import { type FilePricesTask, readFilePrices } from '../market/file-prices.ts';
import { type ManagersTask, makeManagerTables } from '../market/manager-tables.ts';
import { type MarketFilesTask, readMarketFiles } from '../market/market-files.ts';
import { type HoldersTask, makeSecurityHolders } from '../market/security-holders.ts';
import type { FindReportsTask, ReportsTask, StatementSetTask } from '../reports/read-reports.ts';
import { readReports, readStatements } from '../reports/read-reports.ts';
import { findLatestFilingDay, type LatestDayTask } from '../sources/latest-filing-day.ts';
import { type HashTask, hashFile } from '../sources/sources.ts';
import { countRows, type ReadBackTask } from '../tables/read-back.ts';
import { makeRecentInsiders, type RecentInsidersTask } from '../tables/recent-insiders.ts';
import { type CacheLocation, ResultCache, touchFile } from '../tasks/result-cache.ts';
import { DamagedSliceFailure, hasExpectedHash, hasExpectedSize, SliceWriter, serializeTask } from '../tasks/slices.ts';
import type { ResultOf } from '../tasks/task.ts';

/** Settings shared by all tasks of a build. */
export interface BuildSettings {
  /** A directory of public files, or one zip of company facts. */
  readonly path: string;
  /** Directory of files that tasks write for later tasks. */
  readonly scratchDirectory: string;
  /** Directory of cached results; null to perform every task. */
  readonly resultCache: CacheLocation | null;
  /**
   * Whether to verify the whole output file of a cached result when the result is looked up. By default, a task
   * verifies only the parts of the file that it reads.
   */
  readonly verifiesOutputs: boolean;
}

export type BuildTask =
  | LatestDayTask
  | CompanyTask
  | CompaniesTask
  | FilingDaysTask
  | AccessionIndexTask
  | ScreenMonthsTask
  | FilingsTask
  | MarketFilesTask
  | FilePricesTask
  | ManagersTask
  | QuotesTask
  | PricesTask
  | HoldersTask
  | FindReportsTask
  | ReportsTask
  | StatementSetTask
  | RecentInsidersTask
  | ReadBackTask
  | HashTask;

/** The result of a task that failed because the output file of an earlier task is damaged. */
export interface DamagedOutput {
  readonly damagedPath: string;
}

/** The services that a worker provides to a task. */
interface TaskContext {
  readonly files: PublicFiles;
  readonly reports: ReportReader;
  /** Opens a new output file, which later tasks will read. */
  readonly open: () => SliceWriter;
  /** Runs another task, or returns its cached result. */
  readonly runTask: <T extends BuildTask>(task: T) => Promise<ResultOf<T>>;
}

/**
 * Inputs of a cache key: texts, and tasks whose results the task uses. When a cached result is used, the cached results
 * of these tasks are kept, too.
 */
type TaskInputs = readonly (string | BuildTask)[];

interface TaskDefinition<T extends BuildTask, Result = ResultOf<T>> {
  readonly perform: (task: T, context: TaskContext) => Promise<Result>;
  /**
   * Returns the inputs of the cache key, apart from the program's version. Null if results are never cached, because
   * the task checks the bytes of files.
   */
  readonly listInputs: ((task: T, files: PublicFiles) => TaskInputs | Promise<TaskInputs>) | null;
  /** Whether a result without problems may be cached. Default: always. */
  readonly mayCache?: (result: Result) => boolean;
  /** Whether a cached result is valid for the task's dates. The cache key omits these dates. Default: always. */
  readonly isStillValid?: (task: T, result: Result) => boolean;
}

const listTaskAsInput = (task: BuildTask) => [serializeTask(task)];

const listFiles = async (task: BuildTask & { readonly files: readonly ListedFile[] }) => [
  serializeTask(task),
  ...(await Promise.all(task.files.map(identifyFileOrRandom))),
];

const TASK_DEFINITIONS: {
  readonly [Kind in BuildTask['kind']]: TaskDefinition<Extract<BuildTask, { readonly kind: Kind }>>;
} = {
  days: {
    perform: (task, { files }) => findLatestFilingDay(task, files),
    listInputs: async ({ today: _, ...task }, files) => {
      return [serializeTask(task), ...(await identifyCompanyFiles(task.ciks, files))];
    },
    mayCache: ({ isLimitedToToday }) => !isLimitedToToday,
  },
  company: {
    perform: (task, { files }) => performCompanyTask(task, files),
    listInputs: async ({ today: _, releaseDate: __, ...task }, files) => {
      const ciks = new Set([task.company.cik, ...listOwnerCiks(task.company)]);
      return [serializeTask(task), ...(await identifyCompanyFiles(ciks, files))];
    },
    mayCache: isResultReusable,
    isStillValid: ({ releaseDate }, result) => isResultValidOn(releaseDate, result),
  },
  companies: {
    perform: (task, { runTask, open }) => deriveBatch(task, runTask, open()),
    listInputs: makeCompanyTasks,
    mayCache: isResultReusable,
    isStillValid: ({ releaseDate }, result) => isBatchValidOn(releaseDate, result),
  },
  'filing days': { perform: makeFilingDays, listInputs: listTaskAsInput },
  'accession index': { perform: makeAccessionIndex, listInputs: listTaskAsInput },
  'screen months': { perform: makeScreenMonths, listInputs: listTaskAsInput },
  filings: { perform: (task, { open }) => readFilings(task, open()), listInputs: listFiles },
  'market files': { perform: (task, { open }) => readMarketFiles(task, open()), listInputs: listFiles },
  'prices of a file': { perform: (task, { open }) => readFilePrices(task, open()), listInputs: listFiles },
  managers: { perform: (task, { open }) => makeManagerTables(task, open()), listInputs: listTaskAsInput },
  quotes: { perform: (task, { open }) => makeQuotes(task, open()), listInputs: listTaskAsInput },
  prices: { perform: makePriceTables, listInputs: listTaskAsInput },
  holders: { perform: makeSecurityHolders, listInputs: listTaskAsInput },
  'list of reports': {
    perform: ({ files }) => findReports(files),
    // The result has the paths of the files, which `serializeTask` omits.
    listInputs: async (task) => [...task.files.map(({ path }) => path), ...(await listFiles(task))],
  },
  reports: { perform: (task, { reports, open }) => readReports(task, reports, open()), listInputs: listTaskAsInput },
  'statement set': { perform: (task, { open }) => readStatements(task, open()), listInputs: listFiles },
  'recent insiders': { perform: makeRecentInsiders, listInputs: listTaskAsInput },
  'read back': { perform: countRows, listInputs: null },
  'hash of a file': { perform: hashFile, listInputs: null },
};

/** Returns the definition of the task's kind. The cast is safe, because the lookup uses the task's own kind. */
const findTaskDefinition = (task: BuildTask) => TASK_DEFINITIONS[task.kind] as TaskDefinition<BuildTask>;

/** Runs tasks sequentially, with the public files opened once for all tasks. */
export class TaskRunner {
  readonly #resultCache: ResultCache | null;
  readonly #reports = new ReportReader();
  #files: Promise<PublicFiles> | undefined;

  constructor(private readonly settings: BuildSettings) {
    this.#resultCache = settings.resultCache === null ? null : new ResultCache(settings.resultCache);
  }

  async run<T extends BuildTask>(task: T): Promise<ResultOf<T> | DamagedOutput> {
    try {
      return await this.#perform(task);
    } catch (cause) {
      if (!(cause instanceof DamagedSliceFailure)) throw cause;
      return { damagedPath: cause.path };
    }
  }

  async #perform<T extends BuildTask>(task: T): Promise<ResultOf<T>> {
    this.#files ??= openPublicFiles(this.settings.path);
    const files = await this.#files;
    const { perform, mayCache = () => true, isStillValid = () => true } = findTaskDefinition(task);
    const open = () => new SliceWriter(join(this.settings.scratchDirectory, randomUUID()));
    const runTask: TaskContext['runTask'] = (other) => this.#perform(other);
    const compute = async () => (await perform(task, { files, reports: this.#reports, open, runTask })) as ResultOf<T>;
    const cache = this.#resultCache;
    const cacheKeys = cache === null ? null : await computeCacheKeys(task, files, cache);
    if (cache === null || cacheKeys === null) return compute();
    const cached = cache.read(cacheKeys.ownKey) as ResultOf<T> | null;
    const { verifiesOutputs } = this.settings;
    if (cached !== null && isStillValid(task, cached) && touchAndValidateOutput(cached, verifiesOutputs)) {
      for (const key of cacheKeys.inputKeys) cache.markUsed(key);
      return cached;
    }
    const result = await compute();
    const hasProblems = 'problems' in result && result.problems.length > 0;
    return hasProblems || !mayCache(result) ? result : (cacheResult(cacheKeys.ownKey, result, cache) as ResultOf<T>);
  }

  async close(): Promise<void> {
    (await this.#files?.catch(() => undefined))?.close();
    await this.#reports.close();
  }
}

/**
 * Returns the cache keys of a task: its own key, and the keys of the tasks whose results it uses. Null for a task that
 * is never cached.
 */
async function computeCacheKeys(
  task: BuildTask,
  files: PublicFiles,
  cache: ResultCache,
): Promise<{ readonly ownKey: string; readonly inputKeys: readonly string[] } | null> {
  const inputs = await findTaskDefinition(task).listInputs?.(task, files);
  if (inputs === undefined) return null;
  const inputKeys: string[] = [];
  const texts: string[] = [];
  for (const input of inputs) {
    const keys = typeof input === 'string' ? null : await computeCacheKeys(input, files, cache);
    if (keys !== null) inputKeys.push(keys.ownKey);
    texts.push(typeof input === 'string' ? input : (keys?.ownKey ?? randomUUID()));
  }
  return { ownKey: cache.computeKey(texts), inputKeys };
}

/** Caches a result, and moves its output file into the cache. */
function cacheResult(key: string, result: ResultOf<BuildTask>, cache: ResultCache): ResultOf<BuildTask> {
  let cached = result;
  if ('output' in result) {
    if (!cache.takeOutput(key, result.output.path)) return result;
    cached = { ...result, output: { ...result.output, path: cache.makeOutputPath(key) } };
  }
  cache.write(key, cached);
  return cached;
}

/**
 * Whether the result has no output file, or its output file exists with the expected size. Marks the file as used, so
 * that cleaning the cache does not remove it.
 * @param verifies whether to also compare the file's bytes with their hashes
 */
function touchAndValidateOutput(result: ResultOf<BuildTask>, verifies: boolean): boolean {
  if (!('output' in result)) return true;
  try {
    touchFile(result.output.path);
    return hasExpectedSize(result.output) && (!verifies || hasExpectedHash(result.output));
  } catch {
    return false;
  }
}

/**
 * Returns a text that identifies the file's content. Returns a random text for an unreadable file, so that the next
 * build reads the file again.
 */
const identifyFileOrRandom = (file: ListedFile): Promise<string> => identifyFile(file).catch(() => randomUUID());

/**
 * Returns a text that identifies the file's content: for a zip, the names, sizes and checksums of its members; for any
 * other file, its hash. Throws file system errors.
 */
async function identifyFile({ name, path }: Pick<ListedFile, 'name' | 'path'>): Promise<string> {
  if (!isZip({ name })) return hash('sha256', await readFile(path), 'hex');
  return useArchive(path, undefined, 'path', (archive) => {
    const members = archive.names.map((member) => `${member} ${archive.identify(member)}`);
    return hash('sha256', [...members, JSON.stringify(archive.rejected)].join('\n'), 'hex');
  });
}

async function identifyCompanyFiles(ciks: Iterable<number>, files: PublicFiles): Promise<string[]> {
  const identities: string[] = [];
  // A random text prevents caching, because an unreadable file may be readable in the next build.
  for (const cik of ciks) identities.push(...(await files.identify(cik).catch(() => [randomUUID()])));
  return identities;
}
