import type { SecurityHolder } from '../../contract/resources/holders.ts';
import { type Cell, makeFigureCell } from '../../result/blocks.ts';

/** Returns the cell of a number of shares; any other amount, such as a principal amount, is marked with its type. */
export const makeAmountCell = ({
  amount,
  amount_type: amountType,
}: Pick<SecurityHolder, 'amount' | 'amount_type'>): Cell => ({
  ...makeFigureCell(amount, 'shares'),
  mark: amountType === 'SH' ? '' : ` ${amountType}`,
});
