/** Figures as people read them. */
import { roundTo } from '../contract/decimal.ts';
import { type Decimal, isDecimal, isZero, shiftDecimal } from '../contract/decimal-text.ts';
import type { Measure } from '../contract/figures.ts';

const SCALES = [
  ['', 0],
  ['K', 3],
  ['M', 6],
  ['B', 9],
  ['T', 12],
] as const;

/** 391035000000 as 391.04B, 0.2431 as 24.3 %; what is no Decimal is left as it came. */
export function abbreviate(value: Decimal, measure: Measure): string {
  if (!isDecimal(value)) return value;
  switch (measure) {
    case 'money':
    case 'shares':
      return scaled(value);
    case 'per_share':
      return atLeast(value, 2, 4);
    case 'fraction':
      return percent(value);
    case 'multiple':
      return group(roundTo(value, 2));
  }
}

/** With commas between thousands. */
export function group(value: Decimal): string {
  const [whole = '', fraction] = value.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** Two places of the largest scale that leaves at least one digit before the dot. */
function scaled(value: Decimal): string {
  let index = scaleOf(value);
  let text = at(value, index);
  // Rounding may carry into the next scale: 999.996M is 1.00B.
  if (wholeDigits(text) > 3 && index < SCALES.length - 1) {
    index += 1;
    text = at(value, index);
  }
  return group(text) + (SCALES[index]?.[0] ?? '');
}

function at(value: Decimal, index: number): Decimal {
  const places = SCALES[index]?.[1] ?? 0;
  return places === 0 ? atLeast(value, 0, 2) : roundTo(shiftDecimal(value, -places), 2);
}

function scaleOf(value: Decimal): number {
  const digits = wholeDigits(value);
  return Math.min(SCALES.length - 1, Math.floor((digits - 1) / 3));
}

function wholeDigits(value: Decimal): number {
  const whole = /^-?0*(\d+)/.exec(value)?.[1] ?? '0';
  return whole.length;
}

/** As filed, with at least and at most so many places. */
function atLeast(value: Decimal, least: number, most: number): string {
  const places = value.split('.')[1]?.length ?? 0;
  return group(roundTo(value, Math.min(most, Math.max(least, places))));
}

/** One place; as many as it takes to tell a small share from none, up to four. */
function percent(value: Decimal): string {
  const shifted = shiftDecimal(value, 2);
  const places = [1, 2, 3, 4].find((count) => !isZero(roundTo(shifted, count))) ?? 1;
  return `${group(roundTo(shifted, places))} %`;
}
