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
  sic: '7372',
  form: '10-Q',
  filed: '2010-04-09',
  accepted: null,
  roundedPeriod: '2010-02-28',
  periodEnd: '2010-03-05',
  focusYear: 2010,
  focusPeriod: 'Q1',
  facts,
});
const listDatedFacts = (
  report: StatementSetReport,
  filingPeriods: readonly KnownPeriod[],
  otherPeriodEnds: readonly string[] = [],
) => {
  const periodEnds = report.periodEnd === null ? otherPeriodEnds : [report.periodEnd, ...otherPeriodEnds];
  return addExactDates(report, { filingPeriods, periodEnds }).facts;
};
const listExactDates = (...args: Parameters<typeof listDatedFacts>) =>
  listDatedFacts(...args).flatMap(({ start, end, hasInferredDates }) => (hasInferredDates ? [] : [[start, end]]));
const listInferredDates = (...args: Parameters<typeof listDatedFacts>) =>
  listDatedFacts(...args).flatMap(({ start, end, hasInferredDates }) => (hasInferredDates ? [[start, end]] : []));

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
    periodEnds: ['2010-03-05'],
  });
  expect(report.facts).toMatchObject([{ start: '2009-01-01', end: '2009-12-31' }]);
  expect(report.skipped).toEqual({ 'a row without known exact dates, in a financial statement data set': 1 });
});

test('exact dates in the data set are used unchanged', () => {
  expect(
    listExactDates(makeDataSetReport(makeFactRow('2010-02-28', 0, { start: null, end: '2010-02-21' })), []),
  ).toEqual([[null, '2010-02-21']]);
});

test('without known periods, only a balance at the end of a report of whole weeks has an exact date; other dates are inferred', () => {
  const factRows = [
    makeFactRow('2010-02-28', 0),
    makeFactRow('2009-11-30', 0),
    makeFactRow('2010-02-28', 1),
    makeFactRow('2009-02-28', 1),
  ];
  const report = makeDataSetReport(...factRows);
  expect(listExactDates(report, [])).toEqual([[null, '2010-03-05']]);
  // The exact dates are those of the test above; the quarter of the year before ended on 2009-02-27.
  expect(listInferredDates(report, [])).toEqual([
    [null, '2009-12-04'],
    ['2009-12-05', '2010-03-05'],
    ['2008-12-06', '2009-03-06'],
  ]);
});

test('the end of a period that another report of the company states is exact, and the next period starts the day after', () => {
  const factRows = [makeFactRow('2009-11-30', 0), makeFactRow('2010-02-28', 1)];
  expect(listExactDates(makeDataSetReport(...factRows), [], ['2009-11-27'])).toEqual([
    [null, '2009-11-27'],
    ['2009-11-28', '2010-03-05'],
  ]);
});

test('dates are not inferred for segments, nor if earlier balances show quarters of different lengths', () => {
  const segmentRow = { ...makeFactRow('2010-02-28', 1), dimensions: [{ axis: 'BusinessSegments', member: 'Media' }] };
  expect(listDatedFacts(makeDataSetReport(segmentRow), [])).toEqual([]);
  // Kroger's first quarter has 16 weeks: to 22 May 2010, from the year end on 30 January.
  const report = {
    ...makeDataSetReport(makeFactRow('2010-05-31', 0), makeFactRow('2010-01-31', 0), makeFactRow('2010-05-31', 1)),
    ...{ roundedPeriod: '2010-05-31', periodEnd: '2010-05-22' },
  };
  expect(listDatedFacts(report, [])).toMatchObject([{ start: null, end: '2010-05-22' }]);
});

test('months are only inferred if the only known end of a month is a Friday, Saturday or Sunday, or no end is known', () => {
  const makeReport = (period: string, periodEnd: string | null) => ({
    ...makeDataSetReport(makeFactRow(period, 0), makeFactRow(period, 1)),
    ...{ roundedPeriod: period, periodEnd },
  });
  expect(listExactDates(makeReport('2010-03-31', '2010-03-31'), [])).toHaveLength(2);
  expect(listExactDates(makeReport('2010-04-30', '2010-04-30'), [])).toEqual([[null, '2010-04-30']]);
  expect(listInferredDates(makeReport('2010-04-30', '2010-04-30'), [])).toEqual([['2010-02-01', '2010-04-30']]);
  expect(listInferredDates(makeReport('2010-03-31', null), [])).toEqual([
    [null, '2010-03-31'],
    ['2010-01-01', '2010-03-31'],
  ]);
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
  expect(listExactDates(report, [])).toEqual([
    [null, '2010-03-31'],
    ['2009-01-01', '2009-03-31'],
    ['2009-01-01', '2009-12-31'],
  ]);
});

test('periods end with months if all ends do, and either two differ or one is from Monday to Thursday', () => {
  expect(areMonthEnds([])).toBe(false);
  expect(areMonthEnds(['2010-03-31'])).toBe(true);
  // A Saturday.
  expect(areMonthEnds(['2010-07-31'])).toBe(false);
  expect(areMonthEnds(['2010-07-31', '2010-07-31'])).toBe(false);
  expect(areMonthEnds(['2010-07-31', '2010-10-31'])).toBe(true);
  expect(areMonthEnds(['2010-03-31', '2009-06-30', '2008-02-29'])).toBe(true);
  expect(areMonthEnds(['2017-09-30', '2016-09-24'])).toBe(false);
});
