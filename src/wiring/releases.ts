/** The releases on this machine, for `fin data status`, `fin data use` and `fin doctor`. */
import { join } from 'node:path';
import type { AnsweringRelease, ReleaseList, ReleaseStatus } from '../commands/ports/releases.ts';
import { isFailure } from '../contract/failure.ts';
import { faultsOfAnalytics } from '../publish/analytics/analytics-manifest.ts';
import { type Manifest, readManifest } from '../store/manifest.ts';
import {
  currentStamp,
  listStamps,
  locateRelease,
  useRelease as makeCurrent,
  releasesHome,
  sampleHome,
} from '../store/releases/home.ts';
import { verifyRelease } from '../store/releases/verify.ts';
import { findContentFaults } from '../store/releases/verify-contents.ts';

export async function listReleases(dataDirectory: string, verify: boolean): Promise<ReleaseList> {
  const home = releasesHome(dataDirectory);
  const ownStatuses = await statusesIn(home, { isSample: false, mayAnswer: true, verify });
  const sample = sampleHome();
  if (sample === null) return { home, releases: ownStatuses };
  const shipped = await statusesIn(sample, { isSample: true, mayAnswer: ownStatuses.length === 0, verify });
  return { home, releases: [...ownStatuses, ...shipped] };
}

export async function useRelease(dataDirectory: string, wanted: string) {
  const home = releasesHome(dataDirectory);
  const stamp = await makeCurrent(home, wanted);
  return { stamp, directory: join(home, stamp) };
}

export function answeringRelease(dataDirectory: string): AnsweringRelease {
  const { stamp, directory, isSample } = locateRelease(dataDirectory);
  const { checks, publishedAt } = readManifest(directory);
  return { stamp, isSample, checks, publishedAt };
}

interface Home {
  readonly isSample: boolean;
  /** Whether no release of another home answers before any of this one. */
  readonly mayAnswer: boolean;
  readonly verify: boolean;
}

async function statusesIn(home: string, { isSample, mayAnswer, verify }: Home): Promise<ReleaseStatus[]> {
  const stamps = listStamps(home);
  const current = stamps.length === 0 || !mayAnswer ? null : currentStamp(home);
  const statuses: ReleaseStatus[] = [];
  for (const stamp of stamps) {
    const directory = join(home, stamp);
    const found = await examine(directory, verify);
    statuses.push({ stamp, current: stamp === current, sample: isSample, directory, ...found });
  }
  return statuses;
}

async function faultsOf(directory: string, manifest: Manifest): Promise<string[]> {
  const changed = verifyRelease(directory, manifest);
  // A changed file is damaged, whatever its cells contain.
  const contents = changed.length > 0 ? [] : await findContentFaults(directory, manifest);
  return [...changed, ...contents, ...faultsOfAnalytics(directory, manifest.stamp)];
}

async function examine(directory: string, verify: boolean): Promise<Pick<ReleaseStatus, 'manifest' | 'faults'>> {
  try {
    const manifest = readManifest(directory);
    return { manifest, faults: verify ? await faultsOf(directory, manifest) : [] };
  } catch (error) {
    if (!isFailure(error)) throw error;
    return { manifest: null, faults: [`${error.message} ${error.hint ?? ''}`.trim()] };
  }
}
