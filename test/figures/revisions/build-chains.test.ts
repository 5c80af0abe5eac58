import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Fact } from '../../../src/edgar/facts/fact-row.ts';
import { deriveCompanyFigures } from '../../../src/figures/company.ts';
import { listFigureValues, selectFiguresOfPeriods } from '../../../src/figures/figure-values.ts';
import { selectValueAsOf, splitIntoChains } from '../../../src/figures/revisions/revision-chain.ts';
import { makeFact } from '../filed-facts.ts';

const DERIVE_OPTIONS = { releaseDate: '2030-01-01' };
const deriveFiguresOfFacts = (facts: readonly Fact[]) => deriveCompanyFigures(facts, [], DERIVE_OPTIONS);

/** Facts of one year's revenue in several filings, some of which are filed on the same day. */
const arbitraryHistory = fc
  .array(
    fc.tuple(fc.constantFrom('100', '100.0', '90', '-5', '12345678901234567890.5'), fc.integer({ min: 0, max: 12 })),
    {
      minLength: 1,
      maxLength: 10,
    },
  )
  .map((rows) =>
    rows.map(([value, month], index) =>
      makeFact({
        value,
        accession: `0000000001-25-${String(index).padStart(6, '0')}`,
        filed: `${2025 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-15`,
      }),
    ),
  );

test('ranks count from one in order of filing, whatever the order of the facts', () => {
  fc.assert(
    fc.property(arbitraryHistory, (facts) => {
      const { reportedValues } = deriveFiguresOfFacts(facts);
      expect(reportedValues.map((row) => row.rank)).toEqual(facts.map((_, index) => index + 1));
      expect(reportedValues.map((row) => row.filed)).toEqual(facts.map((row) => row.filed).sort());
      expect(deriveFiguresOfFacts([...facts].reverse()).reportedValues).toEqual(reportedValues);
      expect(reportedValues.map((row) => row.kind === 'first')).toEqual(reportedValues.map((row) => row.rank === 1));
    }),
  );
});

test('a filing has one value in a chain, even if its facts state two days of filing', () => {
  const other = { accession: '0000000001-25-000009', value: '120' };
  const { reportedValues } = deriveFiguresOfFacts([
    makeFact({ concept: 'SalesRevenueNet', filed: '2025-02-20' }),
    makeFact({ ...other, filed: '2025-02-20' }),
    makeFact({ filed: '2025-02-21' }),
  ]);
  expect(reportedValues.filter((row) => row.accession !== other.accession)).toHaveLength(1);
});

test('the chain as of a day is the beginning of the chain as of a later day', () => {
  fc.assert(
    fc.property(arbitraryHistory, fc.integer({ min: 0, max: 12 }), (facts, month) => {
      const day = `${2025 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-20`;
      const valuesOfDay = deriveCompanyFigures(facts, [], { releaseDate: day }).reportedValues;
      expect(deriveFiguresOfFacts(facts).reportedValues.slice(0, valuesOfDay.length)).toEqual(valuesOfDay);
      // Figures as of the day equal the figures of a release of that day.
      expect(listFigureValues(deriveFiguresOfFacts(facts).reportedValues, { asOf: day })).toEqual(
        listFigureValues(valuesOfDay),
      );
    }),
  );
});

test('as of a day, the last value filed by then is current', () => {
  fc.assert(
    fc.property(arbitraryHistory, (facts) => {
      const [chain = []] = splitIntoChains(deriveFiguresOfFacts(facts).reportedValues);
      for (const { filed } of chain) {
        expect(selectValueAsOf(chain, filed)?.reported).toBe(chain.findLast((row) => row.filed <= filed));
      }
      expect(selectValueAsOf(chain, '2024-12-31')).toBeNull();
      expect(selectValueAsOf(chain, null)?.reported).toBe(chain.at(-1));
    }),
  );
});

test('a late restatement of an old year does not become the latest figure', () => {
  const { reportedValues } = deriveFiguresOfFacts([
    makeFact({ value: '100' }),
    makeFact({
      start: '2025-01-01',
      end: '2025-12-31',
      value: '120',
      accession: '0000000001-26-000001',
      filed: '2026-02-20',
    }),
    makeFact({ value: '99', accession: '0000000001-26-000009', filed: '2026-08-01', form: '10-K/A' }),
  ]);
  const [latest] = selectFiguresOfPeriods(listFigureValues(reportedValues, { keys: ['revenue'] }), 'latest');
  expect(latest).toMatchObject({ end: '2025-12-31', value: '120' });
});

test('the preferred concept of a filing is read, and a filing with only a less preferred one revises nothing', () => {
  const netIncomeFields = { concept: 'NetIncomeLoss', value: '90' };
  const profitLossFields = { concept: 'ProfitLoss', value: '95' };
  const secondFiling = { accession: '0000000001-26-000001', filed: '2026-02-20', focusYear: 2025 };
  const listKindsAndValues = (facts: Fact[]) =>
    deriveFiguresOfFacts(facts)
      .reportedValues.filter((row) => row.metricKey === 'net_income')
      .map((row) => [row.kind, row.value]);
  expect(listKindsAndValues([makeFact(profitLossFields), makeFact(netIncomeFields)])).toEqual([['first', '90']]);
  // If a filing reports only the less preferred concept, that value revises nothing. If the filing also repeats the
  // first value under any other concept, the repeated value is read.
  expect(listKindsAndValues([makeFact(netIncomeFields), makeFact({ ...profitLossFields, ...secondFiling })])).toEqual([
    ['first', '90'],
  ]);
  const incomeToCommonFact = makeFact({
    ...secondFiling,
    concept: 'NetIncomeLossAvailableToCommonStockholdersBasic',
    value: '90',
  });
  expect(
    listKindsAndValues([
      makeFact(netIncomeFields),
      makeFact({ ...profitLossFields, ...secondFiling }),
      incomeToCommonFact,
    ]),
  ).toEqual([
    ['first', '90'],
    ['same', '90'],
  ]);
  // The second filing still uses the first filing's concept, for 2025. So its other concept, for 2024, is another
  // measure, and revises nothing.
  const nextYearIncomeFact = makeFact({
    ...netIncomeFields,
    ...secondFiling,
    start: '2025-01-01',
    end: '2025-12-31',
    value: '100',
  });
  expect(
    listKindsAndValues([
      makeFact(netIncomeFields),
      makeFact({ ...profitLossFields, ...secondFiling }),
      nextYearIncomeFact,
    ]),
  ).toEqual([
    ['first', '90'],
    ['first', '100'],
  ]);
  // The second filing reports both concepts. So the first filing's value was only similar to the metric, and the second
  // filing's value has the kind `revised`.
  expect(
    listKindsAndValues([
      makeFact(profitLossFields),
      makeFact({ ...profitLossFields, ...secondFiling }),
      makeFact({ ...netIncomeFields, ...secondFiling }),
    ]),
  ).toEqual([
    ['first', '95'],
    ['revised', '90'],
  ]);
});

test('revenue is read from its largest concept, unless an earlier filing uses another for the total, or gross profit plus cost equals another', () => {
  const findRevenue = (facts: Fact[]) =>
    deriveFiguresOfFacts(facts).reportedValues.find((row) => row.metricKey === 'revenue')?.value;
  const partialRevenueFact = makeFact({ concept: 'Revenues', value: '60' });
  const contractRevenueFact = makeFact({
    concept: 'RevenueFromContractWithCustomerExcludingAssessedTax',
    value: '100',
  });
  expect(findRevenue([partialRevenueFact, contractRevenueFact])).toBe('100');
  const priorYearFact = makeFact({
    concept: 'Revenues',
    value: '55',
    start: '2023-01-01',
    end: '2023-12-31',
    accession: '0000000001-24-000001',
    filed: '2024-02-20',
  });
  expect(
    deriveFiguresOfFacts([priorYearFact, partialRevenueFact, contractRevenueFact]).reportedValues.find(
      (row) => row.end === '2024-12-31',
    )?.value,
  ).toBe('60');
  const grossProfitAndCostFacts = [
    makeFact({ concept: 'GrossProfit', value: '40' }),
    makeFact({ concept: 'CostOfRevenue', value: '70' }),
  ];
  const goodsRevenueFact = makeFact({ concept: 'SalesRevenueGoodsNet', value: '110' });
  expect(findRevenue([partialRevenueFact, contractRevenueFact, goodsRevenueFact, ...grossProfitAndCostFacts])).toBe(
    '110',
  );
  // Amounts with cents, as some filers tag them, are equal to amounts without zeros at the end.
  const factsWithCents = [partialRevenueFact, contractRevenueFact, goodsRevenueFact, ...grossProfitAndCostFacts].map(
    (fact) => ({ ...fact, value: `${fact.value}.00` }),
  );
  expect(findRevenue(factsWithCents)).toBe('110.00');
});

test('a concept revises another one if its filing states equal amounts of both for two other years', () => {
  // Cohen & Steers restated three years for new rules, and tags the first of them with one concept only.
  const makeRevenue = (concept: string, year: number, value: string, filedIn = 2019) =>
    makeFact({
      ...{ concept, value, start: `${year}-01-01`, end: `${year}-12-31` },
      ...{ accession: `0001284812-${filedIn - 2000}-000102`, filed: `${filedIn}-03-01` },
    });
  const other = 'RevenueFromContractWithCustomerIncludingAssessedTax';
  const restated = [2017, 2018].flatMap((year) =>
    ['Revenues', other].map((concept) => makeRevenue(concept, year, `${year}00`)),
  );
  const facts = [makeRevenue('Revenues', 2016, '349876', 2017), makeRevenue(other, 2016, '351497'), ...restated];
  const listRevenues = (rows: readonly Fact[]) =>
    deriveFiguresOfFacts(rows)
      .reportedValues.filter(({ end }) => end === '2016-12-31')
      .map(({ kind, value }) => `${kind} ${value}`);
  expect(listRevenues(facts)).toEqual(['first 349876', 'revised 351497']);
  expect(listRevenues(facts.slice(0, -1))).toEqual(['first 349876']);
});

test('a fact that is not read as a metric is counted with the reason', () => {
  const { skipped, reportedValues } = deriveFiguresOfFacts([
    makeFact({}),
    makeFact({ form: 'DEF 14A', accession: '0000000001-25-000002' }),
    makeFact({ unit: 'USD/bbl', accession: '0000000001-25-000003' }),
    makeFact({ start: '2024-01-01', end: '2024-01-31', accession: '0000000001-25-000004' }),
    makeFact({ start: null, accession: '0000000001-25-000005' }),
    makeFact({ start: '2027-01-01', end: '2027-12-31', accession: '0000000001-25-000006' }),
    makeFact({ filed: '2031-01-01', accession: '0000000001-31-000001' }),
  ]);
  expect(reportedValues).toHaveLength(1);
  expect(skipped).toEqual({
    'a fact filed after the date of the release': 1,
    'an amount of a period that lacks a start date, or a balance that has one': 1,
    'a fact in a form that is not a financial report': 1,
    'a fact whose period is not a year, half year, nine months or quarter': 1,
    'a fact whose period ends after the filing date': 1,
    'a fact in a unit that does not fit the metric': 1,
  });
});

test('a CET1 ratio is neither the ratio that law requires nor a percentage', () => {
  // As tagged by First Hawaiian for 2019, 2021 and 2025.
  const facts = [
    { value: '0.045', end: '2019-12-31', filed: '2020-02-28', accession: '0001558370-20-001695' },
    { value: '4.5', end: '2021-12-31', filed: '2022-02-25', accession: '0001558370-22-002181' },
    { value: '0.1317', end: '2025-12-31', filed: '2026-02-27', accession: '0001104659-26-021544' },
  ].map((fact) => makeFact({ ...fact, concept: 'CommonEquityTierOneCapitalRatio', unit: 'pure', start: null }));
  const { reportedValues } = deriveFiguresOfFacts(facts);
  expect(reportedValues.map(({ metricKey, end, value }) => [metricKey, end, value])).toEqual([
    ['cet1_ratio', '2025-12-31', '0.1317'],
  ]);
});

test('the opening balance of a period is not a balance', () => {
  // As filed by Oceaneering: a change of accounting reduced equity on the first day of 2019.
  const years = [2018, 2019].map((year) => makeFact({ start: `${year}-01-01`, end: `${year}-12-31` }));
  const balances = [
    { end: '2018-12-31', value: '1415298000' },
    { end: '2019-01-01', value: '-5900000' },
  ].map((fact) => makeFact({ ...fact, start: null, concept: 'StockholdersEquity' }));
  const listEquity = (facts: readonly Fact[]) =>
    deriveFiguresOfFacts(facts)
      .reportedValues.filter(({ metricKey }) => metricKey === 'stockholders_equity')
      .map(({ end }) => end);
  expect(listEquity([...years, ...balances])).toEqual(['2018-12-31']);
  // Without the year that it opens, it may be the balance of a year that ends on this day.
  expect(listEquity([...years.slice(0, 1), ...balances])).toEqual(['2018-12-31', '2019-01-01']);
});

test('a filing that states a loss has no earnings per share above zero', () => {
  // As filed by ARMOUR for 2009.
  const makePerShare = (concept: string, value: string) => makeFact({ concept, value, unit: 'USD/shares' });
  const facts = [
    makeFact({ concept: 'NetIncomeLoss', value: '-1149427' }),
    makePerShare('EarningsPerShareDiluted', '0.16'),
    makePerShare('EarningsPerShareBasicAndDiluted', '-0.11'),
  ];
  const listEps = (ofFiling: readonly Fact[]) =>
    deriveFiguresOfFacts(ofFiling)
      .reportedValues.filter(({ metricKey }) => metricKey === 'eps_diluted')
      .map(({ value }) => value);
  expect(listEps(facts)).toEqual(['-0.11']);
  expect(listEps(facts.slice(0, 2))).toEqual([]);
  const profit = makeFact({ concept: 'NetIncomeLoss', value: '1149427' });
  expect(listEps([profit, ...facts.slice(1, 2)])).toEqual(['0.16']);
});

test('the income of common shares is the one that earnings per share confirm', () => {
  // As filed by U.S. Physical Therapy for 2013, with the income of the whole group as that of common shares.
  const facts = (perShare: string) => [
    makeFact({ concept: 'NetIncomeLoss', value: '12723000' }),
    makeFact({ concept: 'NetIncomeLossAvailableToCommonStockholdersBasic', value: '20996000' }),
    makeFact({ concept: 'EarningsPerShareBasic', value: perShare, unit: 'USD/shares' }),
    makeFact({ concept: 'WeightedAverageNumberOfSharesOutstandingBasic', value: '12063000', unit: 'shares' }),
  ];
  const listIncome = (perShare: string) =>
    deriveFiguresOfFacts(facts(perShare))
      .reportedValues.filter(({ metricKey }) => metricKey === 'net_income_common')
      .map(({ value }) => value);
  expect(listIncome('1.05')).toEqual([]);
  expect(listIncome('1.74')).toEqual(['20996000']);
});

test('a halving without a split is a revision, and a split that is only declared does not re-express values', () => {
  const epsFields = { concept: 'EarningsPerShareDiluted', unit: 'USD/shares' };
  const laterFiling = { accession: '0000000001-26-000001', filed: '2026-02-20' };
  const declaredSplitFact = makeFact({
    concept: 'StockholdersEquityNoteStockSplitConversionRatio1',
    unit: 'pure',
    start: null,
    end: '2025-06-06',
    value: '3',
    ...laterFiling,
  });
  const { reportedValues, splits } = deriveFiguresOfFacts([
    makeFact({}),
    makeFact({ ...epsFields, value: '4' }),
    makeFact({ ...epsFields, value: '2', ...laterFiling }),
    declaredSplitFact,
  ]);
  expect(splits).toEqual([]);
  const epsValues = reportedValues.filter((row) => row.metricKey === 'eps_diluted');
  expect(epsValues.map((row) => [row.kind, row.splitRatio])).toEqual([
    ['first', null],
    ['revised', null],
  ]);
});

/**
 * Returns facts of annual filings, one filing per year from 2025, all about the same period. Each element of `filings`
 * maps concepts to amounts.
 */
const makeFactsOfAnnualFilings = (filings: readonly Readonly<Record<string, string>>[]) =>
  filings.flatMap((amounts, index) =>
    Object.entries(amounts).map(([concept, value]) =>
      makeFact({
        concept,
        value,
        accession: `0000000001-${25 + index}-000001`,
        filed: `${2025 + index}-02-20`,
      }),
    ),
  );
const listCurrentValues = (metricKey: string, filings: readonly Readonly<Record<string, string>>[]) =>
  listFigureValues(deriveFiguresOfFacts(makeFactsOfAnnualFilings(filings)).reportedValues, { keys: [metricKey] }).map(
    ({ value }) => value,
  );

test.each([
  [
    'Procter & Gamble 2012',
    'revenue',
    [{ Revenues: '28400', SalesRevenueNet: '82006', CostOfGoodsSold: '41411' }],
    '82006',
  ],
  ['Eaton 2013', 'revenue', [{ Revenues: '0', SalesRevenueNet: '22046' }], '22046'],
  [
    'BK Technologies 2017',
    'cost_of_revenue',
    [{ CostOfGoodsAndServicesSold: '149', CostOfGoodsSold: '29845' }],
    '29845',
  ],
  [
    "McDonald's 2025",
    'depreciation_and_amortization',
    [{ DepreciationDepletionAndAmortization: '457', DepreciationAndAmortization: '2199', Depreciation: '1600' }],
    '2199',
  ],
  [
    'Tesla 2016',
    'depreciation_and_amortization',
    [
      { DepreciationAndAmortization: '947.099', DepreciationDepletionAndAmortization: '477.3' },
      { Depreciation: '477.3' },
    ],
    '947.099',
  ],
  [
    'Marvell 2023',
    'depreciation_and_amortization',
    [{ DepreciationAndAmortization: '304.9' }, { Depreciation: '126.8', OtherDepreciationAndAmortization: '304.9' }],
    '304.9',
  ],
  [
    'Microsoft 2025',
    'depreciation_and_amortization',
    [{ Depreciation: '22000', AmortizationOfIntangibleAssets: '6000' }],
    '28000',
  ],
  [
    'Kraft Heinz, second quarter of 2015',
    'net_income',
    [{ NetIncomeLoss: '-164' }, { NetIncomeLossAvailableToCommonStockholdersBasic: '-344' }],
    '-164',
  ],
])('the concept that is consistent with the filing is read: %s', (_, metricKey, filings, value) => {
  expect(listCurrentValues(metricKey, filings)).toEqual([value]);
});

test('a metric has no value if no concept is consistent with the filing', () => {
  expect(listCurrentValues('depreciation_and_amortization', [{ Depreciation: '15311' }])).toEqual([]);
  expect(listCurrentValues('depreciation_and_amortization', [{ OtherDepreciationAndAmortization: '7' }])).toEqual([]);
  expect(
    listCurrentValues('depreciation_and_amortization', [{ DepreciationAndAmortization: '5', Depreciation: '9' }]),
  ).toEqual([]);
  expect(listCurrentValues('revenue', [{ Revenues: '5', GrossProfit: '9' }])).toEqual([]);
  // AAR's report for the year to May 2013 has separate costs of goods and of services, so neither is the total.
  const aarAmounts = {
    SalesRevenueNet: '1807.9',
    CostOfGoodsSold: '840.9',
    CostOfServices: '707.5',
    GrossProfit: '259.5',
  };
  expect(listCurrentValues('cost_of_revenue', [aarAmounts])).toEqual([]);
});

test('a later filing that repeats a value with a concept of lower confidence is not the source of the value', () => {
  const CASH_CONCEPT = 'CashAndCashEquivalentsAtCarryingValue';
  const RESTRICTED_CASH_CONCEPT = 'CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents';
  // Apple's cash of September 2024: the 10-K reports both concepts, later 10-Qs report only the concept of the cash
  // flow statement.
  const balanceFields = { unit: 'USD', start: null, end: '2024-09-28', value: '29943000000' };
  const [annualFiling, quarterlyFiling] = [
    { accession: '0000320193-24-000123', form: '10-K', filed: '2024-11-01' },
    { accession: '0000320193-26-000006', form: '10-Q', filed: '2026-01-30' },
  ];
  const facts = [
    makeFact({ ...balanceFields, ...annualFiling, concept: CASH_CONCEPT }),
    makeFact({ ...balanceFields, ...annualFiling, concept: RESTRICTED_CASH_CONCEPT }),
    makeFact({ ...balanceFields, ...quarterlyFiling, concept: RESTRICTED_CASH_CONCEPT }),
  ];
  const [value] = listFigureValues(deriveCompanyFigures(facts, [], { releaseDate: '2026-08-20' }).reportedValues, {
    keys: ['cash_and_equivalents'],
  });
  expect(value).toMatchObject({
    confidence: '1',
    readFrom: { concept: CASH_CONCEPT, accession: annualFiling.accession },
  });
});
