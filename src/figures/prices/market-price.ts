/** The latest price and market capitalization of a company, for the ratios that need them. */

import { multiply } from '../../contract/decimal.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import { daysBetween } from '../../platform/dates.ts';
import type { ReportedValue } from '../revisions/revision-chain.ts';
import type { Split } from '../shares/splits.ts';
import { countOn, countsOf } from './split-basis.ts';
import type { SourcedPrice } from './tape.ts';
import type { TapeSplit } from './tape-splits.ts';
import { tapeSplits } from './tape-splits.ts';

/** A price on one day, in dollars. */
export interface MarketPrice {
  readonly day: string;
  readonly price: Decimal;
  /** Null when no share count qualifies or the company's classes trade apart. */
  readonly marketCap: Decimal | null;
}

/** An older price makes no ratio of today. */
const OLDEST_PRICE_DAYS = 180;

/** The prices of a company's primary security. */
export interface Quotes {
  /** One price a day, earliest first; at least those of the last 400 days. */
  readonly tape: readonly SourcedPrice[];
  /** Whether the company's share count is of this security: not where classes trade apart, nor for receipts. */
  readonly countApplies: boolean;
}

export interface Market {
  /** Null where the last price is more than 180 days older than the release. */
  readonly price: MarketPrice | null;
  /** The splits on the days on which the tape shows them, without those it contradicts. */
  readonly splits: readonly Split[];
}

export function marketOf(
  { tape, countApplies }: Quotes,
  reported: readonly ReportedValue[],
  splits: readonly Split[],
  releaseDate: string,
): Market {
  const found = tapeSplits(splits, tape);
  const dated = found.map(({ ratio, exDate, accession }) => ({ ratio, accession, effective: exDate }));
  const last = tape.findLast(({ day }) => day <= releaseDate);
  if (last === undefined || daysBetween(last.day, releaseDate) > OLDEST_PRICE_DAYS)
    return { price: null, splits: dated };
  const counts = countApplies ? countsOf(reported) : [];
  return { price: { day: last.day, price: last.price, marketCap: marketCapOn(last, counts, found) }, splits: dated };
}

/** Price times the latest share count on or before its day, in the day's shares; null where none qualifies. */
export function marketCapOn(
  { day, price }: Pick<SourcedPrice, 'day' | 'price'>,
  counts: readonly ReportedValue[],
  splits: readonly TapeSplit[],
): Decimal | null {
  const count = countOn(counts, day, splits);
  return count === null ? null : multiply(price, count.shares);
}
