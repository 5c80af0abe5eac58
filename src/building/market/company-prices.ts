/**
 * Makes the price rows of a shard (group) of companies, and the prices from which the ratios of these companies are
 * derived. Runs after all price files were read.
 */

import type { Decimal } from '../../contract/decimal-text.ts';
import type { Quotes } from '../../figures/prices/market-price.ts';
import { type PriceSource, selectDailyPrices } from '../../figures/prices/price-observations.ts';
import { groupBy } from '../../platform/collections.ts';
import { PRICES, type PriceRow, SECURITIES_WITH_PRICES } from '../../store/schema/prices.ts';
import { PartSink, type TablePart } from '../../store/table-part.ts';
import { readSlices, type Slice, type SliceWriter, type TaskOutput } from '../tasks/slices.ts';
import type { Task } from '../tasks/task.ts';
import { type ObservedPrices, readPriceRows } from './observations.ts';
import { PriceCounter, type PriceCounts } from './price-count.ts';
import type { PricedSecurity } from './securities-index.ts';

/** Recent and earlier prices of one security. */
export interface SecurityQuotes extends Quotes {
  readonly cik: number;
  readonly tickerNormalized: string;
  /** All prices before the recent prices, earliest first. */
  readonly earlier: readonly (readonly [day: string, price: Decimal, source: PriceSource])[];
}

/** The prices needed to derive a company. */
export interface CompanyPrices {
  /** Prices of the company's securities. */
  readonly quotes: readonly SecurityQuotes[];
  /** Prices of the company's shares; empty if no ownership filings are about the company. */
  readonly closingPrices: readonly { readonly day: string; readonly price: Decimal }[];
}

export interface QuotesTask extends Task<QuotesPart> {
  readonly kind: 'quotes';
  readonly prices: ObservedPrices;
  /** The first day of recent prices. */
  readonly firstDay: string;
  readonly securities: readonly PricedSecurity[];
  /** CIKs of companies with ownership filings. */
  readonly insiderCiks: readonly number[];
}

export interface QuotesPart {
  /** One slice per company with prices. */
  readonly output: TaskOutput;
}

export async function makeQuotes(task: QuotesTask, output: SliceWriter): Promise<QuotesPart> {
  const pricedSecurityByKey = new Map(task.securities.map((security) => [makeSecurityKey(security), security]));
  const ciksWithOwnershipFilings = new Set(task.insiderCiks);
  for (const [cik, rows] of readPriceRows(task.prices)) {
    const quotes = [...groupBy(rows, ({ tickerNormalized }) => tickerNormalized)].map(
      ([tickerNormalized, tickerRows]): SecurityQuotes => {
        const dailyPrices = selectDailyPrices(tickerRows);
        const firstRecentIndex = dailyPrices.findIndex(({ day }) => day >= task.firstDay);
        const earlierPriceRows = firstRecentIndex < 0 ? dailyPrices : dailyPrices.slice(0, firstRecentIndex);
        return {
          ...{ cik, tickerNormalized, daily: firstRecentIndex < 0 ? [] : dailyPrices.slice(firstRecentIndex) },
          shareCountApplies: pricedSecurityByKey.get(makeSecurityKey({ cik, tickerNormalized }))?.countApplies === true,
          earlier: earlierPriceRows.map(({ day, price, source }) => [day, price, source]),
        };
      },
    );
    const isShare = ({ tickerNormalized }: PriceRow) =>
      pricedSecurityByKey.get(makeSecurityKey({ cik, tickerNormalized }))?.isShare === true;
    const closingPrices = ciksWithOwnershipFilings.has(cik)
      ? rows.filter(isShare).map(({ day, price }) => ({ day, price }))
      : [];
    const companyPrices: CompanyPrices = { quotes, closingPrices };
    if (quotes.length > 0 || closingPrices.length > 0) output.add(String(cik), JSON.stringify(companyPrices));
  }
  return { output: output.finish() };
}

/** @param prices the company's slice; null if the company has no prices */
export function readCompanyPrices(prices: Slice | null): CompanyPrices {
  return prices === null ? { quotes: [], closingPrices: [] } : (JSON.parse(readSlices([prices])) as CompanyPrices);
}

/** Returns all prices of a security, earlier and recent. */
export function mergeQuotes({ daily, earlier, shareCountApplies }: SecurityQuotes): Quotes {
  return { daily: [...earlier.map(([day, price, source]) => ({ day, price, source })), ...daily], shareCountApplies };
}

export interface PricesTask extends Task<PricesPart> {
  readonly kind: 'prices';
  readonly prices: ObservedPrices;
  /** The securities in the release. */
  readonly securities: readonly PricedSecurity[];
}

export interface PricesPart {
  readonly parts: readonly TablePart[];
  readonly counts: PriceCounts;
}

export async function makePriceTables({ prices, securities }: PricesTask): Promise<PricesPart> {
  const securityByKey = new Map(securities.map((security) => [makeSecurityKey(security), security]));
  const priceSink = new PartSink(PRICES);
  const securitySink = new PartSink(SECURITIES_WITH_PRICES);
  const priceCounter = new PriceCounter();
  const pricesByCompany = readPriceRows(prices, {
    onConflict: (conflict) => priceCounter.addConflict(conflict),
    onLaterPrices: (count) => priceCounter.addLaterPrices(count),
  });
  for (const [cik, allPriceRows] of pricesByCompany) {
    const rows = allPriceRows.filter(({ tickerNormalized }) =>
      securityByKey.has(makeSecurityKey({ cik, tickerNormalized })),
    );
    const pricedSecurityKeys = new Set(rows.map(({ tickerNormalized }) => makeSecurityKey({ cik, tickerNormalized })));
    priceSink.add(
      cik,
      rows.map((row) => ({ cik, ...row })),
    );
    securitySink.add(
      cik,
      [...pricedSecurityKeys].flatMap((key) => securityByKey.get(key) ?? []),
    );
    priceCounter.add(rows);
  }
  return { parts: [priceSink.finish(), securitySink.finish()], counts: priceCounter.getCounts() };
}

const makeSecurityKey = ({ cik, tickerNormalized }: Pick<PricedSecurity, 'cik' | 'tickerNormalized'>): string =>
  `${cik} ${tickerNormalized}`;
