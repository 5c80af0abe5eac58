/**
 * A company's price on past days, with the share count and the splits that price figures of a screen need. Derived
 * with the company, so that a screen of a past day reads them instead of deriving every company again.
 */
import type { Decimal } from '../../contract/decimal-text.ts';
import type { Ratio } from '../../contract/split-ratio.ts';
import { getOrInsert } from '../../platform/collections.ts';
import { addDays, addMonths, daysBetween } from '../../platform/dates.ts';
import { type CountOn, MAX_PRICE_AGE_DAYS, noCount, type Quotes, shareCounts } from '../prices/market-price.ts';
import { dateSplits, ratioBetweenDays, splitWindow } from '../prices/price-observations.ts';
import type { ReportedValue } from '../revisions/revision-chain.ts';
import { type RatioBetween, type Split, splitsBy } from '../shares/splits.ts';

/** A company's row changes on the day, or a figure of the row is read from another filing. */
export interface RowEvent {
  readonly day: string;
  readonly hasRow: boolean;
  /** Days in whose shares the operands of `PER_SHARE_FIGURES` are stated; null for a missing one. */
  readonly bases: readonly (string | null)[];
}

export interface QuotedState {
  /** The first day for which it is valid: until the next one, and at most to the end of the month. */
  readonly day: string;
  readonly priceDay: string;
  readonly price: Decimal;
  /** The share count for the market capitalization, in shares of the price's day; null without a usable one. */
  readonly shares: Decimal | null;
  /** New shares per old share from each basis to the price's day; null if unknown, as for a missing operand. */
  readonly ratios: readonly (Ratio | null)[];
}

/**
 * Returns the states, earliest first, for days with a row and a price of the last 180 days; at least one for each
 * month.
 * @param events earliest first
 * @param quotes every price of the company's primary security
 * @param counts every reported share count, chain by chain
 */
export function quotedStates(
  events: readonly RowEvent[],
  quotes: Quotes,
  counts: readonly ReportedValue[],
  splits: readonly Split[],
): QuotedState[] {
  const { daily } = quotes;
  const [first, last] = [daily[0]?.day, daily.at(-1)?.day];
  if (first === undefined || last === undefined) return [];
  const months = monthStarts(first, addDays(last, MAX_PRICE_AGE_DAYS));
  const days = new Set([...events.map(({ day }) => day), ...daily.map(({ day }) => day), ...months]);
  const marketOn = pastMarkets(quotes, counts, splits);
  const states: QuotedState[] = [];
  let [event, quote, known] = [-1, -1, ''];
  for (const day of [...days].sort()) {
    while ((events[event + 1]?.day ?? '9') <= day) event += 1;
    while ((daily[quote + 1]?.day ?? '9') <= day) quote += 1;
    const [row, price] = [events[event], daily[quote]];
    if (row?.hasRow !== true || price === undefined || daysBetween(price.day, day) > MAX_PRICE_AGE_DAYS) continue;
    const { countOn, ratioBetween } = marketOn(day, price.day);
    const shares = countOn(price.day)?.shares ?? null;
    const ratios = row.bases.map((basis) => (basis === null ? null : ratioBetween(basis, price.day)));
    const state = { priceDay: price.day, price: price.price, shares, ratios };
    const text = JSON.stringify([day.slice(0, 7), state]);
    if (text !== known) states.push({ day, ...state });
    known = text;
  }
  return states;
}

function monthStarts(first: string, last: string): string[] {
  const starts: string[] = [];
  for (let day = `${first.slice(0, 7)}-01`; day <= last; day = addMonths(day, 1)) starts.push(day);
  return starts;
}

/** Share counts and splits by filings and prices of a day. */
interface PastMarket {
  readonly countOn: CountOn;
  readonly ratioBetween: RatioBetween;
}

/** Neither earnings nor share counts are on the basis of the price. */
const UNKNOWN: PastMarket = { countOn: noCount, ratioBetween: () => null };

/**
 * Returns a function from a day, and the day of its last price, to what filings and prices show by then. While prices
 * show a split that no filing has proven, they are on another basis than earnings and share counts.
 */
export function pastMarkets(
  { daily, countApplies }: Quotes,
  counts: readonly ReportedValue[],
  splits: readonly Split[],
): (day: string, priceDay: string) => PastMarket {
  const windows = splits.map((split) => ({ proven: split.proven, ...splitWindow(split) }));
  const knownMarkets = new Map<string, PastMarket>();
  const read = (day: string, priceDay: string): PastMarket => {
    const prices = daily.filter((price) => price.day <= priceDay);
    const proven = splitsBy(day, splits);
    const unproven = splits.filter((split) => !proven.includes(split));
    if (dateSplits(unproven, prices).some(({ after }) => priceDay > after)) return UNKNOWN;
    const dated = dateSplits(proven, prices);
    const countOn = countApplies ? shareCounts(counts, proven, dated) : noCount;
    return { countOn, ratioBetween: ratioBetweenDays(dated) };
  };
  return (day, priceDay) => {
    // Only prices within the window of a split say more of it than prices before or after the window.
    const key = windows.map(({ proven, after, until }) => {
      const position = priceDay <= after ? 'before' : priceDay > until ? 'after' : priceDay;
      return `${proven === null || proven <= day} ${position}`;
    });
    return getOrInsert(knownMarkets, key.join(), () => read(day, priceDay));
  };
}
