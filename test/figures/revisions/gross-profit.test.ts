import { expect, test } from 'vitest';
import type { Fact } from '../../../src/edgar/facts/fact-row.ts';
import { deriveCompanyFigures } from '../../../src/figures/company.ts';
import { listFigureValues } from '../../../src/figures/figure-values.ts';
import { fact } from '../filed-facts.ts';

type Amounts = Readonly<Record<string, string>>;

const flows = (amounts: Amounts, filing: Partial<Fact>) =>
  Object.entries(amounts).map(([concept, value]) => fact({ concept, value, ...filing }));

function valuesOf(key: string, facts: readonly Fact[], asOf: string | null = null): string[] {
  const { reportedValues } = deriveCompanyFigures(facts, [], { releaseDate: '2026-08-20' });
  return listFigureValues(reportedValues, { keys: [key], asOf }).map(({ end, value }) => `${end} ${value}`);
}

const YEARS = [
  { start: '2017-09-04', end: '2018-09-02' },
  { start: '2018-09-03', end: '2019-09-01' },
] as const;
const [OF_2018, OF_2019] = YEARS;

test('a gross profit without a line in the statement does not replace revenue less cost', () => {
  // Costco's filing of 2019 tags net sales less merchandise costs, without membership fees, for one of its years.
  const filing = { accession: '0000909832-19-000019', filed: '2019-10-11' };
  const cost = 'CostOfGoodsAndServicesSold';
  const costco = [
    ...flows({ Revenues: '141576000000', [cost]: '123152000000' }, { ...filing, ...OF_2018 }),
    ...flows({ Revenues: '152703000000', [cost]: '132886000000' }, { ...filing, ...OF_2019 }),
    ...flows({ GrossProfit: '16465000000' }, { ...filing, ...OF_2019 }),
  ];
  expect(valuesOf('gross_profit', costco)).toEqual(['2019-09-01 19817000000', '2018-09-02 18424000000']);
  expect(valuesOf('cost_of_revenue', costco)).toHaveLength(2);
});

test('a gross profit after amortization, only in a note on quarters, does not replace revenue less cost', () => {
  // As filed by Abbott for 2019.
  const filing = { accession: '0001104659-20-023904', filed: '2020-02-21' };
  const quarter = { start: '2019-10-01', end: '2019-12-31' };
  const year = { start: '2019-01-01', end: '2019-12-31' };
  const abbott = [
    ...flows({ Revenues: '31904000000', CostOfGoodsAndServicesSold: '13231000000' }, { ...filing, ...year }),
    ...flows({ Revenues: '8314000000', GrossProfit: '4397000000' }, { ...filing, ...quarter }),
  ];
  expect(valuesOf('gross_profit', abbott)).toEqual(['2019-12-31 18673000000']);
});

const TARGET_YEAR = { start: '2016-01-31', end: '2017-01-28' };

test('a gross profit is derived if a later filing restates revenue without stating gross profit', () => {
  // Target's 2016: other revenue is part of revenue since 2018, when gross profit was no longer a line.
  const cost = { CostOfGoodsAndServicesSold: '49145000000' };
  const target = [
    ...flows(
      { SalesRevenueNet: '69495000000', ...cost, GrossProfit: '20350000000' },
      { ...TARGET_YEAR, accession: '0000027419-18-000010', filed: '2018-03-14' },
    ),
    ...flows(
      { RevenueFromContractWithCustomerExcludingAssessedTax: '70271000000', ...cost },
      { ...TARGET_YEAR, accession: '0000027419-19-000006', filed: '2019-03-13' },
    ),
  ];
  expect(valuesOf('gross_profit', target)).toEqual(['2017-01-28 21126000000']);
  expect(valuesOf('gross_profit', target, '2018-12-31')).toEqual(['2017-01-28 20350000000']);
});

test('a cost is not current if a later filing restates revenue without it, or reports it with another concept', () => {
  // Like Kimberly-Clark's first quarter of 2025, which was restated without a business held for sale.
  const quarter = { start: '2025-01-01', end: '2025-03-31', form: '10-Q' };
  const first = { ...quarter, accession: '0000055785-25-000031', filed: '2025-04-22' };
  const next = { ...quarter, accession: '0000055785-26-000031', filed: '2026-04-28' };
  const reported = flows({ Revenues: '4840', CostOfRevenue: '3110', GrossProfit: '1730' }, first);
  const restated = flows({ Revenues: '4050', GrossProfit: '1510' }, next);
  expect(valuesOf('cost_of_revenue', [...reported, ...restated])).toEqual([]);
  expect(valuesOf('cost_of_revenue', [...reported, ...restated], '2025-12-31')).toEqual(['2025-03-31 3110']);
  const other = { start: '2026-01-01', end: '2026-03-31' };
  const renamed = [
    ...flows({ CostOfGoodsAndServicesSold: '2540' }, next),
    ...flows({ CostOfRevenue: '2600' }, { ...next, ...other }),
  ];
  expect(valuesOf('cost_of_revenue', [...reported, ...restated, ...renamed])).toEqual([
    '2026-03-31 2600',
    '2025-03-31 2540',
  ]);
  expect(valuesOf('gross_profit', [...reported, ...restated, ...renamed])).toEqual(['2025-03-31 1510']);
});

test('a cost that another filing’s gross profit shows to be only a part is not read', () => {
  // AAR's 2011 has only the cost of products; a later report also has gross profit.
  const year = { start: '2010-06-01', end: '2011-05-31' };
  const aar = [
    ...flows(
      { SalesRevenueNet: '1805112000', CostOfGoodsSold: '1055135000' },
      { ...year, accession: '0001104659-11-039126', filed: '2011-07-13' },
    ),
    ...flows(
      { SalesRevenueNet: '1805112000', GrossProfit: '307056000' },
      { ...year, accession: '0001104659-12-049857', filed: '2012-07-19' },
    ),
  ];
  expect(valuesOf('cost_of_revenue', aar)).toEqual([]);
  expect(valuesOf('gross_profit', aar)).toEqual(['2011-05-31 307056000']);
  expect(valuesOf('cost_of_revenue', aar, '2011-12-31')).toEqual(['2011-05-31 1055135000']);
});

test('a gross profit on the statement of a year is read even if its cost is that of a part of the revenue', () => {
  // Bally's 2010 has the cost of products and services on one line; the quarters in a note have the total cost.
  const filing = { accession: '0001047469-11-007702', filed: '2011-08-26' };
  const bally = [
    ...flows(
      { Revenues: '778191000', CostOfGoodsAndServicesSold: '196699000', GrossProfit: '498386000' },
      { ...filing, start: '2009-07-01', end: '2010-06-30' },
    ),
    ...flows(
      { Revenues: '187330000', CostOfRevenue: '69463000' },
      { ...filing, start: '2009-07-01', end: '2009-09-30' },
    ),
    ...flows(
      { Revenues: '204973000', CostOfRevenue: '74701000' },
      { ...filing, start: '2009-10-01', end: '2009-12-31' },
    ),
  ];
  expect(valuesOf('gross_profit', bally)[0]).toBe('2010-06-30 498386000');
  expect(valuesOf('cost_of_revenue', bally)).toEqual(['2009-12-31 74701000', '2009-09-30 69463000']);
});
