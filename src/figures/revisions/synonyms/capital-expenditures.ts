/**
 * Capital expenditures of companies that rent out what they buy. These purchases have a line of their own, or one
 * that only the filer's own taxonomy has; without them free cash flow would miss the largest payments.
 */
import { compareText } from '../../../contract/compare-text.ts';
import { add, multiply } from '../../../contract/decimal.ts';
import { compareDecimals, type Decimal, isZero } from '../../../contract/decimal-text.ts';
import type { Fact } from '../../../edgar/facts/fact-row.ts';
import type { FactSeries } from '../../facts/fact-series.ts';
import type { AmountChooser, Amounts, AmountsBeside } from './amounts-beside.ts';
import { bestFirst, type Choice, type FilingCandidates, isBelow, isFilled, withoutZeros } from './filing-candidates.ts';

const BOUGHT_TO_RENT = 'PaymentsToAcquireEquipmentOnLease';
const RENTED_OUT = 'PropertySubjectToOrAvailableForOperatingLeaseNet';
const ASSETS = 'Assets';
const ALL_PRODUCTIVE = 'PaymentsToAcquireProductiveAssets';
const OWN = ['PaymentsToAcquirePropertyPlantAndEquipment', 'PaymentsToAcquireOtherPropertyPlantAndEquipment'];

/** Minimum share of the assets of a company whose business is renting out. */
const MIN_SHARE: Decimal = '0.25';

/** The choosers of the metrics of capital expenditures, by metric. */
export function capitalExpenditureChoosers(
  series: readonly FactSeries[],
  beside: AmountsBeside,
): ReadonlyMap<string, AmountChooser> {
  const isLessor = lessorOn(series, beside);
  return new Map<string, AmountChooser>([
    ['capital_expenditures', (candidates, amounts) => chooseTotal(candidates, amounts, isLessor)],
    ['capital_expenditures_for_own_use', chooseOwnUse],
    ['purchases_to_rent_out', (candidates) => (isZero(candidates[0].fact.value) ? null : candidates)],
  ]);
}

function chooseTotal(candidates: FilingCandidates, amounts: Amounts, isLessor: (day: string) => boolean): Choice {
  const rented = boughtToRent(amounts);
  if (rented !== null) {
    const totals = candidates.filter(({ fact }) => isTotal(fact, rented, amounts));
    return isFilled(totals) ? totals : null;
  }
  return isLessor(candidates[0].fact.filed)
    ? 'capital expenditures of a lessor that do not include equipment bought to rent out'
    : bestFirst(withoutZeros(candidates));
}

function chooseOwnUse(candidates: FilingCandidates, amounts: Amounts): Choice {
  return boughtToRent(amounts) === null ? null : bestFirst(withoutZeros(candidates));
}

function isTotal({ concept, value }: Fact, rented: Decimal, amounts: Amounts): boolean {
  if (concept !== ALL_PRODUCTIVE) return false;
  return OWN.some((own) => {
    const amount = amounts.get(own);
    return amount !== undefined && compareDecimals(add(amount, rented), value) === 0;
  });
}

function boughtToRent(amounts: Amounts): Decimal | null {
  const amount = amounts.get(BOUGHT_TO_RENT);
  return amount === undefined || isZero(amount) ? null : amount;
}

/**
 * Returns whether the company's business was renting out on a day, according to the last balance sheet with that
 * line.
 */
function lessorOn(series: readonly FactSeries[], beside: AmountsBeside): (day: string) => boolean {
  const sheets: { readonly filed: string; readonly isLessor: boolean }[] = [];
  for (const { facts } of series.filter(({ concept }) => concept === RENTED_OUT)) {
    for (const fact of facts) {
      const assets = beside(fact).get(ASSETS);
      if (assets !== undefined)
        sheets.push({ filed: fact.filed, isLessor: !isBelow(fact.value, multiply(assets, MIN_SHARE)) });
    }
  }
  sheets.sort((a, b) => compareText(a.filed, b.filed));
  return (day) => sheets.findLast(({ filed }) => filed <= day)?.isLessor ?? false;
}
