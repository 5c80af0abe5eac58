/**
 * Tells amounts of debt apart: `LongTermDebt` is the debt of all maturities for most filers, its noncurrent part for
 * some, and a note's carrying amount for others.
 */
import { absolute, add, multiply, subtract } from '../../../contract/decimal.ts';
import { type Decimal, isZero } from '../../../contract/decimal-text.ts';
import { type FactSeries, firstMatchingDay } from '../../facts/fact-series.ts';
import type { AmountChooser, AmountLookup, Amounts } from './amounts-beside.ts';
import {
  type Choice,
  type FilingCandidates,
  isBelow,
  isNonEmpty,
  putBestFirst,
  withoutZeros,
} from './filing-candidates.ts';

const ALL_MATURITIES_CONCEPT = 'LongTermDebt';
const NONCURRENT_CONCEPT = 'LongTermDebtNoncurrent';
const CURRENT_CONCEPT = 'LongTermDebtCurrent';
/** Concepts of the IFRS taxonomy. */
const BONDS_CONCEPT = 'NoncurrentPortionOfNoncurrentBondsIssued';
const BORROWINGS_CONCEPT = 'ShortTermBorrowings';
/** Lines of short-term borrowings that one balance sheet may have at the same time. */
const BORROWING_KIND_CONCEPTS = [
  'CommercialPaper',
  'OtherShortTermBorrowings',
  'LinesOfCreditCurrent',
  'LoansPayableCurrent',
  'NotesPayableCurrent',
];
const CURRENT_LIABILITIES_CONCEPT = 'LiabilitiesCurrent';

/** Tolerance for a total in millions of lines in millions. */
const ROUNDING_TOLERANCE: Decimal = '0.002';

/** The choosers of the metrics of debt, by metric. */
export function createDebtChoosers(
  series: readonly FactSeries[],
  amountsFor: AmountLookup,
): ReadonlyMap<string, AmountChooser> {
  const totalReportedSince = firstDayOfTotal(series, amountsFor);
  return new Map<string, AmountChooser>([
    ['long_term_debt', chooseNoncurrent],
    ['noncurrent_loans', (candidates, amounts) => (hasBonds(candidates, amounts) ? putBestFirst(candidates) : null)],
    ['noncurrent_bonds', putBestFirst],
    [
      'long_term_debt_with_current',
      (candidates, amounts) => chooseAllMaturities(candidates, amounts, totalReportedSince),
    ],
    ['current_portion_of_debt', chooseCurrent],
    ['short_term_borrowings', chooseBorrowings],
  ]);
}

/** Debt of all maturities is used only for a balance sheet that does not divide liabilities by maturity. */
function chooseNoncurrent(candidates: FilingCandidates, amounts: Amounts): Choice {
  if (hasBonds(candidates, amounts)) return null;
  const isClassified = amounts.has(CURRENT_LIABILITIES_CONCEPT) || amounts.has(CURRENT_CONCEPT);
  const possibleCandidates = isClassified
    ? candidates.filter((candidate) => candidate.fact.concept !== ALL_MATURITIES_CONCEPT)
    : candidates;
  // Zero, with debt of all maturities: all of it is due within a year.
  return isNonEmpty(possibleCandidates)
    ? putBestFirst(possibleCandidates)
    : 'long-term debt that may include its current portion';
}

/** Whether noncurrent borrowings are only those from banks: they are less than the bonds of their filing. */
function hasBonds([{ fact }]: FilingCandidates, amounts: Amounts): boolean {
  const bonds = amounts.get(BONDS_CONCEPT);
  return bonds !== undefined && isBelow(fact.value, bonds);
}

/** The current portion is the rest of all maturities, for a filer that has divided them that way before. */
function chooseAllMaturities(
  candidates: FilingCandidates,
  amounts: Amounts,
  totalReportedSince: string | null,
): Choice {
  const provenCandidates = candidates.filter(({ fact }) => {
    const noncurrent = amounts.get(NONCURRENT_CONCEPT);
    if (totalReportedSince === null || totalReportedSince > fact.filed || noncurrent === undefined) return false;
    const current = amounts.get(CURRENT_CONCEPT);
    return current === undefined ? !isBelow(fact.value, noncurrent) : isSum(fact.value, noncurrent, current);
  });
  return isNonEmpty(provenCandidates) ? provenCandidates : 'long-term debt that may not include all maturities';
}

function chooseCurrent(candidates: FilingCandidates, amounts: Amounts): Choice {
  return reportedBorrowingKinds(amounts).length > 1
    ? 'current debt in a filing with several lines of short-term borrowings'
    : putBestFirst(candidates);
}

function chooseBorrowings(candidates: FilingCandidates, amounts: Amounts): Choice {
  if (reportedBorrowingKinds(amounts).length > 1) return 'one of several lines of short-term borrowings';
  const totalCandidates = candidates.filter((candidate) => candidate.fact.concept === BORROWINGS_CONCEPT);
  return isNonEmpty(totalCandidates) ? totalCandidates : putBestFirst(withoutZeros(candidates));
}

/** The lines of short-term borrowings with an amount; empty if the filing has their total. */
function reportedBorrowingKinds(amounts: Amounts): string[] {
  if (amounts.has(BORROWINGS_CONCEPT)) return [];
  return BORROWING_KIND_CONCEPTS.filter((concept) => !isZero(amounts.get(concept) ?? '0'));
}

/** The day of the first filing that divides its debt of all maturities into noncurrent and current; otherwise null. */
function firstDayOfTotal(series: readonly FactSeries[], amountsFor: AmountLookup): string | null {
  return firstMatchingDay(series, ALL_MATURITIES_CONCEPT, (fact) => {
    const amounts = amountsFor(fact);
    const [noncurrent, current] = [amounts.get(NONCURRENT_CONCEPT), amounts.get(CURRENT_CONCEPT)];
    if (noncurrent === undefined || current === undefined || isZero(current)) return false;
    return isSum(fact.value, noncurrent, current);
  });
}

function isSum(total: Decimal, part: Decimal, otherPart: Decimal): boolean {
  return !isBelow(multiply(absolute(total), ROUNDING_TOLERANCE), absolute(subtract(total, add(part, otherPart))));
}
