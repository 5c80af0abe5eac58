import { expect, test } from 'vitest';
import { compareExpectedFigure, isValidPeriod } from '../../../src/figures/checks/expected-figures.ts';
import { deriveCompanyFigures } from '../../../src/figures/company.ts';
import { listFigureValues } from '../../../src/figures/figure-values.ts';
import { makeFact } from '../filed-facts.ts';

const { reportedValues } = deriveCompanyFigures([makeFact({ value: '416161000000' })], [], {
  releaseDate: '2026-08-20',
});
const figures = listFigureValues(reportedValues);
const expectedRevenue = { metric: 'revenue', period: 'annual', end: '2024-12-31', value: '416161000000', unit: 'USD' };

test('an expected figure is equal, different or absent', () => {
  expect(compareExpectedFigure(expectedRevenue, figures)).toEqual({ result: 'equal', value: '416161000000', off: '0' });
  const expectedLabelledRevenue = { ...expectedRevenue, period: 'FY2024', end: null, unit: null };
  expect(compareExpectedFigure(expectedLabelledRevenue, figures).result).toBe('equal');
  expect(compareExpectedFigure({ ...expectedRevenue, value: '400000000000' }, figures)).toEqual({
    result: 'different',
    value: '416161000000',
    off: '0.0404025',
  });
  expect(compareExpectedFigure({ ...expectedRevenue, metric: 'assets' }, figures)).toEqual({
    result: 'absent',
    value: null,
    off: null,
  });
  expect(compareExpectedFigure({ ...expectedRevenue, unit: 'EUR' }, figures).result).toBe('absent');
});

test('a period is valid if it has the label of a fiscal period, or a kind and an end date', () => {
  const isPeriodTextValid = (period: string, end: string | null = null) => isValidPeriod({ period, end });
  expect(['FY2024', 'Q3 2024', '2024Q1', '2024-FY'].map((period) => isPeriodTextValid(period))).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect([
    isPeriodTextValid('annual'),
    isPeriodTextValid('annual', '2024-12-31'),
    isPeriodTextValid('Q5 2024'),
    isPeriodTextValid('2024'),
  ]).toEqual([false, true, false, false]);
});
