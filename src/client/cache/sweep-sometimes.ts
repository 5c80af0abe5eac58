/**
 * Sweeps the cache with a probability proportional to the bytes that this process added, so that the cache stays near
 * its maximum size without a stored counter.
 */
export async function sweepSometimes(folder: string, written: number, maxBytes: number): Promise<void> {
  if (written === 0 || Math.random() * (maxBytes / 16) >= written) return;
  const { sweepCache } = await import('./sweep.ts');
  try {
    sweepCache(folder, maxBytes);
  } catch {
    // Ignored, because the answer is complete; `fin cache info` reports why the cache is unreadable.
  }
}
