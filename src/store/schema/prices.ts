/** The tables of prices. */
import type { PriceSource, SourcedPrice } from '../../figures/prices/tape.ts';
import { CIK, flag, integer, type OfCompany, table, text, textOrNull } from './table.ts';

/** The price that one source has of one security on one day. */
export interface PriceRow extends SourcedPrice {
  readonly tickerNormalized: string;
  /** Of a venue's price, the sentence that its own file gives; else null, as in a release made before it was kept. */
  readonly attribution: string | null;
}

/** In order of cik, then ticker, day, source. */
export const PRICES = table<OfCompany<PriceRow>>()({
  name: 'prices',
  key: 'cik',
  columns: [
    CIK,
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

/** A security that has prices. */
export interface PriceLine {
  readonly tickerNormalized: string;
  /** Whether it is an ordinary share, so that the company's splits are its own. */
  readonly isShare: boolean;
  /** Whether the company's share count counts it: not where classes trade apart. */
  readonly countApplies: boolean;
}

export const PRICE_LINES = table<OfCompany<PriceLine>>()({
  name: 'price_lines',
  key: 'cik',
  columns: [
    CIK,
    text('ticker_normalized', 'tickerNormalized'),
    flag('is_share', 'isShare'),
    flag('count_applies', 'countApplies'),
  ],
});

/** A source that the release has prices of, with the attribution that must be shown beside a venue's prices. */
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
