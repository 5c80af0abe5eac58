/** A release whose reads wait until the test resumes them. */
import type { ReleaseReader } from '../../src/store/reader.ts';
import { FILED } from './filed.ts';
import { memoryRelease } from './memory-release.ts';

export interface HeldRelease {
  readonly release: () => Promise<ReleaseReader>;
  /** Returns the number of reads that were started. */
  reads(): number;
  /** Lets all waiting and all later reads continue. */
  resumeReads(): void;
}

export function makeHeldRelease(): HeldRelease {
  let readCount = 0;
  let resumeReads = () => {};
  const resumption = new Promise<void>((resolve) => {
    resumeReads = resolve;
  });
  const waitForResumption = () => {
    readCount += 1;
    return resumption;
  };
  // A separate manifest, because the service caches listings by manifest.
  const release = memoryRelease({ ...FILED, manifest: { ...FILED.manifest } }, { before: waitForResumption });
  return { release: async () => release, reads: () => readCount, resumeReads };
}
