/**
 * Sweeps the cache with a probability proportional to the bytes that this process added, so that the cache stays near
 * its maximum size without a stored counter.
 */
export async function sweepSometimes(directory: string, writtenBytes: number, maxBytes: number): Promise<void> {
  if (writtenBytes === 0 || Math.random() * (maxBytes / 16) >= writtenBytes) return;
  const { sweepCache } = await import('./sweep.ts');
  try {
    sweepCache(directory, maxBytes);
  } catch {
    // Ignored, because the answer is complete; `fin cache info` reports why the cache is unreadable.
  }
}
