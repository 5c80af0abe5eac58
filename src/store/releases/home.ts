/**
 * A home is a directory of releases: one subdirectory per stamp, and the file `current` with the stamp of the current
 * release. `current` is not a symbolic link, because only files can be replaced atomically on every platform.
 */

import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compareText } from '../../contract/compare-text.ts';
import { Failure } from '../../contract/failure.ts';
import { didYouMean } from '../../contract/nearest.ts';
import { quote } from '../../contract/text/quote.ts';
import { type ExecutableContent, readAsset, readExecutableContent } from '../../platform/builtins/executable.ts';
import { getOrInsert } from '../../platform/collections.ts';
import { writeDurably } from '../../platform/files/atomic-write.ts';
import { makeDirectory, makePrivateDirectory, requireDirectory } from '../../platform/files/directories.ts';
import { readRegularFile } from '../../platform/files/regular-file.ts';
import { makeSystemFailure, readIfPresent } from '../../platform/files/system-error.ts';
import { isObject, parseJson } from '../../platform/json-object.ts';
import { isStamp, LAYOUT_VERSION, MANIFEST_FILE, readMajorVersion, readManifest } from './manifest.ts';

const CURRENT_STAMP_FILE = 'current';

/**
 * Returns the stamps of all releases in a home, newest first; empty if the directory is missing. Releases of the same
 * date are ordered by their time of publication.
 */
export function listStamps(home: string): string[] {
  const message = `The releases in ${home} cannot be listed`;
  const times = new Map<string, string>();
  const timeOf = (stamp: string) => getOrInsert(times, stamp, () => readPublicationTime(join(home, stamp)));
  return readIfPresent([], 'data', message, () => readdirSync(home, { withFileTypes: true }))
    .filter((entry) => entry.isDirectory() && isStamp(entry.name))
    .map((entry) => entry.name)
    .sort((a, b) => compareText(dateOf(b), dateOf(a)) || compareText(timeOf(b), timeOf(a)) || compareText(b, a));
}

const dateOf = (stamp: string): string => stamp.slice(0, '2026-08-18'.length);

/**
 * Returns the time in a release's manifest; empty if the manifest is unreadable or its layout unknown, so that other
 * releases of the date count as newer. Does not check the manifest, because that loads code that takes longer.
 */
function readPublicationTime(directory: string): string {
  try {
    const manifest = parseJson(readRegularFile(join(directory, MANIFEST_FILE)));
    if (!isObject(manifest) || readMajorVersion(manifest.layout) !== LAYOUT_VERSION.major) return '';
    return typeof manifest.publishedAt === 'string' ? manifest.publishedAt : '';
  } catch {
    return '';
  }
}

/**
 * Returns the stamp of the chosen release, or of the newest release if no release was chosen; null if the home has no
 * releases. Throws a data Failure if the chosen release is missing.
 */
export function readCurrentStamp(home: string): string | null {
  const stamp = readChosenStamp(home);
  if (stamp === null) return listStamps(home)[0] ?? null;
  if (isStamp(stamp) && statSync(join(home, stamp), { throwIfNoEntry: false })?.isDirectory() === true) return stamp;
  throw new Failure('data', `The current release, ${JSON.stringify(stamp.slice(0, 40))}, is not in ${home}.`, {
    hint: 'Choose another release with "fin data use", or build a release with "fin data build".',
  });
}

function readChosenStamp(home: string): string | null {
  const path = join(home, CURRENT_STAMP_FILE);
  return readIfPresent(null, 'data', `${path} cannot be read`, () => readRegularFile(path).trim());
}

/**
 * Makes a release current, atomically. Throws a data Failure if the release is missing or unreadable.
 * @param start a stamp, or the beginning of exactly one stamp
 * @returns the complete stamp
 */
export async function makeReleaseCurrent(home: string, start: string): Promise<string> {
  const stamps = listStamps(home);
  const matches = start === '' ? [] : stamps.filter((name) => name.startsWith(start));
  const [stamp, second] = matches;
  if (stamp === undefined || second !== undefined) throw makeNoSingleMatchFailure(home, start, stamps, matches.length);
  readManifest(join(home, stamp));
  writeCurrentStamp(home, stamp);
  return stamp;
}

function makeNoSingleMatchFailure(home: string, start: string, stamps: readonly string[], count: number): Failure {
  const sample = count === 0 && start !== '' ? findSampleRelease() : null;
  if (sample?.stamp.startsWith(start)) {
    const message = `The built-in sample cannot be chosen: it is used only while there is no release in ${home}.`;
    const advice = 'To use the sample, set FIN_DATA_DIR to an empty directory.';
    return new Failure('data', message, { hint: stamps.length === 0 ? 'The sample is in use now.' : advice });
  }
  if (stamps.length === 0)
    return new Failure('data', `There is no release in ${home}.`, { hint: 'Build a release with "fin data build".' });
  const input = JSON.stringify(start.slice(0, 60));
  const message =
    count > 1
      ? `The stamps of ${count} releases begin with ${input}. Give more characters of the stamp.`
      : `There is no release ${input} in ${home}.${didYouMean(start, stamps)}`;
  return new Failure('data', message, { hint: 'To list the releases: fin data status' });
}

/** Writes the stamp of the current release, without checking that the release is readable. */
export function writeCurrentStamp(home: string, stamp: string): void {
  const file = join(home, CURRENT_STAMP_FILE);
  try {
    writeDurably(file, `${stamp}\n`);
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

interface LocatedRelease {
  readonly stamp: string;
  readonly directory: string;
  /** Whether the release is the built-in sample. */
  readonly isSample: boolean;
}

/** Returns the home of the user's releases, inside the data directory. */
export const getReleasesHome = (directory: string): string => join(directory, 'releases');

/**
 * Returns the current release, or the built-in sample if the user has no release. Throws a data Failure if the chosen
 * release is missing, or if there is no release to return.
 * @param data the data directory; null if there is none
 * @param usesSample whether to use the built-in sample if the user has no release
 */
export function locateRelease(data: string | null, usesSample = true): LocatedRelease {
  const userRelease = findCurrentRelease(data === null ? null : getReleasesHome(data), false);
  const release = userRelease ?? (usesSample ? findSampleRelease() : null);
  if (release !== null) return release;
  if (data === null) {
    const reason = 'HOME is not set to a directory that this user can enter';
    throw new Failure('data', `There is no directory for data, because ${reason}.`, {
      hint: 'Set FIN_DATA_DIR to a directory.',
    });
  }
  throw new Failure('data', `There is no release in ${getReleasesHome(data)}.`, {
    hint: 'Fetch public files with "fin data fetch", then build a release with "fin data build".',
  });
}

function findCurrentRelease(home: string | null, isSample: boolean): LocatedRelease | null {
  const stamp = home === null ? null : readCurrentStamp(home);
  return home === null || stamp === null ? null : { stamp, directory: join(home, stamp), isSample };
}

/**
 * Finds a release among the user's releases and the sample by its stamp, or by the beginning of exactly one stamp.
 * Without a stamp, returns the result of `locateRelease`. Throws a data Failure unless exactly one release
 * matches.
 */
export function findRelease(directory: string, start: string | null): LocatedRelease {
  if (start === null) return locateRelease(directory);
  const sample = findSampleHome();
  const homes = [{ home: getReleasesHome(directory), isSample: false }];
  if (sample !== null) homes.push({ home: sample, isSample: true });
  const releases = homes.flatMap(({ home, isSample }) =>
    listStamps(home).map((stamp) => ({ stamp, directory: join(home, stamp), isSample })),
  );
  // A user's copy of the sample takes precedence over the built-in sample.
  const [match, ...otherMatches] = releases.filter(
    ({ stamp }, index) => stamp.startsWith(start) && releases.findIndex((release) => release.stamp === stamp) === index,
  );
  if (match !== undefined && otherMatches.length === 0) return match;
  const stamps = releases.map(({ stamp }) => stamp);
  const message =
    match === undefined
      ? `There is no release ${quote(start)}.${didYouMean(start, stamps)}`
      : `The stamps of ${otherMatches.length + 1} releases begin with ${quote(start)}. Give more characters of the stamp.`;
  throw new Failure('data', message, { hint: 'To list the releases: fin data status' });
}

/** Returns the built-in sample; null if the program has none. Throws a data Failure if unpacking fails. */
export const findSampleRelease = (): LocatedRelease | null => findCurrentRelease(findSampleHome(), true);

/**
 * Returns the home of the built-in sample; null if the program has no sample. In the package, the home is next to the
 * sources or the bundles; the single executable unpacks the sample to the user's cache. A program that bundled the
 * package has the sample next to its bundle, or in the installed package. Throws a data Failure if unpacking fails.
 */
export function findSampleHome(): string | null {
  const folders = [['..', 'src', 'store', 'sample'], ['..', 'sample'], ['fin-sample']];
  const home = folders.map((names) => join(__dirname, ...names)).find((directory) => existsSync(directory));
  return home ?? ensureUnpackedSample() ?? findInstalledSample();
}

/** Returns the sample of the package that is installed for a bundle of another program; null without such a package. */
function findInstalledSample(): string | null {
  const { createRequire } = process.getBuiltinModule('node:module');
  try {
    const directory = dirname(createRequire(join(__dirname, 'bundle.js')).resolve('fin-filings/package.json'));
    const home = join(directory, 'src', 'store', 'sample');
    return existsSync(home) ? home : null;
  } catch {
    return null;
  }
}

type Sample = ExecutableContent['sample'];

/**
 * Unpacks the sample from the single executable into the user's cache, because releases are read from files. The
 * directory is named after the sample's stamp. If a file is missing later, the sample is unpacked again.
 * @returns the home of the sample; null if this program is not a single executable
 * @throws {Failure} data, if unpacking fails
 */
function ensureUnpackedSample(): string | null {
  const sample = readExecutableContent()?.sample;
  if (sample === undefined) return null;
  const home = join(requireDirectory('cache', process.env), 'sample', sample.stamp);
  if (isUnpacked(home, sample)) return home;
  try {
    unpackSample(home, sample);
  } catch (cause) {
    // Another process may have unpacked the sample in the meantime.
    if (isUnpacked(home, sample)) return home;
    const text = `The built-in sample cannot be unpacked to ${home}`;
    throw makeSystemFailure('data', text, cause, 'Set FIN_CACHE_DIR to use another directory.');
  }
  return home;
}

/**
 * Whether the directory belongs to this user and contains all files of the sample. Files may be missing after a program
 * has cleaned the cache. Damaged files are detected when they are read.
 */
function isUnpacked(home: string, { stamp, files }: Sample): boolean {
  const homeStats = lstatSync(home, { throwIfNoEntry: false });
  if (homeStats?.isDirectory() !== true) return false;
  if (process.geteuid !== undefined && homeStats.uid !== process.geteuid()) return false;
  try {
    const fileNames = new Set(readdirSync(join(home, stamp)));
    return files.every((name) => fileNames.has(name));
  } catch {
    return false;
  }
}

function unpackSample(home: string, { stamp, files }: Sample): void {
  makePrivateDirectory(dirname(home));
  const prefix = `${home}.${process.pid}-${Date.now().toString(36)}`;
  const [newHome, oldHome] = [`${prefix}.tmp`, `${prefix}.old`];
  try {
    for (const directory of [newHome, join(newHome, stamp)]) mkdirSync(directory, { mode: 0o700 });
    for (const fileName of files) {
      const bytes = readAsset(`sample/${fileName}`);
      if (bytes === null) throw new Error(`the file ${fileName} of the sample is missing from the executable`);
      writeFileSync(join(newHome, stamp, fileName), bytes, { mode: 0o600, flag: 'wx', flush: true });
    }
    // A rename can only replace an empty directory, so the old directory is renamed first.
    if (lstatSync(home, { throwIfNoEntry: false }) !== undefined) renameSync(home, oldHome);
    renameSync(newHome, home);
  } finally {
    for (const directory of [newHome, oldHome]) rmSync(directory, { recursive: true, force: true });
  }
}
