/** Tickers and names of a release, read from its tables. */
import type { NamedTicker } from '../commands/ports.ts';
import { openRelease } from '../release/store/reader.ts';

export async function releaseTickers(directory: string): Promise<NamedTicker[]> {
  const reader = openRelease(directory);
  const [securities, companies] = await Promise.all([reader.securities(), reader.companies()]);
  const names = new Map(companies.map(({ cik, entityName }) => [cik, entityName]));
  return securities.map(({ ticker, cik }) => ({ ticker, name: names.get(cik) ?? '' }));
}
