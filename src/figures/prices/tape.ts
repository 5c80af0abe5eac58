/** The tape: one price a day out of what several sources say of it. */
import type { PriceSource, SourcedPrice } from './types.ts';

/** A last sale speaks before a close of record, a close before what reports imply. */
const ORDER: readonly PriceSource[] = ['venue', 'venue_official', 'fails', 'nport', 'thirteen_f'];

/** Each day's price by the best source that has one, earliest day first. */
export function tapeOf(prices: readonly SourcedPrice[]): SourcedPrice[] {
  const byDay = new Map<string, SourcedPrice>();
  for (const price of prices) {
    const held = byDay.get(price.day);
    if (held === undefined || rank(price) < rank(held)) byDay.set(price.day, price);
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
