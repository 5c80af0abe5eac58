/** Whom a ticker names. */
import { normalizeTicker } from '../../contract/identifiers.ts';
import { didYouMean } from '../../contract/nearest.ts';
import { quote } from '../../contract/quote.ts';
import type { Company, Security } from '../../release/schema/companies.ts';
import type { ReleaseReader } from '../../release/store/reader.ts';
import { ProblemError } from '../problem-error.ts';

export interface CoveredSecurity {
  readonly security: Security;
  readonly company: Company;
}

/**
 * The security and its company. A ticker that was handed on names the security now trading under it.
 * @throws {ProblemError} 404 where no covered company has the ticker
 */
export async function coveredSecurity(release: ReleaseReader, ticker: string): Promise<CoveredSecurity> {
  const wanted = normalizeTicker(ticker);
  const securities = await release.securities();
  const named = securities.filter((security) => security.tickerNormalized === wanted);
  const security = named.find((candidate) => candidate.isActive) ?? named[0];
  const company = security === undefined ? null : await release.company(security.cik);
  if (security === undefined || company === null) {
    const near = didYouMean(
      wanted,
      securities.map((candidate) => candidate.ticker),
    );
    throw new ProblemError('not_found', `No covered company has the ticker ${quote(ticker)}.${near}`);
  }
  return { security, company };
}
