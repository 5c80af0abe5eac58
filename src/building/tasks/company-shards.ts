/**
 * Divides companies into shards (ranges of CIKs). Temporary files store each kind of data (prices, holders, filings) by
 * shard, and a task reads one kind for a whole shard.
 */
import { findFirstIndex } from '../../platform/collections.ts';

const USUAL_SHARD_SIZE = 64;
const MAX_SHARD_SIZE = 128;

/**
 * The last CIK of each shard. The last shard has no entry: it has no upper bound, because new companies have the
 * highest CIKs.
 */
export type ShardEnds = readonly number[];

/**
 * Returns the name and the CIKs of each shard.
 * @param ciks in ascending order
 */
export function divideIntoShards(ciks: readonly number[]) {
  const batches = divideIntoBatches(ciks, USUAL_SHARD_SIZE, MAX_SHARD_SIZE);
  const ends: ShardEnds = batches.slice(0, -1).map((batch) => batch.at(-1) ?? Number.NaN);
  const shards = batches.map((ciks) => ({ name: findShardName(ciks[0] ?? Number.NaN, ends), ciks }));
  return { shards, shardEnds: ends };
}

/** Returns the name of a company's shard: the shard's last CIK, or `last` for the shard without an upper bound. */
export function findShardName(cik: number, ends: ShardEnds): string {
  const shardIndex = findFirstIndex(0, ends.length, (index) => (ends[index] ?? 0) >= cik);
  const shardEnd = ends[shardIndex];
  return shardEnd === undefined ? 'last' : String(shardEnd);
}

/** A prime near 2³² divided by the golden ratio, a usual multiplier for multiplicative hashing. */
const HASH_MULTIPLIER = 0x9e3779b1;

/**
 * Divides companies into batches of about `usual` and at most `maxSize` companies. A hash selects the CIKs at which
 * batches end. So a new company changes only one batch, or a few batches if some of them reach `maxSize`.
 */
export function divideIntoBatches(ciks: readonly number[], usual: number, maxSize: number): number[][] {
  const batches: number[][] = [];
  let batch: number[] = [];
  for (const cik of ciks) {
    batch.push(cik);
    // A multiplicative hash distributes the high bits evenly, whatever CIKs were assigned.
    const isBatchEnd = Math.imul(cik, HASH_MULTIPLIER) >>> 0 < 2 ** 32 / usual;
    if (!isBatchEnd && batch.length < maxSize) continue;
    batches.push(batch);
    batch = [];
  }
  return batch.length === 0 ? batches : [...batches, batch];
}
