/** The concepts of the cash flow statement, best first; see `../concepts.ts`. */
import type { ReportedKey } from '../../../contract/figures.ts';
import type { ConceptEntry, ConceptLists } from './concept-lists.ts';
import { SIGNS_OF_NONCONTROLLING_INCOME } from './income-statement.ts';

/** Payments for property for own use; a cash flow statement has at most one line of them. */
const OWN_USE_CONCEPTS = [
  'PaymentsToAcquirePropertyPlantAndEquipment',
  'PaymentsToAcquireOtherPropertyPlantAndEquipment',
  'PaymentsForCapitalImprovements',
  'PaymentsToAcquireMachineryAndEquipment',
] as const;
/** Payments that statements show next to `OWN_USE_CONCEPTS`: both lines add up. */
const RENTED_OUT_CONCEPTS = ['PaymentsToAcquireEquipmentOnLease', 'PaymentsForFlightEquipment'] as const;
const EXPLORATION_CONCEPTS = [
  'PaymentsToExploreAndDevelopOilAndGasProperties',
  'PaymentsToAcquireOilAndGasProperty',
  'PaymentsToDevelopRealEstateAssets',
] as const;
const ADDED_CONCEPTS = [...RENTED_OUT_CONCEPTS, ...EXPLORATION_CONCEPTS];
/** Payments that are capital expenditures only if the company states none of the payments above. */
const OTHER_CAPITAL_CONCEPTS = [
  'PaymentsForProceedsFromProductiveAssets',
  'PaymentsForConstructionInProcess',
  'PaymentsToAcquireOtherProductiveAssets',
  'PaymentsToAcquireWaterAndWasteWaterSystems',
  'PaymentsToAcquireWaterSystems',
  'PaymentsToAcquireAndDevelopRealEstate',
  'PaymentsToAcquireCommercialRealEstate',
  'PaymentsToAcquireRealEstateHeldForInvestment',
  'PaymentsToAcquireRealEstate',
  'PaymentsToAcquireRealEstateAndRealEstateJointVentures',
] as const;

/**
 * Concepts of depreciation and amortization; some filers use them for the remainder after a separate amortization line.
 */
export const TOTAL_DEPRECIATION = [
  'DepreciationDepletionAndAmortization',
  'DepreciationAmortizationAndAccretionNet',
  'DepreciationAndAmortization',
] as const;
const DEPRECIATION_IN_IFRS = [
  'DepreciationAndAmortisationExpense',
  'AdjustmentsForDepreciationAndAmortisationExpense',
] as const;
/** By its name, the concept excludes amounts on separate lines, but some filers use it for the total. */
export const OTHER_DEPRECIATION = 'OtherDepreciationAndAmortization';
/** Amortization in the cash flow statement; the other concept mostly occurs in notes. */
export const AMORTIZATION_LINE = 'AdjustmentForAmortization';
export const AMORTIZATION_NOTE = 'AmortizationOfIntangibleAssets';

/** Returns entries for concepts of one total, of which the largest amount is read: a smaller one belongs to a note. */
const readLargest = (concepts: readonly string[]): ConceptEntry[] =>
  concepts.map((concept) => ({ concept, neverBelow: concepts.filter((other) => other !== concept) }));

export const CASH_FLOW_STATEMENT_CONCEPTS = {
  depreciation_and_amortization: {
    'us-gaap': [
      ...readLargest(TOTAL_DEPRECIATION),
      // Usually excludes amortization reported on a separate line; see `evidence/depreciation.ts`.
      [OTHER_DEPRECIATION, '0.8'],
    ],
    'ifrs-full': [
      ...readLargest(DEPRECIATION_IN_IFRS),
      ['DepreciationAmortisationAndImpairmentLossReversalOfImpairmentLossRecognisedInProfitOrLoss', '0.8'],
    ],
  },
  other_depreciation_and_amortization: [OTHER_DEPRECIATION],
  depreciation_and_other_amortization: TOTAL_DEPRECIATION,
  depreciation: {
    'us-gaap': ['Depreciation'],
    'ifrs-full': ['DepreciationExpense', 'AdjustmentsForDepreciationExpense'],
  },
  amortization: {
    'us-gaap': [
      { concept: AMORTIZATION_NOTE, zero: [AMORTIZATION_LINE], or: { absent: [OTHER_DEPRECIATION] } },
      [AMORTIZATION_LINE, '0.9'],
    ],
    'ifrs-full': ['AmortisationExpense', 'AdjustmentsForAmortisationExpense'],
  },
  share_based_compensation: {
    'us-gaap': ['ShareBasedCompensation', ['AllocatedShareBasedCompensationExpense', '0.8']],
    'ifrs-full': [
      'AdjustmentsForSharebasedPayments',
      ['ExpenseFromSharebasedPaymentTransactionsWithEmployees', '0.9'],
      [
        'ExpenseFromSharebasedPaymentTransactionsInWhichGoodsOrServicesReceivedDidNotQualifyForRecognitionAsAssets',
        '0.9',
      ],
    ],
  },
  operating_cash_flow: {
    'us-gaap': [
      'NetCashProvidedByUsedInOperatingActivities',
      ['NetCashProvidedByUsedInOperatingActivitiesContinuingOperations', '0.9'],
    ],
    'ifrs-full': ['CashFlowsFromUsedInOperatingActivities'],
  },
  // If the filing states only lines that are parts, `capital_expenditures` is derived as their sum.
  capital_expenditures: {
    'us-gaap': [
      { concept: 'PaymentsToAcquirePropertyPlantAndEquipment', without: ADDED_CONCEPTS },
      {
        concept: 'PaymentsToAcquireProductiveAssets',
        parts: [...OWN_USE_CONCEPTS, ...ADDED_CONCEPTS],
        // If the filing states both lines, the amount is of a note, which may add unpaid purchases or omit paid ones.
        withoutAll: [OWN_USE_CONCEPTS, ADDED_CONCEPTS],
      },
      'PaymentsToAcquireOilAndGasPropertyAndEquipment',
      { concept: 'PaymentsToAcquireOtherPropertyPlantAndEquipment', confidence: '0.7', without: ADDED_CONCEPTS },
      { concept: 'PaymentsForCapitalImprovements', confidence: '0.7', without: ADDED_CONCEPTS },
      { concept: 'PaymentsToAcquireMachineryAndEquipment', confidence: '0.7', without: ADDED_CONCEPTS },
      ...ADDED_CONCEPTS.map((concept) => ({
        concept,
        confidence: '0.7' as const,
        without: [...OWN_USE_CONCEPTS, ...ADDED_CONCEPTS.filter((other) => other !== concept)],
      })),
      ...OTHER_CAPITAL_CONCEPTS.map((concept) => ({
        concept,
        confidence: '0.6' as const,
        without: [...OWN_USE_CONCEPTS, ...ADDED_CONCEPTS],
      })),
    ],
    'ifrs-full': ['PurchaseOfPropertyPlantAndEquipmentClassifiedAsInvestingActivities'],
  },
  capital_expenditures_for_own_use: OWN_USE_CONCEPTS.map((concept) => ({ concept, with: ADDED_CONCEPTS })),
  purchases_to_rent_out: ['PaymentsToAcquireEquipmentOnLease', ['PaymentsForFlightEquipment', '0.8']],
  exploration_and_development: EXPLORATION_CONCEPTS,
  acquisitions: {
    'us-gaap': [
      'PaymentsToAcquireBusinessesNetOfCashAcquired',
      ['PaymentsToAcquireBusinessesAndInterestInAffiliates', '0.8'],
      ['PaymentsToAcquireBusinessesGross', '0.8'],
    ],
    'ifrs-full': ['CashFlowsUsedInObtainingControlOfSubsidiariesOrOtherBusinessesClassifiedAsInvestingActivities'],
  },
  investing_cash_flow: {
    'us-gaap': [
      'NetCashProvidedByUsedInInvestingActivities',
      ['NetCashProvidedByUsedInInvestingActivitiesContinuingOperations', '0.9'],
    ],
    'ifrs-full': ['CashFlowsFromUsedInInvestingActivities'],
  },
  debt_issued: {
    'us-gaap': [
      'ProceedsFromIssuanceOfLongTermDebt',
      'ProceedsFromIssuanceOfLongTermDebtAndCapitalSecuritiesNet',
      ['ProceedsFromIssuanceOfDebt', '0.9'],
      ['ProceedsFromDebtNetOfIssuanceCosts', '0.9'],
      ['ProceedsFromDebtMaturingInMoreThanThreeMonths', '0.9'],
    ],
    'ifrs-full': ['ProceedsFromBorrowingsClassifiedAsFinancingActivities', ['ProceedsFromNoncurrentBorrowings', '0.9']],
  },
  debt_repaid: {
    'us-gaap': [
      'RepaymentsOfLongTermDebt',
      ['RepaymentsOfLongTermDebtAndCapitalSecurities', '0.9'],
      ['RepaymentsOfDebt', '0.9'],
      ['RepaymentsOfDebtMaturingInMoreThanThreeMonths', '0.9'],
      ['RepaymentsOfDebtAndCapitalLeaseObligations', '0.8'],
    ],
    'ifrs-full': ['RepaymentsOfBorrowingsClassifiedAsFinancingActivities', ['RepaymentsOfNoncurrentBorrowings', '0.9']],
  },
  dividends_paid: {
    'us-gaap': [
      'PaymentsOfDividends',
      ['PaymentsOfDividendsCommonStock', '0.9'],
      ['PaymentsOfOrdinaryDividends', '0.9'],
    ],
    'ifrs-full': ['DividendsPaidClassifiedAsFinancingActivities', ['DividendsPaid', '0.9']],
  },
  share_repurchases: {
    'us-gaap': [
      'PaymentsForRepurchaseOfCommonStock',
      'PaymentsForRepurchaseOfEquity',
      // These two are tags of the statement of equity, not of the cash flow statement.
      ['StockRepurchasedAndRetiredDuringPeriodValue', '0.6'],
      ['TreasuryStockValueAcquiredCostMethod', '0.6'],
    ],
    'ifrs-full': ['PaymentsToAcquireOrRedeemEntitysShares', ['PurchaseOfTreasuryShares', '0.8']],
  },
  financing_cash_flow: {
    'us-gaap': [
      'NetCashProvidedByUsedInFinancingActivities',
      ['NetCashProvidedByUsedInFinancingActivitiesContinuingOperations', '0.9'],
    ],
    'ifrs-full': ['CashFlowsFromUsedInFinancingActivities'],
  },
  consolidated_net_income: {
    'us-gaap': [
      'ProfitLoss',
      { concept: 'NetIncomeLoss', confidence: '0.95', without: SIGNS_OF_NONCONTROLLING_INCOME },
    ],
    'ifrs-full': ['ProfitLoss'],
  },
  debt_cost_amortization: [
    'AmortizationOfFinancingCosts',
    'AmortizationOfFinancingCostsAndDiscounts',
    'AmortizationOfDebtDiscountPremium',
  ],
  deferred_taxes: ['DeferredIncomeTaxExpenseBenefit', 'DeferredIncomeTaxesAndTaxCredits'],
  gain_on_sale: [
    'GainLossOnSaleOfPropertyPlantEquipment',
    'GainLossOnDispositionOfAssets1',
    'GainLossOnDispositionOfAssets',
    'GainLossOnSaleOfBusiness',
    'GainsLossesOnSalesOfInvestmentRealEstate',
  ],
  lease_amortization: ['OperatingLeaseRightOfUseAssetAmortizationExpense'],
  other_noncash_items: ['OtherNoncashIncomeExpense', 'OtherOperatingActivitiesCashFlowStatement'],
  change_in_receivables: [
    'IncreaseDecreaseInAccountsReceivable',
    'IncreaseDecreaseInReceivables',
    'IncreaseDecreaseInAccountsAndOtherReceivables',
  ],
  change_in_inventories: ['IncreaseDecreaseInInventories'],
  change_in_prepaid_expenses: [
    'IncreaseDecreaseInPrepaidDeferredExpenseAndOtherAssets',
    'IncreaseDecreaseInPrepaidExpense',
  ],
  change_in_other_assets: [
    'IncreaseDecreaseInOtherOperatingAssets',
    'IncreaseDecreaseInOtherCurrentAssets',
    'IncreaseDecreaseInOtherNoncurrentAssets',
  ],
  change_in_payables: [
    'IncreaseDecreaseInAccountsPayable',
    'IncreaseDecreaseInAccountsPayableAndAccruedLiabilities',
    'IncreaseDecreaseInAccountsPayableTrade',
  ],
  change_in_accrued_liabilities: [
    'IncreaseDecreaseInAccruedLiabilities',
    'IncreaseDecreaseInOtherAccruedLiabilities',
    'IncreaseDecreaseInEmployeeRelatedLiabilities',
  ],
  change_in_deferred_revenue: ['IncreaseDecreaseInContractWithCustomerLiability', 'IncreaseDecreaseInDeferredRevenue'],
  change_in_taxes: [
    'IncreaseDecreaseInAccruedIncomeTaxesPayable',
    'IncreaseDecreaseInIncomeTaxesPayableNetOfIncomeTaxesReceivable',
    'IncreaseDecreaseInIncomeTaxes',
  ],
  change_in_other_liabilities: [
    'IncreaseDecreaseInOtherOperatingLiabilities',
    'IncreaseDecreaseInOtherCurrentLiabilities',
    'IncreaseDecreaseInOtherNoncurrentLiabilities',
  ],
  software_purchases: ['PaymentsToDevelopSoftware', 'PaymentsForSoftware', 'PaymentsToAcquireSoftware'],
  investment_purchases: [
    'PaymentsToAcquireInvestments',
    'PaymentsToAcquireAvailableForSaleSecuritiesDebt',
    'PaymentsToAcquireAvailableForSaleSecurities',
    'PaymentsToAcquireMarketableSecurities',
    'PaymentsToAcquireShortTermInvestments',
  ],
  investment_sales: [
    'ProceedsFromSaleMaturityAndCollectionsOfInvestments',
    'ProceedsFromSaleOfAvailableForSaleSecuritiesDebt',
    'ProceedsFromSaleOfAvailableForSaleSecurities',
    'ProceedsFromSaleAndMaturityOfMarketableSecurities',
  ],
  investment_maturities: [
    'ProceedsFromMaturitiesPrepaymentsAndCallsOfAvailableForSaleSecurities',
    'ProceedsFromMaturitiesPrepaymentsAndCallsOfHeldToMaturitySecurities',
  ],
  property_sales: [
    'ProceedsFromSaleOfPropertyPlantAndEquipment',
    'ProceedsFromSaleOfProductiveAssets',
    'ProceedsFromSaleOfRealEstateHeldforinvestment',
  ],
  business_sales: ['ProceedsFromDivestitureOfBusinesses', 'ProceedsFromDivestitureOfBusinessesNetOfCashDivested'],
  real_estate_purchases: [
    'PaymentsToAcquireRealEstateHeldForInvestment',
    'PaymentsToAcquireCommercialRealEstate',
    'PaymentsToAcquireRealEstate',
    'PaymentsToAcquireResidentialRealEstate',
  ],
  loans_made: ['PaymentsForProceedsFromLoansAndLeases'],
  other_investing_items: ['PaymentsForProceedsFromOtherInvestingActivities'],
  credit_line_proceeds: ['ProceedsFromLinesOfCredit', 'ProceedsFromLongTermLinesOfCredit'],
  credit_line_repayments: ['RepaymentsOfLinesOfCredit', 'RepaymentsOfLongTermLinesOfCredit'],
  finance_lease_repayments: ['FinanceLeasePrincipalPayments', 'RepaymentsOfLongTermCapitalLeaseObligations'],
  debt_costs_paid: ['PaymentsOfDebtIssuanceCosts', 'PaymentsOfFinancingCosts'],
  change_in_deposits: ['IncreaseDecreaseInDeposits'],
  stock_issued: ['ProceedsFromIssuanceOfCommonStock'],
  stock_options_exercised: [
    'ProceedsFromStockOptionsExercised',
    'ProceedsFromIssuanceOfSharesUnderIncentiveAndShareBasedCompensationPlansIncludingStockOptions',
    'ProceedsFromStockPlans',
  ],
  tax_withholding: ['PaymentsRelatedToTaxWithholdingForShareBasedCompensation'],
  preferred_dividends_paid: ['PaymentsOfDividendsPreferredStockAndPreferenceStock'],
  distributions_to_noncontrolling: ['PaymentsToMinorityShareholders', 'PaymentsOfDividendsMinorityInterest'],
  other_financing_items: ['ProceedsFromPaymentsForOtherFinancingActivities'],
  exchange_rate_effect: {
    'us-gaap': [
      'EffectOfExchangeRateOnCashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents',
      'EffectOfExchangeRateOnCashAndCashEquivalents',
    ],
    'ifrs-full': ['EffectOfExchangeRateChangesOnCashAndCashEquivalents'],
  },
  change_in_cash: {
    'us-gaap': [
      'CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalentsPeriodIncreaseDecreaseIncludingExchangeRateEffect',
      'CashAndCashEquivalentsPeriodIncreaseDecrease',
      'CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalentsPeriodIncreaseDecreaseExcludingExchangeRateEffect',
      'CashPeriodIncreaseDecrease',
    ],
    'ifrs-full': ['IncreaseDecreaseInCashAndCashEquivalents'],
  },
  interest_paid: ['InterestPaidNet', 'InterestPaid'],
  income_taxes_paid: ['IncomeTaxesPaidNet', 'IncomeTaxesPaid'],
  unpaid_capital_expenditures: ['CapitalExpendituresIncurredButNotYetPaid'],
} as const satisfies Partial<Record<ReportedKey, ConceptLists>>;
