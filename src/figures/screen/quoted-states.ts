/**
 * A company's price on past days, with the share count and splits that its price figures need. Computed together with
 * the company's figures, so that a screen of a past day does not derive every company again.
 */
import type { Decimal } from '../../contract/decimal-text.ts';
import { MAX_PRICE_AGE_DAYS } from '../../contract/max-ages.ts';
import type { SplitRatio } from '../../contract/split-ratio.ts';
import { getOrInsert } from '../../platform/collections.ts';
import { addDays, addMonths, countDaysBetween } from '../../platform/dates.ts';
import {
  createShareCountFinder,
  findNoShareCount,
  type Quotes,
  type ShareCountFinder,
} from '../prices/market-price.ts';
import { createRatioFinderByDays, dateSplits, findWidenedSplitBounds } from '../prices/price-observations.ts';
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
 * @param shareCounts all share counts that the company reported, chain by chain
 */
export function buildQuotedStates(
  events: readonly RowEvent[],
  quotes: Quotes,
  shareCounts: readonly ReportedValue[],
  splits: readonly Split[],
): QuotedState[] {
  const { daily: dailyQuotes } = quotes;
  const [firstDay, lastDay] = [dailyQuotes[0]?.day, dailyQuotes.at(-1)?.day];
  if (firstDay === undefined || lastDay === undefined) return [];
  const monthStartDays = listMonthStarts(firstDay, addDays(lastDay, MAX_PRICE_AGE_DAYS));
  const stateDays = new Set([...events.map(({ day }) => day), ...dailyQuotes.map(({ day }) => day), ...monthStartDays]);
  const findPastShareData = createPastShareDataFinder(quotes, shareCounts, splits);
  const states: QuotedState[] = [];
  let [eventIndex, quoteIndex, lastStateText] = [-1, -1, ''];
  for (const day of [...stateDays].sort()) {
    while ((events[eventIndex + 1]?.day ?? '9') <= day) eventIndex += 1;
    while ((dailyQuotes[quoteIndex + 1]?.day ?? '9') <= day) quoteIndex += 1;
    const [rowEvent, quote] = [events[eventIndex], dailyQuotes[quoteIndex]];
    if (rowEvent?.hasRow !== true || quote === undefined || countDaysBetween(quote.day, day) > MAX_PRICE_AGE_DAYS)
      continue;
    const { findShareCount, ratioBetween } = findPastShareData(day, quote.day);
    const shares = findShareCount(quote.day)?.shares ?? null;
    const splitRatios = rowEvent.adjustmentDays.map((adjustmentDay) =>
      adjustmentDay === null ? null : ratioBetween(adjustmentDay, quote.day),
    );
    const state = { priceDay: quote.day, price: quote.price, shares, ratios: splitRatios };
    const stateText = JSON.stringify([day.slice(0, 7), state]);
    if (stateText !== lastStateText) states.push({ day, ...state });
    lastStateText = stateText;
  }
  return states;
}

function listMonthStarts(firstDay: string, lastDay: string): string[] {
  const monthStarts: string[] = [];
  for (let day = `${firstDay.slice(0, 7)}-01`; day <= lastDay; day = addMonths(day, 1)) monthStarts.push(day);
  return monthStarts;
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
  { daily: dailyQuotes, shareCountApplies }: Quotes,
  shareCounts: readonly ReportedValue[],
  splits: readonly Split[],
): (day: string, priceDay: string) => PastShareData {
  const splitWindows = splits.map((split) => ({ proven: split.proven, ...findWidenedSplitBounds(split) }));
  const shareDataByKey = new Map<string, PastShareData>();
  const derivePastShareData = (day: string, priceDay: string): PastShareData => {
    const pastQuotes = dailyQuotes.filter((price) => price.day <= priceDay);
    const provenSplits = selectSplitsProvenBy(day, splits);
    const unprovenSplits = splits.filter((split) => !provenSplits.includes(split));
    if (dateSplits(unprovenSplits, pastQuotes).some(({ after }) => priceDay > after)) return UNKNOWN_SHARE_DATA;
    const datedSplits = dateSplits(provenSplits, pastQuotes);
    const findShareCount = shareCountApplies
      ? createShareCountFinder(shareCounts, provenSplits, datedSplits)
      : findNoShareCount;
    return { findShareCount, ratioBetween: createRatioFinderByDays(datedSplits) };
  };
  return (day, priceDay) => {
    // The share data are the same on all days before a split's window, and on all days after it, but may differ on each
    // day within it. They also depend on the splits proven by the day.
    const keyParts = splitWindows.map(({ proven, after, until }) => {
      const positionInWindow = priceDay <= after ? 'before' : priceDay > until ? 'after' : priceDay;
      return `${proven === null || proven <= day} ${positionInWindow}`;
    });
    return getOrInsert(shareDataByKey, keyParts.join(), () => derivePastShareData(day, priceDay));
  };
}
