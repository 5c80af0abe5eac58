/** The releases on this machine. */
import { join } from 'node:path';
import { isFailure } from '../contract/failure.ts';
import { findAnalyticsFaults } from '../export/analytics-manifest.ts';
import {
  findSampleHome,
  getReleasesHome,
  listStamps,
  locateRelease,
  readCurrentStamp,
} from '../store/releases/home.ts';
import { type Manifest, readManifest } from '../store/releases/manifest.ts';
import { verifyRelease } from '../store/releases/verify.ts';
import { findContentFaults } from '../store/verify-contents.ts';

export type ReleaseList = Awaited<ReturnType<typeof listReleases>>;

export interface ReleaseStatus {
  readonly stamp: string;
  readonly current: boolean;
  readonly sample: boolean;
  readonly directory: string;
  /** The release's manifest; null if the manifest is unreadable. */
  readonly manifest: Manifest | null;
  readonly faults: readonly string[];
}

/**
 * Returns the built-in sample and the releases in the data directory.
 * @param mustVerify whether to compare every file with its hash and read every cell
 */
export async function listReleases(data: string, mustVerify: boolean) {
  const home = getReleasesHome(data);
  const ownStatuses = await listStatuses(home, false, mustVerify);
  const sample = findSampleHome();
  const samples = sample === null ? [] : await listStatuses(sample, true, mustVerify);
  // The sample answers no questions if the user has releases.
  const sampleStatuses =
    ownStatuses.length === 0 ? samples : samples.map((release) => ({ ...release, current: false }));
  return { home, releases: [...ownStatuses, ...sampleStatuses] };
}

/** Returns the release that `local:` reads. Throws a data Failure if no release is usable. */
export function findReleaseInUse(data: string) {
  const { stamp, directory, isSample } = locateRelease(data);
  const { checks, publishedAt } = readManifest(directory);
  return { stamp, isSample, checks, publishedAt };
}

async function listStatuses(home: string, isSample: boolean, verify: boolean): Promise<ReleaseStatus[]> {
  const stamps = listStamps(home);
  const current = stamps.length === 0 ? null : readCurrentStamp(home);
  const statuses: ReleaseStatus[] = [];
  for (const stamp of stamps) {
    const directory = join(home, stamp);
    const examined = await examineRelease(directory, verify);
    statuses.push({ stamp, current: stamp === current, sample: isSample, directory, ...examined });
  }
  return statuses;
}

async function listFaults(directory: string, manifest: Manifest): Promise<string[]> {
  const files = verifyRelease(directory, manifest);
  // If any file was changed, the content of no file is checked, because the release is damaged in any case.
  const contents = files.length > 0 ? [] : await findContentFaults(directory, manifest);
  return [...files, ...contents, ...findAnalyticsFaults(directory, manifest.stamp)];
}

async function examineRelease(directory: string, verify: boolean): Promise<Pick<ReleaseStatus, 'manifest' | 'faults'>> {
  try {
    const manifest = readManifest(directory);
    return { manifest, faults: verify ? await listFaults(directory, manifest) : [] };
  } catch (error) {
    if (!isFailure(error)) throw error;
    return { manifest: null, faults: [`${error.message} ${error.hint ?? ''}`.trim()] };
  }
}
