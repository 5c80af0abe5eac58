import { expect, test } from 'vitest';
import type { StatementSetFact, StatementSetReport } from '../../../src/edgar/facts/statement-set.ts';
import { addExactDates, areMonthEnds, type KnownPeriod } from '../../../src/figures/filings/statement-set-dates.ts';

const makeFactRow = (
  roundedEnd: string,
  quarters: number,
  exactDates: StatementSetFact['exactDates'] = null,
): StatementSetFact => ({
  concept: 'us-gaap:Revenues',
  unit: 'USD',
  value: '1',
  decimals: null,
  dimensions: [],
  roundedEnd,
  quarters,
  exactDates,
});
const makeDataSetReport = (...facts: StatementSetFact[]): StatementSetReport => ({
  accession: '0000796343-10-000008',
  cik: 796343,
  name: 'ADOBE SYSTEMS INC',
  form: '10-Q',
  filed: '2010-04-09',
  roundedPeriod: '2010-02-28',
  periodEnd: '2010-03-05',
  focusYear: 2010,
  focusPeriod: 'Q1',
  facts,
});
const listExactDates = (report: StatementSetReport, filingPeriods: readonly KnownPeriod[], hasMonthEnds = false) =>
  addExactDates(report, { filingPeriods, hasMonthEnds }).facts.map(({ start, end }) => [start, end]);

test("Adobe's quarter to 5 March 2010 is found, though the data set rounds its end to February", () => {
  expect(
    listExactDates(makeDataSetReport(makeFactRow('2010-02-28', 1), makeFactRow('2010-02-28', 0)), [
      { start: '2009-11-28', end: '2010-03-05' },
      { start: null, end: '2010-03-05' },
      { start: null, end: '2009-11-27' },
    ]),
  ).toEqual([
    ['2009-11-28', '2010-03-05'],
    [null, '2010-03-05'],
  ]);
});

test('if two periods round to the same dates, the more frequent one is chosen, and a row with unknown dates is skipped and counted', () => {
  const filingPeriods = [
    { start: '2009-01-01', end: '2009-12-31' },
    { start: '2009-01-02', end: '2009-12-31' },
    { start: '2009-01-01', end: '2009-12-31' },
  ];
  const report = addExactDates(makeDataSetReport(makeFactRow('2009-12-31', 4), makeFactRow('2008-12-31', 4)), {
    filingPeriods,
    hasMonthEnds: false,
  });
  expect(report.facts).toMatchObject([{ start: '2009-01-01', end: '2009-12-31' }]);
  expect(report.skipped).toEqual({ 'a row without known exact dates, in a financial statement data set': 1 });
});

test('exact dates in the data set are used unchanged', () => {
  expect(
    listExactDates(makeDataSetReport(makeFactRow('2010-02-28', 0, { start: null, end: '2010-02-21' })), []),
  ).toEqual([[null, '2010-02-21']]);
});

test('if no exact periods of the filing are known, only balances at its period end get an exact date', () => {
  const factRows = [makeFactRow('2010-02-28', 0), makeFactRow('2009-11-30', 0), makeFactRow('2010-02-28', 1)];
  expect(listExactDates(makeDataSetReport(...factRows), [])).toEqual([[null, '2010-03-05']]);
});

test('if all periods of a company end at month ends, rounded dates are used, except those of cover pages and events', () => {
  const report = {
    ...makeDataSetReport(
      makeFactRow('2010-03-31', 0),
      makeFactRow('2009-03-31', 1),
      makeFactRow('2009-12-31', 4),
      makeFactRow('2010-01-31', 0),
      {
        ...makeFactRow('2010-03-31', 0),
        concept: 'dei:EntityPublicFloat',
      },
    ),
    roundedPeriod: '2010-03-31',
    periodEnd: '2010-03-31',
  };
  expect(listExactDates(report, [], true)).toEqual([
    [null, '2010-03-31'],
    ['2009-01-01', '2009-03-31'],
    ['2009-01-01', '2009-12-31'],
  ]);
});

test('a company uses calendar months only if several different period ends are all month ends', () => {
  expect(areMonthEnds(['2010-03-31'])).toBe(false);
  expect(areMonthEnds(['2010-03-31', '2010-03-31'])).toBe(false);
  expect(areMonthEnds(['2010-03-31', '2009-06-30', '2008-02-29'])).toBe(true);
  expect(areMonthEnds(['2017-09-30', '2016-09-24'])).toBe(false);
});
