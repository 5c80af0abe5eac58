/** Implements `fin data status`, `fin data use`, and a part of `fin doctor`: the releases on this machine. */
import { join } from 'node:path';
import type { ReleaseInUse, ReleaseList, ReleaseStatus } from '../commands/ports/releases.ts';
import { isFailure } from '../contract/failure.ts';
import { findAnalyticsFaults } from '../publish/analytics/analytics-manifest.ts';
import { type Manifest, readManifest } from '../store/manifest.ts';
import {
  findSampleHome,
  getReleasesHome,
  listStamps,
  locateCurrentRelease,
  makeReleaseCurrent as makeCurrent,
  readCurrentStamp,
} from '../store/releases/home.ts';
import { verifyRelease } from '../store/releases/verify.ts';
import { findContentFaults } from '../store/releases/verify-contents.ts';

export async function listReleases(dataDirectory: string, mustVerify: boolean): Promise<ReleaseList> {
  const home = getReleasesHome(dataDirectory);
  const userStatuses = await listStatuses(home, { isSample: false, canAnswer: true, verify: mustVerify });
  const sampleHome = findSampleHome();
  if (sampleHome === null) return { home, releases: userStatuses };
  const sampleStatuses = await listStatuses(sampleHome, {
    isSample: true,
    canAnswer: userStatuses.length === 0,
    verify: mustVerify,
  });
  return { home, releases: [...userStatuses, ...sampleStatuses] };
}

export async function useRelease(dataDirectory: string, releaseName: string) {
  const home = getReleasesHome(dataDirectory);
  const stamp = await makeCurrent(home, releaseName);
  return { stamp, directory: join(home, stamp) };
}

export function findReleaseInUse(dataDirectory: string): ReleaseInUse {
  const { stamp, directory, isSample } = locateCurrentRelease(dataDirectory);
  const { checks, publishedAt } = readManifest(directory);
  return { stamp, isSample, checks, publishedAt };
}

interface StatusOptions {
  readonly isSample: boolean;
  /** Whether the directory's current release answers questions. False for the sample if the user has releases. */
  readonly canAnswer: boolean;
  readonly verify: boolean;
}

async function listStatuses(home: string, { isSample, canAnswer, verify }: StatusOptions): Promise<ReleaseStatus[]> {
  const stamps = listStamps(home);
  const currentStamp = stamps.length === 0 || !canAnswer ? null : readCurrentStamp(home);
  const statuses: ReleaseStatus[] = [];
  for (const stamp of stamps) {
    const directory = join(home, stamp);
    const examinedRelease = await examineRelease(directory, verify);
    statuses.push({ stamp, current: stamp === currentStamp, sample: isSample, directory, ...examinedRelease });
  }
  return statuses;
}

async function listFaults(directory: string, manifest: Manifest): Promise<string[]> {
  const fileFaults = verifyRelease(directory, manifest);
  // If any file was changed, the content of no file is checked, because the release is damaged in any case.
  const contentFaults = fileFaults.length > 0 ? [] : await findContentFaults(directory, manifest);
  return [...fileFaults, ...contentFaults, ...findAnalyticsFaults(directory, manifest.stamp)];
}

async function examineRelease(
  directory: string,
  mustVerify: boolean,
): Promise<Pick<ReleaseStatus, 'manifest' | 'faults'>> {
  try {
    const manifest = readManifest(directory);
    return { manifest, faults: mustVerify ? await listFaults(directory, manifest) : [] };
  } catch (error) {
    if (!isFailure(error)) throw error;
    return { manifest: null, faults: [`${error.message} ${error.hint ?? ''}`.trim()] };
  }
}
