/**
 * Tells amounts of debt apart: `LongTermDebt` is the debt of all maturities for most filers, its noncurrent part for
 * some, and a note's carrying amount for others.
 */
import { absolute, add, multiply, subtract } from '../../../contract/decimal.ts';
import { type Decimal, isZero } from '../../../contract/decimal-text.ts';
import { type FactSeries, firstFiled } from '../../facts/fact-series.ts';
import type { AmountChooser, Amounts, AmountsBeside } from './amounts-beside.ts';
import { bestFirst, type Choice, type FilingCandidates, isBelow, isFilled, withoutZeros } from './filing-candidates.ts';

const ALL_MATURITIES = 'LongTermDebt';
const NONCURRENT = 'LongTermDebtNoncurrent';
const CURRENT = 'LongTermDebtCurrent';
/** Concepts of the IFRS taxonomy. */
const BONDS = 'NoncurrentPortionOfNoncurrentBondsIssued';
const BORROWINGS = 'ShortTermBorrowings';
/** Lines of short-term borrowings that one balance sheet may have at the same time. */
const KINDS_OF_BORROWINGS = [
  'CommercialPaper',
  'OtherShortTermBorrowings',
  'LinesOfCreditCurrent',
  'LoansPayableCurrent',
  'NotesPayableCurrent',
];
const CURRENT_LIABILITIES = 'LiabilitiesCurrent';

/** Tolerance for a total in millions of lines in millions. */
const ROUNDED: Decimal = '0.002';

/** The choosers of the metrics of debt, by metric. */
export function debtChoosers(series: readonly FactSeries[], beside: AmountsBeside): ReadonlyMap<string, AmountChooser> {
  const totalSince = firstTotal(series, beside);
  return new Map<string, AmountChooser>([
    ['long_term_debt', chooseNoncurrent],
    ['noncurrent_loans', (candidates, amounts) => (hasBonds(candidates, amounts) ? bestFirst(candidates) : null)],
    ['noncurrent_bonds', bestFirst],
    ['long_term_debt_with_current', (candidates, amounts) => chooseAllMaturities(candidates, amounts, totalSince)],
    ['current_portion_of_debt', chooseCurrent],
    ['short_term_borrowings', chooseBorrowings],
  ]);
}

/** Debt of all maturities is used only for a balance sheet that does not divide liabilities by maturity. */
function chooseNoncurrent(candidates: FilingCandidates, amounts: Amounts): Choice {
  if (hasBonds(candidates, amounts)) return null;
  const divided = amounts.has(CURRENT_LIABILITIES) || amounts.has(CURRENT);
  const possible = divided ? candidates.filter((candidate) => candidate.fact.concept !== ALL_MATURITIES) : candidates;
  // Zero, with debt of all maturities: all of it is due within a year.
  return isFilled(possible) ? bestFirst(possible) : 'long-term debt that may include its current portion';
}

/** Whether noncurrent borrowings are only those from banks: they are less than the bonds of their filing. */
function hasBonds([{ fact }]: FilingCandidates, amounts: Amounts): boolean {
  const bonds = amounts.get(BONDS);
  return bonds !== undefined && isBelow(fact.value, bonds);
}

/** The current portion is the rest of all maturities, for a filer that has divided them that way before. */
function chooseAllMaturities(candidates: FilingCandidates, amounts: Amounts, totalSince: string | null): Choice {
  const proven = candidates.filter(({ fact }) => {
    const noncurrent = amounts.get(NONCURRENT);
    if (totalSince === null || totalSince > fact.filed || noncurrent === undefined) return false;
    const current = amounts.get(CURRENT);
    return current === undefined ? !isBelow(fact.value, noncurrent) : isSum(fact.value, noncurrent, current);
  });
  return isFilled(proven) ? proven : 'long-term debt that may not include all maturities';
}

function chooseCurrent(candidates: FilingCandidates, amounts: Amounts): Choice {
  return borrowingsBeside(amounts).length > 1
    ? 'current debt in a filing with several lines of short-term borrowings'
    : bestFirst(candidates);
}

function chooseBorrowings(candidates: FilingCandidates, amounts: Amounts): Choice {
  if (borrowingsBeside(amounts).length > 1) return 'one of several lines of short-term borrowings';
  const total = candidates.filter((candidate) => candidate.fact.concept === BORROWINGS);
  return isFilled(total) ? total : bestFirst(withoutZeros(candidates));
}

/** The lines of short-term borrowings with an amount; empty if the filing has their total. */
function borrowingsBeside(amounts: Amounts): string[] {
  if (amounts.has(BORROWINGS)) return [];
  return KINDS_OF_BORROWINGS.filter((concept) => !isZero(amounts.get(concept) ?? '0'));
}

/** The day of the first filing that divides its debt of all maturities into noncurrent and current; otherwise null. */
function firstTotal(series: readonly FactSeries[], beside: AmountsBeside): string | null {
  return firstFiled(series, ALL_MATURITIES, (fact) => {
    const amounts = beside(fact);
    const [noncurrent, current] = [amounts.get(NONCURRENT), amounts.get(CURRENT)];
    if (noncurrent === undefined || current === undefined || isZero(current)) return false;
    return isSum(fact.value, noncurrent, current);
  });
}

function isSum(total: Decimal, one: Decimal, other: Decimal): boolean {
  return !isBelow(multiply(absolute(total), ROUNDED), absolute(subtract(total, add(one, other))));
}
