/** The screener's figures that combine a price or market capitalization with filed figures. */
import { add, divide } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import { dependsOnPrice, findDefinition } from '../../contract/figures.ts';
import { SCREEN_FIGURES } from '../../contract/screen-columns.ts';

/**
 * A figure of the screener that depends on a price. One kind is a sum of the market capitalization and filed amounts,
 * such as enterprise value. The other is a ratio of a filed figure and the price, the market capitalization or such a
 * sum.
 */
export interface PriceFigure {
  readonly key: string;
  readonly market: 'price' | 'market_cap';
  /** Key of the sum of the market capitalization and filed amounts; null if nothing is added. */
  readonly sum: string | null;
  /** Key of the filed figure in the ratio; null if the figure is the sum itself. */
  readonly operand: string | null;
  /** Whether `operand` is the denominator of the ratio; if false, `operand` is the numerator. */
  readonly isOperandDenominator: boolean;
}

/**
 * The filed amounts of a price figure; null for a missing amount. `operand` is also null for a figure that is the sum
 * itself.
 */
export interface FiledOperands {
  /** The amount added to the market capitalization; zero if nothing is added. */
  readonly added: Decimal | null;
  readonly operand: Decimal | null;
}

export const PRICE_FIGURES: readonly PriceFigure[] = SCREEN_FIGURES.flatMap(({ key, formula }): PriceFigure[] => {
  if (formula?.kind === 'sum' && dependsOnPrice(key))
    return [{ key, ...findMarketOperand(key), operand: null, isOperandDenominator: true }];
  if (formula?.kind !== 'ratio' || !dependsOnPrice(key)) return [];
  const { numerator, denominator } = formula;
  if (dependsOnPrice(numerator))
    return [{ key, ...findMarketOperand(numerator), operand: denominator, isOperandDenominator: true }];
  return [{ key, ...findMarketOperand(denominator), operand: numerator, isOperandDenominator: false }];
});

/** Price figures with an amount per share, which must be adjusted for splits to the price's day. */
export const SHARE_PRICE_FIGURES: readonly PriceFigure[] = PRICE_FIGURES.filter(({ market }) => market === 'price');

function findMarketOperand(key: string): Pick<PriceFigure, 'market' | 'sum'> {
  if (key === 'price' || key === 'market_cap') return { market: key, sum: null };
  const formula = findDefinition(key)?.formula;
  if (formula?.kind === 'sum' && formula.plus.includes('market_cap')) return { market: 'market_cap', sum: key };
  throw new RangeError(`${key} is not a price figure`);
}

/**
 * Returns the figure as the screener defines it; null if an operand is missing or the denominator is not above zero.
 */
export function computePriceFigure(figure: PriceFigure, market: Decimal | null, filed: FiledOperands): Decimal | null {
  if (market === null || filed.added === null) return null;
  const sum = figure.sum === null ? market : add(market, filed.added);
  if (figure.operand === null) return sum;
  if (filed.operand === null) return null;
  const [dividend, divisor] = figure.isOperandDenominator ? [sum, filed.operand] : [filed.operand, sum];
  return compareDecimals(divisor, '0') <= 0 ? null : divide(dividend, divisor);
}
