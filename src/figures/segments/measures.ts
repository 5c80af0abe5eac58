/**
 * The tagged concepts that each measure is read from, best first.
 * Measures that are also metrics use the metric's concepts. Income before tax is not read as operating income, although
 * some companies measure their segments by income before tax.
 */
import type { SegmentMeasure } from '../../contract/resources/segments.ts';
import { listMappingsOfMetric, prefixConcept } from '../metrics/concepts.ts';

export type MeasureName = SegmentMeasure['measure'];

const ofMetric = (key: string): string[] =>
  listMappingsOfMetric(key).map(({ taxonomy, concept }) => prefixConcept(taxonomy, concept));

const usGaap = (...names: string[]) => names.map((name) => `us-gaap:${name}`);
const ifrs = (...names: string[]) => names.map((name) => `ifrs-full:${name}`);

/** Concepts by measure; measures are sorted in display order. */
const CONCEPTS_BY_MEASURE: Readonly<Record<MeasureName, readonly string[]>> = {
  revenue: [...ofMetric('revenue'), ...usGaap('SegmentReportingInformationRevenue')],
  operating_income: [
    ...ofMetric('operating_income'),
    ...usGaap('SegmentReportingInformationOperatingIncomeLoss', 'SegmentReportingSegmentOperatingProfitLoss'),
  ],
  gross_profit: ofMetric('gross_profit'),
  cost_of_revenue: ofMetric('cost_of_revenue'),
  assets: [...ofMetric('assets'), ...usGaap('SegmentReportingInformationAssets')],
  long_lived_assets: [
    ...usGaap('NoncurrentAssets', 'LongLivedAssets', 'PropertyPlantAndEquipmentNet'),
    ...usGaap('PropertyPlantAndEquipmentAndFinanceLeaseRightOfUseAssetAfterAccumulatedDepreciationAndAmortization'),
    ...ifrs(
      'NoncurrentAssets',
      'NoncurrentAssetsOtherThanFinancialInstrumentsDeferredTaxAssetsPostemploymentBenefitAssetsAndRightsArisingUnderInsuranceContracts',
      'PropertyPlantAndEquipment',
    ),
  ],
  capital_expenditure: [
    ...usGaap(
      'PaymentsToAcquireProductiveAssets',
      'SegmentExpenditureAdditionToLongLivedAssets',
      'PaymentsToAcquirePropertyPlantAndEquipment',
      'SegmentReportingInformationExpendituresForAdditionsToLongLivedAssets',
    ),
    ...ifrs('PurchaseOfPropertyPlantAndEquipmentClassifiedAsInvestingActivities', 'AdditionsToNoncurrentAssets'),
  ],
  depreciation: [
    ...ofMetric('depreciation_and_amortization'),
    ...usGaap('SegmentReportingInformationDepreciationDepletionAndAmortizationExpense'),
  ],
};

/** All measures in display order. */
export const MEASURES = Object.keys(CONCEPTS_BY_MEASURE) as readonly MeasureName[];

const RANK_BY_CONCEPT = new Map(
  MEASURES.flatMap((measure) =>
    CONCEPTS_BY_MEASURE[measure].map((concept, priority) => [concept, { measure, priority }] as const),
  ),
);

const CONCEPT_NAMES: ReadonlySet<string> = new Set(
  [...RANK_BY_CONCEPT.keys()].map((concept) => concept.slice(concept.indexOf(':') + 1)),
);

/** Whether a concept name without prefix belongs to a measure in any taxonomy. */
export const canBelongToMeasure = (name: string): boolean => CONCEPT_NAMES.has(name);

export const findMeasure = (concept: string): MeasureName | null => RANK_BY_CONCEPT.get(concept)?.measure ?? null;

/** Returns the concept's rank within its measure; lower values are better. */
export const findRank = (concept: string): number => RANK_BY_CONCEPT.get(concept)?.priority ?? Number.MAX_SAFE_INTEGER;

/** Whether the measure is a balance on one day, not a flow over a period. */
export const isBalance = (measure: MeasureName): boolean => measure === 'assets' || measure === 'long_lived_assets';

/**
 * Whether the measure cannot be negative. A derived fourth quarter of such a measure that is negative shows that the
 * year and its quarters do not match.
 */
export const isNeverNegative = (measure: MeasureName): boolean =>
  measure === 'revenue' || measure === 'cost_of_revenue' || measure === 'depreciation';
