/**
 * Splits that filings prove, held against the tape.
 *
 * Filings say by what ratio and roughly when; the tape shows on which day. A split that prices close together
 * all around its day deny is dropped. One that the tape is silent on still counts where prices and counts
 * are put on one basis, for the filings restate share counts by it; it is only not published as confirmed.
 */

import { divide, multiply } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import { addDays, daysBetween } from '../../platform/dates.ts';
import { previousTradingDay } from '../../platform/trading-calendar.ts';
import type { Split } from '../shares/splits.ts';
import type { PriceSource, SourcedPrice } from './tape.ts';

/** A split as filings prove it, held against the tape. */
export interface TapeSplit {
  /** New shares per old. */
  readonly ratio: Decimal;
  /** The first day on the new basis. */
  readonly exDate: string;
  readonly accession: string;
  /** Whether prices on both sides of the day show it; where they neither show nor deny it, it still counts for adjusting. */
  readonly confirmedBy: PriceSource | null;
}

/** Filings date a split by its declaration, weeks before, or by the next report, a quarter after. */
const [BEFORE, AFTER] = [110, 45];
/** Prices this near leave no room for much else. */
const NEAR_DAYS = 10;
const NEAR_FACTOR = '1.25';
/** Across a gap of months a price moves by itself, but seldom beyond this. */
const FAR_FACTOR = '4';
/** Across a longer gap a price that stayed says nothing. */
const DENIAL_DAYS = 70;

/** From one price on the tape to the next. */
interface Step {
  readonly before: SourcedPrice;
  readonly after: SourcedPrice;
  /** Old price over new: what a split of that ratio alone would show. */
  readonly drop: Decimal;
}

/** @param tape one price a day, earliest first, as traded */
export function tapeSplits(splits: readonly Split[], tape: readonly SourcedPrice[]): TapeSplit[] {
  const steps = stepsOf(tape);
  return splits.flatMap((split): TapeSplit[] => {
    const { ratio, accession, effective } = split;
    const from = addDays(effective, -BEFORE);
    const around = steps.filter(({ before, after }) => before.day < addDays(effective, AFTER) && after.day > from);
    const possible = around.filter((step) => !isDenied(ratio, step));
    const step =
      possible.find((one) => isNear(one) && explains(ratio, one.drop, NEAR_FACTOR)) ??
      possible.find((one) => explains(ratio, one.drop, FAR_FACTOR)) ??
      possible.find((one) => holds(one, effective)) ??
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
    // Nowhere on the tape: before it began, or not at all.
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

const holds = ({ before, after }: Step, day: string): boolean => before.day < day && day <= after.day;

/** Whether the drop is nearer to the split's ratio than to none, and within the factor of it. */
function explains(ratio: Decimal, drop: Decimal, factor: Decimal): boolean {
  const rest = divide(drop, ratio);
  if (rest === null) return false;
  const left = distance(rest);
  return compareDecimals(left, factor) <= 0 && compareDecimals(multiply(left, left), distance(ratio)) < 0;
}

/** Whether the price stayed where a split would have moved it. */
function isDenied(ratio: Decimal, { before, after, drop }: Step): boolean {
  const moved = distance(drop);
  return (
    daysBetween(before.day, after.day) <= DENIAL_DAYS && compareDecimals(multiply(moved, moved), distance(ratio)) < 0
  );
}

/** The first day on the new basis: what the filings say where it lies between the two prices, else the new price's day. */
function exDateOf(effective: string, step: Step): string {
  if (previousTradingDay(step.after.day) === step.before.day) return step.after.day;
  return holds(step, effective) ? effective : step.after.day;
}

/** How far from one, in either direction. */
function distance(ratio: Decimal): Decimal {
  return compareDecimals(ratio, '1') >= 0 ? ratio : (divide('1', ratio) ?? ratio);
}
