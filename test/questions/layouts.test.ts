import { expect, test } from 'vitest';
import { METRICS } from '../../src/contract/figures.ts';
import type { Metric } from '../../src/contract/statements/line.ts';
import { findStatementPlace, listStatementLines } from '../../src/questions/statements/layouts.ts';

/**
 * Adds a metric to the catalog, directly after the metric `above`. Returns the place of its line in the statement, and
 * the keys of the lines before and after.
 */
function placeMetricBelow(above: string, metric: Pick<Metric, 'statement'> & Partial<Metric>) {
  const addedMetric: Metric = { key: 'added', label: 'Added', measure: 'money', description: '', ...metric };
  const lines = listStatementLines(
    METRICS.flatMap((metric) => (metric.key === above ? [metric, addedMetric] : [metric])),
  );
  const index = lines.findIndex(([key]) => key === 'added');
  return { place: lines[index]?.[1], neighbors: [lines[index - 1]?.[0], lines[index + 1]?.[0]] };
}

test('a metric is printed at its position in the catalog, in the section of the metric before it', () => {
  expect(placeMetricBelow('goodwill', { statement: 'balance', total: 'assets' })).toEqual({
    place: { statement: 'balance', section: 'Assets', role: 'part' },
    neighbors: ['goodwill', 'finite_lived_intangibles'],
  });
  expect(placeMetricBelow('net_income', { statement: 'income' })).toEqual({
    place: { statement: 'income', section: null, role: 'plain' },
    neighbors: ['net_income', 'preferred_dividends'],
  });
  expect(placeMetricBelow('eps_diluted', { statement: 'income', measure: 'per_share' }).place).toEqual({
    ...{ statement: 'income', section: 'Per share', role: 'plain' },
  });
  expect(
    placeMetricBelow('net_debt', { statement: 'balance', formula: { kind: 'sum', plus: ['assets'] } }).place,
  ).toEqual({
    ...{ statement: 'balance', section: 'Supplementary', role: 'plain' },
  });
});

test('the last part of a total is followed by its remainder', () => {
  expect(placeMetricBelow('other_financing_items', { statement: 'cash_flow', total: 'financing_cash_flow' })).toEqual({
    place: { statement: 'cash_flow', section: 'Financing activities', role: 'part' },
    neighbors: ['other_financing_items', 'other_financing_cash_flow'],
  });
});

test('a metric that the catalog lacks is printed in the section "Other", after metrics of the catalog', () => {
  const { order, section } = findStatementPlace({ key: 'of_another_service', statement: 'income' });
  expect(section).toBe('Other');
  expect(order).toBeGreaterThan(findStatementPlace({ key: 'net_debt', statement: 'balance' }).order);
});
