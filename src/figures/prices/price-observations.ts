/**
 * Price observations: one price per day from several sources, and the days on which prices show the splits that
 * filings prove.
 */

import { divide, multiply } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import { combinedRatio, exactRatio, NO_SPLIT } from '../../contract/split-ratio.ts';
import { addDays, daysBetween } from '../../platform/dates.ts';
import { isTradingDay, previousTradingDay } from '../../platform/trading-calendar.ts';
import { factorOf, isExplainedBy } from '../shares/split-evidence.ts';
import type { RatioBetween, Split } from '../shares/splits.ts';

/** A price of one day, in dollars per share of that day. */
export interface Quote {
  readonly day: string;
  readonly price: Decimal;
  readonly source: PriceSource;
}

/** One source's price for one day. */
export interface PriceObservation extends Quote {
  /** Number of reports that imply the price; 1 for a price of record. */
  readonly sample: number;
  /** Fraction of the sample within one percent of the price; null without a sample. */
  readonly agreement: Decimal | null;
  /** Time of the last sale, RFC 3339; only from a venue that states it. */
  readonly soldAt: string | null;
}

export type PriceSource = 'venue' | 'venue_official' | 'fails' | 'nport' | 'thirteen_f';

/** The last sale precedes a closing price of record, which precedes prices that reports imply. */
export const SOURCE_ORDER: readonly PriceSource[] = ['venue', 'venue_official', 'fails', 'nport', 'thirteen_f'];

/** Returns each day's price from the best source that has one, earliest day first. */
export function selectDailyPrices<Price extends PriceObservation>(prices: readonly Price[]): Price[] {
  const bestPriceByDay = new Map<string, Price>();
  for (const price of prices) {
    const bestPrice = bestPriceByDay.get(price.day);
    if (bestPrice === undefined || sourceRank(price) < sourceRank(bestPrice)) bestPriceByDay.set(price.day, price);
  }
  return [...bestPriceByDay.values()].sort((a, b) => (a.day < b.day ? -1 : 1));
}

/** Whether a price is one of record: any but a venue's last sale. */
export function isOfficialPrice({ source }: PriceObservation): boolean {
  return source !== 'venue';
}

/** Whether a price is implied by a sample of reports. */
export function isMark({ source }: PriceObservation): boolean {
  return source === 'nport' || source === 'thirteen_f';
}

function sourceRank({ source }: PriceObservation): number {
  return SOURCE_ORDER.indexOf(source);
}

/** A split that filings prove, and the days between which prices show it. */
export interface DatedSplit {
  /** New shares per old share, as in `Split`. */
  readonly ratio: Decimal;
  readonly accession: string;
  /** The last day known to have prices on the old basis. */
  readonly after: string;
  /** The first day known to have prices on the new basis; the ex-date if `provenBy` is set. */
  readonly until: string;
  /** The source of the first price on the new basis, if prices prove the ex-date; otherwise null. */
  readonly provenBy: PriceSource | null;
}

/**
 * Number of days before and after the date in filings when a split may have happened: filings date it by its
 * declaration, or by the next report.
 */
const [MAX_DAYS_BEFORE, MAX_DAYS_AFTER] = [110, 45];
/** Maximum factor by which a price usually changes between trading days without a split. */
const NEAR_FACTOR = '1.25';
/** Maximum factor by which a price usually changes over months without a split. */
const FAR_FACTOR = '4';
/** Maximum number of days between two equal prices that contradict a split. */
const CONTRADICTION_DAYS = 70;

/** Two consecutive prices. */
interface PriceStep {
  readonly earlierQuote: Quote;
  readonly laterQuote: Quote;
  /** The old price divided by the new one: the ratio of a split that would explain the change alone. */
  readonly drop: Decimal;
}

/**
 * Finds the dates of splits. Filings give the ratio and two days between which the split happened. Prices of a day
 * and of the previous trading day prove its date, as do prices a day or two around a declared date; other prices
 * narrow the range. Splits that prices contradict over the whole range are dropped.
 * @param daily one price per day, earliest first, in shares of the day
 */
export function dateSplits(splits: readonly Split[], daily: readonly Quote[]): DatedSplit[] {
  return splits.flatMap((split): DatedSplit[] => {
    const { ratio, accession } = split;
    const bounds = boundsOf(split);
    const steps = stepsWithin(splitWindow(split), daily);
    const proof = onlyElement(steps.filter((step) => isProof(split, step)));
    if (proof !== null) {
      const until = isOneDay(proof) ? proof.laterQuote.day : split.effective;
      return [{ ratio, accession, after: previousTradingDay(until), until, provenBy: proof.laterQuote.source }];
    }
    const narrowedBounds = narrowBounds(ratio, bounds, steps, daily);
    return narrowedBounds === null ? [] : [{ ratio, accession, ...narrowedBounds, provenBy: null }];
  });
}

/** Bounds of a split: after one day, and on or before another. */
interface Bounds {
  readonly after: string;
  readonly until: string;
}

function boundsOf({ effective, after, until }: Split): Bounds {
  return { after: after ?? addDays(effective, -MAX_DAYS_BEFORE), until: until ?? addDays(effective, MAX_DAYS_AFTER) };
}

/** The days between which prices can show the split. */
export const splitWindow = (split: Split): Bounds => widenBounds(split, boundsOf(split));

/** Widens the bounds: a filing may use the new basis early or late. */
function widenBounds({ effective }: Split, { after, until }: Bounds): Bounds {
  const [earliestDay, latestDay] = [addDays(effective, -MAX_DAYS_BEFORE), addDays(effective, MAX_DAYS_AFTER)];
  return { after: after < earliestDay ? after : earliestDay, until: until > latestDay ? until : latestDay };
}

/**
 * Narrows the possible days of a split to those that prices allow; null if none remain.
 * @param steps price steps within these days, and possibly others
 */
function narrowBounds(
  ratio: Decimal,
  bounds: Bounds,
  steps: readonly PriceStep[],
  daily: readonly Quote[],
): Bounds | null {
  const [firstDay, lastDay] = [daily[0]?.day, daily.at(-1)?.day];
  if (firstDay === undefined || lastDay === undefined) return bounds;
  const stepsInside = steps.filter((step) => isWithin(step, bounds));
  const explainedStep = onlyElement(stepsInside.filter((step) => explains(ratio, step, FAR_FACTOR)));
  const possibleRanges = (
    explainedStep === null ? stepsInside.filter((step) => !contradicts(ratio, step)) : [explainedStep]
  ).map(({ earlierQuote, laterQuote }) => ({ after: earlierQuote.day, until: laterQuote.day }));
  // The price history does not cover the time before its start and after its end.
  const openRanges =
    explainedStep === null
      ? [
          { after: bounds.after, until: firstDay },
          { after: lastDay, until: bounds.until },
        ]
      : [];
  const remainingRanges = [...possibleRanges, ...openRanges]
    .map(({ after, until }) => ({
      after: after > bounds.after ? after : bounds.after,
      until: until < bounds.until ? until : bounds.until,
    }))
    .filter(({ after, until }) => after < until);
  const [after] = remainingRanges.map((part) => part.after).sort();
  const until = remainingRanges
    .map((part) => part.until)
    .sort()
    .at(-1);
  return after === undefined || until === undefined ? null : { after, until };
}

function stepsWithin(bounds: Bounds, daily: readonly Quote[]): PriceStep[] {
  return daily.flatMap((nextQuote, index) => {
    const previousQuote = daily[index - 1];
    if (previousQuote === undefined || !isWithin({ earlierQuote: previousQuote, laterQuote: nextQuote }, bounds))
      return [];
    const drop = divide(previousQuote.price, nextQuote.price);
    return drop === null ? [] : [{ earlierQuote: previousQuote, laterQuote: nextQuote, drop }];
  });
}

function onlyElement<T>(elements: readonly T[]): T | null {
  const [firstElement, ...otherElements] = elements;
  return firstElement === undefined || otherElements.length > 0 ? null : firstElement;
}

const isWithin = (
  { earlierQuote, laterQuote }: Pick<PriceStep, 'earlierQuote' | 'laterQuote'>,
  bounds: Bounds,
): boolean => earlierQuote.day < bounds.until && laterQuote.day > bounds.after;

/**
 * Maximum number of days between prices before and after a declared date that prove it to be the split's date and not
 * that of the board's decision.
 */
const MAX_DAYS_FROM_DECLARED = 7;

function isProof({ ratio, effective, until }: Split, step: PriceStep): boolean {
  const { earlierQuote, laterQuote } = step;
  if (!explains(ratio, step, NEAR_FACTOR)) return false;
  if (isOneDay(step)) return true;
  const isDeclared = effective !== until && isTradingDay(effective);
  return (
    isDeclared &&
    earlierQuote.day < effective &&
    effective <= laterQuote.day &&
    daysBetween(earlierQuote.day, laterQuote.day) <= MAX_DAYS_FROM_DECLARED
  );
}

const isOneDay = ({ earlierQuote, laterQuote }: PriceStep): boolean =>
  previousTradingDay(laterQuote.day) === earlierQuote.day;

const explains = (ratio: Decimal, { drop }: PriceStep, factor: Decimal): boolean => isExplainedBy(ratio, drop, factor);

/** Whether the price stayed the same when a split would have changed it. */
function contradicts(ratio: Decimal, { earlierQuote, laterQuote, drop }: PriceStep): boolean {
  const priceFactor = factorOf(drop);
  return (
    daysBetween(earlierQuote.day, laterQuote.day) <= CONTRADICTION_DAYS &&
    compareDecimals(multiply(priceFactor, priceFactor), factorOf(ratio)) < 0
  );
}

/** Returns ratios by the dates that prices prove; null if a day is between the bounds of a split with unproven date. */
export function createRatioByDays(splits: readonly DatedSplit[]): RatioBetween {
  const isOnOldBasis = (split: DatedSplit, day: string) =>
    day <= split.after ? true : day >= split.until ? false : null;
  return (from, to) => {
    if (from === to) return NO_SPLIT;
    let ratio = NO_SPLIT;
    for (const split of splits) {
      const [isFromOld, isToOld] = [isOnOldBasis(split, from), isOnOldBasis(split, to)];
      if (isFromOld === null || isToOld === null) return null;
      if (isFromOld === isToOld) continue;
      const { fresh, old } = exactRatio(split.ratio);
      ratio = combinedRatio(ratio, isFromOld ? { fresh, old } : { fresh: old, old: fresh });
    }
    return ratio;
  };
}
