/** Names and tickers of the covered companies, for answers about many of them. */
import type { Company, Security } from '../../release/schema/companies.ts';
import type { ReleaseReader } from '../../release/store/reader.ts';
import type { CoveredSecurity } from './covered-security.ts';

export interface CompanyName {
  readonly entityName: string;
  readonly ticker: string | null;
  readonly exchange: string | null;
}

export type CompanyNames = (cik: number) => CompanyName;

/** The name of one company, with the ticker of one of its securities. */
export const nameOf = ({ security, company }: CoveredSecurity): CompanyName => ({
  entityName: company.entityName,
  ticker: security.ticker,
  exchange: security.exchange,
});

/** Each company is listed under its primary security. A company that the release does not cover is `CIK …`. */
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

/** The words of a name, by whose beginnings it is found: without case, accents and punctuation: "Nestlé S.A." is nestle, sa. */
export function nameWords(name: string): string[] {
  return name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[\p{M}.'\u2019]/gu, '')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
