/** Tables of prices. */
import type { PriceObservation, PriceSource } from '../../figures/prices/price-observations.ts';
import { CIK_COLUMN, defineTable, flag, integer, text, textOrNull, type WithCik } from './table.ts';

/** The price of one security on one day from one source. */
export interface PriceRow extends PriceObservation {
  readonly tickerNormalized: string;
  /** The attribution required by a venue's file; null for other sources, and in releases of older versions. */
  readonly attribution: string | null;
}

/** Sorted by CIK, ticker, date, source. */
export const PRICES = defineTable<WithCik<PriceRow>>()({
  name: 'prices',
  key: 'cik',
  columns: [
    CIK_COLUMN,
    text('ticker_normalized', 'tickerNormalized'),
    text('day', 'day'),
    text('price', 'price'),
    text('source', 'source'),
    integer('sample', 'sample'),
    textOrNull('agreement', 'agreement'),
    textOrNull('sold_at', 'soldAt'),
    textOrNull('attribution_text', 'attribution'),
  ],
});

/** A security with prices. */
export interface SecurityWithPrices {
  readonly tickerNormalized: string;
  /** Whether the security is an ordinary share, to which the company's splits apply. */
  readonly isShare: boolean;
  /** Whether the company's share count applies to the security; false if classes of shares trade separately. */
  readonly countApplies: boolean;
}

export const SECURITIES_WITH_PRICES = defineTable<WithCik<SecurityWithPrices>>()({
  name: 'price_lines',
  key: 'cik',
  columns: [
    CIK_COLUMN,
    text('ticker_normalized', 'tickerNormalized'),
    flag('is_share', 'isShare'),
    flag('count_applies', 'countApplies'),
  ],
});

/** A source of prices in the release; a venue's prices must be shown with its attribution. */
export interface PriceSourceRow {
  readonly source: PriceSource;
  readonly text: string | null;
  readonly url: string | null;
}

export const PRICE_SOURCES = defineTable<PriceSourceRow>()({
  name: 'price_sources',
  key: null,
  columns: [text('source', 'source'), textOrNull('attribution_text', 'text'), textOrNull('attribution_url', 'url')],
});
