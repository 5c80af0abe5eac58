/** Where held answers live. */
import { join } from 'node:path';
import { Failure } from '../../contract/failure.ts';
import { findDirectories } from '../../platform/directories.ts';
import type { UtilityCall } from '../utility.ts';

export function cachePlace({ io }: Pick<UtilityCall, 'io'>): string {
  const { cache } = findDirectories(io.env);
  if (cache !== null) return join(cache, 'http');
  throw new Failure('usage', 'There is no directory for held answers: HOME is not set.', {
    hint: 'Set FIN_CACHE_DIR to a directory of your own.',
  });
}
