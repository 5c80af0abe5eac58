/** Implements the in-process service for `local:` with a release on this machine. Loaded on demand. */
import type { OpenedService } from '../client/request/ports.ts';
import { openInProcessService } from '../service/answers/in-process.ts';
import { openRelease } from '../store/reader.ts';
import { locateRelease } from '../store/releases/home.ts';
import type { Manifest } from '../store/releases/manifest.ts';

export function openLocalService(data: string | null, mayBeSample: boolean): OpenedService {
  const { directory, isSample, stamp } = locateRelease(data, mayBeSample);
  // Opens the sample immediately, because the sample's description needs its manifest. Opening the sample later would
  // read the manifest again.
  const reader = isSample ? openRelease(directory) : null;
  const service = openInProcessService(async () => reader ?? openRelease(directory));
  const isCurrent = () => {
    try {
      return locateRelease(data, mayBeSample).directory === directory;
    } catch {
      // If no other release is found, the current release continues to answer.
      return true;
    }
  };
  return { service, stamp, isCurrent, sample: reader === null ? null : describeSample(reader.manifest) };
}

function describeSample({ date, stamp, tables }: Manifest): NonNullable<OpenedService['sample']> {
  const { companies, screen } = tables;
  if (companies === undefined || screen === undefined) throw new Error(`The sample ${stamp} lacks a table.`);
  return { companies: companies.rows, screened: screen.rows, date };
}
