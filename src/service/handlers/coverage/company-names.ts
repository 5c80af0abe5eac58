/** Names and tickers of covered companies, for responses with many companies. */

import type { ReleaseReader } from '../../../store/reader.ts';
import { findByCompanies } from './find-listings.ts';

export interface CompanyName {
  readonly entityName: string;
  readonly ticker: string | null;
  readonly exchange: string | null;
}

export type CompanyNameFinder = (cik: number) => CompanyName;

/**
 * Returns a function from the CIK of a row to the company's name, with the ticker and exchange of its primary security.
 * A company outside the release is named `CIK …`.
 */
export async function readNameFinder(release: ReleaseReader, rows: readonly { readonly cik: number }[]) {
  const names = new Map<number, CompanyName>();
  const unique = new Set(rows.map(({ cik }) => cik));
  const byCik = await findByCompanies(release, unique);
  for (const cik of unique) {
    const own = byCik.get(cik) ?? [];
    names.set(cik, own.find(({ isPrimary }) => isPrimary) ?? own[0] ?? (await readUnlistedName(release, cik)));
  }
  return (cik: number) => {
    const name = names.get(cik);
    if (name === undefined) throw new RangeError(`the name of CIK ${cik} was not read`);
    return name;
  };
}

async function readUnlistedName(release: ReleaseReader, cik: number): Promise<CompanyName> {
  const company = await release.company(cik);
  return { entityName: company?.entityName ?? `CIK ${cik}`, ticker: null, exchange: null };
}
