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
  const listed = new Map(task.securities.map((security) => [makeSecurityKey(security), security]));
  const insiders = new Set(task.insiderCiks);
  for (const [cik, rows] of readPriceRows(task.prices)) {
    const quotes = [...groupBy(rows, ({ tickerNormalized }) => tickerNormalized)].map(
      ([ticker, rows]): SecurityQuotes => {
        const daily = selectDailyPrices(rows);
        const first = daily.findIndex(({ day }) => day >= task.firstDay);
        const earlier = first < 0 ? daily : daily.slice(0, first);
        return {
          ...{ cik, tickerNormalized: ticker, daily: first < 0 ? [] : daily.slice(first) },
          shareCountApplies: listed.get(makeSecurityKey({ cik, tickerNormalized: ticker }))?.countApplies === true,
          earlier: earlier.map(({ day, price, source }) => [day, price, source]),
        };
      },
    );
    const isShare = ({ tickerNormalized }: PriceRow) =>
      listed.get(makeSecurityKey({ cik, tickerNormalized }))?.isShare === true;
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
export const mergeQuotes = ({ daily, earlier, shareCountApplies }: SecurityQuotes): Quotes => ({
  daily: [...earlier.map(([day, price, source]) => ({ day, price, source })), ...daily],
  shareCountApplies,
});

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
  const byKey = new Map(securities.map((security) => [makeSecurityKey(security), security]));
  const priceSink = new PartSink(PRICES);
  const securitySink = new PartSink(SECURITIES_WITH_PRICES);
  const counter = new PriceCounter();
  const byCompany = readPriceRows(prices, {
    onConflict: (conflict) => counter.addConflict(conflict),
    onLaterPrices: (count) => counter.addLaterPrices(count),
  });
  for (const [cik, allPriceRows] of byCompany) {
    const rows = allPriceRows.filter(({ tickerNormalized }) => byKey.has(makeSecurityKey({ cik, tickerNormalized })));
    const keys = new Set(rows.map(({ tickerNormalized }) => makeSecurityKey({ cik, tickerNormalized })));
    priceSink.add(
      cik,
      rows.map((row) => ({ cik, ...row })),
    );
    securitySink.add(
      cik,
      [...keys].flatMap((key) => byKey.get(key) ?? []),
    );
    counter.add(rows);
  }
  return { parts: [priceSink.finish(), securitySink.finish()], counts: counter.getCounts() };
}

const makeSecurityKey = ({ cik, tickerNormalized }: Pick<PricedSecurity, 'cik' | 'tickerNormalized'>): string =>
  `${cik} ${tickerNormalized}`;
