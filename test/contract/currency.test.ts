import { expect, test } from 'vitest';
import { currencyOf } from '../../src/contract/currency.ts';

test('only amounts and amounts per share have a currency', () => {
  expect(currencyOf('USD')).toBe('USD');
  expect(currencyOf('EUR/shares')).toBe('EUR');
  for (const unit of ['shares', 'pure', 'USD/barrel', '']) expect(currencyOf(unit)).toBe(null);
});
