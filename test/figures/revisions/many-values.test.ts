/**
 * One period with far more values than any company reports. Code that compared all pairs of values would take minutes.
 */
import { expect, test } from 'vitest';
import type { Fact } from '../../../src/edgar/facts/fact-row.ts';
import { deriveCompanyFigures } from '../../../src/figures/company.ts';
import { createConditionCheck } from '../../../src/figures/evidence/conditions.ts';
import type { FilingAmounts } from '../../../src/figures/evidence/filing-amounts.ts';
import { groupFactSeries } from '../../../src/figures/facts/fact-series.ts';
import { addDays } from '../../../src/platform/dates.ts';
import { makeFact } from '../filed-facts.ts';

const FACT_COUNT = 10_000;

const makeFacts = (makeValue: (index: number) => string): Fact[] =>
  Array.from({ length: FACT_COUNT }, (_, index) =>
    makeFact({
      end: '2019-12-31',
      start: '2019-01-01',
      value: makeValue(index),
      filed: addDays('2020-01-01', Math.floor((index * 2000) / FACT_COUNT)),
      accession: `0000000001-20-${String(index).padStart(6, '0')}`,
    }),
  );

test.each([
  ['different values', (index: number) => `${1_000_000 + ((index * 7919) % 100_003)}`],
  ['one value', () => '123456'],
  ['values in two scales', (index: number) => (index % 2 === 0 ? '123456' : '123456000')],
  ['values of both signs', (index: number) => (index % 2 === 0 ? '123456' : '-123456')],
])('%s of one period, each from a filing of its own, are all in its revision chain', (_, makeValue) => {
  const { reportedValues } = deriveCompanyFigures(makeFacts(makeValue), [], { releaseDate: '2026-01-01' });
  expect(reportedValues.map(({ value }) => value)).toEqual(makeFacts(makeValue).map(({ value }) => value));
});

test('a line that must not be stated is searched once, not for each filing', () => {
  let readCount = 0;
  const others = makeFacts(() => '0').map((fact) => ({
    ...fact,
    concept: 'NoninterestIncome',
    get value() {
      readCount += 1;
      return '0';
    },
  }));
  const facts = makeFacts(() => '123456');
  const check = createConditionCheck(groupFactSeries([...facts, ...others]), () => {
    throw new Error('no habit decides');
  });
  const readBefore = readCount;
  for (const fact of facts) expect(check(fact, { without: ['NoninterestIncome'] }, {} as FilingAmounts)).toBeNull();
  expect(readCount - readBefore).toBeLessThanOrEqual(FACT_COUNT);
});

/** So many that searching all values for each filing takes more time than a test has. */
const REPETITION_COUNT = 100_000;

test('a value that many filings repeat is in its revision chain', () => {
  const [first] = makeFacts(() => '123456');
  const facts = Array.from({ length: REPETITION_COUNT }, (_, index): Fact => {
    const accession = `0000000001-20-${String(index).padStart(6, '0')}`;
    return { ...(first as Fact), concept: 'NetIncomeLoss', accession };
  });
  const { reportedValues } = deriveCompanyFigures(facts, [], { releaseDate: '2026-01-01' });
  expect(reportedValues.filter(({ metricKey }) => metricKey === 'net_income')).toHaveLength(REPETITION_COUNT);
});

const STATEMENT_COUNT = 3000;
const STATEMENT_AMOUNTS: readonly (readonly [concept: string, amount: number])[] = [
  ['Revenues', 1_000_000],
  ['CostOfRevenue', 600_000],
  ['GrossProfit', 400_000],
  ['DepreciationDepletionAndAmortization', 50_000],
  ['DepreciationAndAmortization', 49_000],
  ['AmortizationOfIntangibleAssets', 5000],
  ['NetIncomeLoss', 90_000],
];
const BALANCES: readonly (readonly [concept: string, amount: number])[] = [
  ['Assets', 5_000_000],
  ['Liabilities', 3_000_000],
  ['StockholdersEquity', 2_000_000],
  ['MinorityInterest', 100],
];

test('statements of one period, each restated by the next filing, are all in their revision chains', () => {
  const facts = [...STATEMENT_AMOUNTS, ...BALANCES].flatMap(([concept, amount]) => {
    const isBalance = BALANCES.some(([name]) => name === concept);
    return makeFacts((index) => `${amount + ((index * 7919) % 1000)}`)
      .slice(0, STATEMENT_COUNT)
      .map((fact) => ({ ...fact, concept, start: isBalance ? null : fact.start }));
  });
  const { reportedValues } = deriveCompanyFigures(facts, [], { releaseDate: '2026-01-01' });
  for (const metricKey of [
    'revenue',
    'cost_of_revenue',
    'gross_profit',
    'assets',
    'liabilities',
    'stockholders_equity',
  ])
    expect(reportedValues.filter((value) => value.metricKey === metricKey)).toHaveLength(STATEMENT_COUNT);
});
