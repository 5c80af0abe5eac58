import { expect, test } from 'vitest';
import { createShareLimitFinder } from '../../../src/building/filings/share-limits.ts';
import type { Split } from '../../../src/figures/shares/splits.ts';

const makeCover = (end: string, value: string, fields: Readonly<Record<string, string | null>> = {}) => ({
  ...{ metricKey: 'common_shares_outstanding', taxonomy: 'dei', filed: end, classCounts: null, contradictedOn: null },
  ...{ end, value },
  ...fields,
});

const makeSplit = (ratio: string, effective: string, after: string, until: string): Split => ({
  ...{ ratio, effective, after, until },
  ...{ accession: '0000000001-25-000001', proven: null },
});

const COMMON = 'Common Stock';

test('the largest count within 400 days before or after is used', () => {
  const findLimit = createShareLimitFinder(
    [makeCover('2023-02-10', '100'), makeCover('2024-02-10', '300'), makeCover('2024-08-10', '200')],
    [],
  );
  expect(findLimit('2023-08-01', COMMON)).toEqual({ total: '300', ofClass: '300' });
  expect(findLimit('2022-02-01', COMMON)).toEqual({ total: '100', ofClass: '100' });
  expect(findLimit('2025-09-14', COMMON)).toEqual({ total: '200', ofClass: '200' });
  expect(findLimit('2025-09-15', COMMON)).toBeNull();
  expect(createShareLimitFinder([], [])('2024-01-01', COMMON)).toBeNull();
});

test('balance sheets, contradicted counts, zeros and other figures are not counts of covers', () => {
  const covers = [
    makeCover('2024-02-10', '900', { taxonomy: 'us-gaap' }),
    makeCover('2024-02-10', '900', { contradictedOn: '2024-05-01' }),
    makeCover('2024-02-10', '900', { metricKey: 'public_float' }),
    makeCover('2024-02-10', '0'),
  ];
  expect(createShareLimitFinder(covers, [])('2024-03-01', COMMON)).toBeNull();
});

test('a count is in shares of the trade day', () => {
  const covers = [makeCover('2024-02-10', '100')];
  const splits = [makeSplit('10', '2024-06-10', '2024-05-01', '2024-08-10')];
  const findTotal = (day: string) => createShareLimitFinder(covers, splits)(day, COMMON)?.total;
  expect(findTotal('2024-06-01')).toBe('100');
  expect(findTotal('2024-06-20')).toBe('1000');
  // Near the declared day, the larger count is used.
  expect(findTotal('2024-06-05')).toBe('1000');
  const reverse = [makeSplit('0.1', '2024-06-10', '2024-05-01', '2024-08-10')];
  const findReverseTotal = (day: string) => createShareLimitFinder(covers, reverse)(day, COMMON)?.total;
  expect(findReverseTotal('2024-06-01')).toBe('100');
  expect(findReverseTotal('2024-06-14')).toBe('100');
  expect(findReverseTotal('2024-06-20')).toBe('10');
});

test('a count after the split is carried back to a trade before the split', () => {
  const covers = [makeCover('2024-09-10', '1000')];
  const findTotal = (ratio: string) =>
    createShareLimitFinder(covers, [makeSplit(ratio, '2024-06-10', '2024-05-01', '2024-08-10')])('2024-05-01', COMMON)
      ?.total;
  expect(findTotal('10')).toBe('100');
  expect(findTotal('0.1')).toBe('10000');
});

test('a count that a report filed after the split may state in new shares is not reduced', () => {
  const covers = [makeCover('2024-06-01', '100', { filed: '2024-06-30' })];
  const splits = [makeSplit('0.1', '2024-06-10', '2024-05-01', '2024-08-10')];
  expect(createShareLimitFinder(covers, splits)('2024-07-15', COMMON)?.total).toBe('100');
});

test('a trade of one class is compared with the count of the class, if the cover states it', () => {
  const cover = makeCover('2024-02-10', '1000', {
    classCounts: 'us-gaap:CommonClassAMember=900 us-gaap:CommonClassBMember=100',
  });
  const findLimit = createShareLimitFinder([cover], []);
  expect(findLimit('2024-03-01', 'Class B Common Stock')).toEqual({ total: '1000', ofClass: '100' });
  expect(findLimit('2024-03-01', 'Class C Capital Stock')).toEqual({ total: '1000', ofClass: '1000' });
  expect(findLimit('2024-03-01', COMMON)).toEqual({ total: '1000', ofClass: '1000' });
});
