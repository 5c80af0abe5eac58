/**
 * The tagged concepts that each metric is read from, best first.
 *
 * Synonyms are never summed. A concept that says a little more or less than the metric has a confidence
 * below 1, our own estimate, which is shown with every value read from it.
 */
import type { Decimal } from '../../contract/decimal-text.ts';
import type { InternalKey, ReportedKey } from '../../contract/figures.ts';
import { entryOf, pushTo } from '../groups.ts';

type Taxonomy = 'us-gaap' | 'ifrs-full' | 'dei';
/** A concept; its confidence where below 1; its priority where not its place in the list. */
type ConceptEntry = string | readonly [concept: string, confidence: Decimal, priority?: number];

const CONCEPTS: Readonly<Record<ReportedKey | InternalKey, Partial<Record<Taxonomy, readonly ConceptEntry[]>>>> = {
  // Totals stand before the part that comes from contracts; `synonyms.ts` guards against a partial total.
  revenue: {
    'us-gaap': [
      'Revenues',
      'RevenuesNetOfInterestExpense',
      'RevenueFromContractWithCustomerExcludingAssessedTax',
      'RevenueFromContractWithCustomerIncludingAssessedTax',
      'SalesRevenueNet',
      'RealEstateRevenueNet',
      ['SalesRevenueGoodsNet', '0.8'],
      ['SalesRevenueServicesNet', '0.8'],
      'RegulatedAndUnregulatedOperatingRevenue',
      ['ElectricUtilityRevenue', '0.8'],
      ['OilAndGasRevenue', '0.8'],
      ['HealthCareOrganizationRevenue', '0.9'],
      ['PremiumsEarnedNet', '0.7'],
    ],
    'ifrs-full': ['Revenue', ['RevenueFromContractsWithCustomers', '0.9']],
  },
  cost_of_revenue: {
    'us-gaap': ['CostOfRevenue', 'CostOfGoodsAndServicesSold', ['CostOfGoodsSold', '0.9'], ['CostOfServices', '0.8']],
    'ifrs-full': ['CostOfSales'],
  },
  gross_profit: {
    'us-gaap': ['GrossProfit'],
    'ifrs-full': ['GrossProfit'],
  },
  operating_income: {
    'us-gaap': ['OperatingIncomeLoss'],
    'ifrs-full': ['ProfitLossFromOperatingActivities', 'OperatingProfit'],
  },
  net_income: {
    'us-gaap': ['NetIncomeLoss', ['ProfitLoss', '0.9'], ['NetIncomeLossAvailableToCommonStockholdersBasic', '0.9']],
    'ifrs-full': ['ProfitLossAttributableToOwnersOfParent', ['ProfitLoss', '0.9']],
  },
  eps_diluted: {
    'us-gaap': [
      'EarningsPerShareDiluted',
      'EarningsPerShareBasicAndDiluted',
      ['IncomeLossFromContinuingOperationsPerDilutedShare', '0.8'],
    ],
    'ifrs-full': ['DilutedEarningsLossPerShare'],
  },
  dividends_per_share: {
    'us-gaap': ['CommonStockDividendsPerShareDeclared', ['CommonStockDividendsPerShareCashPaid', '0.9']],
    'ifrs-full': [
      ['DividendsPaidOrdinarySharesPerShare', '0.9'],
      ['DividendsRecognisedAsDistributionsToOwnersPerShare', '0.9'],
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
    'us-gaap': [
      'PaymentsToAcquirePropertyPlantAndEquipment',
      'PaymentsToAcquireProductiveAssets',
      ['PaymentsToAcquireOtherPropertyPlantAndEquipment', '0.7'],
      ['PaymentsForCapitalImprovements', '0.7'],
      ['PaymentsToAcquireOilAndGasPropertyAndEquipment', '0.7'],
    ],
    'ifrs-full': ['PurchaseOfPropertyPlantAndEquipmentClassifiedAsInvestingActivities'],
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
  depreciation_and_amortization: {
    'us-gaap': [
      'DepreciationDepletionAndAmortization',
      'DepreciationAmortizationAndAccretionNet',
      'DepreciationAndAmortization',
      // Without amortization that has a line of its own; read only where it includes depreciation.
      ['OtherDepreciationAndAmortization', '0.8'],
    ],
    'ifrs-full': [
      'DepreciationAndAmortisationExpense',
      'AdjustmentsForDepreciationAndAmortisationExpense',
      ['DepreciationAmortisationAndImpairmentLossReversalOfImpairmentLossRecognisedInProfitOrLoss', '0.8'],
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
      // From the statement of equity, not of cash flows.
      ['StockRepurchasedAndRetiredDuringPeriodValue', '0.6'],
      ['TreasuryStockValueAcquiredCostMethod', '0.6'],
    ],
    'ifrs-full': ['PaymentsToAcquireOrRedeemEntitysShares', ['PurchaseOfTreasuryShares', '0.8']],
  },
  assets: {
    'us-gaap': ['Assets'],
    'ifrs-full': ['Assets'],
  },
  current_assets: {
    'us-gaap': ['AssetsCurrent'],
    'ifrs-full': ['CurrentAssets'],
  },
  cash_and_equivalents: {
    'us-gaap': [
      'CashAndCashEquivalentsAtCarryingValue',
      ['Cash', '0.9'],
      ['CashAndDueFromBanks', '0.8'],
      // The cash flow statement's total, restricted cash included.
      ['CashCashEquivalentsRestrictedCashAndRestrictedCashEquivalents', '0.6'],
    ],
    'ifrs-full': ['CashAndCashEquivalents'],
  },
  liabilities: {
    'us-gaap': ['Liabilities'],
    'ifrs-full': ['Liabilities'],
  },
  current_liabilities: {
    'us-gaap': ['LiabilitiesCurrent'],
    'ifrs-full': ['CurrentLiabilities'],
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
  total_equity: {
    'us-gaap': ['StockholdersEquityIncludingPortionAttributableToNoncontrollingInterest'],
    'ifrs-full': ['Equity'],
  },
  temporary_equity: {
    'us-gaap': [
      'TemporaryEquityCarryingAmountIncludingPortionAttributableToNoncontrollingInterests',
      ['TemporaryEquityCarryingAmountAttributableToParent', '0.9'],
      ['RedeemableNoncontrollingInterestEquityCarryingAmount', '0.9'],
    ],
  },
  common_shares_outstanding: {
    dei: ['EntityCommonStockSharesOutstanding'],
    // Only for a filing whose cover states no count: a balance sheet's may be of another day, or a placeholder.
    'us-gaap': [['CommonStockSharesOutstanding', '0.8', 2]],
  },
  public_float: { dei: ['EntityPublicFloat'] },
};

/** How a metric is read from one concept. */
export interface Mapping {
  readonly metricKey: string;
  readonly taxonomy: string;
  readonly concept: string;
  /** From 1; of the concepts a filing uses for a period, the lowest is read. */
  readonly priority: number;
  readonly signMultiplier: 1 | -1;
  /** Null: any unit that fits the metric's measure. */
  readonly unit: string | null;
  readonly confidence: Decimal;
}

/** By metric, in the order of the list. */
const MAPPINGS: ReadonlyMap<string, readonly Mapping[]> = new Map(
  Object.entries(CONCEPTS).map(([metricKey, taxonomies]) => [
    metricKey,
    Object.entries(taxonomies).flatMap(([taxonomy, entries]) =>
      entries.map((entry, index) => toMapping(metricKey, taxonomy, entry, index + 1)),
    ),
  ]),
);

function toMapping(metricKey: string, taxonomy: string, entry: ConceptEntry, place: number): Mapping {
  const [concept, confidence, priority = place] = typeof entry === 'string' ? [entry, '1'] : entry;
  return { metricKey, taxonomy, concept, priority, signMultiplier: 1, unit: null, confidence };
}

/** The concepts a metric is read from; none for a metric that is always derived. */
export function conceptsOf(metricKey: string): readonly Mapping[] {
  return MAPPINGS.get(metricKey) ?? NO_MAPPINGS;
}

export function conceptName(taxonomy: string, concept: string): string {
  return `${taxonomy}:${concept}`;
}

const NO_MAPPINGS: readonly Mapping[] = [];
/** By taxonomy, then concept: looked up for millions of facts, so no key is joined for each. */
const BY_TAXONOMY = new Map<string, Map<string, Mapping[]>>();
for (const mapping of [...MAPPINGS.values()].flat()) {
  const concepts = entryOf(BY_TAXONOMY, mapping.taxonomy, () => new Map<string, Mapping[]>());
  pushTo(concepts, mapping.concept, mapping);
}

/** The metrics that are read from a concept; none for most concepts. */
export function mappingsOf(taxonomy: string, concept: string): readonly Mapping[] {
  return BY_TAXONOMY.get(taxonomy)?.get(concept) ?? NO_MAPPINGS;
}

/** Whether any metric is read from a concept, given as `taxonomy:Concept`. */
export function isMapped(name: string): boolean {
  const colon = name.indexOf(':');
  return mappingsOf(name.slice(0, colon), name.slice(colon + 1)).length > 0;
}

/** How a metric is read from a concept; null for a concept that is no longer in the list. */
export function mappingOf(metricKey: string, taxonomy: string, concept: string): Mapping | null {
  for (const mapping of mappingsOf(taxonomy, concept)) if (mapping.metricKey === metricKey) return mapping;
  return null;
}
