/** Names and tickers of the covered companies, for answers that speak of many. */
import type { Company, Security } from '../../release/schema/companies.ts';
import type { ReleaseReader } from '../../release/store/reader.ts';

export interface CompanyName {
  readonly entityName: string;
  readonly ticker: string | null;
  readonly exchange: string | null;
}

export type CompanyNames = (cik: number) => CompanyName;

/** A company's primary security speaks for it. */
export async function companyNames(release: ReleaseReader): Promise<CompanyNames> {
  const companies = new Map((await release.companies()).map((company): [number, Company] => [company.cik, company]));
  const securities = new Map<number, Security>();
  for (const security of await release.securities()) {
    if (security.isPrimary || !securities.has(security.cik)) securities.set(security.cik, security);
  }
  return (cik) => ({
    entityName: companies.get(cik)?.entityName ?? `CIK ${cik}`,
    ticker: securities.get(cik)?.ticker ?? null,
    exchange: securities.get(cik)?.exchange ?? null,
  });
}
