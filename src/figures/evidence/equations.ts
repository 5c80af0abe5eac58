/**
 * Equations between the lines of a statement that confirm which of several concepts states a line. Each holds in about
 * 90 % or more of the annual reports that state all of its amounts; `holds` has both counts, of 5,849 annual reports of
 * 473 companies. An equation that holds less often, such as depreciation + amortization = their total, proves nothing.
 * There are two exceptions: a bank's revenue is its two parts by definition, whatever it tags as revenue; and an exact
 * sum of three amounts is never chance (counted in the annual reports of 349 companies).
 */

/** The line `total` is the sum of `parts`. Each line is given by the concepts that state it. */
export interface Equation {
  readonly total: Term;
  readonly parts: readonly Term[];
  readonly holds: readonly [reports: number, of: number];
  /** The part whose stated amount is incomplete if the sum of the parts is less than the total. */
  readonly partialKey?: string;
  /** Whether a later filing that restates two of the amounts without the third shows that the third is wrong. */
  readonly isRestatedAsOne?: true;
}

export interface Term {
  readonly metricKey: string;
  readonly concepts: readonly string[];
}

const term = (metricKey: string, ...concepts: readonly string[]): Term => ({ metricKey, concepts });

const REVENUE = term(
  'revenue',
  'Revenues',
  'RevenuesNetOfInterestExpense',
  'RevenuesExcludingInterestAndDividends',
  'RevenueFromContractWithCustomerExcludingAssessedTax',
  'RevenueFromContractWithCustomerIncludingAssessedTax',
  'SalesRevenueNet',
  'SalesRevenueGoodsNet',
  'SalesRevenueServicesNet',
  'HealthCareOrganizationRevenue',
  'Revenue',
);
const COST = term(
  'cost_of_revenue',
  'CostOfRevenue',
  'CostOfGoodsAndServicesSold',
  'CostOfGoodsSold',
  'CostOfServices',
  'CostOfSales',
);
const GROSS_PROFIT = term('gross_profit', 'GrossProfit');
const OPERATING_INCOME = term('operating_income', 'OperatingIncomeLoss');

export const EQUATIONS: readonly Equation[] = [
  {
    total: REVENUE,
    parts: [GROSS_PROFIT, COST],
    holds: [2517, 2563],
    partialKey: 'cost_of_revenue',
    isRestatedAsOne: true,
  },
  {
    total: REVENUE,
    parts: [term('net_interest_income', 'InterestIncomeExpenseNet'), term('noninterest_income', 'NoninterestIncome')],
    holds: [8, 28],
  },
  { total: REVENUE, parts: [OPERATING_INCOME, term('costs_and_expenses', 'CostsAndExpenses')], holds: [1241, 1382] },
  {
    total: REVENUE,
    parts: [
      OPERATING_INCOME,
      COST,
      term('selling_general_and_administrative', 'SellingGeneralAndAdministrativeExpense'),
    ],
    holds: [927, 3965],
  },
  {
    total: GROSS_PROFIT,
    parts: [OPERATING_INCOME, term('operating_expenses', 'OperatingExpenses')],
    holds: [1166, 1234],
  },
  {
    total: term(
      'pretax_income',
      'IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest',
      'IncomeLossFromContinuingOperationsBeforeIncomeTaxesMinorityInterestAndIncomeLossFromEquityMethodInvestments',
    ),
    parts: [
      term('income_tax', 'IncomeTaxExpenseBenefit'),
      term(
        'consolidated_net_income',
        'ProfitLoss',
        'NetIncomeLoss',
        'IncomeLossFromContinuingOperations',
        'IncomeLossFromContinuingOperationsIncludingPortionAttributableToNoncontrollingInterest',
      ),
    ],
    holds: [5017, 5096],
  },
  {
    total: term('consolidated_net_income', 'ProfitLoss', 'NetIncomeLoss'),
    parts: [
      term('net_income', 'NetIncomeLoss', 'NetIncomeLossAvailableToCommonStockholdersBasic'),
      term(
        'net_income_noncontrolling',
        'NetIncomeLossAttributableToNoncontrollingInterest',
        'NoncontrollingInterestInNetIncomeLossLimitedPartnershipsRedeemable',
      ),
    ],
    holds: [1423, 1516],
  },
  {
    total: term('total_equity', 'StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest'),
    parts: [term('stockholders_equity', 'StockholdersEquity'), term('noncontrolling_interests', 'MinorityInterest')],
    holds: [1545, 1547],
    isRestatedAsOne: true,
  },
  {
    total: term('assets', 'Assets', 'LiabilitiesAndStockholdersEquity'),
    parts: [
      term('liabilities', 'Liabilities'),
      term(
        'total_equity',
        'StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest',
        'StockholdersEquity',
      ),
    ],
    holds: [4318, 4402],
    isRestatedAsOne: true,
  },
];
