/** How large the cache may grow. */
import { Failure } from '../../contract/failure.ts';

const DEFAULT_MAX_MB = '256';
const MEGABYTE = 1_000_000;

/** About how many bytes cached responses may take. Throws a usage Failure where `FIN_CACHE_MAX_MB` is no whole number. */
export function readCacheMax({ FIN_CACHE_MAX_MB }: Readonly<Record<string, string | undefined>>): number {
  const text = FIN_CACHE_MAX_MB || DEFAULT_MAX_MB;
  if (/^\d{1,6}$/.test(text)) return Number(text) * MEGABYTE;
  throw new Failure('usage', `FIN_CACHE_MAX_MB is ${JSON.stringify(text)}, not a whole number of megabytes.`, {
    hint: `Leave it unset for ${DEFAULT_MAX_MB}.`,
  });
}
