/** The releases on this machine, for `fin data status`, `fin data use` and `fin doctor`. */
import { join } from 'node:path';
import type { AnsweringRelease, ReleaseList, ReleaseStatus } from '../commands/ports/releases.ts';
import { isFailure } from '../contract/failure.ts';
import { faultsOfAnalytics } from '../publish/analytics/analytics-manifest.ts';
import {
  currentStamp,
  listStamps,
  locateRelease,
  useRelease as makeCurrent,
  releasesHome,
  sampleHome,
} from '../store/home.ts';
import { type Manifest, readManifest } from '../store/manifest.ts';
import { verifyRelease } from '../store/verify.ts';

export function listReleases(dataDirectory: string, verify: boolean): ReleaseList {
  const home = releasesHome(dataDirectory);
  const own = statusesIn(home, { isSample: false, mayAnswer: true, verify });
  const sample = sampleHome();
  if (sample === null) return { home, releases: own };
  return { home, releases: [...own, ...statusesIn(sample, { isSample: true, mayAnswer: own.length === 0, verify })] };
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

function statusesIn(home: string, { isSample, mayAnswer, verify }: Home): ReleaseStatus[] {
  const stamps = listStamps(home);
  const current = stamps.length === 0 || !mayAnswer ? null : currentStamp(home);
  return stamps.map((stamp) => {
    const directory = join(home, stamp);
    return { stamp, current: stamp === current, sample: isSample, directory, ...examine(directory, verify) };
  });
}

const faultsOf = (directory: string, manifest: Manifest) => [
  ...verifyRelease(directory, manifest),
  ...faultsOfAnalytics(directory, manifest.stamp),
];

function examine(directory: string, verify: boolean): Pick<ReleaseStatus, 'manifest' | 'faults'> {
  try {
    const manifest = readManifest(directory);
    return { manifest, faults: verify ? faultsOf(directory, manifest) : [] };
  } catch (error) {
    if (!isFailure(error)) throw error;
    return { manifest: null, faults: [`${error.message} ${error.hint ?? ''}`.trim()] };
  }
}
