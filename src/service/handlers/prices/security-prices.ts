/**
 * Reads a security's prices, one per day, with the security's splits and the share counts for its market
 * capitalization; and the attribution that must be shown with prices.
 */

import type { Attribution } from '../../../contract/resources/envelope.ts';
import type { PriceLatest } from '../../../contract/resources/prices.ts';
import { SHARE_COUNT_KEY } from '../../../figures/derived/share-counts.ts';
import type { ShareCountFinder } from '../../../figures/prices/market-price.ts';
import { computeMarketCap, createShareCountFinder, findNoShareCount } from '../../../figures/prices/market-price.ts';
import {
  type DatedSplit,
  dateSplits,
  findUnprovenChanges,
  isNotLastSale,
  type PriceSource,
  selectDailyPrices,
} from '../../../figures/prices/price-observations.ts';
import type { ReleaseReader } from '../../../store/reader.ts';
import type { Security } from '../../../store/schema/companies.ts';
import type { PriceRow } from '../../../store/schema/prices.ts';
import { PRICE_SOURCES, PRICES, parseCusipChanges, SECURITIES_WITH_PRICES } from '../../../store/schema/prices.ts';

export interface SecurityPrices {
  /** The prices of all sources, earliest day first; a day may have several. */
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
  const isOwn = (row: Pick<Security, 'tickerNormalized'>) => row.tickerNormalized === tickerNormalized;
  const rows = (await release.rowsOf(PRICES, cik)).filter(isOwn);
  const pricedSecurity = (await release.rowsOf(SECURITIES_WITH_PRICES, cik)).find(isOwn);
  const daily = selectDailyPrices(rows);
  const reportedSplits = await release.splits(cik);
  const dated = dateSplits(reportedSplits, daily);
  // For a security that is not a share, uses only splits that its own prices show (`provenBy`).
  const splits = pricedSecurity?.isShare === true ? dated : dated.filter(({ provenBy }) => provenBy !== null);
  const findShareCount =
    pricedSecurity?.countApplies === true
      ? createShareCountFinder(
          await release.reportedValues(cik, [SHARE_COUNT_KEY]),
          reportedSplits,
          splits,
          findUnprovenChanges(parseCusipChanges(pricedSecurity.cusipChanges), splits, daily),
        )
      : findNoShareCount;
  return { all: rows, daily, splits, findShareCount };
}

/**
 * Returns the prices that `findLatestPrice` uses: the last two daily prices, and the last price that is not a venue's
 * last sale.
 */
export const listPricesOfLatest = ({ all, daily }: SecurityPrices): readonly PriceRow[] => [
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

/**
 * Returns the attribution as a field of `meta`; empty if the release has no prices, or if no source of the prices
 * requires attribution.
 * @param usedPrices the prices in the response; if empty, all sources of the release are attributed
 */
export async function readAttribution(
  release: ReleaseReader,
  usedPrices: readonly Pick<PriceRow, 'source' | 'attribution'>[] = [],
): Promise<{ attribution?: Attribution }> {
  const rows = await release.allOf(PRICE_SOURCES);
  const sources = new Set((usedPrices.length > 0 ? usedPrices : rows).map(({ source }) => source));
  const texts = new Set(usedPrices.map(({ attribution }) => attribution));
  const credits = rows.flatMap(({ text, url }) => (text === null || url === null ? [] : [{ text, url }]));
  // If the venue of a price is unknown, all venues are attributed.
  const creditsOfPrices = credits.filter(({ text }) => texts.has(text));
  const credit = makeAttribution(sources, creditsOfPrices.length > 0 ? creditsOfPrices : credits);
  return credit === null ? {} : { attribution: credit };
}

const SEC_DATASET_NAMES: readonly (readonly [PriceSource, string])[] = [
  ['fails', 'fails-to-deliver data'],
  ['nport', 'fund holdings of Form N-PORT'],
  ['thirteen_f', 'institutional holdings of Form 13F'],
];
/** The SEC's terms for the use of its publications. */
const SEC_TERMS_URL = 'https://www.sec.gov/about/privacy-information#dissemination';

/**
 * Returns the sentences that venues require, and a sentence that names the sources from the SEC; null if no source
 * requires attribution.
 * @param venues the attributions in imported venue files
 */
export function makeAttribution(sources: ReadonlySet<PriceSource>, venues: readonly Attribution[]): Attribution | null {
  const includesVenue = sources.has('venue') || sources.has('venue_official');
  const datasets = SEC_DATASET_NAMES.filter(([source]) => sources.has(source)).map(([, name]) => name);
  const sentences = includesVenue ? [...new Set(venues.map(({ text }) => text))] : [];
  if (datasets.length > 0) {
    sentences.push(
      `Prices derived from public data of the U.S. Securities and Exchange Commission: ${joinNames(datasets)}.`,
    );
  }
  if (sentences.length === 0) return null;
  return { text: sentences.join(' '), url: (includesVenue ? venues[0]?.url : undefined) ?? SEC_TERMS_URL };
}

const joinNames = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
