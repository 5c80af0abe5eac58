import { expect, test } from 'vitest';
import type { Fact } from '../../../src/edgar/facts/fact-row.ts';
import type { FilingRecord } from '../../../src/edgar/filings/submissions.ts';
import { findFiling } from '../../../src/figures/filings/report-filing.ts';
import { makeReport } from '../segments/filed-report.ts';

const makeTaggedReport = (form: string, periodEnd: string, kind: 'inline' | 'instance' = 'inline') => ({
  ...makeReport(['', form, ''], []),
  kind,
  periodEnd,
});
const makeFilingRecord = (
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
  makeFilingRecord('0000320193-24-000123', '10-K', '2024-09-28', 'aapl-20240928.htm'),
  makeFilingRecord('0000320193-24-000081', '10-Q', '2024-06-29', 'aapl-20240629.htm'),
  makeFilingRecord('0000320193-24-000150', '10-K/A', '2024-09-28', 'aapl-20240928x.htm'),
];
const makeDocumentSource = (document: string, accession: string | null = null) => ({ document, accession });
const makeStatedFact = (accession: string, filed: string): Fact => ({
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
  const filing = findFiling(makeTaggedReport('10-K', '2024-09-30'), makeDocumentSource('apple_10k.html'), FILINGS, []);
  expect(filing).toMatchObject({ accession: '0000320193-24-000123', document: 'aapl-20240928.htm' });
  expect(findFiling(makeTaggedReport('10-K/A', '2024-09-28'), makeDocumentSource('x'), FILINGS, [])?.accession).toBe(
    '0000320193-24-000150',
  );
  expect(findFiling(makeTaggedReport('10-K', '2023-09-30'), makeDocumentSource('x'), FILINGS, [])).toBeNull();
});

test('folder and document name take precedence over the period', () => {
  expect(
    findFiling(makeTaggedReport('10-K', '2024-09-28'), makeDocumentSource('x', '0000320193-24-000081'), FILINGS, [])
      ?.form,
  ).toBe('10-Q');
  expect(
    findFiling(makeTaggedReport('10-K', '2000-01-01'), makeDocumentSource('aapl-20240629.htm'), FILINGS, [])?.form,
  ).toBe('10-Q');
  const exhibitSource = makeDocumentSource('aapl-20240928xex13.htm', '0000320193-24-000123');
  expect(findFiling(makeTaggedReport('', ''), exhibitSource, FILINGS, [])?.document).toBe('aapl-20240928xex13.htm');
});

test('if two filings have the form and period of a report, neither is matched', () => {
  const filingsWithDuplicate = [
    ...FILINGS,
    makeFilingRecord('0000320193-24-000124', '10-K', '2024-09-28', 'other.htm'),
  ];
  expect(
    findFiling(makeTaggedReport('10-K', '2024-09-28'), makeDocumentSource('x'), filingsWithDuplicate, []),
  ).toBeNull();
});

test('if no filings are listed, a report is matched with the earliest filing whose facts state its period; its document is unknown', () => {
  const facts = [
    makeStatedFact('0000320193-25-000079', '2025-10-31'),
    makeStatedFact('0000320193-24-000123', '2024-11-01'),
  ];
  expect(findFiling(makeTaggedReport('10-K', '2024-09-28'), makeDocumentSource('x.html'), [], facts)).toEqual({
    accession: '0000320193-24-000123',
    form: '10-K',
    filed: '2024-11-01',
    document: null,
  });
});

test('the name of an instance is not used as the name of the document', () => {
  expect(
    findFiling(makeTaggedReport('10-K', '2024-09-28', 'instance'), makeDocumentSource('a_htm.xml'), FILINGS, [])
      ?.document,
  ).toBeNull();
});
