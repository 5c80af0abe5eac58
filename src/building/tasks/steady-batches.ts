/** The odd number nearest to 2³² divided by the golden ratio. */
const SPREAD = 0x9e3779b1;

/**
 * Divides companies into batches of about `usual` and at most `largest`. Batches end at certain CIKs, so that a new
 * company changes only its own batch.
 */
export function steadyBatches(ciks: readonly number[], usual: number, largest: number): number[][] {
  const found: number[][] = [];
  let batch: number[] = [];
  for (const cik of ciks) {
    batch.push(cik);
    // A multiplicative hash has evenly distributed high bits, whatever numbers were assigned.
    const isEnd = Math.imul(cik, SPREAD) >>> 0 < 2 ** 32 / usual;
    if (!isEnd && batch.length < largest) continue;
    found.push(batch);
    batch = [];
  }
  return batch.length === 0 ? found : [...found, batch];
}
