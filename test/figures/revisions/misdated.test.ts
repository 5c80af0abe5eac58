import { expect, test } from 'vitest';
import type { Fact } from '../../../src/edgar/facts/fact-row.ts';
import { deriveCompanyFigures } from '../../../src/figures/company.ts';
import { listFigureValues } from '../../../src/figures/figure-values.ts';
import { makeFact } from '../filed-facts.ts';

test('the amount of a year that a later filing dates as its last quarter is not the quarter’s amount', () => {
  // As filed by Oracle for the year to May 2019.
  const yearDates = { start: '2018-06-01', end: '2019-05-31' };
  const oracleFacts = [
    makeFact({
      start: '2018-06-01',
      end: '2019-02-28',
      value: '28369000000',
      form: '10-Q',
      accession: '0001564590-19-007585',
      filed: '2019-03-18',
    }),
    makeFact({ ...yearDates, value: '39506000000', accession: '0001564590-19-023119', filed: '2019-06-21' }),
    makeFact({
      ...yearDates,
      start: '2019-03-01',
      value: '39506000000',
      accession: '0001564590-20-030125',
      filed: '2020-06-22',
    }),
  ];
  const { reportedValues } = deriveCompanyFigures(oracleFacts, [], { releaseDate: '2026-08-20' });
  const quarterFigures = listFigureValues(reportedValues, { keys: ['revenue'], period: 'quarterly' });
  expect(quarterFigures.map(({ value, valueKind }) => `${value} ${valueKind}`)).toEqual(['11137000000 derived']);
});

test('a year and its last quarter are compared even if a filing tags them with different concepts', () => {
  // As filed by Oracle for the year to May 2020: the table of quarters tags the year's revenue as the last quarter's.
  const contractRevenueConcept = 'RevenueFromContractWithCustomerExcludingAssessedTax';
  const annualReport = { accession: '0001564590-20-030125', filed: '2020-06-22', end: '2020-05-31' };
  const oracleFactsOf2020 = [
    makeFact({
      concept: contractRevenueConcept,
      start: '2019-06-01',
      end: '2020-02-29',
      value: '28629000000',
      form: '10-Q',
      accession: '0001564590-20-010833',
      filed: '2020-03-13',
    }),
    makeFact({ ...annualReport, concept: contractRevenueConcept, start: '2019-06-01', value: '39068000000' }),
    makeFact({ ...annualReport, concept: 'Revenues', start: '2020-03-01', value: '39068000000' }),
  ];
  const { reportedValues } = deriveCompanyFigures(oracleFactsOf2020, [], { releaseDate: '2026-08-20' });
  const quarterlyRevenueFigures = listFigureValues(reportedValues, { keys: ['revenue'], period: 'quarterly' });
  expect(quarterlyRevenueFigures.map(({ value, valueKind }) => `${value} ${valueKind}`)).toEqual([
    '10439000000 derived',
  ]);
});

test('an amount with two digits is of another year if two longer amounts of its period are', () => {
  // NRG's report of 2012 dates the quarters of 2011 as those of 2010.
  const concepts = ['Revenues', 'OperatingIncomeLoss', 'NetIncomeLoss'];
  const makeQuarterFacts = (year: string, values: readonly string[], filing: Partial<Fact>) =>
    concepts.map((concept, index) =>
      makeFact({ concept, value: values[index] ?? '', start: `${year}-01-01`, end: `${year}-03-31`, ...filing }),
    );
  const valuesOf2011 = ['1995000000', '-314000000', '-260000000'];
  const nrgFacts = [
    ...makeQuarterFacts('2010', ['2215000000', '258000000', '58000000'], {
      accession: '0000950123-10-046942',
      filed: '2010-05-10',
    }),
    ...makeQuarterFacts('2011', valuesOf2011, { accession: '0001104659-11-026199', filed: '2011-05-05' }),
    ...makeQuarterFacts('2010', valuesOf2011, { accession: '0001013871-13-000003', filed: '2013-02-27' }),
  ];
  const { reportedValues } = deriveCompanyFigures(nrgFacts, [], { releaseDate: '2026-08-20' });
  const incomeFigures = listFigureValues(reportedValues, { keys: ['net_income'] });
  expect(incomeFigures.map(({ end, value }) => `${end} ${value}`)).toEqual([
    '2011-03-31 -260000000',
    '2010-03-31 58000000',
  ]);
});
