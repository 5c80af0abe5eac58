/** Reads the files of filings that are not in order of company, before companies are derived, and keeps on disk what they say of each. */

import { type ListedFile, listFiles } from '../../../edgar/files/list-files.ts';
import type { IndexRow } from '../../../edgar/filings/filing-index.ts';
import type { FilingPage } from '../../../edgar/filings/filing-page.ts';
import { isListingFile, type ListingHandler, readListings } from '../../../edgar/filings/listing-files.ts';
import {
  isOwnershipFile,
  issuersWithTrades,
  readOwnershipFile,
  type SourcedOwnershipFiling,
} from '../../../edgar/insiders/ownership-files.ts';
import { throwMachineFault } from '../../../platform/system-error.ts';
import { joinByKey, Spill } from '../../store/spill.ts';
import { type ReadingContext, SourceFileReader } from '../source-file-reader.ts';

export interface CollectOptions extends ReadingContext {
  readonly from: string;
  /** The companies that may be in the release. */
  readonly ciks: readonly number[];
  readonly scratch: string;
}

export interface CollectedFilings {
  readonly hasListings: boolean;
  readonly hasOwnership: boolean;
  /** Whether a company has ownership filings. */
  owns(cik: number): boolean;
  /** What files beside the companies' own lists say of a company's filings. To be asked in order of cik. */
  of(cik: number): OtherFilings;
}

export interface OtherFilings {
  readonly indexed: readonly IndexRow[];
  readonly pages: readonly FilingPage[];
  /** Ownership filings on the company's securities. */
  readonly owned: readonly SourcedOwnershipFiling[];
}

/** What indexes and pages say of a company's filings. */
type Listed = { readonly row: IndexRow } | { readonly page: FilingPage };

export async function collectFilings(options: CollectOptions): Promise<CollectedFilings> {
  const covered = new Set(options.ciks);
  const listed = new Spill<Listed>(`${options.scratch}/listed`, covered);
  const owned = new Spill<SourcedOwnershipFiling>(`${options.scratch}/ownership`, covered);
  const reader = new SourceFileReader(options, 'a file of filings that cannot be read');
  const handler: ListingHandler = {
    row: (row) => listed.add(row.cik, { row }),
    page: (page) => {
      for (const cik of page.ciks) listed.add(cik, { page });
    },
  };
  const issuers = new Set<number>();
  let hasListings = false;
  let hasOwnership = false;
  for (const file of await filingFiles(options.from)) {
    if (isListingFile(file.name)) {
      const isRead = await reader.read(file, () => readListings(file, handler, options.skipped));
      hasListings ||= isRead;
    }
    if (isOwnershipFile(file.name)) {
      const take = (one: SourcedOwnershipFiling) => {
        issuers.add(one.filing.issuerCik);
        owned.add(one.filing.issuerCik, one);
      };
      const isRead = await reader.read(file, () =>
        readOwnershipFile(file, (cik) => covered.has(cik), take, options.skipped, handler.row),
      );
      hasOwnership ||= isRead;
    }
  }
  const listedOf = joinByKey(listed.groups());
  const ownedOf = joinByKey(owned.groups());
  return {
    hasListings,
    hasOwnership,
    owns: (cik) => issuers.has(cik),
    of(cik) {
      const own = listedOf(cik);
      return {
        indexed: own.flatMap((one) => ('row' in one ? [one.row] : [])),
        pages: own.flatMap((one) => ('page' in one ? [one.page] : [])),
        owned: ownedOf(cik),
      };
    },
  };
}

/** The files of the directory that lists of filings are made of, beside the companies' own. */
export async function filingFiles(from: string): Promise<readonly ListedFile[]> {
  return (await listFiles(from)).filter(({ name }) => isListingFile(name) || isOwnershipFile(name));
}

/** The companies whose insiders' trades are in forms of the directory. A file that cannot be read is reported when it is read. */
export async function issuersOf(from: string): Promise<ReadonlySet<number>> {
  const issuers = new Set<number>();
  for (const file of (await listFiles(from)).filter(({ name }) => isOwnershipFile(name))) {
    const own = await issuersWithTrades(file).catch((cause: unknown) => {
      throwMachineFault(file.name, cause);
      return [];
    });
    for (const cik of own) issuers.add(cik);
  }
  return issuers;
}
