/** The odd number next to 2³² divided by the golden ratio. */
const SPREAD = 0x9e3779b1;

/**
 * Companies in batches of about `usual`, at most `largest`, which end at certain numbers: a new company changes its own batch
 * and no other.
 */
export function steadyBatches(ciks: readonly number[], usual: number, largest: number): number[][] {
  const found: number[][] = [];
  let batch: number[] = [];
  for (const cik of ciks) {
    batch.push(cik);
    // The high bits of a multiplicative hash are spread evenly, whatever numbers were assigned.
    const isEnd = Math.imul(cik, SPREAD) >>> 0 < 2 ** 32 / usual;
    if (!isEnd && batch.length < largest) continue;
    found.push(batch);
    batch = [];
  }
  return batch.length === 0 ? found : [...found, batch];
}
