/** Names and tickers of the covered companies, for answers about many of them. */
import type { Company, Security } from '../../release/schema/companies.ts';
import type { ReleaseReader } from '../../release/store/reader.ts';

export interface CompanyName {
  readonly entityName: string;
  readonly ticker: string | null;
  readonly exchange: string | null;
}

export type CompanyNames = (cik: number) => CompanyName;

/** The name of one company, with the ticker of one of its securities. */
export const nameOf = ({
  security,
  company,
}: {
  readonly security: Security;
  readonly company: Company;
}): CompanyName => ({
  entityName: company.entityName,
  ticker: security.ticker,
  exchange: security.exchange,
});

/**
 * The names of these companies, each listed under its primary security. A company that the release does not cover is
 * `CIK …`.
 */
export async function companyNames(release: ReleaseReader, ciks: Iterable<number>): Promise<CompanyNames> {
  // In order, so that those that stand together are read together.
  const wanted = [...new Set(ciks)].sort((a, b) => a - b);
  const names = new Map<number, string>();
  for (const cik of wanted) {
    const company = await release.company(cik);
    if (company !== null) names.set(cik, company.entityName);
  }
  const securities = new Map<number, Security>();
  for (const security of wanted.length === 0 ? [] : await release.securities()) {
    if (security.isPrimary || !securities.has(security.cik)) securities.set(security.cik, security);
  }
  return (cik) => ({
    entityName: names.get(cik) ?? `CIK ${cik}`,
    ticker: securities.get(cik)?.ticker ?? null,
    exchange: securities.get(cik)?.exchange ?? null,
  });
}
