import { expect, test } from 'vitest';
import type { Fact } from '../../../src/edgar/facts/fact-row.ts';
import { groupFactSeries } from '../../../src/figures/facts/fact-series.ts';
import { alignPeriods } from '../../../src/figures/periods/align-periods.ts';
import { findMisscaledFacts } from '../../../src/figures/revisions/contradictions/misscaled-facts.ts';
import { fact } from '../filed-facts.ts';

/** Returns a year's revenue as stated in the report of a later year. */
const annual = (year: number, filed: number, value: string, overrides: Partial<Fact> = {}) =>
  fact({
    ...{ start: `${year}-01-01`, end: `${year}-12-31`, value, ...overrides },
    ...{ filed: `${filed}-02-20`, accession: `0000000001-${filed - 2000}-000001` },
  });

/** Returns the wrong facts that are found: value, year, and the day of the filing that shows the error. */
const wrongOf = (...facts: readonly Fact[]) =>
  [...findMisscaledFacts(groupFactSeries(alignPeriods(facts, () => undefined)), [])].map(
    ([{ value, end }, day]) => `${value} of ${end.slice(0, 4)}: ${day}`,
  );

test('a value in two scales is wrong in the scale that two other filings contradict, from the second of them on', () => {
  const facts = [annual(2014, 2015, '4800000'), annual(2015, 2016, '5000'), annual(2015, 2017, '5000000')];
  expect(wrongOf(...facts)).toEqual([]);
  expect(wrongOf(...facts, annual(2017, 2018, '5400000'))).toEqual(['5000 of 2015: 2018-02-20']);
});

test('the larger of two scales is wrong if other years are small', () => {
  const facts = [annual(2013, 2014, '4700'), annual(2014, 2015, '4800'), annual(2015, 2016, '5000')];
  expect(wrongOf(...facts, annual(2015, 2017, '5000000'))).toEqual(['5000000 of 2015: 2017-02-20']);
});

test('size alone proves no error: neither growth, nor different digits, nor a factor in which no report is printed', () => {
  expect(wrongOf(annual(2014, 2015, '4800'), annual(2015, 2016, '5000'), annual(2016, 2017, '5100000'))).toEqual([]);
  const others = [annual(2013, 2014, '4700000'), annual(2014, 2015, '4800000')];
  expect(wrongOf(...others, annual(2015, 2016, '4321'), annual(2015, 2017, '5000000'))).toEqual([]);
  expect(wrongOf(...others, annual(2015, 2016, '50000'), annual(2015, 2017, '5000000'))).toEqual([]);
});

test('a value with many digits equals its rounded repetition', () => {
  const others = [annual(2013, 2014, '4700000'), annual(2014, 2015, '4800000')];
  expect(wrongOf(...others, annual(2015, 2016, '5012'), annual(2015, 2017, '5012345'))).toEqual([
    '5012 of 2015: 2017-02-20',
  ]);
});

test('an amount with two signs is wrong with the sign that no other period has', () => {
  const others = [annual(2013, 2014, '90'), annual(2014, 2015, '95')];
  expect(wrongOf(...others, annual(2015, 2016, '-100'), annual(2015, 2017, '100'))).toEqual([
    '-100 of 2015: 2017-02-20',
  ]);
  const losses = [annual(2013, 2014, '90'), annual(2014, 2015, '-95')];
  expect(wrongOf(...losses, annual(2015, 2016, '-100'), annual(2015, 2017, '100'))).toEqual([]);
});
