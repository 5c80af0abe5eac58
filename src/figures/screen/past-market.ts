/** A company's price as of a day, and whether figures of that day can be compared with it. */
import type { MarketPrice } from '../prices/market-price.ts';
import { type Market, marketOf, type Quotes } from '../prices/market-price.ts';
import { dateSplits } from '../prices/price-observations.ts';
import type { ReportedValue } from '../revisions/revision-chain.ts';
import { type Split, splitsBy } from '../shares/splits.ts';

/**
 * Returns the result of `marketOf` for prices and splits known by the end of the day. Returns only the price if
 * prices show a split that no filing had proven yet: earnings and share counts are then on another basis than the
 * price.
 * @param counts every reported share count, chain by chain
 */
export function marketOn(
  day: string,
  { daily, countApplies }: Quotes,
  counts: readonly ReportedValue[],
  splits: readonly Split[],
): Market {
  const pricesByDay = daily.filter((price) => price.day <= day);
  const market = marketOf({ daily: pricesByDay, countApplies }, counts, splitsBy(day, splits), day);
  const { price } = market;
  const unproven = splits.filter(({ proven }) => proven !== null && proven > day);
  if (price === null || !dateSplits(unproven, pricesByDay).some(({ after }) => price.day > after)) return market;
  return { price: withoutCap(price), ratioBetween: () => null };
}

const withoutCap = (price: MarketPrice): MarketPrice => ({ ...price, marketCap: null });
