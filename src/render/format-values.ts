/** Formats figures for people. */
import { roundTo } from '../contract/decimal.ts';
import { type Decimal, isDecimal, isZero, shiftDecimal } from '../contract/decimal-text.ts';
import type { Measure } from '../contract/figures/formula.ts';

const ABBREVIATION_SCALES = [
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
      return scaleAndAbbreviate(value);
    case 'per_share':
      return groupThousands(roundBetween(value, 2, 4));
    case 'fraction':
      return percentText(value);
    case 'multiple':
      return groupThousands(roundTo(value, 2));
  }
}

/** Inserts commas between thousands. */
export function groupThousands(value: Decimal): string {
  return value.replace(/^-?\d+/, (integerDigits) => integerDigits.replace(/\B(?=(\d{3})+$)/g, ','));
}

/** Two decimals of the largest scale with at least one digit before the point. */
function scaleAndAbbreviate(value: Decimal): string {
  for (const { suffix, power } of ABBREVIATION_SCALES.slice(Math.floor((wholeDigits(value) - 1) / 3))) {
    const figure = atScale(value, power);
    // Rounding may reach the next scale: 999.996M is 1.00B.
    if (wholeDigits(figure) <= 3) return groupThousands(figure) + suffix;
  }
  return groupThousands(atScale(value, MAX_SCALE.power)) + MAX_SCALE.suffix;
}

const atScale = (value: Decimal, exponent: number): Decimal =>
  exponent === 0 ? roundBetween(value, 0, 2) : roundTo(shiftDecimal(value, -exponent), 2);

const wholeDigits = (value: Decimal): number =>
  value
    .replace(/^-/, '')
    .replace(/\..*$/, '')
    .replace(/^0+(?=\d)/, '').length;

/** The figure as filed, rounded or padded to between `minPlaces` and `maxPlaces` decimals. */
function roundBetween(value: Decimal, minPlaces: number, maxPlaces: number): Decimal {
  const dotIndex = value.indexOf('.');
  const places = dotIndex < 0 ? 0 : value.length - dotIndex - 1;
  return roundTo(value, Math.min(maxPlaces, Math.max(minPlaces, places)));
}

/** One decimal, or up to four if a small share would otherwise be shown as zero. */
function percentText(value: Decimal): string {
  const percentValue = shiftDecimal(value, 2);
  const places = [1, 2, 3, 4].find((count) => !isZero(roundTo(percentValue, count))) ?? 1;
  return `${groupThousands(roundTo(percentValue, places))} %`;
}
