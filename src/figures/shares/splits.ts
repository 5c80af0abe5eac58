/**
 * Share splits, proven by the company's own figures.
 *
 * A filing after a split restates the share counts of earlier periods. Where the counts of at least two periods change
 * between filings by one plain ratio, or one does by a declared ratio, there was a split between those filings. A
 * declaration alone proves none.
 */
import { multiply, nearlyEqual } from '../../contract/decimal.ts';
import type { Decimal } from '../../contract/decimal-text.ts';
import type { Fact } from '../../edgar/facts/fact-row.ts';
import type { FilingRecord } from '../../edgar/filings/submissions.ts';
import {
  COUNTS,
  DECLARED,
  type Declaration,
  declarationsOf,
  isDeclared,
  PER_SHARE,
  type SuspectedSplit,
  suspectedSplits,
} from './split-evidence.ts';

/** A share split: new shares per old share, and the filing that proves it. */
export interface Split {
  readonly ratio: Decimal;
  /** The first day on the new basis. */
  readonly effective: string;
  readonly accession: string;
}

const PRODUCT_TOLERANCE = '0.005';

/** The concepts that `findSplits` reads. */
export const SPLIT_CONCEPTS: ReadonlySet<string> = new Set([DECLARED, ...COUNTS, ...PER_SHARE]);

/** Every split the facts prove, earliest first. Facts of other concepts may be left out; filings help to date it. */
export function findSplits(facts: readonly Fact[], filings: readonly FilingRecord[] = []): readonly Split[] {
  const declared = declarationsOf(facts, filings);
  const suspects = suspectedSplits(facts, declared);
  const proven = suspects.filter((suspect) => suspect.periods.size >= 2 || isDeclared(suspect.ratio, declared));
  return proven
    .filter((suspect) => !isProduct(suspect, proven))
    .map((suspect) => ({
      ratio: suspect.ratio,
      effective: effectiveDay(suspect, declared),
      accession: suspect.accession,
    }))
    .sort((a, b) => (a.effective < b.effective ? -1 : 1));
}

/** New shares per old through every split that came into effect after `after` and on or before `until`; null when none did. */
export function splitRatio(splits: readonly Split[], after: string, until: string): Decimal | null {
  let ratio: Decimal | null = null;
  for (const split of splits) {
    if (split.effective > after && split.effective <= until) ratio = multiply(ratio ?? '1', split.ratio);
  }
  return ratio;
}

/** A period that was restated only after two splits changes by both: that is no third split. */
function isProduct(suspect: SuspectedSplit, all: readonly SuspectedSplit[]): boolean {
  const inside = all.filter(
    (other) =>
      other !== suspect &&
      other.ratio !== suspect.ratio &&
      other.after >= suspect.after &&
      other.until <= suspect.until,
  );
  if (inside.length < 2) return false;
  const product = inside.reduce((ratio, other) => multiply(ratio, other.ratio), '1');
  return nearlyEqual(product, suspect.ratio, PRODUCT_TOLERANCE);
}

/** The last declared day between the two filings, or, where none is declared there, that of the filing: the latest it can be. */
function effectiveDay(suspect: SuspectedSplit, declared: readonly Declaration[]): string {
  const days = declared
    .filter((declaration) => isDeclared(suspect.ratio, [declaration]))
    .map(({ effective }) => effective)
    .filter((day) => day > suspect.after && day <= suspect.until)
    .sort();
  return days.at(-1) ?? suspect.until;
}
