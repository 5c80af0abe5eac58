/**
 * A company's price on past days, with the share count and splits that its price figures need. Computed together with
 * the company's figures, so that a screen of a past day does not derive every company again.
 */
import type { Decimal } from '../../contract/decimal-text.ts';
import { MAX_PRICE_AGE_DAYS } from '../../contract/max-ages.ts';
import type { SplitRatio } from '../../contract/split-ratio.ts';
import { getOrInsert } from '../../platform/collections.ts';
import { addDays, addMonths, countDaysBetween } from '../../platform/dates.ts';
import type { Quotes, ShareCountFinder } from '../prices/market-price.ts';
import { createShareCountFinder, findNoShareCount } from '../prices/market-price.ts';
import {
  createRatioFinderByDays,
  dateSplits,
  findUnprovenChanges,
  findWidenedSplitBounds,
} from '../prices/price-observations.ts';
import type { ReportedValue } from '../revisions/revision-chain.ts';
import { type Split, type SplitRatioFinder, selectSplitsProvenBy } from '../shares/splits.ts';

/** A day on which the company's row changes, or on which a figure stays the same but comes from a different filing. */
export interface RowEvent {
  readonly day: string;
  readonly hasRow: boolean;
  /**
   * For each of `SHARE_PRICE_FIGURES`, the day up to which the operand is adjusted for splits; null if it is missing.
   */
  readonly adjustmentDays: readonly (string | null)[];
}

/** A company's price on a day, with the data that the row's price figures need. */
export interface QuotedState {
  /** The first day of the state. The state is valid until the next state, and at most to the end of the month. */
  readonly day: string;
  readonly priceDay: string;
  readonly price: Decimal;
  /**
   * The share count for the market capitalization, adjusted for splits to the price's day; null if no count is usable.
   */
  readonly shares: Decimal | null;
  /**
   * New shares per old share from each of `adjustmentDays` to the price's day; null if unknown or the operand is
   * missing.
   */
  readonly ratios: readonly (SplitRatio | null)[];
}

/**
 * Returns the states of a company, earliest first. Each state's day has a row in the screener and a price at most 180
 * days old. Every month with such a day has at least one state.
 * @param events earliest first
 * @param quotes all prices of the company's primary security
 * @param counts all share counts that the company reported, chain by chain
 */
export function buildQuotedStates(
  events: readonly RowEvent[],
  quotes: Quotes,
  counts: readonly ReportedValue[],
  splits: readonly Split[],
): QuotedState[] {
  const { daily } = quotes;
  const [firstDay, lastDay] = [daily[0]?.day, daily.at(-1)?.day];
  if (firstDay === undefined || lastDay === undefined) return [];
  const months = listMonthStarts(firstDay, addDays(lastDay, MAX_PRICE_AGE_DAYS));
  const days = new Set([...events.map(({ day }) => day), ...daily.map(({ day }) => day), ...months]);
  const findShareData = createPastShareDataFinder(quotes, counts, splits);
  const states: QuotedState[] = [];
  let [eventIndex, quoteIndex, lastText] = [-1, -1, ''];
  for (const day of [...days].sort()) {
    while ((events[eventIndex + 1]?.day ?? '9') <= day) eventIndex += 1;
    while ((daily[quoteIndex + 1]?.day ?? '9') <= day) quoteIndex += 1;
    const [event, quote] = [events[eventIndex], daily[quoteIndex]];
    if (event?.hasRow !== true || quote === undefined || countDaysBetween(quote.day, day) > MAX_PRICE_AGE_DAYS)
      continue;
    const { findShareCount, ratioBetween } = findShareData(day, quote.day);
    const shares = findShareCount(quote.day)?.shares ?? null;
    const ratios = event.adjustmentDays.map((from) => (from === null ? null : ratioBetween(from, quote.day)));
    const state = { priceDay: quote.day, price: quote.price, shares, ratios };
    const text = JSON.stringify([day.slice(0, 7), state]);
    if (text !== lastText) states.push({ day, ...state });
    lastText = text;
  }
  return states;
}

function listMonthStarts(firstDay: string, lastDay: string): string[] {
  const days: string[] = [];
  for (let day = `${firstDay.slice(0, 7)}-01`; day <= lastDay; day = addMonths(day, 1)) days.push(day);
  return days;
}

/** Share counts and split ratios according to the filings and prices known on a day. */
interface PastShareData {
  readonly findShareCount: ShareCountFinder;
  readonly ratioBetween: SplitRatioFinder;
}

/**
 * Used while prices are per new share but earnings and share counts are in old shares, and no filing proves the ratio.
 */
const UNKNOWN_SHARE_DATA: PastShareData = { findShareCount: findNoShareCount, ratioBetween: () => null };

/**
 * Returns a function that maps a day, and the day of its last price, to the share counts and split ratios known by
 * then. While prices show a split that no filing has proven yet, the function returns `UNKNOWN_SHARE_DATA`.
 */
function createPastShareDataFinder(
  { daily, shareCountApplies, cusipChanges = [] }: Quotes,
  counts: readonly ReportedValue[],
  splits: readonly Split[],
): (day: string, priceDay: string) => PastShareData {
  const windows = splits.map((split) => ({ proven: split.proven, ...findWidenedSplitBounds(split) }));
  const byKey = new Map<string, PastShareData>();
  const derive = (day: string, priceDay: string): PastShareData => {
    const pastPrices = daily.filter((price) => price.day <= priceDay);
    const provenSplits = selectSplitsProvenBy(day, splits);
    const unprovenSplits = splits.filter((split) => !provenSplits.includes(split));
    if (dateSplits(unprovenSplits, pastPrices).some(({ after }) => priceDay > after)) return UNKNOWN_SHARE_DATA;
    const dated = dateSplits(provenSplits, pastPrices);
    const changes = findUnprovenChanges(cusipChanges, dated, daily);
    const finder = shareCountApplies ? createShareCountFinder(counts, provenSplits, dated, changes) : findNoShareCount;
    return { findShareCount: finder, ratioBetween: createRatioFinderByDays(dated, changes) };
  };
  return (day, priceDay) => {
    // The share data are the same on all days before a split's window, and on all days after it, but may differ on each
    // day within it. They also depend on the splits proven by the day.
    const parts = windows.map(({ proven, after, until }) => {
      const side = priceDay <= after ? 'before' : priceDay > until ? 'after' : priceDay;
      return `${proven === null || proven <= day} ${side}`;
    });
    return getOrInsert(byKey, parts.join(), () => derive(day, priceDay));
  };
}
