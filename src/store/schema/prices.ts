import type { PriceObservation, PriceSource, SplitBounds } from '../../figures/prices/price-observations.ts';
import { day, decimal, flag, integer, only, text, timestamp } from './columns.ts';
import { CIK_COLUMN, declareTable, defineTable, type RowOf, TICKER_COLUMN, type WithCik } from './declare-table.ts';

/** The price of one security on one day from one source. */
export interface PriceRow extends PriceObservation {
  readonly tickerNormalized: string;
  /** The attribution required by a venue's file; null for other sources, and in releases of older versions. */
  readonly attribution: string | null;
}

/** Sorted by CIK, ticker, date, source. */
export const PRICES = defineTable<WithCik<PriceRow>>()({
  name: 'prices',
  typed: {
    about: 'Prices by source, not adjusted for splits. If a row has an attribution_text, show it next to the price.',
    order: 'cik, then ticker_normalized, day, source',
  },
  key: 'cik',
  columns: [
    CIK_COLUMN,
    TICKER_COLUMN,
    day('day', 'Trading day'),
    decimal('price', 'Price per share in US dollars'),
    text(
      'source',
      'Source of the price, best first: venue (last sale on an exchange), venue_official (official close), fails (list of fails to deliver), nport (valuation in Form N-PORT), thirteen_f (value per share in Form 13F)',
    ),
    integer('sample', 'Number of reports whose implied prices were compared; 1 if the source states the price'),
    decimal(
      'agreement?',
      'Fraction of the reports counted in sample whose implied price is within about one percent of the price in this row; null if the source states the price',
    ),
    timestamp('sold_at?', 'Time of the last sale, in UTC; null if the source does not state a time'),
    text('attribution_text?', 'Attribution that the exchange requires; null for other sources', {
      field: 'attribution',
    }),
  ],
});

export const SECURITIES_WITH_PRICES = declareTable({
  name: 'price_lines',
  key: 'cik',
  columns: [CIK_COLUMN, TICKER_COLUMN, flag('is_share'), flag('count_applies'), text('cusip_changes?')],
});

/** Returns the changes as a cell: for each change, the last day of the old and the first day of the new CUSIP. */
export const formatCusipChanges = (changes: readonly SplitBounds[]): string | null =>
  changes.length === 0 ? null : changes.map(({ after, until }) => `${after}/${until}`).join(' ');

export const parseCusipChanges = (cell: string | null): readonly SplitBounds[] =>
  (cell ?? '').split(' ').flatMap((text) => {
    const [after, until] = text.split('/');
    return after === undefined || until === undefined ? [] : [{ after, until }];
  });

export type SecurityWithPrices = Omit<RowOf<typeof SECURITIES_WITH_PRICES>, 'cik'>;

export const PRICE_SOURCES = declareTable({
  name: 'price_sources',
  typed: {
    about: 'Sources of prices, with the attribution that must be shown next to the prices of a source.',
    order: 'source',
  },
  key: null,
  columns: [
    only<PriceSource>()(text('source', 'Source, as in the table prices')),
    text('attribution_text?', 'Attribution that must be shown; null if no attribution is required', {
      field: 'text',
    }),
    text('attribution_url?', 'Web address that the attribution links to', { field: 'url' }),
  ],
});

/** A source of prices in the release; a venue's prices must be shown with its attribution. */
export type PriceSourceRow = RowOf<typeof PRICE_SOURCES>;
