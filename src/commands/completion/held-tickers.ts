/** Tickers and names of the release on this machine. Loaded when a ticker is completed. */
import { findDirectories } from '../../client/directories.ts';
import { locateRelease } from '../../release/locate.ts';
import { openRelease } from '../../release/reader.ts';
import type { Candidate } from './complete.ts';

/** None where there is no release, or it cannot be read: completion is no place for complaints. */
export async function heldTickers(env: Readonly<Record<string, string | undefined>>): Promise<Candidate[]> {
  const { data } = findDirectories(env);
  if (data === null) return [];
  try {
    const reader = openRelease(locateRelease(data).directory);
    const [securities, companies] = await Promise.all([reader.securities(), reader.companies()]);
    const names = new Map(companies.map(({ cik, entityName }) => [cik, entityName]));
    return securities.map(({ ticker, cik }) => ({ value: ticker, text: names.get(cik) ?? '' }));
  } catch {
    return [];
  }
}
