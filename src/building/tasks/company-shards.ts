/**
 * Shards of companies. The prices, holders and insiders' filings of a shard are stored together on disk and processed
 * by one task.
 */
import { steadyBatches } from './steady-batches.ts';

const USUAL_BATCH = 64;
const MAX_BATCH = 128;

export interface CompanyShard {
  readonly name: string;
  /** In order of CIK. */
  readonly ciks: readonly number[];
}

/**
 * The last company of each shard, except of the last shard: it has no upper bound, because new companies have the
 * highest CIKs.
 */
export type ShardEnds = readonly number[];

/** @param ciks in ascending order */
export function companyShards(ciks: readonly number[]): { readonly shards: readonly CompanyShard[]; ends: ShardEnds } {
  const batches = steadyBatches(ciks, USUAL_BATCH, MAX_BATCH);
  const ends = batches.slice(0, -1).map((batch) => batch.at(-1) ?? Number.NaN);
  return { ends, shards: batches.map((own) => ({ name: shardOf(own[0] ?? Number.NaN, ends), ciks: own })) };
}

/** The name of a company's shard. */
export function shardOf(cik: number, ends: ShardEnds): string {
  let low = 0;
  let high = ends.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ends[middle] ?? 0) < cik) low = middle + 1;
    else high = middle;
  }
  const end = ends[low];
  return end === undefined ? 'last' : String(end);
}
