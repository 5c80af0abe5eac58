/** Where the commands about releases look: the directory named, or the one below the data directory. */

import { Failure } from '../../contract/failure.ts';
import { findDirectories } from '../../platform/directories.ts';
import { releasesHome } from '../../release/store/locate.ts';
import type { UtilityCall } from '../utility.ts';

/** Throws a data Failure when no directory is named and no home directory is known. */
export function homeOf({ io }: UtilityCall, named: string | null = null): string {
  if (named !== null) return named;
  const { data } = findDirectories(io.env);
  if (data !== null) return releasesHome(data);
  throw new Failure('data', 'There is no place for data: no home directory is known.', {
    hint: 'Set FIN_DATA_DIR to a directory.',
  });
}
