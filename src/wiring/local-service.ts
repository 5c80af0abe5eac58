/** Implements the in-process service for `local:` with a release on this machine. Loaded on demand. */
import { join } from 'node:path';
import type { OpenedService } from '../client/local-service.ts';
import { Failure } from '../contract/failure.ts';
import { openInProcessService } from '../service/in-process.ts';
import type { Manifest } from '../store/manifest.ts';
import { openRelease } from '../store/reader.ts';
import { findSampleHome, type LocatedRelease, locateCurrentRelease, readCurrentStamp } from '../store/releases/home.ts';

export function openLocalService(dataDirectory: string | null, isSampleAllowed: boolean): OpenedService {
  const { directory, isSample, stamp } = findLocalRelease(dataDirectory, isSampleAllowed);
  // Opens the sample immediately, because the sample's description needs its manifest. Opening the sample later would
  // read the manifest again.
  const sampleReader = isSample ? openRelease(directory) : null;
  const service = openInProcessService(async () => sampleReader ?? openRelease(directory));
  const isCurrent = () => {
    try {
      return findLocalRelease(dataDirectory, isSampleAllowed).directory === directory;
    } catch {
      // If no other release is found, the current release continues to answer.
      return true;
    }
  };
  return { service, stamp, isCurrent, sample: sampleReader === null ? null : describeSample(sampleReader.manifest) };
}

function describeSample({ date, stamp, tables }: Manifest): NonNullable<OpenedService['sample']> {
  const { companies, screen } = tables;
  if (companies === undefined || screen === undefined) throw new Error(`The sample ${stamp} lacks a table.`);
  return { companies: companies.rows, screened: screen.rows, date };
}

function findLocalRelease(dataDirectory: string | null, allowsSample: boolean): LocatedRelease {
  if (dataDirectory !== null) return locateCurrentRelease(dataDirectory, allowsSample);
  const home = allowsSample ? findSampleHome() : null;
  const stamp = home === null ? null : readCurrentStamp(home);
  if (home !== null && stamp !== null) return { stamp, directory: join(home, stamp), isSample: true };
  throw new Failure('data', 'There is no directory for data, because HOME is not set to an absolute path.', {
    hint: 'Set FIN_DATA_DIR to a directory.',
  });
}
