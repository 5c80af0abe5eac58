/** Figures are derived only from values on one basis: all restated in the same way, or all not restated. */
import { expect, test } from 'vitest';
import type { Fact } from '../../../src/edgar/facts/fact-row.ts';
import { deriveCompanyFigures } from '../../../src/figures/company.ts';
import { findFiguresAfterBasisBreak } from '../../../src/figures/derived/basis-breaks.ts';
import type { FigureValue } from '../../../src/figures/derived/figure.ts';
import { type FigureQuery, listFigureValues } from '../../../src/figures/figure-values.ts';
import { makeFact, readFiledFacts } from '../filed-facts.ts';

const DERIVE_OPTIONS = { releaseDate: '2026-08-20' };

function deriveFiguresOfFile(factsFile: string) {
  return deriveCompanyFigures(readFiledFacts(factsFile), [], DERIVE_OPTIONS);
}

function findFourthQuarterRevenue(factsFile: string, query: FigureQuery = {}): FigureValue | undefined {
  const values = listFigureValues(deriveFiguresOfFile(factsFile).reportedValues, { ...query, keys: ['revenue'] });
  return values.find(({ fiscalPeriod }) => fiscalPeriod === 'Q4');
}

test.each([
  ['pfe-2019', '12688000000', '41172000000'],
  ['ibm-2020', '20367000000', '55179000000'],
  ['jnj-2021', '24804000000', '78740000000'],
  ['t-2020', '45691000000', '143050000000'],
])(
  'the fourth quarter of a restated year with unrestated months is that of the first report: %s',
  (factsFile, value, restatedYear) => {
    expect(findFourthQuarterRevenue(factsFile)).toMatchObject({ value });
    const fourthQuarter = findFourthQuarterRevenue(factsFile, { values: 'first' });
    expect(fourthQuarter).toMatchObject({ value, confidence: '0.95', revised: false, revisionCount: 0 });
    expect(fourthQuarter?.inputs.map(({ role }) => role)).toEqual(['minuend', 'subtrahend']);
    // The year itself is shown with its restated value.
    const annualValues = deriveFiguresOfFile(factsFile).reportedValues.filter(
      ({ periodKind }) => periodKind === 'annual',
    );
    expect(annualValues.map((row) => row.value)).toContain(restatedYear);
    const marked = [...findFiguresAfterBasisBreak(deriveFiguresOfFile(factsFile).figures)];
    expect(marked.map((figure) => figure.periodKind)).toEqual(['annual']);
  },
);

test('a fourth quarter is derived from a restated year and restated months once both restatements are filed', () => {
  expect(findFourthQuarterRevenue('jpm-2020', { asOf: '2021-02-22' })).toBeUndefined();
  expect(findFourthQuarterRevenue('jpm-2020', { asOf: '2021-02-23' })).toMatchObject({
    value: '29224000000',
    revised: false,
  });
  // The nine months were restated on 2 November 2021, the year on 22 February 2022.
  expect(findFourthQuarterRevenue('jpm-2020', { asOf: '2021-11-01' })?.value).toBe('29224000000');
  expect(findFourthQuarterRevenue('jpm-2020', { asOf: '2022-02-21' })).toBeUndefined();
  expect(findFourthQuarterRevenue('jpm-2020', { asOf: '2022-02-22' })).toMatchObject({
    value: '29335000000',
    revised: true,
  });
  expect(findFourthQuarterRevenue('jpm-2020')?.value).toBe('29335000000');
});

test("if two concepts have a year's value, the concept that its nine months use is read", () => {
  expect(findFourthQuarterRevenue('jpm-2020')?.inputs.map(({ reported }) => reported.concept)).toEqual([
    'RevenuesNetOfInterestExpense',
    'RevenuesNetOfInterestExpense',
  ]);
});

test('twelve months are the sum of four quarters if all four exist', () => {
  // Without the restated comparative in the newest report, all four quarters have the same basis.
  const facts = readFiledFacts('bac-2025').filter(({ value }) => value !== '28247000000');
  const { screen } = deriveCompanyFigures(facts, [], DERIVE_OPTIONS);
  expect(screen?.figures.revenue_ttm).toBe('116003000000');
  expect(screen?.dates.ttm_end_date).toBe('2026-03-31');
});

test('twelve months are withheld if the newest report restates the quarter of the year before', () => {
  // The first quarter was restated from 27,366 to 28,247; the next three quarters were only reported on the old basis.
  expect(deriveFiguresOfFile('bac-2025').screen?.figures.revenue_ttm).toBeNull();
  // The figure of twelve months is also withheld if a filing reports the fourth quarter itself.
  const reportedFourthQuarterFact = makeFact({
    ...{ start: '2025-10-01', end: '2025-12-31', value: '31180000000' },
    ...{ accession: '0000070858-26-000157', filed: '2026-02-25' },
  });
  const { screen } = deriveCompanyFigures(
    [...readFiledFacts('bac-2025'), reportedFourthQuarterFact],
    [],
    DERIVE_OPTIONS,
  );
  expect(screen?.figures.revenue_ttm).toBeNull();
});

test('twelve months without quarters are withheld if only the year to date was restated', () => {
  const facts = readFiledFacts('bac-2025').filter(({ start }) => start === '2025-01-01' || start === '2026-01-01');
  const yearAndQuarterFacts = facts.filter(({ end }) => end !== '2025-06-30' && end !== '2025-09-30');
  const { screen } = deriveCompanyFigures(yearAndQuarterFacts, [], DERIVE_OPTIONS);
  // The sum 113,097 + 30,272 - 27,366 is wrong, and so is the same sum with the restated first quarter of 28,247.
  expect(screen?.figures.revenue_ttm).toBeNull();
});

test('a sum of two metrics is computed from the shown values, or withheld if only one was restated', () => {
  const [firstFiling, secondFiling] = [
    { accession: '0000000001-25-000001' },
    { accession: '0000000001-26-000001', filed: '2026-02-20' },
  ];
  const cashFlowFields = { concept: 'NetCashProvidedByUsedInOperatingActivities' };
  const capitalExpenditureFields = { concept: 'PaymentsToAcquirePropertyPlantAndEquipment', value: '30' };
  const listFreeCashFlowValues = (laterFacts: readonly object[]) => {
    const facts = [
      { ...cashFlowFields, ...firstFiling },
      { ...capitalExpenditureFields, ...firstFiling },
      ...laterFacts,
    ].map((fields) => makeFact(fields));
    const values = listFigureValues(deriveCompanyFigures(facts, [], DERIVE_OPTIONS).reportedValues, {
      keys: ['free_cash_flow'],
    });
    return values.map(({ value }) => value);
  };
  expect(listFreeCashFlowValues([{ ...cashFlowFields, ...secondFiling, value: '80' }])).toEqual([]);
  const bothLaterFacts = [
    { ...cashFlowFields, ...secondFiling, value: '80' },
    { ...capitalExpenditureFields, ...secondFiling },
  ];
  expect(listFreeCashFlowValues(bothLaterFacts)).toEqual(['50']);
});

test('a value with fewer digits is not a revision, and the more precise value stays current', () => {
  const { reportedValues } = deriveFiguresOfFile('axp-2021');
  expect(reportedValues.at(-1)).toMatchObject({ kind: 'same', value: '189000000000', filed: '2024-02-09' });
  const [assets] = listFigureValues(reportedValues, { keys: ['assets'] });
  expect(assets).toMatchObject({ value: '188548000000', revised: false, readFrom: { filed: '2023-02-10' } });
});

test.each([
  ['1234567', '1235000', 'same'],
  ['-1234567', '-1235000', 'same'],
  ['1234567', '1236000', 'revised'],
  // A later value with more digits is a revision, and so is a later value with a single significant digit.
  ['1235000', '1234567', 'revised'],
  ['1234567', '1000000', 'revised'],
])('a value of %s followed by %s is %s', (value, laterValue, kind) => {
  const facts = [
    makeFact({ concept: 'OperatingIncomeLoss', value }),
    makeFact({
      concept: 'OperatingIncomeLoss',
      value: laterValue,
      accession: '0000000001-26-000001',
      filed: '2026-02-20',
    }),
  ];
  expect(deriveCompanyFigures(facts, [], DERIVE_OPTIONS).reportedValues.map((row) => row.kind)).toEqual([
    'first',
    kind,
  ]);
});

test.each([
  ['1.04', '1', 'revised'],
  ['1.042', '1.04', 'same'],
])(
  'a shorter per-share value is the same value only if it is rounded to the cent: %s followed by %s is %s',
  (value, laterValue, kind) => {
    const epsFields = { concept: 'EarningsPerShareDiluted', unit: 'USD/shares' };
    const facts = [
      makeFact({}),
      makeFact({ ...epsFields, value }),
      makeFact({ ...epsFields, value: laterValue, accession: '0000000001-26-000001', filed: '2026-02-20' }),
    ];
    const rows = deriveCompanyFigures(facts, [], DERIVE_OPTIONS).reportedValues.filter(
      ({ metricKey }) => metricKey === 'eps_diluted',
    );
    expect(rows.map((row) => row.kind)).toEqual(['first', kind]);
  },
);

const findQuarterValue = (factsFile: string, key: string, end: string, asOf: string | null = null) =>
  listFigureValues(deriveFiguresOfFile(factsFile).reportedValues, { asOf, keys: [key] }).find(
    (value) => value.periodKind === 'quarter' && value.end === end,
  )?.value;

test('no second quarter is derived from a restated half year and an unrestated first quarter', () => {
  // The half year of 390 excludes the business that GE separated in April 2024, the quarter of 298 includes it, and the
  // quarter of 279 is of another concept.
  expect(findQuarterValue('ge-capex-2023', 'capital_expenditures', '2023-06-30')).toBeUndefined();
});

test('a fourth quarter is derived if one filing repeats the year unchanged and restates its months', () => {
  expect(findQuarterValue('mdb-2018', 'net_income', '2019-01-31')).toBe('-22187000');
});

test('no quarter is derived from a half year that no filing repeats after its first quarter was restated', () => {
  expect(findQuarterValue('coin-cash-2025', 'operating_cash_flow', '2025-06-30', '2026-05-06')).toBe('328474000');
  expect(findQuarterValue('coin-cash-2025', 'operating_cash_flow', '2025-06-30')).toBeUndefined();
});

test('no second quarter is derived if only later filings report the first quarter, because its basis is unknown', () => {
  expect(findQuarterValue('mrk-cash-2009', 'operating_cash_flow', '2009-06-30')).toBeUndefined();
});

test('no fourth quarter is derived if the report of the year restates the previous year, but not the months of the year', () => {
  const facts = readFiledFacts('coin-cash-2025');
  const findFourthQuarterValue = (companyFacts: readonly Fact[], asOf: string | null) =>
    listFigureValues(deriveCompanyFigures(companyFacts, [], DERIVE_OPTIONS).reportedValues, {
      asOf,
      keys: ['operating_cash_flow'],
    }).find(({ fiscalPeriod, end }) => fiscalPeriod === 'Q4' && end === '2025-12-31')?.value;
  expect(findFourthQuarterValue(facts, '2026-02-12')).toBeUndefined();
  expect(findFourthQuarterValue(facts, null)).toBeUndefined();
  const factsWithoutRecast = facts.filter(({ end, filed }) => end !== '2024-12-31' || filed !== '2026-02-12');
  expect(findFourthQuarterValue(factsWithoutRecast, null)).toBe('3065151000');
});

test('a fourth quarter is derived if the reports of the year and of its months both restate comparatives', () => {
  const operatingIncomeFigures = listFigureValues(deriveFiguresOfFile('amat-2019').reportedValues, {
    keys: ['operating_income'],
  });
  expect(
    operatingIncomeFigures.find(({ fiscalPeriod, end }) => fiscalPeriod === 'Q4' && end === '2019-10-27')?.value,
  ).toBe('864000000');
});
