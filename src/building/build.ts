/**
 * Builds a release from a directory of public files.
 * Workers derive companies in parallel; the main thread writes them in order of CIK, so that memory does not grow
 * with their number. The build writes to a temporary directory and renames it once all checks have passed. It can be
 * interrupted at any point and restarted.
 */

import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isFailure } from '../contract/failure.ts';
import type { BuildReport } from '../contract/release-work.ts';
import { listFiles } from '../edgar/files/list-files.ts';
import type { PublicFiles } from '../edgar/files/public-files.ts';
import { SkippedRows } from '../edgar/files/skipped-rows.ts';
import { makeDirectory } from '../platform/directories.ts';
import { NOT_REGULAR } from '../platform/regular-file.ts';
import { stampOf } from '../store/content-hash.ts';
import { type Manifest, readManifest } from '../store/manifest.ts';
import { currentStamp } from '../store/releases/home.ts';
import { keepTouching, makeStaging, publish } from '../store/releases/staging.ts';
import { LAYOUT } from '../store/schema/layout.ts';
import { deriveCompanies, LaterFacts } from './companies/derive-companies.ts';
import type { Family } from './family.ts';
import { filingFiles } from './filings/collect-filings.ts';
import { FILINGS_FAMILY } from './filings/filings-family.ts';
import { ListCollector } from './filings/list-collector.ts';
import { HISTORY_FAMILY } from './history/history-family.ts';
import { HOLDERS_FAMILY } from './market/holders-family.ts';
import { PRICES_FAMILY } from './market/prices-family.ts';
import { SegmentChecks } from './segments/segment-checks.ts';
import { SEGMENTS_FAMILY } from './segments/segments-family.ts';
import { readInputs } from './sources/inputs.ts';
import { describeSources, openFiles } from './sources/sources.ts';
import type { ReleaseBefore } from './tables/release-checks.ts';
import { ReleaseWriter } from './tables/release-writer.ts';
import { removeOldParts } from './tasks/finished-parts.ts';
import { DamagedSlice } from './tasks/slices.ts';
import { withBuildWorkers } from './tasks/worker-pool.ts';

export interface BuildOptions {
  /** A directory of public files, or one zip of company facts. */
  readonly from: string;
  /** The directory that holds releases. */
  readonly home: string;
  /** Worker threads; by default as many as there are cores, at most eight. */
  readonly jobs?: number;
  /** Publish even when checks failed. */
  readonly publishFailed?: boolean;
  /** Publish even when much of the previous release's data is missing. */
  readonly allowLoss?: boolean;
  /** A sentence that describes the content of the release. */
  readonly about?: string | null;
  /** Replace the text of insiders' footnotes, which the filers wrote, with a sentence that refers to the filing. */
  readonly withoutFootnotes?: boolean;
  /** Leave out of the screener companies whose latest figures end before this day. */
  readonly screenSince?: string | null;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: BuildProgress) => void;
  /** The script of the worker threads; null runs all tasks in this thread. Default: the bundled script. */
  readonly workerScript?: string | null;
  /** Where task results of earlier builds are cached; null runs every task again and caches nothing. */
  readonly partsDirectory?: string | null;
  /** The clock, used for the manifest only: it does not affect the stamp. */
  readonly now?: () => Date;
}

export interface BuildProgress {
  readonly phase: 'dating' | 'deriving' | 'finishing';
  /** Number of companies derived, and their total. */
  readonly done: number;
  readonly total: number;
}

export interface BuildResult extends BuildReport {
  /** Characters of JSON read. */
  readonly charactersRead: number;
}

const MAX_PROBLEMS = 100;

/** In the order in which the families are built. */
const FAMILIES: readonly Family[] = [FILINGS_FAMILY, SEGMENTS_FAMILY, PRICES_FAMILY, HOLDERS_FAMILY, HISTORY_FAMILY];

/**
 * Throws a data Failure when the sources are unreadable or the home directory is not writable, and the signal's
 * reason when it is aborted.
 */
export async function buildRelease(options: BuildOptions): Promise<BuildResult> {
  const begun = performance.now();
  options.signal?.throwIfAborted();
  const partsDirectory = options.partsDirectory ?? null;
  const started = new Date();
  const files = await openFiles(options.from);
  try {
    let how: Attempt = { thorough: false, checked: false, begun };
    for (;;) {
      try {
        const report = await attempt(files, options, how);
        if (partsDirectory !== null) removeOldParts(partsDirectory, started);
        return report;
      } catch (cause) {
        how = { ...how, ...nextAttempt(cause, how) };
      }
    }
  } finally {
    files.close();
  }
}

interface Attempt {
  /**
   * Whether company facts are also read to find the release's date. The lists of filings nearly always end with the
   * same day or a later one.
   */
  readonly thorough: boolean;
  /**
   * Whether the output files of all cached tasks are verified before they are used. Otherwise a slice is verified
   * when it is read.
   */
  readonly checked: boolean;
  readonly begun: number;
}

/** How to repeat a build that failed with `cause`; throws the cause when repeating would not help. */
function nextAttempt(cause: unknown, { thorough, checked }: Attempt): Partial<Attempt> {
  if (cause instanceof LaterFacts && !thorough) return { thorough: true };
  if (cause instanceof DamagedSlice && !checked) return { checked: true };
  throw cause;
}

async function attempt(files: PublicFiles, options: BuildOptions, how: Attempt): Promise<BuildResult> {
  const staging = await makeStaging(options.home);
  const stopTouching = keepTouching(staging);
  let writer: ReleaseWriter | null = null;
  try {
    writer = new ReleaseWriter(staging, FAMILIES);
    return await build(files, writer, staging, options, how);
  } finally {
    stopTouching();
    writer?.abandon();
    await rm(staging, { recursive: true, force: true });
  }
}

async function build(
  files: PublicFiles,
  writer: ReleaseWriter,
  staging: string,
  options: BuildOptions,
  { thorough, checked, begun }: Attempt,
): Promise<BuildResult> {
  const now = options.now ?? (() => new Date());
  const { signal } = options;
  const today = now().toISOString().slice(0, 10);
  const skipped = new SkippedRows();
  const problems: string[] = files.rejected.map(({ name, reason }) => `${name}: ${reason}`);
  skipped.add('a file in a zip that was refused as unsafe', files.rejected.length);
  const listed = await listFiles(options.from, (name) => {
    skipped.add('a source that is not a regular file');
    problems.push(`${name}: ${NOT_REGULAR}`);
  });
  const scratch = join(staging, '.scratch');
  makeDirectory(scratch);
  const report = (phase: BuildProgress['phase']) => (done: number, total: number) =>
    options.onProgress?.({ phase, done, total });
  let factRows = 0;
  let charactersRead = 0;
  const { date, written, sources } = await withBuildWorkers({ ...options, scratch, checked }, async (workers) => {
    const inputs = await readInputs(
      {
        ...{ files, listed, scratch, thorough, today, skipped, problems },
        append: (part) => writer.put(part),
        onDated: report('dating'),
      },
      workers,
    );
    const { ciks, date, filings, reports, market } = inputs;
    const read = [...files.files, ...reports.files, ...market.files, ...filingFiles(listed)];
    const lists = new ListCollector(join(scratch, 'insiders'));
    const segments = new SegmentChecks();
    const derive = async () => {
      const how = { today, withoutFootnotes: options.withoutFootnotes ?? false };
      const onDone = (done: number) => report('deriving')(done, ciks.length);
      for await (const result of deriveCompanies(inputs, how, workers.results, onDone)) {
        writer.append(result);
        factRows += result.factRows;
        charactersRead += result.bytes;
        skipped.addAll(result.skipped);
        skipped.addAll(result.lists.skipped);
        problems.push(...[...result.problems, ...result.lists.problems].slice(0, MAX_PROBLEMS));
        lists.append(result.output, result.lists);
        segments.addAll(result.segments);
      }
    };
    // Starts now, because hashing the largest files would delay the end of the build, when no other work is left to
    // run in parallel.
    const [sources] = await workers.all([describeSources(files.path, read, workers.results), derive()]);
    report('finishing')(ciks.length, ciks.length);
    const { hasListings, hasOwnership } = filings;
    const hasFilings = files.submissionCiks.length > 0 || hasListings || hasOwnership || lists.counts.rows > 0;
    const written = await writer.finish(
      FAMILIES,
      {
        ...{ ...inputs, skipped, problems, segments },
        lists: {
          counts: lists.counts,
          insiderDays: lists.insiderDays,
          leftFor: (tables) => lists.leftFor(tables),
          hasFilings,
          hasOwnership,
        },
      },
      {
        ...{ today, before: releaseBefore(options.home) },
        ...{ allowLoss: options.allowLoss ?? false, screenSince: options.screenSince ?? null },
      },
      workers,
    );
    await rm(scratch, { recursive: true, force: true });
    return { date, written, sources };
  });
  skipped.add('a company whose figures are too old for the screener', written.outdated);
  skipped.add('a ticker that belongs to another company', written.contested);
  const manifest: Manifest = {
    layout: `${LAYOUT.major}.${LAYOUT.minor}`,
    date,
    stamp: stampOf(date, written.contentHash),
    publishedAt: now().toISOString(),
    checks: written.checks.every(({ passed }) => passed) ? 'passed' : 'failed',
    checkResults: written.checks,
    tables: written.tables,
    sources,
    skipped: nonZero(skipped),
    about: options.about ?? null,
  };
  signal?.throwIfAborted();
  const withheld = manifest.checks === 'failed' && options.publishFailed !== true;
  const publication = withheld ? 'withheld' : await publish(options.home, staging, manifest);
  return {
    stamp: manifest.stamp,
    date,
    directory: withheld ? null : join(options.home, manifest.stamp),
    publication,
    checks: manifest.checks,
    checkResults: manifest.checkResults,
    companies: written.companies,
    rows: Object.fromEntries(Object.entries(manifest.tables).map(([name, { rows }]) => [name, rows])),
    factRows,
    charactersRead,
    skipped: manifest.skipped,
    problems: problems.slice(0, MAX_PROBLEMS),
    seconds: (performance.now() - begun) / 1000,
  };
}

/** The release in use; null when it is missing or unreadable. */
function releaseBefore(home: string): ReleaseBefore | null {
  try {
    const stamp = currentStamp(home);
    if (stamp === null) return null;
    const { tables } = readManifest(join(home, stamp));
    return { stamp, rows: Object.fromEntries(Object.entries(tables).map(([name, { rows }]) => [name, rows])) };
  } catch (error) {
    if (isFailure(error)) return null;
    throw error;
  }
}

function nonZero(skipped: SkippedRows): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(skipped.counts()).filter(([, count]) => count > 0));
}
