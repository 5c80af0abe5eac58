/** Chooses domestic and foreign income before tax, whose sum replaces a missing total. */
import { add, isNearlyEqual } from '../../contract/decimal.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import { type FactSeries, findFirstMatchingFilingDay } from '../facts/fact-series.ts';
import { listMappingsOfMetric } from '../metrics/concepts.ts';
import type { AmountChooser, AmountLookup } from './filing-amounts.ts';

const [DOMESTIC_CONCEPT, FOREIGN_CONCEPT] = ['Domestic', 'Foreign'].map(
  (region) => `IncomeLossFromContinuingOperationsBeforeIncomeTaxes${region}`,
) as [string, string];
const TOTAL_CONCEPTS = listMappingsOfMetric('pretax_income').map(({ concept }) => concept);
/** Maximum relative difference between amounts that count as equal. */
const EQUALITY_TOLERANCE: Decimal = '0.005';

/**
 * Returns choosers that choose nothing if the filing states the total, or if the filing or an earlier one shows a total
 * that differs from the sum of both.
 */
export function createPretaxRegionChoosers(
  series: readonly FactSeries[],
  findAmounts: AmountLookup,
): [string, AmountChooser][] {
  const firstDifferenceDay = findFirstMatchingFilingDay(series, DOMESTIC_CONCEPT, (fact) => {
    const amounts = findAmounts(fact);
    const foreign = amounts.get(FOREIGN_CONCEPT);
    const totals = TOTAL_CONCEPTS.flatMap((concept) => amounts.get(concept) ?? []);
    return (
      foreign !== undefined &&
      totals.length > 0 &&
      !totals.some((total) => isNearlyEqual(total, add(fact.value, foreign), EQUALITY_TOLERANCE))
    );
  });
  const choose: AmountChooser = (candidates, amounts) => {
    const { filed } = candidates[0].fact;
    if (firstDifferenceDay !== null && firstDifferenceDay <= filed) return null;
    return TOTAL_CONCEPTS.some((concept) => amounts.has(concept)) ? null : candidates;
  };
  return [
    ['pretax_income_domestic', choose],
    ['pretax_income_foreign', choose],
  ];
}
