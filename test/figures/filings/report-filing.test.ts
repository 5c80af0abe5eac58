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

function requireFiling(...parameters: Parameters<typeof findFiling>) {
  const filing = findFiling(...parameters);
  if (typeof filing === 'string') throw new Error(filing);
  return filing;
}

const makeFilingRecord = (
  accession: string,
  form: string,
  reportDate: string | null,
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
  expect(requireFiling(makeTaggedReport('10-K/A', '2024-09-28'), makeDocumentSource('x'), FILINGS, []).accession).toBe(
    '0000320193-24-000150',
  );
  expect(findFiling(makeTaggedReport('10-K', '2023-09-30'), makeDocumentSource('x'), FILINGS, [])).toBe(
    'no filing of form 10-K for the period ending 2023-09-30 in the lists of filings, the indexes and company facts; add its submissions, or an index of the quarter in which it was filed',
  );
});

test('a filing is matched by the period on the cover if the context of the cover has another day', () => {
  const report = { ...makeTaggedReport('10-Q', '2024-07-31'), coverPeriodEnd: '2024-06-29' };
  expect(requireFiling(report, makeDocumentSource('x'), FILINGS, []).accession).toBe('0000320193-24-000081');
});

test('folder and document name take precedence over the period', () => {
  expect(
    requireFiling(makeTaggedReport('10-K', '2024-09-28'), makeDocumentSource('x', '0000320193-24-000081'), FILINGS, [])
      .form,
  ).toBe('10-Q');
  expect(
    requireFiling(makeTaggedReport('10-K', '2000-01-01'), makeDocumentSource('aapl-20240629.htm'), FILINGS, []).form,
  ).toBe('10-Q');
  const exhibitSource = makeDocumentSource('aapl-20240928xex13.htm', '0000320193-24-000123');
  expect(requireFiling(makeTaggedReport('', ''), exhibitSource, FILINGS, []).document).toBe('aapl-20240928xex13.htm');
});

test('if two filings have the form and period of a report, neither is matched', () => {
  const filingsWithDuplicate = [
    ...FILINGS,
    makeFilingRecord('0000320193-24-000124', '10-K', '2024-09-28', 'other.htm'),
  ];
  expect(findFiling(makeTaggedReport('10-K', '2024-09-28'), makeDocumentSource('x'), filingsWithDuplicate, [])).toMatch(
    /^2 filings of form 10-K for the period ending 2024-09-28 \(0000320193-24-000123, 0000320193-24-000124\)/,
  );
});

test('a report without a form or period has no filing', () => {
  const report = { ...makeTaggedReport('10-K', '2024-09-28'), form: null };
  expect(findFiling(report, makeDocumentSource('x'), FILINGS, [])).toContain('dei:DocumentType');
  expect(findFiling({ ...report, form: '10-K', periodEnd: null }, makeDocumentSource('x'), FILINGS, [])).toContain(
    'dei:DocumentPeriodEndDate',
  );
});

test('if no filings are listed, a report is matched with the filing whose own facts are for its period; its document is unknown', () => {
  const nextYearFacts = [
    makeStatedFact('0000320193-25-000079', '2025-10-31'),
    { ...makeStatedFact('0000320193-25-000079', '2025-10-31'), start: '2024-09-29', end: '2025-09-27' },
  ];
  const facts = [...nextYearFacts, makeStatedFact('0000320193-24-000123', '2024-11-01')];
  const report = makeTaggedReport('10-K', '2024-09-28');
  expect(findFiling(report, makeDocumentSource('x.html'), [], facts)).toEqual({
    accession: '0000320193-24-000123',
    form: '10-K',
    filed: '2024-11-01',
    document: null,
  });
  // The next report repeats the period as a comparative.
  expect(findFiling(report, makeDocumentSource('x.html'), [], nextYearFacts)).toContain('no filing of form 10-K');
  const factsOfTwoFilings = [...facts, makeStatedFact('0000320193-24-000124', '2024-11-02')];
  expect(findFiling(report, makeDocumentSource('x.html'), [], factsOfTwoFilings)).toContain('2 filings of form 10-K');
});

test('a filing of an index, which states no period, is matched by form if it is the only one filed when the report was due', () => {
  const indexRows = [
    makeFilingRecord('0000320193-24-000123', '10-K', null),
    { ...makeFilingRecord('0000320193-23-000106', '10-K', null), filed: '2023-11-03' },
    makeFilingRecord('0000320193-24-000150', '10-K/A', null),
  ];
  const report = makeTaggedReport('10-K', '2024-09-28');
  expect(requireFiling(report, makeDocumentSource('x'), indexRows, []).accession).toBe('0000320193-24-000123');
  // Its facts are for another period.
  const factsOfOtherPeriod = [{ ...makeStatedFact('0000320193-24-000123', '2024-11-01'), end: '2023-09-30' }];
  expect(findFiling(report, makeDocumentSource('x'), indexRows, factsOfOtherPeriod)).toContain('no filing');
  const rowsOfTwoFilings = [...indexRows, makeFilingRecord('0000320193-24-000124', '10-K', null)];
  expect(findFiling(report, makeDocumentSource('x'), rowsOfTwoFilings, [])).toContain('2 filings');
  expect(findFiling(makeTaggedReport('10-Q', '2024-08-31'), makeDocumentSource('x'), indexRows, [])).toContain(
    'no filing of form 10-Q',
  );
});

test('the name of an instance is not used as the name of the document', () => {
  expect(
    requireFiling(makeTaggedReport('10-K', '2024-09-28', 'instance'), makeDocumentSource('a_htm.xml'), FILINGS, [])
      .document,
  ).toBeNull();
});
