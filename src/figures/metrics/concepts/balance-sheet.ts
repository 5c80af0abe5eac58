/** The concepts of the balance sheet and of report covers, best first; see `../concepts.ts`. */
import type { Decimal } from '../../../contract/decimal-text.ts';
import type { ReportedKey } from '../../../contract/figures.ts';
import type { ConceptLists, Conditions } from './concept-lists.ts';

const TOTAL_EQUITY = 'StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest';

const DEBT_WITH_LEASES = 'LongTermDebtAndCapitalLeaseObligations';
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
const ONE_KIND_OF_BORROWINGS = { atMostOneOf: KINDS_OF_BORROWINGS.map(([concept]) => concept) };
/**
 * One kind of borrowings, or a total: notes and loans payable are one only in filings that also state commercial paper.
 */
const ONE_LINE_OF_BORROWINGS: Conditions = {
  ...ONE_KIND_OF_BORROWINGS,
  totalsOfLines: [['ShortTermBorrowings'], ['NotesAndLoansPayable', 'CommercialPaper']],
};
/** Principal due within a year, from a note. If it is zero, a balance sheet's only line of debt is noncurrent. */
const PRINCIPAL_DUE = 'LongTermDebtMaturitiesRepaymentsOfPrincipalInNextTwelveMonths';
const NOTHING_DUE = { zero: [PRINCIPAL_DUE], absent: ['LongTermDebtNoncurrent', 'LongTermDebtCurrent'] };

export const BALANCE_SHEET_CONCEPTS = {
  cash_and_equivalents: {
    'us-gaap': [
      'CashAndCashEquivalentsAtCarryingValue',
      ['Cash', '0.9'],
      ['CashAndDueFromBanks', '0.8'],
      // This concept is the closing total of the cash flow statement, which includes restricted cash.
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
  long_term_investments: [
    'LongTermInvestments',
    'MarketableSecuritiesNoncurrent',
    ['AvailableForSaleSecuritiesNoncurrent', '0.9'],
    ['AvailableForSaleSecuritiesDebtSecuritiesNoncurrent', '0.9'],
  ],
  operating_lease_assets: { 'us-gaap': ['OperatingLeaseRightOfUseAsset'], 'ifrs-full': ['RightofuseAssets'] },
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
  property_rented_out: ['PropertySubjectToOrAvailableForOperatingLeaseNet'],
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
  finite_lived_intangibles: ['FiniteLivedIntangibleAssetsNet'],
  indefinite_lived_intangibles: ['IndefiniteLivedIntangibleAssetsExcludingGoodwill'],
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
      { concept: 'LongTermDebtCurrent', ...ONE_LINE_OF_BORROWINGS },
      {
        concept: 'LongTermDebtAndCapitalLeaseObligationsCurrent',
        confidence: '0.9',
        absent: ['LongTermDebtCurrent'],
        ...ONE_LINE_OF_BORROWINGS,
      },
      {
        ...{ concept: PRINCIPAL_DUE, confidence: '0.8', with: ['LongTermDebt'] },
        ...NOTHING_DUE,
        ...ONE_LINE_OF_BORROWINGS,
      },
    ],
    'ifrs-full': ['CurrentPortionOfLongtermBorrowings'],
  },
  short_term_borrowings: {
    'us-gaap': [
      'ShortTermBorrowings',
      { concept: 'NotesAndLoansPayable', confidence: '0.8', with: ['CommercialPaper'], parts: ['CommercialPaper'] },
      ...KINDS_OF_BORROWINGS.map(([concept, confidence]) => ({
        ...{ concept, confidence, ...ONE_KIND_OF_BORROWINGS },
        absent:
          concept === 'CommercialPaper' ? ['ShortTermBorrowings', 'NotesAndLoansPayable'] : ['ShortTermBorrowings'],
      })),
    ],
    'ifrs-full': ['ShorttermBorrowings'],
  },
  noncurrent_debt_to_related_parties: ['NotesPayableRelatedPartiesNoncurrent'],
  current_liabilities: { 'us-gaap': ['LiabilitiesCurrent'], 'ifrs-full': ['CurrentLiabilities'] },
  long_term_debt: {
    'us-gaap': [
      'LongTermDebtNoncurrent',
      // Includes finance leases.
      { concept: DEBT_WITH_LEASES, confidence: '0.9', absent: ['LongTermDebtNoncurrent'] },
      // On a balance sheet with current liabilities, this concept includes the current portion. So it is read only
      // without them, or if nothing is due within a year.
      {
        concept: 'LongTermDebt',
        confidence: '0.9',
        absent: ['LongTermDebtNoncurrent', DEBT_WITH_LEASES, 'LongTermDebtCurrent', 'LiabilitiesCurrent'],
        or: { ...NOTHING_DUE, absent: [...NOTHING_DUE.absent, DEBT_WITH_LEASES], with: [PRINCIPAL_DUE] },
      },
    ],
    'ifrs-full': [
      { concept: 'LongtermBorrowings', parts: BONDS },
      {
        concept: 'NoncurrentPortionOfNoncurrentBorrowings',
        confidence: '0.9',
        absent: ['LongtermBorrowings'],
        parts: BONDS,
      },
    ],
  },
  long_term_debt_with_current: [{ concept: 'LongTermDebt', sumOf: ['LongTermDebtNoncurrent', 'LongTermDebtCurrent'] }],
  // A note may state the liabilities of only one business.
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
  treasury_stock: { 'us-gaap': ['TreasuryStockValue', 'TreasuryStockCommonValue'], 'ifrs-full': ['TreasuryShares'] },
  accumulated_other_comprehensive_income: {
    'us-gaap': ['AccumulatedOtherComprehensiveIncomeLossNetOfTax'],
    'ifrs-full': ['AccumulatedOtherComprehensiveIncome'],
  },
  retained_earnings: { 'us-gaap': ['RetainedEarningsAccumulatedDeficit'], 'ifrs-full': ['RetainedEarnings'] },
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
  noncontrolling_interests: { 'us-gaap': ['MinorityInterest'], 'ifrs-full': ['NoncontrollingInterests'] },
  total_equity: {
    'us-gaap': ['StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest'],
    'ifrs-full': ['Equity'],
  },
  temporary_equity: [
    'TemporaryEquityCarryingAmountIncludingPortionAttributableToNoncontrollingInterests',
    // Tag used until 2009; its name does not state whether noncontrolling interests are included.
    'TemporaryEquityCarryingAmount',
    ['TemporaryEquityCarryingAmountAttributableToParent', '0.9'],
    ['RedeemableNoncontrollingInterestEquityCarryingAmount', '0.9'],
    ['TemporaryEquityRedemptionValue', '0.8'],
  ],
  common_shares_outstanding: {
    dei: ['EntityCommonStockSharesOutstanding'],
    // This concept is used only if the cover has no count: a balance sheet may count another day, or state a placeholder.
    'us-gaap': [['CommonStockSharesOutstanding', '0.8', 2]],
  },
  public_float: { dei: ['EntityPublicFloat'] },
  restricted_cash: [
    'RestrictedCashAndCashEquivalentsAtCarryingValue',
    'RestrictedCashCurrent',
    'RestrictedCashAndInvestmentsCurrent',
  ],
  unbilled_receivables: [
    'ContractWithCustomerAssetNetCurrent',
    'UnbilledReceivablesCurrent',
    'UnbilledContractsReceivable',
    'CostsInExcessOfBillingsCurrent',
  ],
  other_receivables: ['OtherReceivablesNetCurrent', 'IncomeTaxesReceivable', 'NontradeReceivablesCurrent'],
  prepaid_expenses: ['PrepaidExpenseCurrent', 'PrepaidExpenseAndOtherAssetsCurrent'],
  held_for_sale: [
    'AssetsOfDisposalGroupIncludingDiscontinuedOperationCurrent',
    'AssetsHeldForSaleNotPartOfDisposalGroupCurrent',
    'DisposalGroupIncludingDiscontinuedOperationAssetsCurrent',
  ],
  reported_other_current_assets: ['OtherAssetsCurrent'],
  securities_available_for_sale: [
    'AvailableForSaleSecuritiesDebtSecurities',
    'AvailableForSaleSecurities',
    'DebtSecuritiesAvailableForSaleExcludingAccruedInterest',
  ],
  securities_held_to_maturity: [
    'HeldToMaturitySecurities',
    'DebtSecuritiesHeldToMaturityAmortizedCostAfterAllowanceForCreditLoss',
    'DebtSecuritiesHeldToMaturityExcludingAccruedInterestAfterAllowanceForCreditLoss',
  ],
  equity_securities: ['EquitySecuritiesFvNi', 'AvailableForSaleSecuritiesEquitySecurities'],
  interest_bearing_deposits_in_banks: ['InterestBearingDepositsInBanks'],
  federal_funds_sold: ['FederalFundsSold', 'FederalFundsSoldAndSecuritiesPurchasedUnderAgreementsToResell'],
  equity_method_investments: {
    'us-gaap': ['EquityMethodInvestments', 'InvestmentsInAffiliatesSubsidiariesAssociatesAndJointVentures'],
    'ifrs-full': ['InvestmentAccountedForUsingEquityMethod'],
  },
  investments: ['Investments', 'InvestmentsAndCash'],
  loans_held_for_sale: [
    'LoansReceivableHeldForSaleAmount',
    'LoansReceivableHeldForSaleNet',
    'MortgageLoansHeldForSaleFairValueDisclosure',
    'LoansHeldForSaleFairValueDisclosure',
  ],
  loans_before_allowance: [
    'LoansAndLeasesReceivableNetOfDeferredIncome',
    'FinancingReceivableExcludingAccruedInterestBeforeAllowanceForCreditLoss',
    'LoansAndLeasesReceivableGrossCarryingAmount',
    'NotesReceivableGross',
  ],
  loan_allowance: [
    'LoansAndLeasesReceivableAllowance',
    'FinancingReceivableAllowanceForCreditLossExcludingAccruedInterest',
    'FinancingReceivableAllowanceForCreditLosses',
  ],
  accrued_interest_receivable: ['InterestReceivable', 'AccruedInvestmentIncomeReceivable'],
  bank_owned_life_insurance: [
    'BankOwnedLifeInsurance',
    'CashSurrenderValueOfLifeInsurance',
    'LifeInsuranceCorporateOrBankOwnedAmount',
  ],
  premiums_receivable: ['PremiumsReceivableAtCarryingValue'],
  reinsurance_recoverables: [
    'ReinsuranceRecoverables',
    'ReinsuranceRecoverablesIncludingReinsurancePremiumPaid',
    'ReinsuranceRecoverableForPaidAndUnpaidClaimsAndClaimsAdjustmentExpense',
  ],
  deferred_acquisition_costs: [
    'DeferredPolicyAcquisitionCosts',
    'DeferredPolicyAcquisitionCostsAndValueOfBusinessAcquired',
  ],
  separate_account_assets: ['SeparateAccountAssets'],
  property_gross: [
    'PropertyPlantAndEquipmentGross',
    'PublicUtilitiesPropertyPlantAndEquipment',
    'PropertyPlantAndEquipmentAndFinanceLeaseRightOfUseAssetBeforeAccumulatedDepreciationAndAmortization',
  ],
  accumulated_depreciation: [
    'AccumulatedDepreciationDepletionAndAmortizationPropertyPlantAndEquipment',
    'PublicUtilitiesPropertyPlantAndEquipmentAccumulatedDepreciation',
    'PropertyPlantAndEquipmentAndFinanceLeaseRightOfUseAssetAccumulatedDepreciationAndAmortization',
  ],
  real_estate_gross: ['RealEstateInvestmentPropertyAtCost'],
  real_estate_depreciation: ['RealEstateInvestmentPropertyAccumulatedDepreciation'],
  real_estate: ['RealEstateInvestmentPropertyNet'],
  restricted_cash_noncurrent: ['RestrictedCashAndCashEquivalentsNoncurrent', 'RestrictedCashNoncurrent'],
  regulatory_assets: ['RegulatoryAssetsNoncurrent', 'RegulatoryAssets'],
  pension_assets: ['DefinedBenefitPlanAssetsForPlanBenefitsNoncurrent', 'AssetsForPlanBenefitsDefinedBenefitPlan'],
  reported_other_assets: ['OtherAssetsNoncurrent', 'OtherAssets'],
  accrued_compensation: ['EmployeeRelatedLiabilitiesCurrent', 'AccruedSalariesCurrent'],
  accrued_taxes: ['TaxesPayableCurrent', 'AccruedIncomeTaxesCurrent'],
  accrued_interest: ['InterestPayableCurrent'],
  accrued_liabilities: ['AccruedLiabilitiesCurrent'],
  dividends_payable: ['DividendsPayableCurrent', 'DividendsPayableCurrentAndNoncurrent'],
  operating_lease_liabilities_current: {
    'us-gaap': ['OperatingLeaseLiabilityCurrent'],
    'ifrs-full': ['CurrentLeaseLiabilities'],
  },
  finance_lease_liabilities_current: ['FinanceLeaseLiabilityCurrent', 'CapitalLeaseObligationsCurrent'],
  reported_other_current_liabilities: ['OtherLiabilitiesCurrent', 'OtherAccruedLiabilitiesCurrent'],
  noninterest_bearing_deposits: ['NoninterestBearingDepositLiabilities'],
  interest_bearing_deposits: ['InterestBearingDepositLiabilities'],
  repurchase_agreements: [
    'SecuritiesSoldUnderAgreementsToRepurchase',
    'FederalFundsPurchasedAndSecuritiesSoldUnderAgreementsToRepurchase',
  ],
  home_loan_bank_advances: ['AdvancesFromFederalHomeLoanBanks', 'FederalHomeLoanBankAdvancesLongTerm'],
  subordinated_debt: ['SubordinatedDebt', 'SubordinatedLongTermDebt', 'JuniorSubordinatedNotes'],
  loss_reserves: ['LiabilityForClaimsAndClaimsAdjustmentExpense', 'LiabilityForUnpaidClaimsAndClaimsAdjustmentExpense'],
  future_policy_benefits: ['LiabilityForFuturePolicyBenefits'],
  unearned_premiums: ['UnearnedPremiums'],
  separate_account_liabilities: ['SeparateAccountsLiability'],
  finance_lease_liabilities: ['FinanceLeaseLiabilityNoncurrent', 'CapitalLeaseObligationsNoncurrent'],
  pension_liabilities: [
    'PensionAndOtherPostretirementDefinedBenefitPlansLiabilitiesNoncurrent',
    'DefinedBenefitPensionPlanLiabilitiesNoncurrent',
  ],
  deferred_revenue_noncurrent: ['ContractWithCustomerLiabilityNoncurrent', 'DeferredRevenueNoncurrent'],
  asset_retirement_obligations: ['AssetRetirementObligationsNoncurrent', 'AssetRetirementObligation'],
  regulatory_liabilities: ['RegulatoryLiabilityNoncurrent', 'RegulatoryLiabilities'],
  uncertain_tax_liabilities: ['LiabilityForUncertainTaxPositionsNoncurrent', 'AccruedIncomeTaxesNoncurrent'],
  reported_other_liabilities: ['OtherLiabilitiesNoncurrent', 'OtherLiabilities'],
  preferred_stock: ['PreferredStockValue', 'PreferredStockValueOutstanding'],
  common_stock: ['CommonStockValue'],
  cet1_ratio: ['CommonEquityTierOneCapitalRatio'],
} as const satisfies Partial<Record<ReportedKey, ConceptLists>>;
