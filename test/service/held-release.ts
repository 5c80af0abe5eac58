/** A release whose reads wait until the test lets them continue. */
import type { ReleaseReader } from '../../src/store/reader.ts';
import { FILED } from './filed.ts';
import { memoryRelease } from './memory-release.ts';

export interface HeldRelease {
  readonly release: () => Promise<ReleaseReader>;
  /** Returns the number of reads that were started. */
  reads(): number;
  /** Lets all waiting and all later reads continue. */
  letGo(): void;
}

export function heldRelease(): HeldRelease {
  let reads = 0;
  let letGo = () => {};
  const open = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const before = () => {
    reads += 1;
    return open;
  };
  // A separate manifest, because the service caches listings by manifest.
  const release = memoryRelease({ ...FILED, manifest: { ...FILED.manifest } }, { before });
  return { release: async () => release, reads: () => reads, letGo };
}
