/**
 * Runs the tasks that read the filings in files that are not sorted by company, such as indexes and Forms 4, and
 * returns these filings company by company.
 */

import { join } from 'node:path';
import { isZip, type ListedFile } from '../../edgar/files/list-files.ts';
import { mayContainIndexes } from '../../edgar/filings/listing-files.ts';
import { findIssuersWithTrades, isOwnershipFile } from '../../edgar/insiders/ownership-files.ts';
import { divideIntoRuns } from '../../platform/collections.ts';
import { createRowLookup, groupLines, type LineCodec } from '../../store/keyed-lines.ts';
import { divideIntoShards } from '../tasks/company-shards.ts';
import { addEach, addReport, type ReadingLog, type RecordCounts, readOrElse } from '../tasks/reading.ts';
import { readSlices, SliceIndex, writeSharedValue } from '../tasks/slices.ts';
import type { RunTasks } from '../tasks/task.ts';
import { type FilingsTask, makeListedGroup, makeOwnershipGroup, type SerializedFilings } from './read-filings.ts';

interface CollectOptions extends ReadingLog {
  /** CIKs of companies that may be in the release, ascending. */
  readonly ciks: readonly number[];
  /** Directory of temporary files, removed at the end of the build. */
  readonly scratchDirectory: string;
  readonly recordCounts: RecordCounts;
  readonly runTasks: RunTasks;
}

/**
 * Reads the filings in files other than companies' own lists.
 * @param files all files of the sources
 */
export async function collectFilings(files: readonly ListedFile[], options: CollectOptions) {
  const { shards, shardEnds } = divideIntoShards(options.ciks);
  const slice = writeSharedValue(join(options.scratchDirectory, 'ciks'), options.ciks);
  const slices = new SliceIndex();
  const issuers = new Set<number>();
  let hasIndexes = false;
  let hasOwnership = false;
  const tasks = groupFilesIntoTasks(selectFilingFiles(files)).map(
    (files): FilingsTask => ({ kind: 'filings', files, ciks: slice, shardEnds }),
  );
  for await (const result of options.runTasks(tasks)) {
    addReport(options, result);
    addEach(options.recordCounts, Object.entries(result.recordCounts));
    slices.add(result.output);
    for (const cik of result.issuers) issuers.add(cik);
    hasIndexes ||= result.hasIndexes;
    hasOwnership ||= result.hasOwnership;
  }
  function* readGroups(makeName: (shard: string) => string) {
    for (const { name } of shards) yield* groupLines(readSlices(slices.getSlices(makeName(name))), PLAIN_LINE_CODEC);
  }
  const readListed = createRowLookup(readGroups(makeListedGroup));
  const readOwned = createRowLookup(readGroups(makeOwnershipGroup));
  return {
    /** Whether an index, or the index page of a filing, was read. */
    hasIndexes,
    /** Whether a file of ownership filings was read. */
    hasOwnership,
    /** Whether ownership filings about the company's securities were found. */
    hasOwnershipFilings: (cik: number): boolean => issuers.has(cik),
    /** Returns a company's filings in files other than its own list. Must be called in order of CIK. */
    readLines: (cik: number): SerializedFilings => ({ listedLines: readListed(cik), ownershipLines: readOwned(cik) }),
  };
}

const PLAIN_LINE_CODEC: LineCodec<string> = { write: (line) => line, read: (line) => line };

/** Groups files into tasks: one task for each zip, and one task for all other files between two zips. */
const groupFilesIntoTasks = (files: readonly ListedFile[]): ListedFile[][] =>
  divideIntoRuns(files, (file, last) => !isZip(last) && !isZip(file));

/** Returns the files that contain filings, other than companies' own lists. */
export const selectFilingFiles = (files: readonly ListedFile[]): readonly ListedFile[] =>
  files.filter(({ name }) => mayContainIndexes(name) || isOwnershipFile(name));

/**
 * Returns the CIKs of issuers whose ownership forms in the files contain a purchase or sale. Ignores unreadable files,
 * which are reported when all filings are read.
 */
export async function findTradeIssuers(files: readonly ListedFile[]): Promise<ReadonlySet<number>> {
  const ciks = new Set<number>();
  for (const file of files.filter(({ name }) => isOwnershipFile(name))) {
    const issuers = await readOrElse<ReadonlySet<number>>(file.name, new Set(), () => findIssuersWithTrades(file));
    for (const cik of issuers) ciks.add(cik);
  }
  return ciks;
}
