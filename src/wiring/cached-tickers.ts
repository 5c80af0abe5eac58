/**
 * Tickers and names of the release on this machine. Loaded when a ticker is completed. They are kept in the cache by
 * the release's stamp, as a release never changes: whoever presses TAB must not wait for its tables to be read.
 */
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Candidate } from '../commands/completion/complete.ts';
import { writeAtomically } from '../platform/atomic-write.ts';
import { findDirectories } from '../platform/directories.ts';
import { locateRelease } from '../release/store/locate.ts';

/** None where there is no release, or it cannot be read: completion is no place for complaints. */
export async function heldTickers(env: Readonly<Record<string, string | undefined>>): Promise<readonly Candidate[]> {
  const { data, cache } = findDirectories(env);
  if (data === null) return [];
  try {
    const { stamp, directory } = locateRelease(data);
    const kept = cache === null ? null : join(cache, 'tickers', `${stamp}.json`);
    const known = kept === null ? null : readKept(kept);
    if (known !== null) return known;
    const { releaseTickers } = await import('./release-tickers.ts');
    const tickers = await releaseTickers(directory);
    if (kept !== null) keep(kept, tickers);
    return tickers;
  } catch {
    return [];
  }
}

function readKept(file: string): Candidate[] | null {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return Array.isArray(value) && value.every(isCandidate) ? value : null;
  } catch {
    return null;
  }
}

function isCandidate(value: unknown): value is Candidate {
  if (typeof value !== 'object' || value === null || !('value' in value) || !('text' in value)) return false;
  return typeof value.value === 'string' && typeof value.text === 'string';
}

/** In place of those of releases before; where nothing can be written, nothing is kept. */
function keep(file: string, tickers: readonly Candidate[]): void {
  try {
    rmSync(join(file, '..'), { recursive: true, force: true });
    writeAtomically(file, JSON.stringify(tickers));
  } catch {
    // The next time the tables are read again.
  }
}
