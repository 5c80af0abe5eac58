import { expect, test } from 'vitest';
import type { FilingRecord } from '../../../src/edgar/filings/submissions.ts';
import { findSplits } from '../../../src/figures/shares/splits.ts';
import { readFiledFacts } from '../filed-facts.ts';

const makeCurrentReport = (serial: string, day: string, filed: string, ...items: string[]): FilingRecord => ({
  accession: `0001045810-24-${serial}`,
  form: '8-K',
  filed,
  reportDate: day,
  accepted: null,
  primaryDocument: null,
  items,
});

/** NVIDIA's current reports (8-K) around its split of 2024. Its periodic reports state only the month, June. */
const REPORTS = [
  makeCurrentReport('000113', '2024-05-22', '2024-05-22', '2.02', '8.01', '9.01'),
  makeCurrentReport('000144', '2024-06-07', '2024-06-07', '5.03'),
  makeCurrentReport('000206', '2024-06-26', '2024-07-02', '5.07'),
];
const findLastSplit = (filings: readonly FilingRecord[]) => findSplits(readFiledFacts('nvda'), filings).at(-1);

test('a split declared for a month is dated by the report of the charter amendment', () => {
  // The amendment was filed on Friday 2024-06-07; the shares were distributed after the close.
  expect(findLastSplit(REPORTS)).toMatchObject({
    ratio: '10',
    effective: '2024-06-10',
    accession: '0001045810-24-000264',
  });
});

test('without a report of the charter amendment, the split is dated to the first trading day after the month', () => {
  for (const filings of [[], REPORTS.filter(({ items }) => !items.includes('5.03'))]) {
    expect(findLastSplit(filings)?.effective).toBe('2024-07-01');
  }
});
