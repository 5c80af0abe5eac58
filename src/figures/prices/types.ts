/** The plain values of prices. Days are YYYY-MM-DD, prices are dollars a share as traded on the day. */
import type { Decimal } from '../../contract/decimal-text.ts';

export type PriceSource = 'venue' | 'venue_official' | 'fails' | 'nport' | 'thirteen_f';

/** What one source says of one day. */
export interface SourcedPrice {
  readonly day: string;
  readonly price: Decimal;
  readonly source: PriceSource;
  /** Reports behind the figure; 1 where it is one price of record. */
  readonly sample: number;
  /** Share of the sample within one percent of it; null where there is no sample. */
  readonly agreement: Decimal | null;
  /** When the last sale was made, RFC 3339; only of a venue that says. */
  readonly soldAt: string | null;
}

/** A split as filings prove it, held against the tape. */
export interface TapeSplit {
  /** New shares per old. */
  readonly ratio: Decimal;
  /** The first day on the new basis. */
  readonly exDate: string;
  readonly accession: string;
  /** Whether prices on both sides of the day show it; where they neither show nor deny it, it still counts for adjusting. */
  readonly confirmedBy: PriceSource | null;
}
