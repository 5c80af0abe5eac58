/** Periods that filings date differently or wrongly, mostly in real filings. */
import { expect, test } from 'vitest';
import { deriveCompanyFigures } from '../../../src/figures/company.ts';
import { listFigureValues } from '../../../src/figures/figure-values.ts';
import { type ReportedValue, toFiledPeriod } from '../../../src/figures/revisions/revision-chain.ts';
import { makeRawFactId } from '../../../src/service/handlers/coverage/identity.ts';
import { makeFact, readFiledFacts } from '../filed-facts.ts';

const deriveFiguresOfFile = (factsFile: string) =>
  deriveCompanyFigures(readFiledFacts(factsFile), [], { releaseDate: '2026-08-20' });

const findChain = (factsFile: string, metric: string, end: string) =>
  deriveFiguresOfFile(factsFile).reportedValues.filter((row) => row.metricKey === metric && row.end === end);

const summarizeChain = (factsFile: string, metric: string, end: string) =>
  findChain(factsFile, metric, end).map(({ start, kind, value, filedStart }) => [start, kind, value, filedStart]);

const listAnnualFigures = (factsFile: string, metric: string) =>
  listFigureValues(deriveFiguresOfFile(factsFile).reportedValues, { keys: [metric], period: 'annual' }).map(
    ({ start, end, fiscalYear, fiscalPeriod, value }) => `${fiscalYear}${fiscalPeriod} ${start} ${end} ${value}`,
  );

test('a year whose start is a day earlier in later filings is the same year', () => {
  expect(summarizeChain('cop-2009', 'revenue', '2009-12-31')).toEqual([
    ['2009-01-01', 'first', '149341000000', null],
    ['2009-01-01', 'same', '149341000000', '2008-12-31'],
    ['2009-01-01', 'same', '149341000000', '2008-12-31'],
    ['2009-01-01', 'revised', '50605000000', '2008-12-31'],
  ]);
  expect(summarizeChain('cop-2009', 'net_income', '2009-12-31').map(([, kind, value]) => [kind, value])).toEqual([
    ['first', '4858000000'],
    ['revised', '4414000000'],
    ['same', '4414000000'],
    ['same', '4414000000'],
  ]);
});

test('quarters dated one to three days apart are the same quarter', () => {
  expect(summarizeChain('msft-2016', 'revenue', '2016-09-30')).toEqual([
    ['2016-07-01', 'first', '20453000000', null],
    ['2016-07-01', 'same', '20453000000', null],
    ['2016-07-01', 'revised', '21928000000', null],
    ['2016-07-01', 'same', '21928000000', '2016-07-02'],
  ]);
  expect(summarizeChain('pfe-2011', 'net_income', '2011-07-03')).toEqual([
    ['2011-04-04', 'first', '2610000000', null],
    ['2011-04-04', 'same', '2610000000', '2011-04-01'],
  ]);
  const verizonChainSummary = summarizeChain('vz-2016', 'operating_income', '2016-06-30');
  expect(new Set(verizonChainSummary.map(([start]) => start))).toEqual(new Set(['2016-04-01']));
  expect(verizonChainSummary.map(([, kind, value]) => [kind, value])).toEqual([
    ['first', '4554000000'],
    ['same', '4554000000'],
    ['same', '4554000000'],
    ['same', '4554000000'],
    ['revised', '8091000000'],
  ]);
});

test('years whose dates differ by a day in later filings are not duplicated', () => {
  expect(listAnnualFigures('de-2016', 'revenue')).toEqual([
    '2016FY 2015-11-01 2016-10-31 26644000000',
    '2015FY 2014-11-01 2015-10-31 28862800000',
  ]);
  const [latest] = findChain('de-2016', 'revenue', '2016-10-31').slice(-1);
  expect(latest).toMatchObject({ filedStart: '2015-11-02', filedEnd: '2016-10-30' });
});

test('the id of a fact derives from its dates as filed, not from the dates of its period', () => {
  const [originalValue, laterValue] = findChain('pfe-2011', 'net_income', '2011-07-03') as [
    ReportedValue,
    ReportedValue,
  ];
  expect(toFiledPeriod(originalValue)).toEqual({ start: '2011-04-04', end: '2011-07-03' });
  expect(toFiledPeriod(laterValue)).toEqual({ start: '2011-04-01', end: '2011-07-03' });
  const valueWithFiledDates = { ...laterValue, start: '2011-04-01', filedStart: null, filedEnd: null };
  expect(makeRawFactId(78003, laterValue)).toBe(makeRawFactId(78003, valueWithFiledDates));
});

test('a period has the dates of its first filing, and later filings do not move it', () => {
  const facts = readFiledFacts('cop-2009');
  for (const day of ['2010-12-31', '2011-12-31', '2012-12-31']) {
    const factsFiledUntilDay = facts.filter(({ filed }) => filed <= day);
    const { reportedValues } = deriveCompanyFigures(factsFiledUntilDay, [], { releaseDate: day });
    expect(new Set(reportedValues.map(({ start }) => start))).toEqual(new Set(['2009-01-01']));
  }
});

test('the first period of a shell company is separate from the year of the business that it merged with', () => {
  const { reportedValues } = deriveFiguresOfFile('nkla-2018');
  const incomeFigures = listFigureValues(reportedValues, {
    keys: ['net_income', 'operating_income'],
    period: 'annual',
  });
  expect(incomeFigures.map(({ metricKey, start, value }) => [metricKey, start, value])).toEqual([
    ['operating_income', '2018-01-01', '-70489000'],
    ['operating_income', '2018-01-23', '-402302'],
    ['net_income', '2018-01-01', '-64293000'],
    ['net_income', '2018-01-23', '1913035'],
  ]);
});

test('a half year that an interim report tags as the fiscal year does not revise the fiscal year', () => {
  const { reportedValues, skipped } = deriveFiguresOfFile('uaa-2012');
  expect(reportedValues.map(({ kind, value }) => [kind, value])).toEqual([
    ['first', '1834921000'],
    ['same', '1834921000'],
    ['same', '1834921000'],
    ['same', '1834921000'],
  ]);
  expect(skipped['a value filed with the dates of another period']).toBe(1);
});

test('quarters that an annual report dates one year off revise no value', () => {
  const listQuarterValues = (factsFile: string, metric: string) =>
    listFigureValues(deriveFiguresOfFile(factsFile).reportedValues, { keys: [metric] })
      .filter(({ periodKind }) => periodKind === 'quarter')
      .map(({ end, value }) => [end, value]);
  expect(listQuarterValues('t-2017', 'revenue')).toEqual([
    ['2018-03-31', '38038000000'],
    ['2017-03-31', '39365000000'],
  ]);
  expect(listQuarterValues('t-2017', 'net_income')).toEqual([
    ['2018-03-31', '4662000000'],
    ['2017-03-31', '3469000000'],
  ]);
  expect(listQuarterValues('amzn-2011', 'revenue').filter(([end]) => end?.startsWith('2011'))).toEqual([
    ['2011-06-30', '9913000000'],
    ['2011-03-31', '9857000000'],
  ]);
  expect(findChain('aph', 'assets', '2009-12-31').map(({ value }) => value)).not.toContain('4015857000');
});

test("an amount equal to the previous year's is a revision if no other amounts of its filing equal the previous year's", () => {
  const quarterFields = {
    start: '2024-01-01',
    end: '2024-03-31',
    form: '10-Q',
    filed: '2024-05-01',
    focusPeriod: 'Q1',
  };
  const priorYearFact = makeFact({
    ...quarterFields,
    start: '2023-01-01',
    end: '2023-03-31',
    filed: '2023-05-01',
    value: '1234',
    accession: '0000000001-23-000001',
  });
  const originalFact = makeFact({ ...quarterFields, value: '1300', accession: '0000000001-24-000001' });
  const laterFact = makeFact({
    ...quarterFields,
    filed: '2025-05-01',
    value: '1234',
    accession: '0000000001-25-000009',
  });
  const { reportedValues, skipped } = deriveCompanyFigures([priorYearFact, originalFact, laterFact], [], {
    releaseDate: '2026-08-20',
  });
  expect(reportedValues.filter(({ end }) => end === '2024-03-31').map(({ kind }) => kind)).toEqual([
    'first',
    'revised',
  ]);
  expect(skipped['a value filed with the dates of another period']).toBeUndefined();
});

test('statements of an acquired company in a current report add no values to the buyer', () => {
  const { reportedValues, skipped } = deriveFiguresOfFile('khc-2014');
  expect(new Set(reportedValues.map(({ form }) => form))).toEqual(new Set(['10-Q', '10-K']));
  expect(listAnnualFigures('khc-2014', 'net_income')).toEqual(['2014FY 2013-12-30 2014-12-28 657000000']);
  expect(skipped["another company's financial statements in a current report (8-K)"]).toBe(4);
});

test('a current report (8-K) that restates amounts by a few percent is not taken for the statements of another company', () => {
  const yearFields = { start: '2015-01-01', end: '2015-12-31', concept: 'NetIncomeLoss', focusYear: 2015 };
  const originalFact = makeFact({
    ...yearFields,
    value: '15888',
    filed: '2016-02-24',
    accession: '0000000001-16-000001',
  });
  const recastFact = makeFact({
    ...yearFields,
    value: '15836',
    filed: '2016-11-01',
    form: '8-K',
    accession: '0000000001-16-000002',
  });
  const valueKinds = deriveCompanyFigures([originalFact, recastFact], [], {
    releaseDate: '2026-08-20',
  }).reportedValues.map(({ metricKey, kind }) => `${metricKey} ${kind}`);
  expect(valueKinds.filter((text) => text.startsWith('net_income '))).toEqual([
    ...['net_income first', 'net_income revised'],
  ]);
});

test('statements of a merger partner in a current report are not read, though its amounts are of similar size', () => {
  // Six Flags files the statements of its former namesake on the day of its own quarterly report.
  const makeBalances = (form: string, accession: string, amounts: Readonly<Record<string, string>>) =>
    Object.entries(amounts).map(([concept, value]) =>
      makeFact({ concept, value, form, accession, start: null, end: '2024-06-30', filed: '2024-08-08' }),
    );
  const facts = [
    ...makeBalances('10-Q', '0001999001-24-000012', { Assets: '2347830000', PartnersCapital: '-682078000' }),
    ...makeBalances('8-K', '0001999001-24-000014', { Assets: '3166832000', StockholdersEquity: '-1077326000' }),
  ];
  const { reportedValues } = deriveCompanyFigures(facts, [], { releaseDate: '2026-08-20' });
  expect(reportedValues.map(({ metricKey, value }) => `${metricKey} ${value}`)).toEqual([
    ...['assets 2347830000', 'stockholders_equity -682078000'],
  ]);
});

test('years before a change of the fiscal year end remain fiscal years', () => {
  expect(listAnnualFigures('ms-2008', 'net_income')).toEqual([
    '2009FY 2009-01-01 2009-12-31 1346000000',
    '2008FY 2007-12-01 2008-11-30 1707000000',
    '2007FY 2006-12-01 2007-11-30 3209000000',
  ]);
  expect(listAnnualFigures('now-2011', 'net_income')).toEqual([
    '2012FY 2012-01-01 2012-12-31 -37348000',
    '2011FY 2010-07-01 2011-06-30 9830000',
    '2010FY 2009-07-01 2010-06-30 -29705000',
  ]);
});

test('the earliest year that a current report (8-K) restates is read as a fiscal year', () => {
  expect(listAnnualFigures('pg-2007', 'revenue').at(-1)).toBe('2007FY 2006-07-01 2007-06-30 72441000000');
  expect(listAnnualFigures('dis-2016', 'net_income').at(-1)).toBe('2016FY 2015-10-04 2016-10-01 9391000000');
});

test('twelve months that end with a quarter within a fiscal year are not read as a fiscal year', () => {
  const interimFields = {
    filed: '2024-05-01',
    form: '10-Q',
    start: '2023-04-01',
    end: '2024-03-31',
    focusPeriod: 'Q1',
  };
  const accession = '0000000001-24-000007';
  const trailingYearFacts = ['NetIncomeLoss', 'Revenues'].map((concept) =>
    makeFact({ ...interimFields, concept, accession }),
  );
  const { reportedValues } = deriveCompanyFigures([makeFact({}), ...trailingYearFacts], [], {
    releaseDate: '2026-08-20',
  });
  expect(reportedValues.map(({ end }) => end)).toEqual(['2024-12-31']);
});

test('quarters of 12, 12, 12 and 17 weeks are a year of 53 weeks', () => {
  const { reportedValues } = deriveFiguresOfFile('cost-weeks');
  const revenueFigures = listFigureValues(reportedValues, { keys: ['revenue'] });
  const labelledRevenueRows = revenueFigures.map(({ fiscalYear, fiscalPeriod, start, end, value }) => [
    `${fiscalYear}${fiscalPeriod}`,
    `${start} ${end}`,
    value,
  ]);
  expect(labelledRevenueRows).toEqual([
    ['2017FY', '2016-08-29 2017-09-03', '129025000000'],
    ['2017Q4', '2017-05-08 2017-09-03', '42300000000'],
    ['20179M', '2016-08-29 2017-05-07', '86725000000'],
    ['2017Q3', '2017-02-13 2017-05-07', '28860000000'],
    ['2017H1', '2016-08-29 2017-02-12', '57865000000'],
    ['2017Q2', '2016-11-21 2017-02-12', '29766000000'],
    ['2017Q1', '2016-08-29 2016-11-20', '28099000000'],
  ]);
});

test('income including minorities never revises net income of owners, which takes precedence if both are reported', () => {
  expect(findChain('aph', 'net_income', '2009-12-31').map(({ kind, value }) => [kind, value])).toEqual([
    ['first', '317834000'],
    ['same', '317834000'],
    ['same', '317834000'],
  ]);
  const netIncomeFigures = listFigureValues(deriveFiguresOfFile('aph').reportedValues, { keys: ['net_income'] });
  expect(netIncomeFigures.find(({ end }) => end === '2015-12-31')?.value).toBe('763500000');
});

const listPeriods = (facts: Parameters<typeof deriveCompanyFigures>[0], periodKind: string) =>
  deriveCompanyFigures(facts, [], { releaseDate: '2026-08-20' })
    .figures.filter((figure) => figure.periodKind === periodKind)
    .map(({ metricKey, start, end, value }) => `${metricKey} ${start} ${end} ${value}`);

test('a last quarter that ends a day or a week after its year ends with the year', () => {
  const parts = [
    { concept: 'Revenues', start: '2019-02-03', end: '2020-02-01', value: '400' },
    { concept: 'Revenues', start: '2019-02-03', end: '2019-11-02', value: '300' },
    { concept: 'OperatingIncomeLoss', start: '2019-02-03', end: '2020-02-01', value: '40' },
    { concept: 'OperatingIncomeLoss', start: '2019-02-03', end: '2019-11-02', value: '30' },
  ].map((fields) => makeFact({ ...fields, accession: '0000000001-20-000001', filed: '2020-03-18' }));
  for (const end of ['2020-02-02', '2020-02-08', '2020-01-25']) {
    const quarter = makeFact({
      start: '2019-11-03',
      end,
      value: '100',
      accession: '0000000001-20-000001',
      filed: '2020-03-18',
    });
    expect(listPeriods([...parts, quarter], 'quarter')).toEqual([
      'revenue 2019-11-03 2020-02-01 100',
      'operating_income 2019-11-03 2020-02-01 10',
    ]);
  }
});

test('periods with one end and the same amounts are one period, even if a filing dates the start weeks later', () => {
  const listNineMonths = (laterIncome: string) => {
    const makeStatement = (start: string, year: number, income: string) =>
      [
        { concept: 'Revenues', value: '6000' },
        { concept: 'IncomeTaxExpenseBenefit', value: income },
        { concept: 'OperatingIncomeLoss', value: '900' },
      ].map((fields) =>
        makeFact({
          ...fields,
          start,
          end: '2015-09-30',
          form: '10-Q',
          accession: `0000000001-${year - 2000}-000001`,
          filed: `${year}-11-05`,
        }),
      );
    return listPeriods(
      [...makeStatement('2015-01-01', 2015, '500'), ...makeStatement('2015-01-13', 2016, laterIncome)],
      'nine_month',
    );
  };
  expect(listNineMonths('500')).toEqual([
    'income_tax 2015-01-01 2015-09-30 500',
    'operating_income 2015-01-01 2015-09-30 900',
    'revenue 2015-01-01 2015-09-30 6000',
  ]);
  // The months since a merger or an initial offering have other amounts.
  expect(listNineMonths('700')).toHaveLength(6);
});
