/**
 * Makes the price rows of a shard (group) of companies, and the prices from which the ratios of these companies are
 * derived. Runs after all price files were read.
 */

import type { Decimal } from '../../contract/decimal-text.ts';
import type { Quotes } from '../../figures/prices/market-price.ts';
import { type PriceSource, type SplitBounds, selectDailyPrices } from '../../figures/prices/price-observations.ts';
import type { MappedSecurity } from '../../ownership/issuers/cusip-map.ts';
import { groupBy } from '../../platform/collections.ts';
import { PRICES, type PriceRow, parseCusipChanges, SECURITIES_WITH_PRICES } from '../../store/schema/prices.ts';
import { PartSink } from '../../store/table-part.ts';
import { addCounts } from '../tasks/reading.ts';
import { readSlices, type Slice, type SliceWriter, type TaskOutput } from '../tasks/slices.ts';
import type { PartsResult, ResultOf, Task } from '../tasks/task.ts';
import { countPrices, NO_PRICE_COUNTS, type PriceCounts } from './market-checks.ts';
import { type ObservedPrices, readPriceRows } from './observations.ts';
import type { PricedSecurity } from './securities-index.ts';

/** Recent and earlier prices of one security. */
export interface SecurityQuotes extends Quotes {
  readonly cik: number;
  readonly tickerNormalized: string;
  readonly cusipChanges: readonly SplitBounds[];
  /** All prices before the recent prices, earliest first. */
  readonly earlier: readonly (readonly [day: string, price: Decimal, source: PriceSource])[];
}

/** The prices needed to derive a company. */
interface CompanyPrices {
  readonly quotes: readonly SecurityQuotes[];
  /** Prices of the company's shares; empty if no ownership filings are about the company. */
  readonly closingPrices: readonly { readonly day: string; readonly price: Decimal }[];
}

export interface QuotesTask extends Task<{ readonly output: TaskOutput }> {
  readonly kind: 'quotes';
  readonly prices: ObservedPrices;
  /** The first day of recent prices. */
  readonly firstDay: string;
  readonly securities: readonly PricedSecurity[];
  /** CIKs of companies with ownership filings. */
  readonly insiderCiks: readonly number[];
}

export async function makeQuotes(task: QuotesTask, output: SliceWriter): Promise<ResultOf<QuotesTask>> {
  const securityByKey = new Map(task.securities.map((security) => [makeSecurityKey(security), security]));
  const insiders = new Set(task.insiderCiks);
  for (const [cik, rows] of readPriceRows(task.prices)) {
    const quotes = [...groupBy(rows, ({ tickerNormalized }) => tickerNormalized)].map(
      ([ticker, rows]): SecurityQuotes => {
        const daily = selectDailyPrices(rows);
        const security = securityByKey.get(makeSecurityKey({ cik, tickerNormalized: ticker }));
        const first = daily.findIndex(({ day }) => day >= task.firstDay);
        const earlier = first < 0 ? daily : daily.slice(0, first);
        return {
          cik,
          tickerNormalized: ticker,
          daily: first < 0 ? [] : daily.slice(first),
          shareCountApplies: security?.countApplies === true,
          cusipChanges: parseCusipChanges(security?.cusipChanges ?? null),
          earlier: earlier.map(({ day, price, source }) => [day, price, source]),
        };
      },
    );
    const isShare = ({ tickerNormalized }: PriceRow) =>
      securityByKey.get(makeSecurityKey({ cik, tickerNormalized }))?.isShare === true;
    const closes = insiders.has(cik) ? rows.filter(isShare).map(({ day, price }) => ({ day, price })) : [];
    const prices: CompanyPrices = { quotes, closingPrices: closes };
    if (quotes.length > 0 || closes.length > 0) output.add(String(cik), JSON.stringify(prices));
  }
  return { output: output.finish() };
}

/** @param prices the company's slice; null if the company has no prices */
export const readCompanyPrices = (prices: Slice | null): CompanyPrices =>
  prices === null ? { quotes: [], closingPrices: [] } : (JSON.parse(readSlices([prices])) as CompanyPrices);

/** Returns all prices of a security, earlier and recent. */
export const mergeQuotes = ({ daily, earlier, shareCountApplies, cusipChanges }: SecurityQuotes): Quotes => ({
  daily: [...earlier.map(([day, price, source]) => ({ day, price, source })), ...daily],
  shareCountApplies,
  cusipChanges,
});

export interface PricesTask
  extends Task<PartsResult & { readonly counts: PriceCounts; readonly sources: readonly PriceSource[] }> {
  readonly kind: 'prices';
  readonly prices: ObservedPrices;
  /** The securities in the release. */
  readonly securities: readonly PricedSecurity[];
}

export async function makePriceTables({ prices, securities }: PricesTask): Promise<ResultOf<PricesTask>> {
  const byKey = new Map(securities.map((security) => [makeSecurityKey(security), security]));
  const priceSink = new PartSink(PRICES);
  const securitySink = new PartSink(SECURITIES_WITH_PRICES);
  const sources = new Set<PriceSource>();
  let counts = NO_PRICE_COUNTS;
  const count = (added: Partial<PriceCounts>) => {
    counts = addCounts(counts, added);
  };
  const byCompany = readPriceRows(prices, {
    onConflict: (conflict) => count({ conflictCount: 1, conflictExample: conflict }),
    onLaterPrices: (later) => count({ laterPriceCount: later }),
  });
  for (const [cik, allPriceRows] of byCompany) {
    const rows = allPriceRows.filter(({ tickerNormalized }) => byKey.has(makeSecurityKey({ cik, tickerNormalized })));
    const keys = new Set(rows.map(({ tickerNormalized }) => makeSecurityKey({ cik, tickerNormalized })));
    const priced = [...keys].flatMap((key) => byKey.get(key) ?? []);
    priceSink.add(cik, rows);
    securitySink.add(cik, priced);
    for (const { source } of rows) sources.add(source);
    count(countPrices(rows));
  }
  return { parts: [priceSink.finish(), securitySink.finish()], counts, sources: [...sources] };
}

export const makeSecurityKey = ({ cik, tickerNormalized }: MappedSecurity): string => `${cik} ${tickerNormalized}`;
