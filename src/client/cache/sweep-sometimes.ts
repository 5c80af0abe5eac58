/**
 * The cache is swept by chance, in proportion to what a process added: so it never grows far past its bound, and no
 * file keeps count of it.
 */
export async function sweepSometimes(directory: string, written: number, max: number): Promise<void> {
  if (written === 0 || Math.random() * (max / 16) >= written) return;
  const { sweepCache } = await import('./sweep.ts');
  try {
    sweepCache(directory, max);
  } catch {
    // The answer was given; fin cache info says why the cache cannot be read.
  }
}
