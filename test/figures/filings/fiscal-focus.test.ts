import { expect, test } from 'vitest';
import { type FocusValue, findFiscalFocus, findPeriodEnd } from '../../../src/figures/filings/fiscal-focus.ts';

const makeStatedPeriod = (
  accession: string,
  periodKind: FocusValue['periodKind'],
  end: string,
  label: string,
): FocusValue => {
  const [fiscalPeriod = '', year] = label.split(' ');
  return { accession, periodKind, end, fiscalYear: Number(year), fiscalPeriod };
};

/**
 * Apple's fiscal years end on the last Saturday of September. Its report of May 2025 states the first half, the second
 * quarter, and the second quarter of the previous year.
 */
const APPLE_STATED_PERIODS = [
  makeStatedPeriod('0000320193-25-000057', 'half', '2025-03-29', 'H1 2025'),
  makeStatedPeriod('0000320193-25-000057', 'quarter', '2025-03-29', 'Q2 2025'),
  makeStatedPeriod('0000320193-25-000057', 'quarter', '2024-03-30', 'Q2 2024'),
  makeStatedPeriod('0000320193-25-000057', 'instant', '2025-04-18', 'Q2 2025'),
  makeStatedPeriod('0000320193-24-000123', 'annual', '2024-09-28', 'FY 2024'),
];

const makeFiling = (accession: string, form: string, reportDate: string | null, filed = '2025-05-02') => ({
  ...{ accession, form, filed, reportDate },
});

test('a report has the fiscal period of its own figures, not of its comparatives', () => {
  expect(findFiscalFocus(makeFiling('0000320193-25-000057', '10-Q', '2025-03-29'), APPLE_STATED_PERIODS)).toEqual({
    fiscalYear: 2025,
    fiscalPeriod: 'Q2',
  });
  expect(findFiscalFocus(makeFiling('0000320193-24-000123', '10-K', '2024-09-28'), APPLE_STATED_PERIODS)).toEqual({
    fiscalYear: 2024,
    fiscalPeriod: 'FY',
  });
});

test('a report that states only half a year is labelled as the second quarter', () => {
  expect(
    findFiscalFocus(makeFiling('0000320193-25-000057', '10-Q', '2025-03-29'), APPLE_STATED_PERIODS.slice(0, 1))
      .fiscalPeriod,
  ).toBe('Q2');
});

test('the period of a report without figures is counted from the nearest known year end', () => {
  const formatFocus = (form: string, day: string) => {
    const { fiscalYear, fiscalPeriod } = findFiscalFocus(
      makeFiling('0000320193-99-000001', form, day),
      APPLE_STATED_PERIODS,
    );
    return fiscalYear === null ? null : `${fiscalPeriod} ${fiscalYear}`;
  };
  expect(formatFocus('10-Q', '2024-12-28')).toBe('Q1 2025');
  expect(formatFocus('10-Q', '2026-06-27')).toBe('Q3 2026');
  expect(formatFocus('10-K', '2025-09-27')).toBe('FY 2025');
  expect(formatFocus('10-K', '2023-09-30')).toBe('FY 2023');
  expect(formatFocus('10-Q', '2024-06-29')).toBe('Q3 2024');
  expect(formatFocus('10-Q', '2022-12-31')).toBe('Q1 2023');
});

test('no label is given for a fourth quarter in a 10-Q, a year far from known ones, or other forms', () => {
  const noFocus = { fiscalYear: null, fiscalPeriod: null };
  expect(findFiscalFocus(makeFiling('0000320193-99-000001', '10-Q', '2025-09-27'), APPLE_STATED_PERIODS)).toEqual(
    noFocus,
  );
  expect(findFiscalFocus(makeFiling('0000320193-99-000001', '10-K', '2025-06-28'), APPLE_STATED_PERIODS)).toEqual(
    noFocus,
  );
  expect(findFiscalFocus(makeFiling('0000320193-99-000001', '10-Q', '2025-02-10'), APPLE_STATED_PERIODS)).toEqual(
    noFocus,
  );
  expect(findFiscalFocus(makeFiling('0000320193-99-000001', '10-K', '2005-09-24'), APPLE_STATED_PERIODS)).toEqual(
    noFocus,
  );
  expect(findFiscalFocus(makeFiling('0000320193-25-000057', '8-K', '2025-03-29'), APPLE_STATED_PERIODS)).toEqual(
    noFocus,
  );
  expect(findFiscalFocus(makeFiling('0000320193-25-000057', '10-Q', '2025-03-29'), [])).toEqual(noFocus);
});

test('a report without a listed period ends with its last stated period, not with the later date of its cover', () => {
  expect(findPeriodEnd(makeFiling('0000320193-25-000057', '10-Q', null), APPLE_STATED_PERIODS)).toBe('2025-03-29');
  expect(findPeriodEnd(makeFiling('0000320193-25-000057', '8-K', null), APPLE_STATED_PERIODS)).toBeNull();
  // In a report filed a year later, these periods would be comparatives, so its own period is unknown.
  expect(
    findPeriodEnd(makeFiling('0000320193-25-000057', '10-Q', null, '2026-05-01'), APPLE_STATED_PERIODS),
  ).toBeNull();
  expect(findFiscalFocus(makeFiling('0000320193-25-000057', '10-Q', null), APPLE_STATED_PERIODS).fiscalPeriod).toBe(
    'Q2',
  );
});
