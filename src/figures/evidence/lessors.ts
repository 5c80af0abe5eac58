/**
 * Finds companies that rent out assets. Purchases of such assets have a separate line, sometimes only in the filer's own
 * taxonomy; without these purchases, free cash flow would omit the largest payments.
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
  const datedLessorFlags: { readonly filed: string; readonly isLessor: boolean }[] = [];
  for (const { facts } of series.filter(({ concept }) => concept === RENTED_OUT_CONCEPT)) {
    for (const fact of facts) {
      const assets = findAmounts(fact).get(ASSETS_CONCEPT);
      if (assets !== undefined)
        datedLessorFlags.push({
          filed: fact.filed,
          isLessor: !isBelow(fact.value, multiply(assets, MIN_RENTED_RATIO)),
        });
    }
  }
  datedLessorFlags.sort((a, b) => compareText(a.filed, b.filed));
  return (day) => findLastItemBy(datedLessorFlags, ({ filed }) => filed, day)?.isLessor ?? false;
}
