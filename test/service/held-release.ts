/** A release whose reads wait until the test resumes them. */
import type { ReleaseReader } from '../../src/store/reader.ts';
import { RELEASE_ROWS } from './filed.ts';
import { makeMemoryRelease } from './memory-release.ts';

export interface PausedRelease {
  readonly release: () => Promise<ReleaseReader>;
  /** Returns the number of reads that were started. */
  reads(): number;
  /** Lets all waiting and all later reads continue. */
  resumeReads(): void;
}

export function makePausedRelease(): PausedRelease {
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
  const release = makeMemoryRelease(
    { ...RELEASE_ROWS, manifest: { ...RELEASE_ROWS.manifest } },
    { before: waitForResumption },
  );
  return { release: async () => release, reads: () => readCount, resumeReads };
}
