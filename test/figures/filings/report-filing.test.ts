import { expect, test } from 'vitest';
import type { Fact } from '../../../src/edgar/facts/fact-row.ts';
import type { FilingRecord } from '../../../src/edgar/filings/submissions.ts';
import { findFiling } from '../../../src/figures/filings/report-filing.ts';
import { report } from '../segments/filed-report.ts';

const taggedReport = (form: string, periodEnd: string, kind: 'inline' | 'instance' = 'inline') => ({
  ...report(['', form, ''], []),
  kind,
  periodEnd,
});
const filingRecord = (
  accession: string,
  form: string,
  reportDate: string,
  primaryDocument = 'aapl.htm',
): FilingRecord => ({
  accession,
  form,
  filed: '2024-11-01',
  reportDate,
  accepted: null,
  primaryDocument,
  items: [],
});
const FILINGS = [
  filingRecord('0000320193-24-000123', '10-K', '2024-09-28', 'aapl-20240928.htm'),
  filingRecord('0000320193-24-000081', '10-Q', '2024-06-29', 'aapl-20240629.htm'),
  filingRecord('0000320193-24-000150', '10-K/A', '2024-09-28', 'aapl-20240928x.htm'),
];
const documentSource = (document: string, accession: string | null = null) => ({ document, accession });
const statedFact = (accession: string, filed: string): Fact => ({
  taxonomy: 'us-gaap',
  concept: 'Revenues',
  unit: 'USD',
  start: '2023-10-01',
  end: '2024-09-28',
  value: '1',
  accession,
  form: '10-K',
  filed,
  frame: null,
  focusYear: 2024,
  focusPeriod: 'FY',
});

test('a filing is matched by form and period, within a few days, and an amendment is not matched to its original', () => {
  const filing = findFiling(taggedReport('10-K', '2024-09-30'), documentSource('apple_10k.html'), FILINGS, []);
  expect(filing).toMatchObject({ accession: '0000320193-24-000123', document: 'aapl-20240928.htm' });
  expect(findFiling(taggedReport('10-K/A', '2024-09-28'), documentSource('x'), FILINGS, [])?.accession).toBe(
    '0000320193-24-000150',
  );
  expect(findFiling(taggedReport('10-K', '2023-09-30'), documentSource('x'), FILINGS, [])).toBeNull();
});

test('folder and document name take precedence over the period', () => {
  expect(
    findFiling(taggedReport('10-K', '2024-09-28'), documentSource('x', '0000320193-24-000081'), FILINGS, [])?.form,
  ).toBe('10-Q');
  expect(findFiling(taggedReport('10-K', '2000-01-01'), documentSource('aapl-20240629.htm'), FILINGS, [])?.form).toBe(
    '10-Q',
  );
  const exhibit = documentSource('aapl-20240928xex13.htm', '0000320193-24-000123');
  expect(findFiling(taggedReport('', ''), exhibit, FILINGS, [])?.document).toBe('aapl-20240928xex13.htm');
});

test('if two filings have the form and period of a report, neither is matched', () => {
  const filingsWithDuplicate = [...FILINGS, filingRecord('0000320193-24-000124', '10-K', '2024-09-28', 'other.htm')];
  expect(findFiling(taggedReport('10-K', '2024-09-28'), documentSource('x'), filingsWithDuplicate, [])).toBeNull();
});

test('if no filings are listed, a report is matched with the earliest filing whose facts state its period, without a document', () => {
  const facts = [statedFact('0000320193-25-000079', '2025-10-31'), statedFact('0000320193-24-000123', '2024-11-01')];
  expect(findFiling(taggedReport('10-K', '2024-09-28'), documentSource('x.html'), [], facts)).toEqual({
    accession: '0000320193-24-000123',
    form: '10-K',
    filed: '2024-11-01',
    document: null,
  });
});

test('the name of an instance is not used as the name of the document', () => {
  expect(
    findFiling(taggedReport('10-K', '2024-09-28', 'instance'), documentSource('a_htm.xml'), FILINGS, [])?.document,
  ).toBeNull();
});
