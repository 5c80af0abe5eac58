/**
 * Splits that filings prove, held against the tape.
 *
 * Filings say by what ratio and roughly when; the tape shows on which day. A split that prices close together
 * all around its day deny is dropped. One that the tape is silent on still counts where prices and counts
 * are put on one basis, for the filings restate share counts by it; it is only not published as confirmed.
 */
import { compareDecimals, type Decimal } from '../../contract/decimal.ts';
import { divide, multiply } from '../arithmetic.ts';
import { addDays, daysBetween } from '../days.ts';
import { previousTradingDay } from '../trading-calendar.ts';
import type { Split } from '../types.ts';
import type { SourcedPrice, TapeSplit } from './types.ts';

/** Filings date a split by its declaration or, at the latest, by the next report. */
const [BEFORE, AFTER] = [110, 10];
/** Prices this near leave no room for much else. */
const NEAR_DAYS = 10;
const NEAR_FACTOR = '1.25';
/** Across a gap of months a price moves by itself, but seldom beyond this. */
const FAR_FACTOR = '4';

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
    const around = steps.filter(
      ({ before, after }) =>
        before.day < addDays(split.effective, AFTER) && after.day > addDays(split.effective, -BEFORE),
    );
    const { ratio, accession } = split;
    const shown =
      around.find((step) => isNear(step) && explains(ratio, step.drop, NEAR_FACTOR)) ?? gapAround(split, around);
    if (shown !== null) {
      return [{ ratio, accession, exDate: exDateOf(split, shown), confirmedBy: shown.after.source }];
    }
    return isDenied(split, around) ? [] : [{ ratio, accession, exDate: split.effective, confirmedBy: null }];
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

/** Whether the drop is nearer to the split's ratio than to none, and within the factor of it. */
function explains(ratio: Decimal, drop: Decimal, factor: Decimal): boolean {
  const rest = divide(drop, ratio);
  if (rest === null) return false;
  const left = distance(rest);
  return compareDecimals(left, factor) <= 0 && compareDecimals(multiply(left, left), distance(ratio)) < 0;
}

/** The prices on both sides of a gap in which the split fell, where they show it. */
function gapAround({ effective, ratio }: Split, around: readonly Step[]): Step | null {
  const step = around.find(({ before, after }) => before.day < effective && effective <= after.day);
  if (step === undefined || isNear(step)) return null;
  return explains(ratio, step.drop, FAR_FACTOR) ? step : null;
}

/** The first day on the new basis: the day after the old price where nothing lies between, else what the filings say. */
function exDateOf({ effective }: Split, { before, after }: Step): string {
  if (previousTradingDay(after.day) === before.day) return after.day;
  return before.day < effective && effective <= after.day ? effective : after.day;
}

/** Whether prices are close together over all the days on which it could have been, and none shows it. */
function isDenied({ effective }: Split, around: readonly Step[]): boolean {
  const [first, last] = [around[0], around.at(-1)];
  return (
    first !== undefined &&
    last !== undefined &&
    first.before.day <= addDays(effective, -BEFORE + NEAR_DAYS) &&
    last.after.day >= effective &&
    around.every(isNear)
  );
}

/** How far from one, in either direction. */
function distance(ratio: Decimal): Decimal {
  return compareDecimals(ratio, '1') >= 0 ? ratio : (divide('1', ratio) ?? ratio);
}
