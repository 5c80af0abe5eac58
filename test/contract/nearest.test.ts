import { expect, test } from 'vitest';
import { METRIC_KEYS } from '../../src/contract/metrics.ts';
import { didYouMean, nearest } from '../../src/contract/nearest.ts';

test.each([
  ['revenu', 'revenue'],
  ['reveune', 'revenue'],
  ['Net_Income', 'net_income'],
  ['capital_expenditure', 'capital_expenditures'],
  ['eps_dilluted', 'eps_diluted'],
])('%s is near %s', (word, name) => {
  expect(nearest(word, METRIC_KEYS)[0]).toBe(name);
});

test('a word near nothing suggests nothing', () => {
  expect(nearest('zzzz', METRIC_KEYS)).toEqual([]);
  expect(didYouMean('zzzz', METRIC_KEYS)).toBe('');
});
