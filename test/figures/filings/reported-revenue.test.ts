import { expect, test } from 'vitest';
import { findReportedRevenue } from '../../../src/figures/filings/reported-revenue.ts';
import type { PeriodKind } from '../../../src/figures/periods/period-kind.ts';
import type { ReportedValue } from '../../../src/figures/revisions/revision-chain.ts';
import { NULL_VALUE_FIELDS } from '../filed-facts.ts';

function makeRevenueValue(
  accession: string,
  filed: string,
  periodKind: PeriodKind,
  start: string,
  end: string,
  value: string,
): ReportedValue {
  const form = periodKind === 'annual' ? '10-K' : '10-Q';
  return {
    ...{ metricKey: 'revenue', unit: 'USD', start, end, periodKind, fiscalYear: null, fiscalPeriod: null, rank: 1 },
    ...{ kind: 'first', value, splitRatio: null, taxonomy: 'us-gaap', concept: 'Revenues', rawValue: value },
    ...{ accession, form, filed, ...NULL_VALUE_FIELDS },
  };
}

/** Apple's revenue of fiscal 2024 (in two reports), of fiscal 2025, and of the last quarter of fiscal 2025. */
const APPLE_REVENUES = [
  makeRevenueValue('0000320193-24-000123', '2024-11-01', 'annual', '2023-10-01', '2024-09-28', '391035000000'),
  makeRevenueValue('0000320193-25-000079', '2025-10-31', 'annual', '2023-10-01', '2024-09-28', '391035000000'),
  makeRevenueValue('0000320193-25-000079', '2025-10-31', 'annual', '2024-09-29', '2025-09-27', '416161000000'),
  makeRevenueValue('0000320193-25-000079', '2025-10-31', 'quarter', '2025-06-29', '2025-09-27', '102466000000'),
];
const REPORT = { accession: '0000320193-25-000079', form: '10-K', filed: '2025-10-31', reportDate: '2025-09-27' };

test("the revenue of a report's year and of the year before is as the report states it", () => {
  expect(findReportedRevenue(REPORT, APPLE_REVENUES)).toEqual({
    revenue: '416161000000',
    revenueStart: '2024-09-29',
    revenueEnd: '2025-09-27',
    priorRevenue: '391035000000',
  });
});

test('the revenue of the year before is from the report itself, not from later filings', () => {
  const restatedValues = APPLE_REVENUES.map((fact) =>
    fact.accession === '0000320193-25-000079' && fact.end === '2024-09-28' ? { ...fact, value: '391000000000' } : fact,
  );
  const laterValue = makeRevenueValue('0000320193-26-000099', '2026-10-30', 'annual', '2023-10-01', '2024-09-28', '1');
  expect(findReportedRevenue(REPORT, [...restatedValues, laterValue]).priorRevenue).toBe('391000000000');
  expect(findReportedRevenue(REPORT, APPLE_REVENUES.slice(2)).priorRevenue).toBeNull();
});

test('a 10-Q has the revenue of its quarter, and a report without revenue of its own period has none', () => {
  expect(findReportedRevenue(REPORT, APPLE_REVENUES.slice(0, 2)).revenue).toBeNull();
  expect(findReportedRevenue({ ...REPORT, form: '10-Q' }, APPLE_REVENUES).revenue).toBe('102466000000');
  expect(findReportedRevenue({ ...REPORT, reportDate: null }, APPLE_REVENUES).revenue).toBe('416161000000');
});
