/**
 * Sweeps the cache at random, in proportion to the bytes that a process added: its size stays near the bound without
 * a file that counts it.
 */
export async function sweepSometimes(directory: string, written: number, max: number): Promise<void> {
  if (written === 0 || Math.random() * (max / 16) >= written) return;
  const { sweepCache } = await import('./sweep.ts');
  try {
    sweepCache(directory, max);
  } catch {
    // The answer is not affected; fin cache info reports why the cache is unreadable.
  }
}
