/** The concepts of the balance sheet and of report covers, best first; see `../concepts.ts`. */
import type { Decimal } from '../../../contract/decimal-text.ts';
import type { ReportedKey } from '../../../contract/figures.ts';
import type { ConceptLists, Conditions } from './concept-lists.ts';

const TOTAL_EQUITY = 'StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest';

/** IFRS filers may state bonds and loans on separate lines: borrowings below the bonds are only the loans. */
const BONDS = ['NoncurrentPortionOfNoncurrentBondsIssued'];
/** Lines of short-term borrowings, of which a balance sheet may have several. */
const KINDS_OF_BORROWINGS: readonly (readonly [concept: string, confidence: Decimal])[] = [
  ['CommercialPaper', '0.9'],
  ['OtherShortTermBorrowings', '0.8'],
  ['LinesOfCreditCurrent', '0.8'],
  ['LoansPayableCurrent', '0.8'],
  ['NotesAndLoansPayableCurrent', '0.8'],
  ['ShortTermBankLoansAndNotesPayable', '0.8'],
  ['NotesPayableCurrent', '0.7'],
  ['ConvertibleNotesPayableCurrent', '0.7'],
  ['OtherNotesPayableCurrent', '0.7'],
];
/** Totals of short-term borrowings. */
const TOTAL_BORROWINGS = ['ShortTermBorrowings', 'NotesAndLoansPayable'];
const ONE_KIND_OF_BORROWINGS: Conditions = {
  atMostOneOf: KINDS_OF_BORROWINGS.map(([concept]) => concept),
  or: { with: TOTAL_BORROWINGS },
};
/** Principal due within a year, from a note. If it is zero and the balance sheet has one line of debt, all is noncurrent. */
const PRINCIPAL_DUE = 'LongTermDebtMaturitiesRepaymentsOfPrincipalInNextTwelveMonths';
const NOTHING_DUE: Conditions = { zero: [PRINCIPAL_DUE], absent: ['LongTermDebtNoncurrent', 'LongTermDebtCurrent'] };

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
      {
        concept: 'InventoryFinishedGoodsNetOfReserves',
        confidence: '0.8',
        without: ['InventoryRawMaterials', 'InventoryRawMaterialsNetOfReserves', 'InventoryWorkInProcess'],
      },
    ],
    'ifrs-full': ['Inventories'],
  },
  noncurrent_bonds: { 'ifrs-full': BONDS },
  noncurrent_loans: { 'ifrs-full': ['LongtermBorrowings', 'NoncurrentPortionOfNoncurrentBorrowings'] },
  current_assets: {
    'us-gaap': [{ concept: 'AssetsCurrent', parts: ['CashAndCashEquivalentsAtCarryingValue'] }],
    'ifrs-full': ['CurrentAssets'],
  },
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
    'us-gaap': [
      { concept: 'IntangibleAssetsNetExcludingGoodwill', parts: ['FiniteLivedIntangibleAssetsNet'] },
      {
        concept: 'FiniteLivedIntangibleAssetsNet',
        confidence: '0.8',
        without: ['IndefiniteLivedIntangibleAssetsExcludingGoodwill'],
      },
    ],
    'ifrs-full': ['IntangibleAssetsOtherThanGoodwill'],
  },
  finite_lived_intangibles: { 'us-gaap': ['FiniteLivedIntangibleAssetsNet'] },
  indefinite_lived_intangibles: { 'us-gaap': ['IndefiniteLivedIntangibleAssetsExcludingGoodwill'] },
  assets: {
    'us-gaap': [
      { concept: 'Assets', parts: ['AssetsCurrent', 'CashAndCashEquivalentsAtCarryingValue'] },
      ['LiabilitiesAndStockholdersEquity', '0.95'],
    ],
    'ifrs-full': ['Assets'],
  },
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
    'us-gaap': ['ContractWithCustomerLiabilityCurrent', ['DeferredRevenueCurrent', '0.9']],
    'ifrs-full': ['CurrentContractLiabilities'],
  },
  short_term_debt: {
    'us-gaap': [{ concept: 'DebtCurrent', parts: ['LongTermDebtCurrent', 'ShortTermBorrowings', 'CommercialPaper'] }],
    'ifrs-full': ['CurrentBorrowingsAndCurrentPortionOfNoncurrentBorrowings'],
  },
  current_portion_of_debt: {
    'us-gaap': [
      { concept: 'LongTermDebtCurrent', ...ONE_KIND_OF_BORROWINGS },
      {
        concept: 'LongTermDebtAndCapitalLeaseObligationsCurrent',
        confidence: '0.9',
        absent: ['LongTermDebtCurrent'],
        ...ONE_KIND_OF_BORROWINGS,
      },
      {
        ...{ concept: PRINCIPAL_DUE, confidence: '0.8', with: ['LongTermDebt'] },
        ...NOTHING_DUE,
        ...ONE_KIND_OF_BORROWINGS,
        or: { with: TOTAL_BORROWINGS, ...NOTHING_DUE },
      },
    ],
    'ifrs-full': ['CurrentPortionOfLongtermBorrowings'],
  },
  short_term_borrowings: {
    'us-gaap': [
      'ShortTermBorrowings',
      // A total only in filings that also report commercial paper.
      { concept: 'NotesAndLoansPayable', confidence: '0.8', with: ['CommercialPaper'], parts: ['CommercialPaper'] },
      ...KINDS_OF_BORROWINGS.map(([concept, confidence]) => ({ concept, confidence, ...ONE_KIND_OF_BORROWINGS })),
    ],
    'ifrs-full': ['ShorttermBorrowings'],
  },
  noncurrent_debt_to_related_parties: { 'us-gaap': ['NotesPayableRelatedPartiesNoncurrent'] },
  current_liabilities: { 'us-gaap': ['LiabilitiesCurrent'], 'ifrs-full': ['CurrentLiabilities'] },
  long_term_debt: {
    'us-gaap': [
      'LongTermDebtNoncurrent',
      // Includes finance leases.
      { concept: 'LongTermDebtAndCapitalLeaseObligations', confidence: '0.9', absent: ['LongTermDebtNoncurrent'] },
      // Includes the current portion, if the balance sheet has current liabilities.
      {
        concept: 'LongTermDebt',
        confidence: '0.9',
        absent: ['LongTermDebtNoncurrent', 'LongTermDebtCurrent', 'LiabilitiesCurrent'],
        or: { ...NOTHING_DUE, with: [PRINCIPAL_DUE] },
      },
    ],
    'ifrs-full': [
      { concept: 'LongtermBorrowings', parts: BONDS },
      { concept: 'NoncurrentPortionOfNoncurrentBorrowings', confidence: '0.9', parts: BONDS },
    ],
  },
  long_term_debt_with_current: {
    'us-gaap': [{ concept: 'LongTermDebt', sumOf: ['LongTermDebtNoncurrent', 'LongTermDebtCurrent'] }],
  },
  // A note may have the liabilities of one business alone.
  liabilities: {
    'us-gaap': [
      {
        concept: 'Liabilities',
        parts: ['LiabilitiesCurrent'],
        with: ['Assets', 'LiabilitiesAndStockholdersEquity', 'StockholdersEquity', TOTAL_EQUITY],
      },
    ],
    'ifrs-full': ['Liabilities'],
  },
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
      {
        concept: 'StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest',
        confidence: '0.9',
        without: ['MinorityInterest'],
      },
      ['PartnersCapital', '0.9'],
      ['MembersEquity', '0.9'],
    ],
    'ifrs-full': [
      'EquityAttributableToOwnersOfParent',
      { concept: 'Equity', confidence: '0.9', without: ['NoncontrollingInterests'] },
    ],
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
  restricted_cash: {
    'us-gaap': [
      'RestrictedCashAndCashEquivalentsAtCarryingValue',
      'RestrictedCashCurrent',
      'RestrictedCashAndInvestmentsCurrent',
    ],
  },
  unbilled_receivables: {
    'us-gaap': [
      'ContractWithCustomerAssetNetCurrent',
      'UnbilledReceivablesCurrent',
      'UnbilledContractsReceivable',
      'CostsInExcessOfBillingsCurrent',
    ],
  },
  other_receivables: {
    'us-gaap': ['OtherReceivablesNetCurrent', 'IncomeTaxesReceivable', 'NontradeReceivablesCurrent'],
  },
  prepaid_expenses: { 'us-gaap': ['PrepaidExpenseCurrent', 'PrepaidExpenseAndOtherAssetsCurrent'] },
  held_for_sale: {
    'us-gaap': [
      'AssetsOfDisposalGroupIncludingDiscontinuedOperationCurrent',
      'AssetsHeldForSaleNotPartOfDisposalGroupCurrent',
      'DisposalGroupIncludingDiscontinuedOperationAssetsCurrent',
    ],
  },
  reported_other_current_assets: { 'us-gaap': ['OtherAssetsCurrent'] },
  securities_available_for_sale: {
    'us-gaap': [
      'AvailableForSaleSecuritiesDebtSecurities',
      'AvailableForSaleSecurities',
      'DebtSecuritiesAvailableForSaleExcludingAccruedInterest',
    ],
  },
  securities_held_to_maturity: {
    'us-gaap': [
      'HeldToMaturitySecurities',
      'DebtSecuritiesHeldToMaturityAmortizedCostAfterAllowanceForCreditLoss',
      'DebtSecuritiesHeldToMaturityExcludingAccruedInterestAfterAllowanceForCreditLoss',
    ],
  },
  equity_securities: { 'us-gaap': ['EquitySecuritiesFvNi', 'AvailableForSaleSecuritiesEquitySecurities'] },
  interest_bearing_deposits_in_banks: { 'us-gaap': ['InterestBearingDepositsInBanks'] },
  federal_funds_sold: {
    'us-gaap': ['FederalFundsSold', 'FederalFundsSoldAndSecuritiesPurchasedUnderAgreementsToResell'],
  },
  equity_method_investments: {
    'us-gaap': ['EquityMethodInvestments', 'InvestmentsInAffiliatesSubsidiariesAssociatesAndJointVentures'],
    'ifrs-full': ['InvestmentAccountedForUsingEquityMethod'],
  },
  investments: { 'us-gaap': ['Investments', 'InvestmentsAndCash'] },
  loans_held_for_sale: {
    'us-gaap': [
      'LoansReceivableHeldForSaleAmount',
      'LoansReceivableHeldForSaleNet',
      'MortgageLoansHeldForSaleFairValueDisclosure',
      'LoansHeldForSaleFairValueDisclosure',
    ],
  },
  loans_before_allowance: {
    'us-gaap': [
      'LoansAndLeasesReceivableNetOfDeferredIncome',
      'FinancingReceivableExcludingAccruedInterestBeforeAllowanceForCreditLoss',
      'LoansAndLeasesReceivableGrossCarryingAmount',
      'NotesReceivableGross',
    ],
  },
  loan_allowance: {
    'us-gaap': [
      'LoansAndLeasesReceivableAllowance',
      'FinancingReceivableAllowanceForCreditLossExcludingAccruedInterest',
      'FinancingReceivableAllowanceForCreditLosses',
    ],
  },
  accrued_interest_receivable: { 'us-gaap': ['InterestReceivable', 'AccruedInvestmentIncomeReceivable'] },
  bank_owned_life_insurance: {
    'us-gaap': [
      'BankOwnedLifeInsurance',
      'CashSurrenderValueOfLifeInsurance',
      'LifeInsuranceCorporateOrBankOwnedAmount',
    ],
  },
  premiums_receivable: { 'us-gaap': ['PremiumsReceivableAtCarryingValue'] },
  reinsurance_recoverables: {
    'us-gaap': [
      'ReinsuranceRecoverables',
      'ReinsuranceRecoverablesIncludingReinsurancePremiumPaid',
      'ReinsuranceRecoverableForPaidAndUnpaidClaimsAndClaimsAdjustmentExpense',
    ],
  },
  deferred_acquisition_costs: {
    'us-gaap': ['DeferredPolicyAcquisitionCosts', 'DeferredPolicyAcquisitionCostsAndValueOfBusinessAcquired'],
  },
  separate_account_assets: { 'us-gaap': ['SeparateAccountAssets'] },
  property_gross: {
    'us-gaap': [
      'PropertyPlantAndEquipmentGross',
      'PublicUtilitiesPropertyPlantAndEquipment',
      'PropertyPlantAndEquipmentAndFinanceLeaseRightOfUseAssetBeforeAccumulatedDepreciationAndAmortization',
    ],
  },
  accumulated_depreciation: {
    'us-gaap': [
      'AccumulatedDepreciationDepletionAndAmortizationPropertyPlantAndEquipment',
      'PublicUtilitiesPropertyPlantAndEquipmentAccumulatedDepreciation',
      'PropertyPlantAndEquipmentAndFinanceLeaseRightOfUseAssetAccumulatedDepreciationAndAmortization',
    ],
  },
  real_estate_gross: { 'us-gaap': ['RealEstateInvestmentPropertyAtCost'] },
  real_estate_depreciation: { 'us-gaap': ['RealEstateInvestmentPropertyAccumulatedDepreciation'] },
  real_estate: { 'us-gaap': ['RealEstateInvestmentPropertyNet'] },
  restricted_cash_noncurrent: { 'us-gaap': ['RestrictedCashAndCashEquivalentsNoncurrent', 'RestrictedCashNoncurrent'] },
  regulatory_assets: { 'us-gaap': ['RegulatoryAssetsNoncurrent', 'RegulatoryAssets'] },
  pension_assets: {
    'us-gaap': ['DefinedBenefitPlanAssetsForPlanBenefitsNoncurrent', 'AssetsForPlanBenefitsDefinedBenefitPlan'],
  },
  reported_other_assets: { 'us-gaap': ['OtherAssetsNoncurrent', 'OtherAssets'] },
  accrued_compensation: { 'us-gaap': ['EmployeeRelatedLiabilitiesCurrent', 'AccruedSalariesCurrent'] },
  accrued_taxes: { 'us-gaap': ['TaxesPayableCurrent', 'AccruedIncomeTaxesCurrent'] },
  accrued_interest: { 'us-gaap': ['InterestPayableCurrent'] },
  accrued_liabilities: { 'us-gaap': ['AccruedLiabilitiesCurrent'] },
  dividends_payable: { 'us-gaap': ['DividendsPayableCurrent', 'DividendsPayableCurrentAndNoncurrent'] },
  operating_lease_liabilities_current: {
    'us-gaap': ['OperatingLeaseLiabilityCurrent'],
    'ifrs-full': ['CurrentLeaseLiabilities'],
  },
  finance_lease_liabilities_current: { 'us-gaap': ['FinanceLeaseLiabilityCurrent', 'CapitalLeaseObligationsCurrent'] },
  reported_other_current_liabilities: { 'us-gaap': ['OtherLiabilitiesCurrent', 'OtherAccruedLiabilitiesCurrent'] },
  noninterest_bearing_deposits: { 'us-gaap': ['NoninterestBearingDepositLiabilities'] },
  interest_bearing_deposits: { 'us-gaap': ['InterestBearingDepositLiabilities'] },
  repurchase_agreements: {
    'us-gaap': [
      'SecuritiesSoldUnderAgreementsToRepurchase',
      'FederalFundsPurchasedAndSecuritiesSoldUnderAgreementsToRepurchase',
    ],
  },
  home_loan_bank_advances: { 'us-gaap': ['AdvancesFromFederalHomeLoanBanks', 'FederalHomeLoanBankAdvancesLongTerm'] },
  subordinated_debt: { 'us-gaap': ['SubordinatedDebt', 'SubordinatedLongTermDebt', 'JuniorSubordinatedNotes'] },
  loss_reserves: {
    'us-gaap': ['LiabilityForClaimsAndClaimsAdjustmentExpense', 'LiabilityForUnpaidClaimsAndClaimsAdjustmentExpense'],
  },
  future_policy_benefits: { 'us-gaap': ['LiabilityForFuturePolicyBenefits'] },
  unearned_premiums: { 'us-gaap': ['UnearnedPremiums'] },
  separate_account_liabilities: { 'us-gaap': ['SeparateAccountsLiability'] },
  finance_lease_liabilities: { 'us-gaap': ['FinanceLeaseLiabilityNoncurrent', 'CapitalLeaseObligationsNoncurrent'] },
  pension_liabilities: {
    'us-gaap': [
      'PensionAndOtherPostretirementDefinedBenefitPlansLiabilitiesNoncurrent',
      'DefinedBenefitPensionPlanLiabilitiesNoncurrent',
    ],
  },
  deferred_revenue_noncurrent: { 'us-gaap': ['ContractWithCustomerLiabilityNoncurrent', 'DeferredRevenueNoncurrent'] },
  asset_retirement_obligations: { 'us-gaap': ['AssetRetirementObligationsNoncurrent', 'AssetRetirementObligation'] },
  regulatory_liabilities: { 'us-gaap': ['RegulatoryLiabilityNoncurrent', 'RegulatoryLiabilities'] },
  uncertain_tax_liabilities: {
    'us-gaap': ['LiabilityForUncertainTaxPositionsNoncurrent', 'AccruedIncomeTaxesNoncurrent'],
  },
  reported_other_liabilities: { 'us-gaap': ['OtherLiabilitiesNoncurrent', 'OtherLiabilities'] },
  preferred_stock: { 'us-gaap': ['PreferredStockValue', 'PreferredStockValueOutstanding'] },
  common_stock: { 'us-gaap': ['CommonStockValue'] },
  cet1_ratio: { 'us-gaap': ['CommonEquityTierOneCapitalRatio'] },
} as const satisfies Partial<Record<ReportedKey, ConceptLists>>;
