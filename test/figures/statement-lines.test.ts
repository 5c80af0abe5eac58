/** Compares lines of printed annual statements with figures derived from the same companies' facts. */
import { expect, test } from 'vitest';
import { add, multiply, subtract, takeAbsoluteValue } from '../../src/contract/decimal.ts';
import { compareDecimals } from '../../src/contract/decimal-text.ts';
import { listOperands, METRIC_KEYS, REMAINDERS } from '../../src/contract/figures.ts';
import { readCompanyFacts } from '../../src/edgar/facts/company-facts.ts';
import type { Fact } from '../../src/edgar/facts/fact-row.ts';
import { openPublicFiles } from '../../src/edgar/files/public-files.ts';
import { readSubmissions } from '../../src/edgar/filings/submissions.ts';
import { deriveCompanyFigures } from '../../src/figures/company.ts';
import type { FigureValue } from '../../src/figures/derived/figure.ts';
import { listFigureValues } from '../../src/figures/figure-values.ts';
import { pushTo } from '../../src/platform/collections.ts';
import { getPublicFilePath, testWithPublicFile } from '../public-files.ts';
import { readFiledFacts } from './filed-facts.ts';

const DERIVE_OPTIONS = { releaseDate: '2026-08-20' };

/**
 * Each line has a metric, a ticker, a CIK, the end of the period, a value, and the filing whose statement has the line.
 * A dash instead of the filing means that the figure is derived.
 */
const STATEMENT_LINES_TEXT = `
    operating_expenses AAPL 320193 2025-09-27 62151000000 0000320193-25-000079
    operating_expenses MSFT 789019 2025-06-30 65365000000 0000950170-25-100235
    operating_expenses NVDA 1045810 2026-01-25 23076000000 0001045810-26-000021
    research_and_development AAPL 320193 2025-09-27 34550000000 0000320193-25-000079
    research_and_development MSFT 789019 2025-06-30 32488000000 0000950170-25-100235
    research_and_development NVDA 1045810 2026-01-25 18497000000 0001045810-26-000021
    selling_general_and_administrative AAPL 320193 2025-09-27 27601000000 0000320193-25-000079
    selling_general_and_administrative MSFT 789019 2025-06-30 32877000000 -
    selling_general_and_administrative NVDA 1045810 2026-01-25 4579000000 0001045810-26-000021
    interest_income AAPL 320193 2023-09-30 3750000000 0000320193-23-000106
    interest_income NVDA 1045810 2026-01-25 2300000000 0001045810-26-000021
    interest_income PG 80424 2025-06-30 469000000 0000080424-25-000076
    interest_expense AAPL 320193 2023-09-30 3933000000 0000320193-23-000106
    interest_expense MSFT 789019 2025-06-30 2385000000 0000950170-25-100235
    interest_expense NVDA 1045810 2026-01-25 259000000 0001045810-26-000021
    pretax_income AAPL 320193 2025-09-27 132729000000 0000320193-25-000079
    pretax_income MSFT 789019 2025-06-30 123627000000 0000950170-25-100235
    pretax_income NVDA 1045810 2026-01-25 141450000000 0001045810-26-000021
    income_tax AAPL 320193 2025-09-27 20719000000 0000320193-25-000079
    income_tax MSFT 789019 2025-06-30 21795000000 0000950170-25-100235
    income_tax NVDA 1045810 2026-01-25 21383000000 0001045810-26-000021
    net_income_noncontrolling PG 80424 2025-06-30 91000000 0000080424-25-000076
    net_income_noncontrolling WMT 104169 2026-01-31 377000000 0000104169-26-000055
    net_income_noncontrolling APH 820313 2025-12-31 35000000 0001104659-26-013549
    eps_basic AAPL 320193 2025-09-27 7.49 0000320193-25-000079
    eps_basic MSFT 789019 2025-06-30 13.7 0000950170-25-100235
    eps_basic NVDA 1045810 2026-01-25 4.93 0001045810-26-000021
    weighted_shares_basic AAPL 320193 2025-09-27 14948500000 0000320193-25-000079
    weighted_shares_basic MSFT 789019 2025-06-30 7433000000 0000950170-25-100235
    weighted_shares_basic NVDA 1045810 2026-01-25 24359000000 0001045810-26-000021
    weighted_shares_diluted AAPL 320193 2025-09-27 15004697000 0000320193-25-000079
    weighted_shares_diluted MSFT 789019 2025-06-30 7465000000 0000950170-25-100235
    weighted_shares_diluted NVDA 1045810 2026-01-25 24514000000 0001045810-26-000021
    ebitda AAPL 320193 2025-09-27 144748000000 -
    ebitda MSFT 789019 2025-06-30 156528000000 -
    ebitda NVDA 1045810 2026-01-25 133230000000 -
    acquisitions AAPL 320193 2022-09-24 306000000 0000320193-22-000108
    acquisitions NVDA 1045810 2026-01-25 1535000000 0001045810-26-000021
    acquisitions PG 80424 2025-06-30 11000000 0000080424-25-000076
    investing_cash_flow AAPL 320193 2025-09-27 15195000000 0000320193-25-000079
    investing_cash_flow MSFT 789019 2025-06-30 -72599000000 0000950170-25-100235
    investing_cash_flow NVDA 1045810 2026-01-25 -52228000000 0001045810-26-000021
    debt_issued AAPL 320193 2025-09-27 4481000000 0000320193-25-000079
    debt_issued MSFT 789019 2024-06-30 24395000000 0000950170-25-100235
    debt_issued NVDA 1045810 2022-01-30 4977000000 0001045810-24-000029
    debt_repaid AAPL 320193 2025-09-27 10932000000 0000320193-25-000079
    debt_repaid MSFT 789019 2025-06-30 3216000000 0000950170-25-100235
    debt_repaid NVDA 1045810 2025-01-26 1250000000 0001045810-26-000021
    financing_cash_flow AAPL 320193 2025-09-27 -120686000000 0000320193-25-000079
    financing_cash_flow MSFT 789019 2025-06-30 -51699000000 0000950170-25-100235
    financing_cash_flow NVDA 1045810 2026-01-25 -48474000000 0001045810-26-000021
    short_term_investments AAPL 320193 2024-09-28 35228000000 0000320193-25-000079
    short_term_investments MSFT 789019 2024-06-30 57228000000 0000950170-25-100235
    short_term_investments NVDA 1045810 2024-01-28 18704000000 0001045810-25-000023
    receivables AAPL 320193 2024-09-28 33410000000 0000320193-25-000079
    receivables MSFT 789019 2024-06-30 56924000000 0000950170-25-100235
    receivables NVDA 1045810 2025-01-26 23065000000 0001045810-26-000021
    inventories AAPL 320193 2024-09-28 7286000000 0000320193-25-000079
    inventories MSFT 789019 2024-06-30 1246000000 0000950170-25-100235
    inventories NVDA 1045810 2025-01-26 10080000000 0001045810-26-000021
    property_plant_and_equipment AAPL 320193 2024-09-28 45680000000 0000320193-25-000079
    property_plant_and_equipment MSFT 789019 2024-06-30 135591000000 0000950170-25-100235
    property_plant_and_equipment NVDA 1045810 2025-01-26 6283000000 0001045810-26-000021
    goodwill AAPL 320193 2016-09-24 5414000000 0000320193-17-000070
    goodwill MSFT 789019 2024-06-30 119220000000 0000950170-25-100235
    goodwill NVDA 1045810 2025-01-26 5188000000 0001045810-26-000021
    intangible_assets AAPL 320193 2016-09-24 3206000000 0000320193-17-000070
    intangible_assets MSFT 789019 2024-06-30 27597000000 0000950170-25-100235
    intangible_assets NVDA 1045810 2025-01-26 807000000 0001045810-26-000021
    payables AAPL 320193 2024-09-28 68960000000 0000320193-25-000079
    payables MSFT 789019 2024-06-30 21996000000 0000950170-25-100235
    payables NVDA 1045810 2025-01-26 6310000000 0001045810-26-000021
    deferred_revenue AAPL 320193 2024-09-28 8249000000 0000320193-25-000079
    deferred_revenue MSFT 789019 2024-06-30 57582000000 0000950170-25-100235
    deferred_revenue NVDA 1045810 2025-01-26 837000000 0001045810-26-000021
    short_term_debt AAPL 320193 2024-09-28 20879000000 -
    short_term_debt MSFT 789019 2024-06-30 8942000000 -
    short_term_debt NVDA 1045810 2024-01-28 1250000000 0001045810-25-000023
    long_term_debt AAPL 320193 2024-09-28 85750000000 0000320193-25-000079
    long_term_debt MSFT 789019 2024-06-30 42688000000 0000950170-25-100235
    long_term_debt NVDA 1045810 2025-01-26 8463000000 0001045810-26-000021
    total_debt AAPL 320193 2024-09-28 106629000000 -
    total_debt MSFT 789019 2024-06-30 51630000000 -
    total_debt NVDA 1045810 2025-01-26 8463000000 -
    net_debt AAPL 320193 2024-09-28 41458000000 -
    net_debt MSFT 789019 2024-06-30 -23913000000 -
    net_debt NVDA 1045810 2025-01-26 -34747000000 -
    retained_earnings AAPL 320193 2024-09-28 -19154000000 0000320193-25-000079
    retained_earnings MSFT 789019 2024-06-30 173144000000 0000950170-25-100235
    retained_earnings NVDA 1045810 2025-01-26 68038000000 0001045810-26-000021
    noncontrolling_interests PG 80424 2024-06-30 272000000 0000080424-25-000076
    noncontrolling_interests WMT 104169 2025-01-31 6408000000 0000104169-26-000055
    noncontrolling_interests APH 820313 2025-12-31 87300000 0001104659-26-013549
    long_term_investments AAPL 320193 2025-09-27 77723000000 0000320193-25-000079
    long_term_investments ABT 1800 2023-12-31 799000000 0001628280-24-005348
    operating_lease_assets MSFT 789019 2025-06-30 24823000000 0000950170-25-100235
    operating_lease_assets NVDA 1045810 2026-01-25 2867000000 0001045810-26-000021
    operating_lease_assets WMT 104169 2026-01-31 14750000000 0000104169-26-000055
    deferred_tax_assets NVDA 1045810 2026-01-25 13258000000 0001045810-26-000021
    deferred_tax_assets AAPL 320193 2025-09-27 20777000000 0000320193-25-000079
    deferred_tax_assets GOOGL 1652044 2025-12-31 9113000000 0001652044-26-000018
    operating_lease_liabilities MSFT 789019 2025-06-30 17437000000 0000950170-25-100235
    operating_lease_liabilities NVDA 1045810 2026-01-25 2572000000 0001045810-26-000021
    operating_lease_liabilities WMT 104169 2026-01-31 13941000000 0000104169-26-000055
    deferred_tax_liabilities MSFT 789019 2025-06-30 2835000000 0000950170-25-100235
    deferred_tax_liabilities PG 80424 2025-06-30 5774000000 0000080424-25-000076
    deferred_tax_liabilities HD 354950 2026-02-01 2845000000 0001628280-26-019436
    temporary_equity WMT 104169 2026-01-31 293000000 0000104169-26-000055
    temporary_equity APH 820313 2025-12-31 9300000 0001104659-26-013549
    paid_in_capital NVDA 1045810 2026-01-25 10118000000 0001045810-26-000021
    paid_in_capital PG 80424 2025-06-30 68770000000 0000080424-25-000076
    paid_in_capital AAPL 320193 2025-09-27 93568000000 0000320193-25-000079
    treasury_stock PG 80424 2025-06-30 138702000000 0000080424-25-000076
    treasury_stock MCD 63908 2025-12-31 79316000000 0000063908-26-000035
    treasury_stock HD 354950 2026-02-01 95971000000 0001628280-26-019436
    accumulated_other_comprehensive_income AAPL 320193 2025-09-27 -5571000000 0000320193-25-000079
    accumulated_other_comprehensive_income MSFT 789019 2025-06-30 -3347000000 0000950170-25-100235
    accumulated_other_comprehensive_income NVDA 1045810 2026-01-25 178000000 0001045810-26-000021
    total_equity PG 80424 2025-06-30 52284000000 0000080424-25-000076
    total_equity WMT 104169 2026-01-31 105887000000 0000104169-26-000055
    total_equity APH 820313 2025-12-31 13500400000 0001104659-26-013549
    working_capital AAPL 320193 2025-09-27 -17674000000 -
    working_capital MSFT 789019 2025-06-30 49913000000 -
    working_capital NVDA 1045810 2026-01-25 93442000000 -
`;

interface StatementLine {
  readonly metric: string;
  readonly name: string;
  readonly end: string;
  readonly value: string;
  /** The filing whose statement has the line; null if the figure is derived. */
  readonly accession: string | null;
}

function parseLinesByCik(): Map<number, StatementLine[]> {
  const linesByCik = new Map<number, StatementLine[]>();
  for (const line of STATEMENT_LINES_TEXT.trim().split('\n')) {
    const [metric = '', ticker = '', cik = '', end = '', value = '', accession = '-'] = line.trim().split(' ');
    const figureName = `${ticker} ${metric} ${end}`;
    pushTo(linesByCik, Number(cik), {
      metric,
      name: figureName,
      end,
      value,
      accession: accession === '-' ? null : accession,
    });
  }
  return linesByCik;
}

testWithPublicFile(
  'companyfacts.zip',
  'each listed line of an annual report equals the derived figure, and cash flows add up',
  async () => {
    const publicFiles = await openPublicFiles(getPublicFilePath(''));
    const failures: string[] = [];
    for (const [cik, lines] of parseLinesByCik()) {
      const { facts } = readCompanyFacts((await publicFiles.readFacts(cik)) ?? Buffer.alloc(0));
      const { mainFile, pageFiles } = await publicFiles.readSubmissionFiles(cik);
      const { reportedValues } = deriveCompanyFigures(
        facts,
        readSubmissions(mainFile, pageFiles).filings,
        DERIVE_OPTIONS,
      );
      const annualFigures = listFigureValues(reportedValues, { period: 'annual' });
      failures.push(
        ...lines.flatMap((line) => [...listLineMismatches(line, annualFigures), ...listUnfiledLineErrors(line, facts)]),
      );
      for (const failure of findCashFlowMismatches(facts, annualFigures)) failures.push(`${cik}: ${failure}`);
    }
    publicFiles.close();
    expect(failures).toEqual([]);
  },
);

function listLineMismatches(
  { metric, name, end, value, accession }: StatementLine,
  annualFigures: readonly FigureValue[],
): string[] {
  const derivedFigure = annualFigures.find(
    (row) => row.metricKey === metric && row.end === end && !row.unit.startsWith('EUR'),
  );
  if (derivedFigure === undefined) return [`${name}: absent`];
  const isDerived = derivedFigure.valueKind === 'derived';
  if (isDerived !== (accession === null)) return [`${name}: ${derivedFigure.valueKind}`];
  return compareDecimals(derivedFigure.value, value) === 0 ? [] : [`${name}: ${derivedFigure.value}, not ${value}`];
}

/** Returns an error message if the filing has no fact with the amount of the line. */
function listUnfiledLineErrors({ name, end, value, accession }: StatementLine, facts: readonly Fact[]): string[] {
  if (accession === null) return [];
  const isFiled = facts.some((fact) => fact.accession === accession && fact.end === end && fact.value === value);
  return isFiled ? [] : [`${name}: not in ${accession}`];
}

const CASH_CHANGE_CONCEPT =
  'CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalentsPeriodIncreaseDecreaseIncludingExchangeRateEffect';
const EXCHANGE_RATE_EFFECT_CONCEPTS = [
  'EffectOfExchangeRateOnCashAndCashEquivalents',
  'EffectOfExchangeRateOnCashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents',
  'EffectOfExchangeRateOnCashCashEquivalentsRestrictedCashAndRestrictedCashEquivalentsIncludingDisposalGroupAndDiscontinuedOperations',
];

/**
 * Returns the years in which the change in cash is not the sum of three cash flows (operating, investing, financing)
 * and the exchange rate effect.
 */
function findCashFlowMismatches(facts: readonly Fact[], annualFigures: readonly FigureValue[]): string[] {
  const findFlow = (key: string, end: string) => annualFigures.find((row) => row.metricKey === key && row.end === end);
  return facts.flatMap((change) => {
    if (change.concept !== CASH_CHANGE_CONCEPT || change.form !== '10-K') return [];
    const flowFigures = ['operating_cash_flow', 'investing_cash_flow', 'financing_cash_flow'].map((key) =>
      findFlow(key, change.end),
    );
    const areInSameFiling = flowFigures.every(
      (flow) => flow?.start === change.start && flow?.readFrom.accession === change.accession,
    );
    if (!areInSameFiling) return [];
    const rateEffectFact = facts.find(
      ({ concept, accession, start, end }) =>
        EXCHANGE_RATE_EFFECT_CONCEPTS.includes(concept) &&
        accession === change.accession &&
        start === change.start &&
        end === change.end,
    );
    const terms = [...flowFigures.map((flow) => flow?.value ?? '0'), rateEffectFact?.value ?? '0'];
    const sum = terms.reduce((total, term) => add(total, term), '0');
    const difference = takeAbsoluteValue(subtract(sum, change.value));
    // Each line is rounded to millions, so the sum may differ by 0.02 % of operating cash flow.
    return compareDecimals(multiply(difference, '5000'), takeAbsoluteValue(terms[0] ?? '0')) <= 0
      ? []
      : [`change in cash to ${change.end}: ${sum}, not ${change.value}`];
  });
}

test('every metric is listed as compared with a printed statement, here or in another test', () => {
  const testedKeys = new Set([...parseLinesByCik().values()].flat().map(({ metric }) => metric));
  const keysTestedElsewhere = new Set([...BANK_AND_INSURER_METRIC_KEYS, ...METRIC_KEYS_TESTED_ELSEWHERE]);
  const untested = METRIC_KEYS.filter((key) => !testedKeys.has(key) && !keysTestedElsewhere.has(key));
  expect(untested.filter((key) => !isPartOfTotal(key) && !KEYS_OF_NO_TOTAL.includes(key))).toEqual([]);
});

/** Whether a remainder reads the metric as a line of its total, which `derived/remainders.test.ts` adds up. */
const isPartOfTotal = (key: string) => REMAINDERS.some(({ formula }) => listOperands(formula).includes(key));

/** Metrics that are read from one concept of the same meaning, and are a part of no total. */
const KEYS_OF_NO_TOTAL = [
  ...['net_income_common', 'comprehensive_income', 'other_comprehensive_income', 'change_in_cash', 'investments'],
  ...['exchange_rate_effect', 'interest_paid', 'income_taxes_paid', 'unpaid_capital_expenditures'],
  ...['preferred_dividends', 'consolidated_net_income', 'current_income_tax', 'costs_and_expenses', 'cet1_ratio'],
];

const BANK_AND_INSURER_METRIC_KEYS = [
  'net_interest_income',
  'noninterest_income',
  'noninterest_expense',
  'provision_for_credit_losses',
  'premiums_earned',
  'claims_incurred',
  'loans',
  'deposits',
];

/** Metrics tested in `printed-figures.test.ts` and `real-companies.test.ts`. */
const METRIC_KEYS_TESTED_ELSEWHERE = [
  ...['revenue', 'cost_of_revenue', 'gross_profit', 'operating_income', 'net_income', 'eps_diluted'],
  ...['dividends_per_share', 'depreciation_and_amortization', 'share_based_compensation', 'operating_cash_flow'],
  ...['capital_expenditures', 'dividends_paid', 'share_repurchases', 'free_cash_flow'],
  ...['cash_and_equivalents', 'current_assets', 'assets', 'current_liabilities', 'liabilities', 'stockholders_equity'],
  ...['common_shares_outstanding', 'public_float'],
];

// Lines of quarterly reports for the first quarter of 2010, in millions of dollars.
test.each([
  [
    'U.S. Bancorp',
    '0000950123-10-046495',
    {
      revenue: '4270',
      net_interest_income: '2352',
      noninterest_income: '1918',
      noninterest_expense: '2136',
      loans: '185918',
      deposits: '184039',
    },
  ],
  [
    'M&T Bank',
    '0000950123-10-045933',
    {
      revenue: '814.04',
      net_interest_income: '556.334',
      noninterest_income: '257.706',
      noninterest_expense: '489.362',
      provision_for_credit_losses: '105',
      interest_income: '676.386',
      loans: '50552.776',
      deposits: '47538.405',
    },
  ],
  [
    'Hudson City Bancorp',
    '0000950123-10-046264',
    { net_interest_income: '331.145', provision_for_credit_losses: '50', loans: '32012.852', deposits: '25388.8' },
  ],
  ['Wells Fargo', '0000950123-10-046578', { provision_for_credit_losses: '5330' }],
  ['Travelers', '0001104659-10-021504', { premiums_earned: '5230', claims_incurred: '3388' }],
  ['Assurant', '0001193125-10-107842', { premiums_earned: '1906.643', claims_incurred: '927.996' }],
  ['Unum', '0001193125-10-108084', { premiums_earned: '1863.2', claims_incurred: '1568.9' }],
  // Walmart is not a bank, although it reports net interest.
  ['Walmart', '0001193125-10-132759', {}],
])('derived figures of %s equal the bank and insurance lines of its report', (_, accession, expectedMillions) => {
  const facts = readFiledFacts('banks-and-insurers-2010').filter((fact) => fact.accession === accession);
  const rows = listFigureValues(deriveCompanyFigures(facts, [], DERIVE_OPTIONS).reportedValues);
  const isCompared = ({ metricKey }: FigureValue) =>
    BANK_AND_INSURER_METRIC_KEYS.includes(metricKey) || metricKey in expectedMillions;
  expect(Object.fromEntries(rows.filter(isCompared).map(({ metricKey, value }) => [metricKey, value]))).toEqual(
    Object.fromEntries(Object.entries(expectedMillions).map(([key, value]) => [key, multiply(value, '1000000')])),
  );
});
