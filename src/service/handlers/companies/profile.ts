/** `/v1/securities/{ticker}/profile`: one security and its company. */
import type { SecurityProfile } from '../../../contract/resources/securities.ts';
import { makeContradictionFailure } from '../../../store/releases/manifest.ts';
import type { Handler } from '../../request/handler.ts';
import { findSecurity } from '../coverage/covered-security.ts';
import { makeSecurityId } from '../coverage/identity.ts';
import { findLatestPrice, listPricesOfLatest, readAttribution, readSecurityPrices } from '../prices/security-prices.ts';

export const handleProfile: Handler<'profile'> = async ({ release, parameters }) => {
  const { security } = await findSecurity(release, parameters.ticker);
  const company = await release.company(security.cik);
  if (company === null)
    throw makeContradictionFailure(release.manifest.stamp, `the security ${security.ticker} has no company`);
  const prices = await readSecurityPrices(release, security);
  const price = findLatestPrice(prices, security.ticker, release.manifest.publishedAt);
  const data: SecurityProfile = {
    security_id: makeSecurityId(security.cik, security.tickerNormalized),
    ticker: security.ticker,
    ticker_normalized: security.tickerNormalized,
    exchange: security.exchange,
    is_primary: security.isPrimary,
    is_active: security.isActive,
    security_coverage_state: security.coverageState,
    cik: company.cik,
    entity_name: company.entityName,
    company_coverage_state: company.coverageState,
    filing_count: company.filingCount,
    raw_fact_count: company.rawFactCount,
    metric_value_count: company.metricValueCount,
    latest_filing_at: company.latestFilingAt,
    ...(company.lastReport === null ? {} : { last_report: company.lastReport, gone: company.gone }),
    ...(company.sic === null ? {} : { sic: company.sic, industry: company.industry }),
    ...(company.industrySource === null ? {} : { industry_source: company.industrySource }),
    ...(company.partialFacts === true ? { partial_facts: true } : {}),
    price,
  };
  const credit = price === null ? {} : await readAttribution(release, listPricesOfLatest(prices));
  return { data, meta: { ticker: security.ticker, ...credit } };
};
