/** Where `fin serve` and `fin keys` keep what is theirs. */
import { join } from 'node:path';
import { Failure } from '../../contract/failure.ts';
import { findDirectories } from '../../platform/directories.ts';
import type { UtilityCall } from '../utility.ts';

export interface ServiceHome {
  readonly data: string;
  readonly keys: string;
  /** Counts of the months. */
  readonly usage: string;
}

export function serviceHome({ io }: Pick<UtilityCall, 'io'>): ServiceHome {
  const { data, state } = findDirectories(io.env);
  if (data === null || state === null) {
    throw new Failure('usage', 'There is no home directory to keep keys and counts in.', {
      hint: 'Set HOME, or FIN_DATA_DIR and FIN_STATE_DIR.',
    });
  }
  return { data, keys: join(data, 'service', 'keys'), usage: join(state, 'service', 'usage') };
}
