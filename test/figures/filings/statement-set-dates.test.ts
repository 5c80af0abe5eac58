import { expect, test } from 'vitest';
import type { StatementSetFact, StatementSetReport } from '../../../src/edgar/facts/statement-set.ts';
import { withExactDates } from '../../../src/figures/filings/statement-set-dates.ts';

const row = (roundedEnd: string, quarters: number, exact: StatementSetFact['exact'] = null): StatementSetFact => ({
  concept: 'us-gaap:Revenues',
  unit: 'USD',
  value: '1',
  decimals: null,
  dimensions: [],
  roundedEnd,
  quarters,
  exact,
});
const set = (...facts: StatementSetFact[]): StatementSetReport => ({
  accession: '0000796343-10-000008',
  cik: 796343,
  form: '10-Q',
  filed: '2010-04-09',
  roundedPeriod: '2010-02-28',
  focusYear: 2010,
  focusPeriod: 'Q1',
  facts,
});
const dates = (report: StatementSetReport, known: Parameters<typeof withExactDates>[1]) =>
  withExactDates(report, known).facts.map(({ start, end }) => [start, end]);

test("Adobe's quarter to 5 March 2010 is what the set rounds to February", () => {
  expect(
    dates(set(row('2010-02-28', 1), row('2010-02-28', 0)), [
      { start: '2009-11-28', end: '2010-03-05' },
      { start: null, end: '2010-03-05' },
      { start: null, end: '2009-11-27' },
    ]),
  ).toEqual([
    ['2009-11-28', '2010-03-05'],
    [null, '2010-03-05'],
  ]);
});

test('where two periods round to one, the usual one; a period that no fact states is left out and counted', () => {
  const known = [
    { start: '2009-01-01', end: '2009-12-31' },
    { start: '2009-01-02', end: '2009-12-31' },
    { start: '2009-01-01', end: '2009-12-31' },
  ];
  const report = withExactDates(set(row('2009-12-31', 4), row('2008-12-31', 4)), known);
  expect(report.facts).toMatchObject([{ start: '2009-01-01', end: '2009-12-31' }]);
  expect(report.skipped).toEqual({ 'a row of a data set whose exact dates are not known': 1 });
});

test('dates that the set itself kept need no help', () => {
  expect(dates(set(row('2010-02-28', 0, { start: null, end: '2010-02-21' })), [])).toEqual([[null, '2010-02-21']]);
});
