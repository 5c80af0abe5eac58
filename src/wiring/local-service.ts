/** This program as its own service: the release on this machine behind the client's transport. Loaded for `local:` only. */
import { join } from 'node:path';
import type { Transport } from '../client/http/transport.ts';
import { Failure } from '../contract/failure.ts';
import { currentStamp } from '../release/store/home.ts';
import { type LocatedRelease, locateRelease, sampleHome } from '../release/store/locate.ts';
import { openRelease } from '../release/store/reader.ts';
import { inProcess } from '../service/in-process.ts';

export interface LocalService {
  readonly transport: Transport;
  readonly isSample: boolean;
  readonly stamp: string;
}

/**
 * @param dataDirectory null where there is no home directory: then only the sample can answer
 * @param sampleAllowed false where something is configured: then the sample must not pass for an answer
 */
export function openLocal(dataDirectory: string | null, sampleAllowed: boolean): LocalService {
  const { directory, isSample, stamp } = locate(dataDirectory, sampleAllowed);
  return { transport: inProcess(async () => openRelease(directory)), isSample, stamp };
}

function locate(dataDirectory: string | null, sampleAllowed: boolean): LocatedRelease {
  if (dataDirectory !== null) return sampleAllowed ? locateRelease(dataDirectory) : locateRelease(dataDirectory, null);
  const home = sampleAllowed ? sampleHome() : null;
  const stamp = home === null ? null : currentStamp(home);
  if (home !== null && stamp !== null) return { stamp, directory: join(home, stamp), isSample: true };
  throw new Failure('data', 'There is no place for data: no home directory is known.', {
    hint: 'Set FIN_DATA_DIR to a directory.',
  });
}
