/** The concepts of the balance sheet and of report covers, best first; see `../concepts.ts`. */
import type { ReportedKey } from '../../../contract/figures.ts';
import type { ConceptLists } from './concept-lists.ts';

export const BALANCE_SHEET_CONCEPTS = {
  cash_and_equivalents: {
    'us-gaap': [
      'CashAndCashEquivalentsAtCarryingValue',
      ['Cash', '0.9'],
      ['CashAndDueFromBanks', '0.8'],
      // The closing total of the cash flow statement, which includes restricted cash.
      ['CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents', '0.6'],
    ],
    'ifrs-full': ['CashAndCashEquivalents'],
  },
  short_term_investments: {
    'us-gaap': [
      'ShortTermInvestments',
      'MarketableSecuritiesCurrent',
      ['AvailableForSaleSecuritiesCurrent', '0.9'],
      ['AvailableForSaleSecuritiesDebtSecuritiesCurrent', '0.9'],
    ],
    'ifrs-full': ['CurrentInvestments'],
  },
  receivables: {
    'us-gaap': [
      'AccountsReceivableNetCurrent',
      ['ReceivablesNetCurrent', '0.9'],
      ['AccountsNotesAndLoansReceivableNetCurrent', '0.9'],
    ],
    'ifrs-full': ['CurrentTradeReceivables', ['TradeAndOtherCurrentReceivables', '0.9']],
  },
  inventories: {
    'us-gaap': [
      'InventoryNet',
      ['InventoryNetOfAllowancesCustomerAdvancesAndProgressBillings', '0.9'],
      // Some filings tag only a part of the inventories; see `revisions/synonyms/partial-amounts.ts`.
      ['InventoryFinishedGoodsNetOfReserves', '0.8'],
    ],
    'ifrs-full': ['Inventories'],
  },
  inventories_in_production: {
    'us-gaap': [
      'InventoryRawMaterials',
      'InventoryRawMaterialsNetOfReserves',
      'InventoryRawMaterialsAndSupplies',
      'InventoryRawMaterialsAndSuppliesNetOfReserves',
      'InventoryRawMaterialsAndPurchasedPartsNetOfReserves',
      'InventoryWorkInProcess',
      'InventoryWorkInProcessNetOfReserves',
      'InventoryWorkInProcessAndRawMaterials',
      'InventoryWorkInProcessAndRawMaterialsNetOfReserves',
    ],
  },
  noncurrent_bonds: { 'ifrs-full': ['NoncurrentPortionOfNoncurrentBondsIssued'] },
  noncurrent_loans: { 'ifrs-full': ['LongtermBorrowings', 'NoncurrentPortionOfNoncurrentBorrowings'] },
  current_assets: { 'us-gaap': ['AssetsCurrent'], 'ifrs-full': ['CurrentAssets'] },
  long_term_investments: {
    'us-gaap': [
      'LongTermInvestments',
      'MarketableSecuritiesNoncurrent',
      ['AvailableForSaleSecuritiesNoncurrent', '0.9'],
      ['AvailableForSaleSecuritiesDebtSecuritiesNoncurrent', '0.9'],
    ],
  },
  operating_lease_assets: {
    'us-gaap': ['OperatingLeaseRightOfUseAsset'],
    'ifrs-full': ['RightofuseAssets'],
  },
  deferred_tax_assets: {
    'us-gaap': ['DeferredIncomeTaxAssetsNet', 'DeferredTaxAssetsNetNoncurrent'],
    'ifrs-full': ['DeferredTaxAssets'],
  },
  operating_lease_liabilities: {
    'us-gaap': ['OperatingLeaseLiabilityNoncurrent'],
    'ifrs-full': ['NoncurrentLeaseLiabilities'],
  },
  deferred_tax_liabilities: {
    'us-gaap': ['DeferredIncomeTaxLiabilitiesNet', 'DeferredTaxLiabilitiesNoncurrent'],
    'ifrs-full': ['DeferredTaxLiabilities'],
  },
  loans: {
    'us-gaap': [
      'LoansAndLeasesReceivableNetReportedAmount',
      'FinancingReceivableExcludingAccruedInterestAfterAllowanceForCreditLoss',
    ],
    'ifrs-full': ['LoansAndAdvancesToCustomers'],
  },
  property_plant_and_equipment: {
    'us-gaap': [
      'PropertyPlantAndEquipmentNet',
      ['PropertyPlantAndEquipmentAndFinanceLeaseRightOfUseAssetAfterAccumulatedDepreciationAndAmortization', '0.9'],
      ['PublicUtilitiesPropertyPlantAndEquipmentNet', '0.9'],
    ],
    'ifrs-full': ['PropertyPlantAndEquipment'],
  },
  property_rented_out: { 'us-gaap': ['PropertySubjectToOrAvailableForOperatingLeaseNet'] },
  goodwill: { 'us-gaap': ['Goodwill'], 'ifrs-full': ['Goodwill'] },
  intangible_assets: {
    'us-gaap': ['IntangibleAssetsNetExcludingGoodwill', ['FiniteLivedIntangibleAssetsNet', '0.8']],
    'ifrs-full': ['IntangibleAssetsOtherThanGoodwill'],
  },
  finite_lived_intangibles: { 'us-gaap': ['FiniteLivedIntangibleAssetsNet'] },
  indefinite_lived_intangibles: { 'us-gaap': ['IndefiniteLivedIntangibleAssetsExcludingGoodwill'] },
  assets: { 'us-gaap': ['Assets'], 'ifrs-full': ['Assets'] },
  deposits: { 'us-gaap': ['Deposits'], 'ifrs-full': ['DepositsFromCustomers'] },
  payables: {
    'us-gaap': [
      'AccountsPayableCurrent',
      ['AccountsPayableTradeCurrent', '0.9'],
      // Includes accrued expenses.
      ['AccountsPayableAndAccruedLiabilitiesCurrent', '0.7'],
    ],
    'ifrs-full': [
      'TradeAndOtherCurrentPayablesToTradeSuppliers',
      'CurrentTradePayables',
      ['TradeAndOtherCurrentPayables', '0.7'],
    ],
  },
  deferred_revenue: {
    'us-gaap': ['ContractWithCustomerLiabilityCurrent', 'DeferredRevenueCurrent'],
    'ifrs-full': ['CurrentContractLiabilities'],
  },
  short_term_debt: {
    'us-gaap': ['DebtCurrent'],
    'ifrs-full': ['CurrentBorrowingsAndCurrentPortionOfNoncurrentBorrowings'],
  },
  current_portion_of_debt: {
    'us-gaap': ['LongTermDebtCurrent', ['LongTermDebtAndCapitalLeaseObligationsCurrent', '0.9']],
    'ifrs-full': ['CurrentPortionOfLongtermBorrowings'],
  },
  short_term_borrowings: {
    'us-gaap': [
      'ShortTermBorrowings',
      ['CommercialPaper', '0.9'],
      ['OtherShortTermBorrowings', '0.8'],
      ['LinesOfCreditCurrent', '0.8'],
      ['LoansPayableCurrent', '0.8'],
      ['NotesPayableCurrent', '0.7'],
    ],
    'ifrs-full': ['ShorttermBorrowings'],
  },
  noncurrent_debt_to_related_parties: { 'us-gaap': ['NotesPayableRelatedPartiesNoncurrent'] },
  current_liabilities: { 'us-gaap': ['LiabilitiesCurrent'], 'ifrs-full': ['CurrentLiabilities'] },
  long_term_debt: {
    'us-gaap': [
      'LongTermDebtNoncurrent',
      // Includes finance leases.
      ['LongTermDebtAndCapitalLeaseObligations', '0.9'],
      // Includes the current portion; used only if the balance sheet has no current liabilities (see `debt.ts`).
      ['LongTermDebt', '0.9'],
    ],
    'ifrs-full': ['LongtermBorrowings', ['NoncurrentPortionOfNoncurrentBorrowings', '0.9']],
  },
  long_term_debt_with_current: { 'us-gaap': ['LongTermDebt'] },
  liabilities: { 'us-gaap': ['Liabilities'], 'ifrs-full': ['Liabilities'] },
  paid_in_capital: {
    'us-gaap': [
      'AdditionalPaidInCapital',
      'AdditionalPaidInCapitalCommonStock',
      // The amount includes the par value.
      ['CommonStocksIncludingAdditionalPaidInCapital', '0.9'],
    ],
    'ifrs-full': ['AdditionalPaidinCapital', ['SharePremium', '0.9']],
  },
  treasury_stock: {
    'us-gaap': ['TreasuryStockValue', 'TreasuryStockCommonValue'],
    'ifrs-full': ['TreasuryShares'],
  },
  accumulated_other_comprehensive_income: {
    'us-gaap': ['AccumulatedOtherComprehensiveIncomeLossNetOfTax'],
    'ifrs-full': ['AccumulatedOtherComprehensiveIncome'],
  },
  retained_earnings: {
    'us-gaap': ['RetainedEarningsAccumulatedDeficit'],
    'ifrs-full': ['RetainedEarnings'],
  },
  stockholders_equity: {
    'us-gaap': [
      'StockholdersEquity',
      ['StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest', '0.9'],
      ['PartnersCapital', '0.9'],
      ['MembersEquity', '0.9'],
    ],
    'ifrs-full': ['EquityAttributableToOwnersOfParent', ['Equity', '0.9']],
  },
  noncontrolling_interests: {
    'us-gaap': ['MinorityInterest'],
    'ifrs-full': ['NoncontrollingInterests'],
  },
  total_equity: {
    'us-gaap': ['StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest'],
    'ifrs-full': ['Equity'],
  },
  temporary_equity: {
    'us-gaap': [
      'TemporaryEquityCarryingAmountIncludingPortionAttributableToNoncontrollingInterests',
      // Tag used until 2009; its name does not state whether noncontrolling interests are included.
      'TemporaryEquityCarryingAmount',
      ['TemporaryEquityCarryingAmountAttributableToParent', '0.9'],
      ['RedeemableNoncontrollingInterestEquityCarryingAmount', '0.9'],
      ['TemporaryEquityRedemptionValue', '0.8'],
    ],
  },
  common_shares_outstanding: {
    dei: ['EntityCommonStockSharesOutstanding'],
    // Used only without a count on the cover: a balance sheet's count may be of another day, or a placeholder.
    'us-gaap': [['CommonStockSharesOutstanding', '0.8', 2]],
  },
  public_float: { dei: ['EntityPublicFloat'] },
} as const satisfies Partial<Record<ReportedKey, ConceptLists>>;
