/**
 * Reads the filings in files that are not sorted by company, and writes them to temporary files by shard of companies.
 */

import type { ListedFile } from '../../edgar/files/list-files.ts';
import { SkippedRowCounts } from '../../edgar/files/skipped-rows.ts';
import type { FilingIndexRow } from '../../edgar/filings/filing-index.ts';
import type { FilingPage } from '../../edgar/filings/filing-page.ts';
import { type FilingIndexHandler, mayContainIndexes, readFilingIndexes } from '../../edgar/filings/listing-files.ts';
import type { SourcedOwnershipFiling } from '../../edgar/insiders/ownership-files.ts';
import { isOwnershipFile, readOwnershipFile } from '../../edgar/insiders/ownership-files.ts';
import type { LineCodec } from '../../store/keyed-lines.ts';
import { findShardName, type ShardEnds } from '../tasks/company-shards.ts';
import { type ReadingReport, readOrReport } from '../tasks/reading.ts';
import { readSharedValue, type Slice, type SliceWriter, type TaskOutput } from '../tasks/slices.ts';
import type { Task } from '../tasks/task.ts';

export interface FilingsTask extends Task<FilingsResult> {
  readonly kind: 'filings';
  readonly files: readonly ListedFile[];
  /** CIKs of companies that may be in the release. */
  readonly ciks: Slice;
  readonly shardEnds: ShardEnds;
}

interface FilingsResult extends ReadingReport {
  readonly output: TaskOutput;
  readonly hasIndexes: boolean;
  readonly hasOwnership: boolean;
  /** CIKs of issuers with ownership filings. */
  readonly issuers: readonly number[];
  /** Number of rows, pages and ownership filings by file, including those of companies outside the release. */
  readonly recordCounts: Readonly<Record<string, number>>;
}

/** A company's filings in files other than its own list. */
export interface FilingsListedElsewhere {
  readonly indexRows: readonly FilingIndexRow[];
  readonly pages: readonly FilingPage[];
  /** Ownership filings about the company's securities. */
  readonly ownershipFilings: readonly SourcedOwnershipFiling[];
}

/** Filings serialized as lines, because threads exchange strings several times faster than objects. */
export interface SerializedFilings {
  /** Rows of indexes, and index pages. */
  readonly listedLines: readonly string[];
  /** Ownership filings about the company's securities. */
  readonly ownershipLines: readonly string[];
}

export function deserializeFilings({ listedLines, ownershipLines }: SerializedFilings): FilingsListedElsewhere {
  const listedFilings = listedLines.map(CODEC.read);
  return {
    indexRows: listedFilings.flatMap((filing) => ('row' in filing ? [filing.row] : [])),
    pages: listedFilings.flatMap((filing) => ('page' in filing ? [filing.page] : [])),
    ownershipFilings: ownershipLines.map(OWNERSHIP_CODEC.read),
  };
}

/**
 * Returns the CIKs of the owners in ownership filings. Missing accession numbers and filing dates are looked up in the
 * owners' lists.
 */
export const listOwnerCiks = ({ ownershipLines }: SerializedFilings): number[] =>
  ownershipLines.flatMap((line) => OWNERSHIP_CODEC.read(line).filing.owners.map(({ cik }) => cik));

/** A row of an index, or an index page. */
type ListedFiling = { readonly row: FilingIndexRow } | { readonly page: FilingPage };

const makeCodec = <Item>(): LineCodec<Item> => ({ write: JSON.stringify, read: (line) => JSON.parse(line) as Item });
const CODEC = makeCodec<ListedFiling>();
const OWNERSHIP_CODEC = makeCodec<SourcedOwnershipFiling>();

/** Returns the name of the group of slices with a shard's filings from indexes and index pages. */
export const makeListedGroup = (shard: string): string => `listed ${shard}`;
/** Returns the name of the group of slices with a shard's ownership filings. */
export const makeOwnershipGroup = (shard: string): string => `owned ${shard}`;

export async function readFilings(task: FilingsTask, output: SliceWriter): Promise<FilingsResult> {
  const { files, ciks, shardEnds } = task;
  const candidates = readSharedValue(ciks, (allCiks: readonly number[]) => new Set(allCiks));
  const skipped = new SkippedRowCounts();
  const problems: string[] = [];
  const issuers = new Set<number>();
  const addListed = (cik: number, listed: ListedFiling) => {
    if (candidates.has(cik))
      output.add(makeListedGroup(findShardName(cik, shardEnds)), `${cik}\t${CODEC.write(listed)}\n`);
  };
  let records = 0;
  const handler: FilingIndexHandler = {
    onRow: (row) => {
      records += 1;
      addListed(row.cik, { row });
    },
    onPage: (page) => {
      records += 1;
      for (const cik of page.ciks) addListed(cik, { page });
    },
  };
  const add = (filing: SourcedOwnershipFiling) => {
    const { issuerCik: cik } = filing.filing;
    issuers.add(cik);
    output.add(makeOwnershipGroup(findShardName(cik, shardEnds)), `${cik}\t${OWNERSHIP_CODEC.write(filing)}\n`);
  };
  const wantsIssuer = (cik: number) => {
    records += 1;
    return candidates.has(cik);
  };
  const counts: Record<string, number> = {};
  let hasIndexes = false;
  let hasOwnership = false;
  for (const file of files) {
    records = 0;
    const reason = 'an unreadable file with lists of filings or ownership forms';
    await readOrReport(file.name, reason, { skipped, problems }, async () => {
      if (mayContainIndexes(file.name)) {
        await readFilingIndexes(file, handler, skipped);
        hasIndexes = true;
      }
      if (isOwnershipFile(file.name)) {
        await readOwnershipFile(file, wantsIssuer, add, skipped, handler.onRow);
        hasOwnership = true;
      }
    });
    counts[file.name] = records;
  }
  const base = { output: output.finish(), skipped: skipped.getCounts(), problems };
  return { ...base, hasIndexes, hasOwnership, issuers: [...issuers], recordCounts: counts };
}
