/** Which release answers `local:`: the user's own current one, or else the sample that ships with the package. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../../contract/failure.ts';
import { currentStamp } from './home.ts';

export interface LocatedRelease {
  readonly stamp: string;
  readonly directory: string;
  /** True when nothing of the user's own was found, and the sample answers. */
  readonly isSample: boolean;
}

/** Where releases are kept below the data directory. */
export function releasesHome(dataDirectory: string): string {
  return join(dataDirectory, 'releases');
}

/**
 * Throws a data Failure when the chosen release has gone, or when there is neither a release nor a sample.
 * @param sample the sample's home; by default that of the package
 */
export function locateRelease(dataDirectory: string, sample: string | null = sampleHome()): LocatedRelease {
  const home = releasesHome(dataDirectory);
  const own = currentStamp(home);
  if (own !== null) return { stamp: own, directory: join(home, own), isSample: false };
  const shipped = sample === null ? null : currentStamp(sample);
  if (sample !== null && shipped !== null) return { stamp: shipped, directory: join(sample, shipped), isSample: true };
  throw new Failure('data', `There is no release in ${home}.`, {
    hint: 'Fetch public files with "fin data fetch", and build one with "fin data build".',
  });
}

/** The sample is in the package, above this source, which runs from there or from the bundles in `dist`. */
export function sampleHome(): string | null {
  const places = [join(__dirname, '..', 'sample'), join(__dirname, '..', 'src', 'release', 'sample')];
  return places.find((place) => existsSync(place)) ?? null;
}
