/** Prices of a day from several sources, and the dates that prices show for splits proven by filings. */

import { divide, multiply } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import { combineRatios, findExactRatio, invertRatio, NO_SPLIT } from '../../contract/split-ratio.ts';
import { getOnlyElement, groupBy } from '../../platform/collections.ts';
import { addDays, countDaysBetween } from '../../platform/dates.ts';
import { findPreviousTradingDay, isTradingDay } from '../../platform/trading-calendar.ts';
import { doesSplitExplainChange, normalizeToAtLeastOne } from '../shares/split-evidence.ts';
import type { Split, SplitRatioFinder } from '../shares/splits.ts';

/** A price per share on one day, in dollars, not adjusted for later splits. */
export interface Quote {
  readonly day: string;
  readonly price: Decimal;
  readonly source: PriceSource;
}

/** A price on one day from one source. */
export interface PriceObservation extends Quote {
  /** Number of compared prices that reports imply; 1 for a price that a source states. */
  readonly sample: number;
  /** Fraction of the implied prices that are within one percent of the price; null for a price that a source states. */
  readonly agreement: Decimal | null;
  /** Time of the last sale (RFC 3339); null if the source states no time. */
  readonly soldAt: string | null;
}

export type PriceSource = 'venue' | 'venue_official' | 'fails' | 'nport' | 'thirteen_f';

/** Sources by precedence: last sales and official closes of exchanges, fails to deliver, reports of holdings. */
export const SOURCE_PRECEDENCE: readonly PriceSource[] = ['venue', 'venue_official', 'fails', 'nport', 'thirteen_f'];

/** Returns one price per day, from the best source available, earliest first. */
export function selectDailyPrices<Price extends PriceObservation>(prices: readonly Price[]): Price[] {
  return [...groupBy(prices, ({ day }) => day).values()]
    .map((ofDay) => ofDay.reduce((a, b) => (rankSource(b) < rankSource(a) ? b : a)))
    .sort((a, b) => (a.day < b.day ? -1 : 1));
}

/** Whether a price has any source except the last sales of exchanges. */
export const isNotLastSale = ({ source }: PriceObservation): boolean => source !== 'venue';

/** Whether a price is implied by reports of holdings. */
export const isImpliedPrice = ({ source }: PriceObservation): boolean => source === 'nport' || source === 'thirteen_f';

const rankSource = ({ source }: PriceObservation): number => SOURCE_PRECEDENCE.indexOf(source);

/** A split proven by filings, and the range of days in which its ex-date lies according to filings and prices. */
export interface DatedSplit {
  /** New shares per old share, as in `Split`. */
  readonly ratio: Decimal;
  readonly accession: string;
  /** The last day whose prices are known to be per old share. */
  readonly after: string;
  /** The first day whose prices are known to be per new share; this is the ex-date if `provenBy` is not null. */
  readonly until: string;
  /** The source of the first price per new share if prices prove the ex-date; otherwise null. */
  readonly provenBy: PriceSource | null;
}

/**
 * Maximum number of days by which a split may precede or follow its date in filings: filings state the day of the
 * declaration or of the next report.
 */
const [MAX_DAYS_BEFORE_FILED_DATE, MAX_DAYS_AFTER_FILED_DATE] = [110, 45];
/** Maximum factor by which a price usually changes between trading days without a split. */
const MAX_DAILY_FACTOR = '1.25';
/** Maximum factor by which a price usually changes over months without a split. */
const MAX_MONTHLY_FACTOR = '4';
/** Maximum number of days between two prices that can contradict a split. */
const MAX_CONTRADICTION_DAYS = 70;

/** Two consecutive prices of a security. */
interface QuotePair {
  readonly earlierQuote: Quote;
  readonly laterQuote: Quote;
}

interface PriceStep extends QuotePair {
  /** The earlier price divided by the later price: the ratio of a split that alone would explain the change. */
  readonly priceRatio: Decimal;
}

/**
 * Finds the dates of splits. Filings state the ratio and two days between which the split happened. A split's date is
 * proven by prices on that day and on the trading day before, or by prices within days of a declared date; other prices
 * narrow the range. Splits that prices contradict throughout the range are omitted.
 * @param daily one price per day, earliest first, not adjusted for splits
 */
export function dateSplits(splits: readonly Split[], daily: readonly Quote[]): DatedSplit[] {
  return splits.flatMap((split): DatedSplit[] => {
    const { ratio, accession } = split;
    const bounds = findBounds(split);
    const steps = listPriceSteps(findWidenedSplitBounds(split), daily);
    const proof = getOnlyElement(steps.filter((step) => provesSplitDate(split, step)));
    if (proof !== null) {
      const until = isOneTradingDayStep(proof) ? proof.laterQuote.day : split.effective;
      return [{ ratio, accession, after: findPreviousTradingDay(until), until, provenBy: proof.laterQuote.source }];
    }
    const narrowed = narrowBounds(ratio, bounds, steps, daily);
    return narrowed === null ? [] : [{ ratio, accession, ...narrowed, provenBy: null }];
  });
}

/** The range of a split's possible dates: after the day `after`, on or before the day `until`. */
export interface SplitBounds {
  readonly after: string;
  readonly until: string;
}

function findBounds({ effective, after, until }: Split): SplitBounds {
  return {
    after: after ?? addDays(effective, -MAX_DAYS_BEFORE_FILED_DATE),
    until: until ?? addDays(effective, MAX_DAYS_AFTER_FILED_DATE),
  };
}

/** Returns the range of days within which prices can show the split. */
export const findWidenedSplitBounds = (split: Split): SplitBounds => widenBounds(split, findBounds(split));

/** Widens the range of dates, because filings may start to state new shares some days before or after the split. */
function widenBounds({ effective }: Split, { after, until }: SplitBounds): SplitBounds {
  const earliest = addDays(effective, -MAX_DAYS_BEFORE_FILED_DATE);
  const latest = addDays(effective, MAX_DAYS_AFTER_FILED_DATE);
  return { after: after < earliest ? after : earliest, until: until > latest ? until : latest };
}

/**
 * Narrows the range of a split's dates to the days that prices allow; null if no day remains.
 * @param steps price steps; steps outside the range are ignored
 */
function narrowBounds(ratio: Decimal, bounds: SplitBounds, steps: readonly PriceStep[], daily: readonly Quote[]) {
  const [first, last] = [daily[0]?.day, daily.at(-1)?.day];
  if (first === undefined || last === undefined) return bounds;
  const insideSteps = steps.filter((step) => overlapsBounds(step, bounds));
  const match = getOnlyElement(insideSteps.filter((step) => doesSplitExplainStep(ratio, step, MAX_MONTHLY_FACTOR)));
  const candidates = match === null ? insideSteps.filter((step) => !doesStepContradictSplit(ratio, step)) : [match];
  const ranges = candidates.map(({ earlierQuote, laterQuote }) => ({ after: earlierQuote.day, until: laterQuote.day }));
  // Adds the ranges before the first and after the last quote, because the split may lie on days without prices.
  if (match === null) ranges.push({ after: bounds.after, until: first }, { after: last, until: bounds.until });
  const remainingRanges = ranges
    .map(({ after, until }) => ({
      after: after > bounds.after ? after : bounds.after,
      until: until < bounds.until ? until : bounds.until,
    }))
    .filter(({ after, until }) => after < until);
  const after = remainingRanges.map((range) => range.after).sort()[0];
  const ends = remainingRanges.map((range) => range.until).sort();
  const until = ends.at(-1);
  return after === undefined || until === undefined ? null : { after, until };
}

function listPriceSteps(bounds: SplitBounds, daily: readonly Quote[]): PriceStep[] {
  return daily.flatMap((quote, index) => {
    const previous = daily[index - 1];
    if (previous === undefined || !overlapsBounds({ earlierQuote: previous, laterQuote: quote }, bounds)) return [];
    const ratio = divide(previous.price, quote.price);
    return ratio === null ? [] : [{ earlierQuote: previous, laterQuote: quote, priceRatio: ratio }];
  });
}

const overlapsBounds = ({ earlierQuote, laterQuote }: QuotePair, { after, until }: SplitBounds): boolean =>
  earlierQuote.day < until && laterQuote.day > after;

/**
 * Maximum number of days between the prices before and after a declared date. Closer prices prove that the declared
 * date is the day of the split, not of the board's decision.
 */
const MAX_DAYS_AROUND_DECLARED_DAY = 7;

function provesSplitDate({ ratio, effective, until }: Split, step: PriceStep): boolean {
  const { earlierQuote, laterQuote } = step;
  if (!doesSplitExplainStep(ratio, step, MAX_DAILY_FACTOR)) return false;
  if (isOneTradingDayStep(step)) return true;
  const isDeclared = effective !== until && isTradingDay(effective);
  return (
    isDeclared &&
    earlierQuote.day < effective &&
    effective <= laterQuote.day &&
    countDaysBetween(earlierQuote.day, laterQuote.day) <= MAX_DAYS_AROUND_DECLARED_DAY
  );
}

const isOneTradingDayStep = ({ earlierQuote, laterQuote }: PriceStep): boolean =>
  findPreviousTradingDay(laterQuote.day) === earlierQuote.day;

const doesSplitExplainStep = (ratio: Decimal, { priceRatio }: PriceStep, factor: Decimal): boolean =>
  doesSplitExplainChange(ratio, priceRatio, factor);

/** Whether the price changed much less than the split would have changed it. */
function doesStepContradictSplit(ratio: Decimal, { earlierQuote, laterQuote, priceRatio }: PriceStep): boolean {
  const factor = normalizeToAtLeastOne(priceRatio);
  return (
    countDaysBetween(earlierQuote.day, laterQuote.day) <= MAX_CONTRADICTION_DAYS &&
    compareDecimals(multiply(factor, factor), normalizeToAtLeastOne(ratio)) < 0
  );
}

/** Maximum number of days after the first mention of a new CUSIP on which prices may still be of the old shares. */
const MAX_DAYS_AFTER_CHANGE = 7;
/** The smallest usual ratio of a split. */
const MIN_SPLIT_RATIO = '2';

/**
 * Returns the changes of the CUSIP after which a share may be another number of old shares: no dated split explains the
 * change, and prices before and after it do not prove that the shares remained the same.
 * @param daily one price per day, earliest first, not adjusted for splits
 */
export const findUnprovenChanges = (
  changes: readonly SplitBounds[],
  splits: readonly DatedSplit[],
  daily: readonly Quote[],
): readonly SplitBounds[] =>
  changes.flatMap(({ after, until }): SplitBounds[] => {
    // A row of fails has the price of the day before: the old CUSIP's last price may be that of the day before `after`.
    const bounds = { after: findPreviousTradingDay(after), until: addDays(until, MAX_DAYS_AFTER_CHANGE) };
    if (splits.some((split) => split.after < bounds.until && split.until > after)) return [];
    const steps = listPriceSteps(bounds, daily);
    const change = steps.find((step) => !doesStepContradictSplit(MIN_SPLIT_RATIO, step));
    if (change !== undefined) {
      const [first, last] = [change.earlierQuote.day, change.laterQuote.day];
      return [{ after: first > bounds.after ? first : bounds.after, until: last }];
    }
    return steps.length > 0 ? [] : [{ after, until }];
  });

/**
 * Returns a function that computes the ratio of all splits between two days, for splits dated by prices. The ratio is
 * null if one of two different days lies between the `after` and `until` of a split, or if one of the unproven changes
 * lies between the days.
 */
export function createRatioFinderByDays(
  splits: readonly DatedSplit[],
  unprovenChanges: readonly SplitBounds[] = [],
): SplitRatioFinder {
  const isOld = (split: SplitBounds, day: string) => (day <= split.after ? true : day >= split.until ? false : null);
  return (from, to) => {
    if (from === to) return NO_SPLIT;
    if (unprovenChanges.some((change) => isOld(change, from) === null || isOld(change, from) !== isOld(change, to)))
      return null;
    let ratio = NO_SPLIT;
    for (const split of splits) {
      const [wasOld, isStillOld] = [isOld(split, from), isOld(split, to)];
      if (wasOld === null || isStillOld === null) return null;
      if (wasOld === isStillOld) continue;
      const exactRatio = findExactRatio(split.ratio);
      ratio = combineRatios(ratio, wasOld ? exactRatio : invertRatio(exactRatio));
    }
    return ratio;
  };
}
