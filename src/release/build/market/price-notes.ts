/** Prices as they are met in files, on their way to one list a security. */

import type { Decimal } from '../../../contract/decimal-text.ts';
import { agreedMark, type Mark, medianMark } from '../../../figures/prices/mark.ts';
import type { PriceSource, SourcedPrice } from '../../../figures/prices/tape.ts';
import type { PriceRow } from '../../schema/prices.ts';
import { compare } from '../../schema/row-order.ts';

/** One file's word on one security and day. `mixed`: of a holding that may be something else than a share. */
export interface PriceObservation {
  readonly ticker: string;
  readonly source: PriceSource | 'mixed';
  readonly day: string;
  readonly price: Decimal;
  readonly soldAt: string | null;
}

/** A company's prices, in the order of the table: a price of record as it is, of many reports their mark. */
export function priceRows(notes: readonly PriceObservation[]): PriceRow[] {
  const groups = new Map<string, PriceObservation[]>();
  for (const note of notes) {
    const key = `${note.ticker} ${note.day} ${note.source}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [note]);
    else group.push(note);
  }
  const rows = [...groups.values()].flatMap((group) => rowOf(group, groups) ?? []);
  return rows.sort(
    (a, b) => compare(a.tickerNormalized, b.tickerNormalized) || compare(a.day, b.day) || compare(a.source, b.source),
  );
}

function rowOf(group: readonly PriceObservation[], groups: ReadonlyMap<string, unknown>): PriceRow | null {
  const [first] = group;
  if (first === undefined) return null;
  const { ticker, day, source, soldAt } = first;
  const row = (as: PriceSource, { price, sample, agreement }: Omit<SourcedPrice, 'day' | 'source' | 'soldAt'>) => ({
    tickerNormalized: ticker,
    day,
    price,
    source: as,
    sample,
    agreement,
    soldAt,
  });
  const prices = group.map(({ price }) => price);
  if (source === 'mixed') {
    const mark: Mark | null = groups.has(`${ticker} ${day} nport`) ? null : agreedMark(prices);
    return mark === null ? null : row('nport', mark);
  }
  if (source !== 'nport' && source !== 'thirteen_f')
    return row(source, { price: first.price, sample: 1, agreement: null });
  const mark = medianMark(prices);
  return mark === null ? null : row(source, mark);
}
