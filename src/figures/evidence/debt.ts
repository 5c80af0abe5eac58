/**
 * Determines which debt an amount includes. Most filers tag debt of all maturities as `LongTermDebt`, but some filers
 * use this tag for the noncurrent portion, and others for the carrying amount of a note.
 */
import { add, isNearlyEqual } from '../../contract/decimal.ts';
import { isZero } from '../../contract/decimal-text.ts';
import { type FactSeries, findFirstMatchingFilingDay } from '../facts/fact-series.ts';
import { listMappingsOfMetric } from '../metrics/concepts.ts';
import { type AmountChooser, type AmountLookup, type FilingAmounts, ROUNDING_TOLERANCE } from './filing-amounts.ts';
import {
  type CandidateChoice,
  type FilingCandidates,
  isBelow,
  isNonEmpty,
  preferNonZeroCandidates,
  putBestFirst,
} from './filing-candidates.ts';

const ALL_MATURITIES_CONCEPT = 'LongTermDebt';
const NONCURRENT_DEBT_CONCEPT = 'LongTermDebtNoncurrent';
const CURRENT_PORTION_CONCEPT = 'LongTermDebtCurrent';
/** Principal due within a year, from a note. If it is zero and the balance sheet has one line of debt, all is noncurrent. */
const PRINCIPAL_DUE_CONCEPT = 'LongTermDebtMaturitiesRepaymentsOfPrincipalInNextTwelveMonths';
/** A concept of the IFRS taxonomy; the other concepts in this file are of US GAAP. */
const BONDS_CONCEPT = 'NoncurrentPortionOfNoncurrentBondsIssued';
/** Totals of short-term borrowings. The second is one only in filings that report commercial paper, which it includes. */
const SHORT_TERM_BORROWINGS_CONCEPT = 'ShortTermBorrowings';
const NOTES_AND_LOANS_CONCEPT = 'NotesAndLoansPayable';
const COMMERCIAL_PAPER_CONCEPT = 'CommercialPaper';
/** Kinds of short-term borrowings, of which a balance sheet may report several on separate lines. */
const BORROWING_KIND_CONCEPTS = listMappingsOfMetric('short_term_borrowings')
  .map(({ concept }) => concept)
  .filter((concept) => concept !== SHORT_TERM_BORROWINGS_CONCEPT && concept !== NOTES_AND_LOANS_CONCEPT);
const CURRENT_LIABILITIES_CONCEPT = 'LiabilitiesCurrent';

/** Returns the choosers of debt metrics, by metric. */
export function createDebtChoosers(
  series: readonly FactSeries[],
  findAmounts: AmountLookup,
): ReadonlyMap<string, AmountChooser> {
  const firstDayOfTotal = findFirstDayOfTotal(series, findAmounts);
  return new Map<string, AmountChooser>([
    ['long_term_debt', chooseNoncurrentDebt],
    [
      'noncurrent_loans',
      (candidates, amounts) => (excludesBonds(candidates, amounts) ? putBestFirst(candidates) : null),
    ],
    ['noncurrent_bonds', putBestFirst],
    ['long_term_debt_with_current', (candidates, amounts) => chooseAllMaturities(candidates, amounts, firstDayOfTotal)],
    ['current_portion_of_debt', chooseCurrentPortion],
    ['short_term_borrowings', chooseBorrowings],
  ]);
}

/**
 * Chooses noncurrent debt. Debt of all maturities is used only if the balance sheet does not divide liabilities into
 * current and noncurrent, or if no debt is due within a year.
 */
function chooseNoncurrentDebt(candidates: FilingCandidates, amounts: FilingAmounts): CandidateChoice {
  if (excludesBonds(candidates, amounts)) return null;
  const isClassified =
    (amounts.has(CURRENT_LIABILITIES_CONCEPT) && !isNothingDue(amounts)) || amounts.has(CURRENT_PORTION_CONCEPT);
  const possible = isClassified
    ? candidates.filter((candidate) => candidate.fact.concept !== ALL_MATURITIES_CONCEPT)
    : candidates;
  // Keeps zeros: noncurrent debt is zero if all debt is due within a year.
  return isNonEmpty(possible) ? putBestFirst(possible) : 'long-term debt that may include its current portion';
}

/**
 * Whether noncurrent borrowings include only bank loans, because the amount is smaller than the bonds in the same
 * filing.
 */
function excludesBonds([{ fact }]: FilingCandidates, amounts: FilingAmounts): boolean {
  const bonds = amounts.get(BONDS_CONCEPT);
  return bonds !== undefined && isBelow(fact.value, bonds);
}

/**
 * Accepts debt of all maturities that equals its noncurrent plus current portion, if this or an earlier filing of the
 * company showed such a sum. If the filing has no current portion, the amount must not be below the noncurrent portion.
 */
function chooseAllMaturities(
  candidates: FilingCandidates,
  amounts: FilingAmounts,
  firstDayOfTotal: string | null,
): CandidateChoice {
  const proven = candidates.filter(({ fact }) => {
    const noncurrent = amounts.get(NONCURRENT_DEBT_CONCEPT);
    if (firstDayOfTotal === null || firstDayOfTotal > fact.filed || noncurrent === undefined) return false;
    const current = amounts.get(CURRENT_PORTION_CONCEPT);
    return current === undefined
      ? !isBelow(fact.value, noncurrent)
      : isNearlyEqual(add(noncurrent, current), fact.value, ROUNDING_TOLERANCE);
  });
  // Only derives other amounts, so that nothing is withheld without it.
  return isNonEmpty(proven) ? proven : null;
}

function isNothingDue(amounts: FilingAmounts): boolean {
  const principal = amounts.get(PRINCIPAL_DUE_CONCEPT);
  return (
    principal !== undefined &&
    isZero(principal) &&
    amounts.has(ALL_MATURITIES_CONCEPT) &&
    !amounts.has(NONCURRENT_DEBT_CONCEPT)
  );
}

function chooseCurrentPortion(candidates: FilingCandidates, amounts: FilingAmounts): CandidateChoice {
  if (listBorrowingKinds(amounts).length > 1)
    return 'current debt in a filing with several kinds of short-term borrowings';
  const possible = candidates.filter(({ fact }) => fact.concept !== PRINCIPAL_DUE_CONCEPT || isNothingDue(amounts));
  return isNonEmpty(possible) ? putBestFirst(possible) : null;
}

function chooseBorrowings(candidates: FilingCandidates, amounts: FilingAmounts): CandidateChoice {
  if (listBorrowingKinds(amounts).length > 1) return 'one of several kinds of short-term borrowings';
  const total = findTotalBorrowings(amounts);
  const possible = candidates.filter(({ fact }) =>
    total === undefined ? fact.concept !== NOTES_AND_LOANS_CONCEPT : fact.concept === total,
  );
  return isNonEmpty(possible) ? putBestFirst(preferNonZeroCandidates(possible)) : null;
}

/** Returns the kinds of short-term borrowings that have a nonzero amount; empty if the filing reports their total. */
function listBorrowingKinds(amounts: FilingAmounts): string[] {
  if (findTotalBorrowings(amounts) !== undefined) return [];
  return BORROWING_KIND_CONCEPTS.filter((concept) => !isZero(amounts.get(concept) ?? '0'));
}

/** Returns the concept by which the filing states all short-term borrowings. */
function findTotalBorrowings(amounts: FilingAmounts): string | undefined {
  if (amounts.has(SHORT_TERM_BORROWINGS_CONCEPT)) return SHORT_TERM_BORROWINGS_CONCEPT;
  const [all, paper] = [amounts.get(NOTES_AND_LOANS_CONCEPT), amounts.get(COMMERCIAL_PAPER_CONCEPT)];
  return all === undefined || paper === undefined || isBelow(all, paper) ? undefined : NOTES_AND_LOANS_CONCEPT;
}

/**
 * Returns the day of the first filing whose debt of all maturities equals its noncurrent plus current portion; null if
 * no filing shows such a sum.
 */
function findFirstDayOfTotal(series: readonly FactSeries[], findAmounts: AmountLookup): string | null {
  return findFirstMatchingFilingDay(series, ALL_MATURITIES_CONCEPT, (fact) => {
    const amounts = findAmounts(fact);
    const [noncurrent, current] = [amounts.get(NONCURRENT_DEBT_CONCEPT), amounts.get(CURRENT_PORTION_CONCEPT)];
    if (noncurrent === undefined || current === undefined || isZero(current)) return false;
    return isNearlyEqual(add(noncurrent, current), fact.value, ROUNDING_TOLERANCE);
  });
}
