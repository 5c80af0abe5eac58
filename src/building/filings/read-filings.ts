/**
 * Reads the files of filings that are not sorted by company, and writes their content to disk by shard of companies.
 */
import type { ListedFile } from '../../edgar/files/list-files.ts';
import { SkippedRows } from '../../edgar/files/skipped-rows.ts';
import type { IndexRow } from '../../edgar/filings/filing-index.ts';
import type { FilingPage } from '../../edgar/filings/filing-page.ts';
import { isListingFile, type ListingHandler, readListings } from '../../edgar/filings/listing-files.ts';
import {
  isOwnershipFile,
  readOwnershipFile,
  type SourcedOwnershipFiling,
} from '../../edgar/insiders/ownership-files.ts';
import type { Codec } from '../../store/spill.ts';
import { type ShardEnds, shardOf } from '../tasks/company-shards.ts';
import { readShared, type Slice, type SliceWriter, type TaskOutput } from '../tasks/slices.ts';
import { SourceFileReader } from './source-file-reader.ts';

export interface FilingsTask {
  readonly kind: 'filings';
  readonly files: readonly ListedFile[];
  /** The companies that may be in the release. */
  readonly ciks: Slice;
  readonly ends: ShardEnds;
}

export interface ReadFiles {
  readonly output: TaskOutput;
  readonly hasListings: boolean;
  readonly hasOwnership: boolean;
  /** The companies with ownership filings. */
  readonly issuers: readonly number[];
  readonly skipped: Readonly<Record<string, number>>;
  readonly problems: readonly string[];
}

/** What files other than a company's own list contain about its filings. */
export interface OtherFilings {
  readonly indexed: readonly IndexRow[];
  readonly pages: readonly FilingPage[];
  /** Ownership filings on the company's securities. */
  readonly owned: readonly SourcedOwnershipFiling[];
}

/** The same as lines of text: between threads, strings move several times faster than objects. */
export interface FilingLines {
  readonly listed: readonly string[];
  readonly owned: readonly string[];
}

export function readLines({ listed, owned }: FilingLines): OtherFilings {
  const all = listed.map(LISTED.read);
  return {
    indexed: all.flatMap((one) => ('row' in one ? [one.row] : [])),
    pages: all.flatMap((one) => ('page' in one ? [one.page] : [])),
    owned: owned.map(OWNED.read),
  };
}

/** The owners named in ownership filings. When a form names no filing, the filing is searched in the owners' lists. */
export function ownersIn({ owned }: FilingLines): number[] {
  return owned.flatMap((line) => OWNED.read(line).filing.owners.map(({ cik }) => cik));
}

/** An entry of an index, or a page of a filing. */
type Listed = { readonly row: IndexRow } | { readonly page: FilingPage };

const LISTED: Codec<Listed> = { write: JSON.stringify, read: (line) => JSON.parse(line) as Listed };
const OWNED: Codec<SourcedOwnershipFiling> = {
  write: JSON.stringify,
  read: (line) => JSON.parse(line) as SourcedOwnershipFiling,
};

/** Names of the groups of slices with a shard's filings: from indexes and pages, and from ownership filings. */
export const listedGroup = (shard: string): string => `listed ${shard}`;
export const ownedGroup = (shard: string): string => `owned ${shard}`;

export async function readFilings({ files, ciks, ends }: FilingsTask, output: SliceWriter): Promise<ReadFiles> {
  const covered = readShared(ciks, (all: readonly number[]) => new Set(all));
  const skipped = new SkippedRows();
  const problems: string[] = [];
  const reader = new SourceFileReader(
    { skipped, problems, signal: undefined },
    'a file of filings that cannot be read',
  );
  const issuers = new Set<number>();
  const list = (cik: number, one: Listed) => {
    if (covered.has(cik)) output.add(listedGroup(shardOf(cik, ends)), `${cik}\t${LISTED.write(one)}\n`);
  };
  const handler: ListingHandler = {
    row: (row) => list(row.cik, { row }),
    page: (page) => {
      for (const cik of page.ciks) list(cik, { page });
    },
  };
  const take = (one: SourcedOwnershipFiling) => {
    const { issuerCik } = one.filing;
    issuers.add(issuerCik);
    output.add(ownedGroup(shardOf(issuerCik, ends)), `${issuerCik}\t${OWNED.write(one)}\n`);
  };
  let hasListings = false;
  let hasOwnership = false;
  for (const file of files) {
    if (isListingFile(file.name)) {
      const isRead = await reader.read(file, () => readListings(file, handler, skipped));
      hasListings ||= isRead;
    }
    if (isOwnershipFile(file.name)) {
      const isRead = await reader.read(file, () =>
        readOwnershipFile(file, (cik) => covered.has(cik), take, skipped, handler.row),
      );
      hasOwnership ||= isRead;
    }
  }
  const reading = { output: output.done(), skipped: skipped.counts(), problems };
  return { ...reading, hasListings, hasOwnership, issuers: [...issuers] };
}
