/** Names and tickers of covered companies, for responses with many companies. */

import type { ReleaseReader } from '../../../store/reader.ts';
import type { Company, Security } from '../../../store/schema/companies.ts';
import { findByCompanies } from './find-listings.ts';

export interface CompanyName {
  readonly entityName: string;
  readonly ticker: string | null;
  readonly exchange: string | null;
}

export type CompanyNameFinder = (cik: number) => CompanyName;

/** Returns the name of a security's company, with the ticker and exchange of the security. */
export const toCompanyName = ({
  security,
  company,
}: {
  readonly security: Security;
  readonly company: Pick<Company, 'entityName'>;
}): CompanyName => ({ entityName: company.entityName, ticker: security.ticker, exchange: security.exchange });

/**
 * Returns a function from a CIK to the company's name, with the ticker and exchange of its primary security. A company
 * outside the release is named `CIK …`.
 */
export async function readNameFinder(release: ReleaseReader, ciks: Iterable<number>): Promise<CompanyNameFinder> {
  const names = new Map<number, CompanyName>();
  const unique = new Set(ciks);
  const byCik = await findByCompanies(release, unique);
  for (const cik of unique) {
    const rows = byCik.get(cik) ?? [];
    names.set(cik, rows.find(({ isPrimary }) => isPrimary) ?? rows[0] ?? (await readUnlistedName(release, cik)));
  }
  return (cik) => {
    const name = names.get(cik);
    if (name === undefined) throw new RangeError(`the name of CIK ${cik} was not read`);
    return name;
  };
}

async function readUnlistedName(release: ReleaseReader, cik: number): Promise<CompanyName> {
  const company = await release.company(cik);
  return { entityName: company?.entityName ?? `CIK ${cik}`, ticker: null, exchange: null };
}
