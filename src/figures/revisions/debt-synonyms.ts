/**
 * Which amounts of debt are what: `LongTermDebt` is the debt of all maturities for most filers, the noncurrent part for
 * some, and a note's carrying amount for others.
 */
import { absolute, add, multiply, subtract } from '../../contract/decimal.ts';
import { type Decimal, isZero } from '../../contract/decimal-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import { type AmountBeside, amountsBeside } from './amounts-beside.ts';
import { bestFirst, type Choice, type FilingCandidates, isBelow, isFilled, withoutZeros } from './filing-candidates.ts';

const ALL_MATURITIES = 'LongTermDebt';
const NONCURRENT = 'LongTermDebtNoncurrent';
const CURRENT = 'LongTermDebtCurrent';
const BORROWINGS = 'ShortTermBorrowings';
/** Lines of short-term borrowings that a balance sheet may have beside each other. */
const KINDS_OF_BORROWINGS = [
  'CommercialPaper',
  'OtherShortTermBorrowings',
  'LinesOfCreditCurrent',
  'LoansPayableCurrent',
  'NotesPayableCurrent',
];
const CURRENT_LIABILITIES = 'LiabilitiesCurrent';
const CONCEPTS = new Set([
  ALL_MATURITIES,
  NONCURRENT,
  CURRENT,
  BORROWINGS,
  ...KINDS_OF_BORROWINGS,
  CURRENT_LIABILITIES,
]);

/** Lines in millions that add up to a total in millions. */
const ROUNDED: Decimal = '0.002';

export type DebtChooser = (candidates: FilingCandidates) => Choice;

/** The choosers of the metrics of debt, by metric. */
export function debtChoosers(facts: readonly Fact[]): ReadonlyMap<string, DebtChooser> {
  const beside = amountsBeside(facts, CONCEPTS);
  const totalSince = firstTotal(facts, beside);
  return new Map<string, DebtChooser>([
    ['long_term_debt', (candidates) => chooseNoncurrent(candidates, beside)],
    ['long_term_debt_with_current', (candidates) => chooseAllMaturities(candidates, beside, totalSince)],
    ['current_portion_of_debt', (candidates) => chooseCurrent(candidates, beside)],
    ['short_term_borrowings', (candidates) => chooseBorrowings(candidates, beside)],
  ]);
}

/** Debt of all maturities stands in only on a balance sheet that does not divide liabilities by when they are due. */
function chooseNoncurrent(candidates: FilingCandidates, beside: AmountBeside): Choice {
  const [{ fact }] = candidates;
  const divided = beside(fact, CURRENT_LIABILITIES) !== null || beside(fact, CURRENT) !== null;
  const possible = divided ? candidates.filter((one) => one.fact.concept !== ALL_MATURITIES) : candidates;
  // A zero beside the debt of all maturities: all of it is due within a year.
  return isFilled(possible) ? bestFirst(possible) : 'long-term debt that may include its current portion';
}

/** The current portion is what remains of all maturities, for a filer that has divided them so before. */
function chooseAllMaturities(candidates: FilingCandidates, beside: AmountBeside, totalSince: string | null): Choice {
  const proven = candidates.filter(({ fact }) => {
    const noncurrent = beside(fact, NONCURRENT);
    if (totalSince === null || totalSince > fact.filed || noncurrent === null) return false;
    const current = beside(fact, CURRENT);
    return current === null ? !isBelow(fact.value, noncurrent) : isSum(fact.value, noncurrent, current);
  });
  return isFilled(proven) ? proven : 'long-term debt that is not shown to be of all maturities';
}

function chooseCurrent(candidates: FilingCandidates, beside: AmountBeside): Choice {
  const [{ fact }] = candidates;
  return borrowingsBeside(fact, beside).length > 1
    ? 'current debt beside several lines of short-term borrowings'
    : bestFirst(candidates);
}

function chooseBorrowings(candidates: FilingCandidates, beside: AmountBeside): Choice {
  const [{ fact }] = candidates;
  if (borrowingsBeside(fact, beside).length > 1) return 'one of several lines of short-term borrowings';
  const total = candidates.filter((one) => one.fact.concept === BORROWINGS);
  return isFilled(total) ? total : bestFirst(withoutZeros(candidates));
}

/** The lines of short-term borrowings that have an amount; none where the filing has a total of them. */
function borrowingsBeside(fact: Fact, beside: AmountBeside): string[] {
  if (beside(fact, BORROWINGS) !== null) return [];
  return KINDS_OF_BORROWINGS.filter((concept) => !isZero(beside(fact, concept) ?? '0'));
}

/** The day of the first filing that divides its debt of all maturities into noncurrent and current; else null. */
function firstTotal(facts: readonly Fact[], beside: AmountBeside): string | null {
  let since: string | null = null;
  for (const fact of facts) {
    if (fact.concept !== ALL_MATURITIES || (since !== null && fact.filed >= since)) continue;
    const [noncurrent, current] = [beside(fact, NONCURRENT), beside(fact, CURRENT)];
    if (noncurrent === null || current === null || isZero(current)) continue;
    if (isSum(fact.value, noncurrent, current)) since = fact.filed;
  }
  return since;
}

function isSum(total: Decimal, one: Decimal, other: Decimal): boolean {
  return !isBelow(multiply(absolute(total), ROUNDED), absolute(subtract(total, add(one, other))));
}
