/**
 * Reads the files of filings that are not sorted by company, before companies are derived, and writes their content
 * to disk by company.
 */

import { join } from 'node:path';
import { isZip, type ListedFile } from '../../edgar/files/list-files.ts';
import type { SkippedRows } from '../../edgar/files/skipped-rows.ts';
import { isListingFile } from '../../edgar/filings/listing-files.ts';
import { isOwnershipFile, issuersWithTrades } from '../../edgar/insiders/ownership-files.ts';
import { throwMachineFault } from '../../platform/system-error.ts';
import { type Codec, groupLines, joinByKey } from '../../store/spill.ts';
import type { Results } from '../build-task.ts';
import { companyShards } from '../tasks/company-shards.ts';
import { readSlices, SliceIndex, share } from '../tasks/slices.ts';
import { type FilingLines, type FilingsTask, listedGroup, ownedGroup } from './read-filings.ts';

export interface CollectOptions {
  /** The companies that may be in the release, in order. */
  readonly ciks: readonly number[];
  /** A directory that is removed at the end of the build. */
  readonly scratch: string;
  readonly skipped: SkippedRows;
  readonly problems: string[];
  readonly results: Results;
}

export interface CollectedFilings {
  readonly hasListings: boolean;
  readonly hasOwnership: boolean;
  /** Whether a company has ownership filings. */
  owns(cik: number): boolean;
  /** What files other than the companies' own lists contain about a company's filings. Call it in order of CIK. */
  of(cik: number): FilingLines;
}

/** @param all files of the directory */
export async function collectFilings(all: readonly ListedFile[], options: CollectOptions): Promise<CollectedFilings> {
  const { shards, ends } = companyShards(options.ciks);
  const ciks = share(join(options.scratch, 'ciks'), options.ciks);
  const slices = new SliceIndex();
  const issuers = new Set<number>();
  let hasListings = false;
  let hasOwnership = false;
  const tasks = inTurn(filingFiles(all)).map((files): FilingsTask => ({ kind: 'filings', files, ciks, ends }));
  for await (const read of options.results(tasks)) {
    options.skipped.addAll(read.skipped);
    options.problems.push(...read.problems);
    slices.add(read.output);
    for (const cik of read.issuers) issuers.add(cik);
    hasListings ||= read.hasListings;
    hasOwnership ||= read.hasOwnership;
  }
  function* groupsOf(group: (shard: string) => string) {
    for (const { name } of shards) yield* groupLines(readSlices(slices.of(group(name))), AS_IT_IS);
  }
  const listedOf = joinByKey(groupsOf(listedGroup));
  const ownedOf = joinByKey(groupsOf(ownedGroup));
  return {
    hasListings,
    hasOwnership,
    owns: (cik) => issuers.has(cik),
    of: (cik) => ({ listed: listedOf(cik), owned: ownedOf(cik) }),
  };
}

const AS_IT_IS: Codec<string> = { write: (line) => line, read: (line) => line };

/**
 * Divides files into tasks: each zip is a task; consecutive loose files, of which there may be thousands, are one
 * task.
 */
function inTurn(files: readonly ListedFile[]): ListedFile[][] {
  const groups: ListedFile[][] = [];
  for (const file of files) {
    const last = groups.at(-1)?.at(-1);
    if (last === undefined || isZip(last) || isZip(file)) groups.push([file]);
    else groups.at(-1)?.push(file);
  }
  return groups;
}

/** The files with filings other than the companies' own lists. */
export function filingFiles(all: readonly ListedFile[]): readonly ListedFile[] {
  return all.filter(({ name }) => isListingFile(name) || isOwnershipFile(name));
}

/**
 * The companies with ownership forms among the files. Ignores unreadable files, which are reported when they are
 * read.
 */
export async function issuersOf(all: readonly ListedFile[]): Promise<ReadonlySet<number>> {
  const issuers = new Set<number>();
  for (const file of all.filter(({ name }) => isOwnershipFile(name))) {
    const own = await issuersWithTrades(file).catch((cause: unknown) => {
      throwMachineFault(file.name, cause);
      return [];
    });
    for (const cik of own) issuers.add(cik);
  }
  return issuers;
}
