/**
 * Reads a security's prices, one per day, with the security's splits and the share counts for its market
 * capitalization.
 */
import type { PriceLatest } from '../../../contract/resources/prices.ts';
import { SHARE_COUNT_KEY } from '../../../figures/derived/share-counts.ts';
import type { ShareCountFinder } from '../../../figures/prices/market-price.ts';
import { computeMarketCap, createShareCountFinder, findNoShareCount } from '../../../figures/prices/market-price.ts';
import type { DatedSplit } from '../../../figures/prices/price-observations.ts';
import {
  dateSplits,
  findUnprovenChanges,
  isNotLastSale,
  selectDailyPrices,
} from '../../../figures/prices/price-observations.ts';
import type { ReleaseReader } from '../../../store/reader.ts';
import type { Security } from '../../../store/schema/companies.ts';
import { PRICES, type PriceRow, parseCusipChanges, SECURITIES_WITH_PRICES } from '../../../store/schema/prices.ts';

export interface SecurityPrices {
  /** The prices of every source, by day. */
  readonly all: readonly PriceRow[];
  /** One price per day, earliest first. */
  readonly daily: readonly PriceRow[];
  readonly splits: readonly DatedSplit[];
  readonly findShareCount: ShareCountFinder;
}

export async function readSecurityPrices(
  release: ReleaseReader,
  { cik, tickerNormalized }: Pick<Security, 'cik' | 'tickerNormalized'>,
): Promise<SecurityPrices> {
  const rows = (await release.rowsOf(PRICES, cik)).filter((row) => row.tickerNormalized === tickerNormalized);
  const priced = (await release.rowsOf(SECURITIES_WITH_PRICES, cik)).find(
    (row) => row.tickerNormalized === tickerNormalized,
  );
  const daily = selectDailyPrices(rows);
  const reportedSplits = await release.splits(cik);
  const dated = dateSplits(reportedSplits, daily);
  // For a security that is not a share, uses only splits that its own prices prove.
  const splits = priced?.isShare === true ? dated : dated.filter(({ provenBy }) => provenBy !== null);
  const sharesOf =
    priced?.countApplies === true
      ? createShareCountFinder(
          await release.reportedValues(cik, [SHARE_COUNT_KEY]),
          reportedSplits,
          splits,
          findUnprovenChanges(parseCusipChanges(priced.cusipChanges), splits, daily),
        )
      : findNoShareCount;
  return { all: rows, daily, splits, findShareCount: sharesOf };
}

/**
 * Returns the prices that `findLatestPrice` uses: the last two daily prices, and the last price that is not a venue's
 * last sale.
 */
export const listUsedPrices = ({ all, daily }: SecurityPrices): readonly PriceRow[] => [
  ...daily.slice(-2),
  ...selectDailyPrices(all.filter(isNotLastSale)).slice(-1),
];

/** @param updated publication time of the release, which is the latest time of its data */
export function findLatestPrice(
  { all, daily, findShareCount }: SecurityPrices,
  symbol: string,
  updated: string,
): PriceLatest | null {
  const last = daily.at(-1);
  if (last === undefined) return null;
  const previous = daily.at(-2);
  const nonSalePriceRow = selectDailyPrices(all.filter(isNotLastSale)).at(-1);
  const shares = findShareCount(last.day);
  return {
    symbol,
    day: last.day,
    price: last.price,
    source: last.source,
    updated_at: updated,
    last_sale_at: last.soldAt,
    market_cap: computeMarketCap(last, findShareCount),
    prior_day: previous?.day ?? null,
    prior_price: previous?.price ?? null,
    record_close: nonSalePriceRow?.price ?? null,
    record_day: nonSalePriceRow?.day ?? null,
    record_source: nonSalePriceRow?.source ?? null,
    shares: shares?.shares ?? null,
    shares_as_of: shares?.asOf ?? null,
  };
}
