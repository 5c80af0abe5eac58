/** Where a command sends its requests, and for which account. */
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

/** Reads no key and sends nothing; throws a usage Failure where the settings contradict each other. */
export function findTarget(globals: GlobalOptions, { env }: Pick<Io, 'env'>): ConnectionTarget {
  const directories = findDirectories(env);
  return { directories, destination: findDestination(globals, env, readSettings(directories.config)) };
}

/** A hash that identifies the account, from origin and key; `local:` where no service is asked. Reads the key. */
export async function accountOf({ destination }: ConnectionTarget): Promise<string> {
  if (destination.to === 'local') return 'local:';
  const key = destination.key === null ? null : await readKey(destination.key);
  return fingerprint(destination.origin, key, destination.account);
}
