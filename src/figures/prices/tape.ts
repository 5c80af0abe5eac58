/** The tape: one price a day, from several sources, and the days on which it shows the splits that filings prove. */

import { divide, multiply } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import { combinedRatio, exactRatio, NO_SPLIT } from '../../contract/split-ratio.ts';
import { addDays, daysBetween } from '../../platform/dates.ts';
import { isTradingDay, previousTradingDay } from '../../platform/trading-calendar.ts';
import { factorOf, isExplainedBy } from '../shares/split-evidence.ts';
import type { RatioBetween, Split } from '../shares/splits.ts';

/** One source's price for one day, in dollars a share as traded on the day. */
export interface SourcedPrice {
  readonly day: string;
  readonly price: Decimal;
  readonly source: PriceSource;
  /** Reports behind the figure; 1 where it is one price of record. */
  readonly sample: number;
  /** Share of the sample within one percent of it; null where there is no sample. */
  readonly agreement: Decimal | null;
  /** When the last sale was made, RFC 3339; only from a venue that gives it. */
  readonly soldAt: string | null;
}

export type PriceSource = 'venue' | 'venue_official' | 'fails' | 'nport' | 'thirteen_f';

/** A last sale comes before a close of record, a close before what reports imply. */
export const PRICE_ORDER: readonly PriceSource[] = ['venue', 'venue_official', 'fails', 'nport', 'thirteen_f'];

/** Each day's price by the best source that has one, earliest day first. */
export function tapeOf<Price extends SourcedPrice>(prices: readonly Price[]): Price[] {
  const byDay = new Map<string, Price>();
  for (const price of prices) {
    const known = byDay.get(price.day);
    if (known === undefined || rank(price) < rank(known)) byDay.set(price.day, price);
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
  return PRICE_ORDER.indexOf(source);
}

/** A split that filings prove, and what prices show of its day. */
export interface TapeSplit {
  /** New shares per old, as `Split` has it. */
  readonly ratio: Decimal;
  readonly accession: string;
  /** The last day known to be on the old basis. */
  readonly after: string;
  /** The first day known to be on the new basis; the ex-day where `provenBy` is set. */
  readonly until: string;
  /** The source of the first price on the new basis, where prices prove the ex-day; else null. */
  readonly provenBy: PriceSource | null;
}

/** How many days before and after the split filings date it: by its declaration, or by the next report. */
const [BEFORE, AFTER] = [110, 45];
/** From one trading day to the next, little but a split moves a price much. */
const NEAR_FACTOR = '1.25';
/** Across months a price also moves by itself, but seldom by more than this factor. */
const FAR_FACTOR = '4';
/** Across a longer gap a price that stayed the same contradicts nothing. */
const CONTRADICTION_DAYS = 70;

/** From one price on the tape to the next. */
interface Step {
  readonly before: SourcedPrice;
  readonly after: SourcedPrice;
  /** Old price over new: the ratio of a split that alone explains it. */
  readonly drop: Decimal;
}

/**
 * Filings give the ratio and two days between which the split was; the tape proves its day where it has a price of that
 * day and of the trading day before, or of a day or two around a declared one. Else it narrows the days down. A split that it contradicts throughout is dropped.
 * @param tape one price a day, earliest first, as traded
 */
export function tapeSplits(splits: readonly Split[], tape: readonly SourcedPrice[]): TapeSplit[] {
  return splits.flatMap((split): TapeSplit[] => {
    const { ratio, accession } = split;
    const bounds = boundsOf(split);
    const steps = stepsWithin(wide(split, bounds), tape);
    const proof = onlyOf(steps.filter((step) => isProof(split, step)));
    if (proof !== null) {
      const until = isOneDay(proof) ? proof.after.day : split.effective;
      return [{ ratio, accession, after: previousTradingDay(until), until, provenBy: proof.after.source }];
    }
    const narrowed = narrow(ratio, bounds, steps, tape);
    return narrowed === null ? [] : [{ ratio, accession, ...narrowed, provenBy: null }];
  });
}

/** A split came into effect after one day, and on or before another. */
interface Bounds {
  readonly after: string;
  readonly until: string;
}

function boundsOf({ effective, after, until }: Split): Bounds {
  return { after: after ?? addDays(effective, -BEFORE), until: until ?? addDays(effective, AFTER) };
}

/** A filing may be early or late with the new basis. */
function wide({ effective }: Split, { after, until }: Bounds): Bounds {
  const [first, last] = [addDays(effective, -BEFORE), addDays(effective, AFTER)];
  return { after: after < first ? after : first, until: until > last ? until : last };
}

/**
 * The bounds without what the tape contradicts; null where that is everything.
 * @param steps those within the bounds, and perhaps others
 */
function narrow(ratio: Decimal, bounds: Bounds, steps: readonly Step[], tape: readonly SourcedPrice[]): Bounds | null {
  const [first, last] = [tape[0]?.day, tape.at(-1)?.day];
  if (first === undefined || last === undefined) return bounds;
  const inside = steps.filter((step) => isWithin(step, bounds));
  const shown = onlyOf(inside.filter((step) => explains(ratio, step, FAR_FACTOR)));
  const possible = (shown === null ? inside.filter((step) => !contradicts(ratio, step)) : [shown]).map(
    ({ before, after }) => ({ after: before.day, until: after.day }),
  );
  // Before the tape begins and after it ends anything may have been.
  const open =
    shown === null
      ? [
          { after: bounds.after, until: first },
          { after: last, until: bounds.until },
        ]
      : [];
  const parts = [...possible, ...open]
    .map(({ after, until }) => ({
      after: after > bounds.after ? after : bounds.after,
      until: until < bounds.until ? until : bounds.until,
    }))
    .filter(({ after, until }) => after < until);
  const [after] = parts.map((part) => part.after).sort();
  const until = parts
    .map((part) => part.until)
    .sort()
    .at(-1);
  return after === undefined || until === undefined ? null : { after, until };
}

function stepsWithin(bounds: Bounds, tape: readonly SourcedPrice[]): Step[] {
  return tape.flatMap((after, index) => {
    const before = tape[index - 1];
    if (before === undefined || !isWithin({ before, after }, bounds)) return [];
    const drop = divide(before.price, after.price);
    return drop === null ? [] : [{ before, after, drop }];
  });
}

function onlyOf<T>(found: readonly T[]): T | null {
  const [only, ...others] = found;
  return only === undefined || others.length > 0 ? null : only;
}

const isWithin = ({ before, after }: Pick<Step, 'before' | 'after'>, bounds: Bounds): boolean =>
  before.day < bounds.until && after.day > bounds.after;

/** Prices so few days apart on both sides of a declared day show that it is the split's, and no day of the board's. */
const CLOSE_DAYS = 7;

function isProof({ ratio, effective, until }: Split, step: Step): boolean {
  const { before, after } = step;
  if (!explains(ratio, step, NEAR_FACTOR)) return false;
  if (isOneDay(step)) return true;
  const isDeclared = effective !== until && isTradingDay(effective);
  return (
    isDeclared && before.day < effective && effective <= after.day && daysBetween(before.day, after.day) <= CLOSE_DAYS
  );
}

const isOneDay = ({ before, after }: Step): boolean => previousTradingDay(after.day) === before.day;

const explains = (ratio: Decimal, { drop }: Step, factor: Decimal): boolean => isExplainedBy(ratio, drop, factor);

/** Whether the price stayed where a split would have moved it. */
function contradicts(ratio: Decimal, { before, after, drop }: Step): boolean {
  const moved = factorOf(drop);
  return (
    daysBetween(before.day, after.day) <= CONTRADICTION_DAYS &&
    compareDecimals(multiply(moved, moved), factorOf(ratio)) < 0
  );
}

/** By the days that the tape proves; null where a day lies between the bounds of a split whose day is not proven. */
export function ratioByTape(splits: readonly TapeSplit[]): RatioBetween {
  const isOld = (split: TapeSplit, day: string) => (day <= split.after ? true : day >= split.until ? false : null);
  return (from, to) => {
    if (from === to) return NO_SPLIT;
    let ratio = NO_SPLIT;
    for (const split of splits) {
      const [before, after] = [isOld(split, from), isOld(split, to)];
      if (before === null || after === null) return null;
      if (before === after) continue;
      const { fresh, old } = exactRatio(split.ratio);
      ratio = combinedRatio(ratio, before ? { fresh, old } : { fresh: old, old: fresh });
    }
    return ratio;
  };
}
