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
