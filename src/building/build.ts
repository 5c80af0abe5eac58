/**
 * Builds a release from a directory of public files. Workers derive companies in parallel; the main thread writes the
 * results in order of CIK. The build writes to a staging directory, which is renamed after the checks. So a build can
 * be killed and restarted at any point.
 */

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure, isFailure } from '../contract/failure.ts';
import type { BuildReport } from '../contract/release-work.ts';
import { type ListedFile, listFiles } from '../edgar/files/list-files.ts';
import type { PublicFiles } from '../edgar/files/public-files.ts';
import { SkippedRowCounts } from '../edgar/files/skipped-rows.ts';
import { makeDirectory } from '../platform/files/directories.ts';
import { openRelease } from '../store/reader.ts';
import { formatStamp } from '../store/releases/content-hash.ts';
import { readCurrentStamp } from '../store/releases/home.ts';
import type { Manifest } from '../store/releases/manifest.ts';
import { keepTouching, makeStagingDirectory, publish } from '../store/releases/staging.ts';
import { EVIDENCE } from '../store/schema/evidence.ts';
import { LAYOUT_VERSION } from '../store/schema/layout.ts';
import { deriveCompanies, FactsAfterReleaseDateError } from './companies/derive-companies.ts';
import { FACTS_FAMILY } from './families/facts-family.ts';
import type { TableFamily } from './families/family.ts';
import { FILINGS_FAMILY } from './families/filings-family.ts';
import { HISTORY_FAMILY } from './families/history-family.ts';
import { HOLDERS_FAMILY } from './families/holders-family.ts';
import { PRICES_FAMILY } from './families/prices-family.ts';
import { SEGMENTS_FAMILY } from './families/segments-family.ts';
import { selectFilingFiles } from './filings/collect-filings.ts';
import { FilingListCollector } from './filings/list-collector.ts';
import { SegmentChecks } from './segments/segment-checks.ts';
import { type CompanyNotes, listLeftOutCiks, NO_COMPANY_NOTES } from './sources/company-notes.ts';
import { type FactCompanyChoice, resolveFactCompanies } from './sources/fact-companies.ts';
import { readInputs } from './sources/inputs.ts';
import {
  describeSources,
  type FileStates,
  openSourceFiles,
  readFileStates,
  requireUnchangedFiles,
} from './sources/sources.ts';
import type { PreviousRelease } from './tables/release-checks.ts';
import { ReleaseWriter } from './tables/release-writer.ts';
import { removeUnusedResults } from './tasks/result-cache.ts';
import { DamagedSliceFailure } from './tasks/slices.ts';
import { withBuildWorkers } from './workers/start-workers.ts';

export interface BuildOptions {
  /** A directory of public files, or one zip of company facts or of a statement set. */
  readonly sourceDirectory: string;
  /** The directory of releases. */
  readonly home: string;
  /** Number of worker threads; default: number of cores, at most eight. */
  readonly workerCount?: number;
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
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: BuildProgress) => void;
  /** The script of the worker threads; null runs all tasks in the main thread. Default: the bundled script. */
  readonly workerScript?: string | null;
  /** Directory of cached results; null caches nothing and performs every task. */
  readonly resultCacheDirectory?: string | null;
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

export interface BuildResult extends BuildReport {
  /** Amount of JSON read for companies: bytes of facts files plus characters of submissions. */
  readonly charactersRead: number;
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
export async function buildRelease(options: BuildOptions): Promise<BuildResult> {
  const startedMs = performance.now();
  options.signal?.throwIfAborted();
  const resultCacheDirectory = options.resultCacheDirectory ?? null;
  const startedAt = new Date();
  const publicFiles = await openSourceFiles(options.sourceDirectory);
  try {
    const sources = await listSources(options.sourceDirectory, publicFiles);
    let attemptOptions: AttemptOptions = { readsEverything: false, verifiesOutputs: false, startedMs };
    for (;;) {
      try {
        const buildResult = await attemptBuild(sources, options, attemptOptions);
        if (resultCacheDirectory !== null) removeUnusedResults(resultCacheDirectory, startedAt);
        return buildResult;
      } catch (cause) {
        attemptOptions = { ...attemptOptions, ...chooseRetryOptions(cause, attemptOptions) };
      }
    }
  } finally {
    publicFiles.close();
  }
}

interface BuildSources {
  readonly files: PublicFiles;
  /** The files of the source directory. */
  readonly listedFiles: readonly ListedFile[];
  /** States of the listed files before the first attempt. */
  readonly initialStates: FileStates;
  /** Counts of files that cannot be used, by reason. */
  readonly skipped: Readonly<Record<string, number>>;
  /** A sentence about each file that cannot be used. */
  readonly problems: readonly string[];
}

async function listSources(sourceDirectory: string, files: PublicFiles): Promise<BuildSources> {
  const problems = [...files.unread, ...files.rejected].map(({ name, reason }) => `${name}: ${reason}`);
  const skippedFileCounts = new SkippedRowCounts();
  skippedFileCounts.add('a file with an unsafe or repeated name in a zip', files.rejected.length);
  skippedFileCounts.add('a source from which nothing was read', files.unread.length);
  const listedFiles = await listFiles(sourceDirectory, { skipped: skippedFileCounts, problems });
  return {
    files,
    listedFiles,
    initialStates: readFileStates(listedFiles),
    skipped: skippedFileCounts.getCounts(),
    problems,
  };
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
function chooseRetryOptions(
  cause: unknown,
  { readsEverything, verifiesOutputs }: AttemptOptions,
): Partial<AttemptOptions> {
  if (cause instanceof FactsAfterReleaseDateError && !readsEverything) return { readsEverything: true };
  if (cause instanceof DamagedSliceFailure && !verifiesOutputs) return { verifiesOutputs: true };
  throw cause;
}

async function attemptBuild(
  sources: BuildSources,
  options: BuildOptions,
  attemptOptions: AttemptOptions,
): Promise<BuildResult> {
  const stagingDirectory = await makeStagingDirectory(options.home);
  const stopTouching = keepTouching(stagingDirectory);
  let writer: ReleaseWriter | null = null;
  try {
    writer = new ReleaseWriter(stagingDirectory, TABLE_FAMILIES);
    return await buildIntoStaging(sources, writer, stagingDirectory, options, attemptOptions);
  } finally {
    stopTouching();
    writer?.abandon();
    await rm(stagingDirectory, { recursive: true, force: true });
  }
}

async function buildIntoStaging(
  { files, listedFiles, initialStates, ...unusedFiles }: BuildSources,
  writer: ReleaseWriter,
  stagingDirectory: string,
  options: BuildOptions,
  { readsEverything, verifiesOutputs, startedMs }: AttemptOptions,
): Promise<BuildResult> {
  const getCurrentTime = options.currentTime ?? (() => new Date());
  const { signal } = options;
  const today = getCurrentTime().toISOString().slice(0, 10);
  const companyNotes = options.companyNotes ?? NO_COMPANY_NOTES;
  const skippedRowCounts = new SkippedRowCounts();
  skippedRowCounts.addAll(unusedFiles.skipped);
  const problems = [...unusedFiles.problems];
  const scratchDirectory = join(stagingDirectory, '.scratch');
  makeDirectory(scratchDirectory);
  const makeProgressReporter = (phase: BuildProgress['phase']) => (doneCount: number, totalCount: number) =>
    options.onProgress?.({ phase, done: doneCount, total: totalCount });
  let factRowCount = 0;
  let charactersRead = 0;
  const { date, finishedRelease, sources } = await withBuildWorkers(
    { ...options, scratchDirectory, verifiesOutputs },
    async (workers) => {
      const inputs = await readInputs(
        {
          ...{ files, scratchDirectory, readsEverything, today, skipped: skippedRowCounts, problems },
          sourceFiles: listedFiles,
          leftOutCiks: listLeftOutCiks(companyNotes),
          appendPart: (part) => writer.appendPart(part),
          onDatingProgress: makeProgressReporter('dating'),
        },
        workers,
      );
      const { ciks, date, filings, reports, market } = inputs;
      const foundFiles = [...files.files, ...reports.files, ...market.files, ...selectFilingFiles(listedFiles)];
      // A zip that is the whole source is also one of its reports' files.
      const usedFiles = [...new Map(foundFiles.map((file) => [file.name, file])).values()];
      const { ciks: factCiks, unknownNames } = resolveFactCompanies(options.facts ?? [], ciks, inputs.tickers);
      for (const name of unknownNames) {
        problems.push(`--facts names ${name}, but the source files have no such company`);
      }
      const listCollector = new FilingListCollector(join(scratchDirectory, 'insiders'));
      const segmentChecks = new SegmentChecks();
      const deriveAllCompanies = async () => {
        const deriveOptions = {
          ...{ today, companyNotes, factCompanies: factCiks },
          withoutFootnotes: options.withoutFootnotes ?? false,
        };
        const onDone = (doneCount: number) => makeProgressReporter('deriving')(doneCount, ciks.length);
        for await (const result of deriveCompanies(inputs, deriveOptions, workers.runTasks, onDone)) {
          writer.append(result);
          factRowCount += result.factRows;
          charactersRead += result.bytes;
          skippedRowCounts.addAll(result.skipped);
          skippedRowCounts.addAll(result.lists.skipped);
          problems.push(...[...result.problems, ...result.lists.problems].slice(0, MAX_REPORTED_PROBLEMS));
          listCollector.append(result.output, result.lists);
          segmentChecks.addAll(result.segments);
        }
      };
      // Hashes the sources while companies are derived, because hashing large files last would leave workers idle.
      const [sources] = await workers.awaitAll([
        describeSources(files.path, usedFiles, workers.runTasks),
        deriveAllCompanies(),
      ]);
      if (factRowCount === 0 && files.factCiks.length > 0) {
        skippedRowCounts.add('a source from which nothing was read');
        problems.unshift(
          `company facts: nothing was read from this source, because none of its ${files.factCiks.length} files, such as ${files.getFactsFileName(files.factCiks[0] ?? 0)}, contains a fact; replace or remove it`,
        );
      }
      makeProgressReporter('finishing')(ciks.length, ciks.length);
      const { hasIndexes, hasOwnership } = filings;
      const hasFilings =
        files.submissionCiks.length > 0 || hasIndexes || hasOwnership || listCollector.counts.filingRows > 0;
      const finishedRelease = await writer.finish(
        TABLE_FAMILIES,
        {
          ...{ ...inputs, skipped: skippedRowCounts, problems, segmentChecks, factCompanies: factCiks },
          companyLists: {
            counts: listCollector.counts,
            insiderDays: listCollector.insiderDays,
            getSharedSlices: (tables) => listCollector.getSharedSlices(tables),
            hasFilings,
            hasOwnership,
          },
        },
        {
          ...{ today, previousRelease: await findPreviousRelease(options.home) },
          ...{ allowsLoss: options.allowLoss ?? false, screenSince: options.screenSince ?? null },
        },
        workers,
      );
      requireUnchangedFiles(listedFiles, new Set(usedFiles.map(({ name }) => name)), initialStates);
      await rm(scratchDirectory, { recursive: true, force: true });
      return { date, finishedRelease, sources };
    },
  );
  if (finishedRelease.companyCount === 0) throw createNothingReadFailure(options.sourceDirectory, problems);
  skippedRowCounts.add('a company whose figures are too old for the screener', finishedRelease.outdatedScreenRows);
  skippedRowCounts.add('a ticker that belongs to another company', finishedRelease.contestedTickers);
  const manifest: Manifest = {
    layout: `${LAYOUT_VERSION.major}.${LAYOUT_VERSION.minor}`,
    date,
    stamp: formatStamp(date, finishedRelease.contentHash),
    publishedAt: getCurrentTime().toISOString(),
    checks: finishedRelease.checks.every(({ passed }) => passed) ? 'passed' : 'failed',
    checkResults: finishedRelease.checks,
    tables: finishedRelease.tables,
    sources,
    skipped: selectNonZeroCounts(skippedRowCounts),
    about: options.about ?? null,
  };
  signal?.throwIfAborted();
  const isWithheld = manifest.checks === 'failed' && options.publishFailed !== true;
  const publication = isWithheld ? 'withheld' : await publish(options.home, stagingDirectory, manifest);
  return {
    stamp: manifest.stamp,
    date,
    directory: isWithheld ? null : join(options.home, manifest.stamp),
    publication,
    checks: manifest.checks,
    checkResults: manifest.checkResults,
    companies: finishedRelease.companyCount,
    rows: Object.fromEntries(Object.entries(manifest.tables).map(([name, { rows }]) => [name, rows])),
    evidence: finishedRelease.evidence,
    factRows: factRowCount,
    charactersRead,
    skipped: manifest.skipped,
    problems: problems.slice(0, MAX_REPORTED_PROBLEMS),
    seconds: (performance.now() - startedMs) / 1000,
  };
}

/** Returns the error of a build without any company. */
function createNothingReadFailure(sourceDirectory: string, problems: readonly string[]): Failure {
  const problemsText =
    problems.length === 0 ? '' : ` Problems: ${problems.slice(0, MAX_PROBLEMS_IN_ERROR).join('. ')}.`;
  return new Failure('data', `Nothing was read from ${sourceDirectory}: no company could be derived.${problemsText}`, {
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

function selectNonZeroCounts(skipped: SkippedRowCounts): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(skipped.getCounts()).filter(([, count]) => count > 0));
}
