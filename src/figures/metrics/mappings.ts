/**
 * How each metric is read from tagged facts: the concepts that state it, best first.
 *
 * Synonyms are never summed. `confidence` is ours: 1 for a concept that says what the metric says, less for
 * one that says a little more or less of it, and shown with every value so that a reader can tell.
 */
import type { Decimal } from '../../contract/decimal-text.ts';

export interface Mapping {
  readonly metricKey: string;
  readonly taxonomy: string;
  readonly concept: string;
  /** From 1; the lowest that a filing states for a period is read. */
  readonly priority: number;
  readonly signMultiplier: 1 | -1;
  /** Null: any unit that fits the metric's measure. */
  readonly unit: string | null;
  readonly confidence: Decimal;
}

type Row = readonly [concept: string, confidence?: Decimal];

const mapping = (metricKey: string, taxonomy: string, rows: readonly Row[]): readonly Mapping[] =>
  rows.map(([concept, confidence = '1'], index) => ({
    metricKey,
    taxonomy,
    concept,
    priority: index + 1,
    signMultiplier: 1,
    unit: null,
    confidence,
  }));

const gaap = (metricKey: string, ...rows: Row[]) => mapping(metricKey, 'us-gaap', rows);
const ifrs = (metricKey: string, ...rows: Row[]) => mapping(metricKey, 'ifrs-full', rows);

/** Figures that are kept because others are derived from them, and are no metric of the catalog themselves. */
export const INTERNAL_KEYS = ['total_equity', 'temporary_equity'] as const;

export const MAPPINGS: readonly Mapping[] = [
  // Totals stand before the part that comes from contracts; the guard against a partial total is in `synonyms.ts`.
  ...gaap(
    'revenue',
    ['Revenues'],
    ['RevenuesNetOfInterestExpense'],
    ['RevenueFromContractWithCustomerExcludingAssessedTax'],
    ['RevenueFromContractWithCustomerIncludingAssessedTax'],
    ['SalesRevenueNet'],
    ['RealEstateRevenueNet'],
    ['SalesRevenueGoodsNet', '0.8'],
    ['SalesRevenueServicesNet', '0.8'],
    ['RegulatedAndUnregulatedOperatingRevenue'],
    ['ElectricUtilityRevenue', '0.8'],
    ['OilAndGasRevenue', '0.8'],
    ['HealthCareOrganizationRevenue', '0.9'],
    ['PremiumsEarnedNet', '0.7'],
  ),
  ...ifrs('revenue', ['Revenue'], ['RevenueFromContractsWithCustomers', '0.9']),
  ...gaap(
    'cost_of_revenue',
    ['CostOfRevenue'],
    ['CostOfGoodsAndServicesSold'],
    ['CostOfGoodsSold', '0.9'],
    ['CostOfServices', '0.8'],
  ),
  ...ifrs('cost_of_revenue', ['CostOfSales']),
  ...gaap('gross_profit', ['GrossProfit']),
  ...ifrs('gross_profit', ['GrossProfit']),
  ...gaap('operating_income', ['OperatingIncomeLoss']),
  ...ifrs('operating_income', ['ProfitLossFromOperatingActivities'], ['OperatingProfit']),
  ...gaap(
    'net_income',
    ['NetIncomeLoss'],
    ['ProfitLoss', '0.9'],
    ['NetIncomeLossAvailableToCommonStockholdersBasic', '0.9'],
  ),
  ...ifrs('net_income', ['ProfitLossAttributableToOwnersOfParent'], ['ProfitLoss', '0.9']),
  ...gaap(
    'eps_diluted',
    ['EarningsPerShareDiluted'],
    ['EarningsPerShareBasicAndDiluted'],
    ['IncomeLossFromContinuingOperationsPerDilutedShare', '0.8'],
  ),
  ...ifrs('eps_diluted', ['DilutedEarningsLossPerShare']),
  ...gaap(
    'dividends_per_share',
    ['CommonStockDividendsPerShareDeclared'],
    ['CommonStockDividendsPerShareCashPaid', '0.9'],
  ),
  ...ifrs(
    'dividends_per_share',
    ['DividendsPaidOrdinarySharesPerShare', '0.9'],
    ['DividendsRecognisedAsDistributionsToOwnersPerShare', '0.9'],
  ),
  ...gaap(
    'operating_cash_flow',
    ['NetCashProvidedByUsedInOperatingActivities'],
    ['NetCashProvidedByUsedInOperatingActivitiesContinuingOperations', '0.9'],
  ),
  ...ifrs('operating_cash_flow', ['CashFlowsFromUsedInOperatingActivities']),
  ...gaap(
    'capital_expenditures',
    ['PaymentsToAcquirePropertyPlantAndEquipment'],
    ['PaymentsToAcquireProductiveAssets'],
    ['PaymentsToAcquireOtherPropertyPlantAndEquipment', '0.7'],
    ['PaymentsForCapitalImprovements', '0.7'],
    ['PaymentsToAcquireOilAndGasPropertyAndEquipment', '0.7'],
  ),
  ...ifrs('capital_expenditures', ['PurchaseOfPropertyPlantAndEquipmentClassifiedAsInvestingActivities']),
  ...gaap('share_based_compensation', ['ShareBasedCompensation'], ['AllocatedShareBasedCompensationExpense', '0.8']),
  ...ifrs(
    'share_based_compensation',
    ['AdjustmentsForSharebasedPayments'],
    ['ExpenseFromSharebasedPaymentTransactionsWithEmployees', '0.9'],
    [
      'ExpenseFromSharebasedPaymentTransactionsInWhichGoodsOrServicesReceivedDidNotQualifyForRecognitionAsAssets',
      '0.9',
    ],
  ),
  ...gaap(
    'depreciation_and_amortization',
    ['DepreciationDepletionAndAmortization'],
    ['DepreciationAmortizationAndAccretionNet'],
    ['DepreciationAndAmortization'],
    // Leaves amortization out.
    ['Depreciation', '0.6'],
  ),
  ...ifrs(
    'depreciation_and_amortization',
    ['DepreciationAndAmortisationExpense'],
    ['AdjustmentsForDepreciationAndAmortisationExpense'],
    ['DepreciationAmortisationAndImpairmentLossReversalOfImpairmentLossRecognisedInProfitOrLoss', '0.8'],
    ['DepreciationExpense', '0.6'],
  ),
  ...gaap(
    'dividends_paid',
    ['PaymentsOfDividends'],
    ['PaymentsOfDividendsCommonStock', '0.9'],
    ['PaymentsOfOrdinaryDividends', '0.9'],
  ),
  ...ifrs('dividends_paid', ['DividendsPaidClassifiedAsFinancingActivities'], ['DividendsPaid', '0.9']),
  ...gaap(
    'share_repurchases',
    ['PaymentsForRepurchaseOfCommonStock'],
    ['PaymentsForRepurchaseOfEquity'],
    // Of the statement of equity, not of cash.
    ['StockRepurchasedAndRetiredDuringPeriodValue', '0.6'],
    ['TreasuryStockValueAcquiredCostMethod', '0.6'],
  ),
  ...ifrs('share_repurchases', ['PaymentsToAcquireOrRedeemEntitysShares'], ['PurchaseOfTreasuryShares', '0.8']),
  ...gaap('assets', ['Assets']),
  ...ifrs('assets', ['Assets']),
  ...gaap('current_assets', ['AssetsCurrent']),
  ...ifrs('current_assets', ['CurrentAssets']),
  ...gaap(
    'cash_and_equivalents',
    ['CashAndCashEquivalentsAtCarryingValue'],
    ['Cash', '0.9'],
    ['CashAndDueFromBanks', '0.8'],
    // The cash flow statement's total, restricted cash included.
    ['CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents', '0.6'],
  ),
  ...ifrs('cash_and_equivalents', ['CashAndCashEquivalents']),
  ...gaap('liabilities', ['Liabilities']),
  ...ifrs('liabilities', ['Liabilities']),
  ...gaap('current_liabilities', ['LiabilitiesCurrent']),
  ...ifrs('current_liabilities', ['CurrentLiabilities']),
  ...gaap(
    'stockholders_equity',
    ['StockholdersEquity'],
    ['StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest', '0.9'],
    ['PartnersCapital', '0.9'],
    ['MembersEquity', '0.9'],
  ),
  ...ifrs('stockholders_equity', ['EquityAttributableToOwnersOfParent'], ['Equity', '0.9']),
  ...gaap('total_equity', ['StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest']),
  ...ifrs('total_equity', ['Equity']),
  ...gaap(
    'temporary_equity',
    ['TemporaryEquityCarryingAmountIncludingPortionAttributableToNoncontrollingInterests'],
    ['TemporaryEquityCarryingAmountAttributableToParent', '0.9'],
    ['RedeemableNoncontrollingInterestEquityCarryingAmount', '0.9'],
  ),
  ...mapping('common_shares_outstanding', 'dei', [['EntityCommonStockSharesOutstanding']]),
  // Only of a filing whose cover states no count: a balance sheet's may be of another day, or a placeholder.
  {
    metricKey: 'common_shares_outstanding',
    taxonomy: 'us-gaap',
    concept: 'CommonStockSharesOutstanding',
    priority: 2,
    signMultiplier: 1,
    unit: null,
    confidence: '0.8',
  },
  ...mapping('public_float', 'dei', [['EntityPublicFloat']]),
];

/** The mappings of a concept, by `taxonomy:concept`. */
export const MAPPINGS_BY_CONCEPT: ReadonlyMap<string, readonly Mapping[]> = groupByConcept();

function groupByConcept(): Map<string, Mapping[]> {
  const groups = new Map<string, Mapping[]>();
  for (const entry of MAPPINGS) {
    const name = conceptName(entry.taxonomy, entry.concept);
    groups.set(name, [...(groups.get(name) ?? []), entry]);
  }
  return groups;
}

export function conceptName(taxonomy: string, concept: string): string {
  return `${taxonomy}:${concept}`;
}

const NONE: readonly Mapping[] = [];
/** By taxonomy, then concept: asked for each of millions of facts, and a joined name would have to be made for each. */
const BY_TAXONOMY = new Map<string, Map<string, readonly Mapping[]>>();
for (const entry of MAPPINGS) {
  const concepts = BY_TAXONOMY.get(entry.taxonomy) ?? new Map<string, readonly Mapping[]>();
  concepts.set(entry.concept, MAPPINGS_BY_CONCEPT.get(conceptName(entry.taxonomy, entry.concept)) ?? NONE);
  BY_TAXONOMY.set(entry.taxonomy, concepts);
}

/** The metrics that are read from a concept; mostly none. */
export function mappingsOf(taxonomy: string, concept: string): readonly Mapping[] {
  return BY_TAXONOMY.get(taxonomy)?.get(concept) ?? NONE;
}

/** How a metric is read from a concept; null for a concept that has left the list. */
export function mappingOf(metricKey: string, taxonomy: string, concept: string): Mapping | null {
  for (const entry of mappingsOf(taxonomy, concept)) if (entry.metricKey === metricKey) return entry;
  return null;
}
