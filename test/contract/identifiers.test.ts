import { expect, test } from 'vitest';
import { parseCurrency } from '../../src/contract/identifiers.ts';

test('only amounts and amounts per share have a currency', () => {
  expect(parseCurrency('USD')).toBe('USD');
  expect(parseCurrency('EUR/shares')).toBe('EUR');
  for (const unit of ['shares', 'pure', 'USD/barrel', '']) expect(parseCurrency(unit)).toBe(null);
});
