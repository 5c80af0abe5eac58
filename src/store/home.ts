/**
 * Where releases live: a directory with one directory per stamp, and a small file that names the current one.
 *
 * `local:` is answered from the current one, or else from the sample that ships with the package. The name is in a file and not a symbolic link, because every platform can replace a file in one step.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Failure } from '../contract/failure.ts';
import { didYouMean } from '../contract/nearest.ts';
import { quote } from '../contract/quote.ts';
import { writeAtomically } from '../platform/atomic-write.ts';
import { makeDirectory } from '../platform/directories.ts';
import { readRegularFile } from '../platform/regular-file.ts';
import { isMissing, systemFailure } from '../platform/system-error.ts';
import { isStamp } from './content-hash.ts';
import { readManifest } from './manifest.ts';
import { unpackedSample } from './unpack-sample.ts';

const CURRENT = 'current';

/** Stamps of the releases in a home, newest date first; none when there is no such directory. */
export function listStamps(home: string): string[] {
  try {
    return readdirSync(home, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && isStamp(entry.name))
      .map((entry) => entry.name)
      .sort((a, b) => (a < b ? 1 : -1));
  } catch (cause) {
    if (isMissing(cause)) return [];
    throw systemFailure('data', `The releases in ${home} cannot be listed`, cause);
  }
}

/**
 * The stamp that questions are answered from: the one chosen, else the newest. Null when there is no release.
 * Throws a data Failure when the chosen one has gone.
 */
export function currentStamp(home: string): string | null {
  const chosen = readPointer(home);
  if (chosen === null) return listStamps(home)[0] ?? null;
  if (isStamp(chosen) && statSync(join(home, chosen), { throwIfNoEntry: false })?.isDirectory() === true) return chosen;
  throw new Failure('data', `The current release, ${JSON.stringify(chosen.slice(0, 40))}, is not in ${home}.`, {
    hint: 'Choose another with "fin data use", or build one with "fin data build".',
  });
}

function readPointer(home: string): string | null {
  try {
    return readRegularFile(join(home, CURRENT)).trim();
  } catch (cause) {
    if (isMissing(cause)) return null;
    throw systemFailure('data', `${join(home, CURRENT)} cannot be read`, cause);
  }
}

/**
 * Makes a release the current one, in one step: a reader finds the old or the new, never neither.
 * @param wanted a stamp, or the beginning of exactly one
 * @returns the stamp. Throws a data Failure when there is no such release or it cannot be read.
 */
export async function useRelease(home: string, wanted: string): Promise<string> {
  const stamps = listStamps(home);
  const matches = wanted === '' ? [] : stamps.filter((name) => name.startsWith(wanted));
  const [stamp, ...more] = matches;
  if (stamp === undefined || more.length > 0) throw notOne(home, wanted, stamps, matches.length);
  readManifest(join(home, stamp));
  writePointer(home, stamp);
  return stamp;
}

function notOne(home: string, wanted: string, stamps: readonly string[], matches: number): Failure {
  const sample = matches === 0 && wanted !== '' ? sampleHome() : null;
  if (sample !== null && currentStamp(sample)?.startsWith(wanted)) {
    return new Failure(
      'data',
      `The built-in sample cannot be chosen: it answers while there is no release in ${home}.`,
      {
        hint: stamps.length === 0 ? 'It answers now.' : 'To ask it, set FIN_DATA_DIR to an empty directory.',
      },
    );
  }
  if (stamps.length === 0) {
    return new Failure('data', `There is no release in ${home}.`, { hint: 'Build one with "fin data build".' });
  }
  const shown = JSON.stringify(wanted.slice(0, 60));
  const what =
    matches > 1
      ? `${matches} releases begin with ${shown}.`
      : `There is no release ${shown} in ${home}.${didYouMean(wanted, stamps)}`;
  return new Failure('data', what, { hint: '"fin data status" lists the releases.' });
}

/** Makes a stamp the current one, without a look at the release. */
export function writePointer(home: string, stamp: string): void {
  const file = join(home, CURRENT);
  try {
    writeAtomically(file, `${stamp}\n`, { mode: 0o666, makeDirectory: false, durable: true });
  } catch (cause) {
    throw systemFailure('data', `${file} cannot be written`, cause);
  }
}

/** Whether releases are kept in a directory, and one of them is the current one. */
export const isHome = (directory: string): boolean => existsSync(join(directory, CURRENT));

export async function makeHome(home: string): Promise<void> {
  try {
    makeDirectory(home);
  } catch (cause) {
    throw systemFailure('data', `The directory ${home} cannot be created`, cause);
  }
}

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
 * @param sampleAllowed whether the sample may answer where the user has no release
 */
export function locateRelease(dataDirectory: string, sampleAllowed = true): LocatedRelease {
  const home = releasesHome(dataDirectory);
  const own = currentStamp(home);
  if (own !== null) return { stamp: own, directory: join(home, own), isSample: false };
  const sample = sampleAllowed ? sampleHome() : null;
  const shipped = sample === null ? null : currentStamp(sample);
  if (sample !== null && shipped !== null) return { stamp: shipped, directory: join(sample, shipped), isSample: true };
  throw new Failure('data', `There is no release in ${home}.`, {
    hint: 'Fetch public files with "fin data fetch", and build one with "fin data build".',
  });
}

/**
 * The release of a stamp or of the beginning of exactly one, of the user's own or the sample; without one, that which
 * answers. Throws a data Failure where there is no such release.
 */
export function findRelease(dataDirectory: string, wanted: string | null): LocatedRelease {
  if (wanted === null) return locateRelease(dataDirectory);
  const sample = sampleHome();
  const homes = [{ home: releasesHome(dataDirectory), isSample: false }];
  if (sample !== null) homes.push({ home: sample, isSample: true });
  const all = homes.flatMap(({ home, isSample }) =>
    listStamps(home).map((stamp) => ({ stamp, directory: join(home, stamp), isSample })),
  );
  // The sample may have been copied to the user's own releases, which come first.
  const [first, ...others] = all.filter(
    ({ stamp }, at) => stamp.startsWith(wanted) && all.findIndex((one) => one.stamp === stamp) === at,
  );
  if (first !== undefined && others.length === 0) return first;
  const stamps = all.map(({ stamp }) => stamp);
  throw new Failure(
    'data',
    first === undefined
      ? `There is no release ${quote(wanted)}.${didYouMean(wanted, stamps)}`
      : `${quote(wanted)} begins ${others.length + 1} releases.`,
    { hint: '"fin data status" lists the releases.' },
  );
}

/**
 * The sample is in the package, above this source, which runs from there or from the bundles in `dist`; or it is in the
 * single executable. Throws a data Failure where it cannot be unpacked.
 */
export function sampleHome(): string | null {
  const places = [join(__dirname, 'sample'), join(__dirname, '..', 'src', 'store', 'sample')];
  return places.find((place) => existsSync(place)) ?? unpackedSample();
}
