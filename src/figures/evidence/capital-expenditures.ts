/**
 * Chooses the capital expenditures of companies that rent out assets. Purchases of such assets have a separate line,
 * sometimes only in the filer's own taxonomy; without these purchases, free cash flow would omit the largest payments.
 */
import { compareText } from '../../contract/compare-text.ts';
import { add, multiply } from '../../contract/decimal.ts';
import { compareDecimals, type Decimal, isZero } from '../../contract/decimal-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { findLastItemBy } from '../../platform/dates.ts';
import type { FactSeries } from '../facts/fact-series.ts';
import type { AmountChooser, AmountLookup, FilingAmounts } from './filing-amounts.ts';
import {
  type CandidateChoice,
  type FilingCandidates,
  isBelow,
  isNonEmpty,
  preferNonZeroCandidates,
  putBestFirst,
} from './filing-candidates.ts';

const BOUGHT_TO_RENT_CONCEPT = 'PaymentsToAcquireEquipmentOnLease';
const RENTED_OUT_CONCEPT = 'PropertySubjectToOrAvailableForOperatingLeaseNet';
const ASSETS_CONCEPT = 'Assets';
const PRODUCTIVE_ASSETS_CONCEPT = 'PaymentsToAcquireProductiveAssets';
const OWN_USE_CONCEPTS = [
  'PaymentsToAcquirePropertyPlantAndEquipment',
  'PaymentsToAcquireOtherPropertyPlantAndEquipment',
];

/** A company is a lessor if at least this fraction of its assets is rented out. */
const MIN_RENTED_RATIO: Decimal = '0.25';

/** Returns the choosers of capital expenditures and of their two parts, by metric. */
export function createCapitalExpenditureChoosers(
  series: readonly FactSeries[],
  findAmounts: AmountLookup,
): ReadonlyMap<string, AmountChooser> {
  const isLessor = createLessorCheck(series, findAmounts);
  return new Map<string, AmountChooser>([
    ['capital_expenditures', (candidates, amounts) => chooseTotal(candidates, amounts, isLessor)],
    ['capital_expenditures_for_own_use', chooseOwnUseExpenditure],
    ['purchases_to_rent_out', (candidates) => (isZero(candidates[0].fact.value) ? null : candidates)],
  ]);
}

function chooseTotal(
  candidates: FilingCandidates,
  amounts: FilingAmounts,
  isLessor: (day: string) => boolean,
): CandidateChoice {
  const amountBoughtToRent = findAmountBoughtToRent(amounts);
  if (amountBoughtToRent !== null) {
    const totalCandidates = candidates.filter(({ fact }) => isTotal(fact, amountBoughtToRent, amounts));
    return isNonEmpty(totalCandidates) ? totalCandidates : null;
  }
  return isLessor(candidates[0].fact.filed)
    ? 'capital expenditures of a lessor that do not include equipment bought to rent out'
    : putBestFirst(preferNonZeroCandidates(candidates));
}

function chooseOwnUseExpenditure(candidates: FilingCandidates, amounts: FilingAmounts): CandidateChoice {
  return findAmountBoughtToRent(amounts) === null ? null : putBestFirst(preferNonZeroCandidates(candidates));
}

function isTotal({ concept, value }: Fact, amountToRent: Decimal, amounts: FilingAmounts): boolean {
  if (concept !== PRODUCTIVE_ASSETS_CONCEPT) return false;
  return OWN_USE_CONCEPTS.some((ownUseConcept) => {
    const amount = amounts.get(ownUseConcept);
    return amount !== undefined && compareDecimals(add(amount, amountToRent), value) === 0;
  });
}

function findAmountBoughtToRent(amounts: FilingAmounts): Decimal | null {
  const amount = amounts.get(BOUGHT_TO_RENT_CONCEPT);
  return amount === undefined || isZero(amount) ? null : amount;
}

/**
 * Returns a function that decides whether the company is a lessor on a day, by its last balance sheet that reports
 * assets rented out.
 */
function createLessorCheck(series: readonly FactSeries[], findAmounts: AmountLookup): (day: string) => boolean {
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
