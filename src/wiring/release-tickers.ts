/** Tickers and names of a release, read from its tables. */

import type { Candidate } from '../commands/completion/complete.ts';
import { openRelease } from '../release/store/reader.ts';

export async function releaseTickers(directory: string): Promise<Candidate[]> {
  const reader = openRelease(directory);
  const [securities, companies] = await Promise.all([reader.securities(), reader.companies()]);
  const names = new Map(companies.map(({ cik, entityName }) => [cik, entityName]));
  return securities.map(({ ticker, cik }) => ({ value: ticker, text: names.get(cik) ?? '' }));
}
