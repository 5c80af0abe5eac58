import { expect, test } from 'vitest';
import type { Fact } from '../../../src/edgar/facts/fact-row.ts';
import { deriveCompanyFigures } from '../../../src/figures/company.ts';
import { listFigureValues } from '../../../src/figures/figure-values.ts';
import { makeFact } from '../filed-facts.ts';

type Amounts = Readonly<Record<string, string>>;

const makeFlowFacts = (amounts: Amounts, filing: Partial<Fact>) =>
  Object.entries(amounts).map(([concept, value]) => makeFact({ concept, value, ...filing }));

function listValues(key: string, facts: readonly Fact[], asOf: string | null = null): string[] {
  const { reportedValues } = deriveCompanyFigures(facts, [], { releaseDate: '2026-08-20' });
  return listFigureValues(reportedValues, { keys: [key], asOf }).map(({ end, value }) => `${end} ${value}`);
}

const COSTCO_YEARS = [
  { start: '2017-09-04', end: '2018-09-02' },
  { start: '2018-09-03', end: '2019-09-01' },
] as const;
const [DATES_OF_2018, DATES_OF_2019] = COSTCO_YEARS;

test('a tagged gross profit that is no line of the income statement does not replace revenue less cost', () => {
  // For one of its years, Costco's filing of 2019 tags net sales less merchandise costs, without membership fees, as
  // gross profit.
  const filing = { accession: '0000909832-19-000019', filed: '2019-10-11' };
  const costConcept = 'CostOfGoodsAndServicesSold';
  const costcoFacts = [
    ...makeFlowFacts({ Revenues: '141576000000', [costConcept]: '123152000000' }, { ...filing, ...DATES_OF_2018 }),
    ...makeFlowFacts({ Revenues: '152703000000', [costConcept]: '132886000000' }, { ...filing, ...DATES_OF_2019 }),
    ...makeFlowFacts({ GrossProfit: '16465000000' }, { ...filing, ...DATES_OF_2019 }),
  ];
  expect(listValues('gross_profit', costcoFacts)).toEqual(['2019-09-01 19817000000', '2018-09-02 18424000000']);
  expect(listValues('cost_of_revenue', costcoFacts)).toHaveLength(2);
});

test('a gross profit after amortization, only in a note on quarters, does not replace revenue less cost', () => {
  // As filed by Abbott for 2019.
  const filing = { accession: '0001104659-20-023904', filed: '2020-02-21' };
  const quarterDates = { start: '2019-10-01', end: '2019-12-31' };
  const yearDates = { start: '2019-01-01', end: '2019-12-31' };
  const abbottFacts = [
    ...makeFlowFacts(
      { Revenues: '31904000000', CostOfGoodsAndServicesSold: '13231000000' },
      { ...filing, ...yearDates },
    ),
    ...makeFlowFacts({ Revenues: '8314000000', GrossProfit: '4397000000' }, { ...filing, ...quarterDates }),
  ];
  expect(listValues('gross_profit', abbottFacts)).toEqual(['2019-12-31 18673000000']);
});

const TARGET_YEAR_DATES = { start: '2016-01-31', end: '2017-01-28' };

test('a gross profit is derived if a later filing restates revenue without stating gross profit', () => {
  // Target's 2016: other revenue is part of revenue since 2018, when gross profit was no longer a line.
  const costAmounts = { CostOfGoodsAndServicesSold: '49145000000' };
  const targetFacts = [
    ...makeFlowFacts(
      { SalesRevenueNet: '69495000000', ...costAmounts, GrossProfit: '20350000000' },
      { ...TARGET_YEAR_DATES, accession: '0000027419-18-000010', filed: '2018-03-14' },
    ),
    ...makeFlowFacts(
      { RevenueFromContractWithCustomerExcludingAssessedTax: '70271000000', ...costAmounts },
      { ...TARGET_YEAR_DATES, accession: '0000027419-19-000006', filed: '2019-03-13' },
    ),
  ];
  expect(listValues('gross_profit', targetFacts)).toEqual(['2017-01-28 21126000000']);
  expect(listValues('gross_profit', targetFacts, '2018-12-31')).toEqual(['2017-01-28 20350000000']);
});

test('a cost is not current if a later filing restates revenue without it, or reports it with another concept', () => {
  // Like Kimberly-Clark's first quarter of 2025, which was restated without a business held for sale.
  const quarterFields = { start: '2025-01-01', end: '2025-03-31', form: '10-Q' };
  const firstReport = { ...quarterFields, accession: '0000055785-25-000031', filed: '2025-04-22' };
  const nextReport = { ...quarterFields, accession: '0000055785-26-000031', filed: '2026-04-28' };
  const reportedFacts = makeFlowFacts({ Revenues: '4840', CostOfRevenue: '3110', GrossProfit: '1730' }, firstReport);
  const restatedFacts = makeFlowFacts({ Revenues: '4050', GrossProfit: '1510' }, nextReport);
  expect(listValues('cost_of_revenue', [...reportedFacts, ...restatedFacts])).toEqual([]);
  expect(listValues('cost_of_revenue', [...reportedFacts, ...restatedFacts], '2025-12-31')).toEqual([
    '2025-03-31 3110',
  ]);
  const nextYearQuarterDates = { start: '2026-01-01', end: '2026-03-31' };
  const factsOfOtherConcept = [
    ...makeFlowFacts({ CostOfGoodsAndServicesSold: '2540' }, nextReport),
    ...makeFlowFacts({ CostOfRevenue: '2600' }, { ...nextReport, ...nextYearQuarterDates }),
  ];
  expect(listValues('cost_of_revenue', [...reportedFacts, ...restatedFacts, ...factsOfOtherConcept])).toEqual([
    '2026-03-31 2600',
    '2025-03-31 2540',
  ]);
  expect(listValues('gross_profit', [...reportedFacts, ...restatedFacts, ...factsOfOtherConcept])).toEqual([
    '2025-03-31 1510',
  ]);
});

test("a cost is not read if another filing's gross profit shows that it is only a part of the total", () => {
  // AAR's 2011 has only the cost of products; a later report also has gross profit.
  const yearDates = { start: '2010-06-01', end: '2011-05-31' };
  const aarFacts = [
    ...makeFlowFacts(
      { SalesRevenueNet: '1805112000', CostOfGoodsSold: '1055135000' },
      { ...yearDates, accession: '0001104659-11-039126', filed: '2011-07-13' },
    ),
    ...makeFlowFacts(
      { SalesRevenueNet: '1805112000', GrossProfit: '307056000' },
      { ...yearDates, accession: '0001104659-12-049857', filed: '2012-07-19' },
    ),
  ];
  expect(listValues('cost_of_revenue', aarFacts)).toEqual([]);
  expect(listValues('gross_profit', aarFacts)).toEqual(['2011-05-31 307056000']);
  expect(listValues('cost_of_revenue', aarFacts, '2011-12-31')).toEqual(['2011-05-31 1055135000']);
});

test('a gross profit on the statement of a year is read even if the cost line belongs to only a part of revenue', () => {
  // Bally's 2010 has the cost of products and services on one line; the quarters in a note have the total cost.
  const filing = { accession: '0001047469-11-007702', filed: '2011-08-26' };
  const ballyFacts = [
    ...makeFlowFacts(
      { Revenues: '778191000', CostOfGoodsAndServicesSold: '196699000', GrossProfit: '498386000' },
      { ...filing, start: '2009-07-01', end: '2010-06-30' },
    ),
    ...makeFlowFacts(
      { Revenues: '187330000', CostOfRevenue: '69463000' },
      { ...filing, start: '2009-07-01', end: '2009-09-30' },
    ),
    ...makeFlowFacts(
      { Revenues: '204973000', CostOfRevenue: '74701000' },
      { ...filing, start: '2009-10-01', end: '2009-12-31' },
    ),
  ];
  expect(listValues('gross_profit', ballyFacts)[0]).toBe('2010-06-30 498386000');
  expect(listValues('cost_of_revenue', ballyFacts)).toEqual(['2009-12-31 74701000', '2009-09-30 69463000']);
});
