/** Where a command's questions go, and whose they are. */
import { type Destination, findDestination } from '../../client/destination.ts';
import { fingerprint, readKey } from '../../client/key.ts';
import { readSettings } from '../../client/settings.ts';
import type { Directories } from '../../platform/directories.ts';
import { findDirectories } from '../../platform/directories.ts';
import type { GlobalOptions } from '../command-line/global-options.ts';
import type { Io } from '../io.ts';

export interface ConnectionTarget {
  readonly directories: Directories;
  readonly destination: Destination;
}

/** Decided without reading a key or asking anything; throws a usage Failure where the parts do not fit together. */
export function findTarget(globals: GlobalOptions, { env }: Pick<Io, 'env'>): ConnectionTarget {
  const directories = findDirectories(env);
  return { directories, destination: findDestination(globals, env, readSettings(directories.config)) };
}

/** The one-way name of who asks, origin and key in it; `local:` where nobody else is asked. Reads the key. */
export async function accountOf({ destination }: ConnectionTarget): Promise<string> {
  if (destination.to === 'local') return 'local:';
  const key = destination.key === null ? null : await readKey(destination.key);
  return fingerprint(destination.origin, key, destination.account);
}
