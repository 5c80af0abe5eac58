/** This program as its own service: the release on this machine behind the client's transport. Loaded for `local:` only. */
import type { Transport } from '../client/types.ts';
import { locateRelease } from '../release/locate.ts';
import { openRelease } from '../release/reader.ts';
import { inProcess } from '../service/in-process.ts';

export interface LocalService {
  readonly transport: Transport;
  readonly isSample: boolean;
  readonly stamp: string;
}

/** @param sampleAllowed false where something is configured: then the sample must not pass for an answer */
export function openLocal(dataDirectory: string, sampleAllowed: boolean): LocalService {
  const { directory, isSample, stamp } = sampleAllowed
    ? locateRelease(dataDirectory)
    : locateRelease(dataDirectory, null);
  return { transport: inProcess(async () => openRelease(directory)), isSample, stamp };
}
