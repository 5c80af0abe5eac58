/** Formats figures for people. */
import { roundTo } from '../contract/decimal.ts';
import { type Decimal, isDecimal, isZero, shiftDecimal } from '../contract/decimal-text.ts';
import type { Measure } from '../contract/figures/formula.ts';

const SCALES = [
  { suffix: '', power: 0 },
  { suffix: 'K', power: 3 },
  { suffix: 'M', power: 6 },
  { suffix: 'B', power: 9 },
] as const;
const MAX_SCALE = { suffix: 'T', power: 12 } as const;

/** Formats 391035000000 as 391.04B, 0.2431 as 24.3 %; other text is unchanged. */
export function abbreviate(value: Decimal, measure: Measure): string {
  if (!isDecimal(value)) return value;
  switch (measure) {
    case 'money':
    case 'shares':
      return scaled(value);
    case 'per_share':
      return group(roundBetween(value, 2, 4));
    case 'fraction':
      return percent(value);
    case 'multiple':
      return group(roundTo(value, 2));
  }
}

/** Inserts commas between thousands. */
export function group(value: Decimal): string {
  return value.replace(/^-?\d+/, (whole) => whole.replace(/\B(?=(\d{3})+$)/g, ','));
}

/** Two decimals of the largest scale with at least one digit before the point. */
function scaled(value: Decimal): string {
  for (const { suffix, power } of SCALES.slice(Math.floor((wholeDigits(value) - 1) / 3))) {
    const figure = atScale(value, power);
    // Rounding may reach the next scale: 999.996M is 1.00B.
    if (wholeDigits(figure) <= 3) return group(figure) + suffix;
  }
  return group(atScale(value, MAX_SCALE.power)) + MAX_SCALE.suffix;
}

const atScale = (value: Decimal, power: number): Decimal =>
  power === 0 ? roundBetween(value, 0, 2) : roundTo(shiftDecimal(value, -power), 2);

const wholeDigits = (value: Decimal): number =>
  value
    .replace(/^-/, '')
    .replace(/\..*$/, '')
    .replace(/^0+(?=\d)/, '').length;

/** The figure as filed, rounded or padded to between `least` and `most` decimals. */
function roundBetween(value: Decimal, least: number, most: number): Decimal {
  const dot = value.indexOf('.');
  const places = dot < 0 ? 0 : value.length - dot - 1;
  return roundTo(value, Math.min(most, Math.max(least, places)));
}

/** One decimal, or up to four if a small share would otherwise be shown as zero. */
function percent(value: Decimal): string {
  const shifted = shiftDecimal(value, 2);
  const places = [1, 2, 3, 4].find((count) => !isZero(roundTo(shifted, count))) ?? 1;
  return `${group(roundTo(shifted, places))} %`;
}
