import fc from 'fast-check';
import { expect, test } from 'vitest';
import { add, divide, multiply, subtract } from '../../../src/contract/decimal.ts';
import { METRIC_KEYS } from '../../../src/contract/figures.ts';
import { DATE_COLUMNS, SCREEN_FIGURES } from '../../../src/contract/screen-columns.ts';
import type { Fact } from '../../../src/edgar/facts/fact-row.ts';
import { deriveCompanyFigures } from '../../../src/figures/company.ts';
import { deriveFigures } from '../../../src/figures/derived/derive-figures.ts';
import { isDerivedOnRequest } from '../../../src/figures/derived/formulas.ts';
import {
  dropDuplicates,
  listFigureValues,
  selectFigures,
  selectFiguresOfPeriods,
} from '../../../src/figures/figure-values.ts';
import { listMappingsOfMetric } from '../../../src/figures/metrics/concepts.ts';
import { deriveScreenFigures } from '../../../src/figures/screen/derive-screen-row.ts';
import { createRatioFinderByFilings } from '../../../src/figures/shares/splits.ts';
import { makeFact, readFiledFacts } from '../filed-facts.ts';

// Apple's fiscal years 2025 and 2024, as stated in its 10-K of 2025-10-31.
const filingFields = { accession: '0000320193-25-000079', filed: '2025-10-31', focusYear: 2025 };
const makeYearFact = (concept: string, value: string, unit = 'USD') =>
  makeFact({ ...filingFields, concept, value, unit, start: '2024-09-29', end: '2025-09-27' });
const makePriorYearFact = (concept: string, value: string) =>
  makeFact({ ...filingFields, concept, value, start: '2023-10-01', end: '2024-09-28' });
const makeBalanceFact = (concept: string, value: string) =>
  makeFact({ ...filingFields, concept, value, start: null, end: '2025-09-27' });
const makeCoverFact = (end: string, value: string, accession = filingFields.accession, filed = filingFields.filed) =>
  makeFact({
    ...filingFields,
    taxonomy: 'dei',
    concept: 'EntityCommonStockSharesOutstanding',
    unit: 'shares',
    value,
    start: null,
    end,
    accession,
    filed,
  });
const APPLE_FACTS: Fact[] = [
  makeYearFact('RevenueFromContractWithCustomerExcludingAssessedTax', '416161000000'),
  makePriorYearFact('RevenueFromContractWithCustomerExcludingAssessedTax', '391035000000'),
  makeYearFact('CostOfGoodsAndServicesSold', '220960000000'),
  makeYearFact('NetIncomeLoss', '112010000000'),
  makePriorYearFact('NetIncomeLoss', '93736000000'),
  makeYearFact('EarningsPerShareDiluted', '7.46', 'USD/shares'),
  makeYearFact('NetCashProvidedByUsedInOperatingActivities', '111482000000'),
  makeYearFact('PaymentsToAcquirePropertyPlantAndEquipment', '12715000000'),
  makeBalanceFact('Assets', '359241000000'),
  makeBalanceFact('StockholdersEquity', '73733000000'),
  makeCoverFact('2025-10-17', '14776353000'),
  makeCoverFact('2024-10-18', '15115823000', '0000320193-24-000123', '2024-11-01'),
  // The annual report before, to whose cover the count belongs.
  makeFact({
    ...{ accession: '0000320193-24-000123', filed: '2024-11-01', focusYear: 2024 },
    ...{ concept: 'NetIncomeLoss', value: '93736000000', start: '2023-10-01', end: '2024-09-28' },
  }),
];
const deriveFiguresOfFacts = (facts: readonly Fact[], releaseDate = '2025-12-01') =>
  deriveCompanyFigures(facts, [], { releaseDate });

test('an amount that cover pages last stated more than fifteen months before the end of the year is null in the row', () => {
  // Under Armour stated its public float for the last time in its report of 2015.
  const makePublicFloatFact = (end: string) =>
    makeFact({
      ...{ taxonomy: 'dei', concept: 'EntityPublicFloat', value: '15034547119', start: null, end },
      ...{ accession: filingFields.accession, filed: '2025-10-31', focusYear: 2025 },
    });
  const deriveRowWithPublicFloat = (end: string) =>
    deriveFiguresOfFacts([...APPLE_FACTS, makePublicFloatFact(end)]).screen;
  expect(deriveRowWithPublicFloat('2015-06-30')?.figures.public_float).toBeNull();
  expect(deriveRowWithPublicFloat('2015-06-30')?.dates.public_float_end_date).toBeNull();
  // The last day of the second quarter, for which cover pages state the public float.
  expect(deriveRowWithPublicFloat('2025-03-28')?.figures.public_float).toBe('15034547119');
  expect(deriveRowWithPublicFloat('2025-03-28')?.dates.public_float_end_date).toBe('2025-03-28');
});

test('the row of a company has its fiscal year and ratios, and null for missing figures', () => {
  const screen = deriveFiguresOfFacts(APPLE_FACTS).screen;
  expect(screen?.fiscalYear).toBe(2025);
  expect(screen?.dates).toMatchObject({
    annual_end_date: '2025-09-27',
    prior_annual_end_date: '2024-09-28',
    instant_end_date: '2025-09-27',
    shares_outstanding_end_date: '2025-10-17',
    ttm_end_date: '2025-09-27',
    price_day: null,
  });
  expect(screen?.figures).toMatchObject({
    revenue: '416161000000',
    revenue_prior: '391035000000',
    gross_profit: '195201000000', // derived: revenue less its cost
    free_cash_flow: '98767000000',
    liabilities: '285508000000', // derived: assets less equity
    net_margin: '0.2691506412', // 112010 / 416161 = 0.269150641218...
    revenue_yoy: '0.0642551178', // 25126 / 391035 = 0.064255117828...
    roe: '1.5191298333', // 112010 / 73733 = 1.519129833317...
    shares_change: '-0.0224579237', // -339470 / 15115823 = -0.022457923674...
    revenue_ttm: '416161000000',
    current_ratio: null,
    dividends_paid: null,
    capital_returns: null,
    pe: null,
    market_cap: null,
  });
  expect(Object.keys(screen?.figures ?? {})).toEqual(SCREEN_FIGURES.map((figure) => figure.key));
  expect(Object.keys(screen?.dates ?? {})).toEqual([...DATE_COLUMNS]);
});

test('ratios to the price are derived only from figures in the currency of the price', () => {
  const { reportedValues, splits } = deriveFiguresOfFacts(APPLE_FACTS);
  const price = { day: '2025-12-01', price: '280.00', marketCap: '4137378840000' };
  const row = deriveScreenFigures(deriveFigures(reportedValues, null), {
    splits,
    releaseDate: '2025-12-01',
    market: { price, ratioBetween: createRatioFinderByFilings(splits) },
  });
  expect(row?.figures).toMatchObject({
    price: '280.00',
    pe: '37.5335120643', // 280 / 7.46
    ps: '9.9417745536', // 4137378.84 / 416161
    pb: '56.1129865867', // 4137378.84 / 73733
    fcf_yield: '0.0238718773', // 98767 / 4137378.84
    dividend_yield: null,
  });
  const companyInTaiwanDollars = deriveFiguresOfFacts(
    APPLE_FACTS.map((row) => ({ ...row, unit: row.unit.replace('USD', 'TWD') })),
  );
  const rowInTaiwanDollars = deriveScreenFigures(deriveFigures(companyInTaiwanDollars.reportedValues, null), {
    splits: [],
    releaseDate: '2025-12-01',
    market: { price, ratioBetween: createRatioFinderByFilings([]) },
  });
  expect(rowInTaiwanDollars?.figures).toMatchObject({
    price: '280.00',
    market_cap: '4137378840000',
    pe: null,
    ps: null,
  });
});

test('enterprise value is market cap plus net debt, if both are in one currency', () => {
  const facts = [
    ...APPLE_FACTS,
    makeYearFact('OperatingIncomeLoss', '133050000000'),
    makeYearFact('DepreciationDepletionAndAmortization', '11698000000'),
    makeBalanceFact('LongTermDebtNoncurrent', '78328000000'),
    makeBalanceFact('LongTermDebtCurrent', '12350000000'),
    makeBalanceFact('CommercialPaper', '7979000000'),
    makeBalanceFact('CashAndCashEquivalentsAtCarryingValue', '35934000000'),
    makeBalanceFact('MarketableSecuritiesCurrent', '18763000000'),
  ];
  const price = { day: '2025-12-01', price: '280.00', marketCap: '4137378840000' };
  const deriveRow = (companyFacts: readonly Fact[], hasPrice = true) =>
    deriveScreenFigures(deriveFigures(deriveFiguresOfFacts(companyFacts).reportedValues, null), {
      splits: [],
      releaseDate: '2025-12-01',
      market: hasPrice ? { price, ratioBetween: createRatioFinderByFilings([]) } : null,
    })?.figures;
  expect(deriveRow(facts)).toMatchObject({
    total_debt: '98657000000',
    net_debt: '43960000000', // 98657 - 35934 - 18763
    ebitda: '144748000000',
    enterprise_value: '4181338840000',
    ev_to_ebitda: '28.8870232404', // 4181338.84 / 144748
    ev_to_revenue: '10.0474067488', // 4181338.84 / 416161
  });
  expect(deriveRow(facts, false)).toMatchObject({
    net_debt: '43960000000',
    enterprise_value: null,
    ev_to_revenue: null,
  });
  expect(deriveRow(APPLE_FACTS)).toMatchObject({ market_cap: '4137378840000', enterprise_value: null });
  const factsInTaiwanDollars = facts.map((row) => ({ ...row, unit: row.unit.replace('USD', 'TWD') }));
  expect(deriveRow(factsInTaiwanDollars)).toMatchObject({
    market_cap: '4137378840000',
    enterprise_value: null,
    ev_to_ebitda: null,
  });
});

test('amounts are those that a company states in dollars, or null if it states them only in another currency', () => {
  // TSMC's reports state these revenues in dollars next to 2,894,307.7 and 2,161,735.8 million Taiwan dollars. The
  // facts in tsm.txt have net income only in Taiwan dollars.
  expect(deriveFiguresOfFacts(readFiledFacts('tsm'), '2026-08-18').screen?.figures).toMatchObject({
    revenue: '88268000000',
    revenue_prior: '70598800000',
    net_income: null,
    net_margin: '0.4002270387', // 1158380.2 / 2894307.7: both in one currency
    revenue_yoy: '0.3388813286', // growth in Taiwan dollars, so exchange rates have no effect
  });
  const screenInEuros = deriveFiguresOfFacts(
    APPLE_FACTS.map((row) => ({ ...row, unit: row.unit.replace('USD', 'EUR') })),
  ).screen;
  expect(screenInEuros?.figures).toMatchObject({
    revenue: null,
    eps_diluted: null,
    assets: null,
    revenue_ttm: null,
    net_margin: '0.2691506412',
    roe: '1.5191298333',
    common_shares_outstanding: '14776353000',
  });
  expect(screenInEuros?.fiscalYear).toBe(2025);
});

test('trailing twelve months are withheld if a later report should have been filed by the release date', () => {
  expect(deriveFiguresOfFacts(APPLE_FACTS, '2026-08-01').screen?.figures.revenue_ttm).toBeNull();
  expect(deriveFiguresOfFacts(APPLE_FACTS, '2026-08-01').screen?.figures.revenue).toBe('416161000000');
});

test('ratios to negative equity or zero revenue are null, and a company without core figures has no row', () => {
  const factsWithNegativeEquity = APPLE_FACTS.map((row) =>
    row.concept === 'StockholdersEquity' ? { ...row, value: '-5' } : row,
  );
  expect(deriveFiguresOfFacts(factsWithNegativeEquity).screen?.figures).toMatchObject({
    roe: null,
    liabilities_to_equity: null,
    stockholders_equity: '-5',
  });
  const factsWithZeroRevenue = APPLE_FACTS.map((row) =>
    row.concept.startsWith('RevenueFrom') ? { ...row, value: '0' } : row,
  );
  expect(deriveFiguresOfFacts(factsWithZeroRevenue).screen?.figures).toMatchObject({
    revenue: '0',
    net_margin: null,
    revenue_yoy: null,
  });
  expect(deriveFiguresOfFacts([makeCoverFact('2025-10-17', '14776353000')]).screen).toBeNull();
  expect(deriveFiguresOfFacts([]).screen).toBeNull();
});

test('ratios are derived only on request, each with its numerator and denominator', () => {
  const { reportedValues, splits } = deriveFiguresOfFacts(APPLE_FACTS);
  expect(listFigureValues(reportedValues).some((value) => isDerivedOnRequest(value.metricKey))).toBe(false);
  const [margin] = listFigureValues(reportedValues, { keys: ['fcf_margin'], splits });
  expect(margin).toMatchObject({
    value: '0.2373288223',
    unit: 'pure',
    periodKind: 'annual',
    valueKind: 'derived',
    fiscalYear: 2025,
  });
  expect(margin?.inputs.map(({ role, reported }) => [role, reported.concept])).toEqual([
    ['numerator', 'NetCashProvidedByUsedInOperatingActivities'],
    ['numerator', 'PaymentsToAcquirePropertyPlantAndEquipment'],
    ['denominator', 'RevenueFromContractWithCustomerExcludingAssessedTax'],
  ]);
});

test('"latest" prefers years to quarters, and a quarter filed with two start dates is shown once', () => {
  const quarterFact = makeFact({
    ...filingFields,
    concept: 'NetIncomeLoss',
    value: '27466000000',
    start: '2025-06-29',
    end: '2025-09-27',
  });
  const misdatedFact = makeFact({
    ...filingFields,
    concept: 'NetIncomeLoss',
    value: '27000000000',
    start: '2025-06-28',
    end: '2025-09-27',
  });
  const { currentFigures } = selectFigures(
    deriveFiguresOfFacts([...APPLE_FACTS, quarterFact, misdatedFact]).reportedValues,
    {
      keys: ['net_income'],
    },
  );
  expect(selectFiguresOfPeriods(currentFigures, 'latest').map((value) => value.value)).toEqual(['112010000000']);
  const quarterFigures = dropDuplicates(currentFigures).filter((value) => value.periodKind === 'quarter');
  expect(quarterFigures.map((value) => [value.start, value.value])).toEqual([['2025-06-29', '27466000000']]);
});

test('if two years end on one day, the one filed first is used', () => {
  const { reportedValues } = deriveCompanyFigures(readFiledFacts('nkla-2018'), [], { releaseDate: '2026-08-20' });
  const values = selectFigures(reportedValues, { keys: ['net_income'], period: 'annual' }).currentFigures.filter(
    ({ end }) => end === '2018-12-31',
  );
  expect(values.map(({ start, value }) => [start, value])).toEqual([
    ['2018-01-01', '-64293000'],
    ['2018-01-23', '1913035'],
  ]);
  expect(dropDuplicates(values).map(({ start }) => start)).toEqual(['2018-01-23']);
});

test('the share count of a cover page has the fiscal period of its report', () => {
  const values = selectFiguresOfPeriods(
    listFigureValues(deriveFiguresOfFacts(APPLE_FACTS).reportedValues, { keys: ['common_shares_outstanding'] }),
    'annual',
  );
  expect(values[0]).toMatchObject({ end: '2025-10-17', fiscalYear: 2025, fiscalPeriod: 'FY', value: '14776353000' });
});

test('every metric except five derived ones has concepts, and no metric lists a concept twice', () => {
  expect(METRIC_KEYS.filter((key) => listMappingsOfMetric(key).length === 0)).toEqual([
    'ebitda',
    'free_cash_flow',
    'working_capital',
    'total_debt',
    'net_debt',
  ]);
  const mappingNames = METRIC_KEYS.flatMap(listMappingsOfMetric).map(
    (mapping) => `${mapping.metricKey} ${mapping.taxonomy} ${mapping.concept}`,
  );
  expect(new Set(mappingNames).size).toBe(mappingNames.length);
});

test('sums and products are exact at any length, quotients have ten decimal places', () => {
  const arbitraryInteger = fc.bigInt({ min: -(10n ** 60n), max: 10n ** 60n });
  fc.assert(
    fc.property(arbitraryInteger, arbitraryInteger, (a, b) => {
      expect(add(`${a}`, `${b}`)).toBe(`${a + b}`);
      expect(subtract(`${a}`, `${b}`)).toBe(`${a - b}`);
      expect(multiply(`${a}`, `${b}`)).toBe(`${a * b}`);
    }),
  );
  expect(add('0.1', '0.2')).toBe('0.3');
  expect(divide('1', '3')).toBe('0.3333333333');
  expect(divide('2', '3')).toBe('0.6666666667');
  expect(divide('1', '20000000000')).toBe('0'); // Rounds half to even.
  expect(divide('3', '20000000000')).toBe('0.0000000002');
  expect(divide('-1', '20000000000')).toBe('0');
  expect(divide('10', '4')).toBe('2.5');
  expect(divide('1', '0.00')).toBeNull();
});
