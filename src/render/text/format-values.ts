/** Formats figures for people, with few digits. */
import { roundToPlaces } from '../../contract/decimal.ts';
import { type Decimal, isDecimal, isZero, shiftDecimal } from '../../contract/decimal-text.ts';
import type { Measure } from '../../contract/statements/formula.ts';

/** Letters of abbreviated figures, for each factor of a thousand; the last one is for all larger figures. */
const SUFFIXES = ['', 'K', 'M', 'B', 'T'] as const;

/**
 * Abbreviates a figure: 391035000000 becomes 391.04B, and the fraction 0.2431 becomes 24.3 %. Returns text that is not
 * a decimal unchanged.
 */
export function abbreviate(value: Decimal, measure: Measure): string {
  if (!isDecimal(value)) return value;
  switch (measure) {
    case 'money':
    case 'shares':
      return scaleAndAbbreviate(value);
    case 'per_share':
      return groupThousands(roundBetween(value, 2, 4));
    case 'fraction':
      return formatPercent(value);
    case 'multiple':
      return groupThousands(roundToPlaces(value, 2));
    case 'count':
      return groupThousands(roundBetween(value, 0, 2));
  }
}

/** Inserts a comma between groups of three digits. */
export const groupThousands = (value: Decimal): string =>
  value.replace(/\d+/, (digits) => {
    const length = digits.length % 3 || 3;
    return digits.slice(0, length) + digits.slice(length).replace(/\d{3}/g, ',$&');
  });

/**
 * Abbreviates to two decimals and a letter (K, M, B, T): 1234567 becomes 1.23M. Figures below 1000 have no letter, and
 * at most two decimals.
 */
function scaleAndAbbreviate(value: Decimal): string {
  const last = SUFFIXES.length - 1;
  for (let index = Math.min(last, Math.floor((countDigits(value) - 1) / 3)); ; index += 1) {
    const figure = scaleDownAndRound(value, 3 * index);
    // If rounding produces a fourth digit, the next letter is used: 999.996M becomes 1.00B.
    if (countDigits(figure) <= 3 || index === last) return groupThousands(figure) + SUFFIXES[index];
  }
}

const scaleDownAndRound = (value: Decimal, exponent: number): Decimal =>
  exponent === 0 ? roundBetween(value, 0, 2) : roundToPlaces(shiftDecimal(value, -exponent), 2);

/** Number of digits before the decimal point, without leading zeros. */
const countDigits = (value: Decimal): number => value.replace(/^-?0*(?=\d)|\..*$/g, '').length;

/** Returns the figure with its own number of decimals, but rounded or padded to between `min` and `max`. */
function roundBetween(value: Decimal, min: number, max: number): Decimal {
  const dot = value.indexOf('.');
  const places = dot < 0 ? 0 : value.length - dot - 1;
  return roundToPlaces(value, Math.min(max, Math.max(min, places)));
}

/** Formats a fraction as a percentage with one decimal, or with up to four if it would otherwise be rounded to zero. */
function formatPercent(value: Decimal): string {
  const percent = shiftDecimal(value, 2);
  const places = [1, 2, 3, 4].find((count) => !isZero(roundToPlaces(percent, count))) ?? 1;
  return `${groupThousands(roundToPlaces(percent, places))} %`;
}
