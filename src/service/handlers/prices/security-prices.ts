/** A security's prices: one for each day, its splits, and the share counts that give a market cap. */
import type { PriceLatest } from '../../../contract/resources/prices.ts';
import { countOn, countsOf, marketCapOn } from '../../../figures/prices/market-price.ts';
import { isOfRecord, type SourcedPrice, type TapeSplit, tapeOf, tapeSplits } from '../../../figures/prices/tape.ts';
import type { ReportedValue } from '../../../figures/revisions/revision-chain.ts';
import type { Security } from '../../../release/schema/companies.ts';
import { PRICE_LINES, PRICES } from '../../../release/schema/prices.ts';
import type { ReleaseReader } from '../../../release/store/reader.ts';

export interface SecurityPrices {
  /** The prices of every source, by day. */
  readonly all: readonly SourcedPrice[];
  /** One price a day, earliest first. */
  readonly tape: readonly SourcedPrice[];
  readonly splits: readonly TapeSplit[];
  readonly counts: readonly ReportedValue[];
}

export async function securityPrices(
  release: ReleaseReader,
  { cik, tickerNormalized }: Security,
): Promise<SecurityPrices> {
  const all = (await release.rowsOf(PRICES, cik)).filter((row) => row.tickerNormalized === tickerNormalized);
  const line = (await release.rowsOf(PRICE_LINES, cik)).find((row) => row.tickerNormalized === tickerNormalized);
  const tape = tapeOf(all);
  const found = tapeSplits(await release.splits(cik), tape);
  // Filings prove splits of the company's shares; other securities split only where their own prices show it.
  const splits = line?.isShare === true ? found : found.filter(({ confirmedBy }) => confirmedBy !== null);
  const values = line?.countApplies === true ? await release.reportedValues(cik, ['common_shares_outstanding']) : [];
  return { all, tape, splits, counts: countsOf(values) };
}

/** @param updatedAt when the release was published: nothing in it is newer */
export function latestPrice(
  { all, tape, splits, counts }: SecurityPrices,
  symbol: string,
  updatedAt: string,
): PriceLatest | null {
  const last = tape.at(-1);
  if (last === undefined) return null;
  const prior = tape.at(-2);
  const record = tapeOf(all.filter(isOfRecord)).at(-1);
  const count = countOn(counts, last.day, splits);
  return {
    symbol,
    day: last.day,
    price: last.price,
    source: last.source,
    updated_at: updatedAt,
    last_sale_at: last.soldAt,
    market_cap: marketCapOn(last, counts, splits),
    prior_day: prior?.day ?? null,
    prior_price: prior?.price ?? null,
    record_close: record?.price ?? null,
    record_day: record?.day ?? null,
    record_source: record?.source ?? null,
    shares: count?.shares ?? null,
    shares_as_of: count?.asOf ?? null,
  };
}
