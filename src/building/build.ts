/**
 * Builds a release from a directory of public files. Workers derive companies in parallel; the main thread writes the
 * results in order of CIK. The build writes to a staging directory, which is renamed after the checks. So a build can
 * be killed and restarted at any point.
 */

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure, isFailure } from '../contract/failure.ts';
import { DOCUMENTS_FOLDER } from '../edgar/fetch/remote-files.ts';
import { listFiles } from '../edgar/files/list-files.ts';
import type { PublicFiles } from '../edgar/files/public-files.ts';
import { SkippedRowCounts } from '../edgar/files/skipped-rows.ts';
import { makeDirectory } from '../platform/files/directories.ts';
import { openRelease } from '../store/reader.ts';
import { readCurrentStamp } from '../store/releases/home.ts';
import { formatStamp, LAYOUT_VERSION, type Manifest } from '../store/releases/manifest.ts';
import { keepTouching, makeStagingDirectory, publish } from '../store/releases/staging.ts';
import { EVIDENCE } from '../store/schema/reported-values.ts';
import { deriveCompanies, FactsAfterReleaseDateError } from './companies/company-batch.ts';
import type { EvidenceDecision } from './companies/company-checks.ts';
import { FACTS_FAMILY, SEGMENTS_FAMILY } from './families/company-families.ts';
import type { TableFamily } from './families/family.ts';
import { FILINGS_FAMILY } from './families/filings-family.ts';
import { HISTORY_FAMILY } from './families/history-family.ts';
import { HOLDERS_FAMILY } from './families/holders-family.ts';
import { PRICES_FAMILY } from './families/prices-family.ts';
import { selectFilingFiles } from './filings/collect-filings.ts';
import { readBuildInputs } from './sources/build-inputs.ts';
import type { CompanyNotes, FactCompanyChoice } from './sources/company-notes.ts';
import { listLeftOutCiks, NO_COMPANY_NOTES, resolveFactCompanies } from './sources/company-notes.ts';
import { hashSources, openSources, readFileStates, requireUnchanged } from './sources/sources.ts';
import type { PreviousRelease } from './tables/release-checks.ts';
import { ReleaseWriter } from './tables/release-writer.ts';
import { removeUnusedResults } from './tasks/result-cache.ts';
import { DamagedSliceFailure, SliceIndex } from './tasks/slices.ts';
import { type WorkerPoolOptions, withBuildWorkers } from './workers/start-workers.ts';

export interface BuildReport {
  readonly stamp: string;
  readonly date: string;
  /** Directory of the release; null if failed checks prevented its publication. */
  readonly directory: string | null;
  readonly publication: 'published' | 'already_there' | 'replaced_damaged' | 'withheld';
  readonly checks: 'passed' | 'failed';
  readonly checkResults: readonly { readonly name: string; readonly passed: boolean; readonly detail: string }[];
  readonly companies: number;
  readonly rows: Readonly<Record<string, number>>;
  /** Decisions about amounts in filings that contradict each other, largest counts first. */
  readonly evidence: readonly EvidenceDecision[];
  /** Number of facts in the sources. */
  readonly factRows: number;
  /** Amount of JSON read for companies: bytes of facts files plus characters of submissions. */
  readonly charactersRead: number;
  /** Number of skipped rows, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  /** Sentences about unreadable files, at most a hundred. */
  readonly problems: readonly string[];
  readonly seconds: number;
}

export interface BuildOptions extends Omit<WorkerPoolOptions, 'scratchDirectory' | 'verifiesOutputs'> {
  /** The directory of releases. */
  readonly home: string;
  /** Whether to publish the release even if checks failed. */
  readonly publishFailed?: boolean;
  /** Whether to publish the release even if much data of the previous release is missing. */
  readonly allowLoss?: boolean;
  /** A sentence about the release's content, for the manifest. */
  readonly about?: string | null;
  /** Whether to replace the text of footnotes in insiders' filings with a reference to the filing. */
  readonly withoutFootnotes?: boolean;
  /** Companies whose latest figures end before this day are omitted from the screener; null omits no company. */
  readonly screenSince?: string | null;
  /** Companies for which the release includes all tagged facts; default: none. */
  readonly facts?: FactCompanyChoice;
  /** Industries by a third party, companies with incomplete facts, and companies to leave out; default: none. */
  readonly companyNotes?: CompanyNotes;
  readonly onProgress?: (progress: BuildProgress) => void;
  /** The clock, for the manifest and the current date. */
  readonly currentTime?: () => Date;
}

export interface BuildProgress {
  readonly phase: 'dating' | 'deriving' | 'finishing';
  /** Number of companies that the phase has finished. */
  readonly done: number;
  /** Number of all companies. */
  readonly total: number;
}

const MAX_REPORTED_PROBLEMS = 100;
const MAX_PROBLEMS_IN_ERROR = 3;

/** The families of tables, in the order in which they are built. */
const TABLE_FAMILIES: readonly TableFamily[] = [
  FILINGS_FAMILY,
  SEGMENTS_FAMILY,
  PRICES_FAMILY,
  HOLDERS_FAMILY,
  HISTORY_FAMILY,
  FACTS_FAMILY,
];

/**
 * Builds a release, and publishes it if all checks passed or `publishFailed` is set. Throws a data Failure if the
 * sources are unreadable or the directory of releases is not writable; when the signal aborts, throws the signal's
 * reason.
 */
export async function buildRelease(options: BuildOptions): Promise<BuildReport> {
  const startedMs = performance.now();
  options.signal?.throwIfAborted();
  const cacheFolder = options.resultCacheDirectory ?? null;
  const start = new Date();
  const files = await openSources(options.sourceDirectory);
  try {
    const sources = await listSources(options.sourceDirectory, files);
    let attempt: AttemptOptions = { readsEverything: false, verifiesOutputs: false, startedMs };
    for (;;) {
      try {
        const result = await attemptBuild(sources, options, attempt);
        if (cacheFolder !== null) removeUnusedResults(cacheFolder, start);
        return result;
      } catch (cause) {
        attempt = { ...attempt, ...chooseRetry(cause, attempt) };
      }
    }
  } finally {
    files.close();
  }
}

/** The files of the source directory, their states before the first attempt, and why some cannot be used. */
type BuildSources = Awaited<ReturnType<typeof listSources>>;

async function listSources(folder: string, files: PublicFiles) {
  const problems = [...files.unread, ...files.rejected].map(({ name, reason }) => `${name}: ${reason}`);
  const skipped = new SkippedRowCounts();
  skipped.add('a file with an unsafe or repeated name in a zip', files.rejected.length);
  skipped.add('a source from which nothing was read', files.unread.length);
  const listedFiles = (await listFiles(folder, { skipped, problems })).filter(
    ({ name }) => !name.startsWith(`${DOCUMENTS_FOLDER}/`),
  );
  return { files, listedFiles, initialStates: readFileStates(listedFiles), skipped: skipped.getCounts(), problems };
}

interface AttemptOptions {
  /**
   * Whether to also use the facts of all companies to determine the release's date. The first attempt uses the lists of
   * filings, and facts only for companies without a list.
   */
  readonly readsEverything: boolean;
  /**
   * Whether to verify the whole output files of cached results before their use. By default, a task verifies only the
   * parts of a file that it reads.
   */
  readonly verifiesOutputs: boolean;
  readonly startedMs: number;
}

/**
 * Returns the options to change for the next attempt after an error. Rethrows the error if the next attempt would fail,
 * too.
 */
function chooseRetry(cause: unknown, { readsEverything, verifiesOutputs }: AttemptOptions): Partial<AttemptOptions> {
  if (cause instanceof FactsAfterReleaseDateError && !readsEverything) return { readsEverything: true };
  if (cause instanceof DamagedSliceFailure && !verifiesOutputs) return { verifiesOutputs: true };
  throw cause;
}

async function attemptBuild(sources: BuildSources, options: BuildOptions, retry: AttemptOptions): Promise<BuildReport> {
  const staging = await makeStagingDirectory(options.home);
  const stopTouching = keepTouching(staging);
  let writer: ReleaseWriter | null = null;
  try {
    writer = new ReleaseWriter(staging, TABLE_FAMILIES);
    return await buildIntoStaging(sources, writer, staging, options, retry);
  } finally {
    stopTouching();
    writer?.abandon();
    await rm(staging, { recursive: true, force: true });
  }
}

async function buildIntoStaging(
  { files, listedFiles, initialStates, ...unusedFiles }: BuildSources,
  writer: ReleaseWriter,
  staging: string,
  options: BuildOptions,
  { readsEverything, verifiesOutputs, startedMs }: AttemptOptions,
): Promise<BuildReport> {
  const getTime = options.currentTime ?? (() => new Date());
  const { signal } = options;
  const today = getTime().toISOString().slice(0, 10);
  const notes = options.companyNotes ?? NO_COMPANY_NOTES;
  const skipped = new SkippedRowCounts();
  skipped.addAll(unusedFiles.skipped);
  const problems = [...unusedFiles.problems];
  const scratch = join(staging, '.scratch');
  makeDirectory(scratch);
  const report = (phase: BuildProgress['phase']) => (done: number, total: number) =>
    options.onProgress?.({ phase, done, total });
  let factRows = 0;
  let characters = 0;
  const { date, finishedRelease, sources } = await withBuildWorkers(
    { ...options, scratchDirectory: scratch, verifiesOutputs },
    async (workers) => {
      const inputs = await readBuildInputs(
        {
          ...{ files, scratchDirectory: scratch, readsEverything, today, skipped, problems },
          sourceFiles: listedFiles,
          leftOutCiks: listLeftOutCiks(notes),
          appendPart: (part) => writer.appendPart(part),
          onDatingProgress: report('dating'),
        },
        workers,
      );
      const { ciks, date, filings, reports, market } = inputs;
      const foundFiles = [...files.files, ...reports.files, ...market.files, ...selectFilingFiles(listedFiles)];
      // Removes duplicates: if the source is a single zip, the lists of reports' files contain this zip, too.
      const usedFiles = [...new Map(foundFiles.map((file) => [file.name, file])).values()];
      const { ciks: factCiks, unknownNames } = resolveFactCompanies(options.facts ?? [], ciks, inputs.tickers);
      for (const name of unknownNames)
        problems.push(`--facts names ${name}, but the source files have no such company`);
      const lists = new SliceIndex();
      const deriveAll = async () => {
        const { withoutFootnotes = false } = options;
        const settings = { today, companyNotes: notes, factCompanies: factCiks, withoutFootnotes };
        const onDone = (done: number) => report('deriving')(done, ciks.length);
        for await (const result of deriveCompanies(inputs, settings, workers.runTasks, onDone)) {
          writer.append(result);
          factRows += result.factRows;
          characters += result.bytes;
          skipped.addAll(result.skipped);
          skipped.addAll(result.lists.skipped);
          problems.push(...[...result.problems, ...result.lists.problems].slice(0, MAX_REPORTED_PROBLEMS));
          lists.add(result.output);
        }
      };
      // Hashes the sources while companies are derived, because hashing large files last would leave workers idle.
      const [sources] = await workers.awaitAll([hashSources(files.path, usedFiles, workers.runTasks), deriveAll()]);
      if (factRows === 0 && files.factCiks.length > 0) {
        skipped.add('a source from which nothing was read');
        problems.unshift(
          `company facts: none of the ${files.factCiks.length} files, such as ${files.getFactsFileName(files.factCiks[0] ?? 0)}, contains a fact; replace or remove this source`,
        );
      }
      report('finishing')(ciks.length, ciks.length);
      const { hasIndexes, hasOwnership } = filings;
      const hasFilings = files.submissionCiks.length > 0 || hasIndexes || hasOwnership;
      const context = { skipped, problems, factCompanies: factCiks, companyLists: lists, hasFilings, hasOwnership };
      const previousRelease = await findPreviousRelease(options.home);
      const { allowLoss: allowsLoss = false, screenSince = null } = options;
      const settings = { today, previousRelease, allowsLoss, screenSince };
      const release = await writer.finish({ ...inputs, ...context }, settings, workers);
      requireUnchanged(listedFiles, new Set(usedFiles.map(({ name }) => name)), initialStates);
      await rm(scratch, { recursive: true, force: true });
      return { date, finishedRelease: release, sources };
    },
  );
  if (finishedRelease.companyCount === 0) throw createNothingReadFailure(options.sourceDirectory, problems);
  skipped.add('a company whose figures are too old for the screener', finishedRelease.outdatedScreenRows);
  skipped.add('a ticker that was assigned to another company', finishedRelease.contestedTickers);
  const manifest: Manifest = {
    layout: `${LAYOUT_VERSION.major}.${LAYOUT_VERSION.minor}`,
    date,
    stamp: formatStamp(date, finishedRelease.contentHash),
    publishedAt: getTime().toISOString(),
    checks: finishedRelease.checks.every(({ passed }) => passed) ? 'passed' : 'failed',
    checkResults: finishedRelease.checks,
    tables: finishedRelease.tables,
    sources,
    skipped: selectNonZeroCounts(skipped),
    about: options.about ?? null,
  };
  signal?.throwIfAborted();
  const isWithheld = manifest.checks === 'failed' && options.publishFailed !== true;
  const status = isWithheld ? 'withheld' : await publish(options.home, staging, manifest);
  return {
    stamp: manifest.stamp,
    date,
    directory: isWithheld ? null : join(options.home, manifest.stamp),
    publication: status,
    checks: manifest.checks,
    checkResults: manifest.checkResults,
    companies: finishedRelease.companyCount,
    rows: Object.fromEntries(Object.entries(manifest.tables).map(([name, { rows }]) => [name, rows])),
    evidence: finishedRelease.evidence,
    factRows,
    charactersRead: characters,
    skipped: manifest.skipped,
    problems: problems.slice(0, MAX_REPORTED_PROBLEMS),
    seconds: (performance.now() - startedMs) / 1000,
  };
}

/** Returns the error of a build without any company. */
function createNothingReadFailure(folder: string, problems: readonly string[]): Failure {
  const text = problems.length === 0 ? '' : ` Problems: ${problems.slice(0, MAX_PROBLEMS_IN_ERROR).join('. ')}.`;
  return new Failure('data', `The sources in ${folder} contain no company that a release can include.${text}`, {
    hint: 'Check the names of the files: a release needs company facts, submissions of listed companies, or reports (XBRL).',
  });
}

/** Returns the current release, to compare the new release with; null if it is missing or unreadable. */
async function findPreviousRelease(home: string): Promise<PreviousRelease | null> {
  try {
    const stamp = readCurrentStamp(home);
    if (stamp === null) return null;
    const release = openRelease(join(home, stamp));
    try {
      const { tables } = release.manifest;
      return {
        stamp,
        rows: Object.fromEntries(Object.entries(tables).map(([name, { rows }]) => [name, rows])),
        evidence: release.includes(EVIDENCE) ? await release.allOf(EVIDENCE) : null,
      };
    } finally {
      await release.close();
    }
  } catch (error) {
    if (isFailure(error)) return null;
    throw error;
  }
}

const selectNonZeroCounts = (skipped: SkippedRowCounts): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(skipped.getCounts()).filter(([, count]) => count > 0));
