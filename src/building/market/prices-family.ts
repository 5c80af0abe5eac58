/** The tables of prices: the prices of each source for each covered security, and the attribution it requires. */

import type { PriceSource } from '../../figures/prices/price-observations.ts';
import { groupBy } from '../../platform/collections.ts';
import { FAMILY_TABLES } from '../../store/schema/families.ts';
import { FORMER_TICKERS } from '../../store/schema/former-names.ts';
import { PRICE_SOURCES, type PriceSourceRow } from '../../store/schema/prices.ts';
import type { Family } from '../family.ts';
import type { PricesTask } from './company-prices.ts';
import type { Market } from './market.ts';
import { PriceCount } from './price-count.ts';

export const PRICES_FAMILY: Family = {
  name: 'prices',
  tables: FAMILY_TABLES.prices,
  async build({ securities, market, sink, append, results, omit }) {
    if (market.files.length === 0) omit(PRICES_FAMILY.tables);
    const settled = new Set(securities.map(({ cik, tickerNormalized }) => `${cik} ${tickerNormalized}`));
    const isSettled = (one: { cik: number; tickerNormalized: string }) =>
      settled.has(`${one.cik} ${one.tickerNormalized}`);
    const tasks = market.prices.map(
      (prices): PricesTask => ({ kind: 'prices', ...prices, securities: prices.securities.filter(isSettled) }),
    );
    const counted = new PriceCount();
    for await (const { parts, counts } of results(tasks)) {
      for (const part of parts) append(part);
      counted.addAll(counts);
    }
    for (const [cik, former] of groupBy(market.formerTickers, (one) => one.cik)) {
      const own = former.filter(isSettled);
      if (own.length > 0) sink(FORMER_TICKERS).add(cik, own);
    }
    sink(PRICE_SOURCES).add(0, sourceRows(counted.sources, market));
    return [counted.check()];
  },
};

/** Rows of the sources with prices; a venue has one for each attribution it requires. */
function sourceRows(sources: ReadonlySet<PriceSource>, { venues }: Market): PriceSourceRow[] {
  return [...sources].sort().flatMap((source): PriceSourceRow[] => {
    if (source !== 'venue' && source !== 'venue_official') return [{ source, text: null, url: null }];
    const distinct = new Map(venues.map((venue) => [venue.text, venue]));
    return [...distinct.values()].map(({ text, url }) => ({ source, text, url }));
  });
}
