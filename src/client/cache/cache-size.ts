import { Failure } from '../../contract/failure.ts';

const DEFAULT_MAX_CACHE_MB_TEXT = '256';
const BYTES_PER_MB = 1_000_000;

/**
 * Returns the approximate maximum size of the cache in bytes. Throws a usage Failure if `FIN_CACHE_MAX_MB` is not an
 * integer of at most six digits.
 */
export function readCacheMaxBytes({ FIN_CACHE_MAX_MB }: Readonly<Record<string, string | undefined>>): number {
  const text = FIN_CACHE_MAX_MB || DEFAULT_MAX_CACHE_MB_TEXT;
  if (/^\d{1,6}$/.test(text)) return Number(text) * BYTES_PER_MB;
  throw new Failure('usage', `FIN_CACHE_MAX_MB is ${JSON.stringify(text)}, not a whole number of at most six digits.`, {
    hint: `Set FIN_CACHE_MAX_MB to a whole number, or unset it to use the default, ${DEFAULT_MAX_CACHE_MB_TEXT}.`,
  });
}

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
