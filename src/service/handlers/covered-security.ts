/** The security and the company that a ticker names. */
import { normalizeTicker } from '../../contract/identifiers.ts';
import { didYouMean } from '../../contract/nearest.ts';
import { quote } from '../../contract/quote.ts';
import type { Company, Security } from '../../release/schema/companies.ts';
import type { ReleaseReader } from '../../release/store/reader.ts';
import { ProblemError } from '../problem-error.ts';
import { formerly } from './companies/former-names.ts';

export interface CoveredSecurity {
  readonly security: Security;
  readonly company: Company;
}

/**
 * A ticker that has changed companies names the security now trading under it.
 * @throws {ProblemError} 404 where no covered company has the ticker
 */
export async function coveredSecurity(release: ReleaseReader, ticker: string): Promise<CoveredSecurity> {
  const normalized = normalizeTicker(ticker);
  const securities = await release.securities();
  const named = securities.filter((security) => security.tickerNormalized === normalized);
  const security = named.find(({ isActive }) => isActive) ?? named[0];
  const company = security === undefined ? null : await release.company(security.cik);
  if (security === undefined || company === null) {
    const former = await formerly(release, ticker);
    const near = () =>
      didYouMean(
        normalized,
        securities.map((candidate) => candidate.ticker),
      );
    throw new ProblemError('not_found', `No covered company has the ticker ${quote(ticker)}.${former || near()}`);
  }
  return { security, company };
}
