/**
 * Tickers and names of the current local release, for completion. Cached by stamp, because a release never changes and
 * completion must not wait until tables are read.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { NamedTicker } from '../contract/identifiers.ts';
import { writeAtomically } from '../platform/files/atomic-write.ts';
import { findDirectories } from '../platform/files/directories.ts';
import { readRegularFile } from '../platform/files/regular-file.ts';
import { isObject, parseJson } from '../platform/json-object.ts';
import { locateRelease } from '../store/releases/home.ts';

export async function loadTickers(env: Readonly<Record<string, string | undefined>>): Promise<readonly NamedTicker[]> {
  const { data, cache } = findDirectories(env);
  try {
    const { stamp, directory } = locateRelease(data);
    const cachePath = cache === null ? null : join(cache, 'tickers', `${stamp}.json`);
    const cached = cachePath === null ? null : readCachedTickers(cachePath);
    if (cached !== null) return cached;
    const tickers = await readReleaseTickers(directory);
    if (cachePath !== null) writeCachedTickers(cachePath, tickers);
    return tickers;
  } catch {
    // Returns nothing instead of throwing, because completion cannot report errors.
    return [];
  }
}

async function readReleaseTickers(directory: string): Promise<NamedTicker[]> {
  const { openRelease } = await import('../store/reader.ts');
  const reader = openRelease(directory);
  const [securities, companies] = await Promise.all([reader.securities(), reader.companies()]);
  const nameByCik = new Map(companies.map(({ cik, entityName }) => [cik, entityName]));
  return securities.map(({ ticker, cik }) => ({ ticker, name: nameByCik.get(cik) ?? '' }));
}

function readCachedTickers(file: string): NamedTicker[] | null {
  try {
    const value: unknown = parseJson(readRegularFile(file));
    return Array.isArray(value) && value.every(isNamedTicker) ? value : null;
  } catch {
    return null;
  }
}

const isNamedTicker = (value: unknown): value is NamedTicker =>
  isObject(value) && typeof value.ticker === 'string' && typeof value.name === 'string';

/** Replaces the cached tickers of earlier releases by those of this release. */
function writeCachedTickers(file: string, tickers: readonly NamedTicker[]): void {
  try {
    rmSync(join(file, '..'), { recursive: true, force: true });
    writeAtomically(file, JSON.stringify(tickers));
  } catch {
    // Ignored: the next completion reads the tables again.
  }
}
