/**
 * Sweeps the cache at random, in proportion to the bytes that a process added: its size stays near the bound without
 * a file that counts it.
 */
export async function sweepSometimes(directory: string, writtenBytes: number, maxBytes: number): Promise<void> {
  if (writtenBytes === 0 || Math.random() * (maxBytes / 16) >= writtenBytes) return;
  const { sweepCache } = await import('./sweep.ts');
  try {
    sweepCache(directory, maxBytes);
  } catch {
    // The answer is not affected; fin cache info reports why the cache is unreadable.
  }
}
