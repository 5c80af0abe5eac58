/** The tape: one price a day, from several sources, and the days on which it shows the splits that filings prove. */

import { divide, multiply } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import { addDays, daysBetween } from '../../platform/dates.ts';
import { previousTradingDay } from '../../platform/trading-calendar.ts';
import { present } from '../present.ts';
import type { Split } from '../shares/splits.ts';

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
const ORDER: readonly PriceSource[] = ['venue', 'venue_official', 'fails', 'nport', 'thirteen_f'];

/** Each day's price by the best source that has one, earliest day first. */
export function tapeOf(prices: readonly SourcedPrice[]): SourcedPrice[] {
  const byDay = new Map<string, SourcedPrice>();
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
  return ORDER.indexOf(source);
}

/** A split that filings prove, checked against the tape. */
export interface TapeSplit {
  /** New shares per old. */
  readonly ratio: Decimal;
  /** The first day on the new basis. */
  readonly exDate: string;
  readonly accession: string;
  /** Whether prices on both sides of the day show it; null where they neither show nor contradict it. */
  readonly confirmedBy: PriceSource | null;
}

/** How many days before and after the split filings date it: by its declaration, or by the next report. */
const [BEFORE, AFTER] = [110, 45];
/** Between prices this near, little but a split moves a price much. */
const NEAR_DAYS = 10;
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
 * Filings give the ratio and roughly the day; the tape shows the day. A split that prices around its day contradict is
 * dropped. One that the tape neither shows nor contradicts still adjusts prices and counts, but is not confirmed.
 * @param tape one price a day, earliest first, as traded
 */
export function tapeSplits(splits: readonly Split[], tape: readonly SourcedPrice[]): TapeSplit[] {
  const steps = stepsOf(tape);
  return splits.flatMap((split): TapeSplit[] => {
    const { ratio, accession, effective } = split;
    const from = addDays(effective, -BEFORE);
    const around = steps.filter(({ before, after }) => before.day < addDays(effective, AFTER) && after.day > from);
    const possible = around.filter((step) => !contradicts(ratio, step));
    const step =
      possible.find((one) => isNear(one) && explains(ratio, one.drop, NEAR_FACTOR)) ??
      possible.find((one) => explains(ratio, one.drop, FAR_FACTOR)) ??
      possible.find((one) => contains(one, effective)) ??
      possible.at(-1);
    if (step !== undefined) {
      const confirmedBy = explains(ratio, step.drop, isNear(step) ? NEAR_FACTOR : FAR_FACTOR)
        ? step.after.source
        : null;
      return [{ ratio, accession, exDate: exDateOf(effective, step), confirmedBy }];
    }
    const [first, last] = [around[0], around.at(-1)];
    if (first === undefined || last === undefined || last.after.day < effective) {
      return [{ ratio, accession, exDate: effective, confirmedBy: null }];
    }
    // Before the tape begins, or contradicted everywhere.
    return first.before.day > from ? [{ ratio, accession, exDate: first.before.day, confirmedBy: null }] : [];
  });
}

function stepsOf(tape: readonly SourcedPrice[]): Step[] {
  return tape.flatMap((after, index) => {
    const before = tape[index - 1];
    const drop = before === undefined ? null : divide(before.price, after.price);
    return before === undefined || drop === null ? [] : [{ before, after, drop }];
  });
}

const isNear = ({ before, after }: Step): boolean => daysBetween(before.day, after.day) <= NEAR_DAYS;

const contains = ({ before, after }: Step, day: string): boolean => before.day < day && day <= after.day;

/** Whether the drop is nearer to the split's ratio than to 1, and within the factor of it. */
function explains(ratio: Decimal, drop: Decimal, factor: Decimal): boolean {
  const rest = divide(drop, ratio);
  if (rest === null) return false;
  const left = distance(rest);
  return compareDecimals(left, factor) <= 0 && compareDecimals(multiply(left, left), distance(ratio)) < 0;
}

/** Whether the price stayed where a split would have moved it. */
function contradicts(ratio: Decimal, { before, after, drop }: Step): boolean {
  const moved = distance(drop);
  return (
    daysBetween(before.day, after.day) <= CONTRADICTION_DAYS &&
    compareDecimals(multiply(moved, moved), distance(ratio)) < 0
  );
}

/** The first day on the new basis: the filings' day where it lies between the two prices, else the new price's. */
function exDateOf(effective: string, step: Step): string {
  if (previousTradingDay(step.after.day) === step.before.day) return step.after.day;
  return contains(step, effective) ? effective : step.after.day;
}

/** How far from one, in either direction. */
function distance(ratio: Decimal): Decimal {
  return compareDecimals(ratio, '1') >= 0 ? ratio : present(divide('1', ratio));
}
