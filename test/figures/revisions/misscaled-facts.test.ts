import { expect, test } from 'vitest';
import type { Fact } from '../../../src/edgar/facts/fact-row.ts';
import { groupFactSeries } from '../../../src/figures/facts/fact-series.ts';
import { alignPeriods } from '../../../src/figures/periods/align-periods.ts';
import { findScaleAndSignErrors } from '../../../src/figures/revisions/contradictions/misscaled-facts.ts';
import { makeFact } from '../filed-facts.ts';

/** Returns a year's revenue as stated in the report of a later year. */
const makeAnnualFact = (year: number, filedYear: number, value: string, overrides: Partial<Fact> = {}) =>
  makeFact({
    ...{ start: `${year}-01-01`, end: `${year}-12-31`, value, ...overrides },
    ...{ filed: `${filedYear}-02-20`, accession: `0000000001-${filedYear - 2000}-000001` },
  });

/**
 * Returns the misscaled facts as texts such as `5000 of 2015: 2018-02-20`. The day is the filing date of the report
 * that shows the error.
 */
const listMisscaledFacts = (...facts: readonly Fact[]) =>
  [...findScaleAndSignErrors(groupFactSeries(alignPeriods(facts, () => undefined)), [])].map(
    ([{ value, end }, day]) => `${value} of ${end.slice(0, 4)}: ${day}`,
  );

test('if an amount is filed in two scales, the scale that two other filings contradict is wrong, as of the second of them', () => {
  const facts = [
    makeAnnualFact(2014, 2015, '4800000'),
    makeAnnualFact(2015, 2016, '5000'),
    makeAnnualFact(2015, 2017, '5000000'),
  ];
  expect(listMisscaledFacts(...facts)).toEqual([]);
  expect(listMisscaledFacts(...facts, makeAnnualFact(2017, 2018, '5400000'))).toEqual(['5000 of 2015: 2018-02-20']);
});

test('if an amount is filed in two scales, the larger amount is wrong if amounts of other years have the smaller scale', () => {
  const facts = [
    makeAnnualFact(2013, 2014, '4700'),
    makeAnnualFact(2014, 2015, '4800'),
    makeAnnualFact(2015, 2016, '5000'),
  ];
  expect(listMisscaledFacts(...facts, makeAnnualFact(2015, 2017, '5000000'))).toEqual(['5000000 of 2015: 2017-02-20']);
});

test('growth, different digits, or a factor that is not a scale of reports do not prove that a value is misscaled', () => {
  expect(
    listMisscaledFacts(
      makeAnnualFact(2014, 2015, '4800'),
      makeAnnualFact(2015, 2016, '5000'),
      makeAnnualFact(2016, 2017, '5100000'),
    ),
  ).toEqual([]);
  const factsOfOtherYears = [makeAnnualFact(2013, 2014, '4700000'), makeAnnualFact(2014, 2015, '4800000')];
  expect(
    listMisscaledFacts(...factsOfOtherYears, makeAnnualFact(2015, 2016, '4321'), makeAnnualFact(2015, 2017, '5000000')),
  ).toEqual([]);
  expect(
    listMisscaledFacts(
      ...factsOfOtherYears,
      makeAnnualFact(2015, 2016, '50000'),
      makeAnnualFact(2015, 2017, '5000000'),
    ),
  ).toEqual([]);
});

test('a value with many digits is compared with a repetition in another scale after rounding', () => {
  const otherYearFacts = [makeAnnualFact(2013, 2014, '4700000'), makeAnnualFact(2014, 2015, '4800000')];
  expect(
    listMisscaledFacts(...otherYearFacts, makeAnnualFact(2015, 2016, '5012'), makeAnnualFact(2015, 2017, '5012345')),
  ).toEqual(['5012 of 2015: 2017-02-20']);
});

test('if filings state an amount with both signs, the sign that no other period has is wrong', () => {
  const otherYearsFacts = [makeAnnualFact(2013, 2014, '90'), makeAnnualFact(2014, 2015, '95')];
  expect(
    listMisscaledFacts(...otherYearsFacts, makeAnnualFact(2015, 2016, '-100'), makeAnnualFact(2015, 2017, '100')),
  ).toEqual(['-100 of 2015: 2017-02-20']);
  const factsWithLossYear = [makeAnnualFact(2013, 2014, '90'), makeAnnualFact(2014, 2015, '-95')];
  expect(
    listMisscaledFacts(...factsWithLossYear, makeAnnualFact(2015, 2016, '-100'), makeAnnualFact(2015, 2017, '100')),
  ).toEqual([]);
});

test('a wrong sign in one column does not make an amount with the usual sign wrong', () => {
  const facts = [
    makeAnnualFact(2013, 2014, '210'),
    makeAnnualFact(2014, 2015, '220'),
    makeAnnualFact(2015, 2016, '231'),
    makeAnnualFact(2015, 2017, '-231'),
  ];
  expect(listMisscaledFacts(...facts, makeAnnualFact(2016, 2017, '118'))).toEqual(['-231 of 2015: 2017-02-20']);
  expect(listMisscaledFacts(...facts, makeAnnualFact(2016, 2017, '-118'))).toEqual([
    '-231 of 2015: 2017-02-20',
    '-118 of 2016: 2017-02-20',
  ]);
});

test('an error counts from the first day on which filings show it, whatever later filings show', () => {
  const concepts = ['Revenues', 'CostOfRevenue', 'NetIncomeLoss', 'OperatingIncomeLoss'];
  const factsInThousands = concepts.flatMap((concept) => [
    makeAnnualFact(2014, 2015, '4800000', { concept }),
    makeAnnualFact(2013, 2014, '4700000', { concept }),
    makeAnnualFact(2015, 2016, '5000', { concept }),
    // Three corrected concepts show the scale of the filing, and so of the fourth, which is corrected a year later.
    makeAnnualFact(2015, concept === 'OperatingIncomeLoss' ? 2018 : 2017, '5000000', { concept }),
  ]);
  expect(listMisscaledFacts(...factsInThousands)).toEqual(concepts.map(() => '5000 of 2015: 2017-02-20'));
  const twoYearsInThousands = [
    makeAnnualFact(2012, 2013, '4700000'),
    makeAnnualFact(2013, 2014, '4800000'),
    makeAnnualFact(2014, 2016, '5000'),
    makeAnnualFact(2015, 2016, '6000'),
    makeAnnualFact(2014, 2017, '5000000'),
    makeAnnualFact(2015, 2018, '6000000'),
  ];
  expect(listMisscaledFacts(...twoYearsInThousands)).toEqual(['5000 of 2014: 2017-02-20', '6000 of 2015: 2017-02-20']);
  const factsWithWrongSign = [
    makeAnnualFact(2013, 2014, '90'),
    makeAnnualFact(2014, 2015, '95'),
    makeAnnualFact(2015, 2018, '100'),
    makeAnnualFact(2015, 2017, '100'),
    makeAnnualFact(2015, 2016, '-100'),
  ];
  expect(listMisscaledFacts(...factsWithWrongSign)).toEqual(['-100 of 2015: 2017-02-20']);
});
