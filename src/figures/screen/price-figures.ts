/** The screener's figures of a price or a market capitalization, and of figures of filings. */
import { add, divide } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import { figureOf, isPriced } from '../../contract/figures.ts';
import { SCREEN_FIGURES } from '../../contract/screen-columns.ts';

/** The price or market capitalization plus `sum`, compared with `operand`. */
export interface PriceFigure {
  readonly key: string;
  readonly market: 'price' | 'market_cap';
  /** The figure that adds amounts of filings to the market capitalization; null for none. */
  readonly sum: string | null;
  /** The figure of filings in a ratio; null for the sum itself. */
  readonly operand: string | null;
  /** Whether the price, or the sum, is the numerator. */
  readonly isOverOperand: boolean;
}

/** What filings state for a price figure; null for a missing figure. */
export interface FiledOperands {
  /** Added to the market capitalization; zero for none. */
  readonly added: Decimal | null;
  readonly operand: Decimal | null;
}

export const PRICE_FIGURES: readonly PriceFigure[] = SCREEN_FIGURES.flatMap(({ key, formula }): PriceFigure[] => {
  if (formula?.kind === 'sum' && isPriced(key))
    return [{ key, ...marketOperand(key), operand: null, isOverOperand: true }];
  if (formula?.kind !== 'ratio' || !isPriced(key)) return [];
  const { numerator, denominator } = formula;
  if (isPriced(numerator)) return [{ key, ...marketOperand(numerator), operand: denominator, isOverOperand: true }];
  return [{ key, ...marketOperand(denominator), operand: numerator, isOverOperand: false }];
});

/** Figures of a price and an amount per share, which must be in shares of the price's day. */
export const PER_SHARE_FIGURES: readonly PriceFigure[] = PRICE_FIGURES.filter(({ market }) => market === 'price');

function marketOperand(key: string): Pick<PriceFigure, 'market' | 'sum'> {
  if (key === 'price' || key === 'market_cap') return { market: key, sum: null };
  const formula = figureOf(key)?.formula;
  if (formula?.kind === 'sum' && formula.plus.includes('market_cap')) return { market: 'market_cap', sum: key };
  throw new RangeError(`no price figure ${key}`);
}

/** Returns the value as the screener does: null if one is missing, or the denominator is not above zero. */
export function computePriceFigure(
  figure: PriceFigure,
  marketValue: Decimal | null,
  filedOperands: FiledOperands,
): Decimal | null {
  if (marketValue === null || filedOperands.added === null) return null;
  const sum = figure.sum === null ? marketValue : add(marketValue, filedOperands.added);
  if (figure.operand === null) return sum;
  if (filedOperands.operand === null) return null;
  const [dividend, divisor] = figure.isOverOperand ? [sum, filedOperands.operand] : [filedOperands.operand, sum];
  return compareDecimals(divisor, '0') <= 0 ? null : divide(dividend, divisor);
}
