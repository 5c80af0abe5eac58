/**
 * Builds a release from a directory of public files.
 *
 * Companies are derived side by side and written in order of cik, so that memory stays flat however many
 * there are. Everything goes to a directory beside the releases; only a finished and checked release is
 * moved among them. A build may be ended at any point and started again.
 */
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { Failure } from '../contract/failure.ts';
import { normalizeTicker } from '../contract/identifiers.ts';
import type { PublicFiles } from '../edgar/source.ts';
import { openSource } from '../edgar/source.ts';
import { Tally } from '../edgar/tally.ts';
import type { TickerRow, Tickers } from '../edgar/tickers.ts';
import { readTickers } from '../edgar/tickers.ts';
import type { BuildLane } from './build-lanes.ts';
import { defaultJobs, openLanes, workerScript } from './build-lanes.ts';
import type { BuildTask } from './build-task.ts';
import { stampOf } from './content-hash.ts';
import { FAMILIES } from './families.ts';
import { filingFiles } from './filings/family.ts';
import { inOrder } from './lanes.ts';
import { LAYOUT } from './layout.ts';
import { filingsOf, listedSecurities } from './market/listed-securities.ts';
import { type Market, readMarket } from './market/market.ts';
import { ReleaseWriter } from './release-writer.ts';
import { type GatheredReports, gatherReports } from './segments/gather.ts';
import { describeSources } from './source-files.ts';
import type { Publication } from './staging.ts';
import { makeStaging, publish } from './staging.ts';
import type { Check, Manifest } from './types.ts';

export interface BuildOptions {
  /** A directory of public files, or one zip of company facts. */
  readonly from: string;
  /** The directory that holds releases. */
  readonly home: string;
  /** Worker threads; by default as many as there are cores, at most eight. */
  readonly jobs?: number;
  /** Publish even when checks failed. */
  readonly publishFailed?: boolean;
  /** A sentence on what the release holds. */
  readonly about?: string | null;
  /** Leave out insider filings that carry footnotes: their text is other people's prose. */
  readonly withoutFootnotes?: boolean;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: BuildProgress) => void;
  /** The script of the worker threads, or null to work in this thread; found by itself unless given. */
  readonly workerScript?: string | null;
  /** The clock, for the manifest; it is no part of the stamp. */
  readonly now?: () => Date;
}

export interface BuildProgress {
  readonly phase: 'dating' | 'deriving' | 'finishing';
  /** Companies done, of how many. */
  readonly done: number;
  readonly total: number;
}

export interface BuildReport {
  readonly stamp: string;
  readonly date: string;
  /** Where the release is; null when failed checks kept it from being published. */
  readonly directory: string | null;
  readonly publication: Publication | 'withheld';
  readonly checks: 'passed' | 'failed';
  readonly checkResults: readonly Check[];
  readonly companies: number;
  readonly rows: Readonly<Record<string, number>>;
  /** Rows of facts in the sources. */
  readonly factRows: number;
  /** Characters of JSON read. */
  readonly charactersRead: number;
  readonly setAside: Readonly<Record<string, number>>;
  /** What could not be read, in words; the first hundred. */
  readonly problems: readonly string[];
  readonly seconds: number;
}

const BATCH = 8;
const DAYS_BATCH = 32;
/** CIKs are 32-bit integers in the tables; the filing system has assigned a thousandth of that range. */
const LARGEST_CIK = 2 ** 31 - 1;
const MOST_PROBLEMS = 100;

/** Throws a data Failure when the sources cannot be read or the home cannot be written, and what `signal` was aborted with. */
export async function buildRelease(options: BuildOptions): Promise<BuildReport> {
  const { signal } = options;
  signal?.throwIfAborted();
  const files = await openFiles(options.from);
  try {
    const staging = await makeStaging(options.home);
    const writer = new ReleaseWriter(staging);
    try {
      return await build(files, writer, staging, options);
    } finally {
      writer.abandon();
      await rm(staging, { recursive: true, force: true });
    }
  } finally {
    files.close();
  }
}

async function openFiles(path: string): Promise<PublicFiles> {
  try {
    return await openSource(path);
  } catch (cause) {
    throw new Failure(
      'data',
      `The sources cannot be read: ${cause instanceof Error ? cause.message : String(cause)}.`,
      {
        hint: 'Give a directory with companyfacts.zip, submissions.zip and company_tickers.json, as the SEC publishes them.',
        cause,
      },
    );
  }
}

async function build(
  files: PublicFiles,
  writer: ReleaseWriter,
  staging: string,
  options: BuildOptions,
): Promise<BuildReport> {
  const begun = performance.now();
  const now = options.now ?? (() => new Date());
  const setAside = new Tally();
  const problems: string[] = files.rejected.map(({ name, reason }) => `${name}: ${reason}`);
  setAside.add('a member of a zip that was refused', files.rejected.length);
  const tickers = await listTickers(files, setAside, problems);
  const ciks = candidates(files, tickers, setAside);
  const reports = await gatherReports({
    from: options.from,
    ciks,
    scratch: join(staging, '.scratch-reports'),
    setAside,
    problems,
    signal: options.signal,
  });
  const sources = describeSources(files, options.signal, reports.files);
  // It is awaited at the end; a failure before that must not go unhandled.
  sources.catch(() => undefined);
  const listed = await listedSecurities(ciks, tickers.rows, files);
  const scratch = join(staging, '.scratch-market');
  const marketOn = (date: string) =>
    readMarket({
      from: options.from,
      listed,
      date,
      scratch,
      setAside,
      problems,
      signal: options.signal,
      filingsOf: (cik) => filingsOf(files, cik),
    });
  const derived = await deriveAll(ciks, tickers, reports, marketOn, writer, options, setAside, problems);
  const { factRows, charactersRead, date, market } = derived;
  options.onProgress?.({ phase: 'finishing', done: ciks.length, total: ciks.length });
  const holders = new Map(tickers.rows.map((row) => [normalizeTicker(row.ticker), row.cik]));
  await writer.build(FAMILIES, holders, {
    from: options.from,
    reports,
    date,
    market,
    setAside,
    problems,
    signal: options.signal,
    withoutFootnotes: options.withoutFootnotes ?? false,
  });
  await rm(scratch, { recursive: true, force: true });
  const familyFiles = [...market.files, ...(await filingFiles(options.from))];
  const more = await describeSources({ path: files.path, files: familyFiles }, options.signal);
  await reports.store.remove();
  const written = writer.finish(holders, date, now().toISOString().slice(0, 10));
  setAside.add('a ticker that another company holds', written.contested);
  const manifest: Manifest = {
    layout: LAYOUT,
    date,
    stamp: stampOf(date, written.contentHash),
    publishedAt: now().toISOString(),
    checks: written.checks.every(({ passed }) => passed) ? 'passed' : 'failed',
    checkResults: written.checks,
    tables: written.tables,
    sources: [...(await sources), ...more].sort((a, b) => (a.name < b.name ? -1 : 1)),
    setAside: nonZero(setAside),
    about: options.about ?? null,
  };
  options.signal?.throwIfAborted();
  const withheld = manifest.checks === 'failed' && options.publishFailed !== true;
  const publication = withheld ? 'withheld' : await publish(options.home, staging, manifest);
  return {
    stamp: manifest.stamp,
    date,
    directory: withheld ? null : join(options.home, manifest.stamp),
    publication,
    checks: manifest.checks,
    checkResults: manifest.checkResults,
    companies: manifest.tables.companies?.rows ?? 0,
    rows: Object.fromEntries(Object.entries(manifest.tables).map(([name, { rows }]) => [name, rows])),
    factRows,
    charactersRead,
    setAside: manifest.setAside,
    problems: problems.slice(0, MOST_PROBLEMS),
    seconds: (performance.now() - begun) / 1000,
  };
}

async function listTickers(files: PublicFiles, setAside: Tally, problems: string[]): Promise<Tickers> {
  try {
    const { plain, withExchange } = await files.tickers();
    const tickers = readTickers(plain, withExchange);
    addAll(setAside, tickers.setAside);
    return tickers;
  } catch (cause) {
    setAside.add('a ticker list that cannot be read');
    problems.push(`the ticker lists: ${cause instanceof Error ? cause.message : String(cause)}`);
    return { rows: [], setAside: {} };
  }
}

/** Companies with facts, and listed filers: by the ticker lists, or where there are none by what filers say themselves. */
function candidates(files: PublicFiles, { rows }: Tickers, setAside: Tally): number[] {
  const listed = new Set(rows.map(({ cik }) => cik));
  const filers = files.submissionCiks.filter((cik) => rows.length === 0 || listed.has(cik));
  const ciks = [...new Set([...files.factCiks, ...filers])].sort((a, b) => a - b);
  setAside.add('a file of a CIK beyond those assigned', ciks.filter((cik) => cik > LARGEST_CIK).length);
  return ciks.filter((cik) => cik <= LARGEST_CIK);
}

async function deriveAll(
  ciks: readonly number[],
  { rows }: Tickers,
  reports: GatheredReports,
  marketOn: (date: string) => Promise<Market>,
  writer: ReleaseWriter,
  { from, jobs, signal, onProgress, ...options }: BuildOptions,
  setAside: Tally,
  problems: string[],
) {
  const script = options.workerScript === undefined ? workerScript() : options.workerScript;
  const lanes = openLanes({ path: from }, jobs ?? defaultJobs(), script);
  // Threads are ended at once, whatever they are at.
  const stop = () => void Promise.all(lanes.map((lane) => lane.close()));
  signal?.addEventListener('abort', stop, { once: true });
  try {
    const date = await latestDay(ciks, lanes, signal, onProgress);
    const market = await marketOn(date);
    const tickers = byCik(rows);
    const tasks = batches(ciks, BATCH).map(
      (batch): BuildTask => ({
        kind: 'companies',
        ciks: batch,
        tickers: batch.flatMap((cik): readonly TickerRow[] => tickers.get(cik) ?? []),
        releaseDate: date,
        covers: batch.flatMap((cik) => (reports.covers.get(cik) ?? []).map((cover) => ({ cik, cover }))),
        quotes: batch.flatMap((cik) => market.quotesOf(cik)),
      }),
    );
    let factRows = 0;
    let charactersRead = 0;
    let done = 0;
    for await (const result of inOrder(tasks, lanes, lanes.length * 2, signal)) {
      writer.append(result);
      factRows += result.factRows;
      charactersRead += result.bytes;
      for (const counts of result.setAside) addAll(setAside, counts);
      problems.push(...result.problems.slice(0, MOST_PROBLEMS));
      done += BATCH;
      onProgress?.({ phase: 'deriving', done: Math.min(done, ciks.length), total: ciks.length });
    }
    return { date, market, factRows, charactersRead };
  } finally {
    signal?.removeEventListener('abort', stop);
    await Promise.all(lanes.map((lane) => lane.close()));
  }
}

function byCik(rows: readonly TickerRow[]): Map<number, TickerRow[]> {
  const groups = new Map<number, TickerRow[]>();
  for (const row of rows) {
    const group = groups.get(row.cik);
    if (group === undefined) groups.set(row.cik, [row]);
    else group.push(row);
  }
  return groups;
}

/** The release's date: the latest day on which any of the companies filed. */
async function latestDay(
  ciks: readonly number[],
  lanes: readonly BuildLane[],
  signal: AbortSignal | undefined,
  onProgress: BuildOptions['onProgress'],
): Promise<string> {
  const tasks = batches(ciks, DAYS_BATCH).map((batch): BuildTask => ({ kind: 'days', ciks: batch }));
  let latest = '';
  let done = 0;
  for await (const result of inOrder(tasks, lanes, lanes.length * 2, signal)) {
    if (result.latest !== null && result.latest > latest) latest = result.latest;
    done += DAYS_BATCH;
    onProgress?.({ phase: 'dating', done: Math.min(done, ciks.length), total: ciks.length });
  }
  if (latest !== '') return latest;
  throw new Failure('data', 'The sources hold no filing of any company.', {
    hint: 'Look at the files: company facts that list no fact, and submissions that list no filing, make no release.',
  });
}

function batches(ciks: readonly number[], size: number): number[][] {
  return Array.from({ length: Math.ceil(ciks.length / size) }, (_, index) =>
    ciks.slice(index * size, (index + 1) * size),
  );
}

function addAll(tally: Tally, counts: Readonly<Record<string, number>>): void {
  for (const [reason, count] of Object.entries(counts)) tally.add(reason, count);
}

function nonZero(tally: Tally): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(tally.counts()).filter(([, count]) => count > 0));
}
