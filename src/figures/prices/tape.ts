/** The tape: one price a day, from several sources. */
import type { Decimal } from '../../contract/decimal-text.ts';

/** One source's price for one day, in dollars a share as traded on the day. */
export interface SourcedPrice {
  readonly day: string;
  readonly price: Decimal;
  readonly source: PriceSource;
  /** Reports behind the figure; 1 where it is one price of record. */
  readonly sample: number;
  /** Share of the sample within one percent of it; null where there is no sample. */
  readonly agreement: Decimal | null;
  /** When the last sale was made, RFC 3339; only from a venue that gives it. */
  readonly soldAt: string | null;
}

export type PriceSource = 'venue' | 'venue_official' | 'fails' | 'nport' | 'thirteen_f';

/** A last sale comes before a close of record, a close before what reports imply. */
const ORDER: readonly PriceSource[] = ['venue', 'venue_official', 'fails', 'nport', 'thirteen_f'];

/** Each day's price by the best source that has one, earliest day first. */
export function tapeOf(prices: readonly SourcedPrice[]): SourcedPrice[] {
  const byDay = new Map<string, SourcedPrice>();
  for (const price of prices) {
    const known = byDay.get(price.day);
    if (known === undefined || rank(price) < rank(known)) byDay.set(price.day, price);
  }
  return [...byDay.values()].sort((a, b) => (a.day < b.day ? -1 : 1));
}

/** Whether a price is one of record: any but a venue's last sale. */
export function isOfRecord({ source }: SourcedPrice): boolean {
  return source !== 'venue';
}

/** Whether a price is a mark that reports agree on, with a sample to show. */
export function isMark({ source }: SourcedPrice): boolean {
  return source === 'nport' || source === 'thirteen_f';
}

function rank({ source }: SourcedPrice): number {
  return ORDER.indexOf(source);
}
