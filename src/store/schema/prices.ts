/** The tables of prices. */
import type { PriceObservation, PriceSource } from '../../figures/prices/price-observations.ts';
import { CIK_COLUMN, flag, integer, table, text, textOrNull, type WithCik } from './table.ts';

/** One source's price of one security on one day. */
export interface PriceRow extends PriceObservation {
  readonly tickerNormalized: string;
  /** The attribution that a venue's file requires; null for other sources and in releases of older versions. */
  readonly attribution: string | null;
}

/** Sorted by CIK, ticker, day, then source. */
export const PRICES = table<WithCik<PriceRow>>()({
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
export interface PriceLine {
  readonly tickerNormalized: string;
  /** Whether it is an ordinary share, so that the company's splits apply to it. */
  readonly isShare: boolean;
  /** Whether the company's share count applies to it: not if classes trade separately. */
  readonly countApplies: boolean;
}

export const PRICE_LINES = table<WithCik<PriceLine>>()({
  name: 'price_lines',
  key: 'cik',
  columns: [
    CIK_COLUMN,
    text('ticker_normalized', 'tickerNormalized'),
    flag('is_share', 'isShare'),
    flag('count_applies', 'countApplies'),
  ],
});

/** A source of prices in the release, with the attribution that must be shown with a venue's prices. */
export interface PriceSourceRow {
  readonly source: PriceSource;
  readonly text: string | null;
  readonly url: string | null;
}

export const PRICE_SOURCES = table<PriceSourceRow>()({
  name: 'price_sources',
  key: null,
  columns: [text('source', 'source'), textOrNull('attribution_text', 'text'), textOrNull('attribution_url', 'url')],
});
