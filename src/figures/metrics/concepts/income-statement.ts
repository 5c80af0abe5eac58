/** The concepts of the income statement, best first; see `../concepts.ts`. */
import type { ReportedKey } from '../../../contract/figures.ts';
import type { ConceptLists } from './concept-lists.ts';

/**
 * Returns the concepts of the income of one kind of holders of noncontrolling interests; these incomes add up to the
 * total. The last concept is of the taxonomies before 2012.
 */
const listIncomeOf = (holders: string) => [
  ...['Nonredeemable', 'Redeemable'].map((kind) => `NoncontrollingInterestInNetIncomeLoss${holders}${kind}`),
  `MinorityInterestInNetIncomeLoss${holders}`,
];
const HOLDERS = [
  'LimitedPartnerships',
  'OperatingPartnerships',
  'JointVenturePartners',
  'PreferredUnitHolders',
  'OtherNoncontrollingInterests',
] as const;
const INCOME_OF_HOLDERS = HOLDERS.flatMap(listIncomeOf);
const ALL_NONCONTROLLING_INCOME = [
  'NetIncomeLossAttributableToNoncontrollingInterest',
  'MinorityInterestInNetIncomeLossOfConsolidatedEntities',
  'NetIncomeLossAttributableToRedeemableNoncontrollingInterest',
  ...INCOME_OF_HOLDERS,
];
/**
 * Amounts that show that some income belongs to noncontrolling interests, even if the filing does not state how much.
 */
export const SIGNS_OF_NONCONTROLLING_INCOME = [
  ...ALL_NONCONTROLLING_INCOME,
  'ComprehensiveIncomeNetOfTaxAttributableToNoncontrollingInterest',
  'IncomeLossFromDiscontinuedOperationsNetOfTaxAttributableToNoncontrollingInterest',
];

const PREFERRED_DIVIDENDS = [
  'PreferredStockDividendsIncomeStatementImpact',
  'PreferredStockDividendsAndOtherAdjustments',
  'DividendsPreferredStock',
] as const;

export const INCOME_STATEMENT_CONCEPTS = {
  // A bank's revenue is its net interest income and its noninterest income, whatever it tags as revenues.
  revenue: {
    'us-gaap': [
      {
        concept: 'Revenues',
        without: ['NoninterestIncome'],
        parts: ['GrossProfit'],
        usualParts: ['RevenueFromContractWithCustomerExcludingAssessedTax', 'SalesRevenueNet'],
      },
      'RevenuesNetOfInterestExpense',
      'RevenuesExcludingInterestAndDividends',
      { concept: 'RevenueFromContractWithCustomerExcludingAssessedTax', without: ['NoninterestIncome'] },
      { concept: 'RevenueFromContractWithCustomerIncludingAssessedTax', without: ['NoninterestIncome'] },
      'SalesRevenueNet',
      'RealEstateRevenueNet',
      ['SalesRevenueGoodsNet', '0.8'],
      ['SalesRevenueServicesNet', '0.8'],
      'RegulatedAndUnregulatedOperatingRevenue',
      'RegulatedOperatingRevenue',
      ['ElectricUtilityRevenue', '0.8'],
      ['OilAndGasRevenue', '0.8'],
      ['HealthCareOrganizationRevenue', '0.9'],
      ['PremiumsEarnedNet', '0.7'],
    ],
    'ifrs-full': ['Revenue', ['RevenueFromContractsWithCustomers', '0.9']],
  },
  net_interest_income: {
    // Companies other than banks state net interest, too.
    'us-gaap': [
      {
        concept: 'InterestIncomeExpenseNet',
        with: [
          'InterestAndDividendIncomeOperating',
          'RevenuesNetOfInterestExpense',
          'ProvisionForLoanLeaseAndOtherLosses',
          'ProvisionForLoanAndLeaseLosses',
          'NoninterestIncome',
          'NoninterestExpense',
        ],
      },
    ],
    'ifrs-full': ['InterestRevenueExpense'],
  },
  noninterest_income: ['NoninterestIncome'],
  noninterest_expense: ['NoninterestExpense'],
  other_nonoperating_income: ['OtherNonoperatingIncomeExpense'],
  net_nonoperating_interest: ['InterestIncomeExpenseNonoperatingNet', ['InterestIncomeExpenseNet', '0.9']],
  operating_income_by_total_expenses: {},
  operating_income_before_other_items: {},
  operating_income_by_expenses: {},
  pretax_income_by_region: {},
  pretax_income_by_tax: {},
  provision_for_credit_losses: {
    'us-gaap': [
      'ProvisionForLoanLeaseAndOtherLosses',
      'ProvisionForLoanAndLeaseLosses',
      'FinancingReceivableCreditLossExpenseReversal',
      ['ProvisionForLoanLossesExpensed', '0.9'],
      // For companies other than banks, this concept is a provision for receivables.
      { concept: 'ProvisionForOtherCreditLosses', confidence: '0.8', with: ['NoninterestIncome'] },
    ],
    'ifrs-full': ['ImpairmentLossImpairmentGainAndReversalOfImpairmentLossDeterminedInAccordanceWithIFRS9'],
  },
  premiums_earned: {
    'us-gaap': ['PremiumsEarnedNet', ['PremiumsEarnedNetPropertyAndCasualty', '0.8']],
    'ifrs-full': [['InsuranceRevenue', '0.9']],
  },
  claims_incurred: {
    'us-gaap': ['PolicyholderBenefitsAndClaimsIncurredNet', ['PolicyholderBenefitsAndClaimsIncurredHealthCare', '0.9']],
    'ifrs-full': [['InsuranceServiceExpensesFromInsuranceContractsIssued', '0.8']],
  },
  cost_of_revenue: {
    'us-gaap': [
      { concept: 'CostOfRevenue', parts: ['CostOfGoodsAndServicesSold', 'CostOfGoodsSold', 'CostOfServices'] },
      { concept: 'CostOfGoodsAndServicesSold', parts: ['CostOfGoodsSold', 'CostOfServices'] },
      { concept: 'CostOfGoodsSold', confidence: '0.9', parts: ['CostOfServices'] },
      ['CostOfServices', '0.8'],
    ],
    'ifrs-full': ['CostOfSales'],
  },
  gross_profit: { 'us-gaap': ['GrossProfit'], 'ifrs-full': ['GrossProfit'] },
  research_and_development: {
    'us-gaap': [
      'ResearchAndDevelopmentExpense',
      ['ResearchAndDevelopmentExpenseExcludingAcquiredInProcessCost', '0.9'],
    ],
    'ifrs-full': ['ResearchAndDevelopmentExpense'],
  },
  selling_general_and_administrative: {
    'us-gaap': [
      {
        concept: 'SellingGeneralAndAdministrativeExpense',
        parts: ['GeneralAndAdministrativeExpense', 'SellingAndMarketingExpense'],
      },
    ],
    'ifrs-full': ['SellingGeneralAndAdministrativeExpense'],
  },
  selling_and_marketing: {
    'us-gaap': ['SellingAndMarketingExpense', ['SellingExpense', '0.9']],
    'ifrs-full': ['SellingExpense', ['DistributionCosts', '0.9']],
  },
  general_and_administrative: {
    'us-gaap': ['GeneralAndAdministrativeExpense'],
    'ifrs-full': ['GeneralAndAdministrativeExpense', 'AdministrativeExpense'],
  },
  operating_expenses: {
    'us-gaap': [
      {
        concept: 'OperatingExpenses',
        parts: [
          'ResearchAndDevelopmentExpense',
          'SellingGeneralAndAdministrativeExpense',
          'GeneralAndAdministrativeExpense',
          'SellingAndMarketingExpense',
        ],
      },
    ],
    'ifrs-full': [['OperatingExpense', '0.9']],
  },
  operating_income: {
    'us-gaap': ['OperatingIncomeLoss'],
    'ifrs-full': ['ProfitLossFromOperatingActivities', 'OperatingProfit'],
  },
  interest_income: {
    'us-gaap': [
      // This concept is a bank's total of interest and dividend income.
      'InterestAndDividendIncomeOperating',
      'InvestmentIncomeInterest',
      ['InvestmentIncomeInterestAndDividend', '0.9'],
    ],
    'ifrs-full': ['RevenueFromInterest', ['FinanceIncome', '0.8']],
  },
  interest_expense: {
    'us-gaap': [
      'InterestExpense',
      'InterestExpenseNonoperating',
      'InterestExpenseOperating',
      ['InterestAndDebtExpense', '0.9'],
      ['InterestExpenseDebt', '0.8'],
    ],
    'ifrs-full': ['InterestExpense', ['FinanceCosts', '0.8']],
  },
  pretax_income: {
    'us-gaap': [
      'IncomeLossFromContinuingOperationsBeforeIncomeTaxesExtraordinaryItemsNoncontrollingInterest',
      // Excludes income of companies accounted for by the equity method.
      [
        'IncomeLossFromContinuingOperationsBeforeIncomeTaxesMinorityInterestAndIncomeLossFromEquityMethodInvestments',
        '0.9',
      ],
    ],
    'ifrs-full': ['ProfitLossBeforeTax'],
  },
  pretax_income_domestic: ['IncomeLossFromContinuingOperationsBeforeIncomeTaxesDomestic'],
  pretax_income_foreign: ['IncomeLossFromContinuingOperationsBeforeIncomeTaxesForeign'],
  income_tax: {
    'us-gaap': ['IncomeTaxExpenseBenefit', 'IncomeTaxExpenseBenefitContinuingOperations'],
    'ifrs-full': ['IncomeTaxExpenseContinuingOperations'],
  },
  net_income_noncontrolling: {
    'us-gaap': [
      'NetIncomeLossAttributableToNoncontrollingInterest',
      'MinorityInterestInNetIncomeLossOfConsolidatedEntities',
      { concept: 'NetIncomeLossAttributableToRedeemableNoncontrollingInterest', without: INCOME_OF_HOLDERS },
    ],
    'ifrs-full': ['ProfitLossAttributableToNoncontrollingInterests'],
  },
  income_of_limited_partnerships: listIncomeOf('LimitedPartnerships'),
  income_of_operating_partnerships: listIncomeOf('OperatingPartnerships'),
  income_of_joint_venture_partners: listIncomeOf('JointVenturePartners'),
  income_of_preferred_unit_holders: listIncomeOf('PreferredUnitHolders'),
  income_of_other_holders: listIncomeOf('OtherNoncontrollingInterests'),
  net_income: {
    'us-gaap': [
      'NetIncomeLoss',
      { concept: 'ProfitLoss', confidence: '0.9', without: SIGNS_OF_NONCONTROLLING_INCOME },
      {
        concept: 'NetIncomeLossAvailableToCommonStockholdersBasic',
        confidence: '0.9',
        without: [...ALL_NONCONTROLLING_INCOME, ...PREFERRED_DIVIDENDS],
      },
    ],
    'ifrs-full': [
      'ProfitLossAttributableToOwnersOfParent',
      { concept: 'ProfitLoss', confidence: '0.9', without: ['ProfitLossAttributableToNoncontrollingInterests'] },
    ],
  },
  eps_basic: {
    'us-gaap': [
      'EarningsPerShareBasic',
      'EarningsPerShareBasicAndDiluted',
      ['IncomeLossFromContinuingOperationsPerBasicShare', '0.8'],
    ],
    'ifrs-full': ['BasicEarningsLossPerShare'],
  },
  eps_diluted: {
    'us-gaap': [
      'EarningsPerShareDiluted',
      'EarningsPerShareBasicAndDiluted',
      ['IncomeLossFromContinuingOperationsPerDilutedShare', '0.8'],
    ],
    'ifrs-full': ['DilutedEarningsLossPerShare'],
  },
  weighted_shares_basic: {
    'us-gaap': [
      'WeightedAverageNumberOfSharesOutstandingBasic',
      'WeightedAverageNumberOfShareOutstandingBasicAndDiluted',
    ],
    'ifrs-full': ['WeightedAverageShares'],
  },
  weighted_shares_diluted: {
    'us-gaap': [
      'WeightedAverageNumberOfDilutedSharesOutstanding',
      'WeightedAverageNumberOfShareOutstandingBasicAndDiluted',
    ],
    'ifrs-full': ['AdjustedWeightedAverageShares'],
  },
  dividends_per_share: {
    'us-gaap': ['CommonStockDividendsPerShareDeclared', ['CommonStockDividendsPerShareCashPaid', '0.9']],
    'ifrs-full': [
      ['DividendsPaidOrdinarySharesPerShare', '0.9'],
      ['DividendsRecognisedAsDistributionsToOwnersPerShare', '0.9'],
    ],
  },
  net_investment_income: ['NetInvestmentIncome'],
  // Companies other than insurers state such gains below operating income, or only in notes.
  investment_gains: ['GainLossOnInvestments', 'RealizedInvestmentGainsLosses', 'DebtAndEquitySecuritiesGainLoss'].map(
    (concept) => ({ concept, with: ['PremiumsEarnedNet', 'NetInvestmentIncome'] }),
  ),
  lease_revenue: ['OperatingLeaseLeaseIncome', 'OperatingLeasesIncomeStatementLeaseRevenue'],
  other_underwriting_expenses: ['OtherUnderwritingExpense', 'GeneralInsuranceExpense'],
  acquisition_cost_amortization: ['DeferredPolicyAcquisitionCostAmortizationExpense'],
  salaries_and_benefits: ['LaborAndRelatedExpense', 'SalariesAndWages'],
  occupancy_expense: ['OccupancyNet'],
  fuel_and_purchased_power: [
    'CostOfGoodsAndServicesSoldFuel',
    'FuelCosts',
    'UtilitiesOperatingExpensePurchasedPower',
    'CostOfPurchasedPower',
    'UtilitiesOperatingExpenseFuelUsed',
  ],
  operations_and_maintenance: ['UtilitiesOperatingExpenseMaintenanceAndOperations'],
  taxes_other_than_income: ['TaxesExcludingIncomeAndExciseTaxes', 'UtilitiesOperatingExpenseTaxes'],
  property_operating_costs: ['DirectCostsOfLeasedAndRentedPropertyOrEquipment', 'CostOfOtherPropertyOperatingExpense'],
  restructuring: ['RestructuringCharges', 'RestructuringSettlementAndImpairmentProvisions'],
  impairment: ['AssetImpairmentCharges', 'GoodwillImpairmentLoss', 'ImpairmentOfRealEstate'],
  costs_and_expenses: ['CostsAndExpenses', 'BenefitsLossesAndExpenses'],
  equity_method_income: ['IncomeLossFromEquityMethodInvestments'],
  debt_extinguishment: ['GainsLossesOnExtinguishmentOfDebt'],
  nonoperating_income: ['NonoperatingIncomeExpense'],
  current_income_tax: ['CurrentIncomeTaxExpenseBenefit'],
  discontinued_operations: [
    'IncomeLossFromDiscontinuedOperationsNetOfTax',
    'IncomeLossFromDiscontinuedOperationsNetOfTaxAttributableToReportingEntity',
  ],
  preferred_dividends: PREFERRED_DIVIDENDS,
  net_income_common: ['NetIncomeLossAvailableToCommonStockholdersBasic'],
  other_comprehensive_income: [
    'OtherComprehensiveIncomeLossNetOfTax',
    'OtherComprehensiveIncomeLossNetOfTaxPortionAttributableToParent',
  ],
  comprehensive_income: [
    'ComprehensiveIncomeNetOfTax',
    'ComprehensiveIncomeNetOfTaxIncludingPortionAttributableToNoncontrollingInterest',
  ],
} as const satisfies Partial<Record<ReportedKey, ConceptLists>>;
