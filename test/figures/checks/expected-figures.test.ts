import { expect, test } from 'vitest';
import { compareExpected, isValidPeriod } from '../../../src/figures/checks/expected-figures.ts';
import { deriveCompanyFigures } from '../../../src/figures/company.ts';
import { listFigureValues } from '../../../src/figures/figure-values.ts';
import { fact } from '../filed-facts.ts';

const { reportedValues } = deriveCompanyFigures([fact({ value: '416161000000' })], [], { releaseDate: '2026-08-20' });
const figures = listFigureValues(reportedValues);
const revenue = { metric: 'revenue', period: 'annual', end: '2024-12-31', value: '416161000000', unit: 'USD' };

test('an expected figure is equal, different or absent', () => {
  expect(compareExpected(revenue, figures)).toEqual({ result: 'equal', value: '416161000000', off: '0' });
  const fiscal = { ...revenue, period: 'FY2024', end: null, unit: null };
  expect(compareExpected(fiscal, figures).result).toBe('equal');
  expect(compareExpected({ ...revenue, value: '400000000000' }, figures)).toEqual({
    result: 'different',
    value: '416161000000',
    off: '0.0404025',
  });
  expect(compareExpected({ ...revenue, metric: 'assets' }, figures)).toEqual({
    result: 'absent',
    value: null,
    off: null,
  });
  expect(compareExpected({ ...revenue, unit: 'EUR' }, figures).result).toBe('absent');
});

test('a period is named by label or by its last day', () => {
  const named = (period: string, end: string | null = null) => isValidPeriod({ period, end });
  expect(['FY2024', 'Q3 2024', '2024Q1', '2024-FY'].map((period) => named(period))).toEqual([true, true, true, true]);
  expect([named('annual'), named('annual', '2024-12-31'), named('Q5 2024'), named('2024')]).toEqual([
    false,
    true,
    false,
    false,
  ]);
});
