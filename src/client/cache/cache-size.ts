import { Failure } from '../../contract/failure.ts';

/** Maximum megabytes of each cache, by the variable that changes it. */
const DEFAULT_MAX_MB_TEXTS = { FIN_CACHE_MAX_MB: '256', FIN_DOCUMENTS_MAX_MB: '1000' } as const;
const BYTES_PER_MB = 1_000_000;

/**
 * Returns the approximate maximum size of a cache in bytes: of responses or of documents. Throws a usage Failure if the
 * variable is not an integer of at most six digits.
 */
export function readCacheMaxBytes(
  env: Readonly<Record<string, string | undefined>>,
  name: keyof typeof DEFAULT_MAX_MB_TEXTS = 'FIN_CACHE_MAX_MB',
): number {
  const text = env[name] || DEFAULT_MAX_MB_TEXTS[name];
  if (/^\d{1,6}$/.test(text)) return Number(text) * BYTES_PER_MB;
  throw new Failure('usage', `${name} is ${JSON.stringify(text)}, not a whole number of at most six digits.`, {
    hint: `Set ${name} to a whole number, or unset it to use the default, ${DEFAULT_MAX_MB_TEXTS[name]}.`,
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
