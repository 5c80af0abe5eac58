import { expect, test } from 'vitest';
import { placeOf, withNeighbours } from '../../../src/commands/questions/statements/layouts.ts';

test('a metric that no layout names is printed after its predecessor in the catalog', () => {
  const place = (key: string) => placeOf({ key, statement: 'income' });
  const named = new Map(['revenue', 'cost_of_revenue', 'net_income'].map((key) => [key, place(key)]));
  const lines = withNeighbours(named);
  const order = (key: string): number => lines.get(key)?.order ?? Number.NaN;
  expect(order('gross_profit')).toBeGreaterThan(order('cost_of_revenue'));
  expect(order('research_and_development')).toBeGreaterThan(order('gross_profit'));
  expect(order('operating_income')).toBeLessThan(order('net_income'));
  expect(lines.get('gross_profit')).toMatchObject({ statement: 'income', role: 'part' });
});

test('a metric that the catalog lacks is printed at the end of its statement', () => {
  const { order, section } = placeOf({ key: 'of_another_service', statement: 'income' });
  expect(section).toBe('Other');
  expect(order).toBeGreaterThan(placeOf({ key: 'net_debt', statement: 'balance' }).order);
});
