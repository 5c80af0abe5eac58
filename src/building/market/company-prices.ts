/** Makes the prices of a shard of companies, for ratios and as tables, after all price files were read. */
import type { Decimal } from '../../contract/decimal-text.ts';
import type { Quotes } from '../../figures/prices/market-price.ts';
import { type PriceSource, selectDailyPrices } from '../../figures/prices/price-observations.ts';
import { groupBy } from '../../platform/collections.ts';
import { PRICE_LINES, PRICES, type PriceRow } from '../../store/schema/prices.ts';
import { PartSink, type TablePart } from '../../store/table-part.ts';
import { readSlices, type Slice, type SliceWriter, type TaskOutput } from '../tasks/slices.ts';
import { type ObservedPrices, pricesOf } from './observations.ts';
import { PriceCount, type PriceCounts } from './price-count.ts';
import type { PricedSecurity } from './securities-index.ts';

/** Recent and earlier prices of one security. */
export interface SecurityQuotes extends Quotes {
  readonly cik: number;
  readonly tickerNormalized: string;
  /** All prices before the recent ones, earliest first. */
  readonly earlier: readonly (readonly [day: string, price: Decimal, source: PriceSource])[];
}

/** The prices needed to derive a company. */
export interface CompanyPrices {
  /** Prices of the company's securities. */
  readonly quotes: readonly SecurityQuotes[];
  /** Prices of the company's shares; empty if there are no ownership filings. */
  readonly closes: readonly { readonly day: string; readonly price: Decimal }[];
}

export interface QuotesTask {
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

export async function quotesOf(task: QuotesTask, output: SliceWriter): Promise<QuotesPart> {
  const securities = new Map(task.securities.map((security) => [keyOf(security), security]));
  const insiderCiks = new Set(task.insiderCiks);
  for (const [cik, rows] of pricesOf(task.prices, {})) {
    const quotes = [...groupBy(rows, ({ tickerNormalized }) => tickerNormalized)].map(
      ([tickerNormalized, tickerRows]): SecurityQuotes => {
        const daily = selectDailyPrices(tickerRows);
        const recent = daily.findIndex(({ day }) => day >= task.firstDay);
        const earlierPriceRows = recent < 0 ? daily : daily.slice(0, recent);
        return {
          ...{ cik, tickerNormalized, daily: recent < 0 ? [] : daily.slice(recent) },
          countApplies: securities.get(keyOf({ cik, tickerNormalized }))?.countApplies === true,
          earlier: earlierPriceRows.map(({ day, price, source }) => [day, price, source]),
        };
      },
    );
    const isShare = ({ tickerNormalized }: PriceRow) =>
      securities.get(keyOf({ cik, tickerNormalized }))?.isShare === true;
    const closes = insiderCiks.has(cik) ? rows.filter(isShare).map(({ day, price }) => ({ day, price })) : [];
    const prices: CompanyPrices = { quotes, closes };
    if (quotes.length > 0 || closes.length > 0) output.add(String(cik), JSON.stringify(prices));
  }
  return { output: output.finish() };
}

/** @param prices the company's slice; null without prices */
export function readCompanyPrices(prices: Slice | null): CompanyPrices {
  return prices === null ? { quotes: [], closes: [] } : (JSON.parse(readSlices([prices])) as CompanyPrices);
}

/** Returns all prices of a security, earlier and recent. */
export function allQuotes({ daily, earlier, countApplies }: SecurityQuotes): Quotes {
  return { daily: [...earlier.map(([day, price, source]) => ({ day, price, source })), ...daily], countApplies };
}

export interface PricesTask {
  readonly kind: 'prices';
  readonly prices: ObservedPrices;
  /** The securities in the release. */
  readonly securities: readonly PricedSecurity[];
}

export interface PricesPart {
  readonly parts: readonly TablePart[];
  readonly counts: PriceCounts;
}

export async function priceTablesOf({ prices, securities }: PricesTask): Promise<PricesPart> {
  const settled = new Map(securities.map((security) => [keyOf(security), security]));
  const table = new PartSink(PRICES);
  const lines = new PartSink(PRICE_LINES);
  const countedCount = new PriceCount();
  for (const [cik, allPriceRows] of pricesOf(prices, {
    onConflict: (conflict) => countedCount.addConflict(conflict),
  })) {
    const rows = allPriceRows.filter(({ tickerNormalized }) => settled.has(keyOf({ cik, tickerNormalized })));
    const priced = new Set(rows.map(({ tickerNormalized }) => keyOf({ cik, tickerNormalized })));
    table.add(
      cik,
      rows.map((row) => ({ cik, ...row })),
    );
    lines.add(
      cik,
      [...priced].flatMap((key) => settled.get(key) ?? []),
    );
    countedCount.add(rows);
  }
  return { parts: [table.finish(), lines.finish()], counts: countedCount.counts() };
}

const keyOf = ({ cik, tickerNormalized }: Pick<PricedSecurity, 'cik' | 'tickerNormalized'>): string =>
  `${cik} ${tickerNormalized}`;
