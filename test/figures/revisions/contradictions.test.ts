import { describe, expect, test } from 'vitest';
import type { Fact } from '../../../src/edgar/facts/fact-row.ts';
import { deriveCompanyFigures } from '../../../src/figures/company.ts';
import { groupFactSeries } from '../../../src/figures/facts/fact-series.ts';
import { listFigureValues } from '../../../src/figures/figure-values.ts';
import { findContradictedFacts } from '../../../src/figures/revisions/contradictions/contradictions.ts';
import { type ReportedValue, selectValueAsOf } from '../../../src/figures/revisions/revision-chain.ts';
import { makeFact, readFiledFacts } from '../filed-facts.ts';

const DERIVE_OPTIONS = { releaseDate: '2026-08-20' };

/** Returns the contradicted facts, each with the day of the contradiction. */
function listContradictedFacts(facts: readonly Fact[]) {
  return [...findContradictedFacts(groupFactSeries(facts), [])].map(([{ concept, end, value, filed }, day]) => [
    concept,
    end,
    value,
    filed,
    day,
  ]);
}

describe('a value in a wrong scale is contradicted', () => {
  test('amounts of a filing in thousands are contradicted once two other filings show the scale', () => {
    const contradictions = listContradictedFacts(readFiledFacts('bkti-2011'));
    expect(contradictions).toContainEqual(['Assets', '2010-12-31', '34792', '2011-08-09', '2012-05-09']);
    // No other filing reports this date, but another value of the concept shows that this filing has the wrong scale.
    expect(contradictions).toContainEqual(['Assets', '2011-06-30', '33018', '2011-08-09', '2012-05-09']);
    expect(contradictions).toContainEqual(['NetIncomeLoss', '2011-06-30', '-855', '2011-08-09', '2012-08-14']);
    expect(contradictions.every(([, , , filed]) => filed === '2011-08-09')).toBe(true);
    // The scale of a cover page is independent of the scale of the statements.
    expect(contradictions.some(([concept]) => concept === 'EntityPublicFloat')).toBe(false);
  });

  test('a dividend of 400 dollars a share instead of 40 cents is contradicted', () => {
    const facts = readFiledFacts('khc-dividends');
    expect(listContradictedFacts(facts)).toEqual([
      ['CommonStockDividendsPerShareDeclared', '2019-09-28', '400', '2019-10-31', '2020-10-30'],
    ]);
    const { reportedValues } = deriveCompanyFigures(facts, [], DERIVE_OPTIONS);
    const listQuarterValues = (asOf: string | null) =>
      listFigureValues(reportedValues, { keys: ['dividends_per_share'], asOf })
        .filter(({ start, end }) => start === '2019-06-30' && end === '2019-09-28')
        .map(({ value }) => value);
    expect(listQuarterValues(null)).toEqual(['0.4']);
    // The filing that shows the error was filed on the next day.
    expect(listQuarterValues('2020-10-29')).toEqual(['400']);
  });

  test('a share count a million times too large is contradicted, with all counts of its concept in the filing', () => {
    expect(listContradictedFacts(readFiledFacts('ae-shares'))).toEqual([
      ['CommonStockSharesOutstanding', '2011-12-31', '4217596000', '2012-11-13', '2012-11-13'],
      ['CommonStockSharesOutstanding', '2012-09-30', '4217596000', '2012-11-13', '2012-11-13'],
    ]);
  });

  test('a share count in a wrong scale is contradicted when later counts return to the earlier scale', () => {
    const makeShareCountFact = (end: string, filed: string, value: string) =>
      makeFact({
        taxonomy: 'dei',
        concept: 'EntityCommonStockSharesOutstanding',
        unit: 'shares',
        start: null,
        form: '10-Q',
        accession: `0000000001-${filed.slice(2, 4)}-${filed.slice(5, 7)}${filed.slice(8)}00`,
        end,
        filed,
        value,
      });
    const earlierCountFact = makeShareCountFact('2024-04-30', '2024-05-02', '12345678');
    const misscaledCountFact = makeShareCountFact('2024-07-31', '2024-08-02', '12350000000');
    const laterCountFact = makeShareCountFact('2024-10-31', '2024-11-02', '12351000');
    expect(listContradictedFacts([earlierCountFact, misscaledCountFact])).toEqual([]);
    expect([
      ...findContradictedFacts(groupFactSeries([earlierCountFact, misscaledCountFact, laterCountFact]), []),
    ]).toEqual([[misscaledCountFact, '2024-11-02']]);
    // A count that never returns to the earlier scale may be correct.
    const laterLargeCountFact = makeShareCountFact('2024-10-31', '2024-11-02', '12360000000');
    expect(listContradictedFacts([earlierCountFact, misscaledCountFact, laterLargeCountFact])).toEqual([]);
    // The previous report may state the right scale only in its amendment.
    const wrongEarlierCountFact = makeShareCountFact('2024-04-30', '2024-05-02', '99000000');
    const amendedCountFacts = ['2025-01-15', '2025-03-01'].map((filed) =>
      makeShareCountFact('2024-04-30', filed, '12345678'),
    );
    expect(
      listContradictedFacts([wrongEarlierCountFact, ...amendedCountFacts, misscaledCountFact, laterCountFact]).map(
        ([, , value, , day]) => [value, day],
      ),
    ).toEqual([['12350000000', '2025-01-15']]);
  });

  test('a shell that became a company, and a split of a thousand to one, are not contradicted', () => {
    expect(listContradictedFacts(readFiledFacts('nkla-2020'))).toEqual([]);
    expect(listContradictedFacts(readFiledFacts('sune-eps'))).toEqual([]);
  });
});

describe('a filing is contradicted by its own totals', () => {
  test('a quarter above its half year is contradicted if only the half year is similar to the year before', () => {
    const contradictions = listContradictedFacts(readFiledFacts('cost-dividends-2015'));
    expect(contradictions).toEqual([['PaymentsOfDividends', '2015-02-15', '2358000000', '2015-03-11', '2015-03-11']]);
  });
});

test('a contradicted value is listed only if contradicted values are requested, and then as filed', () => {
  const originalFacts = readFiledFacts('khc-dividends').filter(({ filed }) => filed < '2020-10-01');
  const correctingFacts = readFiledFacts('khc-dividends').filter(({ filed }) => filed > '2020-10-01');
  const facts = [...originalFacts, ...correctingFacts];
  const { reportedValues } = deriveCompanyFigures(facts, [], DERIVE_OPTIONS);
  const valuesWithoutCorrection = reportedValues.filter(({ value, end }) => end !== '2019-09-28' || value === '400');
  const listValues = (includesContradicted: boolean) =>
    listFigureValues(valuesWithoutCorrection, { keys: ['dividends_per_share'], includesContradicted })
      .filter(({ end, start }) => end === '2019-09-28' && start === '2019-06-30')
      .map(({ value, inputs }) => [value, inputs.map(({ role }) => role)]);
  expect(listValues(false)).toEqual([]);
  expect(listValues(true)).toEqual([['400', ['contradicted']]]);
});

test('the correction of a contradicted value is a revision', () => {
  const { reportedValues } = deriveCompanyFigures(readFiledFacts('bkti-2011'), [], DERIVE_OPTIONS);
  const correctedAssetsFigure = listFigureValues(reportedValues, { keys: ['assets'] }).find(
    ({ end }) => end === '2010-12-31',
  );
  expect(correctedAssetsFigure).toMatchObject({ revised: true, revisionCount: 1 });
});

test('an amount with a sign that no other period has is contradicted from the filing that shows the error', () => {
  // Walmart's report of March 2011 has income taxes as negative amounts.
  const makeTaxFact = (year: number, value: string, filed: string) =>
    makeFact({
      concept: 'IncomeTaxExpenseBenefit',
      start: `${year}-02-01`,
      end: `${year + 1}-01-31`,
      value,
      filed,
      accession: filed,
    });
  const facts = [
    ...[
      makeTaxFact(2007, '6889', '2010-03-30'),
      makeTaxFact(2008, '7133', '2010-03-30'),
      makeTaxFact(2009, '7139', '2010-03-30'),
    ],
    ...[
      makeTaxFact(2008, '-7133', '2011-03-30'),
      makeTaxFact(2009, '-7156', '2011-03-30'),
      makeTaxFact(2010, '-7579', '2011-03-30'),
    ],
    ...[
      makeTaxFact(2009, '7156', '2012-03-27'),
      makeTaxFact(2010, '7579', '2012-03-27'),
      makeTaxFact(2011, '7944', '2012-03-27'),
    ],
  ];
  const { reportedValues } = deriveCompanyFigures(facts, [], DERIVE_OPTIONS);
  const formatValues = (asOf: string) =>
    listFigureValues(reportedValues, { keys: ['income_tax'], asOf }).map(
      ({ end, value }) => `${end.slice(0, 4)} ${value}`,
    );
  expect(formatValues('2012-04-01')).toEqual(['2012 7944', '2011 7579', '2010 7156', '2009 7133', '2008 6889']);
  expect(formatValues('2011-04-01')[0]).toBe('2011 -7579');
});

test('share-based compensation tagged with the wrong sign is contradicted', () => {
  // As filed by Eli Lilly for 2009 and 2010.
  const makeCompensationFact = (start: string, end: string, value: string, filed: string) =>
    makeFact({
      concept: 'ShareBasedCompensation',
      start,
      end,
      value,
      filed,
      accession: `0000059478-${filed.slice(2, 4)}-${filed.slice(5).replace('-', '')}`,
    });
  const lillyFacts = [
    makeCompensationFact('2009-01-01', '2009-12-31', '-368500000', '2010-02-22'),
    makeCompensationFact('2009-01-01', '2009-03-31', '-66100000', '2010-04-30'),
    makeCompensationFact('2010-01-01', '2010-03-31', '-73700000', '2010-04-30'),
    makeCompensationFact('2009-01-01', '2009-12-31', '368500000', '2011-02-22'),
    makeCompensationFact('2010-01-01', '2010-03-31', '73700000', '2011-04-29'),
  ];
  expect(
    listContradictedFacts(lillyFacts)
      .map(([, end, value, , day]) => [end, value, day])
      .sort(),
  ).toEqual([
    // A quarter that no other filing reports.
    ['2009-03-31', '-66100000', '2011-04-29'],
    ['2009-12-31', '-368500000', '2011-02-22'],
    ['2010-03-31', '-73700000', '2011-04-29'],
  ]);
});

test('as of a day, a later value that has since been contradicted does not replace an earlier value that is still current', () => {
  // Walmart's year to January 2009: the report of March 2011 wrongly has negative income taxes, as the report of 2012
  // shows.
  const yearFields = { concept: 'IncomeTaxExpenseBenefit', start: '2008-02-01', end: '2009-01-31' };
  const [correctValue, ...laterValues] = [
    makeFact({ ...yearFields, value: '7133000000', filed: '2010-03-30', accession: '0000104169-10-000010' }),
    makeFact({ ...yearFields, value: '-7133000000', filed: '2011-03-30', accession: '0001193125-11-083157' }),
  ].flatMap((filedFact) => deriveCompanyFigures([filedFact], [], DERIVE_OPTIONS).reportedValues);
  const chain = [
    correctValue,
    ...laterValues.map((laterValue) => ({ ...laterValue, rank: 2, kind: 'revised', contradictedOn: '2012-03-27' })),
  ];
  const findValueAsOf = (day: string) => selectValueAsOf(chain as ReportedValue[], day)?.reported.value;
  expect(['2010-04-01', '2011-09-01', '2013-01-01'].map(findValueAsOf)).toEqual([
    '7133000000',
    '7133000000',
    '7133000000',
  ]);
  expect(findValueAsOf('2009-12-31')).toBeUndefined();
});

test('as of a day, a value keeps the history that filings had shown by then', () => {
  // Air Products' cost of October to December 2015. From June 2017, filings contradict its first report, but in March
  // 2017 the recast was a revision of this report, which twelve months with older quarters must not ignore.
  const quarterFields = { concept: 'CostOfGoodsAndServicesSold', start: '2015-10-01', end: '2015-12-31' };
  const { reportedValues } = deriveCompanyFigures(
    [
      makeFact({ ...quarterFields, value: '1598000000', filed: '2016-01-29', accession: '0001193125-16-443263' }),
      makeFact({ ...quarterFields, value: '1295900000', filed: '2017-01-27', accession: '0000002969-17-000010' }),
    ],
    [],
    DERIVE_OPTIONS,
  );
  const chain = reportedValues.map((value) => ({ ...value, contradictedOn: value.rank === 1 ? '2017-06-05' : null }));
  expect(selectValueAsOf(chain, '2017-03-01')?.knownValues).toEqual(chain);
  expect(selectValueAsOf(chain, '2017-06-05')?.knownValues).toEqual(chain.slice(1));
});
