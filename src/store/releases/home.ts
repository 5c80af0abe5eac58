/**
 * A home is a directory of releases: one subdirectory per stamp, and the file `current` with the stamp of the current
 * release. `current` is not a symbolic link, because only files can be replaced atomically on every platform.
 */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { compareText } from '../../contract/compare-text.ts';
import { Failure, isFailure } from '../../contract/failure.ts';
import { didYouMean } from '../../contract/text/nearest.ts';
import { quote } from '../../contract/text/quote.ts';
import { writeAtomically } from '../../platform/atomic-write.ts';
import { getOrInsert } from '../../platform/collections.ts';
import { makeDirectory } from '../../platform/directories.ts';
import { readRegularFile } from '../../platform/regular-file.ts';
import { makeSystemFailure, readIfPresent } from '../../platform/system-error.ts';
import { isStamp } from './content-hash.ts';
import { readManifest } from './manifest.ts';
import { ensureUnpackedSample } from './unpack-sample.ts';

const CURRENT_STAMP_FILE = 'current';

/**
 * Returns the stamps of all releases in a home, newest first; empty if the directory is missing. Releases of the same
 * date are ordered by their time of publication.
 */
export function listStamps(home: string): string[] {
  const failureMessage = `The releases in ${home} cannot be listed`;
  const publicationTimes = new Map<string, string>();
  const getCachedPublicationTime = (stamp: string) =>
    getOrInsert(publicationTimes, stamp, () => readPublicationTime(join(home, stamp)));
  return readIfPresent([], 'data', failureMessage, () => readdirSync(home, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory() && isStamp(entry.name))
    .map((entry) => entry.name)
    .sort(
      (a, b) =>
        compareText(extractStampDate(b), extractStampDate(a)) ||
        compareText(getCachedPublicationTime(b), getCachedPublicationTime(a)) ||
        compareText(b, a),
    );
}

const extractStampDate = (stamp: string): string => stamp.slice(0, '2026-08-18'.length);

/** Returns the time in a release's manifest; empty if the manifest is unreadable. */
function readPublicationTime(directory: string): string {
  try {
    return readManifest(directory).publishedAt;
  } catch (error) {
    if (isFailure(error)) return '';
    throw error;
  }
}

/**
 * Returns the stamp of the chosen release, or of the newest release if no release was chosen; null if the home has no
 * releases. Throws a data Failure if the chosen release is missing.
 */
export function readCurrentStamp(home: string): string | null {
  const chosenStamp = readChosenStamp(home);
  if (chosenStamp === null) return listStamps(home)[0] ?? null;
  if (isStamp(chosenStamp) && statSync(join(home, chosenStamp), { throwIfNoEntry: false })?.isDirectory() === true)
    return chosenStamp;
  throw new Failure('data', `The current release, ${JSON.stringify(chosenStamp.slice(0, 40))}, is not in ${home}.`, {
    hint: 'Choose another release with "fin data use", or build a release with "fin data build".',
  });
}

function readChosenStamp(home: string): string | null {
  const currentStampPath = join(home, CURRENT_STAMP_FILE);
  return readIfPresent(null, 'data', `${currentStampPath} cannot be read`, () =>
    readRegularFile(currentStampPath).trim(),
  );
}

/**
 * Makes a release current, atomically. Throws a data Failure if the release is missing or unreadable.
 * @param stampStart a stamp, or the beginning of exactly one stamp
 * @returns the complete stamp
 */
export async function makeReleaseCurrent(home: string, stampStart: string): Promise<string> {
  const stamps = listStamps(home);
  const matchingStamps = stampStart === '' ? [] : stamps.filter((name) => name.startsWith(stampStart));
  const [stamp, ...otherMatches] = matchingStamps;
  if (stamp === undefined || otherMatches.length > 0)
    throw makeNoSingleMatchFailure(home, stampStart, stamps, matchingStamps.length);
  readManifest(join(home, stamp));
  writeCurrentStamp(home, stamp);
  return stamp;
}

function makeNoSingleMatchFailure(
  home: string,
  stampStart: string,
  stamps: readonly string[],
  matchCount: number,
): Failure {
  const sampleHome = matchCount === 0 && stampStart !== '' ? findSampleHome() : null;
  if (sampleHome !== null && readCurrentStamp(sampleHome)?.startsWith(stampStart)) {
    return new Failure(
      'data',
      `The built-in sample cannot be chosen: it is used only while there is no release in ${home}.`,
      {
        hint:
          stamps.length === 0
            ? 'The sample is in use now.'
            : 'To use the sample, set FIN_DATA_DIR to an empty directory.',
      },
    );
  }
  if (stamps.length === 0) {
    return new Failure('data', `There is no release in ${home}.`, { hint: 'Build a release with "fin data build".' });
  }
  const quotedInput = JSON.stringify(stampStart.slice(0, 60));
  const message =
    matchCount > 1
      ? `The stamps of ${matchCount} releases begin with ${quotedInput}. Give more characters of the stamp.`
      : `There is no release ${quotedInput} in ${home}.${didYouMean(stampStart, stamps)}`;
  return new Failure('data', message, { hint: 'To list the releases: fin data status' });
}

/** Writes the stamp of the current release, without checking that the release is readable. */
export function writeCurrentStamp(home: string, stamp: string): void {
  const file = join(home, CURRENT_STAMP_FILE);
  try {
    writeAtomically(file, `${stamp}\n`, { mode: 0o666, createsDirectory: false, isDurable: true });
  } catch (cause) {
    throw makeSystemFailure('data', `${file} cannot be written`, cause);
  }
}

export const hasCurrentStampFile = (directory: string): boolean => existsSync(join(directory, CURRENT_STAMP_FILE));

export async function makeReleasesHome(home: string): Promise<void> {
  try {
    makeDirectory(home);
  } catch (cause) {
    throw makeSystemFailure('data', `The directory ${home} cannot be created`, cause);
  }
}

export interface LocatedRelease {
  readonly stamp: string;
  readonly directory: string;
  /** Whether the release is the built-in sample. */
  readonly isSample: boolean;
}

/** Returns the home of the user's releases, inside the data directory. */
export function getReleasesHome(dataDirectory: string): string {
  return join(dataDirectory, 'releases');
}

/**
 * Returns the current release, or the built-in sample if the user has no release. Throws a data Failure if the chosen
 * release is missing, or if there is no release to return.
 * @param allowsSample whether to use the built-in sample if the user has no release
 */
export function locateCurrentRelease(dataDirectory: string, allowsSample = true): LocatedRelease {
  const home = getReleasesHome(dataDirectory);
  const userStamp = readCurrentStamp(home);
  if (userStamp !== null) return { stamp: userStamp, directory: join(home, userStamp), isSample: false };
  const availableSampleHome = allowsSample ? findSampleHome() : null;
  const sampleStamp = availableSampleHome === null ? null : readCurrentStamp(availableSampleHome);
  if (availableSampleHome !== null && sampleStamp !== null)
    return { stamp: sampleStamp, directory: join(availableSampleHome, sampleStamp), isSample: true };
  throw new Failure('data', `There is no release in ${home}.`, {
    hint: 'Fetch public files with "fin data fetch", then build a release with "fin data build".',
  });
}

/**
 * Finds a release among the user's releases and the sample by its stamp, or by the beginning of exactly one stamp.
 * Without a stamp, returns the result of `locateCurrentRelease`. Throws a data Failure unless exactly one release
 * matches.
 */
export function findRelease(dataDirectory: string, stampStart: string | null): LocatedRelease {
  if (stampStart === null) return locateCurrentRelease(dataDirectory);
  const homeOfSample = findSampleHome();
  const homes = [{ home: getReleasesHome(dataDirectory), isSample: false }];
  if (homeOfSample !== null) homes.push({ home: homeOfSample, isSample: true });
  const releases = homes.flatMap(({ home, isSample }) =>
    listStamps(home).map((stamp) => ({ stamp, directory: join(home, stamp), isSample })),
  );
  // A user's copy of the sample takes precedence over the built-in sample.
  const [matchingRelease, ...otherMatches] = releases.filter(
    ({ stamp }, index) =>
      stamp.startsWith(stampStart) && releases.findIndex((release) => release.stamp === stamp) === index,
  );
  if (matchingRelease !== undefined && otherMatches.length === 0) return matchingRelease;
  const stamps = releases.map(({ stamp }) => stamp);
  throw new Failure(
    'data',
    matchingRelease === undefined
      ? `There is no release ${quote(stampStart)}.${didYouMean(stampStart, stamps)}`
      : `The stamps of ${otherMatches.length + 1} releases begin with ${quote(stampStart)}. Give more characters of the stamp.`,
    { hint: 'To list the releases: fin data status' },
  );
}

/**
 * Returns the home of the built-in sample; null if the program has no sample. In the package, the home is next to the
 * sources or the bundles; the single executable unpacks the sample to the user's cache. Throws a data Failure if
 * unpacking fails.
 */
export function findSampleHome(): string | null {
  const candidateDirectories = [join(__dirname, '..', 'src', 'store', 'sample'), join(__dirname, '..', 'sample')];
  return candidateDirectories.find((directory) => existsSync(directory)) ?? ensureUnpackedSample();
}
