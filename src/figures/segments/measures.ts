/**
 * The tagged concepts that each measure is read from, best first.
 * Measures that are also metrics use the metric's concepts. Income before tax does not count as operating income,
 * although some companies measure their segments by it.
 */
import type { SegmentMeasure } from '../../contract/resources/segments.ts';
import { conceptsOf as conceptsOfMetric } from '../metrics/concepts.ts';

export type MeasureName = SegmentMeasure['measure'];

const ofMetric = (key: string): string[] =>
  conceptsOfMetric(key).map(({ taxonomy, concept }) => `${taxonomy}:${concept}`);

const gaap = (...names: string[]) => names.map((name) => `us-gaap:${name}`);
const ifrs = (...names: string[]) => names.map((name) => `ifrs-full:${name}`);

/** In display order. */
const CONCEPTS: Readonly<Record<MeasureName, readonly string[]>> = {
  revenue: [...ofMetric('revenue'), ...gaap('SegmentReportingInformationRevenue')],
  operating_income: [
    ...ofMetric('operating_income'),
    ...gaap('SegmentReportingInformationOperatingIncomeLoss', 'SegmentReportingSegmentOperatingProfitLoss'),
  ],
  gross_profit: ofMetric('gross_profit'),
  cost_of_revenue: ofMetric('cost_of_revenue'),
  assets: [...ofMetric('assets'), ...gaap('SegmentReportingInformationAssets')],
  long_lived_assets: [
    ...gaap(
      'NoncurrentAssets',
      'LongLivedAssets',
      'PropertyPlantAndEquipmentNet',
      'PropertyPlantAndEquipmentAndFinanceLeaseRightOfUseAssetAfterAccumulatedDepreciationAndAmortization',
    ),
    ...ifrs(
      'NoncurrentAssets',
      'NoncurrentAssetsOtherThanFinancialInstrumentsDeferredTaxAssetsPostemploymentBenefitAssetsAndRightsArisingUnderInsuranceContracts',
      'PropertyPlantAndEquipment',
    ),
  ],
  capital_expenditure: [
    ...gaap(
      'PaymentsToAcquireProductiveAssets',
      'SegmentExpenditureAdditionToLongLivedAssets',
      'PaymentsToAcquirePropertyPlantAndEquipment',
      'SegmentReportingInformationExpendituresForAdditionsToLongLivedAssets',
    ),
    ...ifrs('PurchaseOfPropertyPlantAndEquipmentClassifiedAsInvestingActivities', 'AdditionsToNoncurrentAssets'),
  ],
  depreciation: [
    ...ofMetric('depreciation_and_amortization'),
    ...gaap('SegmentReportingInformationDepreciationDepletionAndAmortizationExpense'),
  ],
};

/** All measures in display order. */
export const MEASURES = Object.keys(CONCEPTS) as readonly MeasureName[];

interface Rank {
  readonly measure: MeasureName;
  readonly priority: number;
}

const BY_CONCEPT: ReadonlyMap<string, Rank> = new Map(
  MEASURES.flatMap((measure) =>
    CONCEPTS[measure].map((concept, priority): [string, Rank] => [concept, { measure, priority }]),
  ),
);

const NAMES: ReadonlySet<string> = new Set(
  [...BY_CONCEPT.keys()].map((concept) => concept.slice(concept.indexOf(':') + 1)),
);

/** Whether a name without prefix may be a concept of a measure. */
export function mayBeMeasure(name: string): boolean {
  return NAMES.has(name);
}

export function measureOf(concept: string): MeasureName | null {
  return BY_CONCEPT.get(concept)?.measure ?? null;
}

/** Lower values precede. */
export function priorityOf(concept: string): number {
  return BY_CONCEPT.get(concept)?.priority ?? Number.MAX_SAFE_INTEGER;
}

/** Whether the measure has a day and not a duration. */
export function isStock(measure: MeasureName): boolean {
  return measure === 'assets' || measure === 'long_lived_assets';
}

/** Whether the measure cannot be negative: then a negative difference means that its operands do not match. */
export function isNeverNegative(measure: MeasureName): boolean {
  return measure === 'revenue' || measure === 'cost_of_revenue' || measure === 'depreciation';
}
