/** Amounts that the same filing shows to be a part of what they are tagged as, or to include more than that. */
import { add, multiply, subtract } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal } from '../../contract/decimal-text.ts';
import type { AmountChooser, Amounts } from './amounts-beside.ts';
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

/** Amounts that are each rounded are below their parts by no more than this. */
const ROUNDED: Decimal = '0.99';

/** The choosers of the metrics that have such rules, by metric. */
export const PART_CHOOSERS: ReadonlyMap<string, AmountChooser> = new Map<string, AmountChooser>([
  ...Object.keys(INCLUDED).map((key): [string, AmountChooser] => [key, withoutParts]),
  ['intangible_assets', chooseIntangibles],
  ['operating_expenses', chooseOperatingExpenses],
  ['net_interest_income', chooseInterest],
  ['pretax_income', choosePretax],
]);

function withoutParts(candidates: FilingCandidates, amounts: Amounts): Choice {
  const whole = candidates.filter(({ fact, mapping }) =>
    (INCLUDED[mapping.metricKey] ?? []).every((concept) => {
      const part = amounts.get(concept);
      return part === undefined || compareDecimals(fact.value, multiply(part, ROUNDED)) >= 0;
    }),
  );
  return isFilled(whole) ? bestFirst(withoutZeros(whole)) : 'an amount below one of its own parts';
}

/** Those of a limited life are all there are only where the filing has no others. */
function chooseIntangibles(candidates: FilingCandidates, amounts: Amounts): Choice {
  const whole = candidates.filter(({ fact }) => fact.concept !== FINITE_LIVED || !amounts.has(INDEFINITE_LIVED));
  return isFilled(whole) ? withoutParts(whole, amounts) : 'intangible assets of a limited life beside others';
}

/** What remains of revenue before operating income are all costs, those of what was sold included. */
function chooseOperatingExpenses(candidates: FilingCandidates, amounts: Amounts): Choice {
  const expenses = candidates.filter(({ fact }) => {
    const income = amounts.get(OPERATING_INCOME);
    if (income === undefined || !PRODUCTION.some((concept) => amounts.has(concept))) return true;
    return REVENUES.every((concept) => {
      const revenue = amounts.get(concept);
      return revenue === undefined || subtract(revenue, fact.value) !== income;
    });
  });
  return isFilled(expenses) ? withoutParts(expenses, amounts) : 'operating expenses that include the cost of revenue';
}

function chooseInterest(candidates: FilingCandidates, amounts: Amounts): Choice {
  return OF_BANKS.some((concept) => amounts.has(concept))
    ? bestFirst(candidates)
    : 'interest income less expense of a company that is no bank';
}

/** Statements have several lines before tax; the one that the tax is taken from is meant. */
function choosePretax(candidates: FilingCandidates, amounts: Amounts): Choice {
  const tax = amounts.get(TAX);
  const taxed = candidates.filter(
    ({ fact }) => tax !== undefined && INCOMES.some((concept) => isRest(fact.value, tax, amounts.get(concept))),
  );
  return bestFirst(withoutZeros(isFilled(taxed) ? taxed : candidates));
}

function isRest(pretax: Decimal, tax: Decimal, income: Decimal | undefined): boolean {
  return income !== undefined && add(income, tax) === pretax;
}
