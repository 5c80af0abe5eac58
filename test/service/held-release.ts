/** A release whose reads wait until the test lets them continue. */
import type { ReleaseReader } from '../../src/store/reader.ts';
import { FILED } from './filed.ts';
import { memoryRelease } from './memory-release.ts';

export interface HeldRelease {
  readonly release: () => Promise<ReleaseReader>;
  /** Number of reads that were started. */
  reads(): number;
  /** Lets all waiting reads, and all later ones, continue. */
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
  // A manifest of its own, because the service caches listings by manifest.
  const release = memoryRelease({ ...FILED, manifest: { ...FILED.manifest } }, { before });
  return { release: async () => release, reads: () => reads, letGo };
}
