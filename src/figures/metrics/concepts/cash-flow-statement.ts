/** The concepts of the cash flow statement, best first; see `../concepts.ts`. */
import type { ReportedKey } from '../../../contract/figures.ts';
import type { ConceptLists } from './concept-lists.ts';

const CAPITAL_EXPENDITURE_CONCEPTS = {
  'us-gaap': [
    'PaymentsToAcquirePropertyPlantAndEquipment',
    'PaymentsToAcquireProductiveAssets',
    ['PaymentsToAcquireOtherPropertyPlantAndEquipment', '0.7'],
    ['PaymentsForCapitalImprovements', '0.7'],
    ['PaymentsToAcquireOilAndGasPropertyAndEquipment', '0.7'],
  ],
} as const satisfies ConceptLists;

export const CASH_FLOW_STATEMENT_CONCEPTS = {
  depreciation_and_amortization: {
    'us-gaap': [
      'DepreciationDepletionAndAmortization',
      'DepreciationAmortizationAndAccretionNet',
      'DepreciationAndAmortization',
      // Usually excludes amortization reported on a separate line; see `revisions/synonyms/depreciation.ts`.
      ['OtherDepreciationAndAmortization', '0.8'],
    ],
    'ifrs-full': [
      'DepreciationAndAmortisationExpense',
      'AdjustmentsForDepreciationAndAmortisationExpense',
      ['DepreciationAmortisationAndImpairmentLossReversalOfImpairmentLossRecognisedInProfitOrLoss', '0.8'],
    ],
  },
  other_depreciation_and_amortization: { 'us-gaap': ['OtherDepreciationAndAmortization'] },
  depreciation_and_amortization_of_two_lines: {},
  depreciation_and_other_amortization: {
    'us-gaap': [
      'DepreciationDepletionAndAmortization',
      'DepreciationAmortizationAndAccretionNet',
      'DepreciationAndAmortization',
    ],
  },
  depreciation: {
    'us-gaap': ['Depreciation'],
    'ifrs-full': ['DepreciationExpense', 'AdjustmentsForDepreciationExpense'],
  },
  amortization: {
    'us-gaap': ['AmortizationOfIntangibleAssets', ['AdjustmentForAmortization', '0.9']],
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
  capital_expenditures: {
    ...CAPITAL_EXPENDITURE_CONCEPTS,
    'ifrs-full': ['PurchaseOfPropertyPlantAndEquipmentClassifiedAsInvestingActivities'],
  },
  capital_expenditures_for_own_use: CAPITAL_EXPENDITURE_CONCEPTS,
  purchases_to_rent_out: { 'us-gaap': ['PaymentsToAcquireEquipmentOnLease'] },
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
} as const satisfies Partial<Record<ReportedKey, ConceptLists>>;
