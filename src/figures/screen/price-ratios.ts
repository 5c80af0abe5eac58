/** The screener's ratios of a price, or of a market capitalization, and a figure of filings. */
import { divide } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import { SCREEN_FIGURES } from '../../contract/screen-columns.ts';

export interface PriceRatio {
  readonly key: string;
  readonly market: 'price' | 'market_cap';
  /** The figure of filings. */
  readonly operand: string;
  /** Whether the price or market capitalization is the numerator. */
  readonly isOverOperand: boolean;
}

export const PRICE_RATIOS: readonly PriceRatio[] = SCREEN_FIGURES.flatMap(({ key, formula }): PriceRatio[] => {
  if (formula?.kind !== 'ratio') return [];
  const { numerator, denominator } = formula;
  if (isMarket(numerator)) return [{ key, market: numerator, operand: denominator, isOverOperand: true }];
  return isMarket(denominator) ? [{ key, market: denominator, operand: numerator, isOverOperand: false }] : [];
});

/** Ratios of a price and an amount per share, which must be in shares of the price's day. */
export const PER_SHARE_RATIOS: readonly PriceRatio[] = PRICE_RATIOS.filter(({ market }) => market === 'price');

function isMarket(key: string): key is PriceRatio['market'] {
  return key === 'price' || key === 'market_cap';
}

/** Returns the ratio as the screener does: null if a value is missing, or the denominator is not above zero. */
export function priceRatio(
  { isOverOperand }: PriceRatio,
  market: Decimal | null,
  operand: Decimal | null,
): Decimal | null {
  if (market === null || operand === null) return null;
  const [dividend, divisor] = isOverOperand ? [market, operand] : [operand, market];
  return compareDecimals(divisor, '0') <= 0 ? null : divide(dividend, divisor);
}
