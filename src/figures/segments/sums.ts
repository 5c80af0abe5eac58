import type { Decimal } from '../../contract/decimal-text.ts';
import { add } from '../arithmetic.ts';

export function sum(values: readonly Decimal[]): Decimal {
  return values.reduce(add, '0');
}
