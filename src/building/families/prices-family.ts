/** The family of prices: daily prices of listed securities by source, and the attributions required by sources. */

import type { PriceSource } from '../../figures/prices/price-observations.ts';
import type { MappedSecurity } from '../../ownership/issuers/cusip-map.ts';
import { groupBy } from '../../platform/collections.ts';
import { FORMER_TICKERS } from '../../store/schema/companies.ts';
import { TABLES_BY_FAMILY } from '../../store/schema/layout.ts';
import { PRICE_SOURCES, type PriceSourceRow } from '../../store/schema/prices.ts';
import { makeSecurityKey, type PricesTask } from '../market/company-prices.ts';
import type { MarketData } from '../market/market.ts';
import { checkPrices, NO_PRICE_COUNTS } from '../market/market-checks.ts';
import { addCounts } from '../tasks/reading.ts';
import type { TableFamily } from './family.ts';

export const PRICES_FAMILY: TableFamily = {
  name: 'prices',
  tables: TABLES_BY_FAMILY.prices,
  async build({ securities, market, skipped, sinkOf, appendPart, runTasks, omitTables }) {
    if (market.files.length === 0) omitTables(PRICES_FAMILY.tables);
    const keys = new Set(securities.map(makeSecurityKey));
    const isIncluded = (security: MappedSecurity) => keys.has(makeSecurityKey(security));
    const tasks = market.prices.map(
      (prices): PricesTask => ({ kind: 'prices', ...prices, securities: prices.securities.filter(isIncluded) }),
    );
    let total = NO_PRICE_COUNTS;
    const usedSources = new Set<PriceSource>();
    for await (const { parts, counts, sources } of runTasks(tasks)) {
      for (const part of parts) appendPart(part);
      total = addCounts(total, counts);
      for (const source of sources) usedSources.add(source);
    }
    skipped.add('a price of a day after the date of the release', total.laterPriceCount);
    for (const [cik, formerTickers] of groupBy(market.formerTickers, (security) => security.cik)) {
      const former = formerTickers.filter(isIncluded);
      if (former.length > 0) sinkOf(FORMER_TICKERS).add(cik, former);
    }
    sinkOf(PRICE_SOURCES).add(0, makeSourceRows(usedSources, market));
    return [checkPrices(total)];
  },
};

/** Returns one row per source with prices; for venues, one row per attribution. */
const makeSourceRows = (sources: ReadonlySet<PriceSource>, { venueAttributions }: MarketData): PriceSourceRow[] =>
  [...sources].sort().flatMap((source): PriceSourceRow[] => {
    if (source !== 'venue' && source !== 'venue_official') return [{ source, text: null, url: null }];
    const byText = new Map(venueAttributions.map((attribution) => [attribution.text, attribution]));
    return [...byText.values()].map(({ text, url }) => ({ source, text, url }));
  });
