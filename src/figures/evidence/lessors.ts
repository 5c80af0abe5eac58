/**
 * Finds companies that rent out assets. Purchases of such assets have a separate line, sometimes only in the filer's
 * own taxonomy; without these purchases, free cash flow would omit the largest payments.
 */
import { compareText } from '../../contract/compare-text.ts';
import { multiply } from '../../contract/decimal.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import { findLastItemBy } from '../../platform/dates.ts';
import type { FactSeries } from '../facts/fact-series.ts';
import type { AmountLookup } from './filing-amounts.ts';
import { isBelow } from './filing-candidates.ts';

const RENTED_OUT_CONCEPT = 'PropertySubjectToOrAvailableForOperatingLeaseNet';
const ASSETS_CONCEPT = 'Assets';

/** A company is a lessor if at least this fraction of its assets is rented out. */
const MIN_RENTED_RATIO: Decimal = '0.25';

/**
 * Returns a function that decides whether the company is a lessor on a day, by its last balance sheet that reports
 * assets rented out.
 */
export function createLessorCheck(series: readonly FactSeries[], findAmounts: AmountLookup): (day: string) => boolean {
  const rentedFacts = series
    .flatMap(({ concept, facts }) => (concept === RENTED_OUT_CONCEPT ? facts : []))
    .filter((fact) => findAmounts(fact).has(ASSETS_CONCEPT))
    .sort((a, b) => compareText(a.filed, b.filed));
  return (day) => {
    const last = findLastItemBy(rentedFacts, ({ filed }) => filed, day);
    if (last === undefined) return false;
    return !isBelow(last.value, multiply(findAmounts(last).get(ASSETS_CONCEPT) ?? '0', MIN_RENTED_RATIO));
  };
}
