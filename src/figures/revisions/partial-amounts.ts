/** Amounts that the same filing shows to be a part of what they are tagged as, or to include more than that. */
import { add, multiply, subtract } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { type AmountBeside, amountsBeside } from './amounts-beside.ts';
import { bestFirst, type Choice, type FilingCandidates, isFilled, withoutZeros } from './filing-candidates.ts';

/** Concepts that each metric includes: an amount below one of them is not the metric. */
const INCLUDED: Readonly<Record<string, readonly string[]>> = {
  selling_general_and_administrative: [
    'GeneralAndAdministrativeExpense',
    'SellingAndMarketingExpense',
    'AdministrativeExpense',
  ],
  operating_expenses: [
    'ResearchAndDevelopmentExpense',
    'SellingGeneralAndAdministrativeExpense',
    'GeneralAndAdministrativeExpense',
    'SellingAndMarketingExpense',
  ],
  intangible_assets: ['FiniteLivedIntangibleAssetsNet'],
  short_term_debt: ['LongTermDebtCurrent', 'ShortTermBorrowings', 'CommercialPaper'],
};

/** A company that is no bank nets its interest, too, and has none of these beside it. */
const OF_BANKS = [
  'InterestAndDividendIncomeOperating',
  'RevenuesNetOfInterestExpense',
  'ProvisionForLoanLeaseAndOtherLosses',
  'ProvisionForLoanAndLeaseLosses',
];

const FINITE_LIVED = 'FiniteLivedIntangibleAssetsNet';
const INDEFINITE_LIVED = 'IndefiniteLivedIntangibleAssetsExcludingGoodwill';

const OPERATING_INCOME = 'OperatingIncomeLoss';
const TAX = 'IncomeTaxExpenseBenefit';
/** Of which one is what remains of income before tax. */
const INCOMES = [
  'ProfitLoss',
  'NetIncomeLoss',
  'IncomeLossFromContinuingOperations',
  'IncomeLossFromContinuingOperationsIncludingPortionAttributableToNoncontrollingInterest',
];
const REVENUES = [
  'Revenues',
  'RevenueFromContractWithCustomerExcludingAssessedTax',
  'RevenueFromContractWithCustomerIncludingAssessedTax',
  'SalesRevenueNet',
];
const PRODUCTION = ['CostOfRevenue', 'CostOfGoodsAndServicesSold', 'CostOfGoodsSold', 'GrossProfit'];

const CONCEPTS = new Set([
  ...Object.values(INCLUDED).flat(),
  ...OF_BANKS,
  ...[FINITE_LIVED, INDEFINITE_LIVED, OPERATING_INCOME, TAX],
  ...INCOMES,
  ...REVENUES,
  ...PRODUCTION,
]);

/** Amounts that are each rounded are below their parts by no more than this. */
const ROUNDED: Decimal = '0.99';

export type PartChooser = (candidates: FilingCandidates) => Choice;

/** The choosers of the metrics that have such rules, by metric. */
export function partChoosers(facts: readonly Fact[]): ReadonlyMap<string, PartChooser> {
  const beside = amountsBeside(facts, CONCEPTS);
  const whole = (candidates: FilingCandidates) => withoutParts(candidates, beside);
  return new Map<string, PartChooser>([
    ...Object.keys(INCLUDED).map((key): [string, PartChooser] => [key, whole]),
    ['intangible_assets', (candidates) => chooseIntangibles(candidates, beside)],
    ['operating_expenses', (candidates) => chooseOperatingExpenses(candidates, beside)],
    ['net_interest_income', (candidates) => chooseInterest(candidates, beside)],
    ['pretax_income', (candidates) => choosePretax(candidates, beside)],
  ]);
}

function withoutParts(candidates: FilingCandidates, beside: AmountBeside): Choice {
  const whole = candidates.filter(({ fact, mapping }) =>
    (INCLUDED[mapping.metricKey] ?? []).every((concept) => {
      const part = beside(fact, concept);
      return part === null || compareDecimals(fact.value, multiply(part, ROUNDED)) >= 0;
    }),
  );
  return isFilled(whole) ? bestFirst(withoutZeros(whole)) : 'an amount below one of its own parts';
}

/** Those of a limited life are all there are only where the filing has no others. */
function chooseIntangibles(candidates: FilingCandidates, beside: AmountBeside): Choice {
  const whole = candidates.filter(
    ({ fact }) => fact.concept !== FINITE_LIVED || beside(fact, INDEFINITE_LIVED) === null,
  );
  return isFilled(whole) ? withoutParts(whole, beside) : 'intangible assets of a limited life beside others';
}

/** What remains of revenue before operating income are all costs, those of what was sold included. */
function chooseOperatingExpenses(candidates: FilingCandidates, beside: AmountBeside): Choice {
  const expenses = candidates.filter(({ fact }) => {
    const income = beside(fact, OPERATING_INCOME);
    if (income === null || PRODUCTION.every((concept) => beside(fact, concept) === null)) return true;
    return REVENUES.every((concept) => {
      const revenue = beside(fact, concept);
      return revenue === null || subtract(revenue, fact.value) !== income;
    });
  });
  return isFilled(expenses) ? withoutParts(expenses, beside) : 'operating expenses that include the cost of revenue';
}

function chooseInterest(candidates: FilingCandidates, beside: AmountBeside): Choice {
  const ofBank = candidates.filter(({ fact }) => OF_BANKS.some((concept) => beside(fact, concept) !== null));
  return isFilled(ofBank) ? bestFirst(ofBank) : 'interest income less expense of a company that is no bank';
}

/** Statements have several lines before tax; the one that the tax is taken from is meant. */
function choosePretax(candidates: FilingCandidates, beside: AmountBeside): Choice {
  const taxed = candidates.filter(({ fact }) => {
    const tax = beside(fact, TAX);
    return tax !== null && INCOMES.some((concept) => isRest(fact.value, tax, beside(fact, concept)));
  });
  return bestFirst(withoutZeros(isFilled(taxed) ? taxed : candidates));
}

function isRest(pretax: Decimal, tax: Decimal, income: Decimal | null): boolean {
  return income !== null && add(income, tax) === pretax;
}
