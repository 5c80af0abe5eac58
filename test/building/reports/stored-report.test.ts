import { expect, test } from 'vitest';
import { parseStoredReports, serializeReport } from '../../../src/building/reports/stored-report.ts';
import type { StatementSetFact, StatementSetReport } from '../../../src/edgar/facts/statement-set.ts';
import { makeFact, makeReport } from '../../figures/segments/filed-report.ts';

const assetsFact: StatementSetFact = {
  ...{ concept: 'us-gaap:Assets', unit: 'USD', value: '2135796000000', decimals: null, dimensions: [] },
  ...{ roundedEnd: '2010-03-31', quarters: 0, exactDates: null },
};
const revenueFact: StatementSetFact = {
  ...assetsFact,
  ...{ concept: 'us-gaap:Revenues', value: '2.30', quarters: 1, decimals: 2 },
  exactDates: { start: '2010-01-01', end: '2010-03-31' },
};
const segmentFact: StatementSetFact = { ...revenueFact, dimensions: [{ axis: 'BusinessSegments', member: 'Retail' }] };
const createReport = (accession: string, ...facts: readonly StatementSetFact[]): StatementSetReport => ({
  ...{ accession, cik: 19617, name: 'JPMORGAN CHASE & CO', sic: '6021', form: '10-Q', filed: '2010-05-10' },
  accepted: '2010-05-10 16:05:00.0',
  ...{ roundedPeriod: '2010-03-31', periodEnd: '2010-03-31', focusYear: 2010, focusPeriod: 'Q1', facts },
});

test('a stored report of a data set is read back unchanged, even if it was written in parts', () => {
  const reportParts = [
    createReport('0000950123-10-047138', assetsFact, revenueFact),
    createReport('a'),
    createReport('0000950123-10-047138', segmentFact),
  ];
  expect(parseStoredReports(reportParts.map((part) => serializeReport({ set: part })).join(''))).toEqual([
    { set: createReport('0000950123-10-047138', assetsFact, revenueFact, segmentFact) },
    { set: createReport('a') },
  ]);
});

test('a stored document is read back with its facts, location and labels', () => {
  const {
    labels: _,
    accession: __,
    filed: ___,
    document: ____,
    ...storedFields
  } = makeReport(
    ['0000320193-25-000073', '10-Q', '2025-08-01'],
    [makeFact('us-gaap:Assets', [null, '2025-06-28'], '331495')],
  );
  const storedDocument = {
    name: 'instances.zip: aapl-20250628.htm',
    report: { ...storedFields, form: '10-Q' },
    source: { document: 'aapl-20250628.htm', accession: null },
    labels: [['aapl:IPhoneMember', 'iPhone'] as const],
  };
  expect(parseStoredReports(serializeReport(storedDocument))).toEqual([storedDocument]);
});
