/** A company's price as of a day, and whether figures of that day can be set against it. */
import type { MarketPrice } from '../prices/market-price.ts';
import { type Market, marketOf, type Quotes } from '../prices/market-price.ts';
import { tapeSplits } from '../prices/tape.ts';
import type { ReportedValue } from '../revisions/revision-chain.ts';
import { type Split, splitsBy } from '../shares/splits.ts';

/**
 * Returns what `marketOf` gives for the prices and splits that were known by the end of the day. The price alone where the tape
 * shows a split that filings had not proven yet: earnings and counts of the day are in other shares than the price.
 * @param counts every reported share count, chain by chain
 */
export function marketOn(
  day: string,
  { tape, countApplies }: Quotes,
  counts: readonly ReportedValue[],
  splits: readonly Split[],
): Market {
  const known = tape.filter((price) => price.day <= day);
  const market = marketOf({ tape: known, countApplies }, counts, splitsBy(day, splits), day);
  const { price } = market;
  const unproven = splits.filter(({ proven }) => proven !== null && proven > day);
  if (price === null || !tapeSplits(unproven, known).some(({ after }) => price.day > after)) return market;
  return { price: withoutCap(price), ratioBetween: () => null };
}

const withoutCap = (price: MarketPrice): MarketPrice => ({ ...price, marketCap: null });
