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

test('all quarters of a year are of the next year if two of them are', () => {
  // Amazon's report of 2012 dates the quarters of 2012 as those of 2011. Its fourth quarter appears in no earlier
  // report, and the net income of two quarters has one or two digits.
  const [quarterStarts, quarterEnds] = [
    ['01-01', '04-01', '07-01', '10-01'],
    ['03-31', '06-30', '09-30', '12-31'],
  ];
  const makeYearFacts = (concept: string, year: number, values: readonly number[], filings: readonly Partial<Fact>[]) =>
    values.map((millions, index) =>
      makeFact({
        concept,
        value: `${millions}000000`,
        start: `${year}-${quarterStarts[index]}`,
        end: `${year}-${quarterEnds[index]}`,
        ...(filings[index] ?? filings[0]),
      }),
    );
  const makeFilings = (year: number) => [
    { accession: `0001193125-${year - 2000}-000001`, filed: `${year}-04-27` },
    { accession: `0001193125-${year - 2000}-000002`, filed: `${year}-07-27` },
    { accession: `0001193125-${year - 2000}-000003`, filed: `${year}-10-26` },
    { accession: `0001193125-${year - 1999}-000004`, filed: `${year + 1}-02-01` },
  ];
  const lateReport = [{ accession: '0001193125-13-028520', filed: '2013-01-30' }];
  const amazonFacts = [
    ...makeYearFacts('SalesRevenueNet', 2011, [9857, 9913, 10876, 17431], makeFilings(2011)),
    ...makeYearFacts('SalesRevenueNet', 2012, [13185, 12834, 13806], makeFilings(2012)),
    ...makeYearFacts('SalesRevenueNet', 2011, [13185, 12834, 13806, 21268], lateReport),
    ...makeYearFacts('NetIncomeLoss', 2011, [201, 191, 63, 177], makeFilings(2011)),
    ...makeYearFacts('NetIncomeLoss', 2012, [130, 7, -274], makeFilings(2012)),
    ...makeYearFacts('NetIncomeLoss', 2011, [130, 7, -274, 97], lateReport),
  ];
  const { reportedValues } = deriveCompanyFigures(amazonFacts, [], { releaseDate: '2026-08-20' });
  const listMillionsOf2011 = (key: string) =>
    listFigureValues(reportedValues, { keys: [key] })
      .filter(({ end, periodKind }) => end.startsWith('2011') && periodKind === 'quarter')
      .map(({ value }) => value.replace(/000000$/, ''));
  expect(listMillionsOf2011('revenue')).toEqual(['17431', '10876', '9913', '9857']);
  expect(listMillionsOf2011('net_income')).toEqual(['177', '63', '191', '201']);
});
